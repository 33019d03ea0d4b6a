"""Orders as the airline says they are, with the quotes for giving them up."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, func, select, update

from ..booking.provider import AirlineOrder, CancellationQuote
from ..domain.errors import Conflict
from ..domain.flights import Fare
from ..domain.plans import PAID, Itinerary, OrderState
from ..persistence.database import Tx, insert_or
from ..persistence.tables import evidence, orders, quotes
from .granting import claim_what_is_free, release_claims
from .pages import last_attempt, order

OVER = frozenset({OrderState.CANCELLED, OrderState.LAPSED})
_UNPAID = frozenset({OrderState.HELD, OrderState.LAPSED})
_BEFORE = {OrderState.TICKETING: _UNPAID, OrderState.CONFIRMED: _UNPAID | {OrderState.TICKETING}}  # no airline goes back to it


async def add_order(
    tx: Tx, row: Row[Any], found: AirlineOrder, *, fare: Fare | None, state: OrderState | None, at: datetime
) -> None:
    """A new order of an operation; `state` surplus when its operation was closed before it appeared.

    One that is over by the time it is found, as a hold that ran out, is neither: it is over, and keeps nobody from its flight.
    """
    bought = fare or await _planned_fare(tx, row)
    values = facts_of(found) | {
        "tenant_id": row.tenant_id,
        "mode": row.mode,
        "trip_id": row.trip_id,
        "create_id": row.create_id,
        "itinerary": row.itinerary,
        "fare": bought.model_dump(mode="json"),
        "created_at": at,
        "updated_at": at,
        "aside": False,
    }
    over = values["state"] in OVER
    if state is not None and not over:
        values["state"] = state
    await tx.execute(insert_or(tx, orders).values(values).on_conflict_do_nothing())
    if over:
        await release_claims(tx, row.create_id)
    elif state is OrderState.SURPLUS:  # its create had given the claims back
        await claim_what_is_free(tx, row, Itinerary.model_validate(row.itinerary))


async def refresh_order(tx: Tx, found: AirlineOrder, *, at: datetime) -> bool:
    """Write what the airline says now; a state never moves backwards. True when something changed.

    A reading may be older than what is known by now: it was answered before a payment, and arrived after it.
    """
    row = await order(tx, found.order_id)
    if row is None:
        return False
    facts, known = facts_of(found), OrderState(row.state)
    if facts["state"] in _BEFORE.get(known, ()):
        return False
    if known is OrderState.LAPSED and facts["state"] in PAID:  # that it ran out was read off a clock
        await claim_what_is_free(tx, row, Itinerary.model_validate(row.itinerary))
    elif known in OVER | {OrderState.SURPLUS} and facts["state"] not in OVER:
        facts["state"] = row.state
    if row.state == OrderState.RELEASING and facts["state"] == OrderState.HELD:
        facts["state"] = row.state
    changed = any(getattr(row, k) != v for k, v in facts.items())
    if changed:
        await tx.execute(update(orders).where(orders.c.order_id == found.order_id).values(facts | {"updated_at": at}))
    if facts["state"] in OVER:
        await release_claims(tx, row.create_id)
    return changed


async def set_aside(tx: Tx, create_id: str, *, aside: bool, at: datetime) -> None:
    """Left alone by later plans; or, where the main line wants it again, its own once more."""
    changed = orders.c.create_id == create_id, orders.c.aside != aside
    await tx.execute(update(orders).where(*changed).values(aside=aside, updated_at=at))


async def quoted(tx: Tx, quote: CancellationQuote, *, at: datetime) -> None:
    """The newest of an order, also where the clock was set back since the last one."""
    last = (await tx.execute(select(func.max(quotes.c.created_at)).where(quotes.c.order_id == quote.order_id))).scalar()
    at = at if last is None else max(at, last + timedelta(microseconds=1))
    row = {
        "quote_id": quote.quote_id,
        "order_id": quote.order_id,
        "refund": quote.refund and quote.refund.model_dump(mode="json"),
        "kind": quote.kind,
        "expires_at": quote.expires_at,
        "created_at": at,
    }
    await tx.execute(insert_or(tx, quotes).values(row).on_conflict_do_nothing())


async def _planned_fare(tx: Tx, row: Row[Any]) -> Fare:
    attempt = await last_attempt(tx, row.operation_id)
    seen = await tx.execute(
        select(evidence.c.body)
        .where(evidence.c.operation_id == row.operation_id, evidence.c.kind == "offer")
        .order_by(evidence.c.n.desc())
    )
    body = seen.scalars().first()
    if body is None:
        raise Conflict("offer_unknown", operation_id=row.operation_id, attempt=attempt and attempt.number)
    return Fare.model_validate(body)


def facts_of(found: AirlineOrder) -> dict[str, Any]:
    state = {
        "held": OrderState.HELD,
        "lapsed": OrderState.LAPSED,
        "ticketing": OrderState.TICKETING,
        "confirmed": OrderState.CONFIRMED,
        "cancelled": OrderState.CANCELLED,
    }[found.state]
    return {
        "order_id": found.order_id,
        "state": state,
        "total": found.total.model_dump(mode="json"),
        "booking_reference": found.booking_reference,
        "documents": list(found.documents),
        "passengers": [p.model_dump(mode="json") for p in found.passengers],
        "pay_by": found.pay_by,
        "price_guaranteed_until": found.price_guaranteed_until,
    }
