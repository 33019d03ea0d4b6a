"""What rows keep as keys and facts, as the reader reads it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from ..domain.flights import Fare, Segment
from ..domain.trips import TripRequest
from ..domain.understanding import Polarity, Scope, Strength
from ..wording import Said, render, saying
from ..wording.catalogue import has
from .shapes import Reader


def text(reader: Reader, key: str, /, **facts: object) -> str:
    return render(saying(key, **facts), reader.language, timezone=reader.timezone)


def read(reader: Reader, said: Any) -> str:
    """A `Said` as it is stored, or a text that is one already."""
    if isinstance(said, str):
        return said
    return render(Said.model_validate(said), reader.language, timezone=reader.timezone)


def of_group(reader: Reader, group: str, value: str) -> str:
    """A word of the catalogue; one it lacks is the group's `other`, or the value itself."""
    key = value if value.startswith(f"{group}.") else f"{group}.{value}"
    if has(key):
        return text(reader, key)
    return text(reader, f"{group}.other", value=value) if has(f"{group}.other") else value


def reason(reader: Reader, value: str | None) -> str | None:
    return of_group(reader, "reason", value) if value else None


def flight(fare: Fare) -> Said:
    """Day, flight numbers, airports and local times."""
    first = fare.segments[0]
    return saying("flight.dated", day=first.departs.date(), legs=[_leg(s) for s in fare.segments])


def route(request: TripRequest) -> Said:
    days: object = request.depart_on
    if request.depart_until and request.depart_until != request.depart_on:
        days = {"from": request.depart_on, "to": request.depart_until}
    return saying("trip.short", origin=request.origin, destination=request.destination, days=days)


def wish(reader: Reader, *, position: str, polarity: str, strength: str, scope: str, whose: str | None = None) -> str:
    kind = "avoid" if polarity == Polarity.AVOID else "must" if strength == Strength.MUST else "want"
    said = saying(f"wish.{kind}", position=position)
    if whose:
        return text(reader, "wish.of_other", whose=whose, wish=said)
    return text(reader, "wish.this_trip", wish=said) if scope == Scope.TRIP else read(reader, said)


def notes(reader: Reader, kept: Iterable[Any]) -> tuple[str, ...]:
    """`{by, text}` as "Rita: is the aisle fine too?"."""
    return tuple(_note(reader, cast("dict[str, str]", n) if isinstance(n, dict) else {"text": str(n)}) for n in kept)


def _note(reader: Reader, note: dict[str, str]) -> str:
    return text(reader, "note.by", by=note["by"], text=note["text"]) if note.get("by") else note["text"]


def _leg(segment: Segment) -> Said:
    days = (segment.arrives.date() - segment.departs.date()).days
    return saying(
        "flight.leg",
        flight=segment.name,
        origin=segment.origin,
        departs=segment.departs,
        destination=segment.destination,
        arrives=segment.arrives,
        plus=saying("flight.plus", count=days) if days > 0 else None,
    )
