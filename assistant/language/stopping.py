"""Stopping a reply in the making: cooperative, so that only the model's own work is cut, no transaction, no call of the desk."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from ..domain.errors import Conflict

T = TypeVar("T")


class Stop:
    """A traveller's wish that a reply in the making be left. Made for one run, inside its event loop."""

    def __init__(self) -> None:
        self._asked = asyncio.Event()

    @property
    def asked(self) -> bool:
        return self._asked.is_set()

    def ask(self) -> None:
        self._asked.set()

    def check(self) -> None:
        """Between two steps. Raises Conflict "stopped" once it was asked for."""
        if self.asked:
            raise Conflict("stopped")

    async def cuts(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` comes to, unless the stop is asked for first: then the work is cancelled. Raises Conflict "stopped"."""
        task, stopped = asyncio.ensure_future(work), asyncio.ensure_future(self._asked.wait())
        try:
            await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise Conflict("stopped")
            return task.result()
        finally:
            stopped.cancel()
            if not task.done():
                task.cancel()
                await asyncio.wait({task})
