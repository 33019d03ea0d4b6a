"""A database that is busy for too long is no failure of the product's: 503, and the same key may be sent again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from assistant.persistence.database import Database, Tx
from assistant.web.problems import install


async def test_a_locked_database_is_said_to_be_busy_for_now() -> None:
    app = FastAPI()
    install(app)

    @app.get("/locked")
    async def locked() -> None:
        raise OperationalError("BEGIN IMMEDIATE", None, Exception("database is locked"))

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        answer = await client.get("/locked")
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "unavailable", "1")


async def test_two_hundred_writers_at_once_each_get_their_turn_in_the_order_they_came(data_dir: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{data_dir / 'layover.db'}")

    async def create(tx: Tx) -> None:
        await tx.execute(text("CREATE TABLE line (n INTEGER PRIMARY KEY AUTOINCREMENT, who INTEGER)"))

    async def stands(who: int) -> None:
        async def write(tx: Tx) -> None:
            await tx.execute(text("INSERT INTO line (who) VALUES (:who)"), {"who": who})

        await database.write(write)

    async def order(tx: Tx) -> list[int]:
        return list((await tx.execute(text("SELECT who FROM line ORDER BY n"))).scalars())

    try:
        await database.write(create)
        await asyncio.gather(*(stands(who) for who in range(200)))
        assert await database.read(order) == list(range(200))
    finally:
        await database.close()
