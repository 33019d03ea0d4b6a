"""What becomes of orders without us: somebody cancels beside us, or what a person closed as not done comes true after all."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, exists, or_, select

from ..domain.plans import LIVE, PAID, OrderState
from ..domain.trips import TripStatus
from ..persistence.database import Tx
from ..persistence.tables import operations, orders, trips, webhooks

CANCELLED_THERE = "order_cancellation.confirmed"


async def may_have_changed(tx: Tx, *, since: datetime) -> list[Row[Any]]:
    """Live orders to be read now: the airline has told that one was cancelled, or a payment or cancellation of it was closed as
    not done on a person's word only. Both for as long as since then."""
    told = webhooks.c.kind == CANCELLED_THERE, webhooks.c.received_at >= since
    named = select(webhooks.c.body["order_id"].as_string()).where(*told)
    closed = select(operations.c.create_id).where(_closed(since))
    doubted = or_(orders.c.order_id.in_(named), orders.c.create_id.in_(closed))
    return list((await tx.execute(select(orders).where(orders.c.state.in_(LIVE), doubted))).all())


async def gone(tx: Tx, *, since: datetime) -> list[Row[Any]]:
    """Cancelled orders of trips that read as booked and have no other."""
    another = orders.alias()
    left = exists().where(another.c.trip_id == orders.c.trip_id, another.c.state.in_(LIVE), ~another.c.aside)
    over = orders.c.state == OrderState.CANCELLED, ~orders.c.aside, orders.c.updated_at >= since
    told = select(orders.c.order_id, orders.c.trip_id, orders.c.tenant_id).join(trips, trips.c.trip_id == orders.c.trip_id)
    rows: list[Any] = list((await tx.execute(told.where(*over, trips.c.status == TripStatus.BOOKED, ~left))).all())
    return rows


async def came_true(tx: Tx, *, since: datetime) -> list[Row[Any]]:
    """Payments and cancellations that a person closed as not done, and whose order says that they were."""
    again = operations.alias()
    done = exists().where(
        again.c.create_id == operations.c.create_id, again.c.kind == operations.c.kind, again.c.state == "succeeded"
    )
    is_so = or_(
        and_(operations.c.kind == "cancel", orders.c.state == OrderState.CANCELLED),
        and_(operations.c.kind == "pay", orders.c.state.in_(PAID)),
    )
    told = select(operations, orders.c.booking_reference, trips.c.owner_id, trips.c.conversation_id)
    joined = told.join(orders, orders.c.create_id == operations.c.create_id).join(trips, trips.c.trip_id == orders.c.trip_id)
    not_booked = trips.c.status != TripStatus.BOOKED  # else it is told as gone
    return list((await tx.execute(joined.where(_closed(since), is_so, not_booked, ~done))).all())


def _closed(since: datetime) -> ColumnElement[bool]:
    by_a_person = operations.c.resolved_by.is_not(None), operations.c.updated_at >= since
    return and_(operations.c.state == "failed", operations.c.kind.in_(("pay", "cancel")), *by_a_person)
