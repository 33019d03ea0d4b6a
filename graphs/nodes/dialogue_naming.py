"""Which booking or trip a message names: by the airline's reference, or by the places it goes between."""

from __future__ import annotations

import re

from assistant import places
from assistant.domain.trips import OrderFacts, TripFacts
from assistant.domain.understanding import Place, Slots
from graphs.nodes.dialogue_requests import search_code
from graphs.nodes.dialogue_turn import Turn

_BOOKING = re.compile(r"\b(?:booking|ticket|reservation|order)s?\b|订单|预订|票", re.IGNORECASE)

_WHOLE_TRIP = re.compile(r"\b(?:trips?|search|journey|everything|all)\b|行程|航程|搜索|全部", re.IGNORECASE)


def bookings_named(turn: Turn) -> list[tuple[TripFacts, OrderFacts]]:
    """By a reference of the traveller's own; nobody else's is known here."""
    words = set(re.findall(r"[A-Z0-9]+", turn.text.upper()))
    return [(t, o) for t in turn.trips for o in t.orders if o.booking_reference and o.booking_reference.upper() in words]


def bookings_left(turn: Turn) -> list[tuple[TripFacts, OrderFacts]]:
    """Paid, and nobody has settled yet what becomes of them; the newest last."""
    return [(t, o) for t in turn.trips for o in t.orders if o.is_left]


def says_booking(turn: Turn) -> bool:
    return bool(_BOOKING.search(turn.text))


def says_trip(turn: Turn) -> bool:
    return bool(_WHOLE_TRIP.search(turn.text)) or turn.direction is not None


def names_places(turn: Turn) -> bool:
    return any(place and place.codes for place in (turn.heard.slots.origin, turn.heard.slots.destination))


def trips_named(turn: Turn) -> list[TripFacts]:
    """Those still open between the places named; none where none is named."""
    return [t for t in turn.open_trips if names_places(turn) and _goes(t, turn.heard.slots)]


def draft_named(turn: Turn) -> bool:
    """The search being put together is between the places named."""
    slots, before = turn.heard.slots, turn.before
    pairs = ((slots.origin, before.origin), (slots.destination, before.destination))
    named = [(said, had) for said, had in pairs if said and said.codes]
    return bool(named) and all(had and set(said.codes) & set(had.codes) for said, had in named)


def names_other(turn: Turn, trip_id: str, order_id: str | None) -> bool:
    """A booking or a trip is named, and it is not this one."""
    if named := bookings_named(turn):
        return not any(t.trip_id == trip_id and order_id in (None, o.order_id) for t, o in named)
    return names_places(turn) and trip_id not in {t.trip_id for t in trips_named(turn)}


def _goes(trip: TripFacts, slots: Slots) -> bool:
    ends = ((slots.origin, trip.request.origin), (slots.destination, trip.request.destination))
    return all(_is_at(place, code) for place, code in ends if place and place.codes)


def _is_at(place: Place, code: str) -> bool:
    if code in (search_code(place), *place.codes):
        return True
    city = places.city_of(code)
    return place.kind != "airport" and city is not None and any(places.city_of(c) == city for c in place.codes)
