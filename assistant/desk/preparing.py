"""All that may be read before sending: today's offer, the newest quote, whether they are within the grant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from ..booking.provider import AirlineOrder, OrderPassenger, OrderRequest, Provider, SeatPurchase
from ..domain.errors import Reason, Refused
from ..domain.money import Money
from ..domain.plans import Itinerary, OrderState
from ..shopping import Shopping
from .errand import Errand, Ready, itinerary_day
from .reading import Reading


@dataclass(frozen=True)
class Preparing:
    """Makes an operation ready to be sent, or refuses it."""

    reading: Reading
    shopping: Shopping
    provider: Provider

    async def ready(self, errand: Errand, row: Row[Any], bound: Money) -> Ready:
        """All that may be read before sending: today's offer, the newest quote, and whether they are within the grant."""
        match row.kind:
            case "hold" | "book":
                return await self._create(errand, row, bound)
            case "pay":
                return await self._pay(row, bound)
            case _:
                return await self._cancel(row, bound)

    async def _create(self, errand: Errand, row: Row[Any], bound: Money) -> Ready:
        itinerary = Itinerary.model_validate(row.itinerary)
        people = await self.reading.details(errand, itinerary.passenger_ids)
        day = itinerary_day(itinerary.segment_keys)
        ages = tuple(a if a < 18 else None for a in (p.age_on(day) for p in people))
        priced = await self.shopping.price(itinerary, ages)
        if not priced.total.at_most(bound):
            raise Refused(Reason.PRICE_CHANGED, priced.total)
        request = OrderRequest(
            kind="hold" if row.kind == "hold" else "instant",
            offer_id=priced.offer.offer_id,
            seats=_sorted(priced.seats),
            passengers=tuple(OrderPassenger(ref=r, details=p) for r, p in zip(priced.offer.passenger_refs, people, strict=True)),
            total=priced.total,
            operation_id=row.operation_id,
        )
        return Ready(
            priced.offer.offer_id,
            request.model_dump(mode="json"),
            priced.total,
            priced.offer.fare,
            lambda: self.provider.create_order(request),
        )

    async def _pay(self, row: Row[Any], bound: Money) -> Ready:
        order = await self.reading.order_of(row)
        found = await self.reading.read_order(order.order_id)
        if found.state in {"lapsed", "cancelled"}:
            raise Refused(Reason.HOLD_EXPIRED)
        if not found.total.at_most(bound):
            raise Refused(Reason.PRICE_CHANGED, found.total)

        async def pay() -> AirlineOrder:
            return await self.provider.pay_order(order.order_id, amount=found.total, operation_id=row.operation_id)

        return Ready(order.order_id, ["pay", order.order_id], found.total, None, pay)

    async def _cancel(self, row: Row[Any], bound: Money) -> Ready:
        order = await self.reading.order_of(row)
        agreed = await self.reading.agreed_quote(row, order.order_id)
        quote = await self.reading.quote(order.order_id)
        if bound.amount > 0 and (quote.refund is None or not bound.at_most(quote.refund)):
            raise Refused(Reason.REFUND_CHANGED, quote.refund)
        if bound.amount > 0 and agreed is not None and agreed.kind != quote.kind:
            raise Refused(Reason.REFUND_CHANGED, quote.kind)  # as much, but credits are not money
        after = await self.reading.read_order(order.order_id)
        if OrderState(order.state) in {OrderState.HELD, OrderState.RELEASING} and after.state in {"ticketing", "confirmed"}:
            raise Refused(Reason.REFUND_CHANGED)  # it was paid meanwhile: no free release any more

        async def confirm() -> AirlineOrder:
            return await self.provider.confirm_cancellation(quote.quote_id)

        return Ready(order.order_id, ["cancel", order.order_id], quote.refund, None, confirm)


def _sorted(seats: tuple[SeatPurchase, ...]) -> tuple[SeatPurchase, ...]:
    return tuple(sorted(seats, key=lambda s: s.service_id))
