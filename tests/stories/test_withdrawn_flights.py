"""A flight of a trip that is being taken back is wanted again: the new trip waits for the airline, and never books twice."""

from __future__ import annotations

from pathlib import Path

from assistant.domain.commands import Kind
from assistant.persistence.tables import operations, questions
from tests.stories.ways_back import said_in, ticketed, walker
from tests.stories.world import Chat, Json, Person, World, opened

TOKYO = "From Shanghai to Tokyo on 11 December"
LOST = {"match": {"op": "confirm", "nth": 1}, "fault": "timeout_after_apply"}
LOST_WITHOUT = {"match": {"op": "confirm", "nth": 1}, "fault": "timeout_before_apply"}


async def taken_back_and_wanted_again(world: World, tina: Person, fault: Json) -> tuple[Chat, Json, Json]:
    """A held trip is taken back by an edit, its release is lost on the way, and the same flight is chosen anew."""
    chat, guide = await tina.chat(), await walker(world, "tina")
    await chat.say(TOKYO)
    first = await chat.trip()
    held = next(o for o in first["offers"] if o["can_hold"])
    first = await tina.choose(first["trip_id"], held["n"])
    assert world.effects() == ["hold"]
    world.airline.put_faults([fault])
    said = (await said_in(chat))[0]
    await guide.gives(Kind.EDIT_MESSAGE, chat.conversation_id, message_id=said.message_id, text=TOKYO + ", please")
    second = await chat.trip()
    assert second["trip_id"] != first["trip_id"]
    same = next(o["n"] for o in second["offers"] if o["fare"]["segments"] == held["fare"]["segments"])
    return chat, first, await tina.choose(second["trip_id"], same)


async def test_it_waits_until_the_release_is_known_and_then_goes_on_by_itself(world: World, tina: Person, rita: Person) -> None:
    chat, first, second = await taken_back_and_wanted_again(world, tina, LOST)
    assert second["status"] == "checking"
    assert "trip you took back" in second["reason"]
    assert "goes on by" not in (await chat.told())[-1]
    assert "nothing is booked twice" in (await chat.told())[-1]
    assert await world.rows(operations, trip_id=second["trip_id"]) == []
    for _ in range(5):  # looked at again and again, nothing new is asked meanwhile
        await world.whole.reconciler.once()
    assert len(await world.rows(questions, thread_id=second["trip_id"], node="await_outcome")) == 1
    await world.until(lambda: has_status(tina, second, "waiting_review"))
    assert (await tina.trip(first["trip_id"]))["status"] == "withdrawn"
    assert (await ticketed(tina, rita, await tina.trip(second["trip_id"])))["status"] == "booked"
    assert [effect for effect in world.effects() if effect != "pay"] == ["hold", "cancel", "hold"]
    assert len(world.orders()) == 1


async def has_status(person: Person, trip: Json, status: str) -> bool:
    return (await person.trip(trip["trip_id"]))["status"] == status


async def test_a_process_that_ends_while_it_waits_goes_on_in_the_next(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        _, _, second = await taken_back_and_wanted_again(world, await world.person("tina"), LOST)
        assert second["status"] == "checking"
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        await world.until(lambda: has_status(tina, second, "waiting_review"))
        assert (await ticketed(tina, rita, await tina.trip(second["trip_id"])))["status"] == "booked"
        asked = await world.rows(questions, thread_id=second["trip_id"], node="await_outcome")
        assert [q.status for q in asked if q.body["gives_back"]] == ["answered"]
        assert len(world.orders()) == 1


async def test_where_nobody_can_say_it_is_a_matter_for_a_person_and_the_trip_is_free_again(
    world: World, tina: Person, rita: Person
) -> None:
    chat, first, second = await taken_back_and_wanted_again(world, tina, LOST_WITHOUT)
    assert second["status"] == "checking"
    await world.until(lambda: has_status(tina, second, "choosing"), step=60)
    assert (await tina.trip(first["trip_id"]))["status"] == "needs_person"
    assert any("a person is finding out" in text for text in (await chat.told())[-2:])
    other = next(o["n"] for o in second["offers"] if o["fare"]["segments"] != second["chosen"]["segments"])
    now = await ticketed(tina, rita, await tina.choose(second["trip_id"], other))
    assert now["status"] == "booked"
    assert [effect for effect in world.effects() if effect == "cancel"] == []


async def test_one_that_waits_can_be_led_elsewhere(world: World, tina: Person, rita: Person) -> None:
    _, _, second = await taken_back_and_wanted_again(world, tina, LOST)
    other = next(o["n"] for o in second["offers"] if o["fare"]["segments"] != second["chosen"]["segments"])
    await tina.does(f"/trips/{second['trip_id']}/revision", {"offer": other})
    now = await ticketed(tina, rita, await tina.trip(second["trip_id"]))
    assert now["status"] == "booked"
    await world.later(120)
    assert len(world.orders()) == 1
