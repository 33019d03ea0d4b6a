"""Routes that always go wrong in one way: what anyone can see from the chat."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from assistant.booking.provider import RefundKind
from assistant.domain.errors import OutcomeUnknown, Reason, Refused, Unavailable

Target = Any


async def test_providence_to_praia_has_no_offers(target: Target) -> None:
    assert await target.search("PVD-RAI") == ()


async def test_kennedy_to_newark_is_only_sold_as_a_hold(target: Target) -> None:
    offers = await target.search("JFK-EWR")
    assert offers
    assert all(o.fare.holdable for o in offers)


async def test_heathrow_to_stansted_is_ten_dearer_at_every_look(target: Target) -> None:
    offer = (await target.search("LHR-STN"))[0]
    first = await target.provider.price_offer(offer.offer_id)
    second = await target.provider.get_offer(offer.offer_id)
    assert first.fare.total.amount - offer.fare.total.amount == Decimal(10)
    assert second.fare.total.amount - first.fare.total.amount == Decimal(10)
    with pytest.raises(Refused) as refused:
        await target.provider.create_order(target.request(offer))
    assert refused.value.reason is Reason.PRICE_CHANGED
    again = await target.search("LHR-STN")
    dearer = next(
        o for o in again if (o.fare.segment_keys, o.fare.fare_brand) == (offer.fare.segment_keys, offer.fare.fare_brand)
    )
    assert dearer.fare.total.amount - offer.fare.total.amount == Decimal(20)
    assert (await target.provider.create_order(target.request(dearer))).total == dearer.fare.total


async def test_gatwick_to_heathrow_is_gone_when_it_is_wanted(target: Target) -> None:
    offer = (await target.search("LGW-LHR"))[0]
    for wanted in (target.provider.price_offer(offer.offer_id), target.provider.create_order(target.request(offer))):
        with pytest.raises(Refused) as refused:
            await wanted
        assert refused.value.reason is Reason.OFFER_GONE


async def test_gatwick_to_stansted_costs_more_than_the_balance(target: Target) -> None:
    for order in (target.request(await target.offer("LGW-STN")),):
        with pytest.raises(Refused) as refused:
            await target.provider.create_order(order)
        assert refused.value.reason is Reason.PAYMENT_DECLINED
    hold = await target.provider.create_order(target.request(await target.offer("LGW-STN", holdable=True), kind="hold"))
    with pytest.raises(Refused) as refused:
        await target.pay(hold)
    assert refused.value.reason is Reason.PAYMENT_DECLINED
    assert await target.journal() == ["hold"]


async def test_heathrow_to_gatwick_fails_without_saying_whether_it_booked_and_did_not(target: Target) -> None:
    offer = (await target.search("LHR-LGW"))[0]
    request = target.request(offer)
    with pytest.raises(OutcomeUnknown):
        await target.provider.create_order(request)
    await target.advance(3600)
    assert await target.provider.find_orders(operation_id=request.operation_id, offer_id=offer.offer_id) == ()
    assert await target.journal() == []


async def test_stansted_to_heathrow_takes_too_long_to_search(target: Target) -> None:
    with pytest.raises(Unavailable):
        await target.search("STN-LHR")


async def test_luton_to_sydney_refunds_as_credits(target: Target) -> None:
    order = await target.provider.create_order(target.request((await target.search("LTN-SYD"))[0]))
    quote = await target.provider.quote_cancellation(order.order_id)
    assert (quote.kind, quote.refund) == (RefundKind.AIRLINE_CREDITS, order.total)
    before = await target.balance(order.total.currency)
    await target.provider.confirm_cancellation(quote.quote_id)
    assert await target.balance(order.total.currency) == before


async def test_heathrow_to_luton_is_moved_by_the_airline_after_booking(target: Target) -> None:
    order = await target.provider.create_order(target.request(await target.offer("LHR-LTN")))
    await target.advance(6)
    moved = await target.provider.get_order(order.order_id)
    assert moved.segments[0].departs > order.segments[0].departs
    assert moved.segments[0].key == order.segments[0].key
    told = [target.provider.parse_webhook(e.headers, e.body) for e in target.airline.pending_events()]
    assert ("order.airline_initiated_change_detected", order.order_id) in {(e.kind, e.order_id) for e in told}
    assert await target.journal() == ["book", "move"]
