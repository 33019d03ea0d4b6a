"""The booking provider's port: reads are free to retry, effects are one HTTP send each and are never retried in here.

Errors of reads: `Unavailable` or `Refused`. Errors of effects: `Unavailable` (provably nothing happened), `Refused(reason)`
(provably nothing happened), `OutcomeUnknown` (everything else).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Literal, Protocol

from ..domain.flights import Cabin, Offer, SeatMap, Segment
from ..domain.money import Money
from ..domain.people import PersonDetails
from ..domain.value import Value


class Mode(StrEnum):
    """Which world the money is in; part of every claim and operation id."""

    SANDBOX = "sandbox"
    TEST = "test"
    LIVE = "live"


class SearchRequest(Value):
    """One direction for one day. `ages` holds one entry a passenger, None for an adult whose age does not matter."""

    origin: str  # IATA airport or metro code
    destination: str
    depart_on: date
    cabin: Cabin | None = None
    max_stops: int | None = None
    ages: tuple[int | None, ...] = (None,)


class SeatPurchase(Value):
    service_id: str
    price: Money


class OrderPassenger(Value):
    ref: str  # the offer's own id for this passenger
    details: PersonDetails


class OrderRequest(Value):
    """`total` is offer plus services, exact. The airline keeps `operation_id`, the only look-up key of a lost answer."""

    kind: Literal["hold", "instant"]
    offer_id: str
    passengers: tuple[OrderPassenger, ...]
    seats: tuple[SeatPurchase, ...] = ()
    total: Money
    operation_id: str


class OrderPassengerFact(Value):
    given_name: str
    family_name: str
    born_on: date
    seats: tuple[tuple[str, str], ...] = ()  # (segment key, designator)


class AirlineOrder(Value):
    """What the airline says it has, read as of now.

    Derived from `paid_at`, `documents`, `payment_required_by`; never from `awaiting_payment`.
    """

    order_id: str
    booking_reference: str | None
    state: Literal["held", "lapsed", "ticketing", "confirmed", "cancelled"]
    operation_id: str | None
    offer_id: str | None = None
    total: Money
    segments: tuple[Segment, ...]
    passengers: tuple[OrderPassengerFact, ...]
    documents: tuple[str, ...] = ()  # e-ticket numbers
    pay_by: datetime | None = None
    price_guaranteed_until: datetime | None = None
    made_at: datetime | None = None  # by the airline's clock

    @property
    def is_over(self) -> bool:
        """Given up, or run out before it was paid: nobody flies on it."""
        return self.state in {"cancelled", "lapsed"}


class RefundKind(StrEnum):
    MONEY = "money"
    AIRLINE_CREDITS = "airline_credits"
    VOUCHER = "voucher"
    NONE = "none"
    UNKNOWN = "unknown"  # the airline has not said


class CancellationQuote(Value):
    """Only the newest quote of an order counts. `refund` None: the airline has not said."""

    quote_id: str
    order_id: str
    refund: Money | None
    kind: RefundKind
    expires_at: datetime | None = None


class WebhookEvent(Value):
    event_id: str
    kind: str  # "order.created", "order.creation_failed", "order.airline_initiated_change_detected", ...
    order_id: str | None = None
    offer_id: str | None = None
    operation_id: str | None = None
    reason: str | None = None


class Capabilities(Value):
    mode: Mode
    holds: bool
    visibility_lag_seconds: int  # how long a made order may stay invisible to look-ups
    commit_timeout_seconds: int  # how long an effect may take


class Provider(Protocol):
    """One airline seller. `get_order`, `find_orders` and `orders_since` read as of now."""

    async def search(self, request: SearchRequest) -> tuple[Offer, ...]: ...
    async def get_offer(self, offer_id: str) -> Offer: ...
    async def price_offer(self, offer_id: str) -> Offer: ...
    async def seat_maps(self, offer_id: str) -> tuple[SeatMap, ...]: ...
    async def get_order(self, order_id: str) -> AirlineOrder: ...
    async def find_orders(self, *, operation_id: str, offer_id: str) -> tuple[AirlineOrder, ...]: ...
    async def orders_since(self, since: datetime) -> tuple[AirlineOrder, ...]: ...

    async def create_order(self, request: OrderRequest) -> AirlineOrder: ...
    async def pay_order(self, order_id: str, *, amount: Money, operation_id: str) -> AirlineOrder: ...
    async def quote_cancellation(self, order_id: str) -> CancellationQuote: ...
    async def confirm_cancellation(self, quote_id: str) -> AirlineOrder: ...

    def parse_webhook(self, headers: Mapping[str, str], body: bytes) -> WebhookEvent: ...
    def capabilities(self) -> Capabilities: ...
    async def aclose(self) -> None: ...
