"""For operators and proxies: is it alive, is it ready, what is going on, and what the interface offers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from ..domain.clock import Clock
from ..persistence import signals
from ..persistence.database import Database, Tx
from ..views.operations import waiting_on_people
from .languages import preferred
from .metrics import MEDIA_TYPE, metrics_text
from .rest_page import POLICY, rest_page
from .schemas import Readiness

Check = Callable[[], Awaitable[bool]]
PATIENCE = 3.0  # seconds for a check
LASTS = 2.0  # seconds that a trial of the disk is good for


def routes(app: FastAPI, database: Database, checks: Mapping[str, Check], *, clock: Clock) -> APIRouter:
    """`checks` by name: the dispatcher's engine, the provider."""
    router = APIRouter(tags=["instruments"])
    writable = Writable(database)

    @router.get("/healthz")
    async def alive() -> dict[str, str]:
        """The process answers."""
        return {"status": "alive"}

    @router.get("/readyz", responses={503: {"model": Readiness}})
    async def ready() -> Readiness:
        """What it needs answers: database, storage, checkpoints, dispatcher, reconciler, provider.

        Not ready, it still answers what can be read. That purchases are paused, and how much waits for people, is told and
        makes nothing unready.
        """
        every = {"database": lambda: _database_answers(database), "storage": writable, **checks}
        answers = await asyncio.gather(*(_holds(check) for check in every.values()))
        holds = dict(zip(every, answers, strict=True))
        told = await _told(database, clock()) if holds["database"] else {}
        found = Readiness(ready=all(answers), checks=holds, **told)
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
class Writable:
    """A real write: a full or locked disk reads as well as any. At most one in two seconds, whoever asks how often."""

    database: Database
    seconds: Callable[[], float] = time.monotonic
    _begun: float = 0.0
    _trial: asyncio.Task[bool] | None = None

    async def __call__(self) -> bool:
        if self._trial is None or (self._trial.done() and self.seconds() - self._begun >= LASTS):
            self._begun = self.seconds()
            self._trial = asyncio.create_task(self._writes())
        return await asyncio.shield(self._trial)

    async def _writes(self) -> bool:
        try:
            await self.database.write(lambda tx: signals.bump(tx, "readyz"))
        except (SQLAlchemyError, OSError):
            return False
        return True


async def _holds(check: Check) -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            return await check()
    except TimeoutError:
        return False


async def _told(database: Database, now: datetime) -> dict[str, Any]:
    async def read(tx: Tx) -> dict[str, Any]:
        waiting = await waiting_on_people(tx, now=now)
        return {"paused": await signals.paused(tx) is not None, "waiting": waiting}

    try:
        return await database.read(read)
    except (SQLAlchemyError, OSError):
        return {}


async def _database_answers(database: Database) -> bool:
    async def one(tx: Tx) -> bool:
        return (await tx.execute(select(1))).scalar_one() == 1

    try:
        return await database.read(one)
    except (SQLAlchemyError, OSError):
        return False
