"""Orders and operations: the ledger as people read it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, func, select

from ..booking.provider import OrderPassengerFact
from ..domain.errors import NotFound
from ..domain.flights import Fare
from ..domain.money import Money
from ..domain.plans import LIVE, OrderState
from ..domain.trips import is_wanted
from ..persistence.database import Tx
from ..persistence.tables import attempts, grants, operations, orders, questions, threads, trips
from . import texts
from .scope import seen_by
from .shapes import OperationView, OrderView, Reader

LONG_PARKED = timedelta(hours=1)  # waiting for the airline's word
UNSETTLED = ("submitting", "unknown", "needs_person")


async def orders_of(tx: Tx, trip_ids: Sequence[str]) -> list[Row[Any]]:
    rows = select(orders).where(orders.c.trip_id.in_(trip_ids)).order_by(orders.c.created_at, orders.c.order_id)
    return list((await tx.execute(rows)).all())


def is_live(row: Row[Any]) -> bool:
    return OrderState(row.state) in LIVE


def order_view(row: Row[Any]) -> OrderView:
    flying = [OrderPassengerFact.model_validate(entry) for entry in row.passengers]
    return OrderView(
        order_id=row.order_id,
        state=row.state,
        booking_reference=row.booking_reference,
        documents=tuple(str(d) for d in row.documents),
        passengers=tuple(f"{p.given_name} {p.family_name}" for p in flying),
        seats=tuple(designator for p in flying for _, designator in p.seats),
        total=Money.model_validate(row.total),
        fare=Fare.model_validate(row.fare),
        pay_by=row.pay_by,
        aside=row.aside,
        trip_id=row.trip_id,
    )


async def operations_view(
    tx: Tx, reader: Reader, *, trip_id: str | None = None, unsettled: bool = False, limit: int = 200
) -> tuple[OperationView, ...]:
    """The newest first; of one trip (NotFound when it is not the reader's), or of every trip the reader may see."""
    if trip_id is not None:
        there = select(trips.c.trip_id).where(trips.c.trip_id == trip_id, seen_by(reader, trips))
        if (await tx.execute(there)).one_or_none() is None:
            raise NotFound("not_found", what="trip")
    rows = await _operations(tx, reader, trip_id=trip_id, unsettled=unsettled, limit=limit)
    ids = [row.operation_id for row in rows]
    made = {o.create_id: o for o in await _orders_by_create(tx, [row.create_id for row in rows])}
    tried = list((await tx.execute(select(attempts).where(attempts.c.operation_id.in_(ids)).order_by(attempts.c.number))).all())
    granted = list((await tx.execute(select(grants).where(grants.c.operation_id.in_(ids)).order_by(grants.c.created_at))).all())
    return tuple(_operation(reader, row, made.get(row.create_id), tried, granted) for row in rows)


async def succeeded(tx: Tx, trip_id: str) -> frozenset[str]:
    done = select(operations.c.operation_id).where(operations.c.trip_id == trip_id, operations.c.state == "succeeded")
    return frozenset((await tx.execute(done)).scalars())


async def _operations(tx: Tx, reader: Reader, *, trip_id: str | None, unsettled: bool, limit: int) -> list[Row[Any]]:
    query = (
        select(operations, trips.c.create_ids, threads.c.main_branch_id)
        .join(trips, trips.c.trip_id == operations.c.trip_id)
        .join(threads, threads.c.thread_id == operations.c.trip_id)
        .where(seen_by(reader, trips))
        .order_by(operations.c.created_at.desc(), operations.c.operation_id)
        .limit(limit)
    )
    if trip_id is not None:
        query = query.where(operations.c.trip_id == trip_id)
    if unsettled:
        query = query.where(operations.c.state.in_(UNSETTLED))
    return list((await tx.execute(query)).all())


async def _orders_by_create(tx: Tx, create_ids: list[str]) -> list[Row[Any]]:
    rows = select(orders).where(orders.c.create_id.in_(create_ids)).order_by(orders.c.created_at.desc())
    return list((await tx.execute(rows)).all())  # the first of a create comes last, and counts


def _operation(
    reader: Reader, row: Row[Any], order: Row[Any] | None, tried: list[Row[Any]], granted: list[Row[Any]]
) -> OperationView:
    mine = [a for a in tried if a.operation_id == row.operation_id]
    grant = next((g for g in reversed(granted) if g.operation_id == row.operation_id), None)
    return OperationView(
        operation_id=row.operation_id,
        trip_id=row.trip_id,
        kind=row.kind,
        state=row.state,
        reason=texts.reason(reader, row.reason),
        attempts=tuple(
            {"number": a.number, "outcome": a.outcome, "amount": a.amount, "started_at": a.started_at, "ended_at": a.ended_at}
            for a in mine
        ),
        order_id=order.order_id if order else None,
        booking_reference=order.booking_reference if order else None,
        branch_ref=row.main_branch_id if _is_wanted(row, order) else None,
        approval=_approval(grant) if grant else None,
        created_at=row.created_at,
    )  # fmt: skip


def _is_wanted(row: Row[Any], order: Row[Any] | None) -> bool:
    """By its trip's main line; what has made no order yet, by its create alone."""
    if order is None:
        return row.create_id in row.create_ids
    return is_wanted(row.create_id, by=row.create_ids, state=order.state, aside=order.aside)


def _approval(grant: Row[Any]) -> dict[str, Any]:
    return {
        "by": grant.actor.get("name"),
        "granted_by": grant.granted_by,
        "bound": grant.bound,
        "state": grant.state,
        "at": grant.created_at,
    }


async def waiting_on_people(tx: Tx, *, now: datetime) -> dict[str, int]:
    """What does not go on by itself, of all tenants: as numbers only."""
    long_ago = questions.c.node == "await_outcome", questions.c.status == "waiting", questions.c.created_at <= now - LONG_PARKED
    counted = {
        "operations": select(func.count()).select_from(operations).where(operations.c.state == "needs_person"),
        "late_orders": select(func.count()).select_from(orders).where(orders.c.state == OrderState.SURPLUS),
        "trips": select(func.count()).select_from(trips).where(trips.c.status == "needs_person"),
        "parked_long": select(func.count()).select_from(questions).where(*long_ago),
    }
    return {name: (await tx.execute(query)).scalar_one() for name, query in counted.items()}
