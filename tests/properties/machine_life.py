"""Lives of the product on one data directory: each in a loop of its own, ended in order or by dying half-way."""

from __future__ import annotations

import asyncio
import gc
import shutil
import threading
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from argon2 import PasswordHasher
from sqlalchemy import event

from assistant.bootstrap import layover
from assistant.demo import seed_demo
from assistant.settings import ClockKind, Settings
from assistant.web.passwords import Passwords
from tests.stories.world import World, opened

T = TypeVar("T")

# A dead process runs no `finally`. What is left of its tasks is kept here, so that no collector runs them either.
GRAVEYARD: list[object] = []


class Died(Exception):
    """The process was killed; what had not reached the disk is gone."""


class Stopped(BaseException):
    """Somebody wants this to end. No failure: nothing is judged by it."""


_wanted_to_end: list[bool] = []


def stop() -> None:
    """End at the next thing a life is asked to do."""
    _wanted_to_end.append(True)


def is_stopped() -> bool:
    return bool(_wanted_to_end)


class Life:
    """One process on `data_dir`. After `Died` the next life is a new one, on `successor()`."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.loop = asyncio.new_event_loop()
        self.troubles: list[str] = []  # what went wrong in the background, where nobody waited for it
        self.loop.set_exception_handler(self._notice)
        self.stack = AsyncExitStack()
        self.world = self.run(self._open())
        self._doom = 0
        self._ticking: asyncio.Handle | None = None
        self._watch_commits()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Raises Died when the life ends before the work does, Stopped when nothing more is to be done."""
        if is_stopped():
            work.close()
            raise Stopped
        task = self.loop.create_task(work)
        task.add_done_callback(lambda _: self.loop.stop())
        self.loop.run_forever()
        if not task.done():
            raise Died
        return task.result()

    def _notice(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.troubles.append(f"{context['message']}: {context.get('exception')!r}")

    def doom(self, *, commits: int = 0, ticks: int = 0) -> None:
        """Die right after so many durable writes from now, or after so many turns of the loop."""
        self.spare()
        self._doom = commits
        if ticks:
            self._tick(ticks)

    def spare(self) -> None:
        self._doom = 0
        if self._ticking is not None:
            self._ticking.cancel()

    def end(self) -> None:
        """In order: what runs comes to its end, and leaves nothing behind that went wrong."""
        self.run(self.stack.aclose())
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()
        assert not self.troubles, f"in the background: {self.troubles}"

    def bury(self) -> Path:
        """After death: connections are closed as the system would; what is on the disk is the heir's."""
        GRAVEYARD.append(self)
        mine = [each for each in gc.get_objects() if isinstance(each, aiosqlite.Connection) and each._running]
        asyncio.run(_close(mine))
        for thread in threading.enumerate():  # anyio's, idle and waiting for a loop that never turns again
            if getattr(thread, "loop", None) is self.loop:
                thread.queue.put_nowait(None)  # pyright: ignore[reportAttributeAccessIssue]
        assert self.world.airline is not None
        self.world.airline.close()
        heir = self.data_dir.with_name(f"life-{len(GRAVEYARD)}")
        shutil.copytree(self.data_dir, heir)
        shutil.rmtree(self.data_dir)
        return heir

    async def _open(self) -> World:
        settings = Settings(_env_file=None, data_dir=self.data_dir, clock=ClockKind.SANDBOX, demo=True)  # pyright: ignore[reportCallIssue]
        whole = await self.stack.enter_async_context(layover(settings))
        whole.reconciler.pause = 0  # its rounds are ours to call
        await whole.reconciler.stop()
        whole.reconciler.side_by_side = 1  # so that a seed repeats what happens
        assert whole.airline is not None
        cheap = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        await seed_demo(whole.database, self.data_dir, passwords=cheap, clock=whole.clock)
        clients = await self.stack.enter_async_context(AsyncExitStack())
        return World(whole, whole.airline, None, clients)  # nobody knocks at its REST: commands are given to the service

    def _watch_commits(self) -> None:
        def committed(_connection: object) -> None:
            self._doom -= 1
            if self._doom == 0:
                self.loop.stop()

        event.listen(self.world.whole.database.engine.sync_engine, "commit", committed)

    def _tick(self, left: int) -> None:
        if left == 0:
            self.loop.stop()
        else:
            self._ticking = self.loop.call_soon(self._tick, left - 1)


async def _close(connections: list[aiosqlite.Connection]) -> None:
    for connection in connections:
        closed = connection.stop()
        if closed is not None:
            await closed


def template(path: Path) -> Path:
    """A data directory with its people, on the airline's Monday; copied for each example."""

    async def make() -> None:
        async with opened(path):
            pass

    asyncio.run(make())
    (path / "lock").unlink()
    return path
