"""A full disk, met by a real server: what cannot be stored is refused as such, what was accepted goes on once there is space.

Twice: on a small file system of its own (ENOSPC), which needs the right to mount one, and on a process that may write to no
file any more (EFBIG), which needs no right and fails also where a log could have been written over.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from assistant.persistence.tables import commands
from tests.crashes.disasters import Caller, layover, ready, rows, submitted, until
from tests.crashes.disks import Disk, ForbiddenDisk, Life, SmallDisk, mounted, read_all_along
from tests.crashes.full_server import refused, to_be_full_at
from tests.crashes.judge import drained, unsafe, unsettled
from tests.crashes.site import Site

KINDS = ("small", "forbidden")
SERVER = "tests.crashes.full_server"
# in the order in which the approval of one trip comes to them, where it was disturbed at the one before
BOUGHT = (
    "begin.stored.decide",
    "plan.stored",
    "send.stored.book",
    "send.received.book",
    "look_up.stored.book",
    "finish.stored.notify",
)
PAID = ("checkpoint.before_put", "send.stored.pay", "outcome.stored.pay", "finish.stored.decide")
WORDS = {"en": "cannot write to its disk", "zh": "磁盘"}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, data_dir: Path) -> Iterator[str]:
    """The data directory on such a disk."""
    if request.param == "forbidden":
        yield request.param
        return
    with mounted(data_dir) as refused:
        if refused is not None:
            pytest.skip(f"no file system can be mounted here ({refused}): only the forbidden disk was tried")
        yield request.param


def disk_of(kind: str, site: Site, life: Life) -> Disk:
    return SmallDisk(site.data_dir) if kind == "small" else ForbiddenDisk(life)


async def test_what_a_full_disk_cannot_take_is_refused_in_the_callers_words_and_taken_later_with_the_same_key(
    kind: str, data_dir: Path
) -> None:
    async with Site(data_dir, life=(life := Life())) as site:
        trip = await submitted(site, can_hold=False)
        assert (await ready(site))[0] == 200
        decision, key = await trip.decision(), str(uuid4())
        disk = disk_of(kind, site, life)
        with read_all_along(data_dir / "layover.db", data_dir / "checkpoints.db"):
            disk.fill()
            for language, words in WORDS.items():
                rita = Caller(site, "rita", language)
                refused = await rita.call("POST", trip.decision_path, decision, key=key)
                assert (refused.status_code, refused.json()["code"]) == (503, "storage"), refused.text
                assert words in refused.json()["detail"]
                assert "sqlite" not in refused.text.lower()
                assert refused.headers["retry-after"]
            await until(site, lambda: is_unready(site), every=0)
            assert (await trip.view())["status"] == "waiting_review"  # what can be read is still answered
            assert (await trip.rita.call("GET", f"/commands/{key}")).status_code == 404
            assert await rows(site, commands, command_id=key) == []
            if kind == "small":
                await operators_are_told(data_dir)
            disk.free()
            await trip.rita.does(trip.decision_path, decision, key=key)
            assert await trip.becomes("booked") == "booked"
        await until(site, lambda: is_ready(site), every=0)
        await drained(site)
        assert await unsettled(site) == []
        assert len(site.airline.orders(live=True)) == 1


async def operators_are_told(data_dir: Path) -> None:
    status, _, complained = await layover(data_dir, "pause")
    assert (status, complained.count("\n")) == (2, 1), complained
    assert "the storage is full" in complained
    assert "Free some space" in complained


async def is_ready(site: Site) -> bool:
    return (await ready(site))[0] == 200


@pytest.mark.parametrize("points", [BOUGHT, PAID], ids=["bought", "paid"])
async def test_what_was_accepted_before_the_disk_ran_full_is_carried_out_once_when_there_is_space(
    points: tuple[str, ...], kind: str, data_dir: Path
) -> None:
    async with Site(data_dir, module=SERVER, life=(life := Life())) as site:
        disk = disk_of(kind, site, life)
        trip = await submitted(site, can_hold=points is PAID)
        with read_all_along(data_dir / "layover.db", data_dir / "checkpoints.db"):
            await to_be_full_at(points[0], life, data_dir)
            assert (await trip.approve()).status_code == 202
            for times, following in enumerate((*points[1:], ""), 1):
                await until(site, lambda: full(disk), every=1)
                await until(site, lambda times=times: has_failed(data_dir, times), every=1)
                assert await unsafe(site) == []
                await to_be_full_at(following, life, data_dir)
                disk.free()
            assert await trip.becomes("booked", "needs_person") == "booked"
        assert (await trip.rita.get(f"/commands/{trip.key}"))["status"] == "succeeded"
        await drained(site)
        assert await unsettled(site) == []
        assert (len(site.airline.orders(live=True)), site.lives) == (1, 1)


async def has_failed(data_dir: Path, times: int) -> bool:
    """What was being written."""
    return refused(data_dir, times).exists()


async def full(disk: Disk) -> bool:
    return disk.is_full()


async def is_unready(site: Site) -> bool:
    status, checks = await ready(site)
    return status == 503 and not checks["storage"] and checks["database"]
