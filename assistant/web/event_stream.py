"""Server-sent events out of the service's own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi.responses import StreamingResponse

Happened = tuple[int, str, dict[str, Any]]
HIGHEST = 2**31 - 1  # of an event's number
BEAT = 15.0  # seconds of silence before a comment keeps proxies from closing
LONGEST = 600.0  # then the browser comes back by itself, and is asked again who it is


def streamed(events: AsyncIterator[Happened], *, beat: float = BEAT, longest: float = LONGEST) -> StreamingResponse:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(written(events, beat=beat, longest=longest), media_type="text/event-stream", headers=headers)


async def written(events: AsyncIterator[Happened], *, beat: float, longest: float) -> AsyncIterator[str]:
    """Ends with the events, or after `longest` seconds."""
    end = asyncio.get_running_loop().time() + longest
    coming = asyncio.ensure_future(anext(events, None))
    yield "retry: 2000\n\n"
    try:
        while asyncio.get_running_loop().time() < end:
            done, _ = await asyncio.wait({coming}, timeout=beat)
            if not done:
                yield ": still here\n\n"
                continue
            happened = coming.result()
            if happened is None:
                return
            yield _line(*happened)
            coming = asyncio.ensure_future(anext(events, None))
    finally:
        coming.cancel()
        await asyncio.wait({coming})


def _line(number: int, kind: str, body: dict[str, Any]) -> str:
    """A piece has no number: who comes back reads the whole reply instead."""
    numbered = "" if kind == "piece" else f"id: {number}\n"
    return f"{numbered}event: {kind}\ndata: {json.dumps(body, ensure_ascii=False, default=str)}\n\n"
