"""await_outcome: parked until the airline's word is known; the reconciler or an operator wakes it, the ledger answers."""

from __future__ import annotations

from langgraph.types import interrupt

from assistant.domain.trips import GIVING_BACK
from graphs.answers import OutcomeAnswer
from graphs.state import TripState


async def await_outcome(state: TripState) -> TripState:
    gives_back = state.get("stopped") == GIVING_BACK
    interrupt(
        {
            "kind": "await_outcome",
            "operation_id": None if gives_back else state.get("waits_for"),
            "gives_back": state.get("waits_for") if gives_back else None,
            "stopped": state.get("stopped"),
        },
        response_schema=OutcomeAnswer,
    )
    if gives_back:  # nothing of this trip was sent: it is planned anew, at the prices of then
        return {"stopped": None, "waits_for": None, "reason": None, "next": "refresh"}
    return {"stopped": None}


def after_await_outcome(state: TripState) -> str:
    return "refresh" if state.get("next") == "refresh" else "settle"
