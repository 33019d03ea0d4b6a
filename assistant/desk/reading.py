"""Reading before doing: orders and quotes at the airline, pages of the ledger, who travels."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from .. import ledger
from ..booking.provider import AirlineOrder, CancellationQuote, Provider
from ..domain.clock import Clock
from ..domain.errors import OutcomeUnknown, Reason, Refused, Unavailable
from ..domain.people import PersonDetails
from ..domain.settlement import LedgerPage
from ..domain.trips import Selection
from ..ledger import Book
from ..ledger.granting import agreed_quote
from ..persistence import people as directory
from ..persistence.database import Database
from .errand import Errand, itinerary_day

QUOTE_TRIES = 3


@dataclass(frozen=True)
class Reading:
    """Reads of the airline that the ledger learns from, and of the rows the desk acts for."""

    database: Database
    provider: Provider
    clock: Clock
    mode: str

    def book(self, tenant_id: str) -> Book:
        return Book(tenant_id, self.mode)

    async def read_order(self, order_id: str, *, patience: float | None = None) -> AirlineOrder:
        """The order as it is now; the ledger learns what changed. Raises Refused; Unavailable, also after so many seconds."""
        try:
            async with asyncio.timeout(patience):
                found = await self.provider.get_order(order_id)
        except TimeoutError as silence:
            raise Unavailable(f"no word of order {order_id}") from silence
        at = self.clock()
        await self.database.write(lambda tx: ledger.refresh_order(tx, found, at=at))
        return found

    async def page(self, errand: Errand) -> LedgerPage:
        return await self.database.read(lambda tx: ledger.page(tx, self.book(errand.tenant_id), errand.trip_id))

    async def quote(self, order_id: str) -> CancellationQuote:
        """A quote binds nobody and only the newest counts: where the answer was lost, another is asked for.

        Refused ORDER_LAPSED: the order is over already, given up by somebody beside us or run out; the ledger has learned it.
        """
        try:
            quote = await self._quoted(order_id, tries=QUOTE_TRIES)
        except Refused as refusal:
            if (await self.read_order(order_id)).is_over:
                raise Refused(Reason.ORDER_LAPSED, order_id) from refusal
            raise
        at = self.clock()
        await self.database.write(lambda tx: ledger.quoted(tx, quote, at=at))
        return quote

    async def agreed_quote(self, row: Row[Any], order_id: str) -> Row[Any] | None:
        """What a cancellation was granted at; where the clock was set back since, the newest quote there is."""

        async def read(tx: ledger.Tx) -> Row[Any] | None:
            return await agreed_quote(tx, row, order_id) or await ledger.newest_quote(tx, order_id)

        return await self.database.read(read)

    async def _quoted(self, order_id: str, *, tries: int) -> CancellationQuote:
        try:
            return await self.provider.quote_cancellation(order_id)
        except (OutcomeUnknown, Unavailable) as lost:
            if tries == 1:
                raise Unavailable(str(lost)) from lost
            return await self._quoted(order_id, tries=tries - 1)

    async def order_of(self, row: Row[Any]) -> Row[Any]:
        order = await self.database.read(lambda tx: ledger.order_of(tx, row.create_id))
        if order is None:
            raise Refused(Reason.NOT_FOUND, row.create_id)
        return order

    async def details(self, errand: Errand, passenger_ids: tuple[str, ...]) -> tuple[PersonDetails, ...]:
        async def read(tx: ledger.Tx) -> tuple[PersonDetails, ...]:
            found: list[PersonDetails] = []
            for each in passenger_ids:
                row = await directory.by_passenger(tx, tenant_id=errand.tenant_id, passenger_id=each, owner_id=errand.owner_id)
                if row is None:
                    raise Refused(Reason.PASSENGER_CHANGED, each)
                found.append(PersonDetails.model_validate(row.details))
            return tuple(found)

        return await self.database.read(read)

    async def ages(self, errand: Errand, selection: Selection) -> tuple[int | None, ...]:
        """One entry a passenger, None for adults; the day of travel decides."""
        people = await self.details(errand, selection.passenger_ids)
        day = itinerary_day(selection.segment_keys)
        ages = [person.age_on(day) for person in people]
        return tuple(age if age < 18 else None for age in ages)
