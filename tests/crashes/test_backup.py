"""A backup taken under load: restored, it comes to rest, and its ledger agrees with the airline of that moment."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from assistant.backup import back_up, restore
from assistant.settings import SettingsError
from tests.crashes.journeys import Journey
from tests.crashes.judge import drained, unsettled
from tests.crashes.lives import Forked
from tests.crashes.site import Site
from tests.stories.world import opened


async def test_a_backup_taken_under_load_is_whole(data_dir: Path, tmp_path: Path) -> None:
    rng = random.Random(8)
    async with Site(data_dir, life=Forked()) as site:
        await Journey(site, rng).pay()
        busy = [asyncio.create_task(Journey(site, rng, traveller=who).book()) for who in ("tina", "tom", "tina")]
        copies = [tmp_path / f"copy {n}" for n in range(3)]
        for copy in copies:
            await asyncio.sleep(0.4)
            await asyncio.to_thread(back_up, data_dir, copy)
        await asyncio.gather(*busy)
    for copy in copies:
        async with Site(copy, life=Forked()) as restored:
            await drained(restored)
            assert await unsettled(restored) == []
            await Journey(restored, rng).cancel()
            await drained(restored)
            assert await unsettled(restored) == []


def test_a_backup_is_not_put_where_it_would_be_lost_with_what_it_copies(data_dir: Path) -> None:
    (data_dir / "layover.db").touch()
    for inside in (data_dir, data_dir / "copy", data_dir / "copies" / "today"):
        with pytest.raises(SettingsError, match="is inside"):
            back_up(data_dir, inside)
    assert [file.name for file in data_dir.iterdir()] == ["layover.db"]


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
