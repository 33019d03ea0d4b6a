"""The whole product in one process, driven over its own REST; its time is the sandbox airline's, moved by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from argon2 import PasswordHasher
from sqlalchemy import Table, select

from assistant.booking.sandbox import SandboxAirline
from assistant.bootstrap import Layover, layover
from assistant.demo import seed_demo
from assistant.language.interpreter import Interpreter
from assistant.persistence.database import Tx
from assistant.persistence.tables import commands
from assistant.serving import web_app
from assistant.settings import ClockKind, Settings
from assistant.web.passwords import Passwords
from assistant.web.people_commands import make_token

MONDAY = datetime(2026, 11, 30, 1, 0, tzinfo=UTC)  # nine o'clock in Shanghai
Json = dict[str, Any]


@dataclass
class World:
    """Everything that runs, and its airline."""

    whole: Layover
    airline: SandboxAirline
    app: Any
    clients: AsyncExitStack
    people: dict[str, Person] = field(default_factory=dict)

    async def person(self, name: str, language: str = "en") -> Person:
        """A demo person with a bearer token of their own."""
        token = await make_token(self.whole.database, name=name, clock=self.whole.clock)
        headers = {"authorization": f"Bearer {token}", "accept-language": language}
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=True)
        client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:7860", headers=headers)
        return Person(self, name, language, await self.clients.enter_async_context(client))

    async def quiet(self) -> None:
        """Until everything that may run now has run, and what it gave rise to."""
        await self.whole.dispatcher.idle()
        await self.whole.reconciler.once()
        await self.whole.dispatcher.idle()

    async def later(self, seconds: float) -> None:
        """Move the airline's clock, which is ours too, and let happen what is due."""
        self.airline.advance(seconds)
        await self.quiet()

    async def until(self, reached: Callable[[], Any], *, step: float = 3, most: int = 200) -> None:
        """Let time pass in small steps until it is so."""
        for _ in range(most):
            if await reached():
                return
            await self.later(step)
        raise AssertionError("it did not come to that")

    async def accepted(self, kind: str) -> None:
        """Until a command of this kind is stored; it may be running, or over."""
        for _ in range(1000):
            if await self.rows(commands, kind=kind):
                return
            await asyncio.sleep(0.005)
        raise AssertionError(f"no {kind} was accepted")

    def orders(self, *, live: bool = True) -> list[Json]:
        """What the airline really has."""
        return self.airline.orders(live=live)

    def effects(self) -> list[str]:
        """What truly happened at the airline, in order: hold, book, pay, cancel ..."""
        return [entry["effect"] for entry in self.airline.journal()]

    async def rows(self, table: Table, **where: Any) -> list[Any]:
        async def read(tx: Tx) -> list[Any]:
            found = select(table).where(*(table.c[name] == value for name, value in where.items()))
            return list((await tx.execute(found)).all())

        return await self.whole.database.read(read)


@dataclass
class Person:
    """Somebody who is signed in. Every post has a key of its own unless one is given."""

    world: World
    name: str
    language: str
    client: httpx.AsyncClient

    async def get(self, path: str) -> Json:
        answer = await self.client.get(f"/api/v1{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: Json | None = None, *, key: str | None = None, wait: float = 20) -> httpx.Response:
        headers = {"idempotency-key": key or str(uuid4())}
        return await self.client.post(f"/api/v1{path}", json=body or {}, headers=headers, params={"wait": wait} if wait else {})

    async def does(self, path: str, body: Json | None = None) -> Json:
        """A post that must succeed, with all it gives rise to; the command's answer."""
        answer = await self.post(path, body)
        assert answer.status_code == 200, answer.text
        assert answer.json()["status"] == "succeeded", answer.text
        await self.world.whole.dispatcher.idle()
        return answer.json()

    async def chat(self) -> Chat:
        answer = await self.does("/conversations")
        return Chat(self, answer["conversation_id"])

    async def me(self) -> str:
        """Their own passenger entry."""
        return next(p["person_id"] for p in (await self.get("/people"))["people"] if p["is_self"])

    async def companion(self) -> str:
        return next(p["person_id"] for p in (await self.get("/people"))["people"] if not p["is_self"])

    async def trip(self, trip_id: str) -> Json:
        return await self.get(f"/trips/{trip_id}")

    # What travellers do

    async def choose(self, trip_id: str, offer: int = 1, **more: Any) -> Json:
        await self.does(f"/trips/{trip_id}/choice", {"offer": offer} | more)
        return await self.trip(trip_id)

    async def answer(self, trip_id: str, word: str, **more: Any) -> Json:
        await self.does(f"/trips/{trip_id}/answer", {"answer": word} | more)
        return await self.trip(trip_id)

    # What reviewers do

    async def inbox(self, status: str = "waiting") -> list[Json]:
        return (await self.get(f"/reviews?status={status}"))["reviews"]

    async def review(self, review_id: str) -> Json:
        return await self.get(f"/reviews/{review_id}")

    async def decides(self, review_id: str, word: str, *, message: str | None = None) -> Json:
        digest = (await self.review(review_id))["digest"]
        said = {"message": message} if message else {}
        return await self.does(f"/reviews/{review_id}/decision", {"type": word, "digest": digest} | said)

    async def edits(self, review_id: str, edits: Json) -> Json:
        """Preview, then decide on what the preview showed; the preview."""
        answer = await self.client.post(f"/api/v1/reviews/{review_id}/preview", json={"edits": edits})
        assert answer.status_code == 200, answer.text
        preview = answer.json()
        decision = {"type": "edit", "digest": preview["digest"], "edits": edits}
        await self.does(f"/reviews/{review_id}/decision", decision)
        return preview


@dataclass
class Chat:
    """One conversation of one person."""

    person: Person
    conversation_id: str

    async def say(self, text: str) -> str:
        """What is answered, once it has led to all it leads to."""
        answer = await self.person.does(f"/conversations/{self.conversation_id}/messages", {"text": text})
        return answer["result"]["reply"] or ""

    async def view(self) -> Json:
        return await self.person.get(f"/conversations/{self.conversation_id}")

    async def told(self) -> list[str]:
        """Everything the desk has said, oldest first."""
        return [m["text"] for m in (await self.view())["messages"] if m["role"] == "assistant"]

    async def trips(self) -> list[Json]:
        return (await self.view())["trips"]

    async def trip(self) -> Json:
        """The newest."""
        return await self.person.trip((await self.trips())[-1]["trip_id"])


@asynccontextmanager
async def opened(data_dir: Path, *, interpreter: Interpreter | None = None, **settings: Any) -> AsyncIterator[World]:
    """The composition root on this directory; open it again on the same one and everything is where it was."""
    chosen = Settings(_env_file=None, data_dir=data_dir, clock=ClockKind.SANDBOX, demo=True, **settings)  # pyright: ignore[reportCallIssue]
    async with layover(chosen, interpreter=interpreter) as whole, AsyncExitStack() as clients:
        whole.reconciler.pause = 0  # its rounds are ours to call
        await whole.reconciler.stop()
        assert whole.airline is not None
        if not whole.airline.journal():
            whole.airline.advance((MONDAY - whole.airline.now()).total_seconds())
        cheap = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        await seed_demo(whole.database, data_dir, passwords=cheap, clock=whole.clock)
        yield World(whole, whole.airline, web_app(whole, pages=False, passwords=cheap), clients)


def offer(trip: Json, *, can_hold: bool) -> Json:
    """The first option of the list that the airline would hold with its seats, or the first that it would not."""
    return next(o for o in trip["offers"] if o["can_hold"] is can_hold)


def proposed(option: Json) -> list[str]:
    """The seats suggested with an option, in the order of the travellers."""
    return [seat["designator"] for seat in sorted(option["seats"], key=lambda seat: seat["position"])]


def seats_at_airline(order: Json) -> dict[str, str | None]:
    """Who sits where on an order's first flight, as the airline has it."""
    on_board = order["slices"][0]["segments"][0]["passengers"]
    seats = {each["passenger_id"]: each["seat"] and each["seat"]["designator"] for each in on_board}
    return {f"{who['given_name']} {who['family_name']}": seats[who["id"]] for who in order["passengers"]}
