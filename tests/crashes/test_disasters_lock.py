"""Another program that keeps a database locked for longer than anybody waits: said as such, nothing lost, and it goes on."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint

from assistant.bootstrap import checkpoints
from assistant.persistence.tables import commands, runs
from tests.crashes.disasters import Caller, layover, ready, rows, submitted, until
from tests.crashes.judge import drained, unsettled
from tests.crashes.site import Site


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """As a program does that has begun to write and does not end; at its end it has written something of its own."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("CREATE TABLE of_another_program (n INTEGER)")
        try:
            yield
        finally:
            other.execute("COMMIT")


async def test_while_the_ledger_is_locked_nothing_is_taken_and_the_same_key_is_taken_afterwards(data_dir: Path) -> None:
    async with Site(data_dir) as site:
        trip = await submitted(site, can_hold=True)
        decision, key = await trip.decision(), str(uuid4())
        with locked(data_dir / "layover.db"):
            refusing = asyncio.create_task(Caller(site, "rita", "zh").call("POST", trip.decision_path, decision, key=key))
            await until(site, lambda: says_no(site, "storage"), every=0)
            assert (await trip.view())["status"] == "waiting_review"
            operator = asyncio.create_task(layover(data_dir, "pause"))
            refused = await refusing
            assert (refused.status_code, refused.json()["code"]) == (503, "unavailable"), refused.text
            assert "请稍后再试" in refused.json()["detail"]
            assert refused.headers["retry-after"]
            status, _, complained = await operator
            assert (status, complained.count("\n")) == (2, 1), complained
            assert "locked" in complained
        assert await rows(site, commands, command_id=key) == []
        await trip.rita.does(trip.decision_path, decision, key=key)
        assert await trip.becomes("booked") == "booked"
        await drained(site)
        assert await unsettled(site) == []
        assert (len(site.airline.orders(live=True)), site.lives) == (1, 1)


async def test_while_the_checkpoints_are_locked_what_was_accepted_waits_and_is_then_carried_out_once(data_dir: Path) -> None:
    async with Site(data_dir) as site:
        trip = await submitted(site, can_hold=False)
        with locked(data_dir / "checkpoints.db"):
            assert (await trip.approve()).status_code == 202
            assert await says_no(site, "checkpoints")
            await until(site, lambda: rows(site, runs, command_id=trip.key, outcome="retry"), every=0)
            assert (await trip.rita.get(f"/commands/{trip.key}"))["status"] in ("accepted", "running")
        assert await trip.becomes("booked") == "booked"
        assert (await trip.rita.get(f"/commands/{trip.key}"))["status"] == "succeeded"
        await drained(site)
        assert await unsettled(site) == []
        assert (len(site.airline.orders(live=True)), site.lives) == (1, 1)


async def test_a_step_that_met_a_locked_file_leaves_nothing_open_to_the_next(data_dir: Path) -> None:
    at: RunnableConfig = {"configurable": {"thread_id": "a thread", "checkpoint_ns": ""}}
    async with checkpoints(data_dir / "checkpoints.db") as saver:
        await saver.conn.execute("PRAGMA busy_timeout=50")
        with locked(data_dir / "checkpoints.db"):
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                await saver.aput(at, empty_checkpoint(), {}, {})
            assert await saver.aget_tuple(at) is None  # a view of the file as it is before the other one has written
        await saver.aput(at, empty_checkpoint(), {}, {})
        assert await saver.aget_tuple(at) is not None


async def says_no(site: Site, check: str) -> bool:
    status, checks = await ready(site)
    return status == 503 and not checks[check]
