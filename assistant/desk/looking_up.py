"""Looking up: what the airline has of an operation whose answer was lost, or that was closed while it may still come true."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from sqlalchemy import Row

from .. import ledger
from ..booking.provider import AirlineOrder, Provider
from ..domain.clock import Clock
from ..domain.errors import Reason, Refused, Unavailable
from ..domain.plans import CREATES, Itinerary
from ..persistence.database import Database
from .fitting import why_not
from .looking_first import LookingFirst

log = logging.getLogger(__name__)
T = TypeVar("T")

PATIENCE = 10.0  # seconds for one call: who is silent for longer is asked again later, and keeps nobody waiting


@dataclass(frozen=True)
class LookingUp:
    """Finding is proof; absence is none. Reads the airline, sends nothing."""

    database: Database
    provider: Provider
    looking_first: LookingFirst
    clock: Clock
    patience: float = PATIENCE

    async def find(self, row: Row[Any], attempt: Row[Any]) -> AirlineOrder | None:
        """The order that proves that the operation was done. Raises Refused, Unavailable where the airline does not say."""
        if row.kind in CREATES:
            orders = await self._answered(self.looking_first.orders_of(row.operation_id, offer_id=attempt.reference))
            ours = next((o for o in orders if o.operation_id == row.operation_id), None) or await self._told(row)
            word = await self.database.read(lambda tx: ledger.last_word(tx, row.operation_id))
            if ours is not None or word is None or word.kind != "resolution" or word.order_id is None:
                return ours  # what carries our own id is what was made, whatever anybody names
            return await self._named(row, attempt, word.order_id)
        order = await self._answered(self.provider.get_order(attempt.reference))
        is_done = order.state in {"ticketing", "confirmed"} if row.kind == "pay" else order.is_over
        if row.kind == "pay" and order.is_over and (order.state == "cancelled" or self._has_arrived(attempt)):
            await self.database.write(lambda tx: self._never_paid(tx, row, order))
        return order if is_done else None

    async def came_after_all(self, row: Row[Any]) -> str | None:
        """The order that would make this create a second one, by id: of a create that was closed as not made, for one of these
        passengers on one of these flights. The reconciler lists it in its next round.

        Raises Unavailable where the airline does not say: then nothing may be sent.
        """
        if row.kind not in CREATES:
            return None
        book, wanted = ledger.Book(row.tenant_id, row.mode), Itinerary.model_validate(row.itinerary)
        late = await self.database.read(lambda tx: ledger.surplus_on(tx, book, wanted))
        if late is not None:
            return late.order_id
        for closed in await self.database.read(lambda tx: ledger.closed_in_doubt(tx, row)):
            found = await self._of_closed(closed)
            if found is not None and not found.is_over:
                await self._look_anew(closed)
                return found.order_id
        return None

    async def _look_anew(self, closed: Row[Any]) -> None:
        at = self.clock()
        await self.database.write(lambda tx: ledger.look_anew(tx, closed.operation_id, at=at))

    async def _of_closed(self, row: Row[Any]) -> AirlineOrder | None:
        attempt = await self.database.read(lambda tx: ledger.last_attempt(tx, row.operation_id))
        try:
            return await self.find(row, attempt) if attempt is not None else None
        except Refused as refusal:
            log.info("looking for closed operation %s, the airline refuses: %s", row.operation_id, refusal)
            return None

    async def _told(self, row: Row[Any]) -> AirlineOrder | None:
        """The order the airline itself has named, which it need not list yet. Raises Refused, Unavailable."""
        order_id = await self.database.read(lambda tx: ledger.order_told(tx, row))
        order = await self._answered(self.provider.get_order(order_id)) if order_id is not None else None
        return order if order is not None and order.operation_id == row.operation_id else None

    async def _named(self, row: Row[Any], attempt: Row[Any], order_id: str) -> AirlineOrder | None:
        """The order an operator named, where it is what was ordered; else they are told why it is not.

        Raises Refused where the airline does not say whether there is such an order: that speaks for nothing.
        """
        why: str | None = "not_found"
        order: AirlineOrder | None = None
        try:
            order = await self._answered(self.provider.get_order(order_id))
            why = why_not(row, attempt, order)
        except Refused as refusal:
            if refusal.reason is not Reason.NOT_FOUND:
                raise
            log.info("the airline knows no order %s, named for operation %s", order_id, row.operation_id)
        if why is None:
            return order
        at = self.clock()
        await self.database.write(lambda tx: ledger.not_adopted(tx, row.tenant_id, row.operation_id, order_id, why=why, at=at))
        return None

    async def _answered(self, call: Coroutine[object, object, T]) -> T:
        """Raises Unavailable also where nothing comes for too long."""
        try:
            async with asyncio.timeout(self.patience):
                return await call
        except TimeoutError as silence:
            raise Unavailable("no answer to a look-up") from silence

    def _has_arrived(self, attempt: Row[Any]) -> bool:
        """Whether what was sent is at the airline by now, or never will be. Until then a hold that ran out by the clock may be
        being paid."""
        able = self.provider.capabilities()
        within = timedelta(seconds=able.commit_timeout_seconds + able.visibility_lag_seconds)
        return bool(self.clock() >= attempt.started_at + within)

    async def _never_paid(self, tx: ledger.Tx, row: Row[Any], order: AirlineOrder) -> None:
        """The airline let the hold go: a payment of it did not happen, and cannot any more."""
        at = self.clock()
        await ledger.refresh_order(tx, order, at=at)
        current = await ledger.operation(tx, row.operation_id)
        if current.state in {"unknown", "needs_person"}:
            await ledger.fail(tx, current, Reason.HOLD_EXPIRED, at=at)
