"""The whole product with its business tables in PostgreSQL: booked, gone back, and started again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.stories.world import offer, opened

pytestmark = pytest.mark.postgres


async def test_booked_and_gone_back_on_postgresql(data_dir: Path, fresh_postgres_url: str) -> None:
    async with opened(data_dir, database_url=fresh_postgres_url) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        chat = await tina.chat()
        await chat.say("A window seat please, one person from Shanghai to Tokyo on 11 December")
        trip = await chat.trip()
        trip = await tina.choose(trip["trip_id"], offer(trip, can_hold=True)["n"])
        await rita.decides(trip["review_id"], "approve")
        await world.later(5)
        trip = await tina.trip(trip["trip_id"])
        assert trip["status"] == "booked"
        made = world.effects()

        versions = (await rita.get(f"/threads/{trip['trip_id']}/versions"))["versions"]
        choice = next(v for v in versions if v["step"] == "choose")
        body = {"to_version": choice["version"], "seen_version": versions[0]["version"], "reason": "looked at again"}
        await rita.does(f"/threads/{trip['trip_id']}/rewind", body)
        assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
        assert world.effects() == made

    async with opened(data_dir, database_url=fresh_postgres_url) as again:
        tina = await again.person("tina")
        assert (await tina.trip(trip["trip_id"]))["orders"][0]["booking_reference"]
