"""A backup taken under load: restored, it comes to rest, and its ledger agrees with the airline of that moment."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from assistant.backup import back_up, restore
from assistant.settings import SettingsError
from tests.crashes.journeys import Journey
from tests.crashes.judge import drained, unsettled
from tests.crashes.lives import Forked
from tests.crashes.site import Site
from tests.stories.world import opened

LARGE = 48_000_000  # bytes of ledger: long enough to copy for something to happen meanwhile, were it not kept from happening
COPIES = 2


async def layover(data_dir: Path, *words: str) -> str:
    """The command as an operator types it, in a process of its own, while everything goes on."""
    own = {"LAYOVER_DATA_DIR": str(data_dir), "LAYOVER_CLOCK": "sandbox"}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "assistant",
        *words,
        env=os.environ | own,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said = (await process.communicate())[0].decode()
    assert process.returncode == 0, said
    return said


def grow(data_dir: Path) -> None:
    with closing(sqlite3.connect(data_dir / "layover.db")) as ledger, ledger:
        ledger.execute("CREATE TABLE ballast (bytes BLOB)")
        ledger.execute("INSERT INTO ballast VALUES (randomblob(?))", (LARGE,))


async def talks(site: Site, enough: asyncio.Event) -> None:
    """Somebody of whom something is under way at any moment."""
    while not enough.is_set():
        _, made = await site.post("tom", "/conversations")
        await site.post("tom", f"/conversations/{made['conversation_id']}/messages", {"text": "From Shanghai to Tokyo"})


def read(file: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as reading:
        return [row[0] for row in reading.execute(query)]


def in_flight(copy: Path) -> list[str]:
    """What was under way when it was taken."""
    commands = read(copy / "layover.db", "SELECT command_id FROM commands WHERE status IN ('accepted', 'running')")
    return commands + read(copy / "layover.db", "SELECT operation_id FROM operations WHERE state = 'submitting'")


def beyond(copy: Path) -> list[str]:
    """What the other files of a copy know and its ledger does not: steps of runs, orders of attempts."""
    runs = set(read(copy / "layover.db", "SELECT command_id FROM runs"))
    attempts = set(read(copy / "layover.db", "SELECT operation_id FROM attempts"))
    steps = {json.loads(each)["command_id"] for each in read(copy / "checkpoints.db", "SELECT metadata FROM checkpoints")}
    orders = {json.loads(each)["metadata"]["operation_id"] for each in read(copy / "airline.db", "SELECT body FROM orders")}
    return sorted((steps - runs) | (orders - attempts))


async def test_a_backup_taken_under_load_is_whole(data_dir: Path, tmp_path: Path) -> None:
    rng, enough = random.Random(8), asyncio.Event()
    copies = [tmp_path / f"copy {n}" for n in range(COPIES)]
    async with Site(data_dir, life=Forked()) as site:
        await Journey(site, rng).pay()
        grow(data_dir)
        busy = [asyncio.create_task(Journey(site, rng, traveller=who).book()) for who in ("tina", "tom", "tina")]
        talking = [asyncio.create_task(talks(site, enough)) for _ in range(2)]
        for copy in copies:
            await layover(data_dir, "backup", str(copy))
        enough.set()
        await asyncio.gather(*busy, *talking)
    assert any(in_flight(copy) for copy in copies)
    assert [beyond(copy) for copy in copies] == [[]] * COPIES
    for n, copy in enumerate(copies):
        await layover(tmp_path / f"again {n}", "restore", str(copy))
        async with Site(tmp_path / f"again {n}", life=Forked()) as restored:
            await drained(restored)
            assert await unsettled(restored) == []
            await Journey(restored, rng).cancel()
            await drained(restored)
            assert await unsettled(restored) == []


def test_a_directory_that_holds_something_is_not_written_over(data_dir: Path, tmp_path: Path) -> None:
    (data_dir / "layover.db").touch()
    with pytest.raises(SettingsError, match="not empty"):
        back_up(data_dir, tmp_path)
    with pytest.raises(SettingsError, match="no database"):
        back_up(tmp_path / "nowhere", tmp_path / "copy")


async def test_a_restored_backup_goes_on_and_what_was_there_is_kept(data_dir: Path, tmp_path: Path) -> None:
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        chat = await tina.chat()
        await chat.say("From Shanghai to Tokyo on 11 December")
        trip = await tina.choose((await chat.trip())["trip_id"])
        back_up(data_dir, tmp_path / "copy")
        with pytest.raises(SettingsError, match="a server uses"):
            restore(tmp_path / "copy", data_dir, airline_goes_on=False)
        await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    kept = restore(tmp_path / "copy", data_dir, airline_goes_on=False)
    assert kept is not None
    assert (kept / "layover.db").is_file()
    async with opened(data_dir) as world:
        rita = await world.person("rita")
        await rita.decides(trip["review_id"], "approve")
        await world.later(5)
        assert (await (await world.person("tina")).trip(trip["trip_id"]))["status"] == "booked"


async def test_where_the_airline_has_gone_on_no_old_yes_counts_and_purchases_wait(data_dir: Path, tmp_path: Path) -> None:
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        chat = await tina.chat()
        await chat.say("From Shanghai to Tokyo on 11 December")
        trip = await tina.choose((await chat.trip())["trip_id"])
        back_up(data_dir, tmp_path / "copy")
    restore(tmp_path / "copy", tmp_path / "again", airline_goes_on=True)
    async with opened(tmp_path / "again") as world:
        rita = await world.person("rita")
        review = await rita.review(trip["review_id"])
        decision = {"type": "approve", "digest": review["digest"]}
        refused = await rita.post(f"/reviews/{review['review_id']}/decision", decision)
        assert (refused.status_code, refused.json()["code"]) == (409, "paused")
        assert "restored from a backup" in refused.json()["detail"]


def test_what_is_no_whole_backup_is_refused_and_nothing_is_touched(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "half").mkdir()
    (data_dir / "layover.db").write_text("mine")
    with pytest.raises(SettingsError, match="no whole backup"):
        restore(tmp_path / "half", data_dir, airline_goes_on=False)
    assert (data_dir / "layover.db").read_text() == "mine"
