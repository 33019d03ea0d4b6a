"""Whose rows a reader sees: their own; a reviewer those of the tenant. Anything else is not there at all."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Table, and_

from ..domain.errors import Forbidden, NotFound
from .shapes import Reader


def seen_by(reader: Reader, table: Table) -> ColumnElement[bool]:
    """For a table with tenant and owner."""
    return of_tenant(reader, table) if reader.reviewer else owned_by(reader, table)


def owned_by(reader: Reader, table: Table) -> ColumnElement[bool]:
    return and_(of_tenant(reader, table), table.c.owner_id == reader.user_id)


def of_tenant(reader: Reader, table: Table) -> ColumnElement[bool]:
    return table.c.tenant_id == reader.tenant_id


def found(row: Any | None, what: str) -> Any:
    """The row. Raises NotFound (`not_found`), whether it is not there or not theirs."""
    if row is None:
        raise NotFound("not_found", what=what)
    return row


def for_reviewers(reader: Reader) -> None:
    """Raises Forbidden (`forbidden`) for everybody else."""
    if not reader.reviewer:
        raise Forbidden("forbidden", needs="reviewer")
