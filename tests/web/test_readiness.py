"""Anybody may ask whether the product is ready, as often as they like: it is looked at only so often."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
from fastapi import FastAPI
from sqlalchemy import select

from assistant.domain.clock import system_clock
from assistant.persistence.database import Database
from assistant.persistence.migrating import migrate
from assistant.persistence.tables import changes
from assistant.web.instruments import LASTS, Lately, routes


async def test_however_many_ask_each_part_is_looked_at_once(data_dir: Path) -> None:
    database, looks, app = Database(f"sqlite+aiosqlite:///{data_dir / 'layover.db'}"), 0, FastAPI()
    await migrate(database)

    async def answers() -> bool:
        nonlocal looks
        looks += 1
        return True

    app.include_router(routes(app, database, {"airline": answers}, clock=system_clock))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as anybody:
        asked = await asyncio.gather(*(anybody.get("/readyz") for _ in range(20)))
    assert {answer.status_code for answer in asked} == {200}
    writes = await database.read(lambda tx: tx.execute(select(changes.c.counter).where(changes.c.scope == "readyz")))
    assert (looks, writes.scalar_one()) == (1, 1)
    await database.close()


async def test_what_was_found_is_looked_for_again_after_its_time() -> None:
    now, found = [0.0], iter(range(9))

    async def look() -> int:
        return next(found)

    lately = Lately(look, seconds=lambda: now[0])
    seen = []
    for now[0] in (0.0, LASTS / 2, LASTS, LASTS * 1.5, LASTS * 2):
        seen.append(await lately())
    assert seen == [0, 0, 1, 1, 2]
