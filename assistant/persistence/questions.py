"""Open questions: answered at accept, by compare-and-set, so that a decision has one author."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, func, select, update

from ..domain.commands import Kind, Status
from ..domain.people import Actor
from ..domain.trips import TripStatus
from .database import Tx, insert_or
from .tables import commands, questions, threads, trips
from .threads import GRAPH_VERSION


async def answer(tx: Tx, question_id: str, *, command_id: str, actor: Actor, word: str, at: datetime) -> Row[Any] | None:
    """Waiting -> answered, once. None: somebody was faster."""
    open_one = questions.c.question_id == question_id, questions.c.status == "waiting"
    won = (
        update(questions)
        .where(*open_one)
        .values(
            status="expired" if word == "expire" else "answered",
            answered_by=command_id,
            answerer=actor.model_dump(mode="json"),
            answer=word,
            answered_at=at,
        )
    )
    return (await tx.execute(won.returning(*questions.c))).one_or_none()


async def find(tx: Tx, question_id: str) -> Row[Any] | None:
    return (await tx.execute(select(questions).where(questions.c.question_id == question_id))).one_or_none()


async def waiting(tx: Tx, thread_id: str) -> Row[Any] | None:
    open_one = questions.c.thread_id == thread_id, questions.c.status == "waiting"
    return (await tx.execute(select(questions).where(*open_one))).one_or_none()


async def unasked(tx: Tx) -> list[Row[Any]]:
    """Waiting ones whose thread's last command failed and was followed by nothing: no answer reaches them as they are."""
    newest = commands.c.thread_id == threads.c.thread_id, commands.c.thread_seq == threads.c.next_seq
    rows = select(questions).join(threads, threads.c.thread_id == questions.c.thread_id).join(commands, and_(*newest))
    found = rows.where(questions.c.status == "waiting", commands.c.status == Status.FAILED, commands.c.kind != Kind.ASK_AGAIN)
    return list((await tx.execute(found.order_by(questions.c.created_at))).all())


async def last(tx: Tx, thread_id: str, node: str) -> Row[Any] | None:
    newest = select(questions).where(questions.c.thread_id == thread_id, questions.c.node == node)
    return (await tx.execute(newest.order_by(questions.c.created_at.desc()).limit(1))).one_or_none()


async def waiting_at(tx: Tx, node: str) -> list[Row[Any]]:
    return list((await tx.execute(select(questions).where(questions.c.node == node, questions.c.status == "waiting"))).all())


async def taken_back(tx: Tx) -> list[Row[Any]]:
    """Of trips that were withdrawn and could not give back what they hold; with `withdrawn_at`."""
    mine = commands.c.thread_id == questions.c.thread_id, commands.c.kind == Kind.WITHDRAW
    since = select(func.max(commands.c.ended_at)).where(*mine).scalar_subquery()
    rows = select(questions, since.label("withdrawn_at")).join(trips, trips.c.trip_id == questions.c.thread_id)
    asked = questions.c.node == "choose", questions.c.status == "waiting", trips.c.status == TripStatus.WITHDRAWN
    return list((await tx.execute(rows.where(*asked))).all())


async def overdue(tx: Tx, now: datetime) -> list[Row[Any]]:
    late = questions.c.status == "waiting", questions.c.deadline.is_not(None), questions.c.deadline <= now
    return list((await tx.execute(select(questions).where(*late))).all())


async def answered_by(tx: Tx, command_id: str) -> Row[Any] | None:
    return (await tx.execute(select(questions).where(questions.c.answered_by == command_id))).one_or_none()


async def supersede(tx: Tx, thread_id: str, *, but: str | None = None) -> None:
    """What the main line no longer asks."""
    left = questions.c.thread_id == thread_id, questions.c.status == "waiting", questions.c.question_id != (but or "")
    await tx.execute(update(questions).where(*left).values(status="superseded"))


async def reopen(tx: Tx, command_id: str) -> Row[Any] | None:
    """The answer failed: the question waits again."""
    back = {"status": "waiting", "answered_by": None, "answerer": None, "answer": None, "answered_at": None}
    mine = update(questions).where(questions.c.answered_by == command_id, questions.c.status.in_(("answered", "expired")))
    return (await tx.execute(mine.values(back).returning(*questions.c))).one_or_none()


async def open_one(tx: Tx, row: dict[str, Any]) -> None:
    """Ask; a question asked anew keeps its row, with the interrupt of today."""
    again = {k: row[k] for k in ("interrupt_id", "asks_checkpoint_id", "body", "digest", "branch_id", "graph_version")}
    await tx.execute(insert_or(tx, questions).values(row).on_conflict_do_update(index_elements=["question_id"], set_=again))


async def reask(tx: Tx, question_id: str, *, interrupt_id: str, asks_checkpoint_id: str) -> None:
    again = {"interrupt_id": interrupt_id, "asks_checkpoint_id": asks_checkpoint_id, "graph_version": GRAPH_VERSION}
    await tx.execute(update(questions).where(questions.c.question_id == question_id).values(again))


async def claim(tx: Tx, question_id: str, *, actor: Actor, at: datetime) -> bool:
    free = questions.c.question_id == question_id, questions.c.status == "waiting", questions.c.claimed_by.is_(None)
    taken = update(questions).where(*free).values(claimed_by=actor.model_dump(mode="json"), claimed_at=at)
    return (await tx.execute(taken)).rowcount == 1


async def release(tx: Tx, question_id: str) -> None:
    await tx.execute(update(questions).where(questions.c.question_id == question_id).values(claimed_by=None, claimed_at=None))
