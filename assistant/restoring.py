"""After a restore: what the airline has that the ledger put back does not know, and the word that all of it is settled."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from getpass import getuser

from sqlalchemy import select

from .booking.provider import AirlineOrder
from .bootstrap import now_of, provider_of, sandbox
from .desk import LookingFirst
from .domain.errors import Unavailable
from .invariants import Finding
from .persistence import restores
from .persistence.database import Database, Tx
from .persistence.tables import operations
from .settings import Settings, SettingsError

APPROVE = "Submit it in /desk and approve it in /review again: it is adopted, not bought twice."
NOBODYS = "Keep or cancel it with the airline; until it is over, layover settled is refused."


@dataclass(frozen=True)
class Lost:
    """A live order that the ledger does not know; `trip_id` where an operation of the ledger has the id it carries."""

    order: AirlineOrder
    trip_id: str | None

    def finding(self) -> Finding:
        made = f"{self.order.made_at:%Y-%m-%d %H:%M} UTC" if self.order.made_at else "at an unknown time"
        flights = ", ".join(segment.key for segment in self.order.segments)
        reference = self.order.booking_reference or "no reference"
        what = f"order {self.order.order_id} ({reference}, {self.order.state}, {flights}), made {made}, is in no book of ours"
        whose = f"; it is of trip {self.trip_id}" if self.trip_id else ""
        return Finding("lost", what + whose, APPROVE if self.trip_id else NOBODYS)


async def lost_orders(database: Database, settings: Settings) -> list[Lost]:
    """Live orders made since the backup that the ledger lacks, oldest first; none where nothing was put back.

    Of this account, whoever made them. Raises Unavailable, Refused where the airline does not say.
    """
    if await database.read(restores.restored) is None:
        return []
    async with AsyncExitStack() as stack:
        airline = sandbox(settings)
        if airline is not None:
            stack.callback(airline.close)
        provider = provider_of(settings, airline, lambda: now_of(settings))
        stack.push_async_callback(provider.aclose)
        looking = LookingFirst(database, provider, lambda: now_of(settings), life="")
        found = [order for order in await looking.lost() if _matters(order, now_of(settings))]
    return await database.read(lambda tx: _of_trips(tx, found))


async def settle(database: Database, settings: Settings) -> str:
    """What was done, for the shell. Raises SettingsError while the airline has what the ledger lacks, or does not say."""
    if await database.read(restores.restored) is None:
        return "No restore is waiting to be settled"
    try:
        left = await lost_orders(database, settings)
    except Unavailable as silent:
        raise SettingsError("LAYOVER_PROVIDER", f"the airline does not say what it has: {silent}", "Try again later") from None
    if left:
        named = ", ".join(each.order.order_id for each in left)
        raise SettingsError("DIRECTORY", f"the airline has orders this ledger lacks: {named}", "layover doctor says what to do")
    at = now_of(settings)
    await database.write(lambda tx: restores.settled(tx, by=getuser(), at=at))
    return "What came after the backup is settled; the airline is no longer asked before each booking"


def _matters(order: AirlineOrder, now: datetime) -> bool:
    """Until it is given up or flown; flights tell the time of the place they arrive at."""
    flown = order.segments[-1].arrives.date() < now.date() - timedelta(days=1)
    return not order.is_over and not flown


async def _of_trips(tx: Tx, found: list[AirlineOrder]) -> list[Lost]:
    mine = operations.c.operation_id.in_([order.operation_id for order in found if order.operation_id])
    rows = (await tx.execute(select(operations.c.operation_id, operations.c.trip_id).where(mine))).all()
    trips = {row.operation_id: row.trip_id for row in rows}
    return [Lost(order, trips.get(order.operation_id or "")) for order in found]
