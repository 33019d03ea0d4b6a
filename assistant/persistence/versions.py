"""Versions and branches: the numbered line people see, and the lines a rewind leaves behind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, func, literal, select, update

from ..domain.people import Actor
from ..wording.said import Said
from .database import Tx, insert_or
from .tables import branches, versions


@dataclass(frozen=True)
class Made:
    """A checkpoint that has become history: the step that made it, and what it says in domain fields."""

    checkpoint_id: str
    asks_checkpoint_id: str | None
    parent_checkpoint_id: str | None
    step: str
    kind: str
    title: Said
    summary: dict[str, Any]
    at: datetime


async def known(tx: Tx, thread_id: str, checkpoint_ids: list[str]) -> set[str]:
    mine = versions.c.thread_id == thread_id, versions.c.checkpoint_id.in_(checkpoint_ids)
    return set((await tx.execute(select(versions.c.checkpoint_id).where(*mine))).scalars())


async def append(tx: Tx, thread_id: str, made: list[Made], *, branch_id: str, command_id: str, actor: Actor) -> int:
    """Number these checkpoints, oldest first; returns the newest number."""
    newest = select(func.coalesce(func.max(versions.c.version), 0)).where(versions.c.thread_id == thread_id)
    first = (await tx.execute(newest)).scalar_one() + 1
    if not made:
        return first - 1
    numbers = {each.checkpoint_id: number for number, each in enumerate(made, start=first)}
    numbers |= await _numbers(tx, thread_id, {each.parent_checkpoint_id or "" for each in made} - numbers.keys())
    rows = [
        {
            "thread_id": thread_id,
            "version": numbers[each.checkpoint_id],
            "checkpoint_id": each.checkpoint_id,
            "asks_checkpoint_id": each.asks_checkpoint_id,
            "parent_version": numbers.get(each.parent_checkpoint_id or ""),
            "branch_id": branch_id,
            "step": each.step,
            "kind": each.kind,
            "title": each.title.model_dump(mode="json"),
            "actor": actor.model_dump(mode="json"),
            "command_id": command_id,
            "summary": each.summary,
            "pruned": False,
            "created_at": each.at,
        }
        for each in made
    ]
    await tx.execute(insert_or(tx, versions).on_conflict_do_nothing(), rows)
    last = numbers[made[-1].checkpoint_id]
    await tx.execute(update(branches).where(branches.c.branch_id == branch_id).values(head_version=last))
    return last


async def _numbers(tx: Tx, thread_id: str, checkpoint_ids: set[str]) -> dict[str, int]:
    mine = versions.c.thread_id == thread_id, versions.c.checkpoint_id.in_(sorted(checkpoint_ids))
    rows = await tx.execute(select(versions.c.checkpoint_id, versions.c.version).where(*mine))
    return {row.checkpoint_id: row.version for row in rows.all()}


async def open_branch(
    tx: Tx, branch_id: str, thread_id: str, *, forked_from: int | None, reason: str | None, actor: Actor, at: datetime
) -> None:
    """The new line becomes the main one; the others of its thread are abandoned."""
    await tx.execute(update(branches).where(branches.c.thread_id == thread_id).values(status="abandoned"))
    row = {
        "branch_id": branch_id,
        "thread_id": thread_id,
        "forked_from_version": forked_from,
        "status": "main",
        "reason": reason,
        "actor": actor.model_dump(mode="json"),
        "created_at": at,
    }
    await tx.execute(
        insert_or(tx, branches).values(row).on_conflict_do_update(index_elements=["branch_id"], set_={"status": "main"})
    )


async def find(tx: Tx, thread_id: str, number: int) -> Row[Any] | None:
    mine = versions.c.thread_id == thread_id, versions.c.version == number
    return (await tx.execute(select(versions).where(*mine))).one_or_none()


async def newest(tx: Tx, thread_id: str) -> int:
    top = select(func.coalesce(func.max(versions.c.version), 0)).where(versions.c.thread_id == thread_id)
    return (await tx.execute(top)).scalar_one()


async def branch(tx: Tx, branch_id: str) -> Row[Any] | None:
    return (await tx.execute(select(branches).where(branches.c.branch_id == branch_id))).one_or_none()


async def remark(tx: Tx, branch_id: str, said: dict[str, Any] | None) -> None:
    """What a reviewer noted on a branch; None takes it away."""
    await tx.execute(update(branches).where(branches.c.branch_id == branch_id).values(remark=said))


async def of_command(tx: Tx, thread_id: str, command_id: str, *, step: str | None = None) -> Row[Any] | None:
    """The first version a command made, or its first of one step."""
    mine = [versions.c.thread_id == thread_id, versions.c.command_id == command_id]
    if step is not None:
        mine.append(versions.c.step == step)
    return (await tx.execute(select(versions).where(*mine).order_by(versions.c.version).limit(1))).one_or_none()


async def line(tx: Tx, thread_id: str, leaf: int, *, above: int = 0) -> list[Row[Any]]:
    """A version and its ancestors, newest first; `above` this number only: a parent is always older than its child."""
    here = versions.c.thread_id == thread_id, versions.c.version > above
    start = select(versions.c.version, versions.c.parent_version).where(*here, versions.c.version == leaf)
    walk = start.cte("line", recursive=True)
    up = select(versions.c.version, versions.c.parent_version).where(*here, versions.c.version == walk.c.parent_version)
    walk = walk.union_all(up)
    rows = select(versions).join(walk, versions.c.version == walk.c.version).where(*here).order_by(versions.c.version.desc())
    return list((await tx.execute(rows)).all())


async def leaf_of(tx: Tx, branch_id: str) -> int | None:
    return (await tx.execute(select(branches.c.head_version).where(branches.c.branch_id == branch_id))).scalar_one_or_none()


async def abandoned_by(tx: Tx, thread_id: str, *, main_branch_id: str, fork: int) -> list[Row[Any]]:
    """The versions of the main line that a fork at this version leaves behind, oldest first."""
    leaf = await leaf_of(tx, main_branch_id)
    if leaf is None or leaf == fork:
        return []
    since = await line(tx, thread_id, leaf, above=fork)
    if since and since[-1].parent_version == fork:  # the fork lies on the main line: its past is not looked at
        return since[::-1]
    kept = {row.version for row in await line(tx, thread_id, fork)}
    return [row for row in reversed(await line(tx, thread_id, leaf)) if row.version not in kept]


async def on_main(tx: Tx, thread_id: str, command_ids: set[str]) -> set[str]:
    """Those of these commands whose first version lies on the main line; two reads, however many they are."""
    first = func.min(versions.c.version).label("first")
    mine = versions.c.thread_id == thread_id, versions.c.command_id.in_(sorted(command_ids))
    made = select(versions.c.command_id, versions.c.branch_id, first).where(*mine)
    rows = (await tx.execute(made.group_by(versions.c.command_id, versions.c.branch_id))).all()
    bounds = await _main_line(tx, thread_id)
    return {r.command_id for r in rows if r.branch_id in bounds and r.first <= (bounds[r.branch_id] or r.first)}


async def _main_line(tx: Tx, thread_id: str) -> dict[str, int | None]:
    """The branches the main line runs through, each with its last version that is part of it; None: to its end."""
    here = branches.c.thread_id == thread_id
    start = select(branches.c.branch_id, literal(None, versions.c.version.type).label("bound"))
    walk = start.where(here, branches.c.status == "main").cte("main_line", recursive=True)
    fork = branches.alias("fork")
    above = (
        select(versions.c.branch_id, fork.c.forked_from_version)
        .select_from(walk.join(fork, fork.c.branch_id == walk.c.branch_id))
        .join(versions, and_(versions.c.thread_id == thread_id, versions.c.version == fork.c.forked_from_version))
    )
    rows = await tx.execute(select(walk.union_all(above)))
    return {row.branch_id: row.bound for row in rows.all()}
