"""Two lanes of torture: servers that are killed, and servers whose airline goes wrong."""

from __future__ import annotations

import asyncio
import random
import shutil
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from tests.crashes.faults import FaultPlan
from tests.crashes.judge import backward, drained, gathered, never, unsettled
from tests.crashes.lives import Forked, Spawned
from tests.crashes.points import GIVEN, WHERE_NAIVETY_SHOWS, points_of
from tests.crashes.promised import wrong_end
from tests.crashes.returns import KINDS, Wanderer
from tests.crashes.site import Died, Site, fresh_directory
from tests.crashes.totals import Totals

TRAVELLERS = ("tina", "tom")
REVIEWERS = ("rita", "raj")
TOGETHER = 2  # journeys side by side on the way to a point: while one waits another moves
UNDER_LOAD = 6
MISSED = 4  # journeys begun and ended in one life, without the death that was planned
SPELL = 150.0  # seconds under load; then the books are judged and fresh ones opened, which are quicker to read
OFTEN = ("book", "pay", "pay", "cancel", "release", "other_date", "keeps", "other_seat", "promotes", "rewords")


@dataclass
class Lane:
    totals: Totals
    rng: random.Random
    ended: asyncio.Event
    only: list[str]
    spawn: bool
    opening: asyncio.Lock
    module: str = "assistant"  # what runs
    done: int = 0  # journeys
    whole: int = 0  # of them begun and ended in one life of the server
    broken: int = 0  # since this lane's site was opened
    now: Site | None = None  # whose kills are not in the totals yet

    async def run(self) -> None: ...

    @property
    def over(self) -> bool:
        return self.ended.is_set()

    @asynccontextmanager
    async def site(self, *, spawn: bool = False, calm: bool = True) -> AsyncGenerator[Site]:
        """A directory and a server of its own. One is made at a time: migrations share what is global in a process."""
        async with AsyncExitStack() as stack:
            site = Site(fresh_directory(), self.module, life=Spawned() if spawn or self.spawn else Forked(), calm=calm)
            async with self.opening:
                self.broken = 0
                self.now = await stack.enter_async_context(site)
            yield site

    @property
    def is_naive(self) -> bool:
        """Something else than the product is watched, and was to be caught."""
        return self.module != "assistant"

    async def until_over(self, *works: Coroutine[Any, Any, object]) -> None:
        """All of it, or as much as there is time for; what was begun at the server goes on there."""

        async def all_of_it() -> None:
            async with asyncio.TaskGroup() as group:
                for work in works:
                    group.create_task(work)

        doing, ending = asyncio.create_task(all_of_it()), asyncio.create_task(self.ended.wait())
        await asyncio.wait([doing, ending], return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        doing.cancel()
        await asyncio.wait([doing])
        if self.over and self.now is not None:  # what was on its way there is not to arrive while the books are read
            await self.now.kill("when the time was up")
        if not doing.cancelled() and (trouble := doing.exception()):
            died, others = trouble.split(Died) if isinstance(trouble, ExceptionGroup) else (None, trouble)
            if others:
                raise others
            self.broke([str(each) for each in died.exceptions] if died else [])
            self.ended.set()  # a server that does not come up, or does not answer, stops everything

    async def many(self, site: Site, n: int, kinds: tuple[str, ...], *, on: Callable[[], bool], calm: bool = True) -> None:
        """So many journeys side by side, as long as it goes on."""

        async def one_after_the_other() -> None:
            while on():
                await self._journey(site, self.rng.choice(kinds), calm=calm)

        await asyncio.gather(*(one_after_the_other() for _ in range(n)), self._watched(site, on))

    async def _watched(self, site: Site, on: Callable[[], bool]) -> None:
        """What must never be is looked for every second, and against the last look."""
        before = None
        while on():
            await asyncio.sleep(1.0)
            seen = await gathered(site)
            self.broke([*never(seen), *(backward(before, seen.books) if before else ())])
            before = seen.books
            if self.is_naive and self.totals.duplicates:
                self.ended.set()

    async def _journey(self, site: Site, kind: str, *, calm: bool) -> None:
        kills, life = site.kills, site.lives
        people = {"traveller": self.rng.choice(TRAVELLERS), "reviewer": self.rng.choice(REVIEWERS)}
        try:
            end = await KINDS[kind](Wanderer(site, self.rng, **people, calm=calm))
        except AssertionError as stuck:
            end = "stuck"
            self.broke([f"{kind} journey in {site.data_dir}: {stuck}"])
        else:
            wrong = None if self.is_naive else wrong_end(kind, end, calm=calm, died=site.kills != kills)
            self.broke([f"{wrong}, in {site.data_dir}"] if wrong else [])
        (self.totals.calm_ends if calm else self.totals.ends)[f"{kind}: {end}"] += 1
        self.done += 1
        self.whole += site.lives == life

    async def judged(self, site: Site, name: str) -> None:
        """At rest. A directory in which something went wrong is named and kept."""
        try:
            if not self.is_naive:
                await drained(site)
                self.broke(await unsettled(site))
        except (AssertionError, Died) as stuck:
            self.broke([str(stuck)])
        site.spoil([])
        self.now = None
        for point, times in site.killed_at.items():
            self.totals.kills[point.split(":")[0]] += times  # whichever passing it was
        for what, times in site.cut_off.items():
            self.totals.cut_off[what.rpartition(":")[0] if what[-1].isdigit() else what] += times
        self.totals.patience += site.heard.patience
        self.totals.spawned += site.kills if isinstance(site.life, Spawned) else 0
        self.totals.faults.update(site.faults)
        if self.broken:
            self.totals.kept.append(f"{name}: {site.data_dir}")
        else:
            shutil.rmtree(site.data_dir, ignore_errors=True)
        print(f"{name}: {site.lives} lives, {site.kills} kills, {self.done} journeys so far, {self.broken} broken", flush=True)

    def broke(self, found: list[str]) -> None:
        """Told once, whichever lane saw it first."""
        before = len(self.totals.wrong)
        self.totals.broke(found)
        self.broken += len(self.totals.wrong) - before


class Kills(Lane):
    """Each crash point on each kind of journey, one server's life each; in between load, and a kill every now and then."""

    async def run(self) -> None:
        for n in count():
            for kind in self.rng.sample(sorted(GIVEN), len(GIVEN)):
                if self.over:
                    return
                if not self.only or "points" in self.only:
                    await self._points("book" if self.is_naive else kind, spawn=n % 2 == 1)
            if not self.over and (not self.only or "load" in self.only):
                await self._under_load(spawn=n % 2 == 0)

    async def _points(self, kind: str, *, spawn: bool) -> None:
        async with self.site(spawn=spawn) as site:
            site.points.extend(WHERE_NAIVETY_SHOWS if self.is_naive else points_of(kind, self.rng))
            await self.until_over(self._until_all_died(site, kind))
            await self.judged(site, f"points of {kind}")

    async def _until_all_died(self, site: Site, kind: str) -> None:
        missing = asyncio.create_task(self._missing(site))
        await self.many(site, TOGETHER, (kind,), on=lambda: bool(site.points or site.is_armed or not site.lives))
        missing.cancel()

    async def _missing(self, site: Site) -> None:
        """A point that several journeys of one life have not reached is tried in another; then it is given up, and said."""
        life, since, tried = 0, 0, set[str]()
        while True:
            await asyncio.sleep(0.3)
            if site.lives != life:
                life, since = site.lives, self.whole
            elif self.whole - since >= MISSED and site.is_armed:
                if site.armed in tried:
                    self.totals.unreached[site.armed.split(":")[0]] += 1
                else:
                    tried.add(site.armed)
                    site.points.append(site.armed)
                await site.rearm()

    async def _under_load(self, *, spawn: bool) -> None:
        async with self.site(spawn=spawn, calm=False) as site:
            until = time.monotonic() + SPELL
            plan = FaultPlan(site.airline, self.rng)
            journeys = self.many(site, UNDER_LOAD, OFTEN, on=lambda: time.monotonic() < until, calm=False)
            await self.until_over(self._kills(site, until), plan.renewed(until), journeys)
            self.totals.faults.update(plan.injected)
            await self.judged(site, "kills and faults under load")

    async def _kills(self, site: Site, until: float) -> None:
        while time.monotonic() < until:
            await site.up()
            await asyncio.sleep(self.rng.uniform(0.5, 6.0))
            await site.kill("at a random moment")


class Faults(Lane):
    """Many journeys side by side at an airline that does everything wrong that it can."""

    async def run(self) -> None:
        while not self.over:
            await self._spell(time.monotonic() + SPELL)

    async def _spell(self, until: float) -> None:
        async with self.site(calm=False) as site:
            plan = FaultPlan(site.airline, self.rng)
            journeys = self.many(site, UNDER_LOAD, OFTEN, on=lambda: time.monotonic() < until, calm=False)
            await self.until_over(plan.renewed(until), journeys)
            self.totals.faults.update(plan.injected)
            await self.judged(site, "faults under load")
