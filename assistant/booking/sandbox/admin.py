"""`/_sandbox/`: what tests, demos and `layover doctor` may see and do that no customer of an airline can. Loopback only."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Protocol

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .books import Books
from .due import settle
from .faults import put_plan, read_plan
from .order_json import order_json
from .order_records import find_order, live_orders
from .store import Json, wire_time

_LOOPBACK = frozenset({"127.0.0.1", "::1", "testclient"})
_Endpoint = Callable[[Request], Awaitable[Response]]


class Administered(Protocol):
    def books(self) -> Books: ...
    def advance(self, seconds: float) -> datetime: ...
    def reset(self, seed: int) -> None: ...


def admin_routes(airline: Administered) -> list[Route]:
    async def journal(_: Request) -> Response:
        return JSONResponse({"data": read_journal(_current(airline))})

    async def orders(request: Request) -> Response:
        return JSONResponse({"data": read_orders(_current(airline), live=request.query_params.get("live") == "1")})

    async def balances(_: Request) -> Response:
        books = airline.books()
        return JSONResponse({"data": {c: str(books.balance(c)) for c in ("CNY", "EUR", "GBP", "USD")}})

    async def faults(request: Request) -> Response:
        books = airline.books()
        if request.method == "GET":
            return JSONResponse([f.model_dump(mode="json") for f in read_plan(books)])
        with books.store.transaction():
            plan = put_plan(books, json.loads(await request.body()))
        return JSONResponse([f.model_dump(mode="json") for f in plan])

    async def advance(request: Request) -> Response:
        seconds = float((await _json(request))["seconds"])
        return JSONResponse({"now": wire_time(airline.advance(seconds))})

    async def clock(_: Request) -> Response:
        return JSONResponse({"now": wire_time(airline.books().now)})

    async def reset(request: Request) -> Response:
        airline.reset(int((await _json(request))["seed"]))
        return JSONResponse({"now": wire_time(airline.books().now)})

    return [
        Route("/_sandbox/journal", _guarded(journal), methods=["GET"]),
        Route("/_sandbox/orders", _guarded(orders), methods=["GET"]),
        Route("/_sandbox/balances", _guarded(balances), methods=["GET"]),
        Route("/_sandbox/faults", _guarded(faults), methods=["GET", "PUT"]),
        Route("/_sandbox/clock", _guarded(clock), methods=["GET"]),
        Route("/_sandbox/clock/advance", _guarded(advance), methods=["POST"]),
        Route("/_sandbox/reset", _guarded(reset), methods=["POST"]),
    ]


def read_journal(books: Books) -> list[Json]:
    """Every effect as it truly happened, oldest first: `n, at, effect, order_id` and the facts of the effect."""
    rows = books.store.rows("SELECT * FROM journal ORDER BY n")
    return [{"n": r["n"], "at": r["at"], "effect": r["effect"], "order_id": r["order_id"], **json.loads(r["body"])} for r in rows]


def read_orders(books: Books, *, live: bool) -> list[Json]:
    """The airline's orders, also those no look-up shows yet; `live` leaves out cancelled and lapsed ones."""
    rows = books.store.rows("SELECT order_id FROM orders ORDER BY created_at")
    orders = live_orders(books) if live else [find_order(books, r["order_id"]) for r in rows]
    return [{**order_json(books, o), "flights": [f.key for f in o.offer.flights], "live": o.live} for o in orders]


def _current(airline: Administered) -> Books:
    books = airline.books()
    with books.store.transaction():
        settle(books)
    return books


def _guarded(endpoint: _Endpoint) -> _Endpoint:
    async def guarded(request: Request) -> Response:
        if request.client is None or request.client.host not in _LOOPBACK:
            return JSONResponse({"error": "loopback only"}, status_code=403)
        try:
            return await endpoint(request)
        except (ValidationError, ValueError, KeyError, TypeError) as wrong:
            return JSONResponse({"error": str(wrong)}, status_code=422)

    return guarded


async def _json(request: Request) -> dict[str, Any]:
    return json.loads(await request.body())
