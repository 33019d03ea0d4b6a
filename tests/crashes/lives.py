"""A server's life: begun, and watched to its end. One kind starts a fresh interpreter, the other forks one that is warm."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Protocol

READY = "Layover is ready at "
ANY_PORT = {"LAYOVER_PORT": "0"}


class Life(Protocol):
    status: int | None  # the exit status; None while it lives

    async def begin(self, module: str, environment: dict[str, str], log: Path) -> str | None:
        """Where it listens; None if it died before it did."""
        ...

    async def wait(self) -> None: ...

    def kill(self) -> None: ...

    async def close(self) -> None: ...


class Spawned:
    """`python -m assistant serve`, as anybody starts it."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    @property
    def status(self) -> int | None:
        return self._process.returncode if self._process else 0

    async def begin(self, module: str, environment: dict[str, str], log: Path) -> str | None:
        with log.open("ab") as errors:
            arguments = ["-m", module, "serve", "--no-pages"]
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, *arguments, env=ANY_PORT | environment, stdout=asyncio.subprocess.PIPE, stderr=errors
            )
        assert self._process.stdout is not None
        while line := (await self._process.stdout.readline()).decode():
            if line.startswith(READY):
                return line.removeprefix(READY).strip()
        await self._process.wait()
        return None

    async def wait(self) -> None:
        assert self._process is not None
        await self._process.wait()

    def kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)

    def tell_to_stop(self) -> None:
        """As an operator or a supervisor does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)

    async def close(self) -> None:
        self.kill()
        if self._process is not None:
            await self._process.communicate()  # to the end, or its pipe stays open


class Forked:
    """Forked by `tests.crashes.forks`, which tells of its end."""

    def __init__(self) -> None:
        self.status: int | None = 0
        self._parent: asyncio.subprocess.Process | None = None
        self._pid = 0
        self._is_to_die = False  # before it is known which process it is
        self._ended = asyncio.Event()

    async def begin(self, module: str, environment: dict[str, str], log: Path) -> str | None:
        if self._parent is None:
            with log.open("ab") as errors:
                pipe = asyncio.subprocess.PIPE
                arguments = ["-m", "tests.crashes.forks"]
                self._parent = await asyncio.create_subprocess_exec(
                    sys.executable, *arguments, env=environment, stdin=pipe, stdout=pipe, stderr=errors
                )
        assert self._parent.stdin is not None
        self.status, self._pid, self._is_to_die = None, 0, False
        self._ended.clear()
        self._parent.stdin.write((json.dumps({"module": module, "environment": ANY_PORT | environment}) + "\n").encode())
        listening: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._reading = asyncio.create_task(self._read(listening))
        return await listening

    async def _read(self, listening: asyncio.Future[str | None]) -> None:
        assert self._parent is not None
        assert self._parent.stdout is not None
        while line := (await self._parent.stdout.readline()).decode().strip():
            if line.startswith("pid "):
                self._pid = int(line.removeprefix("pid "))
                if self._is_to_die:
                    self.kill()
            elif line.startswith(READY) and not listening.done():
                listening.set_result(line.removeprefix(READY))
            elif line.startswith("ended "):
                self.status = int(line.removeprefix("ended "))
                break
        if self.status is None:
            self.status = 1  # whoever forks is gone, and its servers with it
        if not listening.done():
            listening.set_result(None)
        self._ended.set()

    async def wait(self) -> None:
        await self._ended.wait()

    def kill(self) -> None:
        self._is_to_die = self.status is None
        if self._is_to_die and self._pid:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)

    async def close(self) -> None:
        self.kill()
        if self._parent is not None and self._parent.returncode is None:
            assert self._parent.stdin is not None
            self._parent.stdin.close()
            await self._parent.wait()
