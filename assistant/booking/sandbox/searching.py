"""A search: which flights with free seats are for sale on a day, in which fares, and for how long they may be held."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal

from ...domain.flights import Cabin
from ...places import codes_for
from . import wire
from .books import Books
from .carriers import HoldRule, carriers
from .errors import invalid
from .fares import Brand, adult_fare, brands, currency, for_age, hold_rule
from .magic import Magic, magic
from .offers import STEP, Traveller, count_looks
from .schedule import Flight, Itinerary
from .seats import occupied, plan_of
from .store import Json, text, wire_time

_LAST_SALE = timedelta(hours=1)
_HOLD_ENDS_BEFORE = timedelta(hours=6)
_SHORTEST_HOLD = timedelta(hours=2)
_KEPT = timedelta(days=2)


def search(books: Books, asked: Json) -> Json:
    """Store an offer request with its offers; answer the request without them."""
    slices: list[Json] = asked.get("slices") or []
    if len(slices) != 1:
        raise invalid("slices", "this airline sells one slice at a time")
    origin, destination = _place(slices[0], "origin"), _place(slices[0], "destination")
    day = _day(slices[0].get("departure_date"), books.now)
    request_id = books.new_id("orq")
    travellers = _travellers(request_id, asked.get("passengers") or [])
    cabin = _cabin(asked.get("cabin_class"))
    ways = books.timetable.itineraries(origin, destination, day, max_stops=asked["max_connections"])
    drafts = _drafts(books, ways, cabin, travellers, route=f"{origin}-{destination}")
    drafts.sort(key=lambda d: Decimal(d["total"]))
    offers = [{**draft, "id": f"off_{request_id[4:]}{n:03d}"} for n, draft in enumerate(drafts)]
    body = {"route": f"{origin}-{destination}", "travellers": [[t.passenger_id, t.age] for t in travellers], "offers": offers}
    books.store.run("DELETE FROM offer_requests WHERE created_at < ? AND burnt_by IS NULL", wire_time(books.now - _KEPT))
    books.store.run(
        "INSERT INTO offer_requests (request_id, created_at, body) VALUES (?, ?, ?)", request_id, wire_time(books.now), text(body)
    )
    return {
        "id": request_id,
        "live_mode": False,
        "created_at": wire_time(books.now),
        "cabin_class": str(cabin) if cabin else None,
        "slices": [{"origin": wire.place(origin), "destination": wire.place(destination), "departure_date": day.isoformat()}],
        "passengers": [{"id": t.passenger_id, "type": t.kind, "age": t.age} for t in travellers],
    }


def _drafts(
    books: Books, ways: Iterable[Itinerary], cabin: Cabin | None, travellers: tuple[Traveller, ...], *, route: str
) -> list[Json]:
    if magic(route) is Magic.NO_OFFERS:
        return []
    cabins = (cabin,) if cabin else (Cabin.ECONOMY, Cabin.BUSINESS)
    drafts = (
        _draft(books, way, fare, travellers, route)
        for way in ways
        if way[0].departs_utc > books.now + _LAST_SALE
        for c in cabins
        if _room(books, way, c, travellers)
        for fare in brands(way[0].carrier, c)[: None if cabin or c is Cabin.ECONOMY else 1]
    )
    return list(drafts)


def _draft(books: Books, way: Itinerary, fare: Brand, travellers: tuple[Traveller, ...], route: str) -> Json:
    money = currency(way[0].origin, way[-1].destination)
    adult = adult_fare(books.seed, way, fare, asked=books.now, money=money)
    total = sum((for_age(adult, t.age) for t in travellers), Decimal(0))
    if magic(route) is Magic.DEARER_ON_EVERY_READ:
        total += STEP * count_looks(books, count=False)
    hold = hold_rule(carriers()[way[0].carrier], fare)
    if magic(route) is Magic.ONLY_HOLDABLE and hold is HoldRule.NONE:
        hold = HoldRule.FARE
    pay_by, guarantee = _hold_times(books, way, hold)
    return {
        "flights": [wire.flight_row(f) for f in way],
        "brand": fare.name,
        "total": str(total),
        "currency": money,
        "hold": str(hold),
        "pay_by": wire_time(pay_by) if pay_by else None,
        "guarantee": wire_time(guarantee) if guarantee else None,
    }


def _hold_times(books: Books, way: Itinerary, hold: HoldRule) -> tuple[datetime | None, datetime | None]:
    """Until when a hold lasts and until when its price is promised; nothing where it cannot be held."""
    if hold is HoldRule.NONE:
        return None, None
    days = 3 if hold is HoldRule.SEATS else 1
    pay_by = min(books.now + timedelta(days=days), way[0].departs_utc - _HOLD_ENDS_BEFORE)
    if pay_by < books.now + _SHORTEST_HOLD:
        return None, None
    return pay_by, pay_by if hold is HoldRule.SEATS else min(pay_by, books.now + timedelta(hours=6))


def _room(books: Books, way: Itinerary, cabin: Cabin, travellers: tuple[Traveller, ...]) -> bool:
    seated = sum(t.kind != "infant_without_seat" for t in travellers)
    return all(free_seats(books, flight, cabin) >= seated for flight in way)


def free_seats(books: Books, flight: Flight, cabin: Cabin) -> int:
    plan = plan_of(flight, cabin)
    if plan is None:
        return -1
    sold, unseated = books.taken(flight.key, cabin)
    return len(plan.seats) - len(occupied(books.seed, flight.key, plan) | sold) - unseated


def _place(asked: Json, field: str) -> str:
    code = asked.get(field)
    if not isinstance(code, str) or not codes_for(code):
        raise invalid(field, "must be the IATA code of an airport or a city", "validation_inclusion")
    return code


def _day(value: object, now: datetime) -> date:
    try:
        day = date.fromisoformat(str(value))
    except ValueError:
        raise invalid("departure_date", "must be a date", "validation_format") from None
    if day < (now - timedelta(hours=12)).date():
        raise invalid("departure_date", "must be in the future", "validation_inclusion")
    return day


def _cabin(value: object) -> Cabin | None:
    try:
        return Cabin(str(value)) if value else None
    except ValueError:
        raise invalid("cabin_class", "must be a cabin", "validation_inclusion") from None


def _travellers(request_id: str, asked: list[Json]) -> tuple[Traveller, ...]:
    ages = [_age(p) for p in asked]
    infants = sum(age is not None and age < 2 for age in ages)
    if not 1 <= len(ages) <= 9 or infants > sum(age is None or age >= 18 for age in ages):
        raise invalid("passengers", "one to nine passengers, and an adult for every infant", "validation_inclusion")
    return tuple(Traveller(f"pas_{request_id[4:]}{n}", age) for n, age in enumerate(ages))


def _age(asked: Json) -> int | None:
    age = asked.get("age")
    if age is None:
        return 0 if asked.get("type") == "infant_without_seat" else 8 if asked.get("type") == "child" else None
    if not isinstance(age, int) or not 0 <= age <= 130:
        raise invalid("age", "must be between 0 and 130", "validation_inclusion")
    return age
