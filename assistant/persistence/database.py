"""The business database: one way to commit, one way to read, on SQLite and PostgreSQL alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, event
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

Tx = AsyncConnection
T = TypeVar("T")
LONGEST_LINE = 15.0  # seconds


class Database:
    """`url` is SQLAlchemy's: `sqlite+aiosqlite:///file` or `postgresql+psycopg://...`."""

    def __init__(self, url: str) -> None:
        self.url = url
        # an INSERT that did nothing must be told from one that did: without this PostgreSQL's count is dropped
        counted = {"preserve_rowcount": True}
        self.engine: AsyncEngine = create_async_engine(url, pool_pre_ping=not url.startswith("sqlite"), execution_options=counted)
        # SQLite has one writer: whoever waits here waits in line, at the file some would wait for ever
        self._turn = asyncio.Lock() if self.is_sqlite else None
        if self.is_sqlite:
            event.listen(self.engine.sync_engine, "connect", _configure_sqlite)
            event.listen(self.engine.sync_engine, "begin", _begin_sqlite)

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Tx]:
        """Commits at the end, or nothing happened. Enter it inside `unit` only where the caller may be cancelled."""
        async with self._line(), self.engine.connect() as connection, connection.begin():
            yield connection

    @asynccontextmanager
    async def _line(self) -> AsyncGenerator[None]:
        """One's turn to write. Who stands in line behind a locked file is not to wait for as long as all before them together."""
        if self._turn is None:
            yield
            return
        try:
            async with asyncio.timeout(LONGEST_LINE):
                await self._turn.acquire()
        except TimeoutError:
            raise PoolTimeout(f"no turn to write within {LONGEST_LINE:.0f} s") from None
        try:
            yield
        finally:
            self._turn.release()

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[Tx]:
        """A consistent read that takes no write lock."""
        async with self.engine.connect() as connection:
            await connection.execution_options(layover_reads=True)
            async with connection.begin():
                yield connection

    async def read(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """Run a read as a unit of its own, safe from its caller's cancellation."""

        async def unit() -> T:
            async with self.reading() as tx:
                return await work(tx)

        return await shielded(unit())

    async def write(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """Run a transaction as a unit of its own, safe from its caller's cancellation."""

        async def unit() -> T:
            async with self.transaction() as tx:
                return await work(tx)

        return await shielded(unit())

    async def close(self) -> None:
        await self.engine.dispose()


async def shielded(unit: Coroutine[Any, Any, T]) -> T:
    """A task cancelled inside a transaction would keep SQLite's write lock for good: the caller may go, the unit goes on."""
    return await asyncio.shield(asyncio.ensure_future(unit))


def insert_or(tx: Tx, table: Table) -> Any:
    """An INSERT with `on_conflict_do_nothing` and `on_conflict_do_update`, in the words of the database at hand."""
    return sqlite_insert(table) if tx.dialect.name == "sqlite" else postgresql_insert(table)


def _configure_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    reads = connection.get_execution_options().get("layover_reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")
