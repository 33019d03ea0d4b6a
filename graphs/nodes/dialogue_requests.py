"""From what was gathered to what is looked for: `Slots` in, `TripRequest`s out."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import time
from typing import Any

from assistant import places
from assistant.domain.trips import Direction, TripRequest
from assistant.domain.understanding import Language, Passengers, Place, Slots, TripType, When

ADULT_AGE = 18
INFANT = 1  # the age an infant is looked up with; the airline asks for the birth date later


def search_code(place: Place) -> str | None:
    """The code to search with: a city's own where the traveller named the city and it has several airports."""
    cities = [city for code in place.codes if (city := places.city_of(code))]
    if place.kind != "airport" and len(cities) > 1 and cities.count(cities[0]) > 1:
        return cities[0].code
    return next(iter(place.codes), None)


def wants_return(draft: Slots) -> bool:
    return draft.trip_type is TripType.ROUND_TRIP or (draft.return_ is not None and draft.trip_type is not TripType.ONE_WAY)


def ages_missing(passengers: Passengers | None) -> int:
    """How many children there are whose age is not known; a baby's does not matter."""
    if passengers is None:
        return 0
    return max(0, (passengers.children or 0) - sum(age < ADULT_AGE for age in passengers.ages))


def party(passengers: Passengers | None) -> tuple[int, tuple[int, ...]]:
    """Adults, and the ages of all others."""
    if passengers is None or passengers.count is None:
        return 1, ()
    minors = [age for age in passengers.ages if age < ADULT_AGE]
    babies = (passengers.infants or 0) - sum(age < 2 for age in minors)
    adults = passengers.adults if passengers.adults is not None else 1
    return adults, (*minors, *[INFANT] * max(0, babies))


def requests(draft: Slots, language: Language) -> tuple[TripRequest, ...]:
    """One a direction. Raises ValueError (pydantic's) for a request that makes no sense; places and days must be known."""
    there = _request(draft, language, draft.depart, Direction.OUTBOUND if wants_return(draft) else None)
    if not wants_return(draft):
        return (TripRequest.model_validate(there),)
    back = _request(draft, language, draft.return_, Direction.RETURN)
    back |= {"origin": there["destination"], "destination": there["origin"], "flight_number": None}
    return TripRequest.model_validate(there), TripRequest.model_validate(back)


NO_LIMIT: dict[str, dict[str, Any]] = {
    "airlines": {"airlines": (), "flight_number": None},
    "times": {"time_from": None, "time_to": None, "arrive_by": False},
    "max_stops": {"max_stops": None},
    "cap": {"cap": None},
    "refundable": {"refundable": None},
    "cabin": {"cabin": None},
}


def patch(slots: Slots, when: When | None, *, given_up: Iterable[str] = ()) -> dict[str, Any]:
    """What a message changes of a request already made, as JSON; only what was said, and the limits that count no longer."""
    changed: dict[str, Any] = {name: value for limit in given_up for name, value in NO_LIMIT[limit].items()}
    changed |= _limits(slots) | (_times(when) if when else {})
    for name, place in (("origin", slots.origin), ("destination", slots.destination)):
        if place and place.codes:
            changed[name] = search_code(place)
    if slots.passengers and slots.passengers.count:
        changed["adults"], changed["ages"] = party(slots.passengers)
    return changed


def _request(draft: Slots, language: Language, when: When | None, direction: Direction | None) -> dict[str, Any]:
    adults, ages = party(draft.passengers)
    return {
        "origin": draft.origin and search_code(draft.origin),
        "destination": draft.destination and search_code(draft.destination),
        "adults": adults,
        "ages": ages,
        "direction": direction,
        "language": language,
        **(_times(when) if when else {}),
        **_limits(draft),
    }


def _times(when: When) -> dict[str, Any]:
    times: dict[str, Any] = {}
    if when.time_from or when.time_to:
        first, last = _about(when.time_from) if when.time_from == when.time_to else (when.time_from, when.time_to)
        times |= {"time_from": first, "time_to": last, "arrive_by": when.arrive_by}
    if when.date_from:
        times["depart_on"] = when.date_from
        times["depart_until"] = when.date_to if when.date_to and when.date_to > when.date_from else None
    return times


def _about(at: time | None) -> tuple[time | None, time | None]:
    """Hardly a flight leaves at the very minute somebody names: an hour before to an hour after."""
    minutes = at.hour * 60 + at.minute if at else 0
    early, late = max(minutes - 60, 0), min(minutes + 60, 24 * 60 - 1)
    return time(early // 60, early % 60), time(late // 60, late % 60)


def _limits(slots: Slots) -> dict[str, Any]:
    limits: dict[str, Any] = {
        "max_stops": None if slots.max_stops is None else min(slots.max_stops, 3),
        "airlines": slots.airlines or None,
        "flight_number": slots.flight_number,
        "cap": slots.cap,
        "rank": slots.rank,
        "refundable": slots.refundable,
    }
    said = {name: value for name, value in limits.items() if value is not None}
    if slots.cabin is not None:
        said["cabin"] = None if slots.cabin == "any" else slots.cabin
    return said
