"""`layover serve`: the web application on a port, with or without pages, until it is told to stop."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import timedelta
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI

from .booking.provider import SearchRequest
from .bootstrap import Layover, layover
from .demo import seed_demo
from .dispatch.rounds import Rounds
from .domain.errors import LayoverError
from .page_faces import Made, PageFaces
from .settings import ProviderKind, Settings, SettingsError
from .web.app import create_app
from .web.callers import Callers
from .web.guard import signed_in
from .web.passwords import Passwords
from .web.site import Site
from .web.stopping import Stopping


async def serve(settings: Settings, *, pages: bool) -> None:
    """Until SIGINT or SIGTERM; what runs comes to its end first."""
    async with layover(settings) as whole:
        _refuse_used_port(settings)
        passwords = await seed_demo(whole.database, settings.data_dir, clock=whole.clock) if settings.demo else {}
        stopping = Stopping()
        server = _Server(
            uvicorn.Config(
                web_app(whole, pages=pages, stopping=stopping),
                host=settings.host,
                port=settings.port,
                log_level="warning",
                access_log=False,
                timeout_graceful_shutdown=5,
                server_header=False,
            ),
            told=lambda port: _tell(settings, port, passwords, pages=pages),
            stopping=stopping,
        )
        await server.serve()


def web_app(whole: Layover, *, pages: bool, stopping: Stopping | None = None, passwords: Passwords | None = None) -> Any:
    settings = whole.settings
    site = Site(settings.host, str(settings.public_url) if settings.public_url else None)
    return create_app(
        service=whole.service,
        database=whole.database,
        site=site,
        clock=whole.clock,
        demo=settings.demo,
        pages=_pages(whole) if pages else None,
        checks={
            "checkpoints": _checkpoints_writable(whole.settings),
            "dispatcher": _goes_on(lambda: whole.dispatcher.rounds),
            "reconciler": _goes_on(lambda: whole.reconciler.rounds),
            "look_ups": _goes_on(lambda: whole.reconciler.look_ups),
            "provider": _provider_answers(whole),
        },
        checkpoints=whole.settings.data_dir / "checkpoints.db",
        passwords=passwords,
        stopping=stopping,
        patience=settings.body_timeout.total_seconds(),
    )


def _pages(whole: Layover) -> Callable[[FastAPI, Callers], None]:
    """Gradio is imported here and nowhere earlier: it costs seconds."""
    from ui.faces import Preview, SignedIn
    from ui.mount import mount_pages

    def mount(app: FastAPI, callers: Callers) -> None:
        sandbox = whole.settings.provider is ProviderKind.SANDBOX
        faces = PageFaces(whole.service, whole.database, callers, whole.clock, sandbox, Made(SignedIn, Preview))
        mount_pages(app, faces, auth_dependency=signed_in)

    return mount


def _goes_on(rounds: Callable[[], Rounds | None]) -> Callable[[], Awaitable[bool]]:
    async def goes_on() -> bool:
        turning = rounds()
        return turning is not None and turning.goes_on

    return goes_on


def _provider_answers(whole: Layover) -> Callable[[], Awaitable[bool]]:
    async def answers() -> bool:
        tomorrow = (whole.clock() + timedelta(days=1)).date()
        try:
            await whole.desk.shopping.search(SearchRequest(origin="PVD", destination="RAI", depart_on=tomorrow), fresh=False)
        except LayoverError:
            return False
        return True

    return answers


def _checkpoints_writable(settings: Settings) -> Callable[[], Awaitable[bool]]:
    where = f"{(settings.data_dir / 'checkpoints.db').resolve().as_uri()}?mode=rw"  # never made anew where it is gone

    def tried() -> bool:
        try:
            with closing(sqlite3.connect(where, uri=True, isolation_level=None, timeout=1)) as file:
                file.execute("BEGIN IMMEDIATE")
                file.execute("ROLLBACK")
        except sqlite3.DatabaseError:
            return False
        return True

    async def writable() -> bool:
        return await asyncio.to_thread(tried)

    return writable


def _refuse_used_port(settings: Settings) -> None:
    """Tried before anything is served, so that it is said as a setting. Raises SettingsError."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError as trouble:
        why = os.strerror(trouble.errno) if trouble.errno and trouble.errno > 0 else trouble  # of a name that is none: negative
        remedy = "End what listens there, or choose another port, for example layover serve --port 7861"
        raise SettingsError("LAYOVER_PORT", f"{settings.host}:{settings.port}: {why}", remedy) from None


class _Server(uvicorn.Server):
    """Says where it listens once it does, and to what is open that it stops."""

    def __init__(self, config: uvicorn.Config, *, told: Callable[[int], None], stopping: Stopping) -> None:
        super().__init__(config)
        self._told = told
        self._stopping = stopping

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._told(self.servers[0].sockets[0].getsockname()[1])

    async def shutdown(self, sockets: Any = None) -> None:
        self._stopping.say()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Not raised once more when all is served, as uvicorn does: the process would end before what is open here is closed."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def _tell(settings: Settings, port: int, passwords: dict[str, str], *, pages: bool) -> None:
    base = str(settings.public_url).rstrip("/") if settings.public_url else f"http://{settings.host}:{port}"
    lines = [f"Layover is ready at {base}"]
    if pages:
        lines += [f"  travellers  {base}/desk/", f"  reviewers   {base}/review/"]
    lines += [f"  REST        {base}/api/docs"]
    if settings.provider is ProviderKind.SANDBOX:
        lines += ["  The airline is the sandbox: no real ticket. 沙盒航司：不会真正出票。"]
    if passwords:
        lines += ["Demo people (sign in with a click, or by password):"]
        lines += [f"  {name:<6} {password}" for name, password in passwords.items()]
    print("\n".join(lines), file=sys.stdout, flush=True)
