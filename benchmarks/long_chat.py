"""One conversation grown turn by turn: what a turn, a timeline page, a step's detail and a fork cost when it is long.

Costs are the whole process's time on the processor, so that the ratios hold on a busy machine too.
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass

from sqlalchemy import select

from assistant.domain.commands import Kind
from assistant.persistence import versions
from assistant.persistence.tables import messages, threads
from assistant.persistence.tables import versions as versions_table
from assistant.rewind import corrections_of
from assistant.views.shapes import Reader
from assistant.views.threads import version_view, versions_page
from benchmarks.product import Product, product

SHORT, LONG = 100, 10_000
LOOKS = 30
FORKS = 8
WISH, WORDS = "I would like a window seat", ("Hello", "Which seat do I prefer?")


@dataclass(frozen=True)
class Costs:
    """Processor seconds, as medians, at one length; bytes a turn since the length before."""

    versions: int
    turn: float
    page: float
    raw_rows: float
    detail: float
    old_detail: float
    fork: float
    old_fork: float
    bytes_a_turn: float


async def main(*, quick: bool = False) -> None:
    aim = LONG // 10 if quick else LONG
    async with product() as made:
        chat = (await made.does("tina", Kind.CREATE_CONVERSATION, ""))["conversation_id"]
        await _grow(made, chat, to=SHORT // 4)
        short = await _measured(made, chat, grown=SHORT)
        long = await _measured(made, chat, grown=aim)
        said = await made.rows(messages, conversation_id=chat)
    here, there = f"at {long.versions} versions ({len(said)} messages)", f"at {short.versions}"
    print(f"turn {here}: {_line(long.turn, short.turn, there)} (goal 1.15)")
    print(f"bytes a turn {here}: {long.bytes_a_turn:.0f}, {long.bytes_a_turn / short.bytes_a_turn:.2f} x {there} (goal 1.05)")
    print(f"timeline page of 50 {here}: {_line(long.page, short.page, there)} (goal 1.2)")
    print(f"timeline page of 50 {here}: {long.page / long.raw_rows:.1f} x the bare rows (goal 5)")
    print(f"a step's detail {here}: {_line(long.detail, short.detail, there)} (goal 1.2)")
    print(f"the oldest step's detail {here}: {long.old_detail / long.detail:.2f} x the newest's (goal 1.1)")
    print(f"fork and answer {here}: {_line(long.fork, short.fork, there)} (goal 1.2)")
    print(f"fork at an old step {here}: {long.old_fork / long.fork:.2f} x at the newest (goal 1.1)")


def _line(cost: float, before: float, there: str) -> str:
    return f"{cost * 1000:.1f} ms, {cost / before:.2f} x {there}"


async def _measured(made: Product, chat: str, *, grown: int) -> Costs:
    size, turns = _bytes(made), await _grow(made, chat, to=grown)
    a_turn = (_bytes(made) - size) / max(turns, 1)
    rita, service = made.people["rita"], made.whole.service
    reader = Reader(tenant_id=rita.tenant_id, user_id=rita.user_id, reviewer=True)
    newest = await made.whole.database.read(lambda tx: versions.newest(tx, chat))

    async def detail(number: int) -> None:
        await made.whole.database.read(lambda tx: version_view(tx, reader, chat, number, corrections=corrections_of))
        await service.going_back.raw(rita, chat, number)

    return Costs(
        versions=newest,
        turn=await _median(lambda: made.gives("tina", Kind.SEND_MESSAGE, chat, text="Which seat do I prefer?")),
        page=await _median(lambda: made.whole.database.read(lambda tx: versions_page(tx, reader, chat))),
        raw_rows=await _median(lambda: _raw_rows(made, chat)),
        detail=await _median(lambda: detail(newest)),
        old_detail=await _median(lambda: detail(5)),
        fork=await _median(lambda: _fork(made, chat, await_last=True), times=FORKS),
        old_fork=await _median(lambda: _fork(made, chat, await_last=False), times=FORKS),
        bytes_a_turn=a_turn,
    )


async def _fork(made: Product, chat: str, *, await_last: bool) -> None:
    """Regenerate the last answer; or the one some twenty turns ago, which leaves as much behind at any length."""
    (thread,) = await made.rows(threads, thread_id=chat)
    row = versions_table.c
    mine = select(row.version).where(row.branch_id == thread.main_branch_id, row.step == "understand")
    async with made.whole.database.reading() as tx:
        found = (await tx.execute(mine.order_by(row.version.desc()).limit(1 if await_last else 20))).scalars().all()
    seen = await made.whole.database.read(lambda tx: versions.newest(tx, chat))
    await made.gives("rita", Kind.REWIND, chat, to_version=found[-1], seen_version=seen, reason="bench")


async def _grow(made: Product, chat: str, *, to: int) -> int:
    """Turns until the thread has so many versions; how many it took."""
    turns = 0
    while await made.whole.database.read(lambda tx: versions.newest(tx, chat)) < to:
        await made.gives("tina", Kind.SEND_MESSAGE, chat, text=WISH if turns % 100 == 0 else WORDS[turns % 2])
        turns += 1
        if turns % 200 == 0:
            print(f"  ... {turns} turns", file=sys.stderr)
    return turns


async def _raw_rows(made: Product, chat: str) -> None:
    rows = select(versions_table).where(versions_table.c.thread_id == chat).order_by(versions_table.c.version.desc()).limit(50)
    async with made.whole.database.reading() as tx:
        (await tx.execute(rows)).all()


async def _median(once: Callable[[], Awaitable[object]], *, times: int = LOOKS) -> float:
    spent: list[float] = []
    for _ in range(times):
        start = time.process_time()
        await once()
        spent.append(time.process_time() - start)
    return statistics.median(spent)


def _bytes(made: Product) -> int:
    """What both files hold, with what is still in their logs."""
    total = 0
    for name in ("layover.db", "checkpoints.db"):
        with closing(sqlite3.connect(made.data_dir / name)) as file:
            file.execute("PRAGMA wal_checkpoint(PASSIVE)")
            total += file.execute("PRAGMA page_count").fetchone()[0] * file.execute("PRAGMA page_size").fetchone()[0]
    return total


if __name__ == "__main__":
    asyncio.run(main(quick="--quick" in sys.argv))
