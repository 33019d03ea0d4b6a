"""A real server, killed with SIGKILL at the worst moments, started again, and judged by the airline's own journal."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from pathlib import Path

import pytest

from tests.crashes.judge import drained, unsafe, unsettled
from tests.crashes.lives import Forked
from tests.crashes.returns import KINDS, Wanderer
from tests.crashes.site import Site

LONGEST = 600.0  # seconds; a point that no journey comes to is not waited for
POINTS = {
    "pay": [
        "begin.committed.send_message",
        "checkpoint.writes_stored:9",
        "send.received.hold",
        "accept.committed.decide",
        "outcome.stored.pay",
    ],
    "book": ["accept.stored.choose", "plan.committed", "airline.applied.create", "finish.stored.decide"],
    "cancel": ["checkpoint.before_put:20", "send.received.book", "airline.applied.confirm"],
}


async def test_killed_at_a_dozen_points_nothing_is_lost_and_nothing_is_done_twice(data_dir: Path) -> None:
    rng = random.Random(4)
    every = deque(point for points in POINTS.values() for point in points)
    async with Site(data_dir, life=Forked(), points=every) as site, asyncio.timeout(LONGEST):
        for kind, points in POINTS.items():
            while any(site.killed_at[point] == 0 for point in points):
                await KINDS[kind](Wanderer(site, rng))
                assert await unsafe(site) == []
        await drained(site)
        assert await unsettled(site) == []
        assert sum(site.killed_at.values()) == 12


@pytest.mark.parametrize(
    ("kind", "command", "points"),
    [
        ("keeps", "rewind", ["checkpoint.before_put.update", "checkpoint.put.update"]),
        ("promotes", "promote_branch", ["checkpoint.before_put.update:2", "checkpoint.put.update"]),
    ],
)
async def test_killed_where_the_graph_is_entered_anew_it_is_entered_once_more_and_ends_as_if_nothing_had_been(
    kind: str, command: str, points: list[str], data_dir: Path
) -> None:
    async with Site(data_dir, life=Forked(), points=deque(points)) as site, asyncio.timeout(LONGEST):
        assert await KINDS[kind](Wanderer(site, random.Random(7))) == "booked"
        assert all(site.cut_off[f"{command}: {point}"] == 1 for point in points)
        await drained(site)
        assert await unsettled(site) == []


async def test_killed_between_intent_and_sending_it_is_never_sent_and_a_person_is_asked(data_dir: Path) -> None:
    async with Site(data_dir, points=deque(["send.intended.book"])) as site:
        assert await Wanderer(site, random.Random(5)).book() == "needs_person"
        assert site.airline.journal() == []
        await drained(site)
        assert await unsettled(site) == []


@pytest.mark.parametrize("point", ["send.received.book", "airline.applied.create"])
async def test_the_judge_sees_the_duplicates_of_a_desk_that_sends_again(point: str, data_dir: Path) -> None:
    async with Site(data_dir, module="tests.crashes.naive_server", points=deque([point])) as site:
        await Wanderer(site, random.Random(6)).book()
        found = await unsafe(site)
        assert any("live orders on" in each for each in found)
        assert any(each.startswith("I2") for each in found)
