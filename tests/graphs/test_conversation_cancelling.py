"""Giving a trip up: at once where nothing is held, after a yes where something would be lost."""

from __future__ import annotations

from decimal import Decimal

from assistant.domain.money import Money
from assistant.domain.trips import OrderFacts, TripStatus
from assistant.domain.understanding import Intent, Reference, Slots
from tests.graphs.talking import TOKYO, Conversation, trip, understood

CANCEL = understood(Intent.CANCEL)
YES, NO = understood(Intent.CONFIRM), understood(Intent.DECLINE)


def order(state: str) -> OrderFacts:
    return OrderFacts(order_id="o", state=state, booking_reference="ABC123", total=Money(amount=Decimal(9), currency="CNY"))


async def test_a_trip_with_nothing_held_is_cancelled_at_once() -> None:
    state = await Conversation(trips=[trip()]).say("never mind", CANCEL)
    assert [(p["kind"], p["trip_id"]) for p in state["proposes"]] == [("cancel_trip", "trip-1")]


async def test_a_booked_trip_is_cancelled_only_after_a_yes_and_says_what_happens() -> None:
    talk = Conversation(trips=[trip(TripStatus.BOOKED, orders=(order("confirmed"),))])
    state = await talk.say("cancel it", CANCEL)
    assert state["proposes"] == []
    assert "the airline is asked for the refund first" in state["reply"]["text"]
    state = await talk.say("yes", YES)
    assert [p["kind"] for p in state["proposes"]] == ["cancel_trip"]


async def test_a_no_keeps_the_trip() -> None:
    talk = Conversation(trips=[trip(TripStatus.BOOKED, orders=(order("confirmed"),))])
    await talk.say("cancel it", CANCEL)
    state = await talk.say("no", NO)
    assert state["proposes"] == []
    assert state["reply"]["text"].endswith("stays as it is.")


async def test_a_held_fare_is_said_to_be_given_back_free() -> None:
    talk = Conversation(trips=[trip(TripStatus.WAITING_REVIEW, orders=(order("held"),))])
    assert "free of charge" in (await talk.say("cancel it", CANCEL))["reply"]["text"]


async def test_what_is_being_confirmed_with_the_airline_cannot_be_cancelled_now() -> None:
    talk = Conversation(trips=[trip(TripStatus.CHECKING, question="await_outcome")])
    state = await talk.say("cancel it", CANCEL)
    assert state["proposes"] == []
    assert "being confirmed with the airline" in state["reply"]["text"]


async def test_a_search_being_put_together_is_dropped() -> None:
    talk = Conversation()
    await talk.say("to Tokyo", understood(Intent.SEARCH, slots=Slots(destination=TOKYO)))
    state = await talk.say("forget that", CANCEL)
    assert state["reply"]["text"] == "All right, I have dropped that search."
    assert state["reply"]["asked"] is None


async def test_both_ways_can_be_given_up_in_one_message() -> None:
    out = trip(request={"direction": "outbound"})
    back = trip(trip_id="trip-2", request={"direction": "return", "origin": "TYO", "destination": "SHA"})
    means = understood(Intent.CANCEL, references=(Reference(trip="all"),))
    state = await Conversation(trips=[out, back]).say("cancel everything", means)
    assert [p["trip_id"] for p in state["proposes"]] == ["trip-1", "trip-2"]


async def test_nothing_to_cancel_is_said_so() -> None:
    assert (await Conversation().say("cancel", CANCEL))["reply"]["text"] == "There is no trip to cancel."


async def test_with_several_trips_the_one_meant_is_said_back_first() -> None:
    talk = Conversation(trips=[trip(), trip(trip_id="trip-2", request={"destination": "OSA"})])
    state = await talk.say("cancel it", CANCEL)
    assert state["proposes"] == []
    assert state["reply"]["text"] == "Cancel Shanghai to Osaka (Fri 4 Dec)?"
    state = await talk.say("yes, cancel it", understood(Intent.CONFIRM, Intent.CANCEL))
    assert [p["trip_id"] for p in state["proposes"]] == ["trip-2"]
    assert state["reply"]["text"] == "All right, cancelling Shanghai to Osaka (Fri 4 Dec)."


async def test_the_place_named_decides_which_trip_is_given_up() -> None:
    talk = Conversation(trips=[trip(), trip(trip_id="trip-2", request={"destination": "OSA"})])
    state = await talk.say("cancel Tokyo", understood(Intent.CANCEL, slots=Slots(destination=TOKYO)))
    assert [p["trip_id"] for p in state["proposes"]] == ["trip-1"]
    assert (await talk.say("hello", understood(Intent.SMALLTALK)))["reply"]["asked"] is None
