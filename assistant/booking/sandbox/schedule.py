"""The timetable: nonstops to and from hubs, stable by weekday, and connections over one hub."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from math import asin, cos, radians, sin, sqrt
from zoneinfo import ZoneInfo

from ...places import Airport, airport, city_of, codes_for
from .aircraft import for_route
from .carriers import Carrier, at_hub, carriers
from .chance import draw

_SHORTEST_CHANGE = timedelta(minutes=70)
_LONGEST_CHANGE = timedelta(hours=5)
_CONNECTIONS = 12
_NONSTOPS = 32
_SHORTEST_HOP_KM = 150
_REGIONAL_KM = 3_500


@dataclass(frozen=True, slots=True)
class Flight:
    """`departs` and `arrives` are naive, local to their airport; `aircraft` is a type code."""

    carrier: str
    number: str
    origin: str
    destination: str
    departs: datetime
    arrives: datetime
    minutes: int
    km: int
    aircraft: str

    @property
    def key(self) -> str:
        return f"{self.carrier}{self.number}:{self.origin}-{self.destination}:{self.departs.date().isoformat()}"

    @property
    def departs_utc(self) -> datetime:
        return _utc(self.departs, self.origin)

    @property
    def arrives_utc(self) -> datetime:
        return _utc(self.arrives, self.destination)


Itinerary = tuple[Flight, ...]


@dataclass(frozen=True, slots=True)
class Timetable:
    seed: int

    def itineraries(self, origin: str, destination: str, day: date, *, max_stops: int | None = None) -> list[Itinerary]:
        """Ways from one airport or metropolitan area to another on a local day, nonstops first."""
        pairs = [(o, d) for o in codes_for(origin) for d in codes_for(destination) if o != d]
        direct: list[Itinerary] = [(f,) for f in self._chosen([f for o, d in pairs for f in self.nonstops(o, d, day)])]
        if max_stops == 0 or not pairs:
            return direct
        wanted = _CONNECTIONS // 2 if direct else _CONNECTIONS
        return direct + self._connections(*pairs[0], day)[:wanted]

    def nonstops(self, origin: str, destination: str, day: date) -> tuple[Flight, ...]:
        serving = {c.code: c for c in (*at_hub(origin), *at_hub(destination)) if _serves(c, origin, destination)}
        flights = [f for c in serving.values() for f in self._departures(c, origin, destination, day)]
        return tuple(sorted(flights, key=lambda f: (f.departs, f.carrier)))

    def _chosen(self, flights: list[Flight]) -> list[Flight]:
        """Of a busy pair of cities a fixed part, so that a list stays readable and the same flights are there tomorrow."""
        ranked = sorted(flights, key=lambda f: draw(self.seed, "chosen", f.carrier, f.number, f.origin))
        return sorted(ranked[:_NONSTOPS], key=lambda f: (f.departs, f.carrier))

    def _departures(self, carrier: Carrier, origin: str, destination: str, day: date) -> tuple[Flight, ...]:
        return _departures(self.seed, carrier, origin, destination, day)

    def _connections(self, origin: str, destination: str, day: date) -> list[Itinerary]:
        hubs = _hubs(origin, destination, anywhere=False) or _hubs(origin, destination, anywhere=True)
        ways = [way for hub, carrier in hubs for way in self._over(carrier, origin, hub, destination, day)]
        return sorted(ways, key=lambda way: (way[-1].arrives_utc - way[0].departs_utc, way[0].departs))

    def _over(self, carrier: Carrier, origin: str, hub: str, destination: str, day: date) -> Iterable[Itinerary]:
        onward = [f for d in (day, day + timedelta(days=1)) for f in self._departures(carrier, hub, destination, d)]
        onward.sort(key=lambda f: f.departs)
        for first in self._departures(carrier, origin, hub, day):
            for second in onward:
                change = second.departs_utc - first.arrives_utc
                if _SHORTEST_CHANGE <= change <= _LONGEST_CHANGE:
                    yield first, second
                    break


@lru_cache(maxsize=20_000)
def distance(origin: str, destination: str) -> int:
    """Great-circle distance in whole km."""
    a, b = _known(origin), _known(destination)
    lat1, lat2 = radians(a.latitude), radians(b.latitude)
    h = sin((lat2 - lat1) / 2) ** 2 + cos(lat1) * cos(lat2) * sin(radians(b.longitude - a.longitude) / 2) ** 2
    return round(2 * 6371.0088 * asin(sqrt(h)))


@lru_cache(maxsize=20_000)
def _serves(carrier: Carrier, origin: str, destination: str) -> bool:
    """Hubs reach the cities people know anywhere, and small places in their own country and region."""
    km = distance(origin, destination)
    away = destination if origin in carrier.hubs else origin
    known = city_of(away) is not None or bool(at_hub(away))
    near = not carrier.budget and (km <= _REGIONAL_KM or _known(carrier.hubs[0]).country == _known(away).country)
    return km <= carrier.reach and (known or near)


@lru_cache(maxsize=8_192)
def _departures(seed: int, carrier: Carrier, origin: str, destination: str, day: date) -> tuple[Flight, ...]:
    km = distance(origin, destination)
    count = min(_frequency(km), 2) if carrier.budget else _frequency(km)
    slots = [s for s in range(count) if s == 0 or draw(seed, carrier.code, origin, destination, s, day.weekday()) < 0.85]
    return tuple(_flight(seed, carrier, origin, destination, day, km=km, slot=slot, of=count) for slot in slots)


def _frequency(km: int) -> int:
    return 2 if km < 150 else 4 if km < 2_500 else 3 if km < 4_500 else 2 if km < 9_500 else 1


def _flight(seed: int, carrier: Carrier, origin: str, destination: str, day: date, *, km: int, slot: int, of: int) -> Flight:
    facts = (seed, carrier.code, origin, destination, slot)
    opens, closes = 6 * 60 + 40, 21 * 60 + 30
    start = opens + (closes - opens) * (slot + draw(*facts, "time")) / of
    departs = _utc(datetime.combine(day, time()) + timedelta(minutes=round(start / 5) * 5), origin)
    minutes = round((38 + km / 13.9) / 5) * 5
    return Flight(
        carrier=carrier.code,
        number=str(_number(seed, carrier, origin, destination, slot)),
        origin=origin,
        destination=destination,
        departs=_local(departs, origin),
        arrives=_local(departs + timedelta(minutes=minutes), destination),
        minutes=minutes,
        km=km,
        aircraft=for_route(km, budget=carrier.budget, chance=draw(*facts, "aircraft")).code,
    )


def _number(seed: int, carrier: Carrier, origin: str, destination: str, slot: int) -> int:
    """Outbound odd, inbound even, and never the same for two departures of a route."""
    base = 100 + int(draw(seed, carrier.code, *sorted((origin, destination))) * 850) * 10
    return base + 2 * slot + (1 if origin in carrier.hubs else 0)


@lru_cache(maxsize=4_096)
def _hubs(origin: str, destination: str, *, anywhere: bool) -> tuple[tuple[str, Carrier], ...]:
    """Where to change, least detour first; `anywhere` for small far-off places that no hub serves on its own."""
    found = [
        (distance(origin, hub) + distance(hub, destination), hub, carrier)
        for carrier in carriers().values()
        if not carrier.budget
        for hub in carrier.hubs
        if _useful(carrier, origin, hub, anywhere=anywhere) and _useful(carrier, destination, hub, anywhere=anywhere)
    ]
    found.sort(key=lambda way: way[:2])
    longest = distance(origin, destination) * 1.6 + 600
    return tuple((hub, carrier) for km, hub, carrier in found[:8] if anywhere or km < longest)


def _useful(carrier: Carrier, end: str, hub: str, *, anywhere: bool) -> bool:
    if end == hub or (city_of(end) is not None and city_of(end) == city_of(hub)):
        return False
    if anywhere:
        return distance(end, hub) <= carrier.reach
    return distance(end, hub) >= _SHORTEST_HOP_KM and _serves(carrier, end, hub)


def _known(code: str) -> Airport:
    found = airport(code)
    if found is None:
        raise LookupError(code)
    return found


@lru_cache(maxsize=1_024)
def _zone(code: str) -> ZoneInfo:
    return ZoneInfo(_known(code).tz)


def _utc(local: datetime, code: str) -> datetime:
    return local.replace(tzinfo=_zone(code)).astimezone(UTC)


def _local(moment: datetime, code: str) -> datetime:
    return moment.astimezone(_zone(code)).replace(tzinfo=None)
