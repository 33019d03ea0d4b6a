"""conclude: set the terminal marker, naming the command that got here; a seat booked otherwise than wished is shown as booked."""

from __future__ import annotations

from langgraph.runtime import Runtime

from assistant.desk import itinerary_of
from assistant.domain import trips
from assistant.domain.plans import Order, Wanted
from assistant.domain.settlement import LedgerPage
from assistant.domain.trips import BY_HAND, SeatChoice, Selection, TripStatus
from graphs.context import TripContext
from graphs.nodes.settle import UNDECIDED
from graphs.state import TripState


async def conclude(state: TripState, runtime: Runtime[TripContext]) -> TripState:
    page = await runtime.context.desk.live_orders(runtime.context.errand)
    ended: TripState = {
        "concluded": {"command_id": runtime.context.command_id, "status": _status(state, booked=_is_booked(state, page)).value},
        "reason": BY_HAND if state.get("ending") == BY_HAND else state.get("reason"),
    }
    return {**ended, **_as_booked(state, page)}


def _is_booked(state: TripState, page: LedgerPage) -> bool:
    """A booking that a trip without one was left with, and that was to go and stays, is not the trip's for that."""
    was_over = state.get("ending") not in {None, UNDECIDED}
    left_over = state.get("drops") is not None and state.get("selection") is None and was_over
    return page.booked and not left_over


def _as_booked(state: TripState, page: LedgerPage) -> TripState:
    """Another seat was wished for and the ticket was kept: nobody is to read a seat that nobody has."""
    chosen = state.get("selection")
    if chosen is None and state.get("ending") == "rejected" and state.get("drops") is None:
        return _as_it_was(state, page)
    if chosen is None or state.get("ending") == BY_HAND:  # whoever asks the airline has to see what for
        return {}
    selection = Selection.model_validate(chosen)
    wanted = itinerary_of(selection)
    kept = next((o for o in page.orders if o.paid and not o.aside and o.itinerary.differs_in_seat_only(wanted)), None)
    if kept is None or page.order_for(wanted) is not None:
        return {}
    total = Wanted(itinerary=kept.itinerary, fare=kept.fare, total=kept.total, hold=False)
    return {"selection": _seated(selection, kept).model_dump(mode="json"), "wanted": total.model_dump(mode="json")}


def _seated(selection: Selection, order: Order) -> Selection:
    seats = tuple(SeatChoice(passenger_id=p, segment_key=key, designator=seat) for key, p, seat in order.itinerary.seats)
    return selection.model_copy(update={"seats": seats, "quoted": order.total})


def _status(state: TripState, *, booked: bool) -> TripStatus:
    match state.get("ending"):
        case trips.BY_HAND:
            return TripStatus.NEEDS_PERSON
        case "rejected" if not booked:
            return TripStatus.REJECTED
        case "withdrawn" if not booked:
            return TripStatus.WITHDRAWN
        case _:
            return TripStatus.BOOKED if booked else TripStatus.CANCELLED


def _as_it_was(state: TripState, page: LedgerPage) -> TripState:
    """A change or a cancellation was rejected: the trip is what is booked, not nothing."""
    kept = next((o for o in page.orders if o.paid and not o.aside), None)
    if kept is None:
        return {}
    booked, before = kept.itinerary, state.get("kept_selection")
    named = Selection.model_validate(before) if before else None
    same_people = named is not None and named.passenger_ids == booked.passenger_ids
    selection = Selection(
        segment_keys=booked.segment_keys,
        cabin=booked.cabin,
        fare_brand=booked.fare_brand,
        passenger_ids=booked.passenger_ids,
        person_ids=named.person_ids if named and same_people else booked.passenger_ids,
        seats=tuple(SeatChoice(passenger_id=p, segment_key=key, designator=seat) for key, p, seat in booked.seats),
        bags=booked.bags,
        quoted=kept.total,
        wishes=named.wishes if named else (),
    )
    total = Wanted(itinerary=booked, fare=kept.fare, total=kept.total, hold=False)
    return {"selection": selection.model_dump(mode="json"), "wanted": total.model_dump(mode="json")}
