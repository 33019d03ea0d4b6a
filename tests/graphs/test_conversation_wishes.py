"""Seat wishes are noted, answered from state, replaced, and forgotten on request."""

from __future__ import annotations

from assistant.domain.trips import ActiveWish
from assistant.domain.understanding import Intent, Polarity, Position, Scope, SeatWish, Strength
from tests.graphs.talking import Conversation, trip, understood

WINDOW = SeatWish(position=Position.WINDOW)


def stored(wish: SeatWish) -> ActiveWish:
    return ActiveWish(**wish.model_dump(), wish_id="w1", conversation_id="earlier")


async def test_a_wish_is_noted_and_handed_over_to_be_stored() -> None:
    state = await Conversation().say("我想坐靠窗的位置", understood(Intent.STATE_WISH, language="zh", wishes=(WINDOW,)))
    assert state["reply"]["text"] == "记住了：靠窗。以后订座都按这个来。"
    assert state["wishes"] == [WINDOW.model_dump(mode="json")]


async def test_what_was_said_is_answered_from_state() -> None:
    talk = Conversation(wishes=[stored(WINDOW)])
    state = await talk.say("我刚才说想坐哪里？", understood(Intent.RECALL_WISH, language="zh"))
    assert state["reply"]["text"] == "您说过想坐的位置：靠窗。"
    assert state["wishes"] == []


async def test_a_wish_and_the_question_for_it_in_one_breath() -> None:
    means = understood(Intent.STATE_WISH, Intent.RECALL_WISH, wishes=(WINDOW,))
    state = await Conversation().say("window please; what did I say?", means)
    assert state["reply"]["text"].endswith("You told me your seat preference: a window seat.")


async def test_a_change_of_mind_replaces_the_place_in_the_row() -> None:
    talk = Conversation(wishes=[stored(WINDOW)])
    aisle = SeatWish(position=Position.AISLE)
    state = await talk.say("aisle rather; so?", understood(Intent.STATE_WISH, Intent.RECALL_WISH, wishes=(aisle,)))
    assert state["reply"]["text"].endswith("You told me your seat preference: an aisle seat.")


async def test_no_wish_is_said_as_none() -> None:
    state = await Conversation().say("where do I sit?", understood(Intent.RECALL_WISH))
    assert state["reply"]["text"] == "You have not told me where you like to sit."


async def test_all_wishes_are_forgotten_on_request() -> None:
    talk = Conversation(wishes=[stored(WINDOW)])
    state = await talk.say("forget my seat preference", understood(Intent.FORGET_WISH))
    assert state["wishes"] == [{**WINDOW.model_dump(mode="json"), "forget": True}]
    assert state["reply"]["text"] == "Forgotten: a window seat."


async def test_nothing_to_forget_is_said_so() -> None:
    state = await Conversation().say("forget it", understood(Intent.FORGET_WISH))
    assert state["reply"]["text"] == "I had no seat preference of yours to forget."


async def test_a_wish_for_this_time_or_for_somebody_else_is_worded_as_that() -> None:
    once = WINDOW.model_copy(update={"scope": Scope.TRIP})
    hers = SeatWish(position=Position.AISLE, whose="她", scope=Scope.TRIP)
    state = await Conversation().say("这次靠窗，她靠过道", understood(Intent.STATE_WISH, language="zh", wishes=(once, hers)))
    assert state["reply"]["text"] == "记住了：靠窗，只用于这一次。\n记住了，她这一次靠过道。"


async def test_what_must_be_and_what_must_not_be_are_told_apart() -> None:
    must = WINDOW.model_copy(update={"strength": Strength.MUST})
    never = SeatWish(position=Position.MIDDLE, polarity=Polarity.AVOID)
    state = await Conversation().say("...", understood(Intent.STATE_WISH, wishes=(must, never)))
    assert state["reply"]["text"].startswith("Noted: a window seat, without fail and not a middle seat.")


async def test_either_is_fine_is_a_wish_too() -> None:
    wish = SeatWish(position=Position.ANY)
    state = await Conversation().say("都行", understood(Intent.STATE_WISH, language="zh", wishes=(wish,)))
    assert state["reply"]["text"] == "好的，坐哪里都行。"


async def test_the_wishes_of_one_turn_are_not_stored_again_with_the_next() -> None:
    talk = Conversation()
    await talk.say("window", understood(Intent.STATE_WISH, wishes=(WINDOW,)))
    assert (await talk.say("hello", understood(Intent.SMALLTALK)))["wishes"] == []


async def test_a_wish_the_open_list_does_not_meet_has_the_seats_picked_anew() -> None:
    talk = Conversation(trips=[trip()])  # windows are suggested
    aisle = SeatWish(position=Position.AISLE)
    state = await talk.say("aisle please", understood(Intent.STATE_WISH, wishes=(aisle,)))
    assert state["proposes"] == [{"kind": "revise_trip", "trip_id": "trip-1", "payload": {"request": {}}}]
    state = await talk.say("window please", understood(Intent.STATE_WISH, wishes=(WINDOW,)))
    assert state["proposes"] == []


async def test_forgetting_everything_names_what_was_forgotten() -> None:
    talk = Conversation(wishes=[stored(WINDOW)])
    everything = SeatWish(position=Position.ANY, forget=True)
    state = await talk.say("忘掉我的偏好", understood(Intent.FORGET_WISH, language="zh", wishes=(everything,)))
    assert state["reply"]["text"] == "好的，已忘掉：靠窗。"
