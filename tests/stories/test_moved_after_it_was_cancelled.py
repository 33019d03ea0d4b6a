"""News of a moved flight comes after its ticket was cancelled: nobody flies on that one, and it claims nothing any more."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import insert

from assistant.doctor import examine
from assistant.persistence.tables import claims
from assistant.persistence.tables import orders as orders_table
from tests.stories.test_moved_and_wanted_again import renumbered
from tests.stories.ways_back import TO_TOKYO, booked, books
from tests.stories.world import Json, Person, World, opened


async def cancelled(world: World, tina: Person, rita: Person) -> Json:
    """A booked trip whose flight is moved, and that is cancelled before anybody hears of it."""
    _, trip = await booked(tina, rita, seats={})
    world.airline.put_faults([{"match": {"op": "webhook", "nth": 1}, "fault": "webhook_reorder"}])
    renumbered(world, trip["orders"][0]["order_id"])
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    trip = await tina.trip(trip["trip_id"])
    assert (trip["status"], world.orders(), await world.rows(claims)) == ("cancelled", [], [])
    return trip


async def test_it_claims_no_flight_again_and_the_trip_stays_cancelled(world: World, tina: Person, rita: Person) -> None:
    trip = await cancelled(world, tina, rita)
    await world.later(10)
    await world.quiet()
    assert await world.rows(claims) == []
    assert (await tina.trip(trip["trip_id"]))["status"] == "cancelled"
    assert await examine(world.whole.database, world.whole.settings) == 0


async def test_what_an_order_that_is_over_still_claims_is_named_and_given_back_at_the_next_start(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        trip = await cancelled(world, tina, rita)
        (order,) = await world.rows(orders_table)
        (passenger,) = order.itinerary["passenger_ids"]
        whose = {"tenant_id": order.tenant_id, "mode": order.mode, "create_id": order.create_id, "trip_id": order.trip_id}
        left = [whose | {"segment_key": key, "passenger_id": passenger} for key in order.itinerary["segment_keys"]]
        await world.whole.database.write(lambda tx: tx.execute(insert(claims).values(left)))
        assert await examine(world.whole.database, world.whole.settings) == 1
        assert "Start the server (layover serve), anew if it runs: it gives the flight back." in capsys.readouterr().out
    async with opened(data_dir) as world:
        assert await world.rows(claims) == []
        tina, rita = await world.person("tina"), await world.person("rita")
        chat = await tina.chat()
        await chat.say(TO_TOKYO)
        again = await books(tina, rita, await chat.trip(), seats={})
        assert (again["status"], len(world.orders())) == ("booked", 1)
        assert await world.rows(claims) != []
        assert again["trip_id"] != trip["trip_id"]
    async with opened(data_dir) as world:
        assert await world.rows(claims) != []  # of what is booked nothing is given back
