"""What operators said is to become of orders: late ones are taken in, unwanted ones given back through the ordinary plan."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Row

from . import ledger
from .desk import BookingDesk, itinerary_of
from .domain.clock import Clock
from .domain.commands import Command, Kind
from .domain.errors import Reason, Refused
from .domain.people import Actor
from .domain.plans import LIVE, Itinerary, OrderState
from .domain.trips import Selection
from .persistence import commands, questions, trips
from .persistence.database import Database, Tx
from .service import TravelService

REMEMBERED = timedelta(days=30)  # how long a word that could not be followed yet is tried again


@dataclass(frozen=True)
class GivingBack:
    database: Database
    desk: BookingDesk
    service: TravelService
    clock: Clock

    async def followed(self, word: Row[Any]) -> None:
        """Carry on with one operator's last word, as far as it goes now. Raises Unavailable; then it goes on later."""
        if word.kind != "resolution" or word.body["resolution"] not in {"adopt", "cancel"}:
            return
        order = await self.database.read(lambda tx: self._order(tx, word))
        if order is None or OrderState(order.state) not in LIVE:
            return
        if order.state == OrderState.SURPLUS:
            await self._take_in(word, order)
        elif word.body["resolution"] == "cancel":
            await self._give_back(word, order)
        elif await self.database.read(lambda tx: self._was_late(tx, word, order)):
            await self._go_on(word, order)

    async def words(self) -> list[Row[Any]]:
        return await self.database.read(lambda tx: ledger.words_since(tx, self.clock() - REMEMBERED))

    async def _order(self, tx: Tx, word: Row[Any]) -> Row[Any] | None:
        if word.order_id is not None and (named := await ledger.order(tx, word.order_id)) is not None:
            return named
        row = await ledger.operation(tx, word.operation_id)
        return None if row.state in {"unknown", "needs_person"} else await ledger.order_of(tx, row.create_id)

    async def _was_late(self, tx: Tx, word: Row[Any], order: Row[Any]) -> bool:
        row = await ledger.operation(tx, word.operation_id)
        return order.create_id != row.create_id or ledger.was_taken_in(row)

    async def _take_in(self, word: Row[Any], late: Row[Any]) -> None:
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
            return
        if found.state in {"cancelled", "lapsed"}:
            return
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

    async def _go_on(self, word: Row[Any], order: Row[Any]) -> None:
        """A trip that still wants what was taken in goes on with it; any other is told that it is there."""
        if order.aside:  # it was to go, and is to stay now
            at = self.clock()
            await self.database.write(lambda tx: ledger.set_aside(tx, order.create_id, aside=False, at=at))
        trip = await self.database.read(lambda tx: trips.find(tx, order.trip_id))
        if trip is None:
            return
        waiting = await self.database.read(lambda tx: questions.waiting(tx, trip.trip_id))
        if waiting is not None and waiting.node == "choose" and _wants(trip, order):
            await self._once(word, order, Kind.OUTCOME, trip.trip_id, {"question_id": waiting.question_id})
        elif order.create_id not in trip.create_ids:
            event = {"trip_id": trip.trip_id, "status": "taken_in", "reference": order.booking_reference}
            await self._once(word, order, Kind.NOTIFY, trip.conversation_id, event, owner=trip.owner_id)

    async def _give_back(self, word: Row[Any], order: Row[Any]) -> None:
        """A cancellation like any other, asked for by the operator: free where nothing is paid, else quoted and reviewed."""
        keep = await self.database.read(lambda tx: self._is_still_chosen(tx, order))
        payload = {"order_id": order.order_id, "reason": word.body["reason"], "keep_choice": keep}
        await self._once(word, order, Kind.CANCEL_TRIP, order.trip_id, payload)

    async def _is_still_chosen(self, tx: Tx, order: Row[Any]) -> bool:
        """Whether its trip waits and has nothing else booked: what was chosen is asked for again, not lost with the order."""
        waiting, trip = await questions.waiting(tx, order.trip_id), await trips.find(tx, order.trip_id)
        page = await ledger.page(tx, self.desk.book(order.tenant_id), order.trip_id)
        wanted = trip.create_ids if trip is not None else ()
        booked = any(o.paid and o.create_id in wanted and o.order_id != order.order_id for o in page.orders)
        return waiting is not None and waiting.node in {"choose", "await_outcome"} and not booked

    async def _once(
        self, word: Row[Any], order: Row[Any], kind: Kind, target: str, payload: dict[str, Any], *, owner: str | None = None
    ) -> None:
        """Given once, and anew only where it failed."""
        named = ledger.named(word, order.order_id, kind)
        command_id = await self.database.read(lambda tx: commands.next_word(tx, order.tenant_id, *named, now=self.clock()))
        if command_id is None:
            return
        said = Actor.model_validate(word.body["by"])
        actor = said if owner is None else Actor(tenant_id=order.tenant_id, user_id=owner, name="")
        await self.service.accept_own(Command(command_id=command_id, kind=kind, actor=actor, target=target, payload=payload))


def _wants(trip: Row[Any], order: Row[Any]) -> bool:
    """Whether the trip's choice is just what this order is."""
    if not trip.selection:
        return False
    return itinerary_of(Selection.model_validate(trip.selection)).intent == Itinerary.model_validate(order.itinerary).intent
