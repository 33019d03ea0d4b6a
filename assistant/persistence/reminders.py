"""Orders outside the main lines: since when, how often they were told of, and when next. A row goes when its order is settled."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, or_, select, update

from ..domain.plans import LIVE, OrderState
from .commands import OPEN
from .database import Tx, insert_or
from .tables import commands, orders, reminders, trips
from .trips import main_line_wants


async def begin(tx: Tx, row: dict[str, Any]) -> bool:
    """False where the order is listed already."""
    return (await tx.execute(insert_or(tx, reminders).values(row).on_conflict_do_nothing())).rowcount == 1


async def of_trip(tx: Tx, trip_id: str) -> list[Row[Any]]:
    return list((await tx.execute(select(reminders).where(reminders.c.trip_id == trip_id))).all())


async def unlisted(tx: Tx) -> list[str]:
    """Trips at rest with a live order that their main line does not want, and that is neither set aside nor listed."""
    listed = select(reminders.c.order_id).where(reminders.c.order_id == orders.c.order_id)
    moving = select(commands.c.command_id).where(commands.c.thread_id == trips.c.trip_id, commands.c.status.in_(OPEN))
    outside = orders.c.state.in_(LIVE), ~orders.c.aside, or_(~main_line_wants(), orders.c.state == OrderState.SURPLUS)
    rows = select(trips.c.trip_id).join(orders, orders.c.trip_id == trips.c.trip_id)
    found = rows.where(*outside, ~listed.exists(), ~moving.exists()).distinct()
    return list((await tx.execute(found.order_by(trips.c.trip_id))).scalars())


async def due(tx: Tx, now: datetime) -> list[Row[Any]]:
    late = select(reminders).where(reminders.c.due.is_not(None), reminders.c.due <= now)
    return list((await tx.execute(late.order_by(reminders.c.due))).all())


async def told(tx: Tx, row: Row[Any], *, due: datetime | None) -> None:
    """Once more; compare-and-set, so that two who tell it count once."""
    this = reminders.c.order_id == row.order_id, reminders.c.since == row.since, reminders.c.told == row.told
    await tx.execute(update(reminders).where(*this).values(told=row.told + 1, due=due))


async def put_off(tx: Tx, order_id: str, *, due: datetime) -> None:
    await tx.execute(update(reminders).where(reminders.c.order_id == order_id).values(due=due))


async def end(tx: Tx, order_id: str) -> None:
    await tx.execute(delete(reminders).where(reminders.c.order_id == order_id))
