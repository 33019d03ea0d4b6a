"""The product in one process on a throw-away directory, driven through its service."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from argon2 import PasswordHasher
from sqlalchemy import Table, select

from assistant.bootstrap import Layover, layover
from assistant.demo import seed_demo
from assistant.domain.commands import Command, Kind, Receipt
from assistant.domain.people import Actor
from assistant.persistence import users
from assistant.settings import ClockKind, Settings
from assistant.web.passwords import Passwords


@dataclass(frozen=True)
class Product:
    """Everything that runs, with the people who use it."""

    whole: Layover
    data_dir: Path
    people: dict[str, Actor]

    async def gives(self, name: str, kind: Kind, target: str, **payload: Any) -> Receipt:
        """One command to its recorded answer; what it gives rise to may still run."""
        command = Command(command_id=str(uuid4()), kind=kind, actor=self.people[name], target=target, payload=payload)
        await self.whole.service.accept(command)
        return await self.whole.service.settled(command.actor.tenant_id, command.command_id, wait=60)

    async def does(self, name: str, kind: Kind, target: str, **payload: Any) -> dict[str, Any]:
        """The same, with all it gives rise to; its result."""
        receipt = await self.gives(name, kind, target, **payload)
        await self.whole.dispatcher.idle()
        if receipt.status != "succeeded":
            raise RuntimeError(f"{kind} came to {receipt}")
        return receipt.result or {}

    async def rows(self, table: Table, **where: Any) -> list[Any]:
        found = select(table).where(*(table.c[name] == value for name, value in where.items()))
        async with self.whole.database.reading() as tx:
            return list((await tx.execute(found)).all())


@asynccontextmanager
async def product() -> AsyncIterator[Product]:
    with tempfile.TemporaryDirectory(prefix="layover-bench-") as place:
        data_dir = Path(place)
        settings = Settings(_env_file=None, data_dir=data_dir, clock=ClockKind.SANDBOX, demo=True)  # pyright: ignore[reportCallIssue]
        async with layover(settings) as whole:
            cheap = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
            await seed_demo(whole.database, data_dir, passwords=cheap, clock=whole.clock)
            yield Product(whole, data_dir, {name: await _actor(whole, name) for name in ("tina", "rita")})


async def _actor(whole: Layover, name: str) -> Actor:
    found = await whole.database.read(lambda tx: users.by_name(tx, name))
    if found is None:
        raise RuntimeError(f"{name} is no demo person")
    user = found[0]
    return Actor(tenant_id=user.tenant_id, user_id=user.user_id, name=user.display_name, roles=user.roles)
