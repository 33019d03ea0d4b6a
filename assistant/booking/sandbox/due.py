"""What happens by itself as time passes: holds lapse, accepted orders are made or fail, flights move, late events leave."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from .books import Books
from .calls import Call, carry_out
from .errors import AirlineError
from .events import announce, send
from .order_records import find_order, journal_order, lapse, overdue, rewrite
from .orders import create
from .store import Json, moment, wire_time
from .wire import flight_of, flight_row

_MOVED_BY = timedelta(minutes=95)


def settle(books: Books) -> None:
    """Bring the records up to now: each thing happens at its own time, however late anyone looks."""
    for row in books.store.rows("SELECT * FROM pending WHERE due_at <= ? ORDER BY due_at, n", wire_time(books.now)):
        books.store.run("DELETE FROM pending WHERE n = ?", row["n"])
        _happen(replace(books, now=moment(row["due_at"])), row["kind"], json.loads(row["body"]))
    for order in overdue(books):
        lapse(replace(books, now=order.pay_by or books.now), order)


def _happen(books: Books, kind: str, body: Json) -> None:
    match kind:
        case "event":
            send(books, body)
        case "move":
            move(books, body["order_id"])
        case "call":
            _late_call(books, Call(body["op"], body["body"], body["subject"]))
        case _:
            _creation_failed(books, Call("create", body["body"]), "airline_error")


def _late_call(books: Books, call: Call) -> None:
    """What was answered with 202 is done now, if it still can be."""
    try:
        with books.store.savepoint():
            if call.op == "create":
                create(books, call.body, accepted=True)
            else:
                carry_out(books, call)
    except AirlineError as refusal:
        if call.op == "create":
            _creation_failed(books, call, refusal.code)


def _creation_failed(books: Books, call: Call, reason: str) -> None:
    offer_id = str((call.body.get("selected_offers") or [""])[0])
    metadata: Json = call.body.get("metadata") or {}
    books.record("create_failed", None, offer_id=offer_id, operation_id=metadata.get("operation_id"), reason=reason)
    announce(books, "order.creation_failed", {"offer_id": offer_id, "metadata": metadata, "reason": reason})


def move(books: Books, order_id: str) -> None:
    """The airline flies the first flight of an order later, on the same day, and tells by webhook."""
    order = find_order(books, order_id)
    if not order.live:
        return
    old = flight_of(order.body["offer"]["flights"][0])
    new = replace(old, departs=old.departs + _MOVED_BY, arrives=old.arrives + _MOVED_BY)
    if new.departs.date() != old.departs.date():
        return
    change: Json = {
        "id": books.new_id("aic"),
        "order_id": order_id,
        "created_at": wire_time(books.now),
        "action_taken": None,
        "available_actions": ["accept", "cancel"],
        "removed": [{"departing_at": old.departs.isoformat()}],
        "added": [{"departing_at": new.departs.isoformat()}],
    }
    flights = [flight_row(new), *order.body["offer"]["flights"][1:]]
    body = {**order.body, "offer": {**order.body["offer"], "flights": flights}, "changes": [*order.body["changes"], change]}
    rewrite(books, order_id, body)
    journal_order(books, "move", order, Decimal(0))
    announce(
        books,
        "order.airline_initiated_change_detected",
        {"id": order_id, "offer_id": order.offer.offer_id, "metadata": order.body["metadata"], "changes": body["changes"]},
    )
