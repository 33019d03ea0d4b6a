"""`python -m tests.crashes.torture`: kills and faults for as long as one likes, totals by point and fault at the end.

Three rounds: each crash point on each kind of journey, kills at random moments under load, and every fault of the sandbox
airline under load. The exit status is 1 when an invariant was broken, a command lost or a journey stuck.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.crashes.faults import FaultPlan
from tests.crashes.journeys import KINDS, Journey
from tests.crashes.judge import drained, unsafe, unsettled
from tests.crashes.lives import Forked, Spawned
from tests.crashes.site import Died, Site, fresh_directory

SIDE_BY_SIDE = 6  # journeys under load
TRAVELLERS = ("tina", "tom")
REVIEWERS = ("rita", "raj")
GENERAL = ("accept.stored", "accept.committed", "begin.stored", "begin.committed", "finish.stored", "finish.committed")
CHECKPOINTS = ("checkpoint.before_writes", "checkpoint.writes_stored", "checkpoint.before_put", "checkpoint.put")
ANYWHERE = ("plan.stored", "plan.committed", *CHECKPOINTS)
SENDING = ("send.prepared", "send.stored", "send.intended", "send.received", "outcome.stored", "outcome.committed")
COMMANDS = {"book": "decide", "pay": "decide", "release": "decide", "cancel": "cancel_trip"}
OPERATIONS = {"book": "book", "pay": "pay", "release": "hold", "cancel": "cancel"}
AT_THE_AIRLINE = {"book": "create", "pay": "pay", "release": "create", "cancel": "confirm"}


@dataclass
class Totals:
    """What was done and what came of it."""

    kills: Counter[str] = field(default_factory=Counter[str])
    faults: Counter[str] = field(default_factory=Counter[str])
    ends: Counter[str] = field(default_factory=Counter[str])
    unreached: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])

    def told(self, seconds: float) -> str:
        points = sum(1 for point in self.kills if "." in point)
        lines = [f"{sum(self.kills.values())} kills, at {points} different points, in {seconds / 60:.1f} minutes"]
        lines += [f"  {count:5} {point}" for point, count in sorted(self.kills.items())]
        lines += [f"{sum(self.faults.values())} faults injected"]
        lines += [f"  {count:5} {fault}" for fault, count in sorted(self.faults.items())]
        lines += [f"{sum(self.ends.values())} journeys"]
        lines += [f"  {count:5} {end}" for end, count in sorted(self.ends.items())]
        if self.unreached:
            lines += ["not reached: " + ", ".join(sorted(self.unreached))]
        lines += [f"{len(self.wrong)} broken", *(f"  {each}" for each in self.wrong[:40])]
        return "\n".join(lines)


def points_of(kind: str, rng: random.Random) -> list[str]:
    """The crash points on the way of a journey, those that are passed often at a random passing."""
    often = [f"{point}:{rng.randint(1, 40 if point.startswith('checkpoint') else 3)}" for point in ANYWHERE]
    general = [f"{point}.{COMMANDS[kind]}" for point in GENERAL]
    sending = [f"{point}.{OPERATIONS[kind]}" for point in SENDING]
    return [*general, *often, *sending, f"airline.applied.{AT_THE_AIRLINE[kind]}"]


@dataclass
class Torture:
    rng: random.Random
    ends_at: float
    life: type[Spawned] | type[Forked] = Forked
    totals: Totals = field(default_factory=Totals)

    @property
    def over(self) -> bool:
        return time.monotonic() > self.ends_at

    def stop(self) -> None:
        """Come to an end, judge and tell the totals."""
        self.ends_at = 0.0

    async def points(self, *, rounds: int) -> None:
        """Every point on every kind of journey, one server's life each."""
        for _ in range(rounds):
            for kind in KINDS:
                if self.over:
                    return
                async with Site(fresh_directory(), life=self.life()) as site:
                    site.points.extend(self.rng.sample(points := points_of(kind, self.rng), len(points)))
                    await self._until_all_died(site, kind)
                    await self._judged(site)

    async def _until_all_died(self, site: Site, kind: str) -> None:
        missed = 0
        while (site.points or site.is_armed) and not self.over:
            kills = site.kills
            await self._journey(site, kind)
            await self._safe(site)
            missed = 0 if site.kills > kills else missed + 1
            if missed == 2:
                self.totals.unreached[site.armed] += 1
                await site.rearm()
                missed = 0

    async def under_load(self, *, seconds: float) -> None:
        """Many journeys side by side, and a kill every now and then."""
        async with Site(fresh_directory(), life=self.life()) as site:
            until = min(time.monotonic() + seconds, self.ends_at)
            killer = asyncio.create_task(self._kills(site, until))
            await self._many(site, until)
            await killer
            await self._judged(site)

    async def faulty(self, *, seconds: float) -> None:
        """Many journeys side by side at an airline that does everything wrong that it can."""
        async with Site(fresh_directory(), life=self.life()) as site:
            until = min(time.monotonic() + seconds, self.ends_at)
            plan = FaultPlan(site.airline, self.rng)
            planner = asyncio.create_task(plan.renewed(until))
            await self._many(site, until)
            await planner
            self.totals.faults.update(plan.injected)
            await self._judged(site)

    async def _kills(self, site: Site, until: float) -> None:
        while time.monotonic() < until and not self.over:
            await site.up()
            await asyncio.sleep(self.rng.uniform(0.5, 6.0))
            await site.kill("at a random moment")

    async def _many(self, site: Site, until: float) -> None:
        async def one_after_the_other() -> None:
            while time.monotonic() < until and not self.over:
                await self._journey(site, self.rng.choice(list(KINDS)))
                await self._safe(site)

        await asyncio.gather(*(one_after_the_other() for _ in range(SIDE_BY_SIDE)))

    async def _journey(self, site: Site, kind: str) -> None:
        people = {"traveller": self.rng.choice(TRAVELLERS), "reviewer": self.rng.choice(REVIEWERS)}
        try:
            end = await KINDS[kind](Journey(site, self.rng, **people))
        except (AssertionError, Died) as stuck:
            end = "stuck"
            self.totals.wrong.append(f"{kind} journey in {site.data_dir}: {stuck}")
        self.totals.ends[f"{kind}: {end}"] += 1

    async def _safe(self, site: Site) -> None:
        found = await unsafe(site)
        self.totals.wrong += [each for each in found if each not in self.totals.wrong]

    async def _judged(self, site: Site) -> None:
        """At rest; a directory in which something went wrong is named."""
        before = len(self.totals.wrong)
        try:
            await drained(site)
            self.totals.wrong += await unsettled(site)
        except (AssertionError, Died) as stuck:
            self.totals.wrong.append(str(stuck))
        for point, count in site.killed_at.items():
            self.totals.kills[point.split(":")[0]] += count  # whichever passing it was
        if len(self.totals.wrong) > before:
            self.totals.wrong.append(f"in {site.data_dir}")
        print(f"{site.data_dir}: {site.lives} lives, {len(self.totals.wrong)} broken so far", flush=True)


async def run(*, minutes: float, seed: int, only: str | None, spawn: bool) -> int:
    started = time.monotonic()
    torture = Torture(random.Random(seed), started + minutes * 60, Spawned if spawn else Forked)
    for asks_to_end in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(asks_to_end, torture.stop)
    share = minutes * 60 / 4
    if only in (None, "points"):
        await torture.points(rounds=1 if only is None else 100)
    while not torture.over and only != "points":
        if only in (None, "load"):
            await torture.under_load(seconds=share)
        if only in (None, "faults"):
            await torture.faulty(seconds=share)
    print(f"seed {seed}\n{torture.totals.told(time.monotonic() - started)}")
    return 1 if torture.totals.wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crashes.torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=None, help="how long, 50 unless told; --long for four hours")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seed", type=int, default=None, help="the seed a failure printed")
    parser.add_argument("--only", choices=["points", "load", "faults"], help="one of the three rounds")
    parser.add_argument(
        "--spawn", action="store_true", help="a fresh interpreter for each server, instead of a fork of a warm one"
    )
    asked = parser.parse_args()
    minutes = asked.minutes or (240 if asked.long else 50)
    seed = asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**6)
    return asyncio.run(run(minutes=minutes, seed=seed, only=asked.only, spawn=asked.spawn))


if __name__ == "__main__":
    sys.exit(main())
