"""Each thing `layover doctor` may find can be produced, and each says what to do about it; it reads only."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, insert, literal, select, update

from assistant.doctor import examine
from assistant.domain.commands import Kind
from assistant.invariants import Books, Finding, broken
from assistant.operating import pause_now
from assistant.persistence.database import Database
from assistant.persistence.storage import Trouble, trouble_of
from assistant.persistence.tables import claims, commands, grants, operations, orders, questions, runs, trips
from assistant.settings import Settings
from tests.stories.remedies import says_what_to_do
from tests.stories.test_decisions import submitted
from tests.stories.world import World, opened

PAY = operations.c.kind == "pay"
DECIDED = commands.c.kind == "decide"
PAID = select(operations.c.operation_id).where(PAY).scalar_subquery()
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
CHEAP = {"amount": "0.01", "currency": "CNY"}
# what is done to the rows of a booked trip, and what is then to be said of it
BROKEN: dict[str, tuple[Any, str]] = {
    "I2 none": (update(orders).values(create_id="nobody's"), "has no create that succeeded"),
    "I2 several": (
        insert(orders).from_select(
            list(orders.c.keys()), select(*[literal("ord_again") if c.name == "order_id" else c for c in orders.c])
        ),
        "has several orders",
    ),
    "I3 none": (update(grants).values(state="unused"), "was sent without a grant"),
    "I3 money": (update(grants).values(bound=CHEAP), "was for other money than granted"),
    "I4": (update(orders).values(total=CHEAP), "has another total than was sent"),
    "I5 unknown": (update(operations).where(PAY).values(state="unknown"), "is unknown and nobody looks"),
    "I5 submitting": (update(operations).where(PAY).values(state="submitting"), "is submitting and nobody looks"),
    "I5 person": (update(operations).where(PAY).values(state="needs_person"), "waits for a person"),
    "I5 parked": (
        update(questions)
        .where(questions.c.node == "review")
        .values(node="await_outcome", status="waiting", body=func.json_object("operation_id", PAID), created_at=LONG_AGO),
        "waits for what is known",
    ),
    "I6 hidden": (update(orders).values(trip_id="nobody's"), "belongs to no trip"),
    "I6 empty": (update(orders).values(state="cancelled"), "reads booked and has no order"),
    "I7 attempts": (update(operations).where(PAY).values(state="planned"), "is planned after 1 attempts"),
    "I7 failed": (update(operations).where(PAY).values(state="failed"), "is failed after 1 attempts"),
    "I7 unmade": (update(orders).values(create_id="nobody's"), "is succeeded after 1 attempts"),
    "I7 fence": (update(operations).where(PAY).values(fence=5), "is succeeded after 1 attempts"),
    "I7 claims": (update(claims).values(create_id="over"), "which is over"),
    "I8 twice": (
        update(runs).values(command_id=select(commands.c.command_id).where(DECIDED).scalar_subquery()),
        "more than once",
    ),
    "I8 open": (update(commands).where(DECIDED).values(status="running"), "(decide) has not ended"),
    "I8 never": (update(commands).where(DECIDED).values(ended_at=None), "ended at no time"),
    "I9": (update(runs).values(fence=1), "ran out of order"),
    "I10 owner": (update(trips).values(owner_id="somebody else"), "is not of its thread's owner"),
    "I10 tenant": (update(operations).values(tenant_id="another"), "ledger rows of another tenant"),
}


async def booked(world: World) -> None:
    tina, rita = await world.person("tina"), await world.person("rita")
    _, trip, _ = await submitted(tina, can_hold=True)
    await rita.decides(trip["review_id"], "approve")
    await world.later(5)


async def found(world: World, breaking: Any) -> list[Finding]:
    """With the rows so broken, in a transaction that is not kept."""
    async with world.whole.database.engine.connect() as tx:
        before = broken(await Books.read(tx), now=world.whole.clock(), patience=timedelta())
        assert before == []
        await tx.execute(breaking)
        books = await Books.read(tx)
        await tx.rollback()
    return broken(books, now=world.whole.clock() + timedelta(seconds=1), patience=timedelta())


async def test_each_way_in_which_the_books_can_be_wrong_is_found_and_has_a_remedy(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        await booked(world)
        for name, (breaking, words) in BROKEN.items():
            findings = await found(world, breaking)
            mine = [f for f in findings if f.invariant == name.split()[0] and words in f.what]
            assert mine, (name, findings)
            assert [f for f in findings if not says_what_to_do(f.remedy)] == []


async def examined(world: World, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    return await examine(world.whole.database, world.whole.settings), capsys.readouterr().out


def contents(data_dir: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in data_dir.iterdir()}


async def test_it_says_that_purchases_are_paused_that_a_server_runs_and_what_is_wrong_with_a_file(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        await submitted(tina, can_hold=False)
        settings = world.whole.settings
        status, out = await examined(world, capsys)
        assert (status, "server      runs" in out, "paused" in out) == (0, True, False), out
        await pause_now(settings, kind=Kind.PAUSE, reason="the card is being replaced")
        status, out = await examined(world, capsys)
        assert (status, "the card is being replaced (layover resume)" in out) == (0, True), out
    held = contents(data_dir)
    assert await examine(world.whole.database, settings) == 0
    assert "none runs on this directory" in capsys.readouterr().out
    assert held.items() <= contents(data_dir).items()  # it reads only
    (data_dir / "checkpoints.db").rename(data_dir / "elsewhere.db")
    assert await examine(world.whole.database, settings) == 1
    assert "checkpoint is gone\n            -> Start the server (layover serve) once" in capsys.readouterr().out
    (data_dir / "checkpoints.db").write_bytes(b"SQLite format 3\0" + b"not at all " * 1000)
    assert await examine(world.whole.database, settings) == 1
    out = capsys.readouterr().out
    assert "checkpoints.db is damaged" in out
    assert "layover restore" in out
    await world.whole.database.close()


async def test_a_file_that_cannot_be_read_just_now_is_not_called_damaged(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Putting a backup over it would lose what was booked since."""
    with closing(sqlite3.connect(data_dir / "layover.db")) as file:
        file.execute("PRAGMA journal_mode=WAL")
        file.execute("CREATE TABLE something (n INTEGER)")
    (data_dir / "layover.db-wal").mkdir()  # as where the log is not to be opened
    settings = Settings(_env_file=None, data_dir=data_dir)  # pyright: ignore[reportCallIssue]
    database = Database(f"sqlite+aiosqlite:///{data_dir / 'layover.db'}")
    with pytest.raises(sqlite3.OperationalError) as raised:
        await examine(database, settings)
    await database.close()
    assert trouble_of(raised.value) is Trouble.BROKEN
    assert "damaged" not in capsys.readouterr().out
