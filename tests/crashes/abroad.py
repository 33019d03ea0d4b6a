"""A site whose airline is a process of its own: called over HTTP, posting its signed webhooks, and dying when it does, not we.

Its file is open here too, as everywhere for the judge; what it does it does in its own process and in its own time.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType

import httpx

from assistant.booking.sandbox import SandboxAirline
from assistant.crashpoints import VARIABLE
from tests.crashes.faults import CHANGING, FaultPlan
from tests.crashes.lanes import OFTEN, SPELL, Lane
from tests.crashes.lives import Forked, Spawned
from tests.crashes.site import Died, Site, fresh_directory
from tests.crashes.stepped_server import step

SECRET = "what the airline signs with"
SECRET_IN = "LAYOVER_DUFFEL_WEBHOOK_SECRET"
BELOW_THOSE_GIVEN_OUT = (20_000, 32_000)  # no connection of anybody's gets one of these while a server is down
COMES_UP_WITHIN = 60.0
AT_ONCE = 3  # journeys of the lane


@dataclass
class Elsewhere:
    """`layover sandbox`, on one port through all its lives. What it had written down it still has in the next one."""

    home: Path
    webhook_url: str
    port: int
    lives: int = 0
    killed: Counter[str] = field(default_factory=Counter[str])
    _process: asyncio.subprocess.Process | None = None
    _armed: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def begin(self, *, dies_at: str = "") -> None:
        """Returns once it answers. `dies_at` is a crash point of the airline's own, such as `airline.applied.pay`."""
        words = ["sandbox", "--port", str(self.port), "--data", str(self.home), "--admin", "--webhook-url", self.webhook_url]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("LAYOVER_")} | {SECRET_IN: SECRET}
        with (self.home.parent / "airline.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "assistant", *words, env=environment | {VARIABLE: dies_at}, stdout=log, stderr=log
            )
        self.lives, self._armed = self.lives + 1, dies_at
        async with asyncio.timeout(COMES_UP_WITHIN), httpx.AsyncClient() as client:
            await self._answers(client)

    async def _answers(self, client: httpx.AsyncClient) -> None:
        while self.is_alive:
            with suppress(httpx.TransportError):
                await client.get(f"{self.url}/_sandbox/clock")
                return
            await asyncio.sleep(0.05)
        raise Died(f"the airline did not come up: {(self.home.parent / 'airline.log').read_text()[-2000:]}")

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def kill(self, why: str) -> None:
        """Of this; or it is dead already, of what it was to die of."""
        if self._process is not None and self.is_alive:
            self._process.send_signal(signal.SIGKILL)
            await self.dies(why)
        else:
            await self.dies(f"with a {self._armed.rpartition('.')[2]} done and not answered")

    async def lives_for(self, seconds: float) -> None:
        """Or less."""
        assert self._process is not None
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), seconds)

    async def dies(self, why: str) -> None:
        """Returns once it is dead of this."""
        assert self._process is not None
        async with asyncio.timeout(COMES_UP_WITHIN):
            assert await self._process.wait() == -signal.SIGKILL
        self.killed[why] += 1

    async def close(self) -> None:
        if self._process is not None and self.is_alive:
            self._process.kill()
            await self._process.wait()


class SteppingAirline(SandboxAirline):
    """The airline's file, open beside its process. Whoever moves its clock moves that of our server by as much."""

    def __init__(self, home: Path, data_dir: Path) -> None:
        super().__init__(home / "airline.db", webhook_secret=SECRET)
        self._data_dir = data_dir

    def advance(self, seconds: float) -> datetime:
        now = super().advance(seconds)
        step(self._data_dir, by=timedelta(seconds=seconds))
        return now


@dataclass
class Abroad(Site):
    """Our server keeps its port, for the airline posts to it; `module` may be the product as it is, whose clock nobody moves."""

    module: str = "tests.crashes.abroad_server"
    calm: bool = False  # the airline may be gone

    async def open_airline(self) -> None:
        home = self.data_dir / "airline"
        self.port = free_port()
        self.elsewhere = Elsewhere(home, f"http://127.0.0.1:{self.port}/api/v1/webhooks/duffel", free_port())
        await self.elsewhere.begin()
        self.airline = SteppingAirline(home, self.data_dir)

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        await super().__aexit__(kind, error, at)
        await self.elsewhere.close()

    def environment(self) -> dict[str, str]:
        mine = super().environment()
        del mine["LAYOVER_CLOCK"]
        return mine | {
            "LAYOVER_PORT": str(self.port),
            "LAYOVER_PROVIDER": "duffel",
            "LAYOVER_DUFFEL_URL": self.elsewhere.url,
            "LAYOVER_DUFFEL_TOKEN": "duffel_test_abroad",
            SECRET_IN: SECRET,
        }


class FarAway(Lane):
    """Journeys at an airline elsewhere that does everything wrong; and now and then one of the two processes is killed."""

    async def run(self) -> None:
        while not self.over:
            await self._spell(time.monotonic() + SPELL)

    async def _spell(self, until: float) -> None:
        async with self.abroad() as site:
            plan = FaultPlan(site.airline, self.rng)
            journeys = self.many(site, AT_ONCE, OFTEN, on=lambda: time.monotonic() < until, calm=False)
            await self.until_over(self._our_deaths(site, until), self._its_deaths(site, until), plan.renewed(until), journeys)
            self.totals.faults.update(plan.injected)
            await site.elsewhere.kill("when the time was up")
            await site.elsewhere.begin()
            await self.judged(site, "faults and kills at an airline elsewhere")
            self.totals.airlines.update(site.elsewhere.killed)

    @asynccontextmanager
    async def abroad(self) -> AsyncGenerator[Abroad]:
        site = Abroad(fresh_directory(), life=Spawned() if self.spawn else Forked())
        async with AsyncExitStack() as stack:
            async with self.opening:
                self.broken = 0
                self.now = await stack.enter_async_context(site)
            yield site

    async def _our_deaths(self, site: Abroad, until: float) -> None:
        while time.monotonic() < until:
            await site.up()
            await asyncio.sleep(self.rng.uniform(6.0, 20.0))
            await site.kill("at a random moment, the airline elsewhere")

    async def _its_deaths(self, site: Abroad, until: float) -> None:
        """With an answer it does not give any more, or at whatever moment it is; then it is away for a while."""
        while time.monotonic() < until:
            await site.elsewhere.lives_for(self.rng.uniform(6.0, 20.0))
            await site.elsewhere.kill("at a random moment")
            await asyncio.sleep(self.rng.uniform(0.0, 2.0))
            await site.elsewhere.begin(dies_at=self.rng.choice([f"airline.applied.{call}" for call in CHANGING]))
        await site.elsewhere.kill("when its time was up")  # armed it would die once more, with nobody left to bring it back
        await site.elsewhere.begin()


def free_port() -> int:
    """One nobody listens on, out of those that are given to nobody by themselves."""
    while True:
        port = random.SystemRandom().randrange(*BELOW_THOSE_GIVEN_OUT)
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) != 0:
                return port
