"""agree: ask the traveller whether what a reviewer or a rewind made worse for them will do."""

from __future__ import annotations

from langgraph.types import interrupt

from graphs.answers import AgreeAnswer
from graphs.state import Json, TripState


async def agree(state: TripState) -> TripState:
    question: Json = {
        "kind": "agree",
        "wanted": state.get("wanted"),
        "instead_of": state.get("agreed"),
        "plan": state.get("plan"),
        "digest": state.get("digest"),
        "notes": state.get("notes") or [],
    }
    answer = interrupt(question, response_schema=AgreeAnswer)
    if answer.answer == "agree":
        decision = state.get("decision")
        renewed = decision | {"until": answer.until} if decision else None
        return {"agreed": None, "kept_selection": None, "stopped": None, "next": "settle", "decision": renewed}
    kept = state.get("kept_selection")
    return {
        "selection": kept,
        "kept_selection": None,
        "authors": [],
        "agreed": None,
        "decision": None,
        "choice": None,
        "reason": "declined_by_traveller",
        "next": "refresh" if kept else "choose",
    }


def after_agree(state: TripState) -> str:
    return state.get("next") or "settle"
