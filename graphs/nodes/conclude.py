"""conclude: set the terminal marker, naming the command that got here."""

from __future__ import annotations

from langgraph.runtime import Runtime

from assistant.domain.trips import TripStatus
from graphs.context import TripContext
from graphs.state import TripState


async def conclude(state: TripState, runtime: Runtime[TripContext]) -> TripState:
    page = await runtime.context.desk.live_orders(runtime.context.errand)
    booked = any(o.paid and not o.aside for o in page.orders)
    return {"concluded": {"command_id": runtime.context.command_id, "status": _status(state, booked=booked).value}}


def _status(state: TripState, *, booked: bool) -> TripStatus:
    match state.get("ending"):
        case "by_hand":
            return TripStatus.NEEDS_PERSON
        case "rejected" if not booked:
            return TripStatus.REJECTED
        case "withdrawn" if not booked:
            return TripStatus.WITHDRAWN
        case _:
            return TripStatus.BOOKED if booked else TripStatus.CANCELLED
