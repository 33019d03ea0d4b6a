"""Two tickets side by side: the chat names the new one as the new one, and says before a yes what becomes of the old one."""

from __future__ import annotations

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
