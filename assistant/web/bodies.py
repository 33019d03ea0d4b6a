"""What is read of a request: so much and no more, and JSON only as the standard has it."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any, NoReturn, cast

from starlette.types import Message, Receive

from ..domain.errors import Invalid
from .problems import TooLarge, TooSlow
from .stopping import Stopping

MOST_BYTES = 256 * 1024
MOST_LEVELS = 32
PATIENCE = 30.0  # seconds for a whole body


class Disconnected(Exception):
    """The caller went away while sending."""


def in_time(receive: Receive, *, patience: float, stopping: Stopping) -> Receive:
    """A `receive` that raises TooSlow (`too_slow`) where the body is not whole `patience` seconds from now, or when the server
    stops: nothing has been done yet. What comes after the body is waited for without a limit."""
    until, whole = asyncio.get_running_loop().time() + patience, False

    async def receiving() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        limit = asyncio.timeout_at(until)
        try:
            async with limit:
                stopping.ends(limit)
                message = await receive()
        except TimeoutError:
            raise TooSlow("too_slow") from None
        finally:
            stopping.lets_go(limit)
        whole = not message.get("more_body", False)
        return message

    return receiving


async def whole_body(receive: Receive, *, announced: str | None, most: int = MOST_BYTES) -> bytes:
    """Raises TooLarge (`too_large`) before more than `most` bytes are kept."""
    if announced is not None and (not announced.isdecimal() or int(announced) > most):
        raise TooLarge("too_large", most=most)
    chunks: list[bytes] = []
    read, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        chunk: bytes = message.get("body", b"")
        read += len(chunk)
        if read > most:
            raise TooLarge("too_large", most=most)
        chunks.append(chunk)
        more = message.get("more_body", False)
    return b"".join(chunks)


def replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body once and then waits for the caller to go, as the server does."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def checked_json(body: bytes) -> Any:
    """The value. Raises Invalid: `json_invalid`, `json_number` (NaN, infinite), `json_deep`, `text_invalid` (lone surrogates)."""
    try:
        value = json.loads(body.decode(), parse_constant=_no_number)
    except RecursionError:
        raise Invalid("json_deep", most=MOST_LEVELS) from None
    except ValueError:
        raise Invalid("json_invalid") from None
    _check(value)
    return value


def _no_number(_name: str) -> NoReturn:
    raise Invalid("json_number")


def _check(value: object) -> None:
    level: list[object] = [value]
    for _ in range(MOST_LEVELS + 1):
        inner: list[object] = []
        for entry in level:
            match entry:
                case str():
                    _check_text(entry)
                case float() if not math.isfinite(entry):
                    raise Invalid("json_number")
                case list():
                    inner += cast("list[object]", entry)
                case dict():
                    inner += cast("dict[object, object]", entry).keys()
                    inner += cast("dict[object, object]", entry).values()
                case _:
                    pass
        if not inner:
            return
        level = inner
    raise Invalid("json_deep", most=MOST_LEVELS)


def _check_text(text: str) -> None:
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise Invalid("text_invalid")
