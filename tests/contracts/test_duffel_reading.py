"""What we make of answers the sandbox never gives: the seller's own JSON without our fields, nulls, and nonsense."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.booking.duffel import DuffelProvider, mode_of
from assistant.booking.provider import AirlineOrder, Mode, OrderPassenger, OrderRequest, RefundKind
from assistant.booking.sandbox.events import SIGNATURE, sign
from assistant.domain.errors import OutcomeUnknown, Reason, Refused, Unavailable
from assistant.domain.money import Money
from assistant.domain.people import Gender, PersonDetails, Title

NOW = datetime(2030, 1, 10, 12, tzinfo=UTC)
SEGMENT = {
    "id": "seg_1",
    "origin": {"iata_code": "AMS"},
    "destination": {"iata_code": "LHR"},
    "departing_at": "2030-02-01T09:05:00",
    "arriving_at": "2030-02-01T09:25:00",
    "duration": "P1DT1H20M",
    "marketing_carrier": {"iata_code": "BA"},
    "marketing_carrier_flight_number": "431",
    "operating_carrier": {"iata_code": "KL"},
    "operating_carrier_flight_number": None,
    "aircraft": None,
    "passengers": [{"passenger_id": "pas_1", "cabin_class": "economy", "baggages": None}],
}
OFFER: dict[str, Any] = {
    "id": "off_1",
    "total_amount": "45.00",
    "total_currency": "GBP",
    "slices": [{"fare_brand_name": None, "segments": [SEGMENT]}],
    "passengers": [{"id": "pas_1", "type": "adult"}],
    "conditions": {"refund_before_departure": None, "change_before_departure": {"allowed": False}},
    "payment_requirements": {"requires_instant_payment": False, "payment_required_by": "2030-01-12T00:00:00Z"},
    "expires_at": "2030-01-10T12:30:00Z",
}
ORDER: dict[str, Any] = {
    "id": "ord_1",
    "booking_reference": "RZPNX8",
    "metadata": None,
    "total_amount": "45.00",
    "total_currency": "GBP",
    "slices": [{"segments": [{**SEGMENT, "passengers": [{"passenger_id": "pas_1", "seat": {"designator": "14A"}}]}]}],
    "passengers": [{"id": "pas_1", "given_name": "Ada", "family_name": "Byron", "born_on": "1990-05-17"}],
    "documents": [],
    "payment_status": {"awaiting_payment": False, "payment_required_by": "2030-01-12T00:00:00Z", "paid_at": None},
}


def answering(*answers: httpx.Response | Exception) -> DuffelProvider:
    """A provider whose airline gives these answers in turn."""
    waiting = iter(answers)

    def answer(_: httpx.Request) -> httpx.Response:
        given_ = next(waiting)
        if isinstance(given_, Exception):
            raise given_
        return given_

    client = httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="https://airline.example")
    return DuffelProvider(client, mode=Mode.TEST, clock=lambda: NOW)


def data(value: object, status: int = 200) -> httpx.Response:
    return httpx.Response(status, json={"data": value})


def error(code: str, status: int = 422) -> httpx.Response:
    return httpx.Response(status, json={"errors": [{"code": code, "message": "no"}], "meta": {"status": status}})


def order_request() -> OrderRequest:
    person = PersonDetails(
        given_name="Ada",
        family_name="Byron",
        title=Title.MS,
        gender=Gender.FEMALE,
        born_on=date(1990, 5, 17),
        email="ada@example.com",
        phone="+4420794609580",
    )
    return OrderRequest(
        kind="instant",
        offer_id="off_1",
        passengers=(OrderPassenger(ref="pas_1", details=person),),
        total=Money(amount=Decimal("45.00"), currency="GBP"),
        operation_id="operation-1",
    )


async def test_what_an_offer_does_not_say_stays_unsaid() -> None:
    fare = (await answering(data(OFFER)).get_offer("off_1")).fare
    assert (fare.refund.allowed, fare.change.allowed, fare.checked_bags, fare.fare_brand) == (None, False, None, "")
    assert fare.holdable
    assert not fare.seats_on_hold
    assert fare.segments[0].minutes == 24 * 60 + 80
    assert fare.segments[0].key == "BA431:AMS-LHR:2030-02-01"


async def test_an_amount_that_is_no_decimal_string_is_not_read() -> None:
    with pytest.raises(Unavailable):
        await answering(data({**OFFER, "total_amount": 45.1})).get_offer("off_1")


async def test_no_seat_map_is_an_answer() -> None:
    assert await answering(data([])).seat_maps("off_1") == ()


@pytest.mark.parametrize(
    ("facts", "state"),
    [
        ({}, "held"),
        ({"payment_status": {"payment_required_by": "2030-01-10T11:00:00Z"}}, "lapsed"),
        ({"payment_status": {"payment_required_by": None}}, "ticketing"),
        ({"payment_status": {"paid_at": "2030-01-10T11:00:00Z", "payment_required_by": "2030-01-10T11:30:00Z"}}, "ticketing"),
        ({"documents": [{"type": "electronic_ticket", "unique_identifier": "125-1230984567"}]}, "confirmed"),
        (
            {"documents": [{"type": "electronic_ticket", "unique_identifier": "1"}], "cancelled_at": "2030-01-10T11:00:00Z"},
            "cancelled",
        ),
    ],
)
async def test_the_state_of_an_order_is_derived_from_what_is_sure(facts: dict[str, Any], state: str) -> None:
    order = await answering(data({**ORDER, **facts})).get_order("ord_1")
    assert order.state == state
    assert order.operation_id is None
    assert dict(order.passengers[0].seats) == {order.segments[0].key: "14A"}


async def test_a_hold_is_judged_by_the_airlines_clock() -> None:
    late = httpx.Response(200, json={"data": ORDER}, headers={"Date": "Sun, 13 Jan 2030 00:00:00 GMT"})
    assert (await answering(late).get_order("ord_1")).state == "lapsed"


@pytest.mark.parametrize(
    ("facts", "kind", "amount"),
    [
        ({"refund_amount": "20.00", "refund_currency": "GBP", "refund_to": "card"}, RefundKind.MONEY, "20.00"),
        ({"refund_amount": "0.00", "refund_currency": "GBP", "refund_to": "balance"}, RefundKind.NONE, "0.00"),
        ({"refund_amount": None, "refund_currency": None, "refund_to": None}, RefundKind.UNKNOWN, None),
        ({"refund_amount": "9.00", "refund_currency": "GBP", "refund_to": "voucher"}, RefundKind.VOUCHER, "9.00"),
        ({"refund_to": "airline_credits", "airline_credits": None}, RefundKind.UNKNOWN, None),
        (
            {"refund_to": "airline_credits", "airline_credits": [{"credit_amount": "7.50", "credit_currency": "GBP"}] * 2},
            RefundKind.AIRLINE_CREDITS,
            "15.00",
        ),
    ],
)
async def test_a_refund_is_said_in_its_own_kind(facts: dict[str, Any], kind: RefundKind, amount: str | None) -> None:
    quote = await answering(data({"id": "ore_1", "order_id": "ord_1", **facts}, 201)).quote_cancellation("ord_1")
    assert quote.kind is kind
    assert (str(quote.refund.amount) if quote.refund else None) == amount


@pytest.mark.parametrize(
    ("code", "status", "reason"),
    [
        ("offer_expired", 422, Reason.OFFER_GONE),
        ("price_changed", 422, Reason.PRICE_CHANGED),
        ("order_not_created", 502, Reason.NOT_CREATED),
        ("insufficient_balance", 422, Reason.PAYMENT_DECLINED),
        ("validation_required", 422, Reason.INVALID_DATA),
        ("invalid_phone_number", 422, Reason.INVALID_DATA),
        ("expired_access_token", 401, Reason.AUTH),
    ],
)
async def test_a_clear_no_is_refused_with_its_reason(code: str, status: int, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        await answering(error(code, status)).create_order(order_request())
    assert refused.value.reason is reason


@pytest.mark.parametrize(
    "answer",
    [
        error("duplicate_booking"),
        error("offer_request_already_booked"),
        error("a_code_of_tomorrow"),
        error("airline_unknown", 502),
        error("price_changed", 500),
        httpx.Response(504),
        httpx.Response(302, headers={"Location": "/elsewhere"}),
        data({}, 201),
        data({**ORDER, "total_amount": "a lot"}, 201),
        httpx.Response(202, json={"data": ORDER}),
        httpx.Response(204),
        httpx.ReadTimeout("late"),
        httpx.WriteError("cut"),
        httpx.RemoteProtocolError("broken"),
    ],
)
async def test_all_else_leaves_the_outcome_unknown(answer: httpx.Response | Exception) -> None:
    with pytest.raises(OutcomeUnknown):
        await answering(answer).create_order(order_request())


@pytest.mark.parametrize(
    "answer", [httpx.Response(503), httpx.Response(429), httpx.ConnectError("no"), httpx.PoolTimeout("busy")]
)
async def test_what_surely_was_not_done_may_be_tried_again(answer: httpx.Response | Exception) -> None:
    with pytest.raises(Unavailable):
        await answering(answer).create_order(order_request())


async def test_a_payment_that_went_through_but_cannot_be_shown_is_looked_up_not_repeated() -> None:
    paid = data({"id": "pay_1"}, 201)
    for second in (httpx.Response(503), data(ORDER), httpx.ReadTimeout("late")):
        with pytest.raises(OutcomeUnknown):
            await answering(paid, second).pay_order("ord_1", amount=order_request().total, operation_id="operation-2")


async def test_already_paid_is_believed_only_if_the_order_says_so_too() -> None:
    done = {**ORDER, "payment_status": {"paid_at": "2030-01-10T11:00:00Z"}}
    pay = {"amount": order_request().total, "operation_id": "operation-2"}
    assert (await answering(error("already_paid"), data(done)).pay_order("ord_1", **pay)).state == "ticketing"
    with pytest.raises(Refused):
        await answering(error("already_paid"), data(ORDER)).pay_order("ord_1", **pay)


def _bodies() -> st.SearchStrategy[bytes]:
    leaf = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
    tree = st.recursive(leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3))
    spoiled = st.builds(lambda key, value: {"data": {**ORDER, key: value}}, st.sampled_from(sorted(ORDER)), tree)
    return st.binary(max_size=60) | (tree | spoiled).map(lambda value: json.dumps(value).encode())


@given(status=st.sampled_from([200, 201, 202, 204, 301, 400, 401, 404, 409, 418, 422, 429, 500, 502, 503, 504]), body=_bodies())
async def test_no_answer_at_all_is_more_than_an_order_or_one_of_three_failures(status: int, body: bytes) -> None:
    effect: Callable[[], Any] = lambda: answering(httpx.Response(status, content=body)).create_order(order_request())  # noqa: E731
    try:
        order = await effect()
    except (Refused, Unavailable, OutcomeUnknown):
        return
    assert isinstance(order, AirlineOrder)
    assert status in (200, 201)


def test_a_token_tells_its_world() -> None:
    assert mode_of("duffel_test_abc") is Mode.TEST
    assert mode_of("duffel_live_abc") is Mode.LIVE


@pytest.mark.parametrize("data", [{"object": True}, {"object": {"metadata": 7}}, {"object": {"id": ["ord_1"]}}, [], "x", None])
def test_a_signed_event_that_makes_no_sense_is_refused(data: object) -> None:
    body = json.dumps({"id": "evt_1", "type": "order.created", "data": data}).encode()
    headers = {SIGNATURE: sign(body, "secret", 1_900_000_000)}
    with pytest.raises(Refused) as refusal:
        DuffelProvider(httpx.AsyncClient(), mode=Mode.TEST, webhook_secret="secret").parse_webhook(headers, body)
    assert refusal.value.reason is Reason.INVALID_DATA


@pytest.mark.parametrize(
    "name", ["", "ord_1\n", "..", "../../identity/users", "?limit=1", "ord_1/actions", "ord 1", "订单", "x" * 65]
)
async def test_what_is_no_id_gets_nowhere(name: str) -> None:
    """No answer is ready: whatever was sent would fail otherwise."""
    reads = (answering().get_order, answering().get_offer, answering().price_offer, answering().confirm_cancellation)
    for read in reads:
        with pytest.raises(Refused) as refusal:
            await read(name)
        assert refusal.value.reason in {Reason.NOT_FOUND, Reason.OFFER_GONE}
