"""A body that does not come to its end, over real sockets: told so after a while, and let go."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn

from assistant.web.app import create_app
from assistant.web.site import Site

from .conftest import World, quick

PATIENCE = 0.3
EVERY = 0.05  # seconds between two bytes of somebody who sends slowly and for ever


@pytest.fixture
async def port(world: World) -> AsyncIterator[int]:
    app = create_app(
        service=world.service, database=world.database, site=Site(), clock=world.clock, passwords=quick(), patience=PATIENCE
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        serving = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on", access_log=False, ws="none"))
        running = asyncio.ensure_future(serving.serve([listening]))
        yield listening.getsockname()[1]
        serving.should_exit = True
        await running


async def half_sent(port: int, path: str, language: str, *, then_slowly: bool) -> tuple[int, dict[str, Any]]:
    """The answer to a body of which three bytes come, or one after the other; the connection is closed with it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    ours = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nAccept-Language: {language}"
    writer.write(f"POST {path} HTTP/1.1\r\n{ours}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n".encode())
    writer.write(b'{"t')
    answered = asyncio.ensure_future(reader.read())
    while then_slowly and not answered.done():
        writer.write(b"e")
        await asyncio.wait({answered}, timeout=EVERY)
    head, _, body = (await answered).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split()[1]), json.loads(body)


@pytest.mark.parametrize("then_slowly", [False, True])
@pytest.mark.parametrize(("language", "words"), [("zh", "没有及时发完"), ("en", "did not arrive in time")])
@pytest.mark.parametrize("path", ["/api/v1/conversations", "/desk/sign-in"])
async def test_a_body_without_an_end_is_not_waited_for(
    path: str, language: str, words: str, then_slowly: bool, port: int
) -> None:
    status, told = await half_sent(port, path, language, then_slowly=then_slowly)
    assert (status, told["code"], words in told["detail"]) == (408, "too_slow", True), told
