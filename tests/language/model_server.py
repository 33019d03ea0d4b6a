"""A language model's server on a port of this machine: chat completions, streamed or whole, and every way to get them wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

USAGE = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150, "prompt_tokens_details": {"cached_tokens": 20}}


@dataclass
class Call:
    """One request as it came, and the way to answer it."""

    body: dict[str, Any]
    writer: asyncio.StreamWriter
    gone: asyncio.Event  # the client has hung up

    async def send(self, data: str | bytes) -> None:
        self.writer.write(data.encode() if isinstance(data, str) else data)
        await self.writer.drain()

    async def answer(self, status: str, body: str, **headers: str) -> None:
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        kind = [] if "content_type" in headers else ["content-type: application/json"]
        head = "\r\n".join([f"HTTP/1.1 {status}", f"content-length: {len(body.encode())}", "connection: close", *kind, *lines])
        await self.send(f"{head}\r\n\r\n{body}")

    async def start_stream(self) -> None:
        await self.send("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")

    async def event(self, data: str) -> None:
        line = f"data: {data}\n\n".encode()
        await self.send(f"{len(line):x}\r\n".encode() + line + b"\r\n")

    async def words(self, text: str, **more: Any) -> None:
        delta = {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]}
        await self.event(json.dumps({"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"} | delta | more))

    async def end_stream(self) -> None:
        last = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [], "usage": USAGE}
        await self.event(json.dumps(last))
        await self.event("[DONE]")
        await self.send("0\r\n\r\n")


Behaviour = Callable[[Call], Awaitable[None]]


def completion(message: dict[str, Any], *, finish: str = "stop") -> str:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": None} | message}
    return json.dumps({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": USAGE})


def says(content: Any, *, piece: int = 3) -> Behaviour:
    """Whole or in pieces of so many characters, as asked."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)

    async def behave(call: Call) -> None:
        if not call.body.get("stream"):
            await call.answer("200 OK", completion({"content": text}))
            return
        await call.start_stream()
        for at in range(0, len(text), piece):
            await call.words(text[at : at + piece])
        await call.end_stream()

    return behave


def calls_tool(arguments: Any) -> Behaviour:
    async def behave(call: Call) -> None:
        name = call.body["tools"][0]["function"]["name"]
        made = {"id": "1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        await call.answer("200 OK", completion({"tool_calls": [made]}, finish="tool_calls"))

    return behave


def refuses(words: str = "I cannot help with that.") -> Behaviour:
    async def behave(call: Call) -> None:
        await call.answer("200 OK", completion({"refusal": words}))

    return behave


def fails(status: str, message: str = "no", *, code: str | None = None, **headers: str) -> Behaviour:
    async def behave(call: Call) -> None:
        await call.answer(status, json.dumps({"error": {"message": message, "type": "error", "code": code}}), **headers)

    return behave


def answers_raw(body: str, *, content_type: str = "application/json") -> Behaviour:
    async def behave(call: Call) -> None:
        await call.answer("200 OK", body, content_type=content_type)

    return behave


def cuts_off(text: str) -> Behaviour:
    """The connection breaks after these words."""

    async def behave(call: Call) -> None:
        await call.start_stream()
        await call.words(text)
        call.writer.transport.abort()

    return behave


def breaks_mid_body(text: str = '{"id": "1", "choices": [{"mess') -> Behaviour:
    async def behave(call: Call) -> None:
        await call.send(f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{text}")
        call.writer.close()

    return behave


def hangs(after: str | None = None) -> Behaviour:
    """Says nothing, or nothing more, until the client hangs up."""

    async def behave(call: Call) -> None:
        if after is not None:
            await call.start_stream()
            await call.words(after)
        await call.gone.wait()

    return behave


@dataclass
class ModelServerUnderTest:
    """Answers the nth request with the nth behaviour of its script; the last one goes on for ever."""

    url: str = ""
    script: list[Behaviour] = field(default_factory=list[Behaviour])
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    arrived: asyncio.Event = field(default_factory=asyncio.Event)  # a request has
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)  # the client did, before it was answered

    def will(self, *behaviours: Behaviour) -> None:
        self.script = list(behaviours)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = next(int(line.split(":")[1]) for line in head.lower().splitlines() if line.startswith("content-length"))
            body = json.loads(await reader.readexactly(length))
            self.asked.append(body)
            self.arrived.set()
            behave = self.script.pop(0) if len(self.script) > 1 else self.script[0]
            gone = asyncio.Event()
            watch = asyncio.create_task(self._watch(reader, gone))
            await behave(Call(body, writer, gone))
            watch.cancel()
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up.set()
        finally:
            writer.close()

    async def _watch(self, reader: asyncio.StreamReader, gone: asyncio.Event) -> None:
        with suppress(ConnectionError):
            await reader.read(1)
        self.hung_up.set()
        gone.set()

    def prompt(self, n: int = -1) -> str:
        """All the words of one request."""
        return "\n".join(str(m["content"]) for m in self.asked[n]["messages"])


@asynccontextmanager
async def model_server(*behaviours: Behaviour) -> AsyncIterator[ModelServerUnderTest]:
    under_test = ModelServerUnderTest(script=list(behaviours))
    server = await asyncio.start_server(under_test.serve, "127.0.0.1", 0)
    under_test.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield under_test
    finally:
        server.close()
        await server.wait_closed()


async def absent() -> str:
    """An address where nobody listens."""
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    server.close()
    await server.wait_closed()
    return url
