"""The guard in front of the Gradio mounts: who may open a page, what of Gradio is reachable, and whose browser tab is whose.

Gradio checks none of this: a private handler runs by its number for whoever may reach the mount, another user's `session_hash`
reads their state, uploads have no owner. So what is not needed is closed, and a hash belongs to the first user who shows it.
Authority stays with the service; this only keeps strangers out.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..domain.errors import Forbidden, Invalid, LayoverError, NotFound
from .bodies import Disconnected, checked_json, replayed, whole_body
from .callers import FACES, Caller, Callers, Face
from .early_script import early_script
from .edge import READS
from .languages import preferred
from .problems import Unauthenticated, problem

CSP = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
    "frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
)
OURS = frozenset({"/sign-in", "/sign-in/demo", "/sign-out", "/preferences", "/language", "/me/changes"})
STATIC = re.compile(r"/(assets|static|svelte)/.+|/(theme\.css|favicon\.ico|manifest\.json)|/gradio_api/(app_id|startup-events)/?")
CLOSED_PAGES = (
    "login|login_check|logout|docs|redoc|info|monitoring|robots\\.txt|app_id|openapi\\.json|profiling|pwa_icon|runs|token|user"
)
READABLE = re.compile(
    rf"/?|/config/?|/(?!(?:{CLOSED_PAGES})/?$)[a-z][a-z-]{{0,30}}/?|/trips/[A-Za-z0-9-]+/(receipt|itinerary\.ics)"
    r"|/gradio_api/(queue/(data|status)|heartbeat/[A-Za-z0-9_-]+)"
)
WRITABLE = re.compile(r"/gradio_api/(queue/join|cancel|reset)/?")
HEARTBEAT = re.compile(r"/gradio_api/heartbeat/([^/]+)")
MOST_BYTES = 1024 * 1024
TABS_OF_ONE = 200
TABS = 20_000


class Tabs:
    """Which user a browser tab's `session_hash` belongs to: the first who showed it. The oldest are forgotten first."""

    def __init__(self, *, of_one: int = TABS_OF_ONE, of_all: int = TABS) -> None:
        self._owner: OrderedDict[str, str] = OrderedDict()
        self._of_one, self._of_all = of_one, of_all
        self._by_owner: dict[str, OrderedDict[str, None]] = {}

    def belongs(self, session_hash: str, owner: str) -> bool:
        known = self._owner.get(session_hash)
        if known is not None and known != owner:
            return False
        self._owner[session_hash] = owner
        self._owner.move_to_end(session_hash)
        mine = self._by_owner.setdefault(owner, OrderedDict())
        mine[session_hash] = None
        mine.move_to_end(session_hash)
        if len(mine) > self._of_one:  # nobody pushes out the tabs of others
            self._forget(next(iter(mine)))
        if len(self._owner) > self._of_all:
            self._forget(next(iter(self._owner)))
        return True

    def _forget(self, session_hash: str) -> None:
        owner = self._owner.pop(session_hash)
        mine = self._by_owner[owner]
        del mine[session_hash]
        if not mine:
            del self._by_owner[owner]


class Guard:
    """`app` is everything behind; only paths under a face are looked at. The caller is left at `scope["state"]["caller"]`."""

    def __init__(self, app: ASGIApp, *, callers: Callers, tabs: Tabs | None = None) -> None:
        self._app = app
        self._callers = callers
        self._tabs = tabs or Tabs()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        face = _face(scope)
        if face is None:
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no websocket is used here
        send = _with_policy(send)
        try:
            await self._guarded(face, scope, receive, send)
        except Disconnected:
            return
        except LayoverError as error:
            await problem(error, preferred(Headers(scope=scope).get("accept-language")))(scope, receive, send)

    async def _guarded(self, face: Face, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(f"/{face}")
        connection = HTTPConnection(scope)
        if scope["method"] not in READS:
            self._callers.from_own_page(connection)
        if path in OURS or STATIC.fullmatch(path):
            await self._app(scope, receive, send)
            return
        if not (READABLE if scope["method"] in READS else WRITABLE).fullmatch(path):
            raise NotFound("not_found", what="page")
        caller = await self._callers.at(face, connection)
        if caller is None:
            await _to_sign_in(face, scope, receive, send)
            return
        scope.setdefault("state", {})["caller"] = caller
        receive = await self._with_own_tab(caller, face, scope, receive)
        if _asks_for_page(scope):
            scope, send = _undressed(scope), _with_script(send, early_script(caller.user.language))
        await self._app(scope, receive, send)

    async def _with_own_tab(self, caller: Caller, face: Face, scope: Scope, receive: Receive) -> Receive:
        hashes = parse_qs(scope["query_string"].decode("latin-1")).get("session_hash", [])
        if beat := HEARTBEAT.search(scope["path"]):
            hashes.append(beat[1])
        if scope["method"] not in READS:
            body = await whole_body(receive, announced=Headers(scope=scope).get("content-length"), most=MOST_BYTES)
            hashes += _hashes(body)
            receive = replayed(body, receive)
        owner = f"{face}:{caller.user.user_id}"
        if not all(self._tabs.belongs(session_hash, owner) for session_hash in hashes):
            raise Forbidden("forbidden")
        return receive


def caller_of(request: Request) -> Caller | None:
    """Who the guard found, for handlers behind it."""
    return getattr(request.state, "caller", None)


def signed_in(request: Request) -> str | None:
    """The user's id: Gradio's `auth_dependency`."""
    caller = caller_of(request)
    return caller.user.user_id if caller else None


def _face(scope: Scope) -> Face | None:
    path = scope.get("path", "")
    return next((face for face in FACES if path == f"/{face}" or path.startswith(f"/{face}/")), None)


def _hashes(body: bytes) -> list[str]:
    """A body of these routes is a JSON object with the tab's hash in it."""
    value: Any = checked_json(body)
    named = value.get("session_hash") if isinstance(value, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if not isinstance(named, str) or not named:
        raise Invalid("invalid", fields=["session_hash"])
    return [named]


def _asks_for_page(scope: Scope) -> bool:
    return scope["method"] == "GET" and "text/html" in Headers(scope=scope).get("accept", "")


async def _to_sign_in(face: Face, scope: Scope, receive: Receive, send: Send) -> None:
    if not _asks_for_page(scope):
        raise Unauthenticated("unauthenticated")
    query = scope["query_string"].decode("latin-1")
    wanted = scope["path"] + (f"?{query}" if query else "")
    away = RedirectResponse(f"/{face}/sign-in?next={quote(wanted, safe='/')}", 303, {"Cache-Control": "no-store"})
    await away(scope, receive, send)


def _undressed(scope: Scope) -> Scope:
    """A page is changed on its way out, so it must not come compressed."""
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name.lower() != b"accept-encoding"]}


def _with_policy(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("Content-Security-Policy", CSP)
        await send(message)

    return sending


def _with_script(send: Send, script: bytes) -> Send:
    """Right after <head>: what Gradio adds itself runs too late to choose language and theme."""
    return _Inserting(send, script)


class _Inserting:
    def __init__(self, send: Callable[[Message], Awaitable[None]], script: bytes) -> None:
        self._send = send
        self._script = script
        self._start: Message | None = None
        self._page = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._page += message.get("body", b"")
            if not message.get("more_body", False):
                await self._finish(self._start)

    async def _finish(self, start: Message) -> None:
        page = self._page.replace(b"<head>", b"<head>" + self._script, 1)
        headers = MutableHeaders(scope=start)
        headers["Content-Length"] = str(len(page))
        headers["Cache-Control"] = "no-store"
        await self._send(start)
        await self._send({"type": "http.response.body", "body": page, "more_body": False})


def _is_page(message: Message) -> bool:
    return MutableHeaders(scope=message).get("content-type", "").startswith("text/html")
