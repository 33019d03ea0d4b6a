"""The server has been told to stop: what would stay open for long is ended then, all else comes to its own end."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STREAM = "text/event-stream"


class Stopping:
    """Said once, in the server's own loop."""

    def __init__(self) -> None:
        self._limits: set[asyncio.Timeout] = set()
        self._said = False

    def say(self) -> None:
        self._said = True
        for limit in self._limits:
            _over(limit)

    def ends(self, limit: asyncio.Timeout) -> None:
        """A limit that has been entered is over at the latest when the server stops."""
        self._limits.add(limit)
        if self._said:
            _over(limit)

    def lets_go(self, limit: asyncio.Timeout) -> None:
        self._limits.discard(limit)


class EndingStreams:
    """An event stream has no end of its own: it is cut between two events when the server stops, and its answer is whole.

    Whatever else is answered is left alone, and so is a cancellation by anybody else.
    """

    def __init__(self, app: ASGIApp, *, stopping: Stopping) -> None:
        self._app = app
        self._stopping = stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        limit, streams = asyncio.timeout(None), False

        async def sending(message: Message) -> None:
            nonlocal streams
            if message["type"] == "http.response.start" and _is_stream(message):
                streams = True
                self._stopping.ends(limit)
            elif message["type"] == "http.response.body" and not message.get("more_body", False):
                streams = False
            await send(message)

        try:
            async with limit:
                await self._app(scope, receive, sending)
        except TimeoutError:
            if not limit.expired():
                raise
            if streams:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._stopping.lets_go(limit)


def _is_stream(start: Message) -> bool:
    return Headers(raw=start["headers"]).get("content-type", "").startswith(STREAM)


def _over(limit: asyncio.Timeout) -> None:
    limit.reschedule(asyncio.get_running_loop().time())
