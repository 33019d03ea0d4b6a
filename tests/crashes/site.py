"""A real server process on a data directory, killed and started again, and HTTP that goes on as if nothing had been."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections import Counter, deque
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import httpx
from argon2 import PasswordHasher

from assistant.booking.sandbox import SandboxAirline
from assistant.crashpoints import VARIABLE
from assistant.demo import seed_demo
from assistant.persistence.database import Database
from assistant.persistence.migrating import migrate
from assistant.web.passwords import Passwords
from assistant.web.people_commands import make_token
from tests.crashes.lives import Life, Spawned

Json = dict[str, Any]
PEOPLE = ("tina", "tom", "rita", "raj")


class Died(Exception):
    """The server did not come up."""


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
    armed: str = ""
    url: str = ""
    life: Life = field(default_factory=Spawned)
    _coming_up: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __aenter__(self) -> Self:
        self.database = Database(f"sqlite+aiosqlite:///{self.data_dir / 'layover.db'}")
        await migrate(self.database)
        self.airline = SandboxAirline(self.data_dir / "airline.db")
        cheap = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        await seed_demo(self.database, self.data_dir, passwords=cheap)
        self.tokens = {name: await make_token(self.database, name=name) for name in PEOPLE}
        self.http = httpx.AsyncClient(timeout=60)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        await self.life.close()
        await self.http.aclose()
        await self.database.close()
        self.airline.close()

    async def up(self) -> str:
        """The address of a living server; a dead one is counted and its successor started."""
        async with self._coming_up:
            while self.lives == 0 or self.life.status is not None:
                if self.lives:
                    self._count(self.life.status)
                await self._start(self.points.popleft() if self.points else "")
            return self.url

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
        await self.kill("between")
        await self.up()

    def _count(self, status: int | None) -> None:
        if status != -signal.SIGKILL:
            raise Died(f"the server ended by itself with {status}: {self.log()}")
        self.killed_at[self.armed] += 1

    async def _start(self, point: str) -> None:
        """One more life; it may be over before it listens, where what was left open is carried on with at once."""
        self.armed = point or "outside"
        self.lives += 1
        environment = {k: v for k, v in os.environ.items() if not k.startswith("LAYOVER_")} | {
            "LAYOVER_DATA_DIR": str(self.data_dir),
            "LAYOVER_CLOCK": "sandbox",
        }
        if point:
            environment[VARIABLE] = point
        self.url = await self.life.begin(self.module, environment, self.data_dir / "server.log") or ""

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
        while answer.status_code == 202:
            answer = await self._send(who, "GET", f"/commands/{key}?wait=20", None, {})
            if answer.status_code == 200 and answer.json()["status"] in ("accepted", "running"):
                answer.status_code = 202
        return answer.status_code, answer.json()

    async def _send(self, who: str, method: str, path: str, body: Json | None, headers: dict[str, str]) -> httpx.Response:
        signed = headers | {"authorization": f"Bearer {self.tokens[who]}", "accept-language": "en"}
        while True:
            url = await self.up()
            try:
                return await self.http.request(method, f"{url}/api/v1{path}", json=body, headers=signed)
            except httpx.TransportError:
                await self._gone(url)

    async def _gone(self, url: str) -> None:
        """Nobody answers there: either the process has died, or it is about to."""
        if self.url == url:
            try:
                await asyncio.wait_for(self.life.wait(), 20)
            except TimeoutError:
                raise Died(f"it lives and does not answer: {self.log()}") from None


def fresh_directory() -> Path:
    """A directory of its own, kept for who wants to look."""
    return Path(tempfile.mkdtemp(prefix="layover-crash-"))
