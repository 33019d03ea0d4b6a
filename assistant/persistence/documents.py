"""Content-addressed rows for what is too big for a graph's state: lists of offers, seat maps, plans."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import select

from ..domain.ids import fingerprint
from .database import Tx, insert_or
from .tables import documents


async def keep(tx: Tx, body: Any, *, at: datetime) -> str:
    """Equal content is one row; keeping it again does nothing."""
    key = fingerprint(body)
    await tx.execute(insert_or(tx, documents).values(hash=key, body=body, created_at=at).on_conflict_do_nothing())
    return key


async def read(tx: Tx, key: str) -> Any | None:
    return (await tx.execute(select(documents.c.body).where(documents.c.hash == key))).scalar_one_or_none()
