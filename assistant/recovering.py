"""Threads whose newest checkpoints are gone, as after a power cut or a restored file: found at start and driven again.

The business database is the truth. A thread's head goes back to the newest version that still has its checkpoint; what it waited
for is asked anew from the trip's row and the ledger, so that nothing is bought twice and nothing waits for a step nobody has.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from sqlalchemy import Row, select, update

from .domain.commands import Command, Kind
from .domain.ids import derived
from .domain.people import Actor
from .domain.plans import Plan
from .driving import AskAgain, Begin, Enter, Entry
from .persistence import documents, questions, trips, versions
from .persistence.commands import OPEN
from .persistence.database import Database, Tx
from .persistence.tables import commands, threads
from .persistence.tables import questions as questions_table
from .persistence.tables import versions as versions_table

log = logging.getLogger(__name__)

Kept = Callable[[str], Awaitable[frozenset[str]]]  # thread_id -> the checkpoints there are
Accept = Callable[[Tx, Command], Awaitable[Any]]
UNLISTED = frozenset({"start", "search"})  # before there is a list to choose from
SIDE_BY_SIDE = "price_offers+read_seat_maps"  # entered here, the step that joins the two would run beside what is entered


@dataclass(frozen=True)
class Lost:
    """A thread whose head is gone, the newest version that is not, and the question that is to be asked anew."""

    thread: Row[Any]
    whole: Row[Any] | None
    question: Row[Any] | None


def kept_in(saver: AsyncSqliteSaver) -> Kept:
    """Ids only: whole checkpoints of every thread would make a start slow."""

    async def kept(thread_id: str) -> frozenset[str]:
        ids = "SELECT checkpoint_id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ''"
        async with saver.conn.execute(ids, (thread_id,)) as rows:
            return frozenset([str(row[0]) async for row in rows])

    return kept


async def drive_again(database: Database, kept: Kept, accept: Accept) -> list[Lost]:
    """Before anything runs. Each lost thread is put right and told to ask again in one transaction."""
    found: list[Lost] = []
    async with database.reading() as tx:
        heads = (await tx.execute(select(threads).where(threads.c.head_checkpoint_id.is_not(None)))).all()
    for thread in heads:
        there = await kept(thread.thread_id)
        if thread.head_checkpoint_id not in there:
            lost = await database.write(lambda tx, t=thread, k=there: _put_right(tx, t, k, accept))
            found.append(lost)
            log.warning("the newest steps of thread %s are gone: it goes on from %s", thread.thread_id, _place(lost))
    return found


def _place(lost: Lost) -> str:
    return f"version {lost.whole.version}" if lost.whole is not None else "its beginning"


async def _put_right(tx: Tx, thread: Row[Any], there: frozenset[str], accept: Accept) -> Lost:
    """The head goes back, steps that are gone answer as pruned ones do, questions of theirs no longer wait."""
    mine = versions_table.c.thread_id == thread.thread_id
    rows = (await tx.execute(select(versions_table).where(mine, ~versions_table.c.pruned))).all()
    gone = [row.version for row in rows if row.checkpoint_id not in there]
    leaf = await versions.leaf_of(tx, thread.main_branch_id)
    line = await versions.line(tx, thread.thread_id, leaf) if leaf is not None else []
    whole = next((row for row in line if row.checkpoint_id in there and row.step != SIDE_BY_SIDE), None)
    await tx.execute(update(versions_table).where(mine, versions_table.c.version.in_(gone)).values(pruned=True))
    head = whole.checkpoint_id if whole is not None else None
    await tx.execute(update(threads).where(threads.c.thread_id == thread.thread_id).values(head_checkpoint_id=head))
    question = await _asked(tx, thread, there)
    await questions.supersede(tx, thread.thread_id)
    lost = Lost(thread, whole, question)
    if question is not None:
        await accept(tx, await _again(tx, lost))
    return lost


async def _asked(tx: Tx, thread: Row[Any], there: frozenset[str]) -> Row[Any] | None:
    """The question that waits at a step that is gone, or whose answer was still being carried out."""
    running = select(commands.c.command_id).where(commands.c.thread_id == thread.thread_id, commands.c.status.in_(OPEN))
    asked = questions_table.c.answered_by.in_(running) | (questions_table.c.status == "waiting")
    rows = (await tx.execute(select(questions_table).where(questions_table.c.thread_id == thread.thread_id, asked))).all()
    return next((row for row in rows if row.asks_checkpoint_id not in there), None)


async def _again(tx: Tx, lost: Lost) -> Command:
    """What the trip wants now is read from its row, not from a step before it was decided."""
    thread, question = lost.thread, lost.question
    assert question is not None
    trip = await trips.find(tx, thread.thread_id)
    plan = await documents.read(tx, trip.plan_hash) if trip is not None and trip.plan_hash else None
    wants: dict[str, Any] = {
        "checkpoint_id": lost.whole.checkpoint_id if lost.whole is not None else None,
        "listed": lost.whole is not None and lost.whole.step not in UNLISTED,
        "asked": question.node,
        "settle": Plan.model_validate(plan).chosen if plan else None,
    }
    if trip is not None:
        wants |= {name: getattr(trip, name) for name in ("request", "selection", "offers_hash", "reason")}
    return Command(
        command_id=derived("driven_again", question.question_id, question.asks_checkpoint_id),
        kind=Kind.ASK_AGAIN,
        actor=Actor(tenant_id=thread.tenant_id, user_id="layover", name="Layover"),
        target=thread.thread_id,
        payload={"lost": wants},
    )


def entry_of(lost: dict[str, Any], chosen: Callable[..., Any]) -> Entry:
    """Where such a thread is entered: nothing after `choose`, so that prices, plan and grants are all made anew."""
    checkpoint_id = lost["checkpoint_id"]
    if checkpoint_id is None:
        return Begin({"request": lost["request"]})
    if lost["asked"] != "choose":
        return Enter(checkpoint_id, "choose", chosen(lost["selection"], lost["settle"]))
    if not lost["listed"]:
        return AskAgain(checkpoint_id)
    listed = {"offers_hash": lost["offers_hash"], "reason": lost["reason"], "request": lost["request"]}
    return Enter(checkpoint_id, "shortlist", chosen(lost["selection"]) | listed)
