"""The airline's HTTP face: Duffel's paths, headers and envelopes, and the faults of the plan around each call."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from email.utils import format_datetime
from http import HTTPStatus
from typing import Protocol, cast
from uuid import uuid4

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...crashpoints import point
from .admin import Administered, admin_routes
from .books import Books
from .calls import Answer, Call, carry_out, route_of
from .connection import spoiled_connection
from .due import settle
from .errors import AirlineError
from .faults import BrokenWire, Fault, LostAnswer, pick, spoiled
from .faulty import after, before, comes_first, comes_with_the_answer, hide, instead, nudge
from .magic import Magic, magic
from .shapes import shaped
from .store import Json

_PATHS = (
    ("POST", "/air/offer_requests", "search"),
    ("GET", "/air/offers", "list_offers"),
    ("GET", "/air/offers/{subject}", "get_offer"),
    ("POST", "/air/offers/{subject}/actions/price", "price"),
    ("GET", "/air/seat_maps", "seat_map"),
    ("POST", "/air/orders", "create"),
    ("GET", "/air/orders", "find_orders"),
    ("GET", "/air/orders/{subject}", "get_order"),
    ("POST", "/air/payments", "pay"),
    ("POST", "/air/order_cancellations", "quote"),
    ("GET", "/air/order_cancellations/{subject}", "get_cancellation"),
    ("POST", "/air/order_cancellations/{subject}/actions/confirm", "confirm"),
)


_Spoil = Callable[[LostAnswer | BrokenWire], Response]


class Airline(Administered, Protocol):
    def books(self) -> Books: ...


def air_app(airline: Airline, *, admin: bool, on_a_port: bool = False) -> Starlette:
    """The airline as an ASGI app. `on_a_port`: a real connection hangs and breaks; in-process the caller sees the exception."""
    spoil = spoiled_connection if on_a_port else None
    routes = [Route(path, _endpoint(airline, op, spoil), methods=[method]) for method, path, op in _PATHS]
    middleware = [Middleware(GZipMiddleware, minimum_size=1_000)] if on_a_port else []
    return Starlette(routes=[*routes, *(admin_routes(airline) if admin else ())], middleware=middleware)


def _endpoint(airline: Airline, op: str, spoil: _Spoil | None) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            _check_headers(request)
            subject = str(request.path_params.get("subject", ""))
            response = await _serve(airline, Call(op, shaped(op, await _body(request)), subject, dict(request.query_params)))
        except AirlineError as refusal:
            response = _refusal(refusal)
        except sqlite3.OperationalError as disk:  # what it was doing is rolled back
            response = _refusal(AirlineError("internal_server_error", f"The airline's own records: {disk}", status=503))
        except (LostAnswer, BrokenWire) as broken:
            if spoil is None:
                raise
            response = spoil(broken)
        response.headers["Date"] = format_datetime(airline.books().now, usegmt=True)
        return response

    return endpoint


async def _serve(airline: Airline, call: Call) -> Response:
    """One call: time passes first, then the plan may spoil it before, instead of or after what it does."""
    books = airline.books()
    with books.store.transaction():
        settle(books)
        fault = pick(books, call.op, lambda: route_of(books, call))
        if fault and (nudge(books, call, fault) or comes_first(fault)):
            spoiled(books, fault)
    if call.op == "search" and magic(route_of(books, call) or "") is Magic.SEARCH_TIMES_OUT:
        await asyncio.sleep(books.terms.search_timeout.total_seconds())
        raise AirlineError("supplier_timeout", "The airline took too long to answer", status=504)
    if fault and (page := await before(fault)):
        return page
    with books.store.transaction():
        books = airline.books()
        answer = (instead(books, call, fault) if fault else None) or carry_out(books, call)
        if fault and fault.fault is Fault.VISIBILITY_LAG and call.op == "create":
            hide(books, answer.body["data"]["id"], fault)
        if fault and comes_with_the_answer(fault, call):
            spoiled(books, fault)
    point("airline.applied", call.op)
    response = respond(answer)
    return after(fault, response) if fault else response


def respond(answer: Answer) -> Response:
    response = JSONResponse(answer.body, status_code=answer.status)
    response.headers["x-request-id"] = uuid4().hex
    return response


def _refusal(refusal: AirlineError) -> Response:
    return respond(Answer(refusal.status, refusal.body(uuid4().hex)))


def _check_headers(request: Request) -> None:
    if not request.headers.get("authorization", "").startswith("Bearer "):
        raise AirlineError("missing_authorization_header", "An access token is needed", status=401)
    if request.headers.get("duffel-version") != "v2":
        raise AirlineError("unsupported_version", "Duffel-Version must be v2", status=400)


async def _body(request: Request) -> Json:
    if request.method != "POST":
        return {}
    raw = await request.body()
    if not raw and request.url.path.endswith(("/confirm", "/price")):
        return {}
    malformed = AirlineError("malformed_data_param", "The body must be JSON with a data object", status=HTTPStatus.BAD_REQUEST)
    try:
        data = json.loads(raw)["data"]
    except (ValueError, KeyError, TypeError):
        raise malformed from None
    if not isinstance(data, dict):
        raise malformed
    return cast(Json, data)
