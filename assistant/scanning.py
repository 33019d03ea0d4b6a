"""Threads that wait at a node this version of the graph lacks: found at start, asked again or named, never passed over."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from sqlalchemy import Row, select

from .domain.commands import Command, Kind
from .domain.ids import derived
from .domain.people import Actor
from .persistence.database import Database
from .persistence.tables import questions
from .service import TravelService

log = logging.getLogger(__name__)

ARRIVES = "branch:to:"  # the channel LangGraph writes to send a thread to a node
# What a question is about -> the node after which it is asked, whatever the asking node is called.
ASKED_AFTER = {"choose": "shortlist", "agree": "settle", "review": "settle", "await_outcome": "settle"}


@dataclass(frozen=True)
class Stranded:
    """A waiting question whose node is gone. `asked_after` None: nothing is known to lead back to it."""

    question: Row[Any]
    node: str
    asked_after: str | None


async def stranded(database: Database, saver: BaseCheckpointSaver[Any], nodes: frozenset[str]) -> list[Stranded]:
    """One read a waiting question; `nodes` are those of this version's trip graph."""
    async with database.reading() as tx:
        waiting = (await tx.execute(select(questions).where(questions.c.status == "waiting"))).all()
    found: list[Stranded] = []
    for question in waiting:
        for node in await _heads_for(saver, question):
            if node not in nodes:
                after = ASKED_AFTER.get(question.node)
                found.append(Stranded(question, node, after if after in nodes else None))
    return found


async def _heads_for(saver: BaseCheckpointSaver[Any], question: Row[Any]) -> list[str]:
    at: Any = {"thread_id": question.thread_id, "checkpoint_ns": "", "checkpoint_id": question.asks_checkpoint_id}
    kept = await saver.aget_tuple({"configurable": at})
    channels = kept.checkpoint["channel_values"] if kept else {}
    return [name.removeprefix(ARRIVES) for name in channels if name.startswith(ARRIVES)]


async def ask_anew(service: TravelService, found: list[Stranded]) -> None:
    """Each question is put again by this version's graph, on its own row; one that cannot be is an error to be read."""
    for each in found:
        where = f"trip {each.question.thread_id} waits at {each.node!r}, which this version does not have"
        if each.asked_after is None:
            log.error("%s, and nothing leads back to it: go back to an earlier step of the trip", where)
            continue
        log.warning("%s: it is asked again", where)
        payload = {
            "question_id": each.question.question_id,
            "checkpoint_id": each.question.asks_checkpoint_id,
            "enter_as": each.asked_after,
        }
        actor = Actor(tenant_id=each.question.tenant_id, user_id="layover", name="Layover")
        command_id = derived("asked_anew", each.question.question_id, each.question.interrupt_id)
        await service.accept_own(
            Command(command_id=command_id, kind=Kind.ASK_AGAIN, actor=actor, target=each.question.thread_id, payload=payload)
        )
