"""The web application: REST, sign-in, instruments, and whatever pages are added, behind one edge and one guard."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from fastapi import APIRouter, FastAPI
from fastapi.responses import RedirectResponse
from starlette.types import ASGIApp

from ..domain.clock import Clock, system_clock
from ..persistence.database import Database
from . import instruments, problems
from .attempts import Attempts
from .bodies import PATIENCE
from .callers import API, FACES, Callers
from .door import Door, Travel
from .edge import Edge
from .guard import Guard, Tabs
from .instruments import Check
from .passwords import Passwords
from .problems import Problem
from .routes import conversations, me, operations, reviews, threads, trips
from .signing_in import SigningIn
from .site import Site
from .stopping import Stopping

Pages = Callable[[FastAPI, Callers], None]


def create_app(
    *,
    service: Travel,
    database: Database,
    site: Site,
    clock: Clock = system_clock,
    demo: bool = False,
    pages: Pages | None = None,
    checks: Mapping[str, Check] | None = None,
    checkpoints: Path | None = None,
    passwords: Passwords | None = None,
    seconds: Callable[[], float] = time.monotonic,
    stopping: Stopping | None = None,
    patience: float = PATIENCE,
) -> ASGIApp:
    """`pages` mounts what people see at /desk and /review; `checks` say whether the parts behind are ready, `checkpoints`
    is the file of the threads' steps.

    `seconds` is a monotonic clock for limits; `clock` tells when a sign-in ends. `demo` offers the demo people, and only where
    the site is local. When `stopping` is said, open streams end; `patience` is how many seconds a body may take.
    """
    app = FastAPI(title="Layover", version="1", openapi_url="/api/openapi.json", docs_url=None, redoc_url=None)
    problems.install(app)
    callers = Callers(database, clock=clock, site=site)
    app.include_router(_rest(Door(service, database, callers)))
    app.include_router(instruments.routes(app, database, checks or {}, clock=clock, checkpoints=checkpoints))
    signing_in = SigningIn(
        database=database,
        callers=callers,
        passwords=passwords or Passwords(),
        attempts=Attempts(seconds),
        site=site,
        clock=clock,
        demo=demo,
    )
    app.include_router(signing_in.router())
    app.add_api_route("/", _home, include_in_schema=False)
    if pages is not None:
        pages(app, callers)
    guarded, faces = Guard(app, callers=callers, tabs=Tabs()), tuple(f"/{face}" for face in FACES)
    return Edge(guarded, site=site, pages=faces, stopping=stopping, patience=patience)


def _rest(door: Door) -> APIRouter:
    api = APIRouter(prefix=API, responses={422: {"model": Problem}, "default": {"model": Problem}})
    for noun in (conversations, trips, threads, reviews, me, operations):
        api.include_router(noun.routes(door))
    return api


async def _home() -> RedirectResponse:
    return RedirectResponse("/desk/", 303)
