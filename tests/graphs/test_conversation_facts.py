"""Questions about a trip are answered from its facts; what the airline has not said is never made up."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from assistant.domain.flights import Condition
from assistant.domain.money import Money
from assistant.domain.trips import OrderFacts, TripStatus
from assistant.domain.understanding import Intent, Reference, Topic
from tests.graphs.talking import NOW, Conversation, shown, trip, understood, yuan

FREE, NEVER = Condition(allowed=True, penalty=yuan("0")), Condition(allowed=False)


def asks(*topics: Topic, n: int | None = 1):
    references = (Reference(n=n),) if n else ()
    return understood(Intent.ASK_FACT, topics=topics, references=references)


@pytest.mark.parametrize(
    ("topic", "facts", "answer"),
    [
        (Topic.BAGGAGE, {"bags": 2}, "2 checked bags included for each passenger."),
        (Topic.BAGGAGE, {"bags": 0}, "No checked bag included."),
        (Topic.BAGGAGE, {}, "Checked bags: the airline has not said."),
        (Topic.REFUND, {"refund": FREE}, "Refundable before departure without a fee."),
        (Topic.REFUND, {"refund": NEVER}, "Not refundable."),
        (Topic.REFUND, {}, "Refunds: the airline has not said."),
        (Topic.CHANGE, {}, "Changes: the airline has not said."),
        (Topic.HOLD, {"holdable": False}, "It cannot be held; it is bought on approval."),
        (Topic.STOPS, {}, "nonstop."),
        (Topic.DURATION, {}, "3 h from take-off to landing."),
        (Topic.AIRCRAFT, {}, "Aircraft: Airbus A320."),
        (Topic.AIRLINE, {}, "Airline: China Eastern."),
        (Topic.AIRPORT, {}, "Shanghai PVG and Tokyo NRT."),
        (Topic.CABIN, {}, "economy, Basic."),
        (Topic.SEAT, {}, "Seats: 14A (window, front half)."),
    ],
)
async def test_a_fact_is_told_as_the_airline_said_it(topic: Topic, facts: dict[str, object], answer: str) -> None:
    talk = Conversation(trips=[trip(fares=(shown(1, "2100", **facts),))])
    state = await talk.say("?", asks(topic))
    assert state["reply"]["text"] == answer
    assert state["proposes"] == []


async def test_a_question_about_no_option_in_particular_is_answered_for_the_first_few() -> None:
    talk = Conversation(trips=[trip(fares=(shown(1, "2100", bags=1), shown(2, "1800", bags=0)))])
    state = await talk.say("bags?", asks(Topic.BAGGAGE, n=None))
    assert state["reply"]["text"] == (
        "Option 1 · 1 checked bag included for each passenger.\nOption 2 · No checked bag included."
    )


async def test_the_same_answer_for_all_options_is_given_once() -> None:
    state = await Conversation(trips=[trip()]).say("refund?", asks(Topic.REFUND, n=None))
    assert state["reply"]["text"] == "The same for all of them: Refunds: the airline has not said."


async def test_a_question_about_an_option_does_not_pick_it() -> None:
    means = understood(Intent.CHOOSE, Intent.ASK_FACT, topics=(Topic.BAGGAGE,), references=(Reference(n=2),))
    state = await Conversation(trips=[trip()]).say("does the second have bags?", means)
    assert state["reply"]["text"] == "Checked bags: the airline has not said."
    assert state.get("proposal") is None


async def test_two_questions_in_one_message_get_two_answers() -> None:
    talk = Conversation(trips=[trip(fares=(shown(1, "2100", bags=1, refund=NEVER),))])
    state = await talk.say("bags and refund?", asks(Topic.BAGGAGE, Topic.REFUND))
    assert state["reply"]["text"].splitlines() == ["1 checked bag included for each passenger.", "Not refundable."]


async def test_the_booking_reference_is_the_orders_or_said_to_be_missing() -> None:
    talk = Conversation(trips=[trip(TripStatus.WAITING_REVIEW)])
    state = await talk.say("reference?", asks(Topic.REFERENCE, n=None))
    assert state["reply"]["text"] == "There is no booking reference yet: waiting for approval."
    order = OrderFacts(
        order_id="o", state="confirmed", booking_reference="XYZ789", total=Money(amount=Decimal(1), currency="CNY")
    )
    talk.trips = [trip(TripStatus.BOOKED, orders=(order,))]
    state = await talk.say("reference?", asks(Topic.REFERENCE, n=None))
    assert state["reply"]["text"] == "Booking reference XYZ789."


async def test_several_bookings_have_their_references_told_apart() -> None:
    one, two = (
        OrderFacts(order_id=r, state="confirmed", booking_reference=r, total=Money(amount=Decimal(1), currency="CNY"))
        for r in ("AAA111", "BBB222")
    )
    back = trip(TripStatus.BOOKED, trip_id="trip-2", orders=(two,), request={"origin": "TYO", "destination": "SHA"})
    talk = Conversation(trips=[trip(TripStatus.BOOKED, orders=(one,)), back])
    state = await talk.say("references?", asks(Topic.REFERENCE, n=None))
    assert state["reply"]["text"].splitlines() == [
        "Shanghai to Tokyo (Fri 4 Dec): Booking reference AAA111.",
        "Tokyo to Shanghai (Fri 4 Dec): Booking reference BBB222.",
    ]


async def test_until_when_the_fare_is_held_is_told_in_the_travellers_zone() -> None:
    talk = Conversation(trips=[trip(TripStatus.WAITING_REVIEW, held_until=NOW + timedelta(hours=3))])
    state = await talk.say("how long?", asks(Topic.HOLD, n=None))
    assert state["reply"]["text"] == "The fare is held until Mon 30 Nov 12:00."


async def test_without_any_flight_there_is_nothing_to_state() -> None:
    state = await Conversation().say("how much?", asks(Topic.PRICE, n=None))
    assert state["reply"]["text"] == "There is no flight yet to answer that for."


async def test_the_status_of_every_open_trip_is_told() -> None:
    out = trip(TripStatus.WAITING_REVIEW, review_until=NOW + timedelta(hours=8))
    back = trip(trip_id="trip-2", request={"origin": "TYO", "destination": "SHA"})
    state = await Conversation(trips=[out, back]).say("status?", understood(Intent.ASK_STATUS))
    assert state["reply"]["text"].splitlines() == [
        "Shanghai to Tokyo (Fri 4 Dec): waiting for approval, until Mon 30 Nov 17:00.",
        "Tokyo to Shanghai (Fri 4 Dec): waiting for your pick, 3 options.",
    ]
