"""What nodes may reach: small read functions, interpreter, writer, desk. Passed as LangGraph's runtime context, never imported."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from assistant.domain.people import Person
from assistant.domain.trips import ActiveWish, TripFacts
from assistant.language.interpreter import HeardMessage, Interpreter
from assistant.language.writer import Writer


class ConversationReads(Protocol):
    """Reads of the business database, as of now, for the conversation's owner."""

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
