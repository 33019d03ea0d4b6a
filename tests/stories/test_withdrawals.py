"""A message is edited; turns that started, chose, changed or cancelled trips are left behind: each is taken back or listed."""

from __future__ import annotations

import pytest

from assistant.domain.commands import Kind
from tests.stories.ways_back import Walker, picks, said_in, ticketed, walker
from tests.stories.world import Chat, Person, World

TOKYO, PARIS = "From Shanghai to Tokyo on 11 December", "From London to Paris on 20 December"


async def edits(who: Walker, chat: Chat, n: int, text: str) -> None:
    """The nth thing said (from 0), said otherwise."""
    said = (await said_in(chat))[n]
    receipt = await who.gives(Kind.EDIT_MESSAGE, chat.conversation_id, message_id=said.message_id, text=text)
    assert receipt.status == "succeeded"


async def test_a_trip_without_a_ticket_is_given_back_with_its_hold(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say(TOKYO)
    trip = await chat.trip()
    held = next(o["n"] for o in trip["offers"] if o["can_hold"])
    trip = await tina.choose(trip["trip_id"], held)
    assert len(world.orders()) == 1
    await edits(await walker(world, "tina"), chat, 0, "From Shanghai to Osaka on 11 December")
    gone, new = await tina.trip(trip["trip_id"]), await chat.trip()
    assert gone["status"] == "withdrawn"
    assert world.orders() == []
    assert await rita.inbox() == []
    assert new["status"] == "choosing"
    assert any("withdrawn" in text for text in await chat.told())


async def test_what_is_said_instead_finds_nothing_of_the_trip_that_is_taken_back(world: World, tina: Person) -> None:
    chat = await tina.chat()
    await chat.say("I would like a window seat. " + TOKYO)
    old = await chat.trip()
    await edits(await walker(world, "tina"), chat, 0, "I would like an aisle seat. From Shanghai to Osaka on 12 December")
    new = await chat.trip()
    assert (await tina.trip(old["trip_id"]))["status"] == "withdrawn"
    assert (new["status"], new["request"]["destination"], new["request"]["depart_on"]) == ("choosing", "OSA", "2026-12-12")
    assert "picking the seats again" not in "\n".join(await chat.told())


async def test_a_trip_with_a_ticket_stays_and_is_told(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say(TOKYO)
    trip = await ticketed(tina, rita, await picks(tina, await chat.trip()))
    effects = world.effects()
    await edits(await walker(world, "tina"), chat, 0, "From Shanghai to Osaka on 11 December")
    kept = await tina.trip(trip["trip_id"])
    assert kept["status"] == "booked"
    assert world.effects() == effects
    told = "\n".join(await chat.told())
    assert "was not taken back" in told
    assert trip["orders"][0]["booking_reference"] in told


async def test_a_choice_that_was_taken_back_is_asked_again(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say(TOKYO)
    trip = await chat.trip()
    await chat.say("option 2")
    await chat.say("yes")
    assert (await tina.trip(trip["trip_id"]))["status"] == "waiting_review"
    await edits(await walker(world, "tina"), chat, 2, "no")
    back = await tina.trip(trip["trip_id"])
    assert (back["status"], back["selection"]) == ("choosing", None)
    assert back["offers"] == trip["offers"]
    assert await rita.inbox() == []
    again = await picks(tina, back)
    assert (await ticketed(tina, rita, again))["status"] == "booked"


async def test_a_cancellation_that_was_taken_back_leaves_the_ticket_as_it_was(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say(TOKYO)
    trip = await ticketed(tina, rita, await picks(tina, await chat.trip()))
    await chat.say("cancel the flight")
    await chat.say("yes")
    assert (await tina.trip(trip["trip_id"]))["status"] == "waiting_review"
    effects = world.effects()
    await edits(await walker(world, "tina"), chat, 2, "no, keep it")
    now = await tina.trip(trip["trip_id"])
    assert (now["status"], now["orders"]) == ("booked", trip["orders"])
    assert now["selection"] == trip["selection"]
    assert await rita.inbox() == []
    assert world.effects() == effects


async def test_the_first_message_of_a_long_chat(world: World, tina: Person, rita: Person) -> None:
    """One trip is chosen, one booked and then given up, one booked and changed: one edit leaves them all behind."""
    chat, guide = await tina.chat(), await walker(world, "tina")
    await chat.say(TOKYO)
    chosen = await chat.trip()
    chosen = await tina.choose(chosen["trip_id"], next(o["n"] for o in chosen["offers"] if o["can_hold"]))
    await chat.say(PARIS)
    given_up = await ticketed(tina, rita, await picks(tina, await chat.trip()))
    await chat.say("From Berlin to Madrid on 22 December")
    changed = await ticketed(tina, rita, await picks(tina, await chat.trip()))
    await tina.does(f"/trips/{given_up['trip_id']}/cancellation", {})
    await tina.does(f"/trips/{changed['trip_id']}/revision", {"offer": 2})
    assert len(await rita.inbox()) == 3
    await guide.gives(Kind.EDIT_MESSAGE, chat.conversation_id, message_id=(await said_in(chat))[0].message_id, text="Hello")

    assert (await tina.trip(chosen["trip_id"]))["status"] == "withdrawn"
    assert await rita.inbox() == []
    for trip in (given_up, changed):
        now = await tina.trip(trip["trip_id"])
        assert now["status"] == "booked"
        kept = [o["order_id"] for o in (*now["orders"], *now["other_live_bookings"])]
        assert kept == [trip["orders"][0]["order_id"]]
    assert len(world.orders()) == 2
    told = "\n".join(await chat.told())
    assert told.count("was not taken back") == 2
    assert "was withdrawn" in told


async def test_a_change_that_was_taken_back_leaves_the_ticket_as_it_was(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say(TOKYO)
    trip = await ticketed(tina, rita, await picks(tina, await chat.trip()))
    await chat.say("change it to 13 December")
    await chat.say("yes")
    searching = await tina.trip(trip["trip_id"])
    assert searching["request"]["depart_on"] == "2026-12-13"
    await edits(await walker(world, "tina"), chat, 2, "no")
    now = await tina.trip(trip["trip_id"])
    assert (now["status"], now["orders"], now["request"]) == ("booked", trip["orders"], trip["request"])


@pytest.mark.parametrize("silent", [("quote", "get_order"), ("confirm", "get_order")])
async def test_what_cannot_be_given_back_in_an_outage_is_given_back_when_the_airline_answers(
    world: World, tina: Person, silent: tuple[str, ...]
) -> None:
    chat = await tina.chat()
    await chat.say(TOKYO)
    trip = await chat.trip()
    trip = await tina.choose(trip["trip_id"], next(o["n"] for o in trip["offers"] if o["can_hold"]))
    world.airline.put_faults([{"match": {"op": op}, "fault": "503"} for op in silent])
    await edits(await walker(world, "tina"), chat, 0, "From Shanghai to Osaka on 12 December")
    assert (await tina.trip(trip["trip_id"]))["status"] == "withdrawn"
    assert len(world.orders()) == 1
    refused = await tina.post(f"/trips/{trip['trip_id']}/answer", {"answer": "resubmit"})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_waiting")
    told = await chat.told()
    for _ in range(10):
        await world.later(60)
    assert (await tina.trip(trip["trip_id"]))["status"] == "withdrawn"
    assert await chat.told() == told
    world.airline.put_faults([])

    async def free() -> bool:
        return world.orders() == []

    await world.until(free, step=60)
    assert (await tina.trip(trip["trip_id"]))["status"] == "withdrawn"
    assert await chat.told() == told
