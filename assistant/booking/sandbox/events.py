"""Webhook events: stored with the effect they tell of, signed when they leave; they may come twice, late or never."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import timedelta

from .books import Books
from .faults import Fault, pick, spoiled
from .store import Json, text, wire_time

_LATE = timedelta(seconds=5)
SIGNATURE = "X-Duffel-Signature"


@dataclass(frozen=True, slots=True)
class SignedEvent:
    """One delivery: `headers` and `body` as they go over the wire; `number` acknowledges it."""

    number: int
    headers: dict[str, str]
    body: bytes


def announce(books: Books, kind: str, about: Json) -> None:
    event: Json = {
        "id": books.new_id("wev"),
        "api_version": "v2",
        "type": kind,
        "live_mode": False,
        "idempotency_key": str(about.get("id") or about.get("order_id") or about.get("offer_id")),
        "created_at": wire_time(books.now),
        "data": {"object": about},
    }
    if fault := pick(books, "webhook", lambda: None):
        spoiled(books, fault)
    match fault.fault if fault else None:
        case Fault.WEBHOOK_DROP:
            return
        case Fault.WEBHOOK_REORDER:
            books.later(books.now + _LATE, "event", event)
        case Fault.WEBHOOK_DUP:
            send(books, event)
            send(books, event)
        case _:
            send(books, event)


def send(books: Books, event: Json) -> None:
    """Put an event where the next delivery takes it from."""
    books.store.run("INSERT INTO events (event_id, body) VALUES (?, ?)", event["id"], text(event))


def undelivered(books: Books, secret: str) -> list[SignedEvent]:
    rows = books.store.rows("SELECT n, body FROM events WHERE delivered = 0 ORDER BY n LIMIT 100")
    return [_signed(books, int(row["n"]), str(row["body"]).encode(), secret) for row in rows]


def acknowledge(books: Books, number: int) -> None:
    books.store.run("UPDATE events SET delivered = 1 WHERE n = ?", number)


def _signed(books: Books, number: int, body: bytes, secret: str) -> SignedEvent:
    return SignedEvent(
        number, {SIGNATURE: sign(body, secret, int(books.now.timestamp())), "Content-Type": "application/json"}, body
    )


def sign(body: bytes, secret: str, timestamp: int) -> str:
    """`t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, as Duffel does it."""
    digest = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={digest}"


def event_json(row_body: str) -> Json:
    return json.loads(row_body)
