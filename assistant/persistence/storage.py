"""What a disk does to a database: which failures pass by themselves, and what an operator is to do about them."""

from __future__ import annotations

import asyncio
import sqlite3
from enum import StrEnum
from types import TracebackType

import aiosqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout


class Trouble(StrEnum):
    """Nothing of what was being written is stored; the same may succeed the next moment."""

    BUSY = "busy"
    FULL = "full"
    BROKEN = "broken"


REMEDY = {
    Trouble.BUSY: "Another program keeps it locked: end that one",
    Trouble.FULL: "Free some space on that disk; what was accepted goes on by itself",
    Trouble.BROKEN: "See that the disk can be read and written; what was accepted goes on by itself",
}
_SQLITE = {
    sqlite3.SQLITE_BUSY: Trouble.BUSY,
    sqlite3.SQLITE_LOCKED: Trouble.BUSY,
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_IOERR: Trouble.BROKEN,
    sqlite3.SQLITE_READONLY: Trouble.BROKEN,
    sqlite3.SQLITE_CANTOPEN: Trouble.BROKEN,
}
_POSTGRESQL = {"53100": Trouble.FULL, "58030": Trouble.BROKEN}  # disk_full, io_error
_PASSING = ("08", "40", "53", "57")  # connections, conflicts, resources, an operator's word


def trouble_of(error: BaseException | None) -> Trouble | None:
    """What ails the storage under this error, or under what led to it; None where the error is of another kind."""
    if isinstance(error, PoolTimeout):
        return Trouble.BUSY
    if isinstance(error, DBAPIError):
        return Trouble.BUSY if error.connection_invalidated else trouble_of(error.orig)
    if isinstance(error, sqlite3.Error):
        return _SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    state = str(getattr(error, "sqlstate", None) or "")
    return _POSTGRESQL.get(state) or (Trouble.BUSY if state.startswith(_PASSING) else None)


class RollingBack(asyncio.Lock):
    """A lock for a connection shared by tasks: whoever fails leaves no half transaction behind to the next.

    Without it a write that met a locked or full disk would keep its transaction open, and with it an old view of the file,
    from which no later write can succeed.
    """

    def __init__(self, connection: aiosqlite.Connection) -> None:
        super().__init__()
        self._connection = connection

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if kind is not None and self._connection.in_transaction:
                await self._connection.rollback()
        finally:
            await super().__aexit__(kind, error, at)
