"""Words put another way, and then again: each time what they led to is taken back, and nothing is said to have gone wrong."""

from __future__ import annotations

from assistant.persistence.tables import commands
from tests.stories.ways_back import TO_TOKYO, said_in
from tests.stories.world import Person, World


async def test_a_message_edited_three_times_leaves_one_trip_and_no_failure(world: World, tina: Person) -> None:
    chat = await tina.chat()
    await chat.say(TO_TOKYO)
    for day in (12, 13, 14):
        newest = (await said_in(chat))[-1]
        path = f"/conversations/{chat.conversation_id}/messages/{newest.message_id}/edit"
        await tina.does(path, {"text": f"From Shanghai to Tokyo on {day} December"})
        await world.quiet()
    trips = await chat.trips()
    assert [t["request"]["depart_on"] for t in trips if t["status"] == "choosing"] == ["2026-12-14"]
    assert [c.kind for c in await world.rows(commands) if c.status != "succeeded"] == []


async def test_a_reply_written_anew_again_and_again_leaves_one_trip_and_no_failure(world: World, tina: Person) -> None:
    chat = await tina.chat()
    await chat.say(TO_TOKYO)
    (message,) = await said_in(chat)
    for _ in range(3):
        await tina.does(f"/conversations/{chat.conversation_id}/messages/{message.message_id}/regenerate")
        await world.quiet()
    assert [t["status"] for t in await chat.trips()].count("choosing") == 1
    assert [(c.kind, c.error) for c in await world.rows(commands) if c.status != "succeeded"] == []
