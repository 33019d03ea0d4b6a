"""Orders: an offer becomes a hold or is bought at once, a hold is paid or lapses; every effect goes into the journal."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from sqlite3 import IntegrityError, Row

from .books import Books
from .carriers import HoldRule
from .chance import draw, token
from .errors import AirlineError, invalid, not_found
from .events import announce
from .fares import cents
from .magic import Magic, magic
from .offers import AirlineOffer, burn, burnt_by, find_offer, gone, offer_of_row, offer_row
from .passengers import checked_passengers
from .seat_services import seat_of, seats_wanted, still_free
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


def create(books: Books, asked: Json, *, accepted: bool = False) -> Order:
    """Hold or buy. `accepted`: the request was answered with 202 before, and its offer request burnt then."""
    offer = _for_sale(books, asked, accepted=accepted)
    kind = asked.get("type", "instant")
    hold = kind == "hold"
    if kind not in ("hold", "instant") or (hold and offer.pay_by is None):
        raise invalid("type", "this offer cannot be held", "order_type_not_eligible")
    passengers = checked_passengers(asked.get("passengers") or [], offer, books.now)
    services = seats_wanted(asked.get("services") or [], offer)
    if hold and services and offer.hold is not HoldRule.SEATS:
        raise invalid("services", "seats cannot be part of a hold with this airline", "unavailable_feature")
    total = offer.total + sum((Decimal(s["total_amount"]) for s in services), Decimal(0))
    if not hold:
        _check_payment(books, asked, offer, total)
    if books.terms.duplicate_detection:
        _refuse_duplicates(books, offer, passengers)
    still_free(books, offer, services)
    return _make(books, asked, offer, passengers, services, total=total, hold=hold)


def accept(books: Books, asked: Json) -> AirlineOffer:
    """Take an order request in without carrying it out yet; its offer request is burnt from now on."""
    offer = _for_sale(books, asked, accepted=False)
    burn(books, offer.request_id, "accepted")
    return offer


def pay(books: Books, asked: Json) -> Json:
    """Pay a hold in full; its documents follow."""
    order = find_order(books, str(asked.get("order_id")))
    payment: Json = asked.get("payment") or {}
    if order.paid_at:
        raise AirlineError("already_paid", "The order has already been paid for")
    if order.cancelled_at:
        raise AirlineError("already_cancelled", "The order has been cancelled")
    if order.lapsed_at or (order.pay_by and order.pay_by <= books.now):
        raise AirlineError("past_payment_required_by_date", "The space held has been released")
    total = total_of(books, order)
    if str(payment.get("amount")) != str(total) or payment.get("currency") != order.offer.currency:
        raise AirlineError("payment_amount_does_not_match_order_amount", f"The order costs {total} {order.offer.currency}")
    _check_balance(books, order.offer, total)
    body = {**order.body, "total_amount": str(total)}
    books.store.run(
        "UPDATE orders SET paid_at = ?, body = ? WHERE order_id = ?", wire_time(books.now), text(body), order.order_id
    )
    books.move_money(-total, order.offer.currency)
    _journal(books, "pay", order.order_id, body, order.offer, amount=total)
    announce(books, "payment.created", {"order_id": order.order_id, "offer_id": order.offer.offer_id, **_named(body)})
    return {
        "id": books.new_id("pay"),
        "type": "balance",
        "amount": str(total),
        "currency": order.offer.currency,
        "order_id": order.order_id,
        "status": "succeeded",
        "live_mode": False,
        "created_at": wire_time(books.now),
    }


def find_order(books: Books, order_id: str) -> Order:
    row = books.store.row("SELECT * FROM orders WHERE order_id = ?", order_id)
    if row is None:
        raise not_found("order")
    return _order(books, row)


def orders_of_offer(books: Books, offer_id: str | None) -> list[Order]:
    """The orders a look-up shows now: a new one stays invisible for the lag."""
    rows = books.store.rows(
        "SELECT * FROM orders WHERE (?1 IS NULL OR offer_id = ?1) AND visible_at <= ?2 ORDER BY created_at DESC LIMIT 200",
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
    _journal(books, "lapse", order.order_id, order.body, order.offer, amount=Decimal(0))


def overdue(books: Books) -> list[Order]:
    rows = books.store.rows(
        "SELECT * FROM orders WHERE pay_by <= ? AND paid_at IS NULL AND cancelled_at IS NULL AND lapsed_at IS NULL",
        wire_time(books.now),
    )
    return [_order(books, row) for row in rows]


def rewrite(books: Books, order_id: str, body: Json) -> None:
    books.store.run("UPDATE orders SET body = ? WHERE order_id = ?", text(body), order_id)


def _for_sale(books: Books, asked: Json, *, accepted: bool) -> AirlineOffer:
    selected: list[object] = asked.get("selected_offers") or []
    if len(selected) != 1:
        raise invalid("selected_offers", "exactly one offer must be selected")
    offer = find_offer(books, str(selected[0]))
    if not accepted and burnt_by(books, offer.request_id):
        raise AirlineError("offer_request_already_booked", "An offer from this offer request has already been booked")
    if (offer.expires_at <= books.now and not accepted) or magic(offer.route) is Magic.OFFER_GONE:
        raise gone()
    if magic(offer.route) is Magic.CREATE_FAILS:
        raise AirlineError("airline_unknown", "The airline responded with an unknown error", status=502)
    return offer


def _check_payment(books: Books, asked: Json, offer: AirlineOffer, total: Decimal) -> None:
    payments: list[Json] = asked.get("payments") or []
    if len(payments) != 1 or payments[0].get("type") != "balance":
        raise invalid("payments", "an instant order is paid from the balance")
    if str(payments[0].get("amount")) != str(total) or payments[0].get("currency") != offer.currency:
        raise AirlineError("price_changed", f"The order costs {total} {offer.currency}")
    _check_balance(books, offer, total)


def _check_balance(books: Books, offer: AirlineOffer, total: Decimal) -> None:
    if magic(offer.route) is Magic.NO_BALANCE or books.balance(offer.currency) < total:
        raise AirlineError("insufficient_balance", "The balance is too low for this payment")


def _refuse_duplicates(books: Books, offer: AirlineOffer, passengers: list[Json]) -> None:
    wanted = {person_key(p) for p in passengers}
    for flight in offer.flights:
        rows = books.store.rows("SELECT passenger FROM taken WHERE flight = ?", flight.key)
        if wanted & {str(row["passenger"]) for row in rows}:
            raise AirlineError("duplicate_booking", "This passenger already has a booking on this flight")


def person_key(passenger: Json) -> str:
    return f"{passenger['given_name']}/{passenger['family_name']}/{passenger['born_on']}".casefold()


def _make(
    books: Books, asked: Json, offer: AirlineOffer, passengers: list[Json], services: list[Json], *, total: Decimal, hold: bool
) -> Order:
    order_id = books.new_id("ord")
    body: Json = {
        "type": "hold" if hold else "instant",
        "offer": offer_row(offer),
        "route": offer.route,
        "request_id": offer.request_id,
        "offered_at": wire_time(offer.created_at),
        "travellers": [[t.passenger_id, t.age] for t in offer.travellers],
        "passengers": passengers,
        "services": services,
        "metadata": asked.get("metadata") or {},
        "total_amount": str(total),
        "booking_reference": reference(books.seed, order_id),
        "changes": [],
    }
    now = wire_time(books.now)
    books.store.run(
        "INSERT INTO orders (order_id, offer_id, created_at, visible_at, pay_by, paid_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
        order_id,
        offer.offer_id,
        now,
        wire_time(books.now + books.terms.visibility_lag),
        wire_time(offer.pay_by) if hold and offer.pay_by else None,
        None if hold else now,
        text(body),
    )
    burn(books, offer.request_id, order_id)
    _take_seats(books, order_id, offer, passengers, services)
    if not hold:
        books.move_money(-total, offer.currency)
    _journal(books, "hold" if hold else "book", order_id, body, offer, amount=total)
    order = find_order(books, order_id)
    announce(books, "order.created", {"id": order_id, "offer_id": offer.offer_id, **_named(body)})
    if magic(offer.route) is Magic.FLIGHT_MOVES:
        books.later(books.now + books.terms.moves_after, "move", {"order_id": order_id})
    return order


def _take_seats(books: Books, order_id: str, offer: AirlineOffer, passengers: list[Json], services: list[Json]) -> None:
    people = {p["id"]: person_key(p) for p in passengers}
    for index, flight in enumerate(offer.flights):
        for traveller in offer.seated:
            seat = seat_of(services, index, traveller.passenger_id)
            try:
                books.store.run(
                    "INSERT INTO taken (flight, cabin, passenger, designator, order_id) VALUES (?, ?, ?, ?, ?)",
                    flight.key,
                    str(offer.brand.cabin),
                    people[traveller.passenger_id],
                    seat,
                    order_id,
                )
            except IntegrityError:
                raise AirlineError("ancillary_service_not_available", f"Seat {seat} is no longer available") from None


def reference(seed: int, order_id: str) -> str:
    """Six letters and digits without those that look alike."""
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
    number = int(token(seed, "reference", order_id), 16)
    return "".join(letters[(number >> 5 * n) % 32] for n in range(6))


def _named(body: Json) -> Json:
    return {"metadata": body["metadata"], "booking_reference": body["booking_reference"]}


def _journal(books: Books, effect: str, order_id: str, body: Json, offer: AirlineOffer, *, amount: Decimal) -> None:
    books.record(
        effect,
        order_id,
        offer_id=offer.offer_id,
        operation_id=body["metadata"].get("operation_id"),
        amount=str(amount),
        currency=offer.currency,
        flights=[f.key for f in offer.flights],
        passengers=[person_key(p) for p in body["passengers"]],
        seats=[[s["segment"], s["passenger_id"], s["designator"]] for s in body["services"]],
    )


def journal_order(books: Books, effect: str, order: Order, amount: Decimal) -> None:
    _journal(books, effect, order.order_id, order.body, order.offer, amount=amount)


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
