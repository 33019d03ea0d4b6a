"""What the booking provider promises, on both transports: reads, holds, purchases, cancellations, look-ups, webhooks."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest

from assistant.booking.duffel import DuffelProvider
from assistant.booking.provider import Mode, RefundKind, SearchRequest
from assistant.domain.errors import OutcomeUnknown, Reason, Refused, Unavailable
from assistant.domain.flights import Cabin, Offer
from assistant.domain.money import Money

HOUR = 3600
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
Target = Any


async def test_a_search_lists_offers_cheapest_first_with_exact_amounts_and_its_passengers_in_order(target: Target) -> None:
    offers = await target.search("PVG-NRT", people=2)
    totals = [offer.fare.total.amount for offer in offers]
    assert totals == sorted(totals)
    assert all(total == total.quantize(Decimal("0.01")) for total in totals)
    assert all(len(set(offer.passenger_refs)) == 2 == offer.fare.passengers for offer in offers)
    assert all(offer.request_id == offers[0].request_id for offer in offers)


@pytest.mark.parametrize("route", ["PVG-NRT", "PVG-HND", "SHA-TYO"])
async def test_shanghai_to_tokyo_has_several_departures_and_every_kind_of_hold(target: Target, route: str) -> None:
    fares = [o.fare for o in await target.search(route) if o.fare.stops == 0]
    assert len({fare.segments[0].departs.time() for fare in fares}) >= 4
    assert {(f.holdable, f.seats_on_hold) for f in fares} == {(True, True), (True, False), (False, False)}
    assert all(f.pay_by is not None for f in fares if f.holdable)


@pytest.mark.parametrize("route", ["AMS-LON", "SFO-DEN", "PEK-SIN", "LHR-SYD", "BTS-MRU", "KWL-BGO", "LON-NYC"])
async def test_any_two_real_airports_are_connected(target: Target, route: str) -> None:
    offers = await target.search(route)
    assert offers
    for segment in (s for o in offers for s in o.fare.segments):
        assert segment.minutes > 0
        assert segment.origin != segment.destination


async def test_the_timetable_is_the_same_a_week_later(target: Target) -> None:
    def departures(offers: Any) -> set[tuple[str, object]]:
        return {(o.fare.segments[0].name, o.fare.segments[0].departs.time()) for o in offers if o.fare.stops == 0}

    this_week = departures(await target.search("SFO-DEN"))
    request = SearchRequest(origin="SFO", destination="DEN", depart_on=target.day + timedelta(days=7))
    assert departures(await target.provider.search(request)) == this_week


async def test_cabin_and_stops_asked_for_are_the_ones_offered(target: Target) -> None:
    offers = await target.search("PVG-LAX", cabin=Cabin.BUSINESS, max_stops=0)
    assert offers
    assert {o.fare.cabin for o in offers} == {Cabin.BUSINESS}
    assert {o.fare.stops for o in offers} == {0}


async def test_children_pay_less_and_an_infant_needs_an_adult(target: Target) -> None:
    def request(*ages: int | None) -> SearchRequest:
        return SearchRequest(origin="AMS", destination="LHR", depart_on=target.day, ages=ages)

    adult, family = await target.provider.search(request(None)), await target.provider.search(request(None, 8))
    assert adult[0].fare.total < family[0].fare.total
    assert family[0].fare.total.amount < adult[0].fare.total.amount * 2
    with pytest.raises(Refused) as refused:
        await target.provider.search(request(1))
    assert refused.value.reason is Reason.INVALID_DATA


async def test_an_unknown_place_is_refused_and_a_day_gone_by_too(target: Target) -> None:
    for request in (
        SearchRequest(origin="QQQ", destination="LHR", depart_on=target.day),
        SearchRequest(origin="AMS", destination="LHR", depart_on=target.day - timedelta(days=400)),
    ):
        with pytest.raises(Refused) as refused:
            await target.provider.search(request)
        assert refused.value.reason is Reason.INVALID_DATA


async def test_a_seat_map_shows_exit_rows_legroom_prices_taken_seats_and_a_free_pair_at_the_window(
    target: Target, seats_together: Any
) -> None:
    offer = await target.offer(seats_on_hold=True)
    maps = await target.provider.seat_maps(offer.offer_id)
    assert [m.segment_key for m in maps] == list(offer.fare.segment_keys)
    window, neighbour = seats_together(maps)
    assert window.designator[-1] == "A"
    assert neighbour.designator[:-1] == window.designator[:-1]
    seats = [s for c in maps[0].cabins for r in c.rows for section in r.sections for s in section if s.kind == "seat"]
    assert any(not s.available and s.price is None for s in seats)
    exits = [s for s in seats if s.exit_row]
    assert exits
    assert all(s.extra_legroom for s in exits)
    assert all(s.price.amount > 0 for s in exits if s.available)
    assert maps[0].find(window.designator) == window


async def test_a_hold_keeps_names_seats_and_operation_id_and_is_found_once_it_is_visible(
    target: Target, seats_together: Any
) -> None:
    offer = await target.offer(people=2, seats_on_hold=True)
    seats = seats_together(await target.provider.seat_maps(offer.offer_id))
    request = target.request(offer, kind="hold", seats=seats)
    order = await target.provider.create_order(request)
    assert (order.state, order.total, order.operation_id) == ("held", request.total, request.operation_id)
    assert [dict(p.seats) for p in order.passengers] == [{offer.fare.segment_keys[0]: s.designator} for s in seats]
    assert [p.family_name for p in order.passengers] == [p.details.family_name for p in request.passengers]
    assert order.pay_by is not None
    find = {"operation_id": request.operation_id, "offer_id": offer.offer_id}
    assert await target.provider.find_orders(**find) == ()
    await target.advance(2)
    assert [o.order_id for o in await target.provider.find_orders(**find)] == [order.order_id]
    assert await target.provider.find_orders(operation_id="another", offer_id=offer.offer_id) == ()


async def held_a_minute_apart(target: Target, count: int) -> list[str]:
    """Orders of different passengers and offers, newest first."""
    made: list[str] = []
    for _ in range(count):
        made.insert(0, (await target.hold()).order_id)
        await target.advance(60)
    return made


async def test_every_order_since_a_moment_is_listed_newest_first(target: Target) -> None:
    newest, middle, oldest = await held_a_minute_apart(target, 3)
    listed = await target.provider.orders_since(LONG_AGO)
    assert [order.order_id for order in listed] == [newest, middle, oldest]
    since = listed[1].made_at
    assert [order.order_id for order in await target.provider.orders_since(since)] == [newest, middle]
    assert await target.provider.orders_since(listed[0].made_at + timedelta(seconds=1)) == ()


async def test_a_list_of_orders_is_read_page_by_page_and_no_further_than_the_moment_asked_for(target: Target) -> None:
    pages: list[httpx.Request] = []

    async def counted(request: httpx.Request) -> None:
        pages.append(request)

    made = await held_a_minute_apart(target, 5)
    target.wire.event_hooks = {"request": [counted]}
    by_twos = DuffelProvider(target.wire, mode=Mode.SANDBOX, page=2)
    listed = await by_twos.orders_since(LONG_AGO)
    assert ([order.order_id for order in listed], len(pages)) == (made, 3)
    pages.clear()
    assert [order.order_id for order in await by_twos.orders_since(listed[2].made_at)] == made[:3]
    assert len(pages) == 2


async def test_a_carrier_that_holds_only_the_fare_refuses_seats_on_a_hold(target: Target, seats_together: Any) -> None:
    offer = await target.offer(holdable=True, seats_on_hold=False)
    seats = seats_together(await target.provider.seat_maps(offer.offer_id))[:1]
    with pytest.raises(Refused) as refused:
        await target.provider.create_order(target.request(offer, kind="hold", seats=seats))
    assert refused.value.reason is Reason.INVALID_DATA
    assert await target.journal() == []


async def test_a_fare_that_cannot_be_held_is_not(target: Target) -> None:
    offer = await target.offer(holdable=False)
    with pytest.raises(Refused) as refused:
        await target.provider.create_order(target.request(offer, kind="hold"))
    assert refused.value.reason is Reason.INVALID_DATA


async def test_an_instant_order_is_ticketing_then_confirmed_with_a_ticket_a_passenger(target: Target) -> None:
    offer = await target.offer(people=2)
    before = Decimal(await target.balance(offer.fare.total.currency))
    order = await target.provider.create_order(target.request(offer))
    assert order.state == "ticketing"
    assert Decimal(await target.balance(offer.fare.total.currency)) == before - order.total.amount
    await target.advance(5)
    order = await target.provider.get_order(order.order_id)
    assert order.state == "confirmed"
    assert len(set(order.documents)) == 2


async def test_an_instant_order_pays_exactly_the_total_or_nothing_happens(target: Target) -> None:
    request = target.request(await target.offer())
    wrong = request.model_copy(update={"total": request.total - Money(amount=Decimal("0.01"), currency=request.total.currency)})
    with pytest.raises(Refused) as refused:
        await target.provider.create_order(wrong)
    assert refused.value.reason is Reason.PRICE_CHANGED
    assert await target.journal() == []


async def test_a_search_sells_one_order_only(target: Target) -> None:
    first, second = (await target.search("PVG-NRT"))[:2]
    await target.provider.create_order(target.request(first))
    with pytest.raises(OutcomeUnknown, match="offer_request_already_booked"):
        await target.provider.create_order(target.request(second))
    assert await target.journal() == ["book"]


async def test_an_offer_that_has_expired_or_was_never_made_is_gone(target: Target) -> None:
    offer = await target.offer()
    await target.advance(31 * 60)
    for gone in (
        target.provider.price_offer(offer.offer_id),
        target.provider.seat_maps(offer.offer_id),
        target.provider.create_order(target.request(offer)),
        target.provider.get_offer("off_00000000000000000000000"),
    ):
        with pytest.raises(Refused) as refused:
            await gone
        assert refused.value.reason is Reason.OFFER_GONE


async def test_a_seat_somebody_bought_meanwhile_is_taken(target: Target, seats_together: Any) -> None:
    offer, again = await target.offer(seats_on_hold=True), await target.offer(seats_on_hold=True)
    seat = seats_together(await target.provider.seat_maps(offer.offer_id))[:1]
    same = (await target.provider.seat_maps(again.offer_id))[0].find(seat[0].designator)
    await target.provider.create_order(target.request(offer, kind="hold", seats=seat))
    with pytest.raises(Refused) as refused:
        await target.provider.create_order(target.request(again, kind="hold", seats=(same,)))
    assert refused.value.reason is Reason.SEAT_TAKEN
    fresh = (await target.provider.seat_maps((await target.offer(seats_on_hold=True)).offer_id))[0]
    assert not fresh.find(seat[0].designator).available


async def test_paying_a_hold_twice_is_answered_with_the_paid_order_and_paid_once(target: Target) -> None:
    order = await target.hold()
    assert (await target.pay(order)).state == "ticketing"
    assert (await target.pay(order)).state == "ticketing"
    assert await target.journal() == ["hold", "pay"]


async def test_a_hold_is_paid_with_its_exact_total(target: Target) -> None:
    order = await target.hold()
    with pytest.raises(Refused) as refused:
        await target.pay(order, amount=order.total + order.total)
    assert refused.value.reason is Reason.PRICE_CHANGED


async def test_a_lapsed_hold_is_told_from_a_paid_order_and_gives_its_seats_back(target: Target, seats_together: Any) -> None:
    order = await target.hold(seated=True)
    (_, seat), *_ = order.passengers[0].seats
    await target.advance(4 * 24 * HOUR)
    assert (await target.provider.get_order(order.order_id)).state == "lapsed"
    raw = (await target.wire.get(f"/air/orders/{order.order_id}")).json()["data"]
    assert raw["payment_status"]["awaiting_payment"] is False
    with pytest.raises(Refused) as refused:
        await target.pay(order)
    assert refused.value.reason is Reason.HOLD_EXPIRED
    offers = await target.search("PVG-NRT")
    same = next(o for o in offers if o.fare.segment_keys == tuple(s.key for s in order.segments) and o.fare.cabin == "economy")
    assert (await target.provider.seat_maps(same.offer_id))[0].find(seat).available
    assert await target.journal() == ["hold", "lapse"]


async def test_a_released_hold_refunds_nothing_and_is_cancelled(target: Target) -> None:
    order = await target.hold()
    quote = await target.provider.quote_cancellation(order.order_id)
    assert (quote.kind, quote.refund.amount) == (RefundKind.NONE, 0)
    assert (await target.provider.confirm_cancellation(quote.quote_id)).state == "cancelled"
    assert await target.live_orders() == []


@pytest.mark.parametrize(
    ("brand", "kind", "share"),
    [
        ("Economy Flex", RefundKind.MONEY, Decimal(1)),
        ("Economy Standard", RefundKind.MONEY, Decimal("0.75")),
        ("Economy Light", RefundKind.NONE, Decimal(0)),
        ("Plus", RefundKind.VOUCHER, Decimal(1)),
    ],
)
async def test_a_refund_follows_the_fare_brand(target: Target, brand: str, kind: RefundKind, share: Decimal) -> None:
    order = await target.booked(fare_brand=brand)
    before = Decimal(await target.balance("CNY"))
    quote = await target.provider.quote_cancellation(order.order_id)
    assert quote.kind is kind
    assert quote.refund.amount == pytest.approx(order.total.amount * share, abs=Decimal("0.01"))
    await target.provider.confirm_cancellation(quote.quote_id)
    back = quote.refund.amount if kind is RefundKind.MONEY else 0
    assert Decimal(await target.balance("CNY")) == before + back


async def test_an_airline_that_does_not_say_what_it_refunds_is_believed(target: Target) -> None:
    order = await target.booked(route="SVO-IST", fare_brand="Economy Standard")
    if order.segments[0].carrier != "SU":
        offers = await target.search("SVO-IST")
        silent = next(o for o in offers if o.fare.segments[0].carrier == "SU" and o.fare.fare_brand == "Economy Standard")
        assert silent.fare.refund.allowed is None
        order = await target.provider.create_order(target.request(silent))
    quote = await target.provider.quote_cancellation(order.order_id)
    assert (quote.kind, quote.refund) == (RefundKind.UNKNOWN, None)


async def test_only_the_newest_quote_counts_and_it_lives_an_hour(target: Target) -> None:
    order = await target.booked()
    old = await target.provider.quote_cancellation(order.order_id)
    new = await target.provider.quote_cancellation(order.order_id)
    with pytest.raises(Refused) as stale:
        await target.provider.confirm_cancellation(old.quote_id)
    await target.advance(HOUR + 1)
    with pytest.raises(Refused) as expired:
        await target.provider.confirm_cancellation(new.quote_id)
    assert stale.value.reason is expired.value.reason is Reason.QUOTE_STALE
    assert "cancel" not in await target.journal()


async def test_cancelling_twice_is_answered_with_the_cancelled_order_and_done_once(target: Target) -> None:
    order = await target.booked()
    quote = await target.provider.quote_cancellation(order.order_id)
    assert (await target.provider.confirm_cancellation(quote.quote_id)).state == "cancelled"
    assert (await target.provider.confirm_cancellation(quote.quote_id)).state == "cancelled"
    assert await target.journal() == ["book", "cancel"]
    with pytest.raises(Refused) as refused:
        await target.provider.quote_cancellation(order.order_id)
    assert refused.value.reason is Reason.NOT_CANCELLABLE


async def test_a_flight_that_has_left_cannot_be_cancelled(target: Target) -> None:
    order = await target.booked()
    await target.advance(45 * 24 * HOUR)
    with pytest.raises(Refused) as refused:
        await target.provider.quote_cancellation(order.order_id)
    assert refused.value.reason is Reason.NOT_CANCELLABLE


async def test_one_order_takes_nobody_twice(target: Target) -> None:
    request = target.request(await target.offer(people=2))
    first, second = request.passengers
    twice = request.model_copy(update={"passengers": (first, second.model_copy(update={"details": first.details}))})
    with pytest.raises(Refused) as refused:
        await target.provider.create_order(twice)
    assert refused.value.reason is Reason.DUPLICATE_PASSENGER


async def test_without_a_token_or_the_right_version_nothing_is_answered(target: Target) -> None:
    target.wire.headers["Authorization"] = "nothing"
    with pytest.raises(Refused) as refused:
        await target.search("AMS-LHR")
    assert refused.value.reason is Reason.AUTH
    target.wire.headers["Authorization"] = "Bearer sandbox"
    answer = await target.wire.get("/air/orders", headers={"Duffel-Version": "v1"})
    assert answer.json()["errors"][0]["code"] == "unsupported_version"
    assert answer.json()["meta"]["status"] == 400


async def test_a_broken_request_is_a_clear_error(target: Target) -> None:
    for body in (b"", b"{", b"[]", b'{"data": []}', b'{"data": {}}'):
        answer = await target.wire.post("/air/orders", content=body)
        assert answer.status_code in (400, 422)
        assert answer.json()["errors"][0]["code"]


async def test_webhooks_are_signed_and_tell_which_operation(target: Target) -> None:
    request = target.request(await target.offer())
    order = await target.provider.create_order(request)
    (event,) = target.airline.pending_events()
    told = target.provider.parse_webhook(event.headers, event.body)
    assert (told.kind, told.order_id, told.operation_id) == ("order.created", order.order_id, request.operation_id)
    for headers, body in (
        ({}, event.body),
        (event.headers, event.body + b" "),
        ({"X-Duffel-Signature": "t=1,v1=ff"}, event.body),
    ):
        with pytest.raises(Refused) as refused:
            target.provider.parse_webhook(headers, body)
        assert refused.value.reason is Reason.AUTH
    target.airline.acknowledge(event)
    assert target.airline.pending_events() == []


async def test_an_airline_out_of_reach_is_unavailable_for_reads_and_effects_alike() -> None:
    async with httpx.AsyncClient(base_url="http://127.0.0.1:9") as nowhere:
        provider = DuffelProvider(nowhere, mode=Mode.SANDBOX)
        with pytest.raises(Unavailable):
            await provider.get_order("ord_1")
        with pytest.raises(Unavailable):
            await provider.quote_cancellation("ord_1")


async def test_live_money_needs_to_be_allowed() -> None:
    async with httpx.AsyncClient() as client:
        with pytest.raises(ValueError, match="LAYOVER_ALLOW_LIVE"):
            DuffelProvider(client, mode=Mode.LIVE)
        assert DuffelProvider(client, mode=Mode.LIVE, allow_live=True).capabilities().mode is Mode.LIVE


async def test_an_effect_waits_longer_than_any_airline_takes() -> None:
    async with httpx.AsyncClient() as client:
        assert DuffelProvider(client, mode=Mode.TEST).capabilities().commit_timeout_seconds >= 130


async def test_ten_orders_from_one_search_at_once_make_one_booking(target: Target) -> None:
    offer = await target.offer()
    outcomes = await asyncio.gather(
        *(target.provider.create_order(target.request(offer)) for _ in range(10)), return_exceptions=True
    )
    assert sum(not isinstance(o, Exception) for o in outcomes) == 1
    assert all(isinstance(o, OutcomeUnknown) for o in outcomes if isinstance(o, Exception))
    assert await target.journal() == ["book"]


async def test_the_last_seats_are_sold_once(target: Target) -> None:
    """Two at a time out of one business cabin: once it is sold out it is no longer offered."""

    async def left() -> list[Offer]:
        offers = await target.search("LHR-LTN", people=2, cabin=Cabin.BUSINESS, max_stops=0)
        return [o for o in offers if not keys or o.fare.segment_keys == keys[0]]

    keys: list[tuple[str, ...]] = []
    while (offers := await left()) and len(keys) < 10:
        keys.append(offers[0].fare.segment_keys)
        await target.provider.create_order(target.request(offers[0]))
    assert 1 <= len(keys) <= 8
