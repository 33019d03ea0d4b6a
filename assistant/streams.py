"""Words of a reply on their way, and the news that a command has ended: in memory, for whoever listens in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field


@dataclass
class _Reply:
    pieces: list[str] = field(default_factory=list[str])
    ended: bool = False


@dataclass
class Streams:
    """Pieces are kept until the reply is stored; a late listener gets all of them."""

    _replies: dict[str, _Reply] = field(default_factory=dict[str, _Reply])

    def __post_init__(self) -> None:
        self._news = asyncio.Event()

    def open(self, command_id: str) -> None:
        self._replies[command_id] = _Reply()

    async def piece(self, command_id: str, piece: str) -> None:
        self._replies.setdefault(command_id, _Reply()).pieces.append(piece)
        self._tell()

    def end(self, command_id: str) -> None:
        reply = self._replies.pop(command_id, None)
        if reply is not None:
            reply.ended = True
        self._tell()

    async def news(self, timeout: float) -> None:
        """Until something happened, or for so many seconds."""
        event = self._news
        try:
            await asyncio.wait_for(event.wait(), timeout)
        except TimeoutError:
            return

    async def pieces(self, command_id: str) -> AsyncIterator[str]:
        """The words of a running reply, as they come; ends with it."""
        reply = self._replies.get(command_id)
        told = 0
        while reply is not None:
            while told < len(reply.pieces):
                yield reply.pieces[told]
                told += 1
            if reply.ended:
                return
            await self.news(1.0)

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
