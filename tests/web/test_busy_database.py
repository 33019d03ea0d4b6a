"""A database that is busy for too long is no failure of the product's: 503, and the same key may be sent again."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from assistant.persistence.database import Database, Tx
from assistant.web.problems import install


@pytest.mark.parametrize(
    ("sqlite_code", "status", "code"),
    [
        (sqlite3.SQLITE_BUSY, 503, "unavailable"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, 503, "unavailable"),
        (sqlite3.SQLITE_FULL, 503, "storage"),
        (sqlite3.SQLITE_IOERR_WRITE, 503, "storage"),
        (sqlite3.SQLITE_READONLY, 503, "storage"),
        (sqlite3.SQLITE_ERROR, 500, "failed"),
        (sqlite3.SQLITE_CORRUPT, 500, "failed"),
    ],
)
async def test_what_a_disk_does_is_said_and_what_is_a_fault_of_ours_stays_one(sqlite_code: int, status: int, code: str) -> None:
    app = FastAPI()
    install(app)
    cause = sqlite3.OperationalError("as the disk says")
    cause.sqlite_errorcode = sqlite_code

    @app.get("/stored")
    async def stored() -> None:
        raise OperationalError("BEGIN IMMEDIATE", None, cause)

    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        for language in ("zh", "en"):
            answer = await client.get("/stored", headers={"accept-language": language})
            assert (answer.status_code, answer.json()["code"]) == (status, code)
            assert (status == 503) == ("retry-after" in answer.headers)
            assert "as the disk says" not in answer.text


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
