"""`layover prune`: old checkpoints go, the timeline stays. What may still be needed is kept, whatever its age."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import select, update

from .persistence.commands import OPEN
from .persistence.database import Database, Tx
from .persistence.tables import branches, commands, operations, questions, threads, versions

LIVE_OPERATIONS = ("submitting", "unknown", "needs_person")
ANCESTORS = 2  # a question asked again is told by the step before its own
Said = Callable[[str], None]


@dataclass(frozen=True)
class Pruned:
    """How much went: versions that answer 410 from now on, checkpoints deleted, bytes given back to the disk."""

    versions: int
    checkpoints: int
    bytes: int


@dataclass(frozen=True)
class Thread:
    """One thread's checkpoints: parent of each, what must stay, what is old enough to go."""

    thread_id: str
    parents: dict[str, str | None]
    keep: frozenset[str]
    old: frozenset[str]

    def goes(self) -> frozenset[str]:
        """Old and not needed; an input that only led to such a step goes with it."""
        kept = self.keep | {a for each in self.keep for a in self._ancestors(each)}
        gone = (self.old & self.parents.keys()) - kept
        children: dict[str, set[str]] = {}
        for child, parent in self.parents.items():
            if parent is not None:
                children.setdefault(parent, set()).add(child)
        bare = {i for i in self.parents if i not in kept and i not in self.old and children.get(i, set()) and children[i] <= gone}
        return gone | bare

    def _ancestors(self, checkpoint: str) -> list[str]:
        found: list[str] = []
        above = self.parents.get(checkpoint)
        while above is not None and len(found) < ANCESTORS:
            found.append(above)
            above = self.parents.get(above)
        return found


async def prune(database: Database, checkpoints: Path, *, before: datetime, say: Said) -> Pruned:
    """Prune what was made before this moment. Versions are marked first, so that a crash leaves no version without its word."""
    ids = await database.read(_idle_threads)
    numbered = deleted = 0
    with closing(sqlite3.connect(checkpoints, timeout=10, isolation_level=None)) as file:
        size = _bytes(file)
        for done, thread_id in enumerate(ids, start=1):
            marked, gone = await _prune_thread(database, file, thread_id, before)
            numbered, deleted = numbered + marked, deleted + gone
            if done % 100 == 0 or done == len(ids):
                say(f"{done} of {len(ids)} threads, {deleted} checkpoints deleted")
        if deleted:
            say("giving the space back ...")
            file.execute("VACUUM")
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return Pruned(numbered, deleted, size - _bytes(file))


def _bytes(file: sqlite3.Connection) -> int:
    return file.execute("PRAGMA page_count").fetchone()[0] * file.execute("PRAGMA page_size").fetchone()[0]


async def _prune_thread(database: Database, file: sqlite3.Connection, thread_id: str, before: datetime) -> tuple[int, int]:
    rows = file.execute("SELECT checkpoint_id, parent_checkpoint_id FROM checkpoints WHERE thread_id = ?", (thread_id,))
    parents: dict[str, str | None] = dict(rows.fetchall())

    async def mark(tx: Tx) -> tuple[int, frozenset[str]]:
        if thread_id not in await _idle_threads(tx, only=thread_id):  # it has begun to move meanwhile
            return 0, frozenset()
        thread = await _read(tx, thread_id, parents, before)
        gone = thread.goes()
        mine = versions.c.thread_id == thread_id, versions.c.checkpoint_id.in_(sorted(gone)), ~versions.c.pruned
        return (await tx.execute(update(versions).where(*mine).values(pruned=True))).rowcount, gone

    marked, gone = await database.write(mark)
    for checkpoint in gone:
        for table in ("writes", "checkpoints"):
            file.execute(f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id = ?", (thread_id, checkpoint))
    return marked, len(gone)


async def _idle_threads(tx: Tx, only: str | None = None) -> list[str]:
    """Where nothing runs or waits to run, and no operation may be happening at the airline."""
    busy = select(commands.c.thread_id).where(commands.c.status.in_(OPEN), commands.c.thread_id.is_not(None))
    happening = select(operations.c.trip_id).where(operations.c.state.in_(LIVE_OPERATIONS))
    idle = select(threads.c.thread_id).where(threads.c.thread_id.not_in(busy), threads.c.thread_id.not_in(happening))
    if only is not None:
        idle = idle.where(threads.c.thread_id == only)
    return list((await tx.execute(idle.order_by(threads.c.thread_id))).scalars())


async def _read(tx: Tx, thread_id: str, parents: dict[str, str | None], before: datetime) -> Thread:
    """Heads, open questions, the ends of all branches and where they forked stay; so does LangGraph's own newest."""
    head = select(threads.c.head_checkpoint_id).where(threads.c.thread_id == thread_id)
    asked = select(questions.c.asks_checkpoint_id).where(questions.c.thread_id == thread_id, questions.c.status == "waiting")
    ends = select(branches.c.head_version).where(branches.c.thread_id == thread_id, branches.c.head_version.is_not(None))
    mine = versions.c.thread_id == thread_id
    leaves = select(versions.c.checkpoint_id, versions.c.asks_checkpoint_id).where(mine, versions.c.version.in_(ends))
    old = select(versions.c.checkpoint_id).where(mine, versions.c.created_at < before)
    keep = {*(await tx.execute(head)).scalars(), *(await tx.execute(asked)).scalars()}
    keep |= {checkpoint for row in (await tx.execute(leaves)).all() for checkpoint in row}
    keep |= {max(parents)} if parents else set()
    return Thread(thread_id, parents, frozenset(k for k in keep if k), frozenset((await tx.execute(old)).scalars()))
