"""What is wanted, at today's price: found again, seats checked, the next best found."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..booking.provider import Provider
from ..domain.errors import Reason, Refused
from ..domain.plans import Itinerary, Wanted
from ..domain.seat_scoring import misses
from ..domain.seating import TravellerWishes, propose
from ..domain.settlement import LedgerPage
from ..domain.trips import IfGone, SeatChoice, Selection
from ..shopping import Priced, Shopping
from .errand import Errand, itinerary_of
from .looking_first import LookingFirst
from .reading import Reading


@dataclass(frozen=True)
class Wanting:
    """What a selection is today."""

    reading: Reading
    shopping: Shopping
    provider: Provider
    looking_first: LookingFirst

    async def wanted(self, errand: Errand, selection: Selection) -> tuple[Wanted, Selection]:
        """The selection as of now, as it had to be changed; what the trip has is not searched. Refuses OFFER_GONE, SEAT_TAKEN."""
        page = await self.reading.page(errand)
        itinerary = itinerary_of(selection)
        if held := page.order_for(itinerary):
            found = await self.reading.read_order(held.order_id)
            if found.state not in {"lapsed", "cancelled"}:
                return Wanted(itinerary=itinerary, fare=held.fare, total=found.total, hold=False), selection
            page = await self.reading.page(errand)
        ages = await self.reading.ages(errand, selection)
        try:
            priced = await self.priced_with_own_seats(page, itinerary, ages)
        except Refused as refusal:
            if refusal.reason is not Reason.SEAT_TAKEN or selection.if_gone is IfGone.ASK:
                raise
            selection, itinerary = await self._next_best(errand, selection, ages)
            priced = await self.shopping.price(itinerary, ages)
            return self._wanted(itinerary, priced, misses=True), selection
        return self._wanted(itinerary, priced, misses=_misses_wish(selection, priced)), selection

    async def priced_with_own_seats(self, page: LedgerPage, itinerary: Itinerary, ages: tuple[int | None, ...]) -> Priced:
        """A seat this trip holds already reads as taken, but is the trip's own to move; also one our books have lost."""
        own = {(key, seat) for key in itinerary.segment_keys for seat in page.seats_on(key)}
        made = await self.looking_first.order_of(page.create_id(itinerary))
        own |= {seat for each in made.passengers for seat in each.seats} if made is not None else set()
        theirs = itinerary.model_copy(update={"seats": tuple(s for s in itinerary.seats if (s[0], s[2]) not in own)})
        priced = await self.shopping.price(theirs, ages)
        return priced if made is None else replace(priced, total=made.total)

    async def _next_best(self, errand: Errand, selection: Selection, ages: tuple[int | None, ...]) -> tuple[Selection, Itinerary]:
        """Other seats for the wish, at no extra cost; none that can be chosen: without seats."""
        plain = itinerary_of(selection.model_copy(update={"seats": ()}))
        offer = await self.shopping.offer_for(plain, ages)
        if offer is None:
            raise Refused(Reason.OFFER_GONE)
        maps = await self.provider.seat_maps(offer.offer_id)
        travellers = tuple(
            TravellerWishes(passenger=p, wishes=selection.wishes if i == 0 else (), age=ages[i])
            for i, p in enumerate(selection.passenger_ids)
        )
        chosen = tuple(
            SeatChoice(passenger_id=passenger, segment_key=m.segment_key, designator=designator)
            for m in maps
            for passenger, designator in propose(m, cabin=selection.cabin, travellers=travellers).designators.items()
        )
        changed = selection.model_copy(update={"seats": chosen})
        return changed, itinerary_of(changed)

    def _wanted(self, itinerary: Itinerary, priced: Priced, *, misses: bool) -> Wanted:
        fare = priced.offer.fare
        hold = fare.holdable and (fare.seats_on_hold or not itinerary.seats) and self.provider.capabilities().holds
        return Wanted(itinerary=itinerary, fare=fare, total=priced.total, hold=hold, misses_wish=misses)


def _misses_wish(selection: Selection, priced: Priced) -> bool:
    """The wishes are those of the first who travels."""
    own = (s for s in selection.seats if s.passenger_id == selection.passenger_ids[0] and s.segment_key in priced.maps)
    return any(misses(priced.maps[s.segment_key], s.designator, selection.wishes) for s in own)
