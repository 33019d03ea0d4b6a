"""A server whose disk runs full at a named point instead of being killed there; which one, it is told while it runs.

Where the data directory is a file system of its own that one is filled; else this process may write to no file any more.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
from pathlib import Path

from sqlalchemy import Engine, ExceptionContext, event

from assistant import crashpoints
from assistant.__main__ import main
from assistant.persistence.storage import trouble_of
from tests.crashes.disks import Life, SmallDisk

NEVER = "until told otherwise"


def told(data_dir: Path) -> Path:
    """Outside of the disk that is full."""
    return data_dir.parent / "full at"


def refused(data_dir: Path, times: int) -> Path:
    """Made once something could not be written, after the disk ran full so many times. Empty, and outside of it."""
    return data_dir.parent / f"refused {times}"


async def to_be_full_at(point: str, life: Life, data_dir: Path) -> None:
    """Returns once the server has heard; at no point when it is empty."""
    told(data_dir).write_text(point or NEVER)
    os.kill(life.pid, signal.SIGUSR1)
    for _ in range(1000):
        if not told(data_dir).exists():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the server does not hear")


def listen(data_dir: Path) -> None:
    times = 0

    def full() -> None:
        nonlocal times
        times += 1
        run_full(data_dir)

    def failed(context: ExceptionContext) -> None:
        if times and trouble_of(context.original_exception) is not None:
            refused(data_dir, times).touch()

    def heard(*_: object) -> None:
        crashpoints.arm(told(data_dir).read_text(), then=full)
        told(data_dir).unlink()

    event.listen(Engine, "handle_error", failed)
    crashpoints.arm(NEVER)  # armed from the start: only then there are points around each checkpoint
    signal.signal(signal.SIGUSR1, heard)


def run_full(data_dir: Path) -> None:
    if data_dir.is_mount():
        SmallDisk(data_dir).fill()
    else:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


if __name__ == "__main__":
    listen(Path(os.environ["LAYOVER_DATA_DIR"]))
    sys.exit(main())
