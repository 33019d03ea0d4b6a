"""await_outcome: parked until the airline's word is known; the reconciler or an operator wakes it, the ledger answers."""

from __future__ import annotations

from langgraph.types import interrupt

from graphs.answers import OutcomeAnswer
from graphs.state import TripState


async def await_outcome(state: TripState) -> TripState:
    interrupt(
        {"kind": "await_outcome", "operation_id": state.get("waits_for"), "stopped": state.get("stopped")},
        response_schema=OutcomeAnswer,
    )
    return {"stopped": None}
