"""Reading the ledger: a trip's page, its operations, attempts and quotes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, func, or_, select

from ..domain.flights import Fare
from ..domain.money import Money
from ..domain.plans import (
    CREATES,
    LIVE,
    Itinerary,
    Order,
    OrderState,
    Refund,
    by_the_rules,
)
from ..domain.settlement import LedgerPage
from ..persistence.database import Tx
from ..persistence.tables import attempts, evidence, operations, orders, quotes, runs


@dataclass(frozen=True)
class Book:
    """Whose ledger: tenant, and which world the money is in (`mode` = sandbox | test | live)."""

    tenant_id: str
    mode: str


async def page(tx: Tx, book: Book, trip_id: str) -> LedgerPage:
    """A trip's page; every branch of it."""
    mine = (await tx.execute(select(orders).where(orders.c.trip_id == trip_id).order_by(orders.c.created_at))).all()
    creates = operations.c.kind.in_([kind.value for kind in CREATES])
    its = operations.c.trip_id == trip_id, or_(operations.c.state == "failed", creates)
    tried = (await tx.execute(select(operations).where(*its))).all()
    failed = [t for t in tried if t.state == "failed"]
    over = {f.create_id for f in failed if f.kind in CREATES}  # a create is closed once
    gone = [o for o in mine if OrderState(o.state) not in LIVE and o.create_id not in over]
    closed = [_intent(row) for row in (*gone, *(f for f in failed if f.kind in CREATES))]
    return LedgerPage(
        tenant_id=book.tenant_id,
        mode=book.mode,
        trip_id=trip_id,
        orders=tuple([await _order(tx, row) for row in mine if OrderState(row.state) in LIVE]),
        closed_creates=(*closed, *_moved_away(mine, [t for t in tried if t.kind in CREATES and t.create_id not in over])),
        failed=tuple((r.kind, r.create_id) for r in failed if r.kind not in CREATES),
    )


def _moved_away(made: Sequence[Row[Any]], creates: Sequence[Row[Any]]) -> list[str]:
    """What creates were to make whose order the airline has moved since: wanted again, it is bought anew."""
    now = {order.create_id: _intent(order) for order in made}
    was = {create.create_id: _intent(create) for create in creates}
    return [intent for create_id, intent in was.items() if now.get(create_id, intent) != intent]


def _intent(row: Row[Any]) -> str:
    return Itinerary.model_validate(row.itinerary).intent


async def operation(tx: Tx, operation_id: str) -> Row[Any]:
    return (await tx.execute(select(operations).where(operations.c.operation_id == operation_id))).one()


async def find_operation(tx: Tx, operation_id: str) -> Row[Any] | None:
    return (await tx.execute(select(operations).where(operations.c.operation_id == operation_id))).one_or_none()


async def closed_unsure(tx: Tx, *, since: datetime, looks: int) -> list[Row[Any]]:
    """Creates closed as not booked on somebody's word only: an order of theirs may still turn up.

    A person's word is doubted since it was given after `since`; the airline's own for fewer than so many `looks`, which
    begin anew when it tells of an order after all.
    """
    unsure = select(attempts.c.operation_id).where(or_(attempts.c.outcome == "unknown", attempts.c.outcome.is_(None)))
    no_order = select(orders.c.create_id)
    taken_in = select(evidence.c.operation_id).where(evidence.c.kind == "taken_in", evidence.c.operation_id.is_not(None))
    by_a_person = operations.c.resolved_by.is_not(None), operations.c.updated_at >= since, operations.c.operation_id.in_(unsure)
    by_the_airline = operations.c.looks < looks, operations.c.look_after >= since
    late = (
        operations.c.state == "failed",
        operations.c.kind.in_([kind.value for kind in CREATES]),
        or_(and_(*by_a_person), and_(*by_the_airline)),
        operations.c.create_id.not_in(no_order),
        operations.c.operation_id.not_in(taken_in),
    )
    return list((await tx.execute(select(operations).where(*late))).all())


async def order_of(tx: Tx, create_id: str) -> Row[Any] | None:
    """The order a create made; a surplus one is never it."""
    mine = orders.c.create_id == create_id, orders.c.state != OrderState.SURPLUS
    return (await tx.execute(select(orders).where(*mine))).one_or_none()


async def surplus_of(tx: Tx, create_id: str) -> Row[Any] | None:
    """The order that appeared after its create was closed."""
    late = orders.c.create_id == create_id, orders.c.state == OrderState.SURPLUS
    return (await tx.execute(select(orders).where(*late).limit(1))).one_or_none()


async def surplus_on(tx: Tx, book: Book, itinerary: Itinerary) -> Row[Any] | None:
    """A late order that nobody has settled yet, of one of these passengers on one of these flights."""
    late = orders.c.tenant_id == book.tenant_id, orders.c.mode == book.mode, orders.c.state == OrderState.SURPLUS
    rows = (await tx.execute(select(orders).where(*late))).all()
    return next((row for row in rows if Itinerary.model_validate(row.itinerary).overlaps(itinerary)), None)


def is_overdue(paid_before: datetime) -> ColumnElement[bool]:
    """Of an order: the airline took its money before this moment and has issued no ticket. None that is set aside."""
    paying = operations.c.operation_id == attempts.c.operation_id, operations.c.kind.in_(("book", "pay"))
    mine = operations.c.create_id == orders.c.create_id, attempts.c.outcome == "succeeded"
    paid_at = select(func.max(attempts.c.started_at)).where(*paying, *mine).correlate(orders).scalar_subquery()
    known = func.coalesce(paid_at, orders.c.updated_at) <= paid_before  # of what was paid elsewhere only that
    return and_(orders.c.state == OrderState.TICKETING, ~orders.c.aside, known)


async def overdue(tx: Tx, *, paid_before: datetime, trip_id: str | None = None) -> list[Row[Any]]:
    """Orders that are paid since before this moment and have no ticket; of one trip where it is named."""
    its = (orders.c.trip_id == trip_id,) if trip_id is not None else ()
    return list((await tx.execute(select(orders).where(is_overdue(paid_before), *its))).all())


async def order(tx: Tx, order_id: str) -> Row[Any] | None:
    return (await tx.execute(select(orders).where(orders.c.order_id == order_id))).one_or_none()


async def last_attempt(tx: Tx, operation_id: str) -> Row[Any] | None:
    newest = select(attempts).where(attempts.c.operation_id == operation_id).order_by(attempts.c.number.desc()).limit(1)
    return (await tx.execute(newest)).one_or_none()


async def newest_quote(tx: Tx, order_id: str) -> Row[Any] | None:
    newest = select(quotes).where(quotes.c.order_id == order_id).order_by(quotes.c.created_at.desc(), quotes.c.quote_id.desc())
    return (await tx.execute(newest.limit(1))).one_or_none()


async def in_state(tx: Tx, *states: str) -> list[Row[Any]]:
    rows = select(operations).where(operations.c.state.in_(states)).order_by(operations.c.created_at)
    return list((await tx.execute(rows)).all())


async def orders_in(tx: Tx, *states: OrderState) -> list[Row[Any]]:
    return list((await tx.execute(select(orders).where(orders.c.state.in_(states)))).all())


async def unsettled(tx: Tx, trip_id: str) -> list[Row[Any]]:
    """What may be happening at the airline right now; while there is any, the trip must not be taken elsewhere."""
    mine = operations.c.trip_id == trip_id, operations.c.state.in_(("submitting", "unknown", "needs_person"))
    return list((await tx.execute(select(operations).where(*mine))).all())


async def spent_since(tx: Tx, trip_id: str, command_id: str, at: datetime) -> bool:
    """Whether anything of a trip was paid or cancelled after this moment, or by this command's runs or later ones, whatever the
    clock said; a hold given back is neither."""
    first = select(func.min(runs.c.fence)).where(runs.c.thread_id == trip_id, runs.c.command_id == command_id).scalar_subquery()
    ran = select(runs.c.run_id).where(runs.c.thread_id == trip_id, runs.c.fence >= first)
    tried = select(attempts.c.operation_id).where(attempts.c.run_id.in_(ran))
    since = or_(operations.c.updated_at >= at, operations.c.operation_id.in_(tried))
    mine = operations.c.trip_id == trip_id, operations.c.state == "succeeded", since
    rows = (await tx.execute(select(operations).where(*mine, operations.c.kind != "hold"))).all()
    paid = [row for row in rows if row.kind != "cancel"]
    given_up = [await order_of(tx, row.create_id) for row in rows if row.kind == "cancel"]
    return bool(paid) or any(order is not None and order.documents for order in given_up)


async def has_sent(tx: Tx, tenant_id: str, command_id: str) -> bool:
    """Whether a run of this command has begun to do anything at the airline."""
    mine = runs.c.tenant_id == tenant_id, runs.c.command_id == command_id
    sent = select(attempts.c.operation_id).join(runs, runs.c.run_id == attempts.c.run_id).where(*mine)
    return (await tx.execute(sent.limit(1))).first() is not None


async def _order(tx: Tx, row: Row[Any]) -> Order:
    quote = await newest_quote(tx, row.order_id)
    refund = (
        by_the_rules(Fare.model_validate(row.fare), Money.model_validate(row.total))
        if quote is None
        else Refund(money=quote.refund and Money.model_validate(quote.refund), kind=quote.kind, quoted=True)
    )
    return Order(
        order_id=row.order_id,
        create_id=row.create_id,
        state=OrderState(row.state),
        itinerary=Itinerary.model_validate(row.itinerary),
        fare=Fare.model_validate(row.fare),
        total=Money.model_validate(row.total),
        booking_reference=row.booking_reference,
        refund=refund,
        aside=row.aside,
        pay_by=row.pay_by,
    )
