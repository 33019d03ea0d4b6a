"""Flights that are being given back: whoever wants one of them for the same passenger waits until the airline has it again."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy import select

from ..domain.commands import Kind, Status
from ..persistence.database import Tx
from ..persistence.tables import commands, operations


class Leaving(StrEnum):
    """`UNDER_WAY` ends by itself; `UNCLEAR` waits for a person, and nobody can say for how long."""

    STAYS = "stays"
    UNDER_WAY = "under_way"
    UNCLEAR = "unclear"


async def leaving(tx: Tx, create_id: str, *, trip_id: str) -> Leaving:
    """Whether what this create made is being given up: by a cancellation at the airline, or by its trip being withdrawn."""
    cancels = operations.c.create_id == create_id, operations.c.kind == "cancel"
    states = set((await tx.execute(select(operations.c.state).where(*cancels))).scalars())
    if states & {"submitting", "unknown"}:
        return Leaving.UNDER_WAY
    if "needs_person" in states:
        return Leaving.UNCLEAR
    mine = commands.c.thread_id == trip_id, commands.c.kind == Kind.WITHDRAW
    waiting = commands.c.status.in_((Status.ACCEPTED, Status.RUNNING))
    queued = (await tx.execute(select(commands.c.payload).where(*mine, waiting))).scalars().all()
    return Leaving.UNDER_WAY if any(payload.get("started") for payload in queued) else Leaving.STAYS
