"""review: wait for a reviewer. What they granted was written when their decision was accepted; here it only takes its way."""

from __future__ import annotations

from typing import Any

from langgraph.types import interrupt

from assistant.domain.plans import Choice
from graphs.answers import ReviewAnswer
from graphs.nodes.choose import chosen
from graphs.nodes.settle import CHOOSE_AGAIN, NOT_GIVEN_UP, UNDECIDED
from graphs.state import Json, TripState


async def review(state: TripState) -> TripState:
    question: Json = {
        "kind": "review",
        "plan": state.get("plan"),
        "digest": state.get("digest"),
        "reason": state.get("reason"),
        "notes": state.get("notes") or [],
        "wanted": state.get("wanted"),
    }
    return _taken(state, interrupt(question, response_schema=ReviewAnswer))


def _taken(state: TripState, answer: ReviewAnswer) -> TripState:
    said: list[Json] = [{"by": answer.by, "text": answer.message}] if answer.message else []
    notes = [*(state.get("notes") or []), *said]
    decision: dict[str, Any] = answer.model_dump(include={"type", "command_id", "plan", "by", "message", "until"})
    decided: TripState = {"decision": decision, "reason": None, "stopped": None, "notes": notes, "next": "refresh"}
    match answer.type:
        case "approve":
            return decided
        case "edit":
            before = state.get("agreed") or state.get("wanted")
            return decided | {
                "agreed": before,
                "kept_selection": state.get("kept_selection") or state.get("selection"),
                "selection": answer.selection or state.get("selection"),
                "choice": answer.settle or state.get("choice"),
                "authors": [*(state.get("authors") or []), *([answer.author] if answer.author else [])],
            }
        case "reject" if state.get("drops"):
            return decided | _goes_on(state)
        case "reject":
            kept = state.get("kept_selection") or state.get("selection")
            as_is = chosen(None, Choice.AS_IS.value, ending="rejected")
            return as_is | {"decision": decision, "notes": notes, "kept_selection": kept}
        case "respond":
            return decided | {"next": "choose", "reason": "respond"}
        case "expire":
            return decided | {"next": "choose", "reason": "expired"}


def _goes_on(state: TripState) -> TripState:
    """One booking was to go and stays: the trip is as it was before that was asked for, with its choice if that was kept."""
    if state.get("ending") in {CHOOSE_AGAIN, UNDECIDED}:
        return {"drops": None, "ending": None, "reason": NOT_GIVEN_UP, "next": "choose"}
    return {"choice": Choice.AS_IS.value, "selection": state.get("kept_selection") or state.get("selection")}


def after_review(state: TripState) -> str:
    return state.get("next") or "refresh"
