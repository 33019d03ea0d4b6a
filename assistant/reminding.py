"""Reminders of bookings outside the main lines: by policy, until they are settled, each once however often it is tried."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row

from . import ledger
from .accepting.going_back import departs_at
from .domain.clock import Clock, is_due
from .domain.commands import Command, Kind
from .domain.flights import Fare
from .domain.ids import derived
from .domain.people import Actor
from .domain.policy import Policy, put_off, reminder_due
from .finishing.left import bookings_left, is_settled, left_event, planned_for
from .persistence import commands, reminders, trips
from .persistence.database import Database, Tx
from .service import TravelService

LOOK = timedelta(minutes=1)  # how often it is seen to that the list is whole


@dataclass
class Reminding:
    """A reminder is a command of the product's with an id of its own, so that a process that dies tells it once."""

    database: Database
    service: TravelService
    policy: Policy
    clock: Clock
    _looked: datetime | None = None  # in this life

    async def unlisted(self) -> list[str]:
        """Trips whose list nobody has kept right: a run failed or died, an order was found late, or is older than the list."""
        now = self.clock()
        if self._looked is not None and not is_due(self._looked + LOOK, now, within=LOOK):
            return []
        found = await self.database.read(reminders.unlisted)
        self._looked = now
        return found

    async def enlist(self, trip_id: str) -> None:
        """List what is outside this trip's main line, and tell of it, in one transaction; not while anything is under way."""
        at = self.clock()

        async def write(tx: Tx) -> None:
            trip = await trips.find(tx, trip_id)
            if trip is None or await commands.queued(tx, trip_id, but=""):
                return
            for event in await bookings_left(tx, trip, self.policy, tell=True, at=at):
                named = derived("left_outside", event["order_id"], at.isoformat())
                await self.service.door.accept_own(tx, _notice(named, trip, event), parent=None)

        await self.database.write(write)
        self.service.dispatcher.wake()

    async def due(self) -> list[Row[Any]]:
        return await self.database.read(lambda tx: reminders.due(tx, self.clock()))

    async def remind(self, row: Row[Any]) -> None:
        """Tell of one order, unless it is settled by now, or a plan that waits for somebody's word is about it."""
        now = self.clock()
        order, trip, planned = await self.database.read(lambda tx: _as_it_is(tx, row))
        if order is None or trip is None or is_settled(trip, order):
            await self.database.write(lambda tx: reminders.end(tx, row.order_id))
            return
        departs = departs_at(Fare.model_validate(order.fare).segments[0])
        again = put_off(self.policy, departs=departs, now=now) if planned else None
        if again is not None:
            await self.database.write(lambda tx: reminders.put_off(tx, row.order_id, due=again))
            return
        if now < departs:
            await self.service.accept_own(_told(row, order, trip))
        due = reminder_due(self.policy, since=row.since, departs=departs, now=now)
        await self.database.write(lambda tx: reminders.told(tx, row, due=due))


def _told(row: Row[Any], order: Row[Any], trip: Row[Any]) -> Command:
    named = derived("reminder", row.order_id, row.since.isoformat(), row.told)
    return _notice(named, trip, left_event(order, again=True))


def _notice(command_id: str, trip: Row[Any], event: dict[str, Any]) -> Command:
    owner = Actor(tenant_id=trip.tenant_id, user_id=trip.owner_id, name="")
    return Command(command_id=command_id, kind=Kind.NOTIFY, actor=owner, target=trip.conversation_id, payload=event)


async def _as_it_is(tx: Tx, row: Row[Any]) -> tuple[Row[Any] | None, Row[Any] | None, bool]:
    order, trip = await ledger.order(tx, row.order_id), await trips.find(tx, row.trip_id)
    return order, trip, order is not None and order.create_id in await planned_for(tx, row.trip_id)
