"""What a fare's facts say about a topic. None from the airline is "has not said", never "no"."""

from __future__ import annotations

from collections.abc import Callable

from assistant.domain.flights import Condition
from assistant.domain.money import Money
from assistant.domain.trips import ShownFare
from assistant.domain.understanding import Topic
from assistant.wording import Said, saying
from graphs.nodes.dialogue_flights import flights, minutes, stops
from graphs.nodes.dialogue_seats import suggested


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
    return suggested(shown) if shown.seats else saying("fact.seats_unknown")


def _aircraft(shown: ShownFare) -> Said:
    types = list(dict.fromkeys(s.aircraft for s in shown.fare.segments if s.aircraft))
    return saying("fact.aircraft", aircraft=types) if types else saying("fact.aircraft_unknown")


def _airports(shown: ShownFare) -> Said:
    segments = shown.fare.segments
    return saying("fact.airports", places=[segments[0].origin, *(s.destination for s in segments)])


def _airlines(shown: ShownFare) -> Said:
    return saying("fact.airline", airlines=list(dict.fromkeys(s.carrier for s in shown.fare.segments)))


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
