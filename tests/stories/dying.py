"""Processes that do not live long: the same composition on the same directory, with an airline that breaks in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, cast

from assistant.booking.provider import AirlineOrder, Offer, OrderRequest, Provider, SearchRequest
from assistant.bootstrap import Layover, assembled, checkpoints, database_url, provider_of, sandbox, speaking
from assistant.desk import BookingDesk
from assistant.language.rules.interpreter import RulesInterpreter
from assistant.persistence.database import Database
from assistant.settings import ClockKind, Settings


class Killed(BaseException):
    """The process is gone."""


class Passing:
    """An airline like the one it is made of."""

    def __init__(self, airline: Provider) -> None:
        self.airline = airline

    def __getattr__(self, name: str) -> Any:
        return getattr(self.airline, name)


class DiesAfterSending(Passing):
    """The airline does what it is asked; whoever asked does not live to hear it."""

    async def create_order(self, request: OrderRequest) -> AirlineOrder:
        await self.airline.create_order(request)
        raise Killed


class DiesWhileSearching(Passing):
    async def search(self, request: SearchRequest) -> tuple[Offer, ...]:
        raise Killed


class BreaksWhileSearching(Passing):
    """Answers in a way nobody has thought of."""

    async def search(self, request: SearchRequest) -> tuple[Offer, ...]:
        raise ZeroDivisionError


class WaitsWhileSearching(Passing):
    """Takes its time over a search, until it is let go on."""

    def __init__(self, airline: Provider) -> None:
        super().__init__(airline)
        self.searching, self.goes_on = asyncio.Event(), asyncio.Event()

    async def search(self, request: SearchRequest) -> tuple[Offer, ...]:
        self.searching.set()
        await self.goes_on.wait()
        return await self.airline.search(request)


@asynccontextmanager
async def process_on(data_dir: Path, airline_of: Callable[[Provider], Passing]) -> AsyncIterator[Layover]:
    """A process on this directory that runs only what it is told to run."""
    settings = Settings(_env_file=None, data_dir=data_dir, clock=ClockKind.SANDBOX, demo=True)  # pyright: ignore[reportCallIssue]
    async with AsyncExitStack() as stack:
        database = Database(database_url(settings))
        stack.push_async_callback(database.close)
        airline = sandbox(settings)
        assert airline is not None
        stack.callback(airline.close)
        provider = provider_of(settings, airline, airline.now)
        stack.push_async_callback(provider.aclose)
        yield assembled(
            settings,
            database,
            airline,
            cast(Any, airline_of(provider)),
            await stack.enter_async_context(checkpoints(data_dir / "checkpoints.db")),
            clock=airline.now,
            desk_of=BookingDesk,
            speaks=await stack.enter_async_context(speaking(settings, RulesInterpreter())),
        )
