"""Orders: an offer becomes a hold or is bought at once, a hold is paid or lapses; every effect goes into the journal."""

from __future__ import annotations

from decimal import Decimal
from sqlite3 import IntegrityError

from .books import Books
from .carriers import HoldRule
from .chance import token
from .errors import AirlineError, invalid
from .events import announce
from .magic import Magic, magic
from .offers import AirlineOffer, burn, burnt_by, find_offer, gone, offer_row
from .order_records import Order, find_order, journal_order, person_key, total_of
from .passengers import checked_passengers
from .seat_services import seat_of, seats_wanted, still_free
from .store import Json, text, wire_time


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
    journal_order(books, "pay", find_order(books, order.order_id), total)
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
    order = find_order(books, order_id)
    journal_order(books, "hold" if hold else "book", order, total)
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
