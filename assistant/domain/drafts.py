"""A draft grows message by message: what is said now joins what was said, and replaces it where it is said again."""

from __future__ import annotations

from typing import Any

from .understanding import Intent, Passengers, Place, Slots, TripType, Understanding, When

_NAMED_TRIP = ("origin", "destination", "depart", "return_", "stopovers")


def merged(draft: Slots, understanding: Understanding) -> Slots:
    """The draft with this message's slots in it. Of a trip to be cancelled the places and days name it, and are not gathered."""
    said = understanding.slots
    if Intent.CANCEL in understanding.intents and Intent.SEARCH not in understanding.intents:
        said = said.model_copy(update={name: getattr(Slots(), name) for name in _NAMED_TRIP})
    changed: dict[str, Any] = {}
    no_day = {u.slot for u in understanding.unsure if u.reason == "impossible_date"}  # not the day that was said before either
    for name in Slots.model_fields:
        value = getattr(said, name)
        if value is not None and value != ():
            before = None if name in no_day else getattr(draft, name)
            changed[name] = _joined(before, value, anew=Intent.CHANGE in understanding.intents)
    changed |= _together(draft, said)
    for name in understanding.given_up:
        changed |= _without(name, draft)
    return draft.model_copy(update=changed)


def _without(name: str, draft: Slots) -> dict[str, Any]:
    """A limit given up, as if it had never been said."""
    if name != "times":
        return {name: getattr(Slots(), name)} | ({"min_stops": None} if name == "max_stops" else {})
    hours = {"time_from": None, "time_to": None, "arrive_by": False}
    return {way: when.model_copy(update=hours) for way in ("depart", "return_") if (when := getattr(draft, way))}


def _joined(before: Any, now: Any, *, anew: bool) -> Any:
    """A day keeps its hours and hours their day; of the passengers only those named change, unless all are said anew."""
    if isinstance(before, When) and isinstance(now, When):
        return _when(before, now)
    if isinstance(before, Passengers) and isinstance(now, Passengers) and not (anew and now.adults):
        return before.model_copy(update={n: v for n in Passengers.model_fields if (v := getattr(now, n)) not in (None, ())})
    return now


def _when(before: When, now: When) -> When:
    if now.date_from is None:
        return now.model_copy(update={"date_from": before.date_from, "date_to": before.date_to})
    if now.time_from is None and now.time_to is None:
        return now.model_copy(update={"time_from": before.time_from, "time_to": before.time_to, "arrive_by": before.arrive_by})
    return now


def _together(draft: Slots, said: Slots) -> dict[str, Any]:
    """Slots that follow from others: the kind of trip from its way back, the other end from a swap, stops as a pair.

    One way keeps the day of return said before, unused: should the traveller return after all, it need not be said again.
    """
    follows: dict[str, Any] = {}
    if said.return_ and not said.trip_type and draft.trip_type is not TripType.MULTI_CITY:
        follows["trip_type"] = TripType.ROUND_TRIP
    if said.max_stops is not None or said.min_stops is not None:
        follows |= {"max_stops": said.max_stops, "min_stops": said.min_stops}
    if said.airlines or said.airline_names:
        follows |= {"airlines": said.airlines, "airline_names": said.airline_names}
    if said.origin and not said.destination and _same(said.origin, draft.destination):
        follows["destination"] = draft.origin
    if said.destination and not said.origin and _same(said.destination, draft.origin):
        follows["origin"] = draft.destination
    return follows


def _same(one: Place, other: Place | None) -> bool:
    """The same city, so that it cannot be both ends: the other end was meant."""
    return other is not None and bool(set(one.codes) & set(other.codes))
