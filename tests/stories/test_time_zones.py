"""Deadlines in the chat are in the traveller's own zone, the one their page told us."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from assistant.persistence import users
from assistant.persistence.tables import users as users_table
from tests.stories.world import Person, World


async def test_a_deadline_is_told_in_the_zone_of_the_travellers_page(world: World, tina: Person) -> None:
    row = (await world.rows(users_table, name="tina"))[0]
    await world.whole.database.write(lambda tx: users.set_preferences(tx, row.user_id, timezone="Asia/Shanghai"))
    chat = await tina.chat()
    await chat.say("One person from Shanghai to Tokyo on 11 December")
    trip = await chat.trip()
    trip = await tina.choose(trip["trip_id"], 1)
    deadline = datetime.fromisoformat(trip["question"]["deadline"])
    there = deadline.astimezone(ZoneInfo("Asia/Shanghai"))
    assert f"{there:%H:%M}" in (await chat.told())[-1]
    assert f"{deadline:%H:%M}" not in (await chat.told())[-1]
