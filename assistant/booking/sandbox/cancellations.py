"""Cancelling an order: a quote that lives an hour, of which only the newest counts, then its confirmation."""

from __future__ import annotations

import json
from datetime import timedelta
from decimal import Decimal

from .books import Books
from .errors import AirlineError, not_found
from .events import announce
from .fares import RefundRule, penalty, refund_rule
from .magic import Magic, magic
from .order_records import Order, find_order, journal_order, release
from .store import Json, moment, text, wire_time


def quote(books: Books, asked: Json) -> Json:
    """Say what would come back, and how; changes nothing but that older quotes of the order no longer count."""
    order = find_order(books, str(asked.get("order_id")))
    _check_cancellable(books, order)
    cancellation_id = books.new_id("ore")
    body: Json = {
        "id": cancellation_id,
        "order_id": order.order_id,
        "live_mode": False,
        "created_at": wire_time(books.now),
        "expires_at": wire_time(books.now + books.terms.quote_life),
        "confirmed_at": None,
        **_refund(order),
    }
    books.store.run(
        "INSERT INTO cancellations (cancellation_id, order_id, n, body) VALUES (?, ?, ?, ?)",
        cancellation_id,
        order.order_id,
        books.store.next_number("quotes"),
        text(body),
    )
    announce(books, "order_cancellation.created", _told(order, body))
    return body


def confirm(books: Books, cancellation_id: str) -> Json:
    body = find_cancellation(books, cancellation_id)
    order = find_order(books, body["order_id"])
    if order.cancelled_at:
        raise AirlineError("already_cancelled", "The order has already been cancelled")
    newest = books.store.row(
        "SELECT cancellation_id FROM cancellations WHERE order_id = ? ORDER BY n DESC LIMIT 1", order.order_id
    )
    if moment(body["expires_at"]) <= books.now or (newest and newest["cancellation_id"] != cancellation_id):
        raise AirlineError("order_cancellation_expired", "Create another order cancellation")
    _check_cancellable(books, order)
    body = {**body, "confirmed_at": wire_time(books.now)}
    books.store.run(
        "UPDATE cancellations SET confirmed_at = ?, body = ? WHERE cancellation_id = ?",
        body["confirmed_at"],
        text(body),
        cancellation_id,
    )
    books.store.run("UPDATE orders SET cancelled_at = ? WHERE order_id = ?", wire_time(books.now), order.order_id)
    release(books, order.order_id)
    back = _money_back(body)
    books.move_money(back, order.offer.currency)
    journal_order(books, "cancel", order, back)
    announce(books, "order_cancellation.confirmed", _told(order, body))
    return body


def find_cancellation(books: Books, cancellation_id: str) -> Json:
    row = books.store.row("SELECT body FROM cancellations WHERE cancellation_id = ?", cancellation_id)
    if row is None:
        raise not_found("order cancellation")
    return json.loads(row["body"])


def _check_cancellable(books: Books, order: Order) -> None:
    if order.cancelled_at:
        raise AirlineError("already_cancelled", "The order has already been cancelled")
    if order.lapsed_at or order.offer.flights[0].departs_utc <= books.now + timedelta(0):
        raise AirlineError("order_not_cancellable", "The order cannot be cancelled any more")


def _refund(order: Order) -> Json:
    """Seats come back only with a full refund; where the airline is silent the amount is null."""
    money: Json = {"refund_currency": order.offer.currency, "airline_credits": []}
    total = Decimal(order.body["total_amount"])
    if order.paid_at is None:
        return {**money, "refund_amount": "0.00", "refund_to": "awaiting_payment"}
    rule = RefundRule.CREDITS if magic(order.offer.route) is Magic.REFUND_AS_CREDITS else _rule(order)
    match rule:
        case RefundRule.FULL:
            return {**money, "refund_amount": str(total), "refund_to": "balance"}
        case RefundRule.FEE:
            return {**money, "refund_amount": str(order.offer.total - penalty(order.offer.total)), "refund_to": "balance"}
        case RefundRule.NOTHING:
            return {**money, "refund_amount": "0.00", "refund_to": "balance"}
        case RefundRule.UNSAID:
            return {"refund_currency": None, "airline_credits": [], "refund_amount": None, "refund_to": None}
        case RefundRule.VOUCHER:
            return {**money, "refund_amount": str(order.offer.total), "refund_to": "voucher"}
        case RefundRule.CREDITS:
            return {**money, "refund_amount": "0.00", "refund_to": "airline_credits", "airline_credits": _credits(order, total)}


def _rule(order: Order) -> RefundRule:
    return refund_rule(order.offer.owner, order.offer.brand)


def _credits(order: Order, total: Decimal) -> list[Json]:
    """One credit for the whole order, in the first passenger's name."""
    return [
        {
            "passenger_id": order.offer.travellers[0].passenger_id,
            "credit_amount": str(total),
            "credit_currency": order.offer.currency,
            "credit_name": "Duffel Travel Credit",
        }
    ]


def _money_back(body: Json) -> Decimal:
    return Decimal(body["refund_amount"] or "0") if body["refund_to"] == "balance" else Decimal(0)


def _told(order: Order, body: Json) -> Json:
    return {**body, "offer_id": order.offer.offer_id, "metadata": order.body["metadata"]}
