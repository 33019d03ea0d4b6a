"""Orders as stored: found by id or offer, priced as of now, lapsed when their time is over, written to the journal."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from sqlite3 import Row

from .books import Books
from .chance import draw
from .errors import not_found
from .fares import cents
from .offers import AirlineOffer, offer_of_row
from .store import Json, moment, text, wire_time


@dataclass(frozen=True, slots=True)
class Order:
    """An order as stored. `body` holds offer, passengers, services, metadata; `total` is the offer and its services."""

    order_id: str
    created_at: datetime
    pay_by: datetime | None
    paid_at: datetime | None
    cancelled_at: datetime | None
    lapsed_at: datetime | None
    offer: AirlineOffer
    body: Json

    @property
    def live(self) -> bool:
        return self.cancelled_at is None and self.lapsed_at is None

    @property
    def services_total(self) -> Decimal:
        return sum((Decimal(s["total_amount"]) for s in self.body["services"]), Decimal(0))


def find_order(books: Books, order_id: str) -> Order:
    row = books.store.row("SELECT * FROM orders WHERE order_id = ?", order_id)
    if row is None:
        raise not_found("order")
    return _order(books, row)


def orders_of_offer(books: Books, offer_id: str | None) -> list[Order]:
    """The orders a look-up shows now: a new one stays invisible for the lag."""
    rows = books.store.rows(
        "SELECT * FROM orders WHERE (?1 IS NULL OR offer_id = ?1) AND visible_at <= ?2 ORDER BY created_at DESC, order_id",
        offer_id,
        wire_time(books.now),
    )
    return [_order(books, row) for row in rows]


def live_orders(books: Books) -> list[Order]:
    rows = books.store.rows("SELECT * FROM orders WHERE cancelled_at IS NULL AND lapsed_at IS NULL ORDER BY created_at")
    return [_order(books, row) for row in rows]


def total_of(books: Books, order: Order) -> Decimal:
    """What the order costs as of now: an unpaid hold whose price is no longer guaranteed may have become dearer."""
    total = Decimal(order.body["total_amount"])
    if order.paid_at or order.offer.guarantee is None or books.now <= order.offer.guarantee:
        return total
    rise = draw(books.seed, "rise", order.order_id)
    return total + (cents(order.offer.total * Decimal(str(round(rise * 0.08, 3)))) if rise > 0.5 else Decimal(0))


def release(books: Books, order_id: str) -> None:
    books.store.run("DELETE FROM taken WHERE order_id = ?", order_id)


def lapse(books: Books, order: Order) -> None:
    """The pay-by has passed: the hold is gone and its seats are for sale again."""
    books.store.run("UPDATE orders SET lapsed_at = ? WHERE order_id = ?", wire_time(books.now), order.order_id)
    release(books, order.order_id)
    journal_order(books, "lapse", order, Decimal(0))


def overdue(books: Books) -> list[Order]:
    rows = books.store.rows(
        "SELECT * FROM orders WHERE pay_by <= ? AND paid_at IS NULL AND cancelled_at IS NULL AND lapsed_at IS NULL",
        wire_time(books.now),
    )
    return [_order(books, row) for row in rows]


def rewrite(books: Books, order_id: str, body: Json) -> None:
    books.store.run("UPDATE orders SET body = ? WHERE order_id = ?", text(body), order_id)


def journal_order(books: Books, effect: str, order: Order, amount: Decimal) -> None:
    """Append an effect on this order; `amount` is what was paid or given back."""
    offer, body = order.offer, order.body
    books.record(
        effect,
        order.order_id,
        offer_id=offer.offer_id,
        operation_id=body["metadata"].get("operation_id"),
        amount=str(amount),
        currency=offer.currency,
        flights=[f.key for f in offer.flights],
        passengers=[person_key(p) for p in body["passengers"]],
        seats=[[s["segment"], s["passenger_id"], s["designator"]] for s in body["services"]],
    )


def person_key(passenger: Json) -> str:
    return f"{passenger['given_name']}/{passenger['family_name']}/{passenger['born_on']}".casefold()


def _order(books: Books, row: Row) -> Order:
    body: Json = json.loads(row["body"])
    offer = offer_of_row(
        body["offer"],
        route=body["route"],
        request_id=body["request_id"],
        travellers=body["travellers"],
        created=moment(body["offered_at"]),
        life=books.terms.offer_life,
    )
    return Order(
        order_id=row["order_id"],
        created_at=moment(row["created_at"]),
        pay_by=_time(row["pay_by"]),
        paid_at=_time(row["paid_at"]),
        cancelled_at=_time(row["cancelled_at"]),
        lapsed_at=_time(row["lapsed_at"]),
        offer=offer,
        body=body,
    )


def _time(value: str | None) -> datetime | None:
    return moment(value) if value else None
