"""Every fault of the plan, for every effect, on both transports: what the caller is told, and what truly happened."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from assistant.booking.provider import SearchRequest
from assistant.domain.errors import OutcomeUnknown, Reason, Refused, Unavailable

Target = Any

EFFECTS = ("create", "pay", "quote", "confirm")
# fault -> what the caller may conclude, whether it truly happened
ANSWERS: dict[str, tuple[type[Exception] | None, bool]] = {
    "timeout_before_apply": (OutcomeUnknown, False),
    "timeout_after_apply": (OutcomeUnknown, True),
    "reset_mid_body": (OutcomeUnknown, True),
    "http_500_after_apply": (OutcomeUnknown, True),
    "ok_without_body": (OutcomeUnknown, True),
    "html_502": (OutcomeUnknown, False),
    "503": (Unavailable, False),
    "429": (Unavailable, False),
    "slow": (None, True),
    "accepted_202_then_created": (OutcomeUnknown, False),
    "accepted_202_then_failed": (OutcomeUnknown, False),
}
DONE = {"create": "book", "pay": "pay", "confirm": "cancel"}


class Prepared:
    """An effect about to be sent; `happened` looks behind the airline's counter."""

    def __init__(self, target: Target, op: str) -> None:
        self.target, self.op = target, op

    async def ready(self) -> Prepared:
        target = self.target
        match self.op:
            case "create":
                self.order = target.request(await target.offer(route="FRA-MUC", fare_brand="Economy Flex"))
            case "pay":
                self.order = await target.hold(route="FRA-MUC")
            case "quote":
                self.order = await target.booked(route="FRA-MUC", fare_brand="Economy Flex")
            case _:
                self.order = await target.booked(route="FRA-MUC", fare_brand="Economy Flex")
                self.quote = await target.provider.quote_cancellation(self.order.order_id)
        return self

    async def send(self, *, impatient: bool = False) -> Any:
        provider = self.target.impatient if impatient else self.target.provider
        match self.op:
            case "create":
                return await provider.create_order(self.order)
            case "pay":
                return await provider.pay_order(self.order.order_id, amount=self.order.total, operation_id="payment")
            case "quote":
                return await provider.quote_cancellation(self.order.order_id)
            case _:
                return await provider.confirm_cancellation(self.quote.quote_id)

    async def happened(self) -> bool:
        if self.op == "quote":
            kinds = [self.target.provider.parse_webhook(e.headers, e.body).kind for e in self.target.airline.pending_events()]
            return "order_cancellation.created" in kinds
        return DONE[self.op] in await self.target.journal()


@pytest.mark.parametrize("op", EFFECTS)
@pytest.mark.parametrize("fault", ANSWERS)
async def test_the_caller_is_told_the_truth_or_that_it_is_unknown(target: Target, op: str, fault: str) -> None:
    told, truly = ANSWERS[fault]
    effect = await Prepared(target, op).ready()
    await target.fault(op, fault, seconds=0.05 if fault == "slow" else 60)
    lost = fault.startswith("timeout")
    if told is None:
        await effect.send()
    else:
        with pytest.raises(told):
            await effect.send(impatient=lost)
    assert await effect.happened() is truly


@pytest.mark.parametrize("op", EFFECTS)
@pytest.mark.parametrize("fault", ANSWERS)
async def test_a_fault_is_counted_once_where_it_spoils(target: Target, op: str, fault: str) -> None:
    effect = await Prepared(target, op).ready()
    await target.fault(op, fault, seconds=0.05 if fault == "slow" else 60)
    with suppress(OutcomeUnknown, Unavailable):
        await effect.send(impatient=fault.startswith("timeout"))
    assert await target.spoiled() == 1


@pytest.mark.parametrize("fault", ["timeout_after_apply", "visibility_lag", "accepted_202_then_created", "price_bump"])
async def test_a_fault_is_not_counted_where_the_call_is_refused_first(target: Target, fault: str) -> None:
    effect = await Prepared(target, "create").ready()
    await effect.send()
    await target.fault("create", fault)
    with pytest.raises((Refused, OutcomeUnknown)):
        await effect.send()  # its offers are sold
    assert await target.spoiled() == 0


async def test_a_seat_is_not_stolen_where_none_is_wanted(target: Target) -> None:
    effect = await Prepared(target, "create").ready()
    await target.fault("create", "seat_stolen")
    await effect.send()
    assert await target.spoiled() == 0


@pytest.mark.parametrize("op", EFFECTS)
async def test_what_was_unavailable_may_be_sent_again_and_happens_once(target: Target, op: str) -> None:
    effect = await Prepared(target, op).ready()
    await target.fault(op, "503")
    with pytest.raises(Unavailable):
        await effect.send()
    await effect.send()
    assert await effect.happened()


@pytest.mark.parametrize("op", ["create", "pay", "confirm"])
async def test_what_was_accepted_happens_later(target: Target, op: str) -> None:
    effect = await Prepared(target, op).ready()
    await target.fault(op, "accepted_202_then_created", seconds=30)
    with pytest.raises(OutcomeUnknown):
        await effect.send()
    await target.advance(31)
    assert await effect.happened()


async def test_an_order_accepted_and_made_later_is_found_by_its_operation(target: Target) -> None:
    effect = await Prepared(target, "create").ready()
    await target.fault("create", "accepted_202_then_created", seconds=3600)
    with pytest.raises(OutcomeUnknown):
        await effect.send()
    find = {"operation_id": effect.order.operation_id, "offer_id": effect.order.offer_id}
    await target.advance(60)
    assert await target.provider.find_orders(**find) == ()
    with pytest.raises(OutcomeUnknown, match="offer_request_already_booked"):
        await effect.send()
    await target.advance(3600)
    (order,) = await target.provider.find_orders(**find)
    assert order.state == "confirmed"
    assert await target.journal() == ["book"]


async def test_an_order_accepted_that_fails_is_announced_as_failed(target: Target) -> None:
    effect = await Prepared(target, "create").ready()
    await target.fault("create", "accepted_202_then_failed", seconds=10)
    with pytest.raises(OutcomeUnknown):
        await effect.send()
    await target.advance(11)
    (event,) = [target.provider.parse_webhook(e.headers, e.body) for e in target.airline.pending_events()]
    assert (event.kind, event.operation_id) == ("order.creation_failed", effect.order.operation_id)
    assert event.offer_id == effect.order.offer_id
    assert await target.journal() == ["create_failed"]


async def test_a_confirmation_whose_answer_is_lost_has_cancelled(target: Target) -> None:
    effect = await Prepared(target, "confirm").ready()
    await target.faults({"match": {"nth": 1}, "fault": "confirm_cancel_timeout_after_apply"})
    with pytest.raises(OutcomeUnknown):
        await effect.send(impatient=True)
    assert (await target.provider.get_order(effect.order.order_id)).state == "cancelled"
    assert (await effect.send()).state == "cancelled"


async def test_a_page_from_a_proxy_may_hide_a_booking(target: Target) -> None:
    effect = await Prepared(target, "create").ready()
    await target.fault("create", "html_502", applied=True)
    with pytest.raises(OutcomeUnknown):
        await effect.send()
    assert await effect.happened()


async def test_an_order_can_stay_invisible_for_longer(target: Target) -> None:
    effect = await Prepared(target, "create").ready()
    await target.fault("create", "visibility_lag", seconds=600)
    order = await effect.send()
    find = {"operation_id": effect.order.operation_id, "offer_id": effect.order.offer_id}
    await target.advance(599)
    assert await target.provider.find_orders(**find) == ()
    assert (await target.provider.get_order(order.order_id)).order_id == order.order_id
    await target.advance(2)
    assert len(await target.provider.find_orders(**find)) == 1


@pytest.mark.parametrize(
    ("op", "fault", "reason"),
    [
        ("create", "price_bump", Reason.PRICE_CHANGED),
        ("create", "offer_gone", Reason.OFFER_GONE),
        ("pay", "price_bump", Reason.PRICE_CHANGED),
        ("pay", "offer_gone", Reason.HOLD_EXPIRED),
    ],
)
async def test_the_world_moves_a_moment_before(target: Target, op: str, fault: str, reason: Reason) -> None:
    effect = await Prepared(target, op).ready()
    await target.fault(op, fault)
    with pytest.raises(Refused) as refused:
        await effect.send()
    assert refused.value.reason is reason
    assert not await effect.happened()


async def test_a_seat_is_stolen_a_moment_before(target: Target, seats_together: Any) -> None:
    offer = await target.offer(seats_on_hold=True)
    seat = seats_together(await target.provider.seat_maps(offer.offer_id))[:1]
    await target.fault("create", "seat_stolen")
    with pytest.raises(Refused) as refused:
        await target.provider.create_order(target.request(offer, kind="hold", seats=seat))
    assert refused.value.reason is Reason.SEAT_TAKEN
    again = await target.offer(seats_on_hold=True)
    assert not (await target.provider.seat_maps(again.offer_id))[0].find(seat[0].designator).available


@pytest.mark.parametrize("fault", ["timeout_before_apply", "reset_mid_body", "ok_without_body", "html_502", "429"])
@pytest.mark.parametrize("op", ["search", "price", "seat_map", "get_order", "find_orders"])
async def test_a_read_that_fails_may_be_tried_again(target: Target, op: str, fault: str) -> None:
    order = await target.booked(route="FRA-MUC")
    offer = await target.offer("FRA-MUC")
    reads = {
        "search": lambda p: p.search(_asked(target)),
        "price": lambda p: p.price_offer(offer.offer_id),
        "seat_map": lambda p: p.seat_maps(offer.offer_id),
        "get_order": lambda p: p.get_order(order.order_id),
        "find_orders": lambda p: p.find_orders(operation_id="x", offer_id=offer.offer_id),
    }
    await target.fault(op, fault)
    with pytest.raises(Unavailable):
        await reads[op](target.impatient if fault.startswith("timeout") else target.provider)
    await reads[op](target.provider)


@pytest.mark.parametrize(("fault", "copies"), [("webhook_dup", 2), ("webhook_drop", 0)])
async def test_an_event_may_come_twice_or_never(target: Target, fault: str, copies: int) -> None:
    await target.fault("webhook", fault)
    await target.booked()
    events = [target.provider.parse_webhook(e.headers, e.body) for e in target.airline.pending_events()]
    assert len(events) == copies
    assert len({e.event_id for e in events}) == min(copies, 1)


async def test_an_event_may_come_after_a_later_one(target: Target) -> None:
    await target.fault("webhook", "webhook_reorder")
    order = await target.hold()
    await target.pay(order)
    await target.advance(6)
    kinds = [target.provider.parse_webhook(e.headers, e.body).kind for e in target.airline.pending_events()]
    assert kinds == ["payment.created", "order.created"]


async def test_a_fault_hits_the_call_and_route_it_names_and_no_other(target: Target) -> None:
    await target.faults({"match": {"op": "create", "nth": 2, "route": "PVG-NRT"}, "fault": "503"})
    await target.booked()
    await target.booked(route="AMS-LHR")
    with pytest.raises(Unavailable):
        await target.booked()
    await target.booked()
    assert await target.journal() == ["book", "book", "book"]


async def test_a_plan_that_makes_no_sense_is_refused(target: Target) -> None:
    for plan in (
        [{"fault": "earthquake"}],
        [{"match": {"nth": 0}, "fault": "503"}],
        {"fault": "503"},
        [{"fault": "503", "why": 1}],
    ):
        assert (await target.wire.put("/_sandbox/faults", json=plan)).status_code == 422
    assert (await target.wire.post("/_sandbox/clock/advance", content=b"{}")).status_code == 422


def _asked(target: Target) -> Any:
    return SearchRequest(origin="FRA", destination="MUC", depart_on=target.day)
