"""What is told when something happened to a trip: one message, from the trip's facts."""

from __future__ import annotations

from collections.abc import Callable

from assistant.desk import JUST_RESTORED, PAUSED
from assistant.domain.errors import Reason
from assistant.domain.flights import Fare
from assistant.domain.plans import PAID
from assistant.domain.trips import CANCELLATION_REJECTED, CHANGE_REJECTED, TripFacts, TripStatus
from assistant.wording import Said, saying
from graphs.nodes.dialogue_changing import asks_first
from graphs.nodes.dialogue_flights import flights, short, way
from graphs.nodes.dialogue_keeping import keep_or_cancel
from graphs.nodes.dialogue_moved import moved_flight
from graphs.nodes.dialogue_offers import choosing
from graphs.nodes.dialogue_questions import expired, waiting_traveller
from graphs.nodes.dialogue_turn import BUSY, OVER, Happened, Move, Option
from graphs.state import Json

REJECTED = frozenset({CANCELLATION_REJECTED, CHANGE_REJECTED})


def told(event: Json, trip: TripFacts, trips: tuple[TripFacts, ...], shown: tuple[Json, ...]) -> Move:
    if event["status"] not in set(TripStatus):
        return _not_done(event, trip)
    happened = Happened(
        status=TripStatus(event["status"]),
        trip=trip,
        trips=trips,
        shown=shown,
        reason=(event.get("reason") or trip.reason or "").removeprefix("reason.") or None,
        message=event.get("message") or trip.message,
        by=event.get("by") or trip.decided_by,
        moved=event.get("moved"),
    )
    return TELLS[happened.status](happened)


def _not_done(event: Json, trip: TripFacts) -> Move:
    """A command came too late (`refused`, with its code), a run failed for good (`failed`), or a booking stays (`kept`)."""
    if event["status"] == "kept":
        return _kept(trip)
    if event["status"] in {"late_order", "taken_in", "cancel_after_all", "pay_after_all"}:
        return Move(told=(saying(f"told.{event['status']}", trip=short(trip), reference=event.get("reference")),))
    if event["status"] == "moved":
        return Move(told=moved_flight(trip, event["moved"]))
    if event["status"] == "left_outside":
        return Move(told=(_left_outside(event, trip),), options=keep_or_cancel(event["reference"]), keeps={"asked": "left"})
    code = event.get("code")
    if event["status"] == "refused" or code not in {None, "failed"}:
        return Move(told=(saying("told.refused", trip=short(trip), code=code or "refused"),))
    return Move(told=(saying("told.failed", trip=short(trip), status=trip.status),))


def _kept(trip: TripFacts) -> Move:
    references = [o.booking_reference for o in trip.bookings if o.booking_reference]
    told = saying("told.kept", trip=short(trip), references=references or None)
    proposal: Json = {
        "trip_id": trip.trip_id,
        "kind": "cancel_trip",
        "payload": {"reason": None},
        "ask": saying("cancel.confirm", trip=short(trip), consequence=saying("cancel.paid")).model_dump(),
        "done": saying("cancel.started", trip=short(trip)).model_dump(),
        "dropped": saying("cancel.kept", trip=short(trip)).model_dump(),
        "stays": True,  # told of, and not asked yet: a yes alone does nothing
    }
    reference = next(iter(references), None)
    return Move(told=(told,), options=keep_or_cancel(reference), keeps={"proposal": proposal, "asked": "left"})


def _left_outside(event: Json, trip: TripFacts) -> Said:
    return saying(
        "told.left_again" if event["again"] else "told.left_outside",
        trip=short(trip),
        reference=event["reference"],
        flights=flights(Fare.model_validate(event["fare"])),
        total=event["total"],
    )


def _waiting_review(happened: Happened) -> Move:
    trip = happened.trip
    if trip.orders and trip.selection is None:
        return Move(told=(saying("told.waiting_cancel", trip=short(trip), until=trip.review_until),))
    lines = [saying("told.waiting_review", trip=short(trip), until=trip.review_until, held=_held(trip))]
    if happened.reason == "PRICE_CHANGED" and trip.total:
        lines.insert(0, saying("told.price_changed", trip=short(trip), total=trip.total))
    if happened.reason in {PAUSED, JUST_RESTORED}:
        lines.insert(0, saying("told.withheld", trip=short(trip), reason=happened.reason))
    return Move(told=tuple(lines))


def _held(trip: TripFacts) -> Said:
    if trip.held_until:
        return saying("told.held", until=trip.held_until)
    if any(order.state in PAID for order in trip.orders):
        return saying("told.order_stays")
    no_seats = trip.chosen and trip.chosen.holdable and not trip.chosen.seats_on_hold
    return saying("told.seat_not_held" if no_seats else "told.not_held")


def _rejected(happened: Happened) -> Move:
    said = saying("told.rejected", trip=short(happened.trip), by=happened.by, message=happened.message)
    return Move(told=(said, saying("told.rejected_next")), keeps={"asked": "change"}) + _other_way(happened)


def _other_way(happened: Happened) -> Move:
    """The rest of the journey lives on, and somebody has to think of it: keep, cancel or replace, where it is booked or held."""
    trip = happened.trip
    others = [t for t in happened.trips if t.journey_id == trip.journey_id and t.trip_id != trip.trip_id]
    alive = [t for t in others if t.status not in OVER and t.status is not TripStatus.REJECTED and t.request.direction]
    told = Move(told=tuple(saying("told.other_way", direction=t.request.direction, status=t.status) for t in alive))
    return told + sum((_keep_or_cancel(t) for t in alive if t.orders and t.status not in BUSY), Move())


def _keep_or_cancel(other: TripFacts) -> Move:
    way = {"direction": other.request.direction}
    options = (
        Option(saying("button.keep_way", **way), saying("says.no")),
        Option(saying("button.cancel_way", **way), saying("says.yes")),
        Option(saying("button.replace"), saying("says.others")),
    )
    done, dropped = saying("cancel.started", trip=short(other)), saying("cancel.kept", trip=short(other))
    ask = saying("ask.other_way", **way)
    return asks_first(ask, other, "cancel_trip", {"reason": None}, done=done, dropped=dropped, options=options)


def _checking(happened: Happened) -> Move:
    waits = happened.reason == Reason.BEING_GIVEN_BACK
    return Move(told=(saying("told.waits_for_giving_back" if waits else "told.checking", trip=short(happened.trip)),))


def _stays(happened: Happened) -> Move:
    """A reviewer has rejected its cancellation or a change of it: why, and that nothing has changed."""
    trip = happened.trip
    references = [o.booking_reference for o in trip.bookings if o.booking_reference]
    said = saying(
        f"told.{happened.reason}", trip=short(trip), by=happened.by, message=happened.message, references=references or None
    )
    return Move(told=(said,))


def _ticketing(happened: Happened) -> Move:
    references = [o.booking_reference for o in happened.trip.bookings if o.booking_reference]
    return Move(told=(saying("told.ticketing", trip=short(happened.trip), reference=references[0] if references else None),))


def _booked(happened: Happened) -> Move:
    if happened.reason in REJECTED:
        return _stays(happened)
    trip = happened.trip
    references = [o.booking_reference for o in trip.bookings if o.booking_reference]
    total = trip.bookings[-1].total if trip.bookings else trip.total
    if not (trip.chosen and references and total):
        return Move(told=(saying("told.booked_plain", trip=short(trip), references=references or None),))
    said = saying(
        "told.booked",
        trip=way(trip),
        flights=flights(trip.chosen),
        seats=sorted(s for o in trip.bookings for s in o.seats) or None,
        references=references,
        documents=[d for o in trip.bookings for d in o.documents] or None,
        total=total,
    )
    return Move(told=(said,))


def _plain(key: str) -> Callable[[Happened], Move]:
    return lambda happened: Move(told=(saying(key, trip=short(happened.trip)),))


def _with_reason(key: str) -> Callable[[Happened], Move]:
    return lambda happened: Move(told=(saying(key, trip=short(happened.trip), reason=happened.reason),)) + _other_way(happened)


def _cancelled(happened: Happened) -> Move:
    """Also where a booking it was left with was to go, and a reviewer let that stay."""
    return _stays(happened) if happened.reason in REJECTED else _with_reason("told.cancelled")(happened)


TELLS: dict[TripStatus, Callable[[Happened], Move]] = {
    TripStatus.SEARCHING: _plain("told.searching"),
    TripStatus.CHOOSING: choosing,
    TripStatus.WAITING_TRAVELLER: waiting_traveller,
    TripStatus.WAITING_REVIEW: _waiting_review,
    TripStatus.SETTLING: lambda h: Move(told=(saying("told.settling", trip=short(h.trip), by=h.by),)),
    TripStatus.CHECKING: _checking,
    TripStatus.TICKETING: _ticketing,
    TripStatus.BOOKED: _booked,
    TripStatus.REJECTED: _rejected,
    TripStatus.EXPIRED: expired,
    TripStatus.CANCELLED: _cancelled,
    TripStatus.WITHDRAWN: _plain("told.withdrawn"),
    TripStatus.NEEDS_PERSON: _with_reason("told.needs_person"),
}
