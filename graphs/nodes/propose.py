"""What to say and which trip commands to propose: the dialogue policy over state and the trips' facts. No effect."""

from __future__ import annotations

from langgraph.runtime import Runtime

from assistant.domain.understanding import Slots, Understanding, Unsure
from graphs.context import ConversationContext
from graphs.nodes.dialogue_policy import answered
from graphs.nodes.dialogue_turn import Move, Turn
from graphs.nodes.understand import now_of
from graphs.state import ConversationState


async def propose(state: ConversationState, runtime: Runtime[ConversationContext]) -> ConversationState:
    reads, said = runtime.context.reads, state.get("turn") or {}
    heard = Understanding.model_validate(state.get("understanding"))
    draft = Slots.model_validate(state.get("draft") or {})
    turn = Turn(
        text=said["text"],
        heard=heard,
        draft=draft,
        today=now_of(said).date(),
        trips=await reads.trips(),
        wishes=await reads.wishes(),
        shown=tuple(state.get("shown") or []),
        proposal=state.get("proposal"),
        asked=state.get("asked"),
        unsure=tuple(Unsure.model_validate(u) for u in state.get("unsure") or []),
        before=Slots.model_validate(state.get("draft_before") or {}),
        keeping=tuple(state.get("keeping") or []),
    )
    return written(answered(turn))


def written(move: Move) -> ConversationState:
    """A move as state: what it does not keep stays as it was, but an open question is open for one turn only."""
    update: ConversationState = {
        "told": [s.model_dump() for s in move.told],
        "proposes": list(move.proposes),
        "options": [{"label": o.label.model_dump(), "says": o.says.model_dump()} for o in move.options],
        "asked": None,
    }
    return {**update, **move.keeps}  # pyright: ignore[reportReturnType]
