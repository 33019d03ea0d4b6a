"""`layover doctor`: nothing to say about a well installation, and one line with a remedy for each thing that is wrong."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, text, update

from assistant.doctor import DECIDE, MIGRATE, RENAMED, RESTORE, START, examine
from assistant.persistence.database import Database
from assistant.persistence.tables import claims, commands, grants, operations, orders, questions, runs, trips
from assistant.settings import Settings
from tests.stories.remedies import says_what_to_do
from tests.stories.test_decisions import submitted
from tests.stories.world import Person, World


async def booked(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    await rita.decides(trip["review_id"], "approve")
    await world.later(5)


async def examined(world: World) -> int:
    return await examine(world.whole.database, world.whole.settings)


async def test_an_installation_that_has_booked_is_well(
    world: World, tina: Person, rita: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    await booked(world, tina, rita)
    assert await examined(world) == 0
    assert "All is well." in capsys.readouterr().out


async def test_without_a_database_it_says_how_to_make_one_and_makes_none(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(_env_file=None, data_dir=data_dir)  # pyright: ignore[reportCallIssue]
    database = Database(f"sqlite+aiosqlite:///{data_dir / 'layover.db'}")
    assert await examine(database, settings) == 1
    assert "layover migrate" in capsys.readouterr().out
    assert os.listdir(data_dir) == []
    await database.close()


async def test_another_versions_schema_is_named(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    await world.whole.database.write(lambda tx: tx.execute(text("UPDATE alembic_version SET version_num = 'older'")))
    assert await examined(world) == 1
    assert "the schema is older" in capsys.readouterr().out


async def test_a_question_of_another_graph_version_is_named(
    world: World, tina: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    await submitted(tina, can_hold=False)
    await world.whole.database.write(lambda tx: tx.execute(update(questions).values(graph_version="0")))
    assert await examined(world) == 1
    assert "waits at review of graph version 0" in capsys.readouterr().out


async def test_a_question_whose_checkpoint_is_gone_is_named(
    world: World, tina: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    await submitted(tina, can_hold=False)
    await world.whole.database.write(lambda tx: tx.execute(update(questions).values(asks_checkpoint_id="lost")))
    assert await examined(world) == 1
    assert "checkpoint is gone" in capsys.readouterr().out


BREAKS: dict[str, Any] = {
    "I2": update(operations).where(operations.c.kind == "hold").values(state="planned"),
    "I3": delete(grants).where(grants.c.granted_by.not_like("policy:%")),
    "I4": update(orders).values(total={"amount": "1.00", "currency": "CNY"}),
    "I5": update(operations).where(operations.c.kind == "pay").values(state="needs_person"),
    "I6": update(orders).values(trip_id="nobody's"),
    "I7": update(operations).where(operations.c.kind == "pay").values(fence=5),
    "I8": update(commands).where(commands.c.kind == "decide").values(ended_at=None),
    "I9": update(runs).values(fence=1),
    "I10": update(trips).values(owner_id="somebody else"),
}


@pytest.mark.parametrize("invariant", BREAKS)
async def test_each_broken_invariant_is_found(
    invariant: str, world: World, tina: Person, rita: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    await booked(world, tina, rita)
    await world.whole.database.write(lambda tx: tx.execute(BREAKS[invariant]))
    assert await examined(world) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(f"{invariant} ") for line in lines)
    assert all(after.startswith("            -> ") for line, after in pairwise(lines) if line.startswith("I"))


@pytest.mark.parametrize(
    "remedy",
    [
        "Look at its evidence.",
        "Look at its runs; two servers may share it.",
        "Pause purchases and look at who ran it.",
        "Run layover mend.",
        "Settle it in Cases of /review.",
        "See what GET /api/v1/evidence says.",
    ],
)
def test_a_remedy_that_names_nothing_there_is_would_be_noticed(remedy: str) -> None:
    assert not says_what_to_do(remedy)


@pytest.mark.parametrize("remedy", [RENAMED, MIGRATE, RESTORE, START, DECIDE])
def test_what_is_wrong_with_files_and_threads_names_what_to_do(remedy: str) -> None:
    assert says_what_to_do(remedy)


async def test_two_live_orders_of_one_passenger_on_one_flight_are_found(
    world: World, tina: Person, rita: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    await booked(world, tina, rita)
    row = dict((await world.rows(orders))[0]._mapping) | {"order_id": "ord_again", "state": "surplus"}
    await world.whole.database.write(lambda tx: tx.execute(insert(orders).values(row)))
    assert await examined(world) == 1
    assert "I1 " in capsys.readouterr().out


async def test_a_claim_of_an_order_that_is_over_is_found(
    world: World, tina: Person, rita: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    await booked(world, tina, rita)
    await world.whole.database.write(lambda tx: tx.execute(update(claims).values(create_id="over")))
    assert await examined(world) == 1
    assert "I7 " in capsys.readouterr().out
