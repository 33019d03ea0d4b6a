"""Embedded: the commands table is the queue, one process drains it, asyncio only wakes it."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import Row

from ..domain.clock import Clock
from ..persistence import commands
from ..persistence.database import Database
from ..persistence.storage import REMEDY, trouble_of
from .dispatcher import Run
from .rounds import Rounds

log = logging.getLogger(__name__)

SIDE_BY_SIDE = 16
LONGEST_NAP = 5.0
NAP_IN_TROUBLE = 1.0


@dataclass
class LocalDispatcher:
    """One process only: the data directory's lock sees to that."""

    database: Database
    clock: Clock
    _running: dict[str, asyncio.Task[None]] = field(default_factory=dict[str, "asyncio.Task[None]"])
    _napping: float = 0.0  # seconds until the queue is looked at again, unless it is woken
    rounds: Rounds | None = None

    def __post_init__(self) -> None:
        self._woken = asyncio.Event()
        self._changed = asyncio.Condition()

    async def start(self, run: Run) -> None:
        self.rounds = Rounds("the dispatcher", partial(self._once, run), rest=self._rest)
        self.rounds.start()

    def wake(self) -> None:
        self._woken.set()

    async def idle(self) -> None:
        # what runs counts as open until its end is committed, with all it gives rise to
        while await self._open() or self._running:
            self.wake()
            await (asyncio.wait(self._running.values()) if self._running else asyncio.sleep(0.005))

    async def _open(self) -> list[Row[tuple[object, ...]]]:
        return await self.database.read(lambda tx: commands.runnable(tx, now=self.clock(), skip=set()))  # type: ignore[return-value]

    async def stop(self) -> None:
        if self.rounds is not None:
            self.rounds.end()
            self.wake()
            await self.rounds.stop()
        while self._running:
            await asyncio.wait(self._running.values())

    async def _once(self, run: Run) -> None:
        self._woken.clear()
        self._napping = NAP_IN_TROUBLE  # a locked or full disk passes; the rows are still there
        for row in (await self._next())[: SIDE_BY_SIDE - len(self._running)]:
            self._begin(run, row)
        self._napping = await self._nap()

    async def _rest(self) -> None:
        try:
            await asyncio.wait_for(self._woken.wait(), self._napping)
        except TimeoutError:
            return

    async def _next(self) -> list[Row[tuple[object, ...]]]:
        return await self.database.read(lambda tx: commands.runnable(tx, now=self.clock(), skip=set(self._running)))  # type: ignore[return-value]

    async def _nap(self) -> float:
        due = await self.database.read(commands.next_due)
        return LONGEST_NAP if due is None else min(max((due - self.clock()).total_seconds(), 0.01), LONGEST_NAP)

    def _begin(self, run: Run, row: Row[tuple[object, ...]]) -> None:
        async def unit() -> None:
            await run(row.tenant_id, row.command_id)

        task = asyncio.create_task(unit(), name=f"run {row.command_id}")
        self._running[row.thread_id] = task
        task.add_done_callback(lambda done, thread_id=row.thread_id: self._ended(thread_id, done))

    def _ended(self, thread_id: str, done: asyncio.Task[None]) -> None:
        self._running.pop(thread_id, None)
        if not done.cancelled() and (error := done.exception()) is not None:
            if (trouble := trouble_of(error)) is not None:
                log.warning("a run waits, the storage is %s: %s. %s", trouble, error, REMEDY[trouble])
            else:
                log.error("a run could not be finished and will be tried again", exc_info=error)
            asyncio.get_running_loop().call_later(1.0, self.wake)
            return
        self.wake()
