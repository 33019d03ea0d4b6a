"""choose: wait for the traveller. What they chose was made a Selection when their answer was accepted."""

from __future__ import annotations

from langgraph.types import interrupt

from graphs.answers import ChooseAnswer
from graphs.state import Json, TripState


def chosen(
    selection: Json | None,
    choice: str | None = None,
    agreed: Json | None = None,
    *,
    ending: str | None = None,
    nothing: bool = False,
    drops: str | None = None,
) -> TripState:
    """All that entering as `choose` must set, so that no old edit or decision colours the next plan.

    `nothing`: nothing is wanted, on purpose; what is asked again then is the cancellation, not a search.
    `drops` is the create of one other booking to give up, while the trip stays as it is.
    """
    return {
        "selection": selection,
        "choice": choice,
        "agreed": agreed,
        "ending": ending,
        "nothing": nothing,
        "drops": drops,
        "authors": [],
        "corrected_by": None,
        "kept_selection": None,
        "wanted": None,
        "decision": None,
        "reason": None,
        "stopped": None,
        "waits_for": None,
        "moved": None,
        "misses": 0,
        "next": "refresh",
        "concluded": None,
    }


async def choose(state: TripState) -> TripState:
    question: Json = {
        "kind": "choose",
        "offers_hash": state.get("offers_hash"),
        "reason": state.get("reason"),
        "moved": state.get("moved"),
        "notes": state.get("notes") or [],
    }
    answer = interrupt(question, response_schema=ChooseAnswer)
    kept = state.get("selection")
    notes = [*(state.get("notes") or []), *([{"by": answer.by, "text": answer.message}] if answer.message else [])]
    went_back: TripState = {"corrected_by": state.get("corrected_by")}  # whoever led here does not approve the loss alone
    match answer.answer:
        case "choose":
            return chosen(answer.selection, answer.settle or state.get("choice")) | went_back | {"notes": notes, "voided": 0}
        case "resubmit":
            taken_back = kept is None and state.get("ending") == "withdrawn"  # what it held could not be given back yet
            nothing = taken_back or (kept is None and bool(state.get("nothing")))
            drops = state.get("drops")
            ending = state.get("ending") if drops or taken_back else None  # with drops: whether the choice stays after it
            kept = kept if drops else answer.selection or kept
            again = chosen(kept, state.get("choice"), nothing=nothing, drops=drops, ending=ending)
            same: TripState = {"notes": notes, "voided": 0, "authors": state.get("authors") or []}
            return again | went_back | same | {"next": "refresh" if kept or nothing else "search"}
        case "ask":
            asked: TripState = {"notes": notes, "moved": state.get("moved"), "authors": state.get("authors") or []}
            return chosen(kept, state.get("choice"), ending="by_hand") | went_back | asked
        case "change":
            return (
                chosen(kept, state.get("choice"))
                | went_back
                | {
                    "notes": notes,
                    "next": "shortlist" if state.get("offers_hash") else "search",
                }
            )


def after_choose(state: TripState) -> str:
    return state.get("next") or "refresh"
