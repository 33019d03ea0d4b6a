"""A whole web application on a real database; only the service behind it is a small stand-in, given as an argument."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from sqlalchemy import insert
from starlette.types import ASGIApp

from assistant.demo import seed_demo
from assistant.domain.commands import ENDED, Command, Edits, Kind, Receipt, Status
from assistant.domain.errors import CommandRefused, CommandReused
from assistant.domain.ids import derived
from assistant.domain.people import Actor
from assistant.domain.plans import Plan
from assistant.domain.policy import Check
from assistant.persistence import users
from assistant.persistence.database import Database
from assistant.persistence.tables import schema
from assistant.persistence.users import User
from assistant.web.app import create_app
from assistant.web.passwords import Passwords
from assistant.web.people_commands import make_token
from assistant.web.site import Site

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ORIGIN = "http://127.0.0.1:7860"


@dataclass
class Clockwork:
    """Time that a test moves."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now

    def seconds(self) -> float:
        return (self.now - NOW).total_seconds()

    def move(self, **span: float) -> None:
        self.now += timedelta(**span)


@dataclass
class StandIn:
    """Keeps what it was asked. `ends`: whether commands end at once; `refuses` is raised instead of accepting."""

    ends: bool = True
    refuses: CommandRefused | None = None
    result: dict[str, Any] = field(default_factory=dict)
    preview: Plan = field(default_factory=lambda: Plan(steps=()))
    accepted: dict[tuple[str, str], Command] = field(default_factory=dict)
    happened: list[tuple[int, str, dict[str, Any]]] = field(default_factory=list)
    webhooks: list[bytes] = field(default_factory=list)

    async def accept(self, command: Command) -> Receipt:
        if self.refuses:
            raise self.refuses
        key = (command.actor.tenant_id, command.command_id)
        if self.accepted.setdefault(key, command).fingerprint != command.fingerprint:
            raise CommandReused("command_reused", command_id=command.command_id)
        return self._receipt(command, Status.SUCCEEDED if self.ends else Status.ACCEPTED)

    async def settled(self, tenant_id: str, command_id: str, *, wait: float) -> Receipt:
        return self._receipt(self.accepted[tenant_id, command_id], Status.SUCCEEDED)

    async def preview_edit(self, actor: Actor, review_id: str, edits: Edits) -> tuple[Plan, bool, tuple[Check, ...]]:
        return self.preview, True, (Check(level="ok", key="check.refundable"),)

    async def webhook(self, headers: Mapping[str, str], body: bytes) -> None:
        if self.refuses:
            raise self.refuses
        self.webhooks.append(body)

    async def events(self, conversation_id: str, *, after: int) -> AsyncIterator[tuple[int, str, dict[str, Any]]]:
        for event in self.happened:
            if event[0] > after:
                yield event

    def _receipt(self, command: Command, status: Status) -> Receipt:
        made = {"conversation_id": derived(command.command_id)} if command.kind is Kind.CREATE_CONVERSATION else self.result
        result = made if status in ENDED else None
        return Receipt(command_id=command.command_id, kind=command.kind, status=status, result=result, created_at=NOW)


@dataclass
class World:
    database: Database
    clock: Clockwork
    service: StandIn
    passwords: dict[str, str]
    data_dir: Path
    app: ASGIApp
    clients: list[httpx.AsyncClient] = field(default_factory=list)

    def browser(self, **headers: str) -> httpx.AsyncClient:
        """Keeps cookies; says where its requests come from, as browsers do."""
        return self._client({"origin": ORIGIN} | headers)

    def script(self, **headers: str) -> httpx.AsyncClient:
        return self._client(headers)

    def _client(self, headers: dict[str, str]) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        client = httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers)
        self.clients.append(client)
        return client

    async def token(self, name: str) -> httpx.AsyncClient:
        """A script that acts as this person."""
        token = await make_token(self.database, name=name, clock=self.clock)
        return self.script(authorization=f"Bearer {token}")

    async def signed_in(self, name: str, face: str, **headers: str) -> httpx.AsyncClient:
        browser = self.browser(**headers)
        answer = await browser.post(f"/{face}/sign-in", data={"name": name, "password": self.passwords[name]})
        assert answer.status_code == 303, answer.text
        return browser

    async def user(self, name: str) -> User:
        found = await self.database.read(lambda tx: users.by_name(tx, name))
        assert found
        return found[0]

    async def put(self, table: Any, *rows: dict[str, Any]) -> None:
        async def work(tx: Any) -> None:
            for row in rows:
                await tx.execute(insert(table).values(row))

        await self.database.write(work)


def quick() -> Passwords:
    """The real thing, at its cheapest."""
    return Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@asynccontextmanager
async def running(url: str, data_dir: Path) -> AsyncIterator[World]:
    database = Database(url)
    async with database.engine.begin() as connection:
        await connection.run_sync(schema.create_all)
    clock, service, passwords = Clockwork(), StandIn(), quick()
    told = await seed_demo(database, data_dir, passwords=passwords, clock=clock)
    app = create_app(
        service=service, database=database, site=Site(), clock=clock, demo=True, passwords=passwords, seconds=clock.seconds
    )
    made = World(database, clock, service, told, data_dir, app)
    yield made
    await asyncio.gather(*(client.aclose() for client in made.clients))
    await database.close()


def sqlite(data_dir: Path) -> str:
    return f"sqlite+aiosqlite:///{data_dir / 'layover.db'}"


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the demo people, to be copied."""
    made = tmp_path_factory.mktemp("seeded")

    async def seed() -> None:
        async with running(sqlite(made), made):
            pass

    with ThreadPoolExecutor(1) as apart:  # this thread has a loop of its own
        apart.submit(asyncio.run, seed()).result()
    return made


@pytest.fixture
async def world(data_dir: Path, seeded: Path) -> AsyncIterator[World]:
    shutil.copytree(seeded, data_dir, dirs_exist_ok=True)
    async with running(sqlite(data_dir), data_dir) as made:
        yield made


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
async def any_world(request: pytest.FixtureRequest, data_dir: Path) -> AsyncIterator[World]:
    """The same on either database."""
    url = sqlite(data_dir)
    if request.param == "postgresql":
        url = str(request.getfixturevalue("fresh_postgres_url")).replace("postgresql://", "postgresql+psycopg://")
    async with running(url, data_dir) as made:
        yield made
