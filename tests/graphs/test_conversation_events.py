"""What happens to a trip reaches the chat as one true message; a question of a trip is answered only right after it."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from assistant.domain.money import Money
from assistant.domain.trips import OrderFacts, SeatSuggestion, TripStatus
from assistant.domain.understanding import Intent, Slots
from tests.graphs.talking import FRIDAY, NOW, TOKYO, Conversation, on, shown, trip, understood

YES, NO = understood(Intent.CONFIRM), understood(Intent.DECLINE)
ORDER = OrderFacts(
    order_id="ord_1",
    state="confirmed",
    booking_reference="ABC123",
    documents=("781-1",),
    total=Money(amount=Decimal(1800), currency="CNY"),
    seats=("14A",),
)


async def told(status: TripStatus, *, event: dict[str, str] | None = None, **facts: object) -> str:
    talk = Conversation(trips=[trip(status, **facts)])
    state = await talk.happened("trip-1", status, **(event or {}))
    assert state["proposes"] == []
    return state["reply"]["text"]


async def test_waiting_for_approval_says_until_when_and_what_is_held() -> None:
    text = await told(
        TripStatus.WAITING_REVIEW,
        review_until=NOW + timedelta(hours=8),
        held_until=NOW + timedelta(hours=20),
        chosen=shown(1, "1").fare,
    )
    assert "submitted for approval, to be decided by Mon 30 Nov 09:00" in text
    assert "The fare is held until Mon 30 Nov 21:00." in text


async def test_nothing_held_is_said_as_nothing_held() -> None:
    assert "Nothing is held" in await told(TripStatus.WAITING_REVIEW)


async def test_booked_says_reference_ticket_seat_and_price() -> None:
    text = await told(TripStatus.BOOKED, chosen=shown(2, "1800").fare, orders=(ORDER,))
    assert "Booking reference ABC123, e-ticket 781-1, 1,800.00" in text
    assert "seat 14A" in text


async def test_rejected_gives_the_reviewers_name_and_reason() -> None:
    text = await told(TripStatus.REJECTED, event={"by": "Rita", "message": "over budget"})
    assert "was rejected by Rita: “over budget”." in text


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("no_offers", "No flights on this route that day"),
        ("airline_out_of_reach", "did not answer in time"),
        ("filtered_out", "none within your limits"),
        ("reason.no_offers", "No flights on this route that day"),
    ],
)
async def test_nothing_found_says_why_and_what_to_do(reason: str, words: str) -> None:
    assert words in await told(TripStatus.CHOOSING, event={"reason": reason}, fares=(), offers_hash=None)


@pytest.mark.parametrize(
    "reason", ["OFFER_GONE", "PRICE_CHANGED", "SEAT_TAKEN", "PAYMENT_DECLINED", "NOT_CREATED", "keeps_rising"]
)
async def test_a_purchase_that_failed_says_why_and_shows_the_list(reason: str) -> None:
    text = await told(TripStatus.CHOOSING, event={"reason": reason})
    assert "needs another choice" in text
    assert "3 options" in text


@pytest.mark.parametrize("status", list(TripStatus))
async def test_every_status_has_something_to_say_in_both_languages(status: TripStatus) -> None:
    assert await told(status)
    assert any("\u4e00" <= c <= "\u9fff" for c in await told(status, request={"language": "zh"}))


async def test_an_expired_approval_is_asked_for_again_with_one_tap() -> None:
    talk = Conversation(trips=[trip(TripStatus.EXPIRED)])
    state = await talk.happened("trip-1", TripStatus.EXPIRED)
    assert [o["say"] for o in state["reply"]["options"]] == ["yes", "no"]
    state = await talk.say("yes", YES)
    assert state["proposes"] == [{"kind": "choose", "trip_id": "trip-1", "payload": {"answer": "resubmit"}}]


async def test_a_change_for_the_worse_is_agreed_to_only_when_it_was_the_last_thing_asked() -> None:
    talk = Conversation(trips=[trip(TripStatus.WAITING_TRAVELLER, question="agree", chosen=shown(1, "2300").fare)])
    await talk.happened("trip-1", TripStatus.WAITING_TRAVELLER)
    state = await talk.say("yes", YES)
    assert state["proposes"] == [{"kind": "agree", "trip_id": "trip-1", "payload": {"answer": "agree"}}]
    await talk.happened("trip-1", TripStatus.WAITING_TRAVELLER)
    await talk.say("hello", understood(Intent.SMALLTALK))
    assert (await talk.say("yes", YES))["proposes"] == []


async def test_a_change_for_the_worse_can_be_declined() -> None:
    talk = Conversation(trips=[trip(TripStatus.WAITING_TRAVELLER, question="agree", chosen=shown(1, "2300").fare)])
    await talk.happened("trip-1", TripStatus.WAITING_TRAVELLER)
    state = await talk.say("no", NO)
    assert state["proposes"] == [{"kind": "agree", "trip_id": "trip-1", "payload": {"answer": "decline"}}]


async def test_a_reviewers_question_is_answered_in_own_words_after_a_yes() -> None:
    talk = Conversation(trips=[trip(TripStatus.CHOOSING, reason="respond")])
    state = await talk.happened("trip-1", TripStatus.CHOOSING, reason="respond", by="Rita", message="Why so early?")
    assert "your approver Rita asks: “Why so early?”" in state["reply"]["text"]
    state = await talk.say("The meeting is at noon", understood())
    assert state["proposes"] == []
    state = await talk.say("yes", YES)
    assert state["proposes"] == [
        {"kind": "choose", "trip_id": "trip-1", "payload": {"answer": "resubmit", "message": "The meeting is at noon"}}
    ]


async def test_an_answer_to_the_reviewer_is_not_taken_for_a_search_or_a_yes() -> None:
    talk = Conversation(trips=[trip(TripStatus.CHOOSING, reason="respond")])
    await talk.happened("trip-1", TripStatus.CHOOSING, reason="respond", by="Rita", message="Must it be Sunday?")
    means = understood(Intent.CONFIRM, Intent.SEARCH, slots=Slots(depart=on(FRIDAY)))
    state = await talk.say("Yes, I have to be home on Friday", means)
    assert state["reply"]["text"] == "Answer “Yes, I have to be home on Friday” and submit the same choice again?"
    assert state["proposes"] == []
    assert (await talk.say("yes", YES))["proposes"][0]["payload"]["message"] == "Yes, I have to be home on Friday"
    assert (await talk.say("thanks", understood(Intent.SMALLTALK)))["reply"]["asked"] is None


async def test_an_event_keeps_the_language_of_the_conversation() -> None:
    talk = Conversation(trips=[trip()])
    await talk.say("你好", understood(Intent.SMALLTALK, language="zh"))
    state = await talk.happened("trip-1", TripStatus.CHOOSING)
    assert "找到3个方案" in state["reply"]["text"]


async def test_an_event_does_not_take_the_question_of_a_search_away() -> None:
    talk = Conversation(trips=[trip()])
    await talk.say("to Tokyo", understood(Intent.SEARCH, slots=Slots(destination=TOKYO)))
    state = await talk.happened("trip-1", TripStatus.SETTLING)
    assert state["reply"]["text"].endswith("Where are you flying from?")
    assert state["reply"]["asked"] == "origin"


async def test_an_event_of_a_trip_that_left_the_conversation_says_nothing() -> None:
    state = await Conversation().happened("trip-9", TripStatus.BOOKED)
    assert state["reply"] is None


async def test_a_pick_said_back_is_dropped_when_its_trip_moves_on() -> None:
    talk = Conversation(trips=[trip()])
    await talk.happened("trip-1", TripStatus.CHOOSING)
    await talk.say("the first", understood(Intent.CHOOSE))
    talk.trips = [trip(TripStatus.WAITING_REVIEW)]
    await talk.happened("trip-1", TripStatus.WAITING_REVIEW)
    assert (await talk.say("yes", YES))["proposes"] == []


async def test_when_one_way_is_rejected_the_other_is_named() -> None:
    out = trip(TripStatus.REJECTED, request={"direction": "outbound"})
    back = trip(TripStatus.BOOKED, trip_id="trip-2", request={"direction": "return", "origin": "TYO", "destination": "SHA"})
    state = await Conversation(trips=[out, back]).happened("trip-1", TripStatus.REJECTED)
    assert "This journey still has the return trip (booked)" in state["reply"]["text"]


async def test_a_message_while_a_review_waits_is_answered_as_ever() -> None:
    talk = Conversation(trips=[trip(TripStatus.WAITING_REVIEW, question="review")])
    await talk.happened("trip-1", TripStatus.WAITING_REVIEW)
    state = await talk.say("where did I want to sit?", understood(Intent.RECALL_WISH))
    assert state["reply"]["text"] == "You have not told me where you like to sit."
    assert state["proposes"] == []


async def test_a_command_that_came_too_late_is_told_with_its_reason() -> None:
    talk = Conversation(trips=[trip()])
    state = await talk.happened("trip-1", "refused", code="seat_taken")
    assert state["reply"]["text"] == "Shanghai to Tokyo (Fri 4 Dec): Seat is taken; please pick another."


async def test_a_run_that_failed_for_good_says_where_the_trip_stands() -> None:
    talk = Conversation(trips=[trip()])
    state = await talk.happened("trip-1", "failed", reason="failed")
    assert "that step did not work. It now stands at: choosing." in state["reply"]["text"]


async def test_a_step_that_lost_a_race_is_told_with_its_reason() -> None:
    talk = Conversation(trips=[trip(TripStatus.CHECKING)])
    state = await talk.happened("trip-1", "failed", reason="failed", code="confirming")
    assert "It is being confirmed with the airline" in state["reply"]["text"]


async def test_a_cancellation_that_waits_for_approval_is_told_as_that() -> None:
    text = await told(TripStatus.WAITING_REVIEW, question="review", orders=(ORDER,))
    assert text == "Cancelling Shanghai to Tokyo (Fri 4 Dec) is submitted for approval. The booking stays as it is until then."


async def test_companions_seats_are_told_with_what_they_share_and_cost() -> None:
    one = shown(1, "4200", seats="")
    key, fee = one.fare.segment_keys[0], Money(amount=Decimal(60), currency="CNY")
    window, middle = (
        SeatSuggestion(
            position=i, segment_key=key, designator=d, price=fee, reasons=(where, "front_half", "over_wing", "together")
        )
        for i, (d, where) in enumerate((("11A", "window"), ("11B", "middle")))
    )
    text = await told(TripStatus.CHOOSING, fares=(one.model_copy(update={"seats": (window, middle)}),))
    assert "Seats: 11A (window), 11B (middle); front half, side by side. Seat fees 120.00\N{NO-BREAK SPACE}CNY in all." in text
