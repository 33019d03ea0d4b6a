"""What stands still: commands nobody runs, questions whose step is gone. Said once, for the doctor who names and the probe."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Row, select

from .commands import OPEN
from .database import Tx
from .tables import commands, questions
from .threads import GRAPH_VERSION

LONG = timedelta(hours=1)  # nothing of the product's own doing takes longer


def is_overdue(command: Row[Any], *, since: datetime) -> bool:
    """Open though its time came before `since` (aware)."""
    return command.status in OPEN and (command.not_before or command.created_at) < since


def is_another_versions(question: Row[Any], *, asks: Collection[str]) -> bool:
    """It waits at a step this version lacks or means otherwise; `asks` are the nodes of this version that ask."""
    return question.status == "waiting" and (question.node not in asks or question.graph_version != GRAPH_VERSION)


def has_lost_its_step(question: Row[Any], *, kept: Collection[str]) -> bool:
    """It waits at a checkpoint that is not among those kept."""
    return question.status == "waiting" and question.asks_checkpoint_id not in kept


def checkpoints_of(file: Path, asked: Sequence[Row[Any]]) -> frozenset[str]:
    """Ids of the checkpoints these questions wait at, as far as this file has them. Raises sqlite3.Error."""
    if not file.is_file():
        return frozenset()
    pairs = json.dumps([[question.thread_id, question.asks_checkpoint_id] for question in asked])
    found = (
        "SELECT c.checkpoint_id FROM json_each(?) AS q JOIN checkpoints AS c ON c.checkpoint_ns = ''"
        " AND c.thread_id = json_extract(q.value, '$[0]') AND c.checkpoint_id = json_extract(q.value, '$[1]')"
    )
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=10)) as reading:
        return frozenset(row[0] for row in reading.execute(found, (pairs,)))


async def open_commands(tx: Tx) -> Sequence[Row[Any]]:
    return (await tx.execute(select(commands).where(commands.c.status.in_(OPEN)))).all()


async def waiting_questions(tx: Tx) -> Sequence[Row[Any]]:
    return (await tx.execute(select(questions).where(questions.c.status == "waiting"))).all()
