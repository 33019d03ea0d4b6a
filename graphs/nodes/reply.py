"""The reply, from facts in state only, and the marker that the turn has ended."""

from __future__ import annotations

from typing import cast

from langgraph.runtime import Runtime

from assistant.domain.understanding import Language
from assistant.language.writer import Facts
from assistant.wording import Said, render
from graphs.context import ConversationContext
from graphs.nodes.dialogue_events import told
from graphs.nodes.dialogue_turn import OVER, Move
from graphs.nodes.propose import written
from graphs.state import ConversationState, Json

ASKS_OF_A_SEARCH = frozenset({"origin", "destination", "depart", "return", "passengers", "ages", "search"})
STAYS_OPEN_UNSAID = frozenset({"offer", "change"})  # the list is there to be seen
STAYS_OPEN = ASKS_OF_A_SEARCH | {"proposal", "agree"}


async def reply(state: ConversationState, runtime: Runtime[ConversationContext]) -> ConversationState:
    context = runtime.context
    update: ConversationState = {} if state.get("turn") else await _of_event(state, context)
    seen: ConversationState = {**state, **update}
    language = cast(Language, seen.get("language") or "en")
    said = [Said.model_validate(s) for s in seen.get("told") or []]
    answer: Json | None = None
    if said:
        timezone = seen.get("timezone") or "UTC"
        turn = seen.get("turn")
        text = await _written(
            Facts(said=tuple(said), message=turn["text"] if turn else None, timezone=timezone), language, context
        )
        answer = {
            "text": text,
            "language": language,
            "said": seen.get("told"),
            "options": [_button(o, language) for o in seen.get("options") or []],
            "asked": seen.get("asked"),
        }
    return {**update, "reply": answer, "concluded": {"command_id": context.command_id}}


async def _written(facts: Facts, language: Language, context: ConversationContext) -> str:
    pieces: list[str] = []
    async for piece in context.writer.write(facts, language):
        pieces.append(piece)
        if context.stream:
            await context.stream(piece)
    return "".join(pieces)


async def _of_event(state: ConversationState, context: ConversationContext) -> ConversationState:
    """What the event makes us say; nothing, where its trip is no longer part of the conversation."""
    event = state.get("event") or {}
    trips = await context.reads.trips()
    trip = next((t for t in trips if t.trip_id == event.get("trip_id")), None)
    if trip is None or (trip.trip_id in (state.get("replaced") or []) and trip.status in OVER):
        return {**written(Move()), "wishes": [], "asked": state.get("asked")}
    move = told(event, trip, trips, tuple(state.get("shown") or []))
    pending = state.get("proposal")
    if pending and pending["trip_id"] == trip.trip_id and "proposal" not in move.keeps:
        move += Move(keeps={"proposal": None})
    move += _still_open(state, move)
    return {**written(move), "language": state.get("language") or trip.request.language, "wishes": []}


def _still_open(state: ConversationState, move: Move) -> Move:
    """A question that waits for an answer is asked once more after the news, so that a yes is still a yes to it."""
    asked, before = state.get("asked"), state.get("reply")
    own_question = move.keeps.get("proposal") or ("proposal" in move.keeps and asked not in ASKS_OF_A_SEARCH)
    if asked in STAYS_OPEN_UNSAID and "asked" not in move.keeps:
        return Move(keeps={"asked": asked})
    if asked not in STAYS_OPEN or not before or own_question:
        return Move()
    question = Said.model_validate(before["said"][-1])
    said_before = state.get("event") is not None and before.get("news") and len(before["said"]) > 1
    return Move(told=() if said_before else (question,), keeps={"asked": asked})


def _button(option: Json, language: Language) -> Json:
    return {"label": option["label"], "say": render(Said.model_validate(option["says"]), language)}
