"""Flights drawn as a travel document shows them: two clocks, two places, the way between. Times are local to each airport."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from markupsafe import Markup

from assistant.domain.flights import Fare, Segment
from assistant.domain.trips import TripRequest

from .markup import joined, tag
from .pen import Pen, days_later


def minutes_of(segments: Sequence[Segment]) -> int:
    """From the first gate to the last, waiting between flights included."""
    return sum(s.minutes for s in segments) + waiting_of(segments)


def waiting_of(segments: Sequence[Segment]) -> int:
    """Minutes between flights; arrival and next departure are local to the same city."""
    return sum(int((b.departs - a.arrives).total_seconds() // 60) for a, b in pairwise(segments))


def strip(segments: Sequence[Segment], pen: Pen) -> Markup:
    """Where from, where to, and how long."""
    first, last = segments[0], segments[-1]
    later = days_later(first, last)
    flights = " · ".join(s.name for s in segments)
    return tag(
        "div",
        _end(first.departs.strftime("%H:%M"), first.origin, 0, pen),
        tag(
            "div",
            tag("span", pen.duration(minutes_of(segments))),
            tag("i", (tag("b", title=pen.airport(s.destination)) for s in segments[:-1]), class_="line"),
            tag("span", pen.stops(len(segments) - 1)),
            class_="way",
        ),
        _end(last.arrives.strftime("%H:%M"), last.destination, later, pen),
        class_="flight",
        aria_label=f"{flights}, {first.origin} {first.departs:%H:%M} – {last.destination} {last.arrives:%H:%M}",
        role="group",
    )


def _end(clock: str, code: str, later: int, pen: Pen) -> Markup:
    plus = tag("sup", pen("flight.plus", count=later)) if later else None
    return tag("div", tag("b", clock, plus), tag("span", code), tag("small", pen.airport(code)), class_="end")


def legs(segments: Sequence[Segment], pen: Pen) -> Markup:
    """One line a flight: airline, number, aircraft, and where one changes."""
    return tag("ul", (_leg(s, pen, times=len(segments) > 1) for s in segments), class_="legs")


def _leg(segment: Segment, pen: Pen, *, times: bool) -> Markup:
    operated = None
    if segment.operating_carrier and segment.operating_carrier != segment.carrier:
        operated = tag("small", pen("ui.operated_by", airline=segment.operating_carrier))
    places = f"{segment.origin} {segment.departs:%H:%M} – {segment.destination} {segment.arrives:%H:%M}"
    return tag(
        "li",
        tag("b", segment.name),
        tag("span", pen.airline(segment.carrier), f" · {segment.aircraft}" if segment.aircraft else None),
        tag("span", places, class_="num") if times else None,
        operated,
    )


def route(request: TripRequest, pen: Pen) -> Markup:
    arrow = tag("span", "→", class_="arrow", aria_hidden="true")
    origin, destination = pen.city(request.origin), pen.city(request.destination)
    if origin == destination:  # between two airports of one city
        origin, destination = pen.airport(request.origin), pen.airport(request.destination)
    return joined((origin, " ", arrow, " ", destination))


def what(fare: Fare, pen: Pen) -> str:
    """Cabin and brand."""
    brand = f" · {fare.fare_brand}" if fare.fare_brand else ""
    return pen.cabin(fare.cabin) + brand
