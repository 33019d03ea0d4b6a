"""What tells people that something changed: counters for pages, events for listeners. Written with the change itself."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, insert, select

from .database import Tx, insert_or
from .tables import changes, events, switches, users


def of_user(user_id: str) -> str:
    return f"user:{user_id}"


def of_inbox(tenant_id: str) -> str:
    return f"inbox:{tenant_id}"


async def bump(tx: Tx, *scopes: str) -> None:
    for scope in sorted(set(scopes)):
        row = insert_or(tx, changes).values(scope=scope, counter=1)
        await tx.execute(row.on_conflict_do_update(index_elements=["scope"], set_={"counter": changes.c.counter + 1}))


async def counters(tx: Tx, *scopes: str) -> dict[str, int]:
    rows = await tx.execute(select(changes).where(changes.c.scope.in_(scopes)))
    return {row.scope: row.counter for row in rows}


async def emit(tx: Tx, conversation_id: str, *, kind: str, body: dict[str, Any], at: datetime) -> None:
    await tx.execute(insert(events).values(conversation_id=conversation_id, kind=kind, body=body, created_at=at))


async def since(tx: Tx, conversation_id: str, *, after: int, limit: int = 200) -> list[Row[Any]]:
    later = events.c.conversation_id == conversation_id, events.c.n > after
    return list((await tx.execute(select(events).where(*later).order_by(events.c.n).limit(limit))).all())


async def switch(tx: Tx, name: str, value: dict[str, Any], *, at: datetime) -> None:
    row = insert_or(tx, switches).values(name=name, value=value, changed_at=at)
    await tx.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": value, "changed_at": at}))


async def paused(tx: Tx) -> dict[str, Any] | None:
    """Who stopped purchases and why: `{by, reason?, restored_from?}`, typed or after a restore; None while they go on."""
    value = await switched(tx, "paused")
    return value if value and value.get("on") else None


async def tell_everybody(tx: Tx) -> None:
    """Every page looks again."""
    people = (await tx.execute(select(users.c.user_id, users.c.tenant_id))).all()
    await bump(tx, *(of_user(row.user_id) for row in people), *(of_inbox(row.tenant_id) for row in people))


async def switched(tx: Tx, name: str) -> dict[str, Any] | None:
    return (await tx.execute(select(switches.c.value).where(switches.c.name == name))).scalar_one_or_none()
