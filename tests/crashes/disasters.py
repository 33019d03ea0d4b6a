"""What people and operators do while a disk, a lock or a clock fails them: each call once, and what was answered is looked at."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from sqlalchemy import Table, select

from assistant.persistence.database import Tx
from assistant.persistence.tables import commands
from tests.crashes.site import Json, Site

ROUTES = (
    "From Shanghai to Tokyo",
    "From Beijing to Shanghai",
    "From London to Paris",
    "From Tokyo to Seoul",
    "From Paris to Rome",
)


@dataclass
class Caller:
    """Somebody at the server of this site."""

    site: Site
    name: str
    language: str = "en"

    async def get(self, path: str) -> Json:
        answer = await self.call("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def call(self, method: str, path: str, body: Json | None = None, *, key: str | None = None) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.site.tokens[self.name]}", "accept-language": self.language}
        if method == "POST":
            headers["idempotency-key"] = key or str(uuid4())
        url = await self.site.up()
        return await self.site.http.request(method, f"{url}/api/v1{path}", json=body, headers=headers)

    async def does(self, path: str, body: Json | None = None, *, key: str | None = None) -> Json:
        """A post that must succeed."""
        answer = await self.call("POST", f"{path}?wait=30", body or {}, key=key)
        assert answer.status_code == 200, answer.text
        assert answer.json()["status"] == "succeeded", answer.text
        return answer.json()


@dataclass
class Trip:
    """One traveller's trip, and the reviewer it waits for."""

    tina: Caller
    rita: Caller
    chat: str
    trip_id: str
    key: str = field(default_factory=lambda: str(uuid4()))  # of the decision

    @property
    def decision_path(self) -> str:
        return f"/reviews/{self._review_id}/decision"

    async def decision(self) -> Json:
        self._review_id = (await self.view())["review_id"]
        return {"type": "approve", "digest": (await self.rita.get(f"/reviews/{self._review_id}"))["digest"]}

    async def approve(self) -> httpx.Response:
        """Sent, not waited for."""
        body = await self.decision()
        return await self.rita.call("POST", self.decision_path, body, key=self.key)

    async def view(self) -> Json:
        return await self.tina.get(f"/trips/{self.trip_id}")

    async def becomes(self, *statuses: str, every: float = 3) -> str:
        """Time passes at the airline until the trip is in one of these."""
        try:
            return await until(self.tina.site, lambda: self._is(statuses), every=every)
        except AssertionError as never:
            raise AssertionError(f"the trip is {(await self.view())['status']}") from never

    async def _is(self, statuses: tuple[str, ...]) -> str | None:
        status = (await self.view())["status"]
        return status if status in statuses else None


async def submitted(site: Site, n: int = 0, *, can_hold: bool) -> Trip:
    """A trip that waits for a reviewer. `n` tells trips of one test apart: another route each."""
    tina, rita = Caller(site, "tina"), Caller(site, "rita")
    chat = (await tina.does("/conversations"))["conversation_id"]
    day = site.airline.now() + timedelta(days=11 + n)
    said = await tina.does(f"/conversations/{chat}/messages", {"text": f"{ROUTES[n % len(ROUTES)]} on {day:%-d %B %Y}"})
    trip = Trip(tina, rita, chat, said["result"]["trips"][0])
    await trip.becomes("choosing", every=0)
    offers = (await trip.view())["offers"]
    option = next(o["n"] for o in offers if o["can_hold"] is can_hold)
    await tina.does(f"/trips/{trip.trip_id}/choice", {"offer": option})
    await trip.becomes("waiting_review", every=0)
    await idle(site)
    return trip


async def idle(site: Site) -> None:
    """Until nothing is under way, what was told in the chat included."""

    async def none_open() -> bool:
        return not [row for row in await rows(site, commands) if row.status in ("accepted", "running")]

    await until(site, none_open, every=0)


async def until(site: Site, reached: Callable[[], Awaitable[Any]], *, every: float = 3, most: int = 400) -> Any:
    """What was waited for, once it is so; `every` round so many seconds pass at the airline."""
    for _ in range(most):
        if found := await reached():
            return found
        if every:
            site.airline.advance(every)
        await asyncio.sleep(0.05)
    raise AssertionError(f"it did not come to that\n{site.log()}")


async def rows(site: Site, table: Table, **where: Any) -> list[Any]:
    async def read(tx: Tx) -> list[Any]:
        found = select(table).where(*(table.c[name] == value for name, value in where.items()))
        return list((await tx.execute(found)).all())

    return await site.database.read(read)


async def ready(site: Site) -> tuple[int, Json]:
    answer = await site.http.get(f"{await site.up()}/readyz")
    return answer.status_code, answer.json()["checks"]


async def layover(data_dir: Path, *words: str, **settings: str) -> tuple[int, str, str]:
    """A command as an operator types it: exit status, what it printed, what it complained of."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("LAYOVER_")} | {"LAYOVER_DATA_DIR": str(data_dir)}
    pipe = asyncio.subprocess.PIPE
    arguments = [sys.executable, "-m", "assistant", *words]
    process = await asyncio.create_subprocess_exec(*arguments, stdout=pipe, stderr=pipe, env=environment | settings)
    out, complained = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode or 0, out.decode(), complained.decode()
