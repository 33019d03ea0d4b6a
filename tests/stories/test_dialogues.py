"""Whole dialogues from the first word to a submitted trip, with what people do on the way."""

from __future__ import annotations

from tests.stories.world import Chat, Person, World, offer


async def said(chat: Chat, *texts: str) -> str:
    """One after the other; the last thing the desk has said."""
    for text in texts:
        await chat.say(text)
    return (await chat.told())[-1]


async def test_partial_dates_small_talk_and_a_seat_either_way(world: World) -> None:
    tina = await world.person("tina", "zh")
    chat = await tina.chat()
    assert await said(chat, "你好呀", "想去广州") == "从哪里出发？"
    assert await said(chat, "今天天气真好", "上海") == "哪天出发？"
    assert "想选哪一个" in await said(chat, "12月9号，靠窗靠过道都行")
    await said(chat, "哪个最早？", "就第二个吧")
    await said(chat, "好的")
    assert (await chat.trip())["status"] == "waiting_review"


async def test_a_change_of_mind_before_and_after_the_list(tina: Person) -> None:
    chat = await tina.chat()
    await said(chat, "I need a flight from Paris to Rome on 10 December", "sorry, I meant the 11th")
    trips = await chat.trips()
    assert trips[-1]["request"]["depart_on"] == "2026-12-11"
    await said(chat, "Could we leave from Lyon instead?", "that sounds good", "yes")
    trip = await chat.trip()
    assert (trip["status"], trip["request"]["origin"]) == ("waiting_review", "LYS")


async def test_there_and_back_is_settled_one_way_after_the_other(tina: Person) -> None:
    chat = await tina.chat()
    told = await said(chat, "Round trip from Paris to Rome, leaving 9 December and coming back on the 12th")
    await said(chat, "Is there anything else?", "I'll take the first one", "yes", "Thanks!", "the cheapest one", "go ahead")
    assert told
    assert [t["status"] for t in await chat.trips()] == ["waiting_review", "waiting_review"]


async def test_one_way_made_a_round_trip_puts_the_old_list_away(tina: Person) -> None:
    chat = await tina.chat()
    await said(chat, "One way from Paris to Rome on 9 December", "Actually make it a round trip", "the 12th")
    assert sorted(t["status"] for t in await chat.trips()) == ["cancelled", "choosing", "choosing"]
    assert not any("is cancelled" in text for text in await chat.told())


async def test_where_nothing_fits_the_nearest_can_be_taken(world: World) -> None:
    tina = await world.person("tina", "zh")
    chat = await tina.chat()
    told = await said(chat, "12月9号凌晨四点从上海去广州")
    assert "最接近" in told
    await said(chat, "可以", "好")
    assert (await chat.trip())["status"] == "waiting_review"


async def test_the_form_filled_in_is_a_go_on(tina: Person) -> None:
    chat = await tina.chat()
    await said(chat, "Two of us from Paris to Rome on 9 December", "the first one", "yes")
    trip = await chat.trip()
    assert trip["status"] == "choosing"
    both = [await tina.me(), await tina.companion()]
    await tina.does(f"/trips/{trip['trip_id']}/passengers", {"passengers": both})
    await said(chat, "done")
    assert (await chat.trip())["status"] == "waiting_review"


async def test_a_place_nobody_knows_is_said_and_not_passed_over(tina: Person) -> None:
    chat = await tina.chat()
    assert "Narnia" in await said(chat, "I want to fly from Narnia to Paris on 9 December")
    assert "Paris" in await said(chat, "London then")
    assert (await chat.trip())["request"]["origin"] == "LON"


async def test_what_was_held_and_given_back_is_not_told_as_booked(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    trip = await chat.trip()
    held = offer(trip, can_hold=True)
    await said(chat, f"option {held['n']}", "yes")
    await rita.decides((await rita.inbox())[0]["review_id"], "reject", message="Please take another one")
    other = next(o for o in trip["offers"] if o["n"] != held["n"])
    await said(chat, f"option {other['n']}", "yes")
    await rita.decides((await rita.inbox())[0]["review_id"], "approve")
    await world.later(6)
    (order,) = [o for o in world.orders() if o["documents"]]
    told = (await chat.told())[-1]
    assert f"Booking reference {order['booking_reference']}," in told
