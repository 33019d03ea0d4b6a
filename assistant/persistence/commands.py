"""Commands and their runs: the key, the place in the thread's queue, the end. The table is the queue."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from sqlalchemy import Row, func, insert, select, update

from ..domain.clock import is_due
from ..domain.commands import Command, Kind, Receipt, Status
from ..domain.errors import CommandReused, Conflict
from ..domain.ids import derived, new_id
from ..domain.people import Actor
from .database import Tx, insert_or
from .tables import commands, runs, threads

OPEN = (Status.ACCEPTED, Status.RUNNING)
LONGEST_WAIT = timedelta(seconds=10)  # between two runs of a command
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=1), timedelta(minutes=30)  # before a word of our own that failed is given anew
MOST_AGAIN = 100  # which takes two days


@dataclass(frozen=True)
class Job:
    """A command being carried out, the thread it is about, and the fence that guards its end."""

    command: Command
    payload: dict[str, Any]  # what accept made of the client's payload
    thread: Row[Any]
    fence: int
    run_id: str
    attempt: int
    accepted_at: datetime
    stop_asked: bool  # while an earlier run went on, or between two


async def insert_new(tx: Tx, command: Command, *, thread_id: str | None, parent: str | None, at: datetime) -> bool:
    """Insert or nothing, never look then insert. False: the key is known."""
    row = {
        "tenant_id": command.actor.tenant_id,
        "command_id": command.command_id,
        "kind": command.kind,
        "thread_id": thread_id,
        "actor": command.actor.model_dump(mode="json"),
        "fingerprint": command.fingerprint,
        "payload": command.payload,
        "status": Status.ACCEPTED,
        "parent_command_id": parent,
        "created_at": at,
        "attempts": 0,
    }
    return (await tx.execute(insert_or(tx, commands).values(row).on_conflict_do_nothing())).rowcount == 1


async def repeated(tx: Tx, command: Command) -> Receipt:
    """The first answer again, for the same intent only."""
    row = await _row(tx, command.actor.tenant_id, command.command_id)
    if row is None or row.fingerprint != command.fingerprint:
        raise CommandReused("command_reused", command_id=command.command_id)
    return receipt(row)


async def find(tx: Tx, tenant_id: str, command_id: str) -> Row[Any] | None:
    return await _row(tx, tenant_id, command_id)


async def of_word(tx: Tx, tenant_id: str, *named: str) -> list[Row[Any]]:
    """A word of the product's own, as often as it was given: each time but the last it failed."""
    ids = [derived(*named, again) if again else derived(*named) for again in range(MOST_AGAIN)]
    mine = commands.c.tenant_id == tenant_id, commands.c.command_id.in_(ids)
    given = {row.command_id: row for row in (await tx.execute(select(commands).where(*mine))).all()}
    return [given[each] for each in takewhile(given.__contains__, ids)]


def is_over(given: list[Row[Any]]) -> bool:
    """Whether such a word is not given again: it was followed, or has failed as often as anybody tries."""
    return bool(given) and (given[-1].status in {Status.SUCCEEDED, Status.CANCELLED} or has_failed_for_good(given))


def has_failed_for_good(given: list[Row[Any]]) -> bool:
    return len(given) == MOST_AGAIN and given[-1].status == Status.FAILED


def pause_after(tries: int) -> timedelta:
    """Of a word of the product's own, until it is given anew; longer with each try, which are one at least."""
    return min(FIRST_PAUSE * 2 ** min(tries - 1, 20), LONGEST_PAUSE)


async def next_word(tx: Tx, tenant_id: str, *named: str, now: datetime) -> str | None:
    """The id under which a word of the product's own is to be given: its first, or where that failed the next one.

    A word that fails pauses longer each time. None where it was given and has not failed, or has to wait.
    """
    given = await of_word(tx, tenant_id, *named)
    if not given:
        return derived(*named)
    last = given[-1]
    if last.status != Status.FAILED or len(given) == MOST_AGAIN:
        return None
    pause = pause_after(len(given))
    waits = last.ended_at is not None and not is_due(last.ended_at + pause, now, within=LONGEST_PAUSE)
    return None if waits else derived(*named, len(given))


async def enqueue(tx: Tx, command: Command, *, thread_id: str, payload: dict[str, Any]) -> None:
    """Take the next place in the thread's order; `payload` is what the run will read."""
    take = update(threads).where(threads.c.thread_id == thread_id).values(next_seq=threads.c.next_seq + 1)
    seq = (await tx.execute(take.returning(threads.c.next_seq))).scalar_one()
    await tx.execute(update(commands).where(*_key(command)).values(thread_seq=seq, thread_id=thread_id, payload=payload))


async def finish_at_once(tx: Tx, command: Command, *, result: dict[str, Any], at: datetime) -> Receipt:
    """An immediate command: done in the transaction that accepted it."""
    await tx.execute(update(commands).where(*_key(command)).values(status=Status.SUCCEEDED, result=result, ended_at=at))
    return Receipt(command_id=command.command_id, kind=command.kind, status=Status.SUCCEEDED, result=result, created_at=at)


async def refuse(tx: Tx, command: Command, *, error: dict[str, Any], at: datetime) -> None:
    """A follow-up that came too late is stored as failed, so that its parent can finish."""
    await tx.execute(update(commands).where(*_key(command)).values(status=Status.FAILED, error=error, ended_at=at))


async def queued(tx: Tx, thread_id: str, *, but: str) -> list[Row[Any]]:
    open_ones = commands.c.thread_id == thread_id, commands.c.status.in_(OPEN), commands.c.command_id != but
    return list((await tx.execute(select(commands).where(*open_ones).order_by(commands.c.thread_seq))).all())


async def runnable(tx: Tx, *, now: datetime, skip: set[str]) -> list[Row[Any]]:
    """The first open command of each thread that may run now; `skip` are threads already being run."""
    head = select(commands.c.thread_id, func.min(commands.c.thread_seq).label("seq")).where(
        commands.c.status.in_(OPEN), commands.c.thread_seq.is_not(None)
    )
    first = head.group_by(commands.c.thread_id).subquery()
    rows = select(commands).join(first, (commands.c.thread_id == first.c.thread_id) & (commands.c.thread_seq == first.c.seq))
    found = (await tx.execute(rows.order_by(commands.c.created_at))).all()
    return [row for row in found if row.thread_id not in skip and is_due(row.not_before, now, within=LONGEST_WAIT)]


async def next_due(tx: Tx) -> datetime | None:
    due = select(func.min(commands.c.not_before)).where(commands.c.status.in_(OPEN))
    return (await tx.execute(due)).scalar()


async def begin(tx: Tx, tenant_id: str, command_id: str, *, at: datetime) -> Job | None:
    """Start a run, if the command is open and first in its thread. The fence makes every earlier run of the thread stale."""
    row = await _row(tx, tenant_id, command_id)
    if row is None or row.status not in OPEN:
        return None
    fenced = update(threads).where(threads.c.thread_id == row.thread_id).values(fence=threads.c.fence + 1)
    thread = (await tx.execute(fenced.returning(*threads.c))).one()
    earlier = (commands.c.thread_id == row.thread_id, commands.c.status.in_(OPEN), commands.c.thread_seq < row.thread_seq)
    if (await tx.execute(select(func.count()).where(*earlier))).scalar_one():
        return None
    attempt = row.attempts + 1
    await tx.execute(update(commands).where(*_of(row)).values(status=Status.RUNNING, attempts=attempt, not_before=None))
    run_id = await _begin_run(tx, row, attempt=attempt, fence=thread.fence, at=at)
    return Job(
        command=as_command(row),
        payload=row.payload,
        thread=thread,
        fence=thread.fence,
        run_id=run_id,
        attempt=attempt,
        accepted_at=row.created_at,
        stop_asked=row.stop_asked_at is not None,
    )


async def _begin_run(tx: Tx, row: Row[Any], *, attempt: int, fence: int, at: datetime) -> str:
    """A try that was not counted goes on in its row: a disk that is full for a day fills no table."""
    uncounted = runs.c.tenant_id == row.tenant_id, runs.c.command_id == row.command_id, runs.c.attempt == attempt
    again = update(runs).where(*uncounted, runs.c.outcome == "retry").values(fence=fence, outcome=None, ended_at=None)
    known = (await tx.execute(again.returning(runs.c.run_id))).scalars().first()
    if known is not None:
        return known
    run_id = new_id()
    ids = {"run_id": run_id, "tenant_id": row.tenant_id, "command_id": row.command_id, "thread_id": row.thread_id}
    await tx.execute(insert(runs).values(ids | {"attempt": attempt, "fence": fence, "started_at": at}))
    return run_id


async def retry(tx: Tx, job: Job, *, error: str, at: datetime, after: timedelta, counted: bool = True) -> None:
    """The run failed in a way that may pass; the command stays first in its thread and waits."""
    await _guard(tx, job)
    waits = {"not_before": at + after, "attempts": job.attempt if counted else job.attempt - 1}
    await tx.execute(update(commands).where(*_key(job.command)).values(waits))
    await tx.execute(update(runs).where(runs.c.run_id == job.run_id).values(outcome="retry", error=error, ended_at=at))


async def end(
    tx: Tx,
    job: Job,
    status: Status,
    *,
    at: datetime,
    result: dict[str, Any] | None = None,
    error: dict[str, Any] | None = None,
    head: str | None = None,
    branch_id: str | None = None,
) -> None:
    """Refused when a newer run has the thread. Without a head the thread stays where it was."""
    await _guard(tx, job)
    moved = {k: v for k, v in (("head_checkpoint_id", head), ("main_branch_id", branch_id)) if v is not None}
    if moved:
        await tx.execute(update(threads).where(threads.c.thread_id == job.thread.thread_id).values(moved))
    await tx.execute(update(commands).where(*_key(job.command)).values(status=status, result=result, error=error, ended_at=at))
    note = None if error is None else str(error)
    await tx.execute(update(runs).where(runs.c.run_id == job.run_id).values(outcome=status, error=note, ended_at=at))


async def cancel_queued(
    tx: Tx, thread_id: str, *, kinds: tuple[Kind, ...], at: datetime, only: tuple[str, ...] | None = None
) -> list[Row[Any]]:
    """Drop what has not begun, in its order; `only` these commands, where it is given."""
    waiting = [commands.c.thread_id == thread_id, commands.c.status == Status.ACCEPTED, commands.c.kind.in_(kinds)]
    if only is not None:
        waiting.append(commands.c.command_id.in_(only))
    dropped = update(commands).where(*waiting).values(status=Status.CANCELLED, ended_at=at, error={"code": "stopped"})
    return sorted((await tx.execute(dropped.returning(*commands.c))).all(), key=lambda row: row.thread_seq)


async def ask_to_stop(tx: Tx, thread_id: str, *, kinds: tuple[Kind, ...], at: datetime) -> list[str]:
    """Keep the wish that what has begun be left; the ids it is about."""
    begun = commands.c.thread_id == thread_id, commands.c.status == Status.RUNNING, commands.c.kind.in_(kinds)
    asked = update(commands).where(*begun).values(stop_asked_at=at).returning(commands.c.command_id)
    return sorted((await tx.execute(asked)).scalars())


async def runs_of(tx: Tx, tenant_id: str, command_id: str) -> list[Row[Any]]:
    mine = runs.c.tenant_id == tenant_id, runs.c.command_id == command_id
    return list((await tx.execute(select(runs).where(*mine).order_by(runs.c.attempt))).all())


def as_command(row: Row[Any]) -> Command:
    return Command(
        command_id=row.command_id,
        kind=Kind(row.kind),
        actor=Actor.model_validate(row.actor),
        target=row.thread_id or "",
        payload=row.payload,
    )


def receipt(row: Row[Any]) -> Receipt:
    return Receipt(
        command_id=row.command_id,
        kind=Kind(row.kind),
        status=Status(row.status),
        result=row.result,
        error=row.error,
        created_at=row.created_at,
    )


async def _guard(tx: Tx, job: Job) -> None:
    mine = select(threads.c.fence).where(threads.c.thread_id == job.thread.thread_id)
    if tx.dialect.name != "sqlite":
        mine = mine.with_for_update()
    if (await tx.execute(mine)).scalar_one() != job.fence:
        raise Conflict("overtaken", run_id=job.run_id)


async def _row(tx: Tx, tenant_id: str, command_id: str) -> Row[Any] | None:
    mine = commands.c.tenant_id == tenant_id, commands.c.command_id == command_id
    return (await tx.execute(select(commands).where(*mine))).one_or_none()


def _key(command: Command) -> tuple[Any, Any]:
    return commands.c.tenant_id == command.actor.tenant_id, commands.c.command_id == command.command_id


def _of(row: Row[Any]) -> tuple[Any, Any]:
    return commands.c.tenant_id == row.tenant_id, commands.c.command_id == row.command_id
