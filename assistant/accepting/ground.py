"""What every rule stands on: the ports it may use, what it returns, and whose things a person may touch."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from .. import ledger
from ..domain.commands import BY_THE_PRODUCT, Command, Kind
from ..domain.errors import Conflict, Forbidden, NotFound
from ..domain.ids import FollowUps
from ..domain.people import Actor, Role
from ..domain.policy import Policy
from ..domain.trips import GIVING_BACK
from ..domain.value import Value
from ..persistence import commands, questions, signals, threads, transcript, trips
from ..persistence.database import Tx

MOVES_THE_HEAD = frozenset({Kind.CANCEL_TRIP, Kind.REVISE_TRIP, Kind.REWIND, Kind.PROMOTE_BRANCH, Kind.WITHDRAW, Kind.MOVED})
MOST_QUEUED = 20


@dataclass(frozen=True)
class Ground:
    """One command being accepted, now."""

    tx: Tx
    command: Command
    at: datetime
    policy: Policy
    follow_ups: FollowUps

    @property
    def actor(self) -> Actor:
        return self.command.actor


@dataclass(frozen=True)
class Queued:
    """To be run in its thread's order; `payload` is what the run will read."""

    thread_id: str
    payload: dict[str, Any]


@dataclass(frozen=True)
class Done:
    """Carried out already."""

    result: dict[str, Any]


Rule = Callable[[Ground, Any], Awaitable[Queued | Done]]


class Nothing(Value):
    """A payload that carries nothing."""


async def own_conversation(ground: Ground, conversation_id: str) -> Row[Any]:
    row = await transcript.conversation(ground.tx, conversation_id)
    if row is None or (row.tenant_id, row.owner_id) != (ground.actor.tenant_id, ground.actor.user_id):
        raise NotFound("not_found", what="conversation")
    return row


async def own_trip(ground: Ground, trip_id: str, *, or_reviewer: bool = False) -> Row[Any]:
    """The actor's own; with `or_reviewer` also any of a reviewer's tenant."""
    row = await trips.find(ground.tx, trip_id)
    if row is None or row.tenant_id != ground.actor.tenant_id:
        raise NotFound("not_found", what="trip")
    if row.owner_id != ground.actor.user_id and not (or_reviewer and ground.actor.can(Role.REVIEWER)):
        raise NotFound("not_found", what="trip")
    return row


def needs(ground: Ground, role: Role) -> None:
    if not ground.actor.can(role):
        raise Forbidden("forbidden", needs=role.value)


async def answer_question(ground: Ground, question: Row[Any] | None, *, node: str, word: str) -> Row[Any]:
    """Compare-and-set: one author; the loser is told who and when. Refused while the trip is about to change, and to people
    after its deadline, whether or not it was let expire yet."""
    if question is None or question.node != node:
        raise Conflict("not_waiting", what=node)
    refuse_overdue(ground, question)
    queued = await commands.queued(ground.tx, question.thread_id, but=ground.command.command_id)
    if any(row.kind in MOVES_THE_HEAD for row in queued):
        raise Conflict("busy")
    won = await questions.answer(
        ground.tx,
        question.question_id,
        command_id=ground.command.command_id,
        actor=ground.actor,
        word=word,
        at=ground.at,
    )
    if won is None:
        raise await already(ground, question.question_id)
    return won


def refuse_overdue(ground: Ground, question: Row[Any]) -> None:
    """What a question allows ends with it; only the product's own word still comes after."""
    deadline: datetime | None = question.deadline
    if deadline is None or ground.at < deadline or question.status != "waiting" or ground.command.kind in BY_THE_PRODUCT:
        return
    raise Conflict("answer_too_late", at=deadline.isoformat())


async def already(ground: Ground, question_id: str) -> Conflict:
    """Who decided, what and when."""
    row = await questions.find(ground.tx, question_id)
    if row is None or row.answerer is None:
        return Conflict("not_waiting", status=row.status if row else None)
    at = row.answered_at.isoformat() if row.answered_at else None
    return Conflict("already_decided", by=row.answerer.get("name"), at=at, answer=row.answer, status=row.status)


async def refuse_while_confirming(ground: Ground, trip_id: str) -> None:
    """While the airline's word is awaited nothing may lead the trip elsewhere."""
    if await confirming(ground.tx, trip_id):
        raise Conflict("confirming")


async def confirming(tx: Tx, trip_id: str) -> bool:
    """A paid order whose ticket is overdue is known well enough: it may be given up. Of what only waits nothing was sent."""
    waiting = await questions.waiting(tx, trip_id)
    if waiting is not None and waiting.body.get("stopped") == GIVING_BACK:
        waiting = None
    if waiting is not None and waiting.node == "await_outcome":
        overdue = waiting.body.get("stopped") == "needs_person" and not waiting.body.get("operation_id")
        if not overdue:
            return True
    return bool(await ledger.unsettled(tx, trip_id))


async def refuse_while_paused(ground: Ground) -> None:
    """An operator has stopped purchases: what would lead to one waits until they resume, and is told so."""
    pause = await signals.paused(ground.tx)
    if pause is not None:
        raise Conflict("paused", reason=pause.get("reason"), restored_from=pause.get("restored_from"))


async def head_of(ground: Ground, thread_id: str) -> str | None:
    thread = await threads.find(ground.tx, thread_id, lock=True)
    return thread.head_checkpoint_id if thread else None
