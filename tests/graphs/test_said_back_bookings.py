"""Whatever is asked about a booking, its plain answers are understood in both languages, and mean the booking that was named."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from assistant.domain.money import Money
from assistant.domain.trips import OrderFacts, TripFacts, TripStatus
from assistant.domain.understanding import Intent, Slots
from assistant.language.interpreter import Heard, HeardMessage, KnownTrip
from assistant.language.rules.interpreter import understood as heard_as
from tests.graphs.talking import NOW, Conversation, shown, trip

MUNICH = {"origin": "HAM", "destination": "MUC"}
BERLIN = {"origin": "LON", "destination": "BER"}


class Talk(Conversation):
    """Says words that are heard by rule, after what was said before."""

    draft = Slots()

    async def hears(self, text: str) -> dict[str, Any]:
        known = tuple(
            KnownTrip(trip_id=t.trip_id, origin=t.request.origin, destination=t.request.destination, status=t.status)
            for t in self.trips
        )
        heard = Heard(text=text, recent=self.log or (HeardMessage(role="assistant", text="…"),), trips=known, now=NOW)
        state = await self.say(text, heard_as(heard.model_copy(update={"draft": self.draft})))
        self.draft = Slots.model_validate(state["draft"])
        return state


def ticket(reference: str, *, wanted: bool = True) -> OrderFacts:
    return OrderFacts(
        order_id=f"ord_{reference}",
        state="confirmed",
        booking_reference=reference,
        total=Money(amount=Decimal(1180), currency="CNY"),
        fare=shown(1, "1180").fare,
        wanted=wanted,
    )


async def left_outside(reference: str = "HQ4XTR") -> Talk:
    """The trip has changed, its earlier booking is told of, and then the new list."""
    talk = Talk(trips=[trip(orders=(ticket(reference, wanted=False),))])
    order = talk.trips[0].orders[0]
    fare, total = order.fare, order.total.model_dump(mode="json")
    assert fare is not None
    event = {"reference": reference, "fare": fare.model_dump(mode="json"), "total": total, "again": False}
    await talk.happened("trip-1", "left_outside", **event)
    return talk


@pytest.mark.parametrize(
    "text", ["保留", "两张都保留", "留着吧", "不用取消", "keep it", "Keep both tickets", "no, keep it", "keep HQ4XTR"]
)
@pytest.mark.parametrize("listed", [False, True])
async def test_a_booking_left_outside_is_kept_in_plain_words(text: str, listed: bool) -> None:
    talk = await left_outside()
    if listed:
        await talk.happened("trip-1", TripStatus.CHOOSING)
    state = await talk.hears(text)
    assert state["proposes"] == []
    assert "HQ4XTR" in state["reply"]["text"]
    assert state["keeping"] == ["ord_HQ4XTR"]


@pytest.mark.parametrize(
    "text", ["取消", "取消订单HQ4XTR", "cancel it", "Yes, please cancel that booking", "cancel HQ4XTR", "don't keep it"]
)
@pytest.mark.parametrize("listed", [False, True])
async def test_a_booking_left_outside_is_given_up_after_a_yes_and_the_search_goes_on(text: str, listed: bool) -> None:
    talk = await left_outside()
    if listed:
        await talk.happened("trip-1", TripStatus.CHOOSING)
    state = await talk.hears(text)
    assert state["proposes"] == []
    assert "HQ4XTR" in state["reply"]["text"]
    state = await talk.hears("好的" if text[0] == "取" else "yes")
    payload = {"order_id": "ord_HQ4XTR", "reason": None, "keep_choice": True}
    assert state["proposes"] == [{"kind": "cancel_trip", "trip_id": "trip-1", "payload": payload}]


async def test_a_bare_yes_to_keep_or_cancel_is_asked_about() -> None:
    talk = await left_outside()
    state = await talk.hears("yes")
    assert state["proposes"] == []
    assert state["reply"]["text"] == "Should booking HQ4XTR be kept or cancelled?"
    assert (await talk.hears("cancel it"))["reply"]["text"].startswith("Cancel booking HQ4XTR")


def stayed_and_searching() -> list[TripFacts]:
    """A booking that stayed when what started it was taken back, and the search said in its place."""
    booked = trip(TripStatus.BOOKED, trip_id="trip-old", request=BERLIN, orders=(ticket("ZK7WMP"),), fares=())
    return [booked, trip(trip_id="trip-new", request=MUNICH)]


@pytest.mark.parametrize("text", ["Yes, please cancel that booking", "cancel ZK7WMP", "取消订单", "取消ZK7WMP"])
async def test_a_booking_that_stayed_is_the_one_given_up_and_not_the_newest_search(text: str) -> None:
    talk = Talk(trips=stayed_and_searching())
    await talk.happened("trip-old", "kept")
    await talk.happened("trip-new", TripStatus.CHOOSING)
    state = await talk.hears(text)
    assert state["proposes"] == []
    state = await talk.hears("yes" if text.isascii() else "好的")
    assert [(p["kind"], p["trip_id"]) for p in state["proposes"]] == [("cancel_trip", "trip-old")]


@pytest.mark.parametrize("text", ["keep it", "keep ZK7WMP", "保留", "保留ZK7WMP"])
async def test_a_booking_that_stayed_is_kept_in_plain_words(text: str) -> None:
    talk = Talk(trips=stayed_and_searching())
    await talk.happened("trip-old", "kept")
    state = await talk.hears(text)
    assert state["proposes"] == []
    assert "London" in state["reply"]["text"] or "伦敦" in state["reply"]["text"]
    assert (await talk.hears("yes"))["proposes"] == []


async def test_cancelling_another_booking_is_no_yes_to_the_one_asked_about() -> None:
    other = trip(TripStatus.BOOKED, trip_id="trip-2", request=MUNICH, orders=(ticket("QQ8LVN"),), fares=())
    talk = Talk(trips=[*stayed_and_searching()[:1], other])
    await talk.hears("cancel ZK7WMP")
    state = await talk.hears("cancel QQ8LVN")
    assert state["proposes"] == []
    assert [p["trip_id"] for p in (await talk.hears("yes"))["proposes"]] == ["trip-2"]


@pytest.mark.parametrize(
    "text", ["cancel Hamburg to Munich", "cancel my trip to Munich", "取消汉堡到慕尼黑", "取消去慕尼黑的行程"]
)
async def test_a_trip_that_is_named_comes_before_a_search_being_put_together(text: str) -> None:
    talk = Talk(trips=[trip(TripStatus.WAITING_REVIEW, request=MUNICH, question="review")])
    await talk.hears("Find me a flight to Paris")
    state = await talk.hears(text)
    assert "Munich" in state["reply"]["text"] or "慕尼黑" in state["reply"]["text"]
    assert state["draft"]["destination"]["codes"][0] in {"CDG", "PAR", "ORY"}
    state = await talk.hears("yes" if text.isascii() else "好的")
    assert [(p["kind"], p["trip_id"]) for p in state["proposes"]] == [("cancel_trip", "trip-1")]


@pytest.mark.parametrize("text", ["cancel London to Berlin", "cancel the Berlin flight", "取消伦敦到柏林"])
async def test_a_trip_that_is_not_there_cancels_no_other(text: str) -> None:
    talk = Talk(trips=[trip(request=MUNICH)])
    state = await talk.hears(text)
    assert state["proposes"] == []
    assert state["reply"]["asked"] is None
    assert "nothing is cancelled" in state["reply"]["text"] or "什么都没有取消" in state["reply"]["text"]


@pytest.mark.parametrize("text", ["never mind", "forget it", "算了"])
async def test_a_search_being_put_together_is_given_up_in_plain_words(text: str) -> None:
    talk = Talk(trips=[trip(TripStatus.WAITING_REVIEW, request=MUNICH, question="review")])
    await talk.hears("Find me a flight to Paris")
    state = await talk.hears(text)
    assert state["proposes"] == []
    assert "dropped that search" in state["reply"]["text"] or "不查了" in state["reply"]["text"]


@pytest.mark.parametrize("text", ["Is my booking kept?", "I want to leave on Friday", "keep it under 500", "leave from Munich"])
def test_what_only_sounds_alike_keeps_nothing(text: str) -> None:
    recent = (HeardMessage(role="assistant", text="…"),)
    assert Intent.KEEP not in heard_as(Heard(text=text, recent=recent, now=NOW)).intents
