"""A server on a machine whose clock is stepped: `step` in its data directory holds by how many seconds. The airline's is not."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import uvicorn

from assistant.bootstrap import layover
from assistant.domain.clock import Clock
from assistant.serving import web_app
from assistant.settings import read_settings
from tests.crashes.naive_server import Server


def step(data_dir: Path, *, by: timedelta) -> None:
    """From now on, to this process and to those that follow it."""
    new = data_dir / "step.new"
    new.write_text(str(stepped(data_dir) + by.total_seconds()))
    new.replace(data_dir / "step")


def stepped(data_dir: Path) -> float:
    with suppress(FileNotFoundError):
        return float((data_dir / "step").read_text())
    return 0.0


def stepping(clock: Clock, data_dir: Path) -> Clock:
    def now() -> datetime:
        return clock() + timedelta(seconds=stepped(data_dir))

    return now


async def serve(true_ns: Callable[[], int]) -> None:
    settings = read_settings()
    time.time_ns = lambda: true_ns() + int(stepped(settings.data_dir) * 1e9)  # the machine's, which LangGraph makes its ids of
    async with layover(settings, seen_as=lambda clock: stepping(clock, settings.data_dir)) as whole:
        await Server(uvicorn.Config(web_app(whole, pages=False), port=0, log_level="warning")).serve()


if __name__ == "__main__":
    asyncio.run(serve(time.time_ns))
