"""What happened to orders without us is told to whose trips they are: once, however often it is found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Row

from .accepting.ground import confirming
from .domain.clock import Clock
from .domain.commands import Command, Kind
from .domain.people import Actor
from .ledger import elsewhere
from .persistence import commands
from .persistence.database import Database, Tx
from .service import TravelService

REMEMBERED = timedelta(days=2)  # how long what was closed is doubted, and what happened is still told


@dataclass(frozen=True)
class Happening:
    database: Database
    service: TravelService
    clock: Clock

    async def doubted(self) -> list[Row[Any]]:
        """Orders that may have changed, though nothing of ours is under way."""
        return await self.database.read(lambda tx: elsewhere.may_have_changed(tx, since=self.clock() - REMEMBERED))

    async def gone(self) -> list[Row[Any]]:
        return await self.database.read(lambda tx: elsewhere.gone(tx, since=self.clock() - REMEMBERED))

    async def ask_what_now(self, order: Row[Any]) -> None:
        """A trip that read as booked has no booking any more: its traveller and the operators are told, and asked."""

        async def write(tx: Tx) -> None:
            named = "gone", order.order_id
            command_id = await commands.next_word(tx, order.tenant_id, *named, now=self.clock())
            if command_id is None or await confirming(tx, order.trip_id) or await commands.queued(tx, order.trip_id, but=""):
                return  # what is under way may have cancelled it, and not said so yet
            actor = Actor(tenant_id=order.tenant_id, user_id="layover", name="Layover")
            told = {"order_id": order.order_id}
            asks = Command(command_id=command_id, kind=Kind.MOVED, actor=actor, target=order.trip_id, payload=told)
            await self.service.door.accept_own(tx, asks, parent=None)

        await self.database.write(write)
        self.service.dispatcher.wake()

    async def came_true(self) -> list[Row[Any]]:
        return await self.database.read(lambda tx: elsewhere.came_true(tx, since=self.clock() - REMEMBERED))

    async def tell(self, row: Row[Any]) -> None:
        """Its traveller was told that it had not been done."""

        async def write(tx: Tx) -> None:
            named = f"{row.kind}_after_all", row.operation_id
            command_id = await commands.next_word(tx, row.tenant_id, *named, now=self.clock())
            if command_id is None:
                return
            actor = Actor(tenant_id=row.tenant_id, user_id=row.owner_id, name="")
            event = {"trip_id": row.trip_id, "status": named[0], "reference": row.booking_reference}
            told = Command(command_id=command_id, kind=Kind.NOTIFY, actor=actor, target=row.conversation_id, payload=event)
            await self.service.door.accept_own(tx, told, parent=None)

        await self.database.write(write)
        self.service.dispatcher.wake()
