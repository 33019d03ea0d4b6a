"""Two servers on one data directory: the second is refused with the remedy, the first does not notice; nor may others get in."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from assistant.backup import back_up
from tests.crashes.disasters import layover, submitted
from tests.crashes.judge import drained, unsettled
from tests.crashes.lives import READY
from tests.crashes.site import Site

SERVE = ("serve", "--no-pages", "--port", "0")


async def test_a_second_server_is_refused_and_after_the_firsts_sudden_death_the_next_one_is_not(data_dir: Path) -> None:
    async with Site(data_dir) as site:
        trip = await submitted(site, can_hold=True)
        status, out, complained = await layover(data_dir, *SERVE)
        assert (status, READY in out, complained.count("\n")) == (2, False, 1), complained
        assert f"another server uses {data_dir}" in complained
        assert "Stop that one, or give this one another LAYOVER_DATA_DIR" in complained
        assert (await trip.approve()).status_code == 202
        await site.kill("to see whether its lock goes with it")
        assert await trip.becomes("booked") == "booked"  # by a successor, at once
        await drained(site)
        assert await unsettled(site) == []
        assert site.lives == 2


async def test_what_would_take_the_data_from_under_a_server_is_refused_while_it_runs(data_dir: Path, tmp_path: Path) -> None:
    async with Site(data_dir) as site:
        await site.up()
        await asyncio.to_thread(back_up, data_dir, tmp_path / "copy")
        refused = await asyncio.gather(layover(data_dir, "restore", str(tmp_path / "copy")), layover(data_dir, "prune"))
        assert refused[0][0] == 2
        assert f"a server uses {data_dir}. Stop it first" in refused[0][2]
        assert refused[1][0] == 0, refused[1]  # it may run beside a server
        older(data_dir)
        for status, _, complained in await asyncio.gather(layover(data_dir, "migrate"), layover(data_dir, "pause")):
            assert (status, complained.count("\n")) == (2, 1), complained
            assert "Stop it first" in complained


def older(data_dir: Path) -> None:
    """As an installation of yesterday's version is, to today's commands."""
    with closing(sqlite3.connect(data_dir / "layover.db")) as file, file:
        file.execute("UPDATE alembic_version SET version_num = 'older'")
