"""Reminders of bookings outside the main lines: by policy, until they are settled, each once however often it is tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from . import ledger
from .accepting.going_back import departs_at
from .domain.clock import Clock
from .domain.commands import Command, Kind
from .domain.flights import Fare
from .domain.ids import derived
from .domain.people import Actor
from .domain.policy import Policy, put_off, reminder_due
from .finishing.left import is_settled, left_event, planned_for
from .persistence import reminders, trips
from .persistence.database import Database, Tx
from .service import TravelService


@dataclass(frozen=True)
class Reminding:
    """A reminder is a command of the product's with an id of its own, so that a process that dies tells it once."""

    database: Database
    service: TravelService
    policy: Policy
    clock: Clock

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
    return Command(
        command_id=derived("reminder", row.order_id, row.since.isoformat(), row.told),
        kind=Kind.NOTIFY,
        actor=Actor(tenant_id=trip.tenant_id, user_id=trip.owner_id, name=""),
        target=trip.conversation_id,
        payload=left_event(order, again=True),
    )


async def _as_it_is(tx: Tx, row: Row[Any]) -> tuple[Row[Any] | None, Row[Any] | None, bool]:
    order, trip = await ledger.order(tx, row.order_id), await trips.find(tx, row.trip_id)
    return order, trip, order is not None and order.create_id in await planned_for(tx, row.trip_id)
