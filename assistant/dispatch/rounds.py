"""Work that comes round for ever: a round that breaks is seen and followed by another, and how it goes can be asked."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from ..domain.errors import LayoverError

log = logging.getLogger(__name__)
T = TypeVar("T")

AGAIN = 1.0  # seconds until a broken loop is started anew
PATIENCE = 120.0  # seconds a round may take before it counts as hung


@dataclass
class Turn:
    """One round's pieces of work. None is kept from its turn by what went wrong in another."""

    troubles: list[Exception] = field(default_factory=list[Exception])

    async def take(self, work: Coroutine[object, object, None]) -> None:
        try:
            await work
        except Exception as trouble:  # noqa: BLE001  (kept, and raised when the round is over)
            self.troubles.append(trouble)

    async def take_each(
        self,
        listed: Awaitable[Sequence[T]],
        carry_on: Callable[[T], Coroutine[object, object, None]],
        *,
        side_by_side: int = 1,
        until: Callable[[], bool] = lambda: False,
    ) -> None:
        """Each of a list by itself, so many at a time: one that cannot be carried on keeps none of the others from it, nor a list
        the next one. `until` leaves the rest of it."""
        found: list[T] = []

        async def read() -> None:
            found.extend(await listed)

        await self.take(read())
        waiting = iter(found)

        async def work() -> None:
            for each in waiting:
                if until():
                    return
                await self.take(carry_on(each))

        if min(side_by_side, len(found)) <= 1:
            await work()
            return
        workers = [asyncio.create_task(work()) for _ in range(min(side_by_side, len(found)))]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    def over(self) -> None:
        """Raises what went wrong: one as it is, several as a group."""
        if len(self.troubles) == 1:
            raise self.troubles[0]
        if self.troubles:
            raise ExceptionGroup("a round met several troubles", self.troubles)


@dataclass
class Rounds:
    """`once` again and again, with a `rest` between. A loop that breaks is logged and starts anew."""

    name: str
    once: Callable[[], Awaitable[None]]
    rest: Callable[[], Awaitable[None]]
    patience: float = PATIENCE
    seconds: Callable[[], float] = time.monotonic
    _task: asyncio.Task[None] | None = None
    _stopping: bool = False
    _turned: float = 0.0  # when a round last came to its end
    _broken: bool = False  # the last round ended in something nobody has thought of

    @property
    def goes_on(self) -> bool:
        """Whether rounds come to their end, and the last one did not break."""
        turns = self._task is not None and not self._task.done()
        return turns and not self._broken and self.seconds() - self._turned < self.patience

    @property
    def is_ending(self) -> bool:
        """What a round has not begun by now is left to the next life."""
        return self._stopping

    def start(self) -> None:
        self._turned = self.seconds()
        self._begin()

    def end(self) -> None:
        """No further round begins."""
        self._stopping = True

    async def stop(self) -> None:
        self.end()
        if self._task is not None:
            await asyncio.wait([self._task])

    def _begin(self) -> None:
        if self._stopping:
            return
        self._task = asyncio.create_task(self._forever(), name=self.name)
        self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or (broke := task.exception()) is None:
            return
        self._broken = True
        log.error("%s broke and is started again", self.name, exc_info=broke)
        asyncio.get_running_loop().call_later(AGAIN, self._begin)

    async def _forever(self) -> None:
        while not self._stopping:
            try:
                await self.once()
            except* (
                SQLAlchemyError,
                sqlite3.Error,
                LayoverError,
            ) as trouble:  # what is due stays due, and is tried in the next round
                log.warning("%s puts off what is due: %s", self.name, [repr(each) for each in trouble.exceptions])
            self._turned, self._broken = self.seconds(), False
            await self.rest()
