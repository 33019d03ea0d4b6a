"""A seat wish said while a list is open: where the seats suggested do not meet it, they are picked anew."""

from __future__ import annotations

from assistant.domain.seating import SeatReason
from assistant.domain.trips import SeatSuggestion, TripFacts, TripStatus
from assistant.domain.understanding import Polarity, Position, SeatWish
from assistant.wording import saying
from graphs.nodes.dialogue_turn import Move, Turn
from graphs.state import Json

IS_MET_BY = {
    Position.WINDOW: SeatReason.WINDOW,
    Position.AISLE: SeatReason.AISLE,
    Position.MIDDLE: SeatReason.MIDDLE,
    Position.FRONT: SeatReason.FRONT_HALF,
    Position.BACK: SeatReason.BACK_HALF,
    Position.EXIT: SeatReason.EXIT_ROW,
    Position.EXTRA_LEGROOM: SeatReason.EXTRA_LEGROOM,
    Position.TOGETHER: SeatReason.TOGETHER,
}


def reseated(turn: Turn) -> Move:
    """The list is made again, with the same request: the wish is stored before that happens."""
    stated = [w for w in turn.heard.wishes if not w.forget and w.position in IS_MET_BY]
    trips = [t for t in turn.open_trips if _is_open(t) and any(_misses(t, wish) for wish in stated)]
    if not trips:
        return Move()
    as_before: Json = {"request": {}}
    proposes = tuple({"kind": "revise_trip", "trip_id": t.trip_id, "payload": as_before} for t in trips)
    return Move(told=(saying("wishes.seats_again"),), proposes=proposes, keeps={"proposal": None, "asked": None})


def _is_open(trip: TripFacts) -> bool:
    return trip.status is TripStatus.CHOOSING and trip.question == "choose" and trip.selection is None and bool(trip.fares)


def _misses(trip: TripFacts, wish: SeatWish) -> bool:
    if any(not shown.seats for shown in trip.fares):
        return True  # where nobody cared the airline assigns them
    position = 1 if wish.whose else 0
    seats = [s for shown in trip.fares for s in shown.seats if s.position == position]
    return any(not _meets(seat, wish) for seat in seats)


def _meets(seat: SeatSuggestion, wish: SeatWish) -> bool:
    has_it = IS_MET_BY[wish.position].value in seat.reasons
    return has_it is (wish.polarity is Polarity.WANT)
