"""The read model of trips: written by accept and finish only."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Text, cast, insert, literal, select, update

from ..domain.trips import TripStatus
from .database import Tx
from .tables import orders, trips


async def add(tx: Tx, row: dict[str, Any]) -> None:
    await tx.execute(insert(trips).values(row))


async def find(tx: Tx, trip_id: str) -> Row[Any] | None:
    return (await tx.execute(select(trips).where(trips.c.trip_id == trip_id))).one_or_none()


async def change(tx: Tx, trip_id: str, *, at: datetime, **values: Any) -> None:
    await tx.execute(update(trips).where(trips.c.trip_id == trip_id).values(values | {"updated_at": at}))


async def stands_still(tx: Tx, trip_id: str, *, at: datetime) -> None:
    """What was being done for a trip was given up."""
    busy = trips.c.trip_id == trip_id, trips.c.status.in_((TripStatus.SEARCHING, TripStatus.SETTLING))
    await tx.execute(update(trips).where(*busy).values(status=TripStatus.NEEDS_PERSON, reason="failed", updated_at=at))


async def of_conversation(tx: Tx, conversation_id: str) -> list[Row[Any]]:
    rows = select(trips).where(trips.c.conversation_id == conversation_id).order_by(trips.c.created_at, trips.c.trip_id)
    return list((await tx.execute(rows)).all())


async def of_journey(tx: Tx, journey_id: str) -> list[Row[Any]]:
    return list((await tx.execute(select(trips).where(trips.c.journey_id == journey_id).order_by(trips.c.created_at))).all())


def main_line_wants() -> ColumnElement[bool]:
    """Of a trip and an order, joined: whether the trip's main line made it. An order that came late is wanted by none."""
    return cast(trips.c.create_ids, Text).contains(literal('"').concat(orders.c.create_id).concat('"'))
