"""refresh: price the selection as of now. Every re-entry meets dead offers; what the trip already has is read, not searched."""

from __future__ import annotations

from langgraph.runtime import Runtime

from assistant.domain.errors import Refused, Unavailable
from assistant.domain.plans import Choice, Wanted
from assistant.domain.trips import Selection
from graphs.context import TripContext
from graphs.state import TripState


def choice_of(state: TripState) -> Choice | None:
    choice = state.get("choice")
    return Choice(choice) if choice else None


def wanted_of(state: TripState) -> Wanted | None:
    wanted = state.get("wanted")
    return Wanted.model_validate(wanted) if wanted else None


async def refresh(state: TripState, runtime: Runtime[TripContext]) -> TripState:
    desk, errand = runtime.context.desk, runtime.context.errand
    try:
        wanted, selection = None, state.get("selection")
        if selection is not None:
            wanted, changed = await desk.wanted(errand, Selection.model_validate(selection))
            selection = changed.model_dump(mode="json")
        await desk.quote_leaving(errand, wanted, choice_of(state), drops=state.get("drops"))
    except Refused as refusal:
        return {"wanted": None, "next": "shortlist", "reason": refusal.reason.value}
    except Unavailable:
        return {"wanted": None, "next": "choose", "reason": "airline_out_of_reach"}
    return {"wanted": wanted and wanted.model_dump(mode="json"), "selection": selection, "next": "plan"}


def after_refresh(state: TripState) -> str:
    if state.get("next") == "shortlist" and not state.get("searched"):
        return "search"
    return state.get("next") or "plan"
