"""What was chosen, while it is not booked yet: flights, who sits where, the price, and the seat map folded away."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from assistant.domain.flights import Fare
from assistant.views.shapes import SeatMapView, TripView

from .flights import legs, strip, what
from .icons import icon
from .markup import NOTHING, joined, tag
from .pen import Pen
from .seat_map import Taken, seat_map


def chosen(trip: TripView, fare: Fare, maps: Sequence[SeatMapView], pen: Pen) -> Markup:
    """The flights of `fare` as they were chosen; `maps` may be empty."""
    names = [p.name or pen("ui.not_named") for p in trip.passengers]
    seats = [", ".join(p.seats.values()) or "–" for p in trip.passengers]
    rows = (tag("li", tag("span", name), tag("b", seat, class_="num")) for name, seat in zip(names, seats, strict=True))
    price = tag("b", pen.money(trip.total), class_="num") if trip.total else None
    return tag(
        "section",
        strip(fare.segments, pen),
        legs(fare.segments, pen),
        tag("ul", rows, class_="manifest"),
        tag("p", tag("span", what(fare, pen)), price, class_="sum-line"),
        _folded(trip, names, maps, pen),
        class_="sheet",
    )


def _folded(trip: TripView, names: Sequence[str], maps: Sequence[SeatMapView], pen: Pen) -> Markup:
    if not maps:
        return NOTHING
    return tag(
        "details",
        tag("summary", icon("seat", 16), pen("card.seat_map"), class_="plain"),
        joined(seat_map(m, _taken(trip, names, m), pen) for m in maps),
        data_keep=f"map-{trip.trip_id}",
    )


def _taken(trip: TripView, names: Sequence[str], view: SeatMapView) -> Taken:
    seats = {p.seats[view.segment_key]: i for i, p in enumerate(trip.passengers) if view.segment_key in p.seats}
    return Taken(seats=seats, active=-1, names=tuple(names))
