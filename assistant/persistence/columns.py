"""Column types that mean the same on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, DateTime, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """Aware UTC in, aware UTC out; SQLite, which knows no zones, stores it naive."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a naive time cannot be stored: {value}")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else (value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC))


def document() -> Any:
    """JSON; None is SQL NULL."""
    return JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


def one_of(name: str, values: type[StrEnum] | tuple[str, ...]) -> tuple[Column[str], CheckConstraint]:
    """A text column that holds one of these words, checked by the database."""
    words = [str(v) for v in values]
    listed = ", ".join(f"'{w}'" for w in words)
    return Column(name, Text, nullable=False), CheckConstraint(f"{name} IN ({listed})", name=f"{name}_is_known")
