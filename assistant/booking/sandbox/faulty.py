"""How a planned fault spoils a call: before it is done, instead of it, or on the way back."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from decimal import Decimal
from itertools import count

from starlette.responses import HTMLResponse, JSONResponse, Response

from .books import Books
from .calls import Answer, Call
from .errors import AirlineError
from .faults import BrokenWire, Fault, LostAnswer, PlannedFault
from .offers import AirlineOffer, burnt_by, find_offer, raise_price, take_away
from .order_records import Order, find_order, lapse, rewrite
from .orders import accept
from .seat_services import seats_wanted
from .store import wire_time

_PAGE = "<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>"
_LATE = 5.0
_HIDDEN = 60.0
_WITH_THE_ANSWER = frozenset(
    {
        Fault.TIMEOUT_AFTER_APPLY,
        Fault.CONFIRM_TIMEOUT,
        Fault.RESET_MID_BODY,
        Fault.HTTP_500_AFTER_APPLY,
        Fault.OK_WITHOUT_BODY,
        Fault.ACCEPTED_THEN_CREATED,
        Fault.ACCEPTED_THEN_FAILED,
    }
)


def nudge(books: Books, call: Call, planned: PlannedFault) -> bool:
    """Change the world a moment before the call: dearer, seat sold to a stranger, offer or hold gone. Whether that was done."""
    match planned.fault:
        case Fault.SEAT_STOLEN if call.op == "create":
            return _steal(books, call)
        case Fault.PRICE_BUMP | Fault.OFFER_GONE if call.op == "pay":
            return _spoil_the_hold(books, find_order(books, str(call.body.get("order_id"))), planned)
        case Fault.PRICE_BUMP | Fault.OFFER_GONE if call.op in ("create", "price", "get_offer"):
            return _spoil_the_offer(books, find_offer(books, _offer_id(call)), planned)
        case _:
            return False


def _spoil_the_offer(books: Books, offer: AirlineOffer, planned: PlannedFault) -> bool:
    if offer.expires_at <= books.now or burnt_by(books, offer.request_id):
        return False  # nobody can have it as it is
    if planned.fault is Fault.OFFER_GONE:
        take_away(books, offer.offer_id)
    else:
        raise_price(books, offer, Decimal(planned.amount))
    return True


def _spoil_the_hold(books: Books, order: Order, planned: PlannedFault) -> bool:
    if order.paid_at or not order.live:
        return False  # nothing is to be paid
    if planned.fault is Fault.OFFER_GONE:
        lapse(books, order)
    else:
        total = Decimal(order.body["total_amount"]) + Decimal(planned.amount)
        rewrite(books, order.order_id, {**order.body, "total_amount": str(total)})
    return True


def comes_first(planned: PlannedFault) -> bool:
    """Whatever the call would have come to, it goes wrong before."""
    always = planned.fault in (Fault.TIMEOUT_BEFORE_APPLY, Fault.UNAVAILABLE, Fault.TOO_MANY, Fault.SLOW)
    return always or (planned.fault is Fault.HTML_502 and not planned.applied)


def comes_with_the_answer(planned: PlannedFault, call: Call) -> bool:
    """It spoils a call that is done, or taken in; one that is refused is told so as if nothing were wrong."""
    if planned.fault is Fault.VISIBILITY_LAG:
        return call.op == "create"
    return planned.fault in _WITH_THE_ANSWER or (planned.fault is Fault.HTML_502 and planned.applied)


async def before(planned: PlannedFault) -> Response | None:
    """What the caller gets without the call being done; None to go on."""
    match planned.fault:
        case Fault.TIMEOUT_BEFORE_APPLY:
            raise LostAnswer("timed out before anything was done")
        case Fault.UNAVAILABLE:
            raise AirlineError("service_unavailable", "There is a temporary issue with the server", status=503)
        case Fault.TOO_MANY:
            raise AirlineError("rate_limit_exceeded", "You made too many requests", status=429)
        case Fault.HTML_502 if not planned.applied:
            return HTMLResponse(_PAGE, status_code=502)
        case Fault.SLOW:
            await asyncio.sleep(1.0 if planned.seconds is None else planned.seconds)
        case _:
            pass
    return None


def instead(books: Books, call: Call, planned: PlannedFault) -> Answer | None:
    """Take the call in and do it later, or never; None to do it now."""
    if planned.fault not in (Fault.ACCEPTED_THEN_CREATED, Fault.ACCEPTED_THEN_FAILED):
        return None
    if call.op == "create":
        accept(books, call.body)
    due = books.now + timedelta(seconds=_LATE if planned.seconds is None else planned.seconds)
    if planned.fault is Fault.ACCEPTED_THEN_CREATED:
        books.later(due, "call", {"op": call.op, "body": call.body, "subject": call.subject})
    elif call.op == "create":
        books.later(due, "create_failed", {"body": call.body})
    return Answer(202, {"data": {"status": "pending"}})


def after(planned: PlannedFault, response: Response) -> Response:
    """What the caller gets though the call was done."""
    match planned.fault:
        case Fault.TIMEOUT_AFTER_APPLY | Fault.CONFIRM_TIMEOUT:
            raise LostAnswer("timed out after it was done")
        case Fault.RESET_MID_BODY:
            raise BrokenWire("connection reset", status=response.status_code, body=bytes(response.body))
        case Fault.HTTP_500_AFTER_APPLY:
            error = AirlineError("internal_server_error", "Something went wrong", status=500)
            return JSONResponse(error.body("fault"), status_code=500)
        case Fault.OK_WITHOUT_BODY:
            return Response(status_code=200)
        case Fault.HTML_502:
            return HTMLResponse(_PAGE, status_code=502)
        case _:
            return response


def hide(books: Books, order_id: str, planned: PlannedFault) -> None:
    """Keep a new order out of look-ups for longer than usual."""
    until = books.now + timedelta(seconds=_HIDDEN if planned.seconds is None else planned.seconds)
    books.store.run("UPDATE orders SET visible_at = ? WHERE order_id = ?", wire_time(until), order_id)


def _steal(books: Books, call: Call) -> bool:
    """Sell the wanted seats to a stranger; without a wanted seat that is free there is nothing to steal."""
    offer, stolen = find_offer(books, _offer_id(call)), 0
    stranger = (f"stranger/{n}" for n in count())
    for service in seats_wanted(call.body.get("services") or [], offer):
        segment: int = service["segment"]
        stolen += books.store.run(
            "INSERT OR IGNORE INTO taken (flight, cabin, passenger, designator, order_id) VALUES (?, ?, ?, ?, 'stranger')",
            offer.flights[segment].key,
            str(offer.brand.cabin),
            next(stranger),
            service["designator"],
        )
    return stolen > 0


def _offer_id(call: Call) -> str:
    return call.subject or str((call.body.get("selected_offers") or [""])[0])
