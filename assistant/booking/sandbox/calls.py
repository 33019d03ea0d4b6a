"""The calls one can make: which record function answers, and with which status."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from .books import Books
from .cancellations import confirm, find_cancellation, quote
from .errors import AirlineError, not_found
from .offers import find_offer, offer_json, offers_of, read_offer
from .order_json import order_json
from .order_records import find_order, orders_of_offer
from .orders import create, pay
from .searching import search
from .seat_services import seat_maps
from .store import Json

T = TypeVar("T")
EFFECTS = frozenset({"create", "pay", "quote", "confirm"})


@dataclass(frozen=True, slots=True)
class Call:
    """`op` as in the fault plan, `subject` the id in the path."""

    op: str
    body: Json = field(default_factory=dict[str, object])
    subject: str = ""
    query: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: Json


def carry_out(books: Books, call: Call) -> Answer:
    """Do what was asked, as of now."""
    match call.op:
        case "search":
            return Answer(201, {"data": search(books, call.body)})
        case "list_offers":
            return _offers(books, call.query)
        case "get_offer":
            return Answer(200, {"data": offer_json(read_offer(books, call.subject))})
        case "price":
            return Answer(200, {"data": {**offer_json(read_offer(books, call.subject)), "intended_services": []}})
        case "seat_map":
            return Answer(200, {"data": seat_maps(books, call.query.get("offer_id", ""))})
        case "create":
            return Answer(201, {"data": order_json(books, create(books, call.body))})
        case "get_order":
            return Answer(200, {"data": order_json(books, find_order(books, call.subject))})
        case "find_orders":
            return _orders(books, call.query)
        case "pay":
            return Answer(201, {"data": pay(books, call.body)})
        case "quote":
            return Answer(201, {"data": quote(books, call.body)})
        case "get_cancellation":
            return Answer(200, {"data": find_cancellation(books, call.subject)})
        case "confirm":
            return Answer(200, {"data": confirm(books, call.subject)})
        case _:
            raise not_found("resource")


def route_of(books: Books, call: Call) -> str | None:
    """The route a call is about, "PVG-NRT" as searched; None where it names nothing known."""
    try:
        match call.op:
            case "search":
                slices: list[Json] = call.body["slices"]
                return f"{slices[0].get('origin')}-{slices[0].get('destination')}"
            case "list_offers":
                offers = offers_of(books, call.query.get("offer_request_id", ""))
                return offers[0].route if offers else None
            case "get_offer" | "price":
                return find_offer(books, call.subject).route
            case "seat_map" | "find_orders":
                return find_offer(books, call.query.get("offer_id", "")).route
            case "create":
                return find_offer(books, str((call.body.get("selected_offers") or [""])[0])).route
            case _:
                return find_order(books, _order_id(books, call)).offer.route
    except (AirlineError, LookupError, TypeError, AttributeError):
        return None


def _order_id(books: Books, call: Call) -> str:
    match call.op:
        case "pay" | "quote":
            return str(call.body.get("order_id"))
        case "confirm" | "get_cancellation":
            return find_cancellation(books, call.subject)["order_id"]
        case _:
            return call.subject


def _offers(books: Books, query: dict[str, str]) -> Answer:
    offers = offers_of(books, query.get("offer_request_id", ""))
    return _page(offers, query, offer_json)


def _orders(books: Books, query: dict[str, str]) -> Answer:
    """Newest first, whatever order is asked for."""
    return _page(orders_of_offer(books, query.get("offer_id")), query, lambda order: order_json(books, order))


def _page(rows: Sequence[T], query: dict[str, str], shown: Callable[[T], Json]) -> Answer:
    limit = min(max(int(query["limit"]), 1), 200) if query.get("limit", "").isdecimal() else 50
    start = int(query["after"]) if query.get("after", "").isdecimal() else 0
    after = str(start + limit) if start + limit < len(rows) else None
    meta = {"limit": limit, "before": None, "after": after}
    return Answer(200, {"data": [shown(row) for row in rows[start : start + limit]], "meta": meta})
