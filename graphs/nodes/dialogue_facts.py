"""Questions answered from the facts of a trip, and from nothing else. What the airline has not said is told as that."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from assistant.domain.flights import Condition, Fare
from assistant.domain.money import Money
from assistant.domain.trips import ShownFare, TripFacts
from assistant.domain.understanding import Topic
from assistant.wording import Said, saying
from graphs.nodes.dialogue_flights import flights, minutes, party, stops
from graphs.nodes.dialogue_picking import find, numbered
from graphs.nodes.dialogue_seats import suggested
from graphs.nodes.dialogue_turn import Move, Turn

MOST_OPTIONS = 3


def facts_told(turn: Turn) -> Move:
    trip = turn.about()
    if trip is None:
        return Move(told=(saying("fact.none_yet"),))
    topics = turn.heard.topics or (Topic.PRICE,)
    told = [said for topic in topics for said in _of_topic(turn, trip, topic)]
    return Move(told=tuple(told) or (saying("fact.none_yet"),))


def _of_topic(turn: Turn, trip: TripFacts, topic: Topic) -> Iterable[Said]:
    if topic is Topic.REFERENCE:
        return [_reference(trip)]
    if topic is Topic.PASSENGERS:
        return [saying("fact.passengers", party=party(trip.request))]
    if topic is Topic.HOLD and trip.held_until:
        return [saying("fact.held", until=trip.held_until)]
    if topic is Topic.SEAT and (sitting := [seat for o in trip.orders for seat in o.seats]):
        return [saying("fact.seats", seats=sitting)]
    answer = ABOUT[topic]
    asked = _asked_for(turn, trip)
    if len(asked) == 1 or trip.chosen is not None:
        return [answer(asked[0])] if asked else []
    return [saying("fact.of_option", n=s.n, fact=answer(s)) for s in asked]


def _asked_for(turn: Turn, trip: TripFacts) -> list[ShownFare]:
    """The options pointed at; else what is said back, or chosen; else the first few."""
    pointed = [s for r in turn.heard.references if (s := find(trip, r))]
    if pointed:
        return pointed
    pending = turn.proposal if turn.proposal and turn.proposal["trip_id"] == trip.trip_id else None
    if pending and (shown := numbered(trip, pending.get("n") or 0)):
        return [shown]
    if trip.chosen is not None:
        return [_chosen(trip, trip.chosen)]
    return list(trip.fares[:MOST_OPTIONS])


def _chosen(trip: TripFacts, fare: Fare) -> ShownFare:
    total = trip.total or fare.total
    same = next((s for s in trip.fares if s.fare.segment_keys == fare.segment_keys), None)
    return ShownFare(n=same.n if same else 1, fare=fare, seats=same.seats if same else (), total=total)


def _price(shown: ShownFare) -> Said:
    split = shown.fare.total if shown.fare.total != shown.total else None
    passengers = shown.fare.passengers if shown.fare.passengers > 1 else None
    return saying("fact.price", total=shown.total, fare=split, passengers=passengers)


def _bags(shown: ShownFare) -> Said:
    count = shown.fare.checked_bags
    if count is None:
        return saying("fact.bags_unknown")
    return saying("fact.bags", count=count) if count else saying("fact.no_bags")


def _rule(name: str, rule: Condition) -> Said:
    if rule.allowed is None:
        return saying(f"fact.{name}_unknown")
    if not rule.allowed:
        return saying(f"fact.{name}_no")
    return _fee(name, rule.penalty)


def _fee(name: str, penalty: Money | None) -> Said:
    if penalty is None:
        return saying(f"fact.{name}_fee_unknown")
    return saying(f"fact.{name}_fee", penalty=penalty) if penalty.amount else saying(f"fact.{name}_free")


def _hold(shown: ShownFare) -> Said:
    fare = shown.fare
    if not fare.holdable:
        return saying("fact.not_holdable")
    return saying("fact.holdable" if fare.seats_on_hold else "fact.holdable_no_seats", until=fare.pay_by)


def _seats(shown: ShownFare) -> Said:
    seats = list(suggested(shown))
    return saying("fact.seats", seats=seats) if seats else saying("fact.seats_unknown")


def _aircraft(shown: ShownFare) -> Said:
    types = list(dict.fromkeys(s.aircraft for s in shown.fare.segments if s.aircraft))
    return saying("fact.aircraft", aircraft=types) if types else saying("fact.aircraft_unknown")


def _airports(shown: ShownFare) -> Said:
    segments = shown.fare.segments
    return saying("fact.airports", places=[segments[0].origin, *(s.destination for s in segments)])


def _airlines(shown: ShownFare) -> Said:
    return saying("fact.airline", airlines=list(dict.fromkeys(s.carrier for s in shown.fare.segments)))


def _reference(trip: TripFacts) -> Said:
    references = [o.booking_reference for o in trip.orders if o.booking_reference]
    if references:
        documents = [d for o in trip.orders for d in o.documents]
        return saying("fact.reference", references=references, documents=documents or None)
    return saying("fact.reference_unknown") if trip.orders else saying("fact.reference_none", status=trip.status)


ABOUT: dict[Topic, Callable[[ShownFare], Said]] = {
    Topic.PRICE: _price,
    Topic.BAGGAGE: _bags,
    Topic.REFUND: lambda s: _rule("refund", s.fare.refund),
    Topic.CHANGE: lambda s: _rule("change", s.fare.change),
    Topic.HOLD: _hold,
    Topic.SEAT: _seats,
    Topic.TIME: lambda s: saying("fact.times", flights=flights(s.fare)),
    Topic.DURATION: lambda s: saying("fact.duration", minutes=minutes(s.fare)),
    Topic.STOPS: lambda s: saying("fact.stops", stops=stops(s.fare)),
    Topic.AIRPORT: _airports,
    Topic.AIRCRAFT: _aircraft,
    Topic.AIRLINE: _airlines,
    Topic.CABIN: lambda s: saying("fact.cabin", cabin=s.fare.cabin, brand=s.fare.fare_brand),
}
