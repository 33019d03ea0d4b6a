"""A booking that stands outside of what its trip is about: kept, or given up, as the traveller says."""

from __future__ import annotations

from assistant.domain.trips import OrderFacts, TripFacts, TripStatus
from assistant.domain.understanding import Intent, Slots
from assistant.wording import Said, saying
from graphs.nodes.dialogue_changing import asks_first
from graphs.nodes.dialogue_flights import flights, short
from graphs.nodes.dialogue_naming import bookings_left, bookings_named, names_places, says_booking, says_trip, trips_named
from graphs.nodes.dialogue_turn import Move, Option, Turn
from graphs.state import Json


def keep_or_cancel(reference: str | None) -> tuple[Option, ...]:
    return (
        Option(saying("button.keep_booking"), saying("says.keep_booking", reference=reference)),
        Option(saying("button.cancel_booking"), saying("says.cancel_booking", reference=reference)),
    )


def kept(turn: Turn) -> Move:
    """What was named, else what is not settled, else the trip talked about: it stays, whatever is picked later."""
    if not turn.has(Intent.KEEP) or turn.has(Intent.CHANGE, Intent.SEARCH, Intent.CHOOSE):
        return Move()
    left = [(t, o) for t, o in bookings_named(turn) if not o.wanted] or ([] if bookings_named(turn) else bookings_left(turn))
    if left:
        told = tuple(saying("keep.booking", **_named(o)) for _, o in left)
        return Move(told=told, keeps={"keeping": [*turn.keeping, *(o.order_id for _, o in left)]})
    trip = _stays(turn)
    if trip is None:
        return Move()
    told = saying("cancel.kept", trip=short(trip))
    return Move(told=(told,), keeps={"proposal": None} if _asked_of(turn) == trip.trip_id else {})


def _stays(turn: Turn) -> TripFacts | None:
    named = [t for t, _ in bookings_named(turn)] or trips_named(turn)
    asked = turn.trip(_asked_of(turn) or "")
    with_orders = [t for t in turn.open_trips if t.orders]
    return next(iter((*named, *([asked] if asked else []), *reversed(with_orders))), None)


def _asked_of(turn: Turn) -> str | None:
    """The trip that stayed although what started it was taken back, where that was told last."""
    return turn.proposal["trip_id"] if turn.proposal and turn.proposal.get("stays") else None


def left_unanswered(turn: Turn) -> Move:
    """A bare yes or no says neither "keep" nor "cancel"."""
    if turn.asked != "left" or not turn.has(Intent.CONFIRM, Intent.DECLINE) or turn.heard.slots != Slots():
        return Move()
    left = bookings_left(turn)
    reference = left[-1][1].booking_reference if left else None
    return Move(told=(saying("ask.left", reference=reference),), options=keep_or_cancel(reference), keeps={"asked": "left"})


def booking_given_up(turn: Turn) -> Move:
    """Nothing, unless one booking is meant: named, or told of and not settled, or the trip that stayed."""
    named = bookings_named(turn)
    if any(o.wanted for _, o in named) or (not named and names_places(turn)):
        return Move()
    left = named or (bookings_left(turn) if turn.asked == "left" or says_booking(turn) or _is_plain(turn) else [])
    if left:
        return _asks(*left[-1])
    if turn.proposal and _asked_of(turn) and (turn.asked == "left" or says_booking(turn)):
        ask = Said.model_validate(turn.proposal["ask"])
        return Move(told=(ask,), keeps={"proposal": {**turn.proposal, "stays": False}, "asked": "proposal"})
    return Move()


def _is_plain(turn: Turn) -> bool:
    return turn.fresh and not says_trip(turn)


def _asks(trip: TripFacts, order: OrderFacts) -> Move:
    payload: Json = {"order_id": order.order_id, "reason": None}
    if trip.status is TripStatus.CHOOSING:
        payload["keep_choice"] = True  # the search goes on
    done, dropped = saying("cancel.booking_started", **_named(order)), saying("keep.booking", **_named(order))
    ask = saying("cancel.booking", **_named(order), back=saying("cancel.paid"))
    return asks_first(ask, trip, "cancel_trip", payload, done=done, dropped=dropped, options=_YES_OR_KEEP)


_YES_OR_KEEP = (
    Option(saying("button.cancel_booking"), saying("says.yes")),
    Option(saying("button.keep_booking"), saying("says.no")),
)


def _named(order: OrderFacts) -> Json:
    return {"reference": order.booking_reference, "flights": flights(order.fare) if order.fare else None}
