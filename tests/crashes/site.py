"""A real server process on a data directory, killed and started again, and HTTP that goes on as if nothing had been."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import httpx
from argon2 import PasswordHasher
from sqlalchemy import text

from assistant.booking.sandbox import SandboxAirline
from assistant.crashpoints import VARIABLE
from assistant.demo import seed_demo
from assistant.persistence.database import Database
from assistant.persistence.migrating import migrate
from assistant.web.passwords import Passwords
from assistant.web.people_commands import make_token
from tests.crashes.faults import hit
from tests.crashes.lives import Life, Spawned
from tests.crashes.points import lost_answer_for

Json = dict[str, Any]
PEOPLE = ("tina", "tom", "rita", "raj")
RUNNING = text("SELECT DISTINCT kind FROM commands WHERE status = 'running'")
NEARBY = 3.0  # seconds after a server came up in which it may still be busy with what its predecessor left
PACE = 40.0  # how fast the airline's time may pass while somebody waits for it: seconds a second


class Died(Exception):
    """The server did not come up."""


@dataclass
class Heard:
    """What the server has told its clients: it is held to that. Commands by key; `refused` had better not be stored."""

    commands: dict[str, str] = field(default_factory=dict[str, str])  # key -> the last status told
    refused: set[str] = field(default_factory=set[str])
    troubles: list[str] = field(default_factory=list[str])
    patience: int = 0  # how often it was asked for with a 503

    def answer(self, key: str, path: str, answer: httpx.Response) -> None:
        if answer.status_code in (200, 202):
            self.commands[key] = answer.json()["status"]
        elif answer.status_code < 500 and key not in self.commands:
            self.refused.add(key)
        if answer.status_code >= 500:
            self.trouble(f"{path} was answered {answer.status_code}: {answer.text[:200]}")

    def busy(self, what: str, *, why: str) -> None:
        """A 503. Where there is no reason for it, it is no better than any other."""
        self.patience += 1
        if not why:
            self.trouble(f"{what} was answered 503, the airline well and the server long up")

    def trouble(self, what: str) -> None:
        self.troubles.append(what)


@dataclass
class Site:
    """`points` are crash points, each the death of one server's life; without any left a life ends only from outside.

    `module` is what runs: the product, or a server of the tests. The airline's file is open here too: it is the judge's,
    and moving its clock moves the server's.
    """

    data_dir: Path
    module: str = "assistant"
    points: deque[str] = field(default_factory=deque[str])
    lives: int = 0
    killed_at: Counter[str] = field(default_factory=Counter[str])
    cut_off: Counter[str] = field(default_factory=Counter[str])  # "rewind: checkpoint.put", what ran when it died there
    armed: str = ""
    url: str = ""
    life: Life = field(default_factory=Spawned)
    heard: Heard = field(default_factory=Heard)
    faults: Counter[str] = field(default_factory=Counter[str])  # hit on the way to a point that needs one
    calm: bool = True  # the airline does nothing wrong, but for a lost answer now and then
    _coming_up: asyncio.Task[None] | None = None
    _moved_at: float = 0.0
    _up_since: float = 0.0

    async def __aenter__(self) -> Self:
        self.database = Database(f"sqlite+aiosqlite:///{self.data_dir / 'layover.db'}")
        await migrate(self.database)
        await self.open_airline()
        cheap = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        await seed_demo(self.database, self.data_dir, passwords=cheap)
        self.tokens = {name: await make_token(self.database, name=name) for name in PEOPLE}
        self.http = httpx.AsyncClient(timeout=60)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._coming_up is not None:
            await asyncio.wait([self._coming_up])
        await self.life.close()
        await self.http.aclose()
        await self.database.close()
        self.airline.close()

    async def open_airline(self) -> None:
        self.airline = SandboxAirline(self.data_dir / "airline.db")

    def environment(self) -> dict[str, str]:
        """Of each life."""
        mine = {k: v for k, v in os.environ.items() if not k.startswith("LAYOVER_")}
        return mine | {"LAYOVER_DATA_DIR": str(self.data_dir), "LAYOVER_CLOCK": "sandbox"}

    async def up(self) -> str:
        """The address of a living server; a dead one is counted and its successor started."""
        while self.lives == 0 or self.life.status is not None or self._is_coming:
            if self._coming_up is None or self._coming_up.done():
                self._coming_up = asyncio.create_task(self._next_life())
            await asyncio.shield(self._coming_up)  # who waits may go; the server still has to come
        return self.url

    @property
    def _is_coming(self) -> bool:
        return self._coming_up is not None and not self._coming_up.done()

    async def _next_life(self) -> None:
        if self.lives:
            self._count(self.life.status)
            await self._see_what_ran()
        await self._start(self.points.popleft() if self.points else "")

    def time_passes(self) -> None:
        """Somebody waits for the airline: its clock runs, however many wait."""
        since = time.monotonic() - self._moved_at
        if since > 0.2:
            self._moved_at = time.monotonic()
            self.airline.advance(PACE * min(since, 1.0))

    async def kill(self, why: str) -> None:
        """From outside, at whatever moment this is."""
        if self.lives and self.life.status is None:
            self.armed = why
            self.life.kill()
            await self.life.wait()

    @property
    def is_armed(self) -> bool:
        """Whether this life is to end at a named point that has not been reached."""
        return self.armed not in ("", "outside") and self.life.status is None

    @property
    def kills(self) -> int:
        return sum(self.killed_at.values())

    async def rearm(self) -> None:
        """The point of this life was not reached: on to the next one."""
        await self.kill("between journeys")
        await self.up()

    def _count(self, status: int | None) -> None:
        if status != -signal.SIGKILL:
            raise Died(f"the server ended by itself with {status}: {self.log()}")
        self.killed_at[self.armed] += 1

    async def _see_what_ran(self) -> None:
        """For the points that lie on the way of many commands."""
        if self.armed.startswith(("checkpoint", "plan")):
            async with self.database.reading() as tx:
                self.cut_off.update(f"{kind}: {self.armed}" for kind in (await tx.execute(RUNNING)).scalars())

    async def _start(self, point: str) -> None:
        """One more life; it may be over before it listens, where what was left open is carried on with at once."""
        self.armed = point or "outside"
        self.lives += 1
        if planned := lost_answer_for(point):
            self.spoil([planned])
        environment = self.environment()
        if point:
            environment[VARIABLE] = point
        self.url = await self.life.begin(self.module, environment, self.data_dir / "server.log") or ""
        self._up_since = time.monotonic()

    def spoil(self, plan: list[Json]) -> None:
        """Another fault plan; what was hit of the last one is counted."""
        self.faults.update(hit(self.airline))
        self.airline.put_faults(plan)

    def log(self) -> str:
        return (self.data_dir / "server.log").read_text("utf-8", "replace")[-3000:]

    # HTTP by people who do not give up

    async def get(self, who: str, path: str) -> Json:
        answer = await self._send(who, "GET", path, None, {})
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, who: str, path: str, body: Json | None = None) -> tuple[int, Json]:
        """One intent with one key, sent until it has ended: the status and the command, or the problem."""
        key = str(uuid4())
        answer = await self._send(who, "POST", f"{path}?wait=20", body or {}, {"idempotency-key": key})
        self.heard.answer(key, path, answer)
        while answer.status_code == 202:
            asked = await self._send(who, "GET", f"/commands/{key}?wait=20", None, {})
            assert asked.status_code == 200, f"{path} was accepted, then: {asked.text}"
            self.heard.answer(key, path, asked)
            answer = asked if asked.json()["status"] not in ("accepted", "running") else answer
        return answer.status_code, answer.json()

    async def _send(self, who: str, method: str, path: str, body: Json | None, headers: dict[str, str]) -> httpx.Response:
        """Until it is answered; a server that is busy asks for patience, and gets a minute of it."""
        signed = headers | {"authorization": f"Bearer {self.tokens[who]}", "accept-language": "en"}
        until = time.monotonic() + 60
        while True:
            url, life = await self.up(), self.lives
            try:
                answer = await self.http.request(method, f"{url}/api/v1{path}", json=body, headers=signed)
            except httpx.TransportError:
                await self._gone(life, url)
                continue
            if answer.status_code != 503 or time.monotonic() > until:
                return answer
            self.heard.busy(f"{method} {path}: {answer.text[:200]}", why=self._why_busy(life))
            await asyncio.sleep(0.5)

    def _why_busy(self, life: int) -> str:
        """What may have made a server busy that was alive when it was asked; nothing else may."""
        if not self.calm:
            return "the airline"
        died = self.lives != life or self.life.status is not None
        return "a death" if died or time.monotonic() - self._up_since < NEARBY else ""

    async def _gone(self, life: int, url: str) -> None:
        """Nobody answers there: the process has died, or is about to; or an idle connection was closed just as it was used."""
        if self.lives != life:
            return
        try:
            await asyncio.wait_for(self.life.wait(), 1)
        except TimeoutError:
            if not await self._is_well(life, url):
                raise Died(f"it lives and does not answer: {self.log()}") from None

    async def _is_well(self, life: int, url: str) -> bool:
        """Whether it answers on a connection of its own, within the patience of somebody who waits; or is dead by now."""
        until = time.monotonic() + 20
        async with httpx.AsyncClient(timeout=20) as fresh:
            while time.monotonic() < until:
                if self.lives != life or self.life.status is not None:
                    return True
                with suppress(httpx.TransportError):
                    return (await fresh.get(f"{url}/healthz")).status_code == 200
                await asyncio.sleep(0.2)
        return self.life.status is not None


def fresh_directory() -> Path:
    """A directory of its own, kept for who wants to look."""
    return Path(tempfile.mkdtemp(prefix="layover-crash-"))
