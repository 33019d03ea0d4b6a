"""Two tickets side by side: the chat names the new one as the new one, and says before a yes what becomes of the old one."""

from __future__ import annotations

import pytest

from tests.stories.ways_back import booked, picks, steps, ticketed, walker
from tests.stories.world import Person, World


async def test_a_booking_made_beside_one_that_stays_is_told_by_its_own_reference(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip = await booked(tina, rita)
    old = trip["orders"][0]["booking_reference"]
    guide = await walker(world, "rita")
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "start"))[0], {"depart_on": "2026-12-12"})
    so_far = len(await chat.told())
    await picks(tina, await tina.trip(trip["trip_id"]), settle="keep_both")
    await ticketed(tina, rita, await tina.trip(trip["trip_id"]))
    (new,) = {o["booking_reference"] for o in world.orders()} - {old}
    told = (await chat.told())[so_far:]
    assert any("the ticket is being issued" in text and new in text for text in told)
    assert any("is booked" in text and new in text for text in told)
    assert not any(old in text for text in told)
    assert old not in await chat.say("What is my booking reference?")
    assert old not in await chat.say("Is my trip booked?")


@pytest.mark.parametrize(("language", "both"), [("en", "yes, and keep both tickets"), ("zh", "好的，两张票都保留")])
async def test_what_becomes_of_the_old_ticket_is_said_before_the_yes_and_both_can_be_kept(
    world: World, rita: Person, language: str, both: str
) -> None:
    tina = await world.person("tina", language)
    chat, trip = await booked(tina, rita)
    await tina.does(f"/trips/{trip['trip_id']}/revision", {"request": {"depart_on": "2026-12-12"}})
    old = trip["orders"][0]["booking_reference"]
    asked = await chat.say("the first one" if language == "en" else "第一个")
    assert ("is cancelled" if language == "en" else "会取消原来的票") in asked
    assert old in asked
    await chat.say(both)
    now = await tina.trip(trip["trip_id"])
    plan = (await rita.review(now["review_id"]))["plan"]
    assert plan["chosen"] == "keep_both"
    await ticketed(tina, rita, now)
    assert len(world.orders()) == 2


async def test_a_plain_yes_replaces_as_it_was_said(world: World, tina: Person, rita: Person) -> None:
    chat, trip = await booked(tina, rita)
    await tina.does(f"/trips/{trip['trip_id']}/revision", {"request": {"depart_on": "2026-12-12"}})
    await chat.say("the first one")
    await chat.say("yes")
    now = await tina.trip(trip["trip_id"])
    assert (await rita.review(now["review_id"]))["plan"]["chosen"] == "replace"


async def test_the_booking_left_outside_is_given_up_in_words_and_the_search_goes_on(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip = await booked(tina, rita)
    old = trip["orders"][0]["booking_reference"]
    guide = await walker(world, "rita")
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "start"))[0], {"depart_on": "2026-12-12"})
    assert old in await chat.say("cancel that booking")
    await chat.say("yes")
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    await world.quiet()
    assert world.orders() == []
    assert (await tina.trip(trip["trip_id"]))["status"] == "choosing"
    await chat.say("the first one")
    await chat.say("yes")
    assert (await tina.trip(trip["trip_id"]))["status"] == "waiting_review"


async def test_a_booking_said_to_be_kept_is_kept_by_the_next_pick(world: World, tina: Person, rita: Person) -> None:
    chat, trip = await booked(tina, rita)
    guide = await walker(world, "rita")
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "start"))[0], {"depart_on": "2026-12-12"})
    assert "stays" in await chat.say("keep it")
    assert "is kept as well" in await chat.say("the first one")
    await chat.say("yes")
    now = await tina.trip(trip["trip_id"])
    assert (await rita.review(now["review_id"]))["plan"]["chosen"] == "keep_both"
