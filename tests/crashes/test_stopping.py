"""A server that is told to stop: streams end, what runs comes to its end, nothing is logged, and its exit is no failure."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from sqlalchemy import select

from assistant.persistence.tables import runs
from tests.crashes.disasters import submitted
from tests.crashes.lives import Spawned
from tests.crashes.site import Site


async def test_a_server_told_to_stop_ends_its_streams_and_what_runs_and_says_nothing(data_dir: Path) -> None:
    async with Site(data_dir) as site, AsyncExitStack() as open_streams:
        trip = await submitted(site, can_hold=True)
        url, headers = f"{site.url}/api/v1/conversations/{trip.chat}/events", {"authorization": f"Bearer {site.tokens['tina']}"}
        asked = [site.http.stream("GET", url, headers=headers) for _ in range(2)]
        streams = [await open_streams.enter_async_context(each) for each in asked]
        parts = [stream.aiter_bytes() for stream in streams]
        assert [await anext(part) for part in parts] == [b"retry: 2000\n\n"] * 2
        assert (await trip.approve()).status_code == 202
        assert isinstance(site.life, Spawned)
        site.life.tell_to_stop()
        for part in parts:
            async for _ in part:  # a stream cut off in the middle raises
                pass
        await site.life.wait()
        assert (site.life.status, site.log()) == (0, "")
        ended = await site.database.read(lambda tx: tx.execute(select(runs.c.ended_at)))
        assert None not in [row.ended_at for row in ended.all()]
