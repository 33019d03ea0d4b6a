"""The dispatcher's port: it carries accepted commands to the service, one at a time a thread, in their order.

The `commands` table is the truth on every implementation; the dispatcher transports, excludes and retries.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

Run = Callable[[str, str], Awaitable[None]]  # tenant_id, command_id


class Dispatcher(Protocol):
    async def start(self, run: Run) -> None:
        """Begin to carry out what is open; what a crash left open comes first."""
        ...

    def wake(self) -> None:
        """Something was committed; a hint that may be lost."""
        ...

    async def idle(self) -> None:
        """Until nothing is open that may run now."""
        ...

    async def stop(self) -> None:
        """Take nothing new, and let what runs come to its end."""
        ...
