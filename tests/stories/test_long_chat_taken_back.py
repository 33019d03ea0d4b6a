"""The first message of a long chat is said otherwise: what its turns chose, changed and cancelled is taken back or listed."""

from __future__ import annotations

from assistant.domain.commands import Kind
from assistant.persistence.tables import commands
from tests.stories.ways_back import picks, said_in, ticketed, walker
from tests.stories.world import Chat, Json, Person, World

GREETING = "I would like a window seat"
TOKYO, PARIS, MADRID = (
    "From Shanghai to Tokyo on 11 December",
    "From London to Paris on 20 December",
    "From Berlin to Madrid on 22 December",
)


async def first_message(world: World, chat: Chat, text: str) -> None:
    guide, said = await walker(world, "tina"), (await said_in(chat))[0]
    assert (
        await guide.gives(Kind.EDIT_MESSAGE, chat.conversation_id, message_id=said.message_id, text=text)
    ).status == "succeeded"
    await world.quiet()


async def of_turns(world: World, trip: Json) -> list[str]:
    """The commands of a trip that the conversation's own turns gave rise to, in order."""
    rows = [row for row in await world.rows(commands, thread_id=trip["trip_id"]) if row.parent_command_id]
    asked = {"start_trip", "choose", "revise_trip", "cancel_trip", "withdraw"}
    return [row.kind for row in sorted(rows, key=lambda row: row.thread_seq) if row.kind in asked]


async def test_trips_chosen_changed_and_cancelled_by_words_are_each_taken_back_or_listed(
    world: World, tina: Person, rita: Person
) -> None:
    chat = await tina.chat()
    await chat.say(GREETING)
    await chat.say(PARIS)
    changed = await ticketed(tina, rita, await picks(tina, await chat.trip()))
    await chat.say("change it to 21 December")
    await chat.say("yes")
    assert (await tina.trip(changed["trip_id"]))["request"]["depart_on"] == "2026-12-21"

    await chat.say(MADRID)
    cancelled = await ticketed(tina, rita, await picks(tina, await chat.trip()))
    await chat.say("cancel the flight to Madrid")
    await chat.say("yes")
    assert (await tina.trip(cancelled["trip_id"]))["status"] == "waiting_review"

    await chat.say(TOKYO)
    await chat.say("option 2")
    await chat.say("yes")
    chosen = await chat.trip()
    assert chosen["status"] == "waiting_review"
    assert await of_turns(world, chosen) == ["start_trip", "choose"]
    assert await of_turns(world, changed) == ["start_trip", "revise_trip"]
    assert await of_turns(world, cancelled) == ["start_trip", "cancel_trip"]

    effects, preferences = world.effects(), (await tina.get("/me/preferences"))["wishes"]
    assert [w["position"] for w in preferences] == ["window"]
    await first_message(world, chat, "I would like an aisle seat")

    assert (await tina.trip(chosen["trip_id"]))["status"] == "withdrawn"
    given_back = effects.count("hold") - effects.count("pay")
    assert world.effects() == [*effects, *["cancel"] * given_back]  # what was only held, and nothing paid
    for trip in (changed, cancelled):
        now = await tina.trip(trip["trip_id"])
        assert now["status"] == "booked"
        assert [o["order_id"] for o in (*now["orders"], *now["other_live_bookings"])] == [trip["orders"][0]["order_id"]]
    assert sorted(o["id"] for o in world.orders()) == sorted(t["orders"][0]["order_id"] for t in (changed, cancelled))
    assert await rita.inbox() == []
    assert [w["position"] for w in (await tina.get("/me/preferences"))["wishes"]] == ["aisle"]
    told = "\n".join(await chat.told())
    assert told.count("was not taken back") == 2
    assert told.count("was withdrawn") == 1
    for trip in (changed, cancelled):
        assert trip["orders"][0]["booking_reference"] in told
    assert [m["text"] for m in (await chat.view())["messages"] if m["role"] == "user"] == ["I would like an aisle seat"]


async def test_trips_of_before_are_put_back_to_what_they_were_before_the_later_turns(
    world: World, tina: Person, rita: Person
) -> None:
    """Two trips stand when the message is said that is edited later: only what came after it is taken back."""
    chat = await tina.chat()
    await chat.say(MADRID)
    cancelled = await ticketed(tina, rita, await picks(tina, await chat.trip()))
    await chat.say(PARIS)
    changed = await ticketed(tina, rita, await picks(tina, await chat.trip()))
    await chat.say(GREETING)
    edited = len(await said_in(chat)) - 1
    await chat.say("change it to 21 December")
    await chat.say("yes")
    await chat.say("cancel the flight to Madrid")
    await chat.say("yes")
    assert (await tina.trip(cancelled["trip_id"]))["status"] == "waiting_review"
    assert (await tina.trip(changed["trip_id"]))["request"]["depart_on"] == "2026-12-21"
    await chat.say(TOKYO)
    started = await chat.trip()
    effects, guide = world.effects(), await walker(world, "tina")
    said = (await said_in(chat))[edited]
    await guide.gives(Kind.EDIT_MESSAGE, chat.conversation_id, message_id=said.message_id, text="I would like an aisle seat")
    await world.quiet()
    for trip in (changed, cancelled):
        now = await tina.trip(trip["trip_id"])
        assert (now["status"], now["orders"]) == ("booked", trip["orders"])
        assert (now["request"], now["other_live_bookings"]) == (trip["request"], [])
    assert (await tina.trip(started["trip_id"]))["status"] == "withdrawn"
    assert await rita.inbox() == []
    assert world.effects() == effects


async def test_a_cancellation_that_was_carried_out_is_not_undone_and_is_told(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say(GREETING)
    await chat.say(MADRID)
    trip = await ticketed(tina, rita, await picks(tina, await chat.trip()))
    await chat.say("cancel the flight to Madrid")
    await chat.say("yes")
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    await world.quiet()
    assert world.orders() == []
    effects = world.effects()
    await first_message(world, chat, "I would like an aisle seat")
    assert world.effects() == effects
    now = await tina.trip(trip["trip_id"])
    assert now["status"] in {"cancelled", "withdrawn"}
    assert now["other_live_bookings"] == []
