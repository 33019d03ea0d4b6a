"""One way that becomes a round trip, and a round trip that becomes one way, while nothing is settled."""

from __future__ import annotations

from dataclasses import replace

from assistant.domain.drafts import merged
from assistant.domain.trips import Direction, TripFacts, TripRequest
from assistant.domain.understanding import Passengers, Place, Slots, TripType, When
from assistant.wording import saying
from graphs.nodes.dialogue_changing import FREE_TO_CHANGE, alters, changed
from graphs.nodes.dialogue_gathering import gathered, put_away
from graphs.nodes.dialogue_turn import Move, Turn


def switched(turn: Turn) -> Move:
    """Nothing, unless the message asks for the other kind of trip than the one whose list is open, between the same places."""
    slots, about = turn.heard.slots, turn.about()
    new_trip = slots.origin is not None and slots.destination is not None
    if about is None or new_trip or not turn.fresh or about.status not in FREE_TO_CHANGE or about.orders:
        return Move()
    back = next((t for t in turn.open_trips if t.journey_id == about.journey_id and t.request.direction == "return"), None)
    if back is None and (slots.trip_type is TripType.ROUND_TRIP or (slots.return_ and not slots.depart)):
        return _there_and_back(turn, about)
    if slots.trip_type is TripType.ONE_WAY and back and back is not about and _is_open(back):
        return _only_there(turn, back)
    if slots.trip_type is TripType.ONE_WAY and back and back is about:
        there = next((t for t in turn.open_trips if t.journey_id == about.journey_id and t is not back), None)
        return _only_there(turn, back) if there and _is_open(there) else Move()
    return Move()


def _is_open(trip: TripFacts) -> bool:
    return trip.status in FREE_TO_CHANGE and not trip.orders


def _there_and_back(turn: Turn, trip: TripFacts) -> Move:
    """Looked for anew with its way back: the two belong to one journey. The list there was goes when the new ones start."""
    draft = merged(_slots(trip.request), turn.heard).model_copy(update={"trip_type": TripType.ROUND_TRIP})
    return gathered(replace(turn, draft=draft))


def _only_there(turn: Turn, back: TripFacts) -> Move:
    only = replace(turn, trips=tuple(t for t in turn.trips if t is not back))
    kept = {"proposal": None, "asked": "offer", "replaced": [back.trip_id]}
    told = Move(told=(saying("search.one_way"),), proposes=(put_away(back.trip_id),), keeps=kept)
    return told + (changed(only) if alters(only) else Move())


def _slots(request: TripRequest) -> Slots:
    """What was gathered for a request, as far as a search needs it."""
    day = When(
        text=request.depart_on.isoformat(),
        date_from=request.depart_on,
        date_to=request.depart_until or request.depart_on,
        time_from=request.time_from,
        time_to=request.time_to,
        arrive_by=request.arrive_by,
    )
    there = request.direction is not Direction.RETURN
    ends = (request.origin, request.destination) if there else (request.destination, request.origin)
    origin, destination = (Place(text=code, kind="city", codes=(code,)) for code in ends)
    minors = len(request.ages)
    party = Passengers(adults=request.adults, children=minors or None, ages=request.ages)
    return Slots(
        origin=origin,
        destination=destination,
        depart=day,
        passengers=party if request.passengers > 1 else None,
        cabin=request.cabin,
        airlines=request.airlines,
        max_stops=request.max_stops,
        cap=request.cap,
        rank=request.rank,
        refundable=request.refundable,
    )
