"""Disks that run full: a small one that is mounted for a test, and one that a server may not write to any more."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Protocol

from tests.crashes.lives import Spawned

SIZE = "48m"
FILLER = "filler"
INFINITE = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


class Life(Spawned):
    """Whose process can be named."""

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid


class Disk(Protocol):
    def fill(self) -> None: ...

    def is_full(self) -> bool: ...

    def free(self) -> None: ...


class SmallDisk:
    """A file system of its own, mounted on the data directory. Writes of whoever end with ENOSPC once it is full."""

    def __init__(self, data_dir: Path) -> None:
        self._filler = data_dir / FILLER
        self._done = data_dir.parent / "full"

    def fill(self) -> None:
        fill(self._filler)
        self._done.touch()

    def is_full(self) -> bool:
        return self._done.exists()

    def free(self) -> None:
        self._done.unlink()
        self._filler.unlink()


class ForbiddenDisk:
    """RLIMIT_FSIZE of nothing: every write of the server's to any file fails with EFBIG, which SQLite calls an I/O error."""

    def __init__(self, life: Life) -> None:
        self._life = life

    def fill(self) -> None:
        resource.prlimit(self._life.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))

    def is_full(self) -> bool:
        return resource.prlimit(self._life.pid, resource.RLIMIT_FSIZE)[0] == 0

    def free(self) -> None:
        resource.prlimit(self._life.pid, resource.RLIMIT_FSIZE, INFINITE)


def fill(filler: Path) -> None:
    """To the last byte."""
    with filler.open("ab", buffering=0) as out, suppress(OSError):
        for size in (1 << 20, 1 << 12, 1):
            with suppress(OSError):
                while out.write(b"\0" * size):
                    pass


@contextmanager
def mounted(data_dir: Path) -> Iterator[str | None]:
    """A small file system on this directory; why not, where it cannot be. The airline's records stay outside of it."""
    refused = _mount(data_dir)
    if refused is None:
        (data_dir / "airline.db").symlink_to(data_dir.parent / "airline.db")
    try:
        yield refused
    finally:
        if refused is None:
            subprocess.run([*_as_root(), "umount", "--lazy", data_dir], check=True)


def _mount(data_dir: Path) -> str | None:
    owner = f"size={SIZE},mode=700,uid={os.getuid()},gid={os.getgid()}"
    done = subprocess.run([*_as_root(), "mount", "-t", "tmpfs", "-o", owner, "tmpfs", data_dir], capture_output=True, text=True)
    return done.stderr.strip() or "mount failed" if done.returncode else None


def _as_root() -> list[str]:
    return [] if os.getuid() == 0 or shutil.which("sudo") is None else ["sudo", "-n"]


@contextmanager
def read_all_along(*files: Path) -> Iterator[None]:
    """While somebody reads, SQLite cannot begin its log anew: each commit needs new space."""
    with closing(sqlite3.connect(files[0])) as first, closing(sqlite3.connect(files[-1])) as last:
        for reader in (first, last):
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        yield
