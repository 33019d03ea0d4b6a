"""What nodes may reach: small reads, interpreter, writer, desk. LangGraph's runtime context, passed in, never imported."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

from assistant.desk import BookingDesk, Errand
from assistant.domain.people import Actor, Person
from assistant.domain.policy import Policy
from assistant.domain.trips import ActiveWish, TripFacts
from assistant.language.interpreter import HeardMessage, Interpreter
from assistant.language.writer import Writer


class ConversationReads(Protocol):
    """Reads of the business database, as of now, for the conversation's owner. Messages, trips and wishes are oldest first."""

    async def recent(self, count: int) -> tuple[HeardMessage, ...]: ...
    async def trips(self) -> tuple[TripFacts, ...]: ...
    async def wishes(self) -> tuple[ActiveWish, ...]: ...
    async def people(self) -> tuple[Person, ...]: ...


@dataclass(frozen=True)
class ConversationContext:
    """`stream` is told each piece of a reply as it is written; it may be None."""

    command_id: str
    conversation_id: str
    interpreter: Interpreter
    writer: Writer
    reads: ConversationReads
    stream: Callable[[str], Awaitable[None]] | None = None


Pieces = AsyncIterator[str]


class TripReads(Protocol):
    """Reads of the business database for one trip, and its content-addressed documents."""

    async def keep(self, body: Any) -> str: ...
    async def document(self, key: str) -> Any: ...
    async def wishes(self) -> tuple[ActiveWish, ...]: ...


@dataclass(frozen=True)
class TripContext:
    """`actor` is who gave the command; `errand` says for whom the desk acts."""

    command_id: str
    actor: Actor
    errand: Errand
    desk: BookingDesk
    reads: TripReads
    policy: Policy
