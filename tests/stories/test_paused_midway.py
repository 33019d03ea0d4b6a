"""Purchases are paused after an approval was given and before it is carried out: nothing is sent, and everybody reads why."""

from __future__ import annotations

import pytest

from assistant.domain.commands import Kind
from assistant.domain.understanding import Language
from assistant.operating import pause_now
from assistant.views.shapes import TripView
from tests.stories.test_unknown_outcomes import WORDS
from tests.stories.world import Chat, Json, Person, World, offer
from ui.cards import trip_card
from ui.drafts import Draft
from ui.pen import Pen

WHY = {
    "zh": "批准还没执行，购买就暂停了：没有下单，也没有付款。",
    "en": "Purchases were paused before the approval was carried out: nothing was booked or paid.",
}
STOPPED = {"zh": "购买暂停中：在换公司卡", "en": "Purchases are paused: 在换公司卡"}
CARD = "在换公司卡"


async def pause(world: World) -> None:
    await pause_now(world.whole.settings, kind=Kind.PAUSE, reason=CARD)


async def resume(world: World) -> None:
    await pause_now(world.whole.settings, kind=Kind.RESUME, reason=None)


async def waits(person: Person, *, can_hold: bool) -> tuple[Chat, Json]:
    chat = await person.chat()
    await chat.say(WORDS[person.language])
    trip = await chat.trip()
    return chat, await person.choose(trip["trip_id"], offer(trip, can_hold=can_hold)["n"], offers_hash=trip["offers_hash"])


async def decides_and_then_it_is_paused(world: World, rita: Person, review_id: str, word: str) -> None:
    """Accepted while nothing runs; by the time it does, an operator has stopped purchases."""
    await world.whole.dispatcher.stop()
    decision = {"type": word, "digest": (await rita.review(review_id))["digest"], "message": "As discussed"}
    accepted = await rita.post(f"/reviews/{review_id}/decision", decision, wait=0)
    assert accepted.status_code == 202, accepted.text
    await pause(world)
    await world.whole.dispatcher.start(world.whole.service.run)
    await world.quiet()


@pytest.mark.parametrize("can_hold", [True, False])
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_an_approval_that_a_pause_overtakes_sends_nothing_and_waits_for_another_and_says_why(
    world: World, rita: Person, language: Language, can_hold: bool
) -> None:
    tina = await world.person("tina", language)
    chat, trip = await waits(tina, can_hold=can_hold)
    before = world.effects()
    await decides_and_then_it_is_paused(world, rita, trip["review_id"], "approve")
    after = await tina.trip(trip["trip_id"])
    assert world.effects() == before
    assert after["status"] == "waiting_review"
    assert after["review_id"] != trip["review_id"]
    assert WHY[language] in after["reason"]
    assert WHY[language] in after["question"]["reason"]
    assert WHY[language] in (await chat.told())[-1]
    card = str(trip_card(TripView.model_validate(after), Draft(), (), (), Pen(language, "UTC", world.whole.clock())))
    assert WHY[language] in card
    assert WHY["en"] in (await rita.review(after["review_id"]))["trip"]["reason"]
    await resume(world)
    await rita.decides(after["review_id"], "approve")
    await world.later(5)
    booked = await tina.trip(trip["trip_id"])
    assert (booked["status"], booked["reason"]) == ("booked", None)
    assert len(world.orders()) == 1


async def test_a_held_trip_is_rejected_and_given_back_while_purchases_are_paused(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip = await waits(tina, can_hold=True)
    await decides_and_then_it_is_paused(world, rita, trip["review_id"], "reject")
    assert (await tina.trip(trip["trip_id"]))["status"] == "rejected"
    assert world.effects() == ["hold", "cancel"]


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_refusal_of_an_approval_and_of_a_choice_in_the_chat_says_why_in_both_languages(
    world: World, language: Language
) -> None:
    tina, rita = await world.person("tina", language), await world.person("rita", language)
    _, trip = await waits(tina, can_hold=False)
    other = await tina.chat()
    await other.say({"zh": "12月20日从北京飞上海", "en": "From Beijing to Shanghai on 20 December"}[language])
    await pause(world)
    decision = {"type": "approve", "digest": (await rita.review(trip["review_id"]))["digest"]}
    refused = await rita.post(f"/reviews/{trip['review_id']}/decision", decision)
    assert (refused.status_code, refused.json()["code"]) == (409, "paused")
    assert STOPPED[language] in refused.json()["detail"]
    await other.say({"zh": "第一个", "en": "the first one"}[language])
    await other.say({"zh": "好的", "en": "yes"}[language])
    assert {"zh": "购买暂停中", "en": "Purchases are paused"}[language] in (await other.told())[-1]
    assert (await other.trip())["status"] == "choosing"
    assert world.effects() == []
