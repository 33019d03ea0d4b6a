"""What a conversation's turns gave rise to: the trip commands that follow from them, and the trips they are about."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, select

from .domain.commands import Kind
from .persistence import trips
from .persistence.database import Tx
from .persistence.tables import commands

FOLLOWED = (Kind.START_TRIP, Kind.CHOOSE, Kind.AGREE, Kind.REVISE_TRIP, Kind.CANCEL_TRIP)


async def follow_ups_of(tx: Tx, thread: Row[Any], left: list[Row[Any]]) -> list[Row[Any]]:
    """The trip commands that the abandoned turns gave rise to."""
    parents = sorted({row.command_id for row in left})
    mine = (
        commands.c.tenant_id == thread.tenant_id,
        commands.c.parent_command_id.in_(parents),
        commands.c.kind.in_(FOLLOWED),
        commands.c.status.in_(("accepted", "running", "succeeded")),
    )
    return list((await tx.execute(select(commands).where(*mine).order_by(commands.c.thread_seq, commands.c.created_at))).all())


def followed(rows: list[Row[Any]]) -> dict[str, list[Row[Any]]]:
    """By trip, in order."""
    by_trip: dict[str, list[Row[Any]]] = {}
    for row in rows:
        by_trip.setdefault(row.thread_id, []).append(row)
    return by_trip


async def trips_of(tx: Tx, by_trip: dict[str, list[Row[Any]]]) -> list[Row[Any]]:
    found = [await trips.find(tx, trip_id) for trip_id in by_trip]
    return [row for row in found if row is not None]
