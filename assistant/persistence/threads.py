"""Threads: one LangGraph thread each, with the product's own idea of where its head is."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, insert, select

from ..domain.ids import derived
from ..domain.people import Actor
from .database import Tx
from .tables import branches, threads

GRAPH_VERSION = "1"


async def open_thread(tx: Tx, thread_id: str, *, kind: str, actor: Actor, at: datetime) -> None:
    main = derived("main", thread_id)
    await tx.execute(
        insert(threads).values(
            thread_id=thread_id,
            kind=kind,
            tenant_id=actor.tenant_id,
            owner_id=actor.user_id,
            fence=0,
            next_seq=0,
            main_branch_id=main,
            graph_version=GRAPH_VERSION,
            created_at=at,
        )
    )
    await tx.execute(
        insert(branches).values(
            branch_id=main, thread_id=thread_id, status="main", actor=actor.model_dump(mode="json"), created_at=at
        )
    )


async def find(tx: Tx, thread_id: str, *, lock: bool = False) -> Row[Any] | None:
    mine = select(threads).where(threads.c.thread_id == thread_id)
    if lock and tx.dialect.name != "sqlite":  # SQLite's transaction has the whole file
        mine = mine.with_for_update()
    return (await tx.execute(mine)).one_or_none()
