"""Where a command stands, with its runs; and counts for the operator's instruments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Column, Executable, Row, Table, func, select

from ..domain.errors import NotFound
from ..persistence import commands as queue
from ..persistence.database import Tx
from ..persistence.tables import commands, operations, orders, questions, runs, threads
from .shapes import CommandView, Reader, RunView

Counts = Mapping[tuple[str, ...], int]


async def command(tx: Tx, reader: Reader, command_id: str) -> CommandView:
    """The reader's own, or one on a thread they may see. Raises NotFound."""
    row = await queue.find(tx, reader.tenant_id, command_id)
    if row is None or not await _may_see(tx, reader, row):
        raise NotFound("not_found", what="command")
    return CommandView(
        command_id=command_id,
        kind=row.kind,
        status=row.status,
        result=row.result,
        error=row.error,
        created_at=row.created_at,
        runs=tuple(
            RunView(run_id=r.run_id, attempt=r.attempt, started_at=r.started_at, ended_at=r.ended_at, outcome=r.outcome)
            for r in await queue.runs_of(tx, reader.tenant_id, command_id)
        ),
    )


async def _may_see(tx: Tx, reader: Reader, row: Row[Any]) -> bool:
    if reader.reviewer or row.actor["user_id"] == reader.user_id:
        return True
    owner = select(threads.c.owner_id).where(threads.c.thread_id == row.thread_id)
    return (await tx.execute(owner)).scalar_one_or_none() == reader.user_id


async def command_counts(tx: Tx) -> Counts:
    """By kind and status, of all tenants."""
    return await _counted(tx, commands, commands.c.kind, commands.c.status)


async def run_counts(tx: Tx) -> Counts:
    """By outcome; the empty text is running or died."""
    return await _counted(tx, runs, runs.c.outcome)


async def open_question_counts(tx: Tx) -> Counts:
    """Waiting ones by node."""
    waiting = select(questions.c.node, func.count()).where(questions.c.status == "waiting").group_by(questions.c.node)
    return await _read(tx, waiting)


async def operation_counts(tx: Tx) -> Counts:
    """By kind and state."""
    return await _counted(tx, operations, operations.c.kind, operations.c.state)


async def order_counts(tx: Tx) -> Counts:
    """By state."""
    return await _counted(tx, orders, orders.c.state)


async def _counted(tx: Tx, table: Table, *by: Column[Any]) -> Counts:
    return await _read(tx, select(*by, func.count()).select_from(table).group_by(*by))


async def _read(tx: Tx, query: Executable) -> Counts:
    return {tuple(str(value or "") for value in row[:-1]): row[-1] for row in (await tx.execute(query)).all()}
