"""Bookings that a trip's main line no longer wants, and nobody has settled: listed from the moment they are left outside."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, select

from .. import ledger
from ..accepting.going_back import departs_at
from ..domain.flights import Fare
from ..domain.plans import LIVE, OrderState, Plan
from ..domain.policy import Policy, reminder_due
from ..domain.trips import is_wanted
from ..persistence import documents, questions, reminders
from ..persistence.database import Tx
from ..persistence.tables import orders


async def bookings_left(tx: Tx, trip: Row[Any], policy: Policy, *, tell: bool, at: datetime) -> list[dict[str, Any]]:
    """Keeps the list right for a trip at rest; the events of those newly left outside, where they are to be told at once.

    What a plan that waits is about is listed once that plan is gone; what is neither told now nor due later is due now.
    """
    live = select(orders).where(orders.c.trip_id == trip.trip_id, orders.c.state.in_(LIVE)).order_by(orders.c.created_at)
    left = {o.order_id: o for o in (await tx.execute(live)).all() if not is_settled(trip, o)}
    for row in await reminders.of_trip(tx, trip.trip_id):
        if row.order_id not in left:
            await reminders.end(tx, row.order_id)
    planned = await planned_for(tx, trip.trip_id)
    told: list[dict[str, Any]] = []
    for order in (o for o in left.values() if o.create_id not in planned):
        departs = departs_at(Fare.model_validate(order.fare).segments[0])
        tells = tell and order.state != OrderState.SURPLUS and at < departs  # of a late one they hear when it is found
        due = reminder_due(policy, since=at, departs=departs, now=at)
        ids = {"order_id": order.order_id, "tenant_id": trip.tenant_id, "trip_id": trip.trip_id}
        row = ids | {"since": at, "told": 0, "due": at if due is None and not tells else due}
        if await reminders.begin(tx, row) and tells:
            told.append(left_event(order, again=False))
    return told


def is_settled(trip: Row[Any], order: Row[Any]) -> bool:
    """Gone at the airline, wanted by the main line, or left alone on purpose."""
    wanted = is_wanted(order.create_id, by=trip.create_ids, state=order.state, aside=order.aside)
    return OrderState(order.state) not in LIVE or order.aside or wanted


async def planned_for(tx: Tx, trip_id: str) -> frozenset[str]:
    """The creates that a plan waiting for somebody's word is about, or that something is happening to."""
    asked = await questions.waiting(tx, trip_id)
    key = asked.body.get("plan_hash") if asked is not None else None
    plan = Plan.model_validate(await documents.read(tx, key)) if key else Plan(steps=())
    moving = await ledger.unsettled(tx, trip_id)
    return frozenset({step.create_id for step in plan.steps} | {row.create_id for row in moving})


def left_event(order: Row[Any], *, again: bool) -> dict[str, Any]:
    """What the conversation is told; `again` where it is a reminder."""
    return {
        "trip_id": order.trip_id,
        "status": "left_outside",
        "order_id": order.order_id,
        "reference": order.booking_reference,
        "fare": order.fare,
        "total": order.total,
        "again": again,
    }
