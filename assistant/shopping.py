"""The desk's reads of the airline: today's offers, seats and prices. Offer ids are born and die in here and in the desk."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal

from .booking.provider import Provider, SearchRequest, SeatPurchase
from .domain.clock import Clock
from .domain.errors import Reason, Refused
from .domain.flights import Fare, Offer, Seat, SeatMap
from .domain.money import Money
from .domain.plans import Itinerary

FRESH = timedelta(minutes=5)
KEPT = 64


@dataclass(frozen=True)
class Priced:
    """Today's offer for an itinerary, its seats for sale, and the exact total of both. `maps` are by segment key."""

    offer: Offer
    seats: tuple[SeatPurchase, ...]
    total: Money
    maps: dict[str, SeatMap] = field(default_factory=dict[str, SeatMap])


@dataclass
class Shopping:
    """Searches are remembered for some minutes, for looking only; whatever buys searches anew."""

    provider: Provider
    clock: Clock
    _seen: dict[str, tuple[datetime, tuple[Offer, ...]]] = field(default_factory=dict[str, tuple[datetime, tuple[Offer, ...]]])

    async def search(self, request: SearchRequest, *, fresh: bool = True) -> tuple[Offer, ...]:
        key = request.model_dump_json()
        seen = self._seen.get(key)
        if seen and not fresh and seen[0] <= self.clock() < seen[0] + FRESH:
            return seen[1]
        offers = await self.provider.search(request)
        self._seen[key] = (self.clock(), offers)
        while len(self._seen) > KEPT:
            self._seen.pop(next(iter(self._seen)))
        return offers

    async def priced(self, fare: Fare, request: SearchRequest) -> Fare:
        """The fare at its price of now. Refused where it has gone."""
        offer = await self._offer(fare, request, fresh=False)
        return (await self.provider.price_offer(offer.offer_id)).fare

    async def seat_maps(self, fare: Fare, request: SearchRequest) -> tuple[SeatMap, ...]:
        """The seats of each segment, without the provider's ids."""
        offer = await self._offer(fare, request, fresh=False)
        return tuple(_anonymous(m) for m in await self.provider.seat_maps(offer.offer_id))

    async def offer_for(self, itinerary: Itinerary, ages: tuple[int | None, ...]) -> Offer | None:
        """Found again today by segments, cabin and brand, with its price confirmed; None where there is no such fare."""
        for offer in await self.search(request_for(itinerary, ages)):
            if matches(offer.fare, itinerary):
                return await self.provider.price_offer(offer.offer_id)
        return None

    async def price(self, itinerary: Itinerary, ages: tuple[int | None, ...]) -> Priced:
        """Offer and chosen seats as of now. Refused: OFFER_GONE, SEAT_TAKEN."""
        offer = await self.offer_for(itinerary, ages)
        if offer is None:
            raise Refused(Reason.OFFER_GONE)
        if not itinerary.seats:
            return Priced(offer, (), offer.fare.total)
        maps = {m.segment_key: m for m in await self.provider.seat_maps(offer.offer_id)}
        seats = tuple(self._purchase(maps.get(key), designator, offer, itinerary.passenger_ids.index(passenger))
                      for key, passenger, designator in itinerary.seats)  # fmt: skip
        total = sum((s.price.amount for s in seats), Decimal(0))
        return Priced(offer, seats, offer.fare.total + Money(amount=total, currency=offer.fare.total.currency), maps)

    def _purchase(self, seat_map: SeatMap | None, designator: str, offer: Offer, passenger: int) -> SeatPurchase:
        seat = seat_map.find(designator) if seat_map else None
        ref = offer.passenger_refs[passenger]
        service = next((s for s in (seat.services if seat else ()) if s.passenger_ref == ref), None)
        if service is None:
            raise Refused(Reason.SEAT_TAKEN, designator)
        return SeatPurchase(service_id=service.service_id, price=service.price)

    async def _offer(self, fare: Fare, request: SearchRequest, *, fresh: bool) -> Offer:
        wanted = (fare.segment_keys, fare.cabin, fare.fare_brand)
        for offer in await self.search(request, fresh=fresh):
            if (offer.fare.segment_keys, offer.fare.cabin, offer.fare.fare_brand) == wanted:
                return offer
        raise Refused(Reason.OFFER_GONE)


def matches(fare: Fare, itinerary: Itinerary) -> bool:
    return (fare.segment_keys, fare.cabin, fare.fare_brand) == (itinerary.segment_keys, itinerary.cabin, itinerary.fare_brand)


def request_for(itinerary: Itinerary, ages: tuple[int | None, ...]) -> SearchRequest:
    """A search that can find this itinerary; segment keys are `AF123:CDG-HND:2026-12-01`."""
    first, last = itinerary.segment_keys[0].split(":"), itinerary.segment_keys[-1].split(":")
    return SearchRequest(
        origin=first[1].split("-")[0], destination=last[1].split("-")[1], depart_on=date.fromisoformat(first[2]),
        cabin=itinerary.cabin, ages=ages,
    )  # fmt: skip


def _anonymous(seat_map: SeatMap) -> SeatMap:
    def bare(seat: Seat) -> Seat:
        return seat.model_copy(update={"services": ()})

    cabins = tuple(
        c.model_copy(update={"rows": tuple(
            r.model_copy(update={"sections": tuple(tuple(bare(s) for s in section) for section in r.sections)}) for r in c.rows)})
        for c in seat_map.cabins
    )  # fmt: skip
    return seat_map.model_copy(update={"cabins": cabins})
