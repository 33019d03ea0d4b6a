"""Wishes: a person's own, never overwritten; which one counts is derived from the main lines."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, insert, select

from ..domain.ids import derived
from ..domain.people import Actor
from ..domain.understanding import Polarity, Position, Scope, SeatWish, Strength
from . import versions
from .database import Tx
from .tables import branches, wishes

SIDES = frozenset({Position.WINDOW, Position.AISLE, Position.MIDDLE})


async def store(
    tx: Tx,
    actor: Actor,
    said: tuple[SeatWish, ...],
    *,
    command_id: str,
    conversation_id: str,
    trip_id: str | None,
    branch_id: str,
    at: datetime,
) -> None:
    newest = select(func.coalesce(func.max(wishes.c.seq), 0)).where(wishes.c.owner_id == actor.user_id)
    seq = (await tx.execute(newest)).scalar_one()
    for index, wish in enumerate(said):
        row = {
            "wish_id": derived("wish", command_id, index),
            "tenant_id": actor.tenant_id,
            "owner_id": actor.user_id,
            "person": wish.whose,
            "position": wish.position,
            "polarity": wish.polarity,
            "strength": wish.strength,
            "scope": Scope.TRIP if wish.whose else wish.scope,
            "forget": wish.forget,
            "trip_id": trip_id,
            "conversation_id": conversation_id,
            "source_command_id": command_id,
            "branch_id": branch_id,
            "seq": seq + 1 + index,
            "created_at": at,
        }
        await tx.execute(insert(wishes).values(row))


async def find(tx: Tx, wish_id: str) -> Row[Any] | None:
    return (await tx.execute(select(wishes).where(wishes.c.wish_id == wish_id))).one_or_none()


async def forget(tx: Tx, wish: Row[Any], *, command_id: str, at: datetime) -> None:
    newest = select(func.coalesce(func.max(wishes.c.seq), 0)).where(wishes.c.owner_id == wish.owner_id)
    row = {column.name: getattr(wish, column.name) for column in wishes.c} | {
        "wish_id": derived("wish", command_id, 0),
        "forget": True,
        "source_command_id": command_id,
        "branch_id": None,
        "created_at": at,
        "seq": (await tx.execute(newest)).scalar_one() + 1,
    }
    await tx.execute(insert(wishes).values(row))


async def active(tx: Tx, *, tenant_id: str, owner_id: str, conversation_id: str | None = None) -> list[Row[Any]]:
    """What counts now, oldest first. A wish for this time only counts in the conversation that said it."""
    mine = wishes.c.tenant_id == tenant_id, wishes.c.owner_id == owner_id
    said = select(wishes, branches.c.status.label("branch_status")).outerjoin(
        branches, branches.c.branch_id == wishes.c.branch_id
    )
    rows = (await tx.execute(said.where(*mine).order_by(wishes.c.seq))).all()
    kept = [r for r in rows if r.scope == Scope.ALWAYS or r.conversation_id == conversation_id]
    left = await _left_behind(tx, kept)
    counting: list[Row[Any]] = []
    for row in (r for r in kept if r.wish_id not in left):
        counting = [kept for kept in counting if not _overrides(row, kept)]
        if not row.forget:
            counting.append(row)
    return counting


async def _left_behind(tx: Tx, rows: list[Row[Any]]) -> set[str]:
    """The wishes whose turn is no longer on its conversation's main line; a branch left behind keeps its part before the fork."""
    doubtful = [r for r in rows if r.branch_id is not None and r.branch_status != "main"]
    said_in: dict[str, set[str]] = {}
    for row in doubtful:
        said_in.setdefault(row.conversation_id, set()).add(row.source_command_id)
    counts = {thread: await versions.on_main(tx, thread, said) for thread, said in said_in.items()}
    return {r.wish_id for r in doubtful if r.source_command_id not in counts[r.conversation_id]}


def as_wish(row: Row[Any]) -> SeatWish:
    return SeatWish(
        position=Position(row.position),
        polarity=Polarity(row.polarity),
        strength=Strength(row.strength),
        scope=Scope(row.scope),
        whose=row.person,
    )


def _overrides(new: Row[Any], old: Row[Any]) -> bool:
    """A newer wish replaces one about the same thing of the same person; what is said together stays together."""
    if (new.person or "") != (old.person or ""):
        return False
    if new.forget:
        return new.position in (old.position, Position.ANY)
    if new.source_command_id == old.source_command_id:
        return False
    if new.scope == Scope.TRIP and old.scope == Scope.ALWAYS:
        return False  # this time only: the lasting one comes back afterwards
    if new.position == old.position:
        return True
    both_wanted = new.polarity == Polarity.WANT == old.polarity
    return (new.position in SIDES and old.position in SIDES and both_wanted) or (
        new.position == Position.ANY and old.position in SIDES
    )
