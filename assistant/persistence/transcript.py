"""The transcript: an append-only log like git's. Rows never change; the main line is the walk from a conversation's head."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, insert, literal, select, update

from .database import Tx, insert_or
from .tables import conversations, messages


async def open_conversation(
    tx: Tx, conversation_id: str, *, tenant_id: str, owner_id: str, title: str | None, at: datetime
) -> None:
    row = {
        "conversation_id": conversation_id,
        "tenant_id": tenant_id,
        "owner_id": owner_id,
        "title": title,
        "language": "en",
        "archived": False,
        "created_at": at,
        "updated_at": at,
    }
    await tx.execute(insert(conversations).values(row))


async def conversation(tx: Tx, conversation_id: str) -> Row[Any] | None:
    return (await tx.execute(select(conversations).where(conversations.c.conversation_id == conversation_id))).one_or_none()


async def change(tx: Tx, conversation_id: str, **values: Any) -> None:
    await tx.execute(update(conversations).where(conversations.c.conversation_id == conversation_id).values(values))


async def append(
    tx: Tx,
    conversation_id: str,
    *,
    message_id: str,
    parent_id: str | None,
    role: str,
    body: dict[str, Any],
    command_id: str,
    at: datetime,
    version: int | None = None,
) -> bool:
    """Write a row once; the same message again changes nothing. False: it was there."""
    newest = select(func.coalesce(func.max(messages.c.seq), 0) + 1).where(messages.c.conversation_id == conversation_id)
    row = {
        "conversation_id": conversation_id,
        "message_id": message_id,
        "parent_id": parent_id,
        "role": role,
        "body": body,
        "command_id": command_id,
        "version": version,
        "seq": (await tx.execute(newest)).scalar_one(),
        "created_at": at,
    }
    done = await tx.execute(insert_or(tx, messages).values(row).on_conflict_do_nothing())
    return done.rowcount == 1


async def find(tx: Tx, conversation_id: str, message_id: str) -> Row[Any] | None:
    mine = messages.c.conversation_id == conversation_id, messages.c.message_id == message_id
    return (await tx.execute(select(messages).where(*mine))).one_or_none()


async def main_line(tx: Tx, conversation_id: str, head_id: str | None, *, count: int | None = None) -> list[Row[Any]]:
    """The newest `count` messages up to the head, oldest first; one recursive walk, whatever the length of the rest."""
    if head_id is None:
        return []
    here = messages.c.conversation_id == conversation_id
    start = select(messages.c.message_id, messages.c.parent_id, literal(1).label("n"))
    walk = start.where(here, messages.c.message_id == head_id).cte("walk", recursive=True)
    step = select(messages.c.message_id, messages.c.parent_id, walk.c.n + 1).where(
        here, messages.c.message_id == walk.c.parent_id
    )
    walk = walk.union_all(step if count is None else step.where(walk.c.n < count))
    rows = select(messages).join(walk, messages.c.message_id == walk.c.message_id).where(here).order_by(walk.c.n.desc())
    return list((await tx.execute(rows)).all())
