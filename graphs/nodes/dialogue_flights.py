"""Flights, fares and trips as parts of sentences."""

from __future__ import annotations

from datetime import time

from assistant import places
from assistant.domain.flights import Fare, Segment
from assistant.domain.trips import ShownFare, TripFacts, TripRequest
from assistant.wording import Said, saying


def flights(fare: Fare, *, dated: bool = True) -> Said:
    """Day, flights, local times; without the day where the sentence has just said it."""
    day = fare.segments[0].departs.date() if dated else None
    return saying("flight.dated", day=day, legs=[_leg(s, fare) for s in fare.segments])


def _leg(segment: Segment, fare: Fare) -> Said:
    days = (segment.arrives.date() - fare.segments[0].departs.date()).days
    plus = saying("flight.plus", count=days) if days > 0 else None
    return saying(
        "flight.leg",
        flight=segment.name,
        origin=segment.origin,
        departs=segment.departs,
        destination=segment.destination,
        arrives=segment.arrives,
        plus=plus,
    )


def stops(fare: Fare) -> Said:
    if fare.stops == 0:
        return saying("stops.none")
    return saying("stops.some", count=fare.stops, places=[s.destination for s in fare.segments[:-1]])


def minutes(fare: Fare) -> int:
    """From the first take-off to the last landing; waits are between two times of one airport, so no zone is needed."""
    waits = sum(
        int((after.departs - before.arrives).total_seconds() // 60)
        for before, after in zip(fare.segments, fare.segments[1:], strict=False)
    )
    return sum(s.minutes for s in fare.segments) + waits


def option(shown: ShownFare, *, dated: bool = True) -> Said:
    on = flights(shown.fare, dated=dated)
    return saying("offers.line", n=shown.n, flights=on, stops=stops(shown.fare), total=shown.total)


def many_days(trip: TripFacts) -> bool:
    """Whether the options of a list leave on different days."""
    return len({s.fare.segments[0].departs.date() for s in trip.fares}) > 1


def way(trip: TripFacts) -> Said:
    """From where to where."""
    return saying("trip.short", **_route(trip.request), days=None)


def short(trip: TripFacts) -> Said:
    """Which trip is meant."""
    request = trip.request
    chosen = trip.chosen.segments[0].departs.date() if trip.chosen else None
    days: object = chosen or _days(request)
    return saying("trip.short", **_route(request), days=days)


def line(request: TripRequest) -> Said:
    """Everything a request asks for."""
    return saying(
        "trip.line",
        direction=request.direction,
        **_route(request),
        days=_days(request),
        window=window(request),
        party=party(request) if request.passengers > 1 else None,
        cabin=request.cabin,
        stops=_stops_wanted(request),
        airlines=list(request.airlines) or None,
        flight=request.flight_number,
        cap=request.cap,
    )


def _route(request: TripRequest) -> dict[str, object]:
    """By city; by airport where both are of one city."""
    origin, destination = request.origin, request.destination
    if places.city_of(origin) and places.city_of(origin) == places.city_of(destination):
        return {"origin": saying("word.airport", place=origin), "destination": saying("word.airport", place=destination)}
    return {"origin": origin, "destination": destination}


def party(request: TripRequest) -> Said:
    adults = saying("party.adults", adults=request.adults)
    ages = [str(age) for age in request.ages]
    return saying("party.all", adults=adults, minors=saying("party.minors", count=len(ages), ages=ages) if ages else None)


def window(request: TripRequest) -> Said | None:
    first, last = request.time_from, request.time_to
    if first in (None, time.min) and last is None:
        return None
    which = "between" if first and last else "after" if first else "before"
    return saying(f"window.{'arrive_' if request.arrive_by else ''}{which}", **{"from": first, "to": last})


def _days(request: TripRequest) -> object:
    return {"from": request.depart_on, "to": request.depart_until} if request.depart_until else request.depart_on


def _stops_wanted(request: TripRequest) -> Said | None:
    if request.max_stops is None:
        return None
    return saying("stops.none") if request.max_stops == 0 else saying("stops.at_most", count=request.max_stops)
