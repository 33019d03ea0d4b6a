"""Offers: kept for half an hour, priced again on every read, burnt by the first order of their search."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from . import wire
from .books import Books
from .carriers import HoldRule
from .errors import AirlineError, not_found
from .fares import Brand, brand, cents
from .magic import Magic, magic
from .schedule import Itinerary
from .store import Json, moment, wire_time

STEP = Decimal("10.00")


@dataclass(frozen=True, slots=True)
class Traveller:
    """A passenger of a search. `age` None is an adult."""

    passenger_id: str
    age: int | None

    @property
    def kind(self) -> str:
        return "infant_without_seat" if self.age is not None and self.age < 2 else "adult" if (self.age or 18) >= 18 else "child"


@dataclass(frozen=True, slots=True)
class AirlineOffer:
    """`total` is for all passengers, as of the newest read; `route` is what was searched."""

    offer_id: str
    request_id: str
    route: str
    flights: Itinerary
    brand: Brand
    total: Decimal
    currency: str
    travellers: tuple[Traveller, ...]
    hold: HoldRule
    created_at: datetime
    expires_at: datetime
    pay_by: datetime | None
    guarantee: datetime | None

    @property
    def owner(self) -> str:
        return self.flights[0].carrier

    @property
    def seated(self) -> tuple[Traveller, ...]:
        return tuple(t for t in self.travellers if t.kind != "infant_without_seat")


def offers_of(books: Books, request_id: str) -> list[AirlineOffer]:
    """The offers of a search, cheapest first."""
    body, created = _request(books, request_id)
    found = [_offer(books, row, body, request_id, created) for row in body["offers"]]
    return sorted(found, key=lambda offer: offer.total)


def read_offer(books: Books, offer_id: str) -> AirlineOffer:
    """One offer priced as of now; on one magic route each look makes it dearer."""
    offer = current_offer(books, offer_id)
    if magic(offer.route) is Magic.DEARER_ON_EVERY_READ:
        count_looks(books)
        return raise_price(books, offer, STEP)
    return offer


def current_offer(books: Books, offer_id: str) -> AirlineOffer:
    """An offer that can still be bought."""
    offer = find_offer(books, offer_id)
    if offer.expires_at <= books.now or burnt_by(books, offer.request_id) or magic(offer.route) is Magic.OFFER_GONE:
        raise gone()
    return offer


def find_offer(books: Books, offer_id: str) -> AirlineOffer:
    request_id = f"orq_{offer_id[4:-3]}"
    body, created = _request(books, request_id, "offer")
    row = next((row for row in body["offers"] if row["id"] == offer_id), None)
    if row is None:
        raise not_found("offer")
    change = books.store.row("SELECT gone FROM offer_changes WHERE offer_id = ?", offer_id)
    if change and change["gone"]:
        raise gone()
    return _offer(books, row, body, request_id, created)


def raise_price(books: Books, offer: AirlineOffer, by: Decimal) -> AirlineOffer:
    added = _added(books, offer.offer_id) + by
    _change(books, offer.offer_id, added=added)
    return replace(offer, total=offer.total + by)


def take_away(books: Books, offer_id: str) -> None:
    _change(books, offer_id, added=_added(books, offer_id), gone=True)


def burnt_by(books: Books, request_id: str) -> str | None:
    row = books.store.row("SELECT burnt_by FROM offer_requests WHERE request_id = ?", request_id)
    return row["burnt_by"] if row else None


def burn(books: Books, request_id: str, by: str) -> None:
    books.store.run("UPDATE offer_requests SET burnt_by = ? WHERE request_id = ?", by, request_id)


def gone() -> AirlineError:
    return AirlineError("offer_no_longer_available", "Please select another offer, or create a new offer request")


def count_looks(books: Books, *, count: bool = True) -> int:
    """How often the magic route that grows dearer was looked at today."""
    key = f"looks.{books.now.date().isoformat()}"
    looks = int(books.store.fact(key, "0"))
    if count:
        books.store.keep(key, looks + 1)
    return looks


def offer_json(offer: AirlineOffer) -> Json:
    people = [wire.passenger_on_segment(t.passenger_id, offer.brand) for t in offer.travellers]
    segments = [wire.segment(offer.offer_id, n, f, people) for n, f in enumerate(offer.flights)]
    tax = cents(offer.total * Decimal("0.17"))
    return {
        "id": offer.offer_id,
        "offer_request_id": offer.request_id,
        "live_mode": False,
        "created_at": wire_time(offer.created_at),
        "expires_at": wire_time(offer.expires_at),
        "owner": wire.carrier(offer.owner),
        "total_amount": str(offer.total),
        "total_currency": offer.currency,
        "base_amount": str(offer.total - tax),
        "base_currency": offer.currency,
        "tax_amount": str(tax),
        "tax_currency": offer.currency,
        "slices": [wire.slice_(offer.offer_id, offer.flights, offer.brand, segments)],
        "passengers": [{"id": t.passenger_id, "type": t.kind, "age": t.age} for t in offer.travellers],
        "conditions": wire.conditions(offer.owner, offer.brand, offer.total, offer.currency),
        "payment_requirements": {
            "requires_instant_payment": offer.pay_by is None,
            "payment_required_by": wire_time(offer.pay_by) if offer.pay_by else None,
            "price_guarantee_expires_at": wire_time(offer.guarantee) if offer.guarantee else None,
        },
        # not Duffel's: which services this airline keeps on an unpaid hold
        "supported_services_on_hold": ["seat"] if offer.hold is HoldRule.SEATS else [],
        "passenger_identity_documents_required": False,
        "supported_passenger_identity_document_types": ["passport"],
        "partial": False,
        "available_services": None,
    }


def _offer(books: Books, row: Json, body: Json, request_id: str, created: datetime) -> AirlineOffer:
    return offer_of_row(
        {**row, "total": str(Decimal(row["total"]) + _added(books, row["id"]))},
        route=body["route"],
        request_id=request_id,
        travellers=body["travellers"],
        created=created,
        life=books.terms.offer_life,
    )


def offer_of_row(
    row: Json, *, route: str, request_id: str, travellers: list[Any], created: datetime, life: timedelta
) -> AirlineOffer:
    flights = tuple(wire.flight_of(f) for f in row["flights"])
    return AirlineOffer(
        offer_id=row["id"],
        request_id=request_id,
        route=route,
        flights=flights,
        brand=brand(flights[0].carrier, row["brand"]),
        total=Decimal(row["total"]),
        currency=row["currency"],
        travellers=tuple(Traveller(i, age) for i, age in travellers),
        hold=HoldRule(row["hold"]),
        created_at=created,
        expires_at=created + life,
        pay_by=moment(row["pay_by"]) if row["pay_by"] else None,
        guarantee=moment(row["guarantee"]) if row["guarantee"] else None,
    )


def offer_row(offer: AirlineOffer) -> Json:
    """An offer as the airline keeps it; `offer_of_row` reads it back."""
    return {
        "id": offer.offer_id,
        "flights": [wire.flight_row(f) for f in offer.flights],
        "brand": offer.brand.name,
        "total": str(offer.total),
        "currency": offer.currency,
        "hold": str(offer.hold),
        "pay_by": wire_time(offer.pay_by) if offer.pay_by else None,
        "guarantee": wire_time(offer.guarantee) if offer.guarantee else None,
    }


def _request(books: Books, request_id: str, what: str = "offer request") -> tuple[Json, datetime]:
    row = books.store.row("SELECT created_at, body FROM offer_requests WHERE request_id = ?", request_id)
    if row is None:
        raise not_found(what)
    return json.loads(row["body"]), moment(row["created_at"])


def _added(books: Books, offer_id: str) -> Decimal:
    row = books.store.row("SELECT added FROM offer_changes WHERE offer_id = ?", offer_id)
    return Decimal(row["added"]) if row else Decimal(0)


def _change(books: Books, offer_id: str, *, added: Decimal, gone: bool = False) -> None:
    books.store.run(
        "INSERT OR REPLACE INTO offer_changes (offer_id, added, gone) VALUES (?, ?, ?)",
        offer_id,
        str(added),
        int(gone),
    )
