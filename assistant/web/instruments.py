"""For operators and proxies: is it alive, is it ready, what is going on, and what the interface offers."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from graphs.trip import ASKS

from ..domain.clock import Clock
from ..persistence import restores, signals, standing
from ..persistence.database import Database, Tx
from ..views.operations import waiting_on_people
from .languages import preferred
from .metrics import MEDIA_TYPE, metrics_text
from .rest_page import POLICY, rest_page
from .schemas import Readiness

Check = Callable[[], Awaitable[bool]]
Found = TypeVar("Found")
PATIENCE = 3.0  # seconds for a check
LASTS = 2.0  # seconds that an answer is good for


def routes(
    app: FastAPI, database: Database, checks: Mapping[str, Check], *, clock: Clock, checkpoints: Path | None = None
) -> APIRouter:
    """`checks` by name: the dispatcher's engine, the provider. `checkpoints`: the file where the threads' steps are kept."""
    router = APIRouter(tags=["instruments"])
    own = {"database": partial(_database_answers, database), "storage": partial(_takes_a_write, database)}
    every = {name: Lately(check) for name, check in {**own, **checks}.items()}
    told = Lately(lambda: _told(database, clock(), checkpoints))

    @router.get("/healthz")
    async def alive() -> dict[str, str]:
        """The process answers."""
        return {"status": "alive"}

    @router.get("/readyz", responses={503: {"model": Readiness}})
    async def ready() -> Readiness:
        """What it needs answers: database, storage, checkpoints, dispatcher, reconciler, look-ups, provider.

        Not ready, it still answers what can be read. That purchases are paused, that a backup was put back and is not settled,
        and how much waits for people, is told and makes nothing unready. An answer is good for two seconds.
        """
        answers = await asyncio.gather(*(_holds(check) for check in every.values()))
        holds = dict(zip(every, answers, strict=True))
        known = await told() if holds["database"] else {}
        found = Readiness(ready=all(answers), checks=holds, **known)
        return found if found.ready else JSONResponse(found.model_dump(), 503)  # type: ignore[return-value]

    @router.get("/metrics", response_class=Response)
    async def metrics() -> Response:
        """For Prometheus."""
        return Response(await database.read(metrics_text), media_type=MEDIA_TYPE)

    @router.get("/api/docs", include_in_schema=False)
    async def docs(request: Request) -> Response:
        language = preferred(request.headers.get("accept-language"))
        return HTMLResponse(rest_page(app.openapi(), language), headers={"Content-Security-Policy": POLICY})

    return router


@dataclass
class Lately(Generic[Found]):
    """Looked for at most once in two seconds, whoever asks how often: anybody may ask, and looking takes locks."""

    look: Callable[[], Awaitable[Found]]
    seconds: Callable[[], float] = time.monotonic
    _begun: float = 0.0
    _found: asyncio.Future[Found] | None = None

    async def __call__(self) -> Found:
        if self._found is None or (self._found.done() and self.seconds() - self._begun >= LASTS):
            self._begun = self.seconds()
            self._found = asyncio.ensure_future(self.look())
        return await asyncio.shield(self._found)


async def _holds(check: Check) -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            return await check()
    except TimeoutError:
        return False


async def _told(database: Database, now: datetime, checkpoints: Path | None) -> dict[str, Any]:
    async def read(tx: Tx) -> dict[str, Any]:
        waiting = await waiting_on_people(tx, now=now) | await _standing_still(tx, now=now, checkpoints=checkpoints)
        mark = await restores.restored(tx)
        told = f"{mark}: {restores.WHAT_TO_DO}" if mark is not None else None
        return {"paused": await signals.paused(tx) is not None, "restored": told, "waiting": waiting}

    try:
        return await database.read(read)
    except (SQLAlchemyError, sqlite3.Error, OSError):
        return {}


async def _standing_still(tx: Tx, *, now: datetime, checkpoints: Path | None) -> dict[str, int]:
    """What `layover doctor` would name one by one; as numbers only."""
    overdue = [c for c in await standing.open_commands(tx) if standing.is_overdue(c, since=now - standing.LONG)]
    asked = await standing.waiting_questions(tx)
    lost = {q.question_id for q in asked if standing.is_another_versions(q, asks=ASKS)}
    if checkpoints is not None:
        kept = await asyncio.to_thread(standing.checkpoints_of, checkpoints, asked)
        lost |= {q.question_id for q in asked if standing.has_lost_its_step(q, kept=kept)}
    return {"overdue": len(overdue), "stranded": len(lost)}


async def _takes_a_write(database: Database) -> bool:
    """A real one: a full or locked disk reads as well as any."""
    try:
        await database.write(lambda tx: signals.bump(tx, "readyz"))
    except (SQLAlchemyError, OSError):
        return False
    return True


async def _database_answers(database: Database) -> bool:
    async def one(tx: Tx) -> bool:
        return (await tx.execute(select(1))).scalar_one() == 1

    try:
        return await database.read(one)
    except (SQLAlchemyError, OSError):
        return False
