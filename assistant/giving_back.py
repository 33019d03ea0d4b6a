"""What operators said is to become of orders: late ones are taken in, unwanted ones given back through the ordinary plan."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from typing import Any

from sqlalchemy import Row

from . import ledger
from .desk import BookingDesk, itinerary_of
from .domain.clock import Clock
from .domain.commands import Command, Kind
from .domain.errors import Reason, Refused, Unavailable
from .domain.people import Actor
from .domain.plans import LIVE, Itinerary, OrderState
from .domain.trips import Selection
from .persistence import commands, questions, trips
from .persistence.database import Database, Tx
from .service import TravelService

REMEMBERED = timedelta(days=30)  # how long a word that could not be followed yet is tried again

LOOKED_AT_AGAIN = timedelta(minutes=1)  # what waits for something else to end
log = logging.getLogger(__name__)


class Way(Enum):
    """How far a word goes now: followed, on to its next step, waiting for something, not fitting now, or never."""

    OVER = auto()
    GOES_ON = auto()
    WAITS = auto()
    NOT_NOW = auto()
    GIVES_UP = auto()


@dataclass(frozen=True)
class GivingBack:
    database: Database
    desk: BookingDesk
    service: TravelService
    clock: Clock

    async def words(self) -> list[Row[Any]]:
        return await self.database.read(lambda tx: ledger.words_due(tx, self.clock()))

    async def followed(self, due: Row[Any]) -> None:
        """Carry on with one operator's last word, as far as it goes now. Raises Unavailable, Refused; then it goes on later."""
        word = await self.database.read(lambda tx: ledger.last_word(tx, due.operation_id))
        if word is None:
            return
        try:
            way = await self._follow(word)
        except (Refused, Unavailable):
            await self._is(due, word, Way.WAITS)
            raise
        await self._is(due, word, way)

    async def _is(self, due: Row[Any], word: Row[Any], way: Way) -> None:
        """When it is looked at again: what led to nothing ever less often, and not for ever."""
        at, tries = self.clock(), due.tries + (way is Way.NOT_NOW)
        after = {Way.GOES_ON: timedelta(), Way.WAITS: LOOKED_AT_AGAIN, Way.NOT_NOW: commands.pause_after(tries)}
        gives_up = way is Way.GIVES_UP or tries >= commands.MOST_AGAIN or word.created_at < at - REMEMBERED

        async def write(tx: Tx) -> None:
            last = await ledger.last_word(tx, word.operation_id)
            if last is None or last.n != word.n:
                return  # something newer was said meanwhile
            if way is not Way.OVER and gives_up:
                row = await ledger.operation(tx, word.operation_id)
                log.error("what was said of operation %s could not be followed", word.operation_id)
                await ledger.not_adopted(tx, row.tenant_id, row.operation_id, word.order_id, why="not_followed", at=at)
            else:
                await ledger.put_off(tx, due, due=None if way is Way.OVER else at + after[way], tries=tries)

        await self.database.write(write)

    async def _follow(self, word: Row[Any]) -> Way:
        if word.kind != "resolution" or word.body["resolution"] not in {"adopt", "cancel"}:
            return Way.OVER
        order = await self.database.read(lambda tx: self._order(tx, word))
        if order is None:
            return Way.WAITS
        if OrderState(order.state) not in LIVE:
            return Way.OVER
        if order.state == OrderState.SURPLUS:
            return await self._take_in(word, order)
        if word.body["resolution"] == "cancel":
            return await self._give_back(word, order)
        late = await self.database.read(lambda tx: self._was_late(tx, word, order))
        return await self._go_on(word, order) if late else Way.OVER

    async def _order(self, tx: Tx, word: Row[Any]) -> Row[Any] | None:
        if word.order_id is not None and (named := await ledger.order(tx, word.order_id)) is not None:
            return named
        row = await ledger.operation(tx, word.operation_id)
        return None if row.state in {"unknown", "needs_person"} else await ledger.order_of(tx, row.create_id)

    async def _was_late(self, tx: Tx, word: Row[Any], order: Row[Any]) -> bool:
        row = await ledger.operation(tx, word.operation_id)
        return order.create_id != row.create_id or ledger.was_taken_in(row)

    async def _take_in(self, word: Row[Any], late: Row[Any]) -> Way:
        """Read at the airline first. To be kept it must fit: nobody may hold its flights for these passengers by now."""
        try:
            found = await self.desk.read_order(late.order_id)
        except Refused as refusal:
            if refusal.reason is not Reason.NOT_FOUND:
                raise
            at = self.clock()
            why = "not_found"
            await self.database.write(
                lambda tx: ledger.not_adopted(tx, late.tenant_id, word.operation_id, late.order_id, why=why, at=at)
            )
            return Way.OVER
        if found.is_over:
            return Way.OVER
        keep, at = word.body["resolution"] == "adopt", self.clock()

        async def write(tx: Tx) -> None:
            now = await ledger.order(tx, late.order_id)
            if now is None or now.state != OrderState.SURPLUS:
                return
            mine = frozenset({late.create_id})
            wanted = Itinerary.model_validate(late.itinerary)
            book = self.desk.book(late.tenant_id)
            if keep and await ledger.claimed_elsewhere(tx, book, wanted, create_ids=mine) is not None:
                await ledger.not_adopted(tx, late.tenant_id, word.operation_id, late.order_id, why="claimed", at=at)
                return
            command_id = word.body["command_id"]
            await ledger.take_in(tx, now, found, said=word.body, command_id=command_id, aside=not keep, at=at)

        await self.database.write(write)
        return Way.GOES_ON

    async def _go_on(self, word: Row[Any], order: Row[Any]) -> Way:
        """A trip that still wants what was taken in goes on with it; any other is told that it is there."""
        if order.aside:  # it was to go, and is to stay now
            at = self.clock()
            await self.database.write(lambda tx: ledger.set_aside(tx, order.create_id, aside=False, at=at))
        trip = await self.database.read(lambda tx: trips.find(tx, order.trip_id))
        if trip is None:
            return Way.OVER
        waiting = await self.database.read(lambda tx: questions.waiting(tx, trip.trip_id))
        if waiting is not None and waiting.node == "choose" and _wants(trip, order):
            return await self._once(word, order, Kind.OUTCOME, trip.trip_id, {"question_id": waiting.question_id})
        if order.create_id not in trip.create_ids:
            event = {"trip_id": trip.trip_id, "status": "taken_in", "reference": order.booking_reference}
            return await self._once(word, order, Kind.NOTIFY, trip.conversation_id, event, owner=trip.owner_id)
        return Way.OVER

    async def _give_back(self, word: Row[Any], order: Row[Any]) -> Way:
        """A cancellation like any other, asked for by the operator: free where nothing is paid, else quoted and reviewed."""
        keep = await self.database.read(lambda tx: self._is_still_chosen(tx, order))
        payload = {"order_id": order.order_id, "reason": word.body["reason"], "keep_choice": keep}
        return await self._once(word, order, Kind.CANCEL_TRIP, order.trip_id, payload)

    async def _is_still_chosen(self, tx: Tx, order: Row[Any]) -> bool:
        """Whether its trip waits and has nothing else booked: what was chosen is asked for again, not lost with the order."""
        waiting, trip = await questions.waiting(tx, order.trip_id), await trips.find(tx, order.trip_id)
        page = await ledger.page(tx, self.desk.book(order.tenant_id), order.trip_id)
        wanted = trip.create_ids if trip is not None else ()
        booked = any(o.paid and o.create_id in wanted and o.order_id != order.order_id for o in page.orders)
        return waiting is not None and waiting.node in {"choose", "await_outcome"} and not booked

    async def _once(
        self, word: Row[Any], order: Row[Any], kind: Kind, target: str, payload: dict[str, Any], *, owner: str | None = None
    ) -> Way:
        """Given once, and anew only where it failed."""
        named = ledger.named(word, order.order_id, kind)
        tenant_id, now = order.tenant_id, self.clock()
        given = await self.database.read(lambda tx: commands.of_word(tx, tenant_id, *named))
        if commands.is_over(given):
            return Way.GIVES_UP if commands.has_failed_for_good(given) else Way.OVER
        command_id = await self.database.read(lambda tx: commands.next_word(tx, tenant_id, *named, now=now))
        if command_id is None:
            return Way.WAITS
        said = Actor.model_validate(word.body["by"])
        actor = said if owner is None else Actor(tenant_id=tenant_id, user_id=owner, name="")
        await self.service.accept_own(Command(command_id=command_id, kind=kind, actor=actor, target=target, payload=payload))
        stored = await self.database.read(lambda tx: commands.find(tx, tenant_id, command_id))
        return Way.WAITS if stored is not None else Way.NOT_NOW


def _wants(trip: Row[Any], order: Row[Any]) -> bool:
    """Whether the trip's choice is just what this order is."""
    if not trip.selection:
        return False
    return itinerary_of(Selection.model_validate(trip.selection)).intent == Itinerary.model_validate(order.itinerary).intent
