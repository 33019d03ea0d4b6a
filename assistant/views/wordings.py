"""Other wordings: of a message that was edited, of an answer that was written anew. One is on the main line, all can be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Row, func, or_, select

from ..persistence.database import Tx
from ..persistence.tables import branches, messages
from .shapes import Wording

Text = Callable[[dict[str, Any]], str]


async def wordings(tx: Tx, conversation_id: str, line: Sequence[Row[Any]], text: Text) -> dict[str, tuple[Wording, ...]]:
    """By message of the line that has others, all of them as they were written; without branches it costs one count."""
    lines = select(func.count()).select_from(branches).where(branches.c.thread_id == conversation_id)
    if not line or (await tx.execute(lines)).scalar_one() < 2:
        return {}
    beside = or_(messages.c.parent_id.in_({row.parent_id for row in line if row.parent_id}), messages.c.parent_id.is_(None))
    query = select(messages).where(messages.c.conversation_id == conversation_id, beside).order_by(messages.c.seq)
    by_place: dict[tuple[str | None, str], list[Row[Any]]] = {}
    for row in (await tx.execute(query)).all():
        by_place.setdefault((row.parent_id, row.role), []).append(row)
    said = {row.message_id for row in line if row.role == "user"}
    several = {
        row.message_id: by_place[row.parent_id, row.role]
        for row in line
        if row.role == "user" or row.parent_id in said  # news after an answer is no other wording of anything
    }
    return {
        message_id: tuple(_wording(row, message_id, text) for row in rows)
        for message_id, rows in several.items()
        if len(rows) > 1
    }


def _wording(row: Row[Any], message_id: str, text: Text) -> Wording:
    return Wording(message_id=row.message_id, text=text(row.body), at=row.created_at, shown=row.message_id == message_id)
