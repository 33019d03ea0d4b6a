"""The one adapter to an airline seller: Duffel's v2 JSON over httpx, to Duffel itself or to the sandbox airline."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, ConfigDict, ValidationError

from ..domain.clock import Clock, system_clock
from ..domain.errors import LayoverError, OutcomeUnknown, Reason, Refused, Unavailable
from ..domain.flights import Offer, SeatMap
from ..domain.money import Money
from .duffel_errors import code_of, effect_failure, read_failure
from .duffel_reading import offer_of, order_of, quote_of, seat_map_of, segment_of
from .duffel_sending import order_body, search_body
from .duffel_webhooks import read_webhook
from .duffel_wire import Wire, WireCancellation, WireOffer, WireOrder, WireSeatMap
from .provider import AirlineOrder, CancellationQuote, Capabilities, Mode, OrderRequest, SearchRequest, WebhookEvent

HEADERS = {"Duffel-Version": "v2", "Accept": "application/json", "Content-Type": "application/json"}
_PAGE = 200
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_DONE = (HTTPStatus.OK, HTTPStatus.CREATED)
_PAID = ("ticketing", "confirmed")
_CANCELLED = ("cancelled",)
_T = TypeVar("_T", bound=BaseModel)
_V = TypeVar("_V")
_Json = dict[str, Any]


def _named(identifier: str) -> str:
    """A seller's id as a part of a path, where nothing else must get to. Raises Refused: what looks otherwise names nothing."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", identifier):
        raise Refused(Reason.NOT_FOUND, "no id of the seller's")
    return identifier


class _Meta(Wire):
    after: str | None = None


class _Created(Wire):
    id: str


class _One(BaseModel):
    model_config = ConfigDict(extra="ignore")
    data: _Json


class _Many(BaseModel):
    model_config = ConfigDict(extra="ignore")
    data: list[_Json]
    meta: _Meta | None = None


def duffel_client(url: str, token: str) -> httpx.AsyncClient:
    """A client for Duffel itself or a sandbox on a port; `token` is never logged."""
    return httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {token}"})


def mode_of(token: str) -> Mode:
    """Which world a Duffel token belongs to, by its prefix."""
    return Mode.TEST if token.startswith("duffel_test_") else Mode.LIVE


class DuffelProvider:
    """The `Provider` port over Duffel's wire format.

    The client carries base URL and token. An effect waits `effect_timeout` seconds, longer than any airline takes; a read
    waits `read_timeout`. Live money needs `allow_live`. Whether a hold has lapsed is judged by the airline's own clock (its
    Date header), else by `clock`.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        mode: Mode,
        webhook_secret: str | None = None,
        clock: Clock = system_clock,
        effect_timeout: float = 135.0,
        read_timeout: float = 60.0,
        visibility_lag_seconds: int = 2,
        page: int = _PAGE,
        allow_live: bool = False,
    ) -> None:
        if mode is Mode.LIVE and not allow_live:
            raise ValueError("live bookings spend real money: set LAYOVER_ALLOW_LIVE=1 or use a test token")
        self._client, self._mode, self._secret, self._clock = client, mode, webhook_secret, clock
        self._effect_timeout, self._read_timeout = effect_timeout, read_timeout
        self._lag, self._page = visibility_lag_seconds, page

    async def search(self, request: SearchRequest) -> tuple[Offer, ...]:
        """All offers, cheapest first; empty where nothing is sold."""
        response = await self._read("/air/offer_requests", {"return_offers": "false"}, data=search_body(request))
        request_id = _one(_Created, response).id
        query = {"offer_request_id": request_id, "sort": "total_amount", "limit": str(_PAGE)}
        offers: list[Offer] = []
        after: str | None = ""
        while after is not None:
            rows, after = _many(WireOffer, await self._read("/air/offers", {**query, **({"after": after} if after else {})}))
            offers += [_sensible(offer_of, row, request_id=request_id) for row in rows]
        return tuple(offers)

    async def get_offer(self, offer_id: str) -> Offer:
        return _sensible(offer_of, await self._offer(offer_id))

    async def price_offer(self, offer_id: str) -> Offer:
        data = {"intended_payment_methods": [{"type": "balance"}], "intended_services": []}
        with _missing_offer_is_gone():
            return _sensible(
                offer_of, _one(WireOffer, await self._read(f"/air/offers/{_named(offer_id)}/actions/price", data=data))
            )

    async def seat_maps(self, offer_id: str) -> tuple[SeatMap, ...]:
        """The maps of the offer's segments, in their order; none where seats cannot be chosen."""
        with _missing_offer_is_gone():
            rows, _ = _many(WireSeatMap, await self._read("/air/seat_maps", {"offer_id": offer_id}))
        if not rows:
            return ()
        offer = await self._offer(offer_id)
        keys = {s.id: _sensible(segment_of, s).key for slice_ in offer.slices for s in slice_.segments}
        maps = {row.segment_id: _sensible(seat_map_of, row, segment_keys=keys) for row in rows if row.segment_id in keys}
        return tuple(maps[i] for i in keys if i in maps)

    async def get_order(self, order_id: str) -> AirlineOrder:
        response = await self._read(f"/air/orders/{_named(order_id)}")
        return _sensible(order_of, _one(WireOrder, response), now=self._airline_time(response))

    async def find_orders(self, *, operation_id: str, offer_id: str) -> tuple[AirlineOrder, ...]:
        """Orders this operation made from an offer; finding none is no proof that there will be none."""
        response = await self._read("/air/orders", {"offer_id": offer_id, "limit": str(_PAGE)})
        rows, _ = _many(WireOrder, response)
        now = self._airline_time(response)
        return tuple(_sensible(order_of, row, now=now) for row in rows if row.metadata.get("operation_id") == operation_id)

    async def orders_since(self, since: datetime) -> tuple[AirlineOrder, ...]:
        """Every order of this account that was made since then, newest first, whoever made it; one just made may not show yet."""
        found: list[AirlineOrder] = []
        after: str | None = ""
        while after is not None:
            query = {"sort": "-created_at", "limit": str(self._page)} | ({"after": after} if after else {})
            response = await self._read("/air/orders", query)
            rows, after = _many(WireOrder, response)
            orders = [_sensible(order_of, row, now=self._airline_time(response)) for row in rows]
            found += [o for o in orders if o.made_at is None or o.made_at >= since]
            if orders and (oldest := orders[-1].made_at) is not None and oldest < since:
                break
        return tuple(found)

    async def create_order(self, request: OrderRequest) -> AirlineOrder:
        response = await self._effect("/air/orders", order_body(request))
        try:
            return order_of(_one(WireOrder, response), now=self._airline_time(response))
        except (Unavailable, ValueError) as unreadable:
            raise OutcomeUnknown(str(unreadable)) from unreadable

    async def pay_order(self, order_id: str, *, amount: Money, operation_id: str) -> AirlineOrder:
        """Pays from the balance. A payment cannot carry `operation_id`: the order's own state tells afterwards."""
        payment = {"type": "balance", "amount": str(amount.amount), "currency": amount.currency}
        body = {"order_id": order_id, "payment": payment}
        try:
            _surely(_Created, await self._effect("/air/payments", body))
        except _AlreadySo as already:
            return await self._as_it_should_be(order_id, _PAID, already.refusal)
        return await self._after_success(order_id, _PAID)

    async def quote_cancellation(self, order_id: str) -> CancellationQuote:
        try:
            return quote_of(_surely(WireCancellation, await self._effect("/air/order_cancellations", {"order_id": order_id})))
        except _AlreadySo as already:
            raise already.refusal from None

    async def confirm_cancellation(self, quote_id: str) -> AirlineOrder:
        path = f"/air/order_cancellations/{_named(quote_id)}"
        try:
            confirmed = _surely(WireCancellation, await self._effect(f"{path}/actions/confirm", {}))
        except _AlreadySo as already:
            with _unread_is_unknown():
                quote = _one(WireCancellation, await self._read(path))
            return await self._as_it_should_be(quote.order_id, _CANCELLED, already.refusal)
        return await self._after_success(confirmed.order_id, _CANCELLED)

    def parse_webhook(self, headers: Mapping[str, str], body: bytes) -> WebhookEvent:
        """A genuine event; `Refused(AUTH)` for a wrong signature, `Refused(INVALID_DATA)` for what cannot be read."""
        return read_webhook(headers, body, secret=self._secret)

    def capabilities(self) -> Capabilities:
        return Capabilities(
            mode=self._mode,
            holds=True,
            visibility_lag_seconds=self._lag,
            commit_timeout_seconds=int(self._effect_timeout),
        )

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _offer(self, offer_id: str) -> WireOffer:
        with _missing_offer_is_gone():
            return _one(WireOffer, await self._read(f"/air/offers/{_named(offer_id)}"))

    async def _read(self, path: str, query: Mapping[str, str] | None = None, *, data: _Json | None = None) -> httpx.Response:
        """A call that changes nothing; `data` makes it a POST."""
        content = None if data is None else {"data": data}
        try:
            response = await self._client.request(
                "GET" if data is None else "POST", path, params=query, headers=HEADERS, timeout=self._read_timeout, json=content
            )
        except httpx.RequestError as lost:
            raise Unavailable(type(lost).__name__) from lost
        if response.is_success and response.status_code != HTTPStatus.ACCEPTED:
            return response
        raise read_failure(response.status_code, response.content)

    async def _effect(self, path: str, data: _Json) -> httpx.Response:
        """Exactly one send. What comes back in any other way than plain success becomes one of the three failures."""
        try:
            response = await self._client.post(path, json={"data": data}, headers=HEADERS, timeout=self._effect_timeout)
        except _NOT_SENT as unsent:
            raise Unavailable(type(unsent).__name__) from unsent
        except httpx.RequestError as lost:
            raise OutcomeUnknown(type(lost).__name__) from lost
        if response.status_code in _DONE:
            return response
        if response.is_success:
            raise OutcomeUnknown(f"answered {response.status_code}")
        failure = effect_failure(response.status_code, response.content)
        if isinstance(failure, Refused) and code_of(response.content)[0] in ("already_paid", "already_cancelled"):
            raise _AlreadySo(failure)
        raise failure

    async def _after_success(self, order_id: str, states: tuple[str, ...]) -> AirlineOrder:
        """The order an effect has surely changed, read again; if that cannot be shown, a look-up must tell."""
        with _unread_is_unknown():
            order = await self.get_order(order_id)
        if order.state not in states:
            raise OutcomeUnknown(f"done, but the order is {order.state}")
        return order

    async def _as_it_should_be(self, order_id: str, states: tuple[str, ...], refusal: Refused) -> AirlineOrder:
        with _unread_is_unknown():
            order = await self.get_order(order_id)
        if order.state in states:
            return order
        raise refusal

    def _airline_time(self, response: httpx.Response) -> datetime:
        try:
            said = parsedate_to_datetime(response.headers.get("date", ""))
        except ValueError:
            return self._clock()
        return said if said.tzinfo else self._clock()


class _AlreadySo(Exception):
    """The airline says that what was asked is already the case."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


@contextmanager
def _unread_is_unknown() -> Generator[None]:
    """It is done, by us or by somebody else: sending it again would not tell more than a look-up."""
    try:
        yield
    except LayoverError as unread:
        raise OutcomeUnknown(f"done, but the order could not be read: {unread}") from unread


@contextmanager
def _missing_offer_is_gone() -> Generator[None]:
    """Airlines forget old offers altogether."""
    try:
        yield
    except Refused as refusal:
        if refusal.reason is Reason.NOT_FOUND:
            raise Refused(Reason.OFFER_GONE, refusal.subject) from None
        raise


def _one(model: type[_T], response: httpx.Response) -> _T:
    try:
        return model.model_validate(_One.model_validate_json(response.content).data)
    except ValidationError as unreadable:
        raise Unavailable(f"unreadable answer: {unreadable.error_count()} errors") from unreadable


def _many(model: type[_T], response: httpx.Response) -> tuple[list[_T], str | None]:
    """The rows of a list, and where the next page starts."""
    try:
        page = _Many.model_validate_json(response.content)
        return [model.model_validate(row) for row in page.data], page.meta.after if page.meta else None
    except ValidationError as unreadable:
        raise Unavailable(f"unreadable answer: {unreadable.error_count()} errors") from unreadable


def _surely(model: type[_T], response: httpx.Response) -> _T:
    """Of an effect: an answer that cannot be read does not tell what happened."""
    try:
        return _one(model, response)
    except Unavailable as unreadable:
        raise OutcomeUnknown(unreadable.subject) from unreadable


def _sensible(make: Callable[..., _V], wire: Wire, **known: object) -> _V:
    try:
        return make(wire, **known)
    except ValueError as nonsense:
        raise Unavailable(f"unreadable answer: {nonsense}") from nonsense
