"""A power cut on a disk that lies: the tail of a write-ahead log is gone or garbage, and a new life starts on what is left.

A killed process alone loses nothing that was committed (synchronous=FULL). Here a commit that was answered is taken away: what
happened at the airline is not, and must be found again.
"""

from __future__ import annotations

import asyncio
import os
import struct
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from assistant.persistence.tables import commands
from tests.crashes.disasters import layover, rows, submitted
from tests.crashes.judge import drained, unsettled
from tests.crashes.lives import Forked
from tests.crashes.site import Site


def size(log: Path) -> int:
    return log.stat().st_size


def commits(log: Path) -> list[int]:
    """Where each transaction that is in force ends in a log; the format is https://www.sqlite.org/fileformat2.html#walformat."""
    data, ends, at = log.read_bytes(), list[int](), 32
    frame = 24 + struct.unpack(">I", data[8:12])[0]
    while at + frame <= len(data) and data[at + 8 : at + 16] == data[16:24]:
        if struct.unpack(">I", data[at + 4 : at + 8])[0]:
            ends.append(at + frame)
        at += frame
    return ends


async def power_cut(site: Site, *logs: Path, at: list[int], garbage: bool) -> None:
    """The server is gone, and of these logs what came after `at`: SQLite keeps the frames before the first that is wrong."""
    await site.kill("a power cut")
    files = [file for log in logs for file in (log.with_name(log.name.removesuffix("-wal")), log)]
    image = {file: file.read_bytes() for file in files}  # as it is on the disk, before anybody tidies up
    await site.database.close()
    for file, kept in image.items():
        file.write_bytes(kept)
    for log, end in zip(logs, at, strict=True):
        lost = len(image[log]) - end
        assert lost > 0
        log.write_bytes(image[log][:end] + (os.urandom(lost) if garbage else b""))
        log.with_name(log.name.replace("-wal", "-shm")).unlink(missing_ok=True)


@pytest.mark.parametrize("garbage", [False, True], ids=["cut off", "garbage"])
async def test_an_approval_and_its_booking_torn_from_the_log_are_found_at_the_airline_and_not_bought_again(
    garbage: bool, data_dir: Path
) -> None:
    """The whole decision is gone: that it was stored was a lie of the disk's. Said again, it finds its order paid already."""
    async with Site(data_dir, life=Forked()) as site:
        trip = await submitted(site, can_hold=True)
        logs = [data_dir / "layover.db-wal", data_dir / "checkpoints.db-wal"]
        before = [size(log) for log in logs]
        assert (await trip.approve()).status_code == 202
        assert await trip.becomes("booked") == "booked"
        await power_cut(site, *logs, at=before, garbage=garbage)
        assert await rows(site, commands, command_id=trip.key) == []  # the client's key is free again
        assert (await trip.view())["status"] == "waiting_review"
        assert (await trip.approve()).status_code == 202  # the same intent, with the key it always had
        assert await trip.becomes("booked", "needs_person", "choosing") == "booked"
        await drained(site)
        for each in await unsettled(
            site
        ):  # the books cannot know of what the disk has lost: the airline's payment is not in them
            assert "nobody sent it on a grant" in each or each.startswith("I4"), each
        assert [entry["effect"] for entry in site.airline.journal()].count("pay") == 1
        assert len(site.airline.orders(live=True)) == 1


async def test_steps_torn_from_the_log_of_the_checkpoints_are_asked_anew(data_dir: Path) -> None:
    async with Site(data_dir, life=Forked()) as site:
        log = data_dir / "checkpoints.db-wal"
        trip = await submitted(site, can_hold=True)
        await power_cut(site, log, at=[size(log) // 2], garbage=True)
        told, out, _ = await layover(data_dir, "doctor", LAYOVER_CLOCK="sandbox")
        assert (told, "Start the server (layover serve) once" in out) == (1, True), out
        await trip.becomes("waiting_review", "choosing", every=0)
        hello = await trip.tina.does(f"/conversations/{trip.chat}/messages", {"text": "hello?"})
        assert hello["result"]["reply"]
        if (await trip.view())["status"] == "choosing":
            offer = next(o["n"] for o in (await trip.view())["offers"] if o["can_hold"])
            await trip.tina.does(f"/trips/{trip.trip_id}/choice", {"offer": offer})
            await trip.becomes("waiting_review", every=0)
        assert (await trip.approve()).status_code == 202
        assert await trip.becomes("booked") == "booked"
        await drained(site)
        assert await unsettled(site) == []
        assert len(site.airline.orders(live=True)) == 1


@pytest.mark.parametrize(("can_hold", "point"), [(False, "outcome.committed.book"), (True, "outcome.committed.pay")])
async def test_an_outcome_torn_from_the_log_is_looked_up_and_nothing_is_sent_again(
    can_hold: bool, point: str, data_dir: Path
) -> None:
    async with Site(data_dir, life=Forked()) as site:
        trip = await submitted(site, can_hold=can_hold)
        await site.kill("between")
        site.points.append(point)
        await site.up()
        with suppress(httpx.TransportError):
            await trip.approve()
        await asyncio.wait_for(site.life.wait(), 60)
        log = data_dir / "layover.db-wal"
        await power_cut(site, log, at=[commits(log)[-2]], garbage=False)
        assert await trip.becomes("booked") == "booked"
        await drained(site)
        assert await unsettled(site) == []
        assert [entry["effect"] for entry in site.airline.journal()] == (["hold", "pay"] if can_hold else ["book"])
