"""The same command from several client processes at once, and many chats at once: one run each, in the order typed."""

from __future__ import annotations

from pathlib import Path

from tests.crashes.races import four_ways, many_threads, one_command
from tests.crashes.site import Site


async def test_a_command_delivered_a_hundred_times_at_once_runs_once(data_dir: Path) -> None:
    async with Site(data_dir) as site:
        counted = await one_command(site, deliveries=100, processes=3)
        assert counted["answered 200"] + counted["answered 202"] == 100
        assert [counted[what] for what in ("messages", "runs", "said", "trips")] == [1, 1, 1, 1]


async def test_many_chats_at_once_keep_each_its_own_order(data_dir: Path) -> None:
    async with Site(data_dir) as site:
        assert await many_threads(site, threads=12, each=6, processes=2) == []


async def test_approved_cancelled_taken_back_and_run_out_from_many_processes_has_one_end(data_dir: Path) -> None:
    async with Site(data_dir) as site:
        for n, first in enumerate((None, "decide", "rewind")):
            ended = await four_ways(site, n, first=first)
            assert ended.broken == [], ended
            assert all(statuses <= {200, 202, 409} for statuses in ended.answers.values()), ended
            assert all(len(of_one) <= 1 for of_one in ended.ends.values()), ended
            won = {name for name, of_one in ended.ends.items() if of_one == ["succeeded"]}
            assert won, ended
            assert not {"decide", "expire"} <= won, ended
            bought = sum(effect in ("pay", "book") for effect in ended.effects)
            assert bought <= ("decide" in won), ended
