"""What a version says, field by field, and where two versions differ. Read from its summary alone; no checkpoint is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, cast

from sqlalchemy import Row

from ..domain.understanding import Place, SeatWish, Understanding, When
from ..wording import saying
from . import texts
from .shapes import Reader
from .thread_shapes import Difference, Fact

COMPARED = ("text", "intents", "asked", "wishes", "flight", "seat", "fare", "total", "decision", "order", "status")
FIELDS = (*COMPARED, "reason")


def facts_of(reader: Reader, summary: Mapping[str, Any], orders: Sequence[Row[Any]] = ()) -> tuple[Fact, ...]:
    said = told(reader, summary, orders)
    return tuple(Fact(field=f, label=texts.text(reader, f"field.{f}"), text=said[f]) for f in FIELDS if f in said)


def differences_between(
    reader: Reader, a: Mapping[str, Any], b: Mapping[str, Any], orders: Sequence[Row[Any]] = ()
) -> tuple[Difference, ...]:
    """What news of a trip leaves unsaid is not gone: against it only what both say is compared."""
    here, there = told(reader, a, orders), told(reader, b, orders)
    said = here.keys() & there.keys() if a.get("event") or b.get("event") else here.keys() | there.keys()
    return tuple(
        Difference(field=f, label=texts.text(reader, f"field.{f}"), a=here.get(f), b=there.get(f))
        for f in COMPARED
        if f in said and here.get(f) != there.get(f)
    )


def told(reader: Reader, summary: Mapping[str, Any], orders: Sequence[Row[Any]]) -> dict[str, str]:
    """By field; what a version does not say is left out."""
    found = {
        "text": summary.get("text"),
        **_understood(reader, None if summary.get("event") else summary.get("understanding")),  # news: of the turn before
        "flight": _flight(reader, summary.get("flights")),
        "seat": _strung(reader, summary.get("seats")),
        "fare": _fare(reader, summary),
        "total": texts.text(reader, "ui.money", amount=summary["total"]) if summary.get("total") else None,
        "decision": _decision(reader, summary.get("decision")),
        "order": _order(reader, summary, orders),
        "status": texts.of_group(reader, "status", summary["status"]) if summary.get("status") else None,
        "reason": texts.reason(reader, _text(summary.get("reason"))),
    }
    if summary.get("request"):
        found["asked"] = _asked(reader, summary["request"])
    return {field: text for field, text in found.items() if text}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _strung(reader: Reader, items: Sequence[object] | None) -> str | None:
    return texts.text(reader, "ui.strung", items=list(items)) if items else None


def _asked(reader: Reader, request: Mapping[str, Any]) -> str:
    route = texts.text(
        reader, "trip.short", origin=request["origin"], destination=request["destination"], days=request["depart_on"]
    )
    parts = [route, texts.text(reader, "ui.travellers", count=(request.get("adults") or 0) + len(request.get("ages") or ()))]
    if request.get("cabin"):
        parts.append(texts.of_group(reader, "cabin", request["cabin"]))
    if request.get("max_stops") is not None:
        stops = int(request["max_stops"])
        parts.append(texts.text(reader, "stops.at_most", count=stops) if stops else texts.text(reader, "stops.none"))
    return texts.text(reader, "ui.strung", items=parts)


def _flight(reader: Reader, keys: Sequence[str] | None) -> str | None:
    """From segment keys: numbers, places, and the day of the first."""
    if not keys:
        return None
    numbers, places, days = zip(*(key.split(":") for key in keys), strict=True)
    origin, destination = places[0].split("-")[0], places[-1].split("-")[1]
    facts = {"origin": origin, "destination": destination, "day": date.fromisoformat(days[0])}
    return texts.text(reader, "timeline.flight", flights=list(numbers), **facts)


def _fare(reader: Reader, summary: Mapping[str, Any]) -> str | None:
    if not summary.get("cabin"):
        return None
    brand = f" · {summary['fare_brand']}" if summary.get("fare_brand") else ""
    return texts.of_group(reader, "cabin", summary["cabin"]) + brand


def _decision(reader: Reader, decision: Mapping[str, Any] | None) -> str | None:
    if not decision or not decision.get("type"):
        return None
    if decision["type"] == "expire":
        return texts.text(reader, "version.expired")
    if decision.get("by"):
        return texts.text(reader, f"decided.{decision['type']}", by=decision["by"])
    return texts.of_group(reader, "decided_as", decision["type"])


def _order(reader: Reader, summary: Mapping[str, Any], orders: Sequence[Row[Any]]) -> str | None:
    """The newest booking that carries what this version chose: same flights, cabin, fare and seats."""
    if not summary.get("flights"):
        return None
    for row in reversed(orders):
        itinerary = cast("dict[str, Any]", row.itinerary)
        mine = [*summary["flights"]], summary.get("cabin"), summary.get("fare_brand"), sorted(summary.get("seats") or ())
        theirs = [*itinerary["segment_keys"]], itinerary["cabin"], itinerary["fare_brand"], _designators(itinerary)
        if mine == theirs:
            state = texts.of_group(reader, "order_state", row.state)
            return texts.text(reader, "ui.strung", items=[row.booking_reference, state] if row.booking_reference else [state])
    return None


def _designators(itinerary: Mapping[str, Any]) -> list[str]:
    return sorted(str(seat[2]) for seat in itinerary.get("seats") or ())


def _understood(reader: Reader, raw: Mapping[str, Any] | None) -> dict[str, str | None]:
    if not raw:
        return {}
    understanding = Understanding.model_validate(raw)
    return {
        "intents": _strung(reader, [texts.of_group(reader, "intent", i) for i in understanding.intents]),
        "asked": _slots(reader, understanding),
        "wishes": _strung(reader, [_wish(reader, w) for w in understanding.wishes]),
    }


def _wish(reader: Reader, wish: SeatWish) -> str:
    said = texts.wish(reader, position=wish.position, polarity=wish.polarity, strength=wish.strength, scope=wish.scope,
                      whose=wish.whose)  # fmt: skip
    return texts.text(reader, "timeline.forgotten", wish=said) if wish.forget else said


def _slots(reader: Reader, understanding: Understanding) -> str | None:
    slots = understanding.slots
    places = [_place(reader, p) for p in (slots.origin, *slots.stopovers, slots.destination) if p]
    parts = [" – ".join(places)] if places else []
    parts += [_when(reader, w) for w in (slots.depart, slots.return_) if w]
    if slots.passengers and slots.passengers.count:
        parts.append(texts.text(reader, "ui.travellers", count=slots.passengers.count))
    if slots.cabin:
        parts.append(texts.of_group(reader, "cabin", slots.cabin))
    if slots.max_stops is not None:
        stops = slots.max_stops
        parts.append(texts.text(reader, "stops.at_most", count=stops) if stops else texts.text(reader, "stops.none"))
    parts += [*slots.airlines, *([slots.flight_number] if slots.flight_number else [])]
    if slots.cap:
        parts.append(texts.text(reader, "timeline.at_most", money=slots.cap))
    return _strung(reader, [p for p in parts if p])


def _place(reader: Reader, place: Place) -> str:
    return texts.text(reader, "word.place", place=place.codes[0]) if place.codes else place.text


def _when(reader: Reader, when: When) -> str:
    if when.date_from is None:
        return when.text
    span: object = when.date_from
    if when.date_to and when.date_to != when.date_from:
        span = {"from": when.date_from, "to": when.date_to}
    return texts.read(reader, saying("timeline.days", days=span))
