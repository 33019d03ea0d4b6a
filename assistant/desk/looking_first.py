"""After a restore the airline may have what our books have lost: it is looked for before anything is bought.

What is found is adopted by nobody here: it is written down as an attempt that may have happened, which a look-up then settles
as any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Row, select

from .. import ledger
from ..booking.provider import AirlineOrder, Provider
from ..domain.clock import Clock
from ..domain.errors import Reason, Refused
from ..domain.flights import Fare
from ..domain.money import Money
from ..domain.people import passenger_id
from ..domain.plans import CREATES, Itinerary
from ..persistence.database import Database
from ..persistence.restores import Restored, restored
from ..persistence.tables import orders
from .errand import Errand

CLOCKS_APART = timedelta(hours=1)  # at most, the airline's clock and ours


@dataclass(frozen=True)
class LookingFirst:
    """All of it asks nothing of the airline unless a backup was put back and what came after it is not settled yet."""

    database: Database
    provider: Provider
    clock: Clock
    life: str

    async def is_too_early(self) -> bool:
        """Whether something the lost life sent may still be under way, or not be shown yet: then looking proves nothing."""
        mark, able = await self._mark(), self.provider.capabilities()
        within = timedelta(seconds=able.commit_timeout_seconds + able.visibility_lag_seconds)
        return mark is not None and self.clock() < mark.at + within

    async def orders_of(self, operation_id: str, *, offer_id: str) -> tuple[AirlineOrder, ...]:
        """What this operation has made. After a restore also by an attempt, and of an offer, that our books have lost."""
        found = await self.provider.find_orders(operation_id=operation_id, offer_id=offer_id)
        return found or tuple(o for o in await self._since() if o.operation_id == operation_id)

    async def lost(self) -> tuple[AirlineOrder, ...]:
        """Orders made since the backup that our ledger does not know, oldest first. Unavailable: the airline does not say."""
        found = await self._since()

        async def read(tx: ledger.Tx) -> set[str]:
            mine = orders.c.order_id.in_([order.order_id for order in found])
            return set((await tx.execute(select(orders.c.order_id).where(mine))).scalars())

        known = await self.database.read(read) if found else set[str]()
        return tuple(order for order in reversed(found) if order.order_id not in known)

    async def order_of(self, create_id: str) -> AirlineOrder | None:
        """What this create has made already and our books have lost. Its seats read as taken, and its total is what was paid."""
        return next((o for o in await self.lost() if o.operation_id == create_id and not o.is_over), None)

    async def was_made(self, errand: Errand, row: Row[Any], fare: Fare | None, *, bound: Money, granted_by: str) -> bool:
        """Whether this create has its order already; if so it is to be looked up, as if its answer had been lost.

        Refuses LOST_ORDER where an order our books have lost has one of these passengers on one of these flights.
        """
        if row.kind not in CREATES:
            return False  # a pay and a cancel read their order first, whether it was put back or not
        lost = await self.lost()
        mine = [order for order in lost if order.operation_id == row.operation_id]
        if mine and fare is not None:
            found = next((order for order in mine if not order.is_over), mine[0])
            amount = found.total if found.total.at_most(bound) else None  # of no more money than today's grant allows
            await self._write_down(errand, row, found, fare, amount=amount, granted_by=granted_by)
            return True
        wanted = Itinerary.model_validate(row.itinerary)
        other = next((order for order in lost if not order.is_over and _overlaps(row.tenant_id, wanted, order)), None)
        if other is not None:
            raise Refused(Reason.LOST_ORDER, other.order_id)
        return False

    async def _write_down(
        self, errand: Errand, row: Row[Any], found: AirlineOrder, fare: Fare, *, amount: Money | None, granted_by: str
    ) -> None:
        """The attempt that was lost, as far as it is known, on today's grant."""
        at = self.clock()

        async def write(tx: ledger.Tx) -> None:
            offer = fare.model_dump(mode="json")
            await ledger.note(tx, operation_id=row.operation_id, order_id=None, kind="offer", body=offer, at=at)
            attempt = await ledger.begin(
                tx,
                row,
                reference=found.offer_id or found.order_id,
                fingerprint="",
                granted_by=granted_by,
                amount=amount,
                run_id=errand.run_id,
                process_id=self.life,
                at=at,
            )
            body = {"hint": "made before the ledger was put back"}
            await ledger.note(tx, operation_id=row.operation_id, order_id=found.order_id, kind="lost", body=body, at=at)
            await ledger.end_attempt(tx, row.operation_id, attempt.number, "unknown", at=at)
            await ledger.mark_unknown(tx, await ledger.operation(tx, row.operation_id), at=at, look_after=at)

        await self.database.write(write)

    async def _since(self) -> tuple[AirlineOrder, ...]:
        mark = await self._mark()
        return await self.provider.orders_since(mark.made_at - CLOCKS_APART) if mark is not None else ()

    async def _mark(self) -> Restored | None:
        return await self.database.read(restored)


def _overlaps(tenant_id: str, wanted: Itinerary, order: AirlineOrder) -> bool:
    flying = {passenger_id(tenant_id, each) for each in order.passengers}
    return bool(flying & set(wanted.passenger_ids)) and bool({s.key for s in order.segments} & set(wanted.segment_keys))
