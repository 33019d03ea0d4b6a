"""The outermost layer: the name called, the request's id, the size, form and time of what is sent, the headers of answers."""

from __future__ import annotations

import re
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..domain.errors import Invalid, LayoverError
from .bodies import PATIENCE, Disconnected, checked_json, in_time, replayed, whole_body
from .languages import preferred
from .problems import problem
from .site import Site
from .stopping import EndingStreams, Stopping

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
READS = frozenset({"GET", "HEAD", "OPTIONS"})
INSTRUMENTS = frozenset({"/healthz", "/readyz", "/metrics"})  # probes ask by address
STRICT = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"


class Edge:
    """`pages`: path prefixes whose bodies are read elsewhere. `patience`: seconds in which a body must be there."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        site: Site,
        pages: tuple[str, ...],
        stopping: Stopping | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._stopping = stopping or Stopping()
        self._app = EndingStreams(app, stopping=self._stopping)
        self._patience = patience
        self._site = site
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("x-request-id")
        request_id = given if given and REQUEST_ID.fullmatch(given) else str(uuid4())
        scope.setdefault("state", {})["request_id"] = request_id
        answer = _with_headers(send, request_id)
        try:
            receive = await self._checked(scope, headers, receive)
        except Disconnected:
            return
        except LayoverError as error:
            await problem(error, preferred(headers.get("accept-language")))(scope, receive, answer)
            return
        await self._app(scope, receive, answer)

    async def _checked(self, scope: Scope, headers: Headers, receive: Receive) -> Receive:
        if scope["path"] not in INSTRUMENTS and not self._site.answers_to(headers.get("host")):
            raise Invalid("host_unknown")
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            raise Invalid("text_invalid")
        if scope["method"] in READS:
            return receive
        receive = in_time(receive, patience=self._patience, stopping=self._stopping)
        if self._is_page(scope["path"]):
            return receive
        body = await whole_body(receive, announced=headers.get("content-length"))
        if body and "json" in headers.get("content-type", "json"):
            checked_json(body)
        return replayed(body, receive)

    def _is_page(self, path: str) -> bool:
        return any(path == page or path.startswith(f"{page}/") for page in self._pages)


def _with_headers(send: Send, request_id: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name in [n for n in headers if n.startswith("access-control-")]:
                del headers[name]  # nobody else's page may read an answer
            headers["X-Request-ID"] = request_id
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Referrer-Policy"] = "same-origin"
            headers.setdefault("Content-Security-Policy", STRICT)
            headers.setdefault("X-Frame-Options", "DENY")
        await send(message)

    return sending
