"""What operators say became of an effect, and late orders taken in on their word. Kept as evidence, never overwritten."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, insert, or_, select, update

from ..booking.provider import AirlineOrder
from ..domain.ids import derived
from ..domain.people import Actor
from ..domain.plans import CREATES
from ..persistence import signals
from ..persistence.commands import LONGEST_PAUSE
from ..persistence.database import Tx
from ..persistence.tables import attempts, claims, evidence, grants, operations, orders, words
from .attempting import note
from .ordering import facts_of
from .pages import operation

SAID = ("resolution", "not_adopted")


async def last_word(tx: Tx, operation_id: str) -> Row[Any] | None:
    """The newest resolution of an operation, or why the one before it did not hold."""
    mine = evidence.c.operation_id == operation_id, evidence.c.kind.in_(SAID)
    return (await tx.execute(select(evidence).where(*mine).order_by(evidence.c.n.desc()).limit(1))).one_or_none()


async def words_due(tx: Tx, now: datetime) -> list[Row[Any]]:
    """Whose operators' words are to be followed now; also what a clock put off that was set back since."""
    late = words.c.due.is_not(None), or_(words.c.due <= now, words.c.due > now + LONGEST_PAUSE)
    return list((await tx.execute(select(words).where(*late).order_by(words.c.due))).all())


async def is_followed(tx: Tx, word: Row[Any]) -> bool:
    """Whether a word that something is to be done is still on its way."""
    if word.kind != "resolution" or word.body["resolution"] not in {"adopt", "cancel"}:
        return False
    due = select(words.c.due).where(words.c.operation_id == word.operation_id)
    return (await tx.execute(due)).scalar_one_or_none() is not None


async def put_off(tx: Tx, word: Row[Any], *, due: datetime | None, tries: int) -> None:
    """Follow it then, or never again; nothing where something newer was said of that operation meanwhile."""
    same = words.c.operation_id == word.operation_id, words.c.tries == word.tries, words.c.due == word.due
    await tx.execute(update(words).where(*same).values(due=due, tries=tries))


async def not_adopted(tx: Tx, tenant_id: str, operation_id: str, order_id: str, *, why: str, at: datetime) -> None:
    """What an operator named does not fit; they are told, and can name another."""
    await signals.bump(tx, signals.of_inbox(tenant_id))
    await note(tx, operation_id=operation_id, order_id=order_id, kind="not_adopted", body={"why": why}, at=at)


async def was_said(tx: Tx, operation_id: str, resolution: str) -> bool:
    """Whether an operator has said this of an operation before."""
    mine = evidence.c.operation_id == operation_id, evidence.c.kind == "resolution"
    return resolution in {body["resolution"] for body in (await tx.execute(select(evidence.c.body).where(*mine))).scalars()}


def named(word: Row[Any], order_id: str, kind: str) -> tuple[str, ...]:
    """Under which name a word is followed. One that is said again, after it had come to its end, is another."""
    again = (word.body["command_id"],) if word.body.get("again") else ()
    return ("word", word.operation_id, order_id, str(kind), *again)


def was_taken_in(row: Row[Any]) -> bool:
    """Whether this is the create that a late order got when an operator spoke for it."""
    return row.kind in CREATES and row.state == "succeeded" and row.resolved_by is not None


async def found_nothing(tx: Tx, attempt: Row[Any], *, at: datetime) -> None:
    """The airline answered a look-up, and had nothing; once an attempt is enough to know that it was asked."""
    if not await was_looked_up(tx, attempt):
        body = {"attempt": attempt.number}
        await note(tx, operation_id=attempt.operation_id, order_id=None, kind="nothing_found", body=body, at=at)


async def was_looked_up(tx: Tx, attempt: Row[Any]) -> bool:
    """Whether the airline has answered a look-up of this attempt: with nothing, else its outcome were known."""
    mine = evidence.c.operation_id == attempt.operation_id, evidence.c.kind == "nothing_found"
    bodies = (await tx.execute(select(evidence.c.body).where(*mine))).scalars().all()
    return any(body["attempt"] == attempt.number for body in bodies)


async def take_in(
    tx: Tx, late: Row[Any], found: AirlineOrder, *, said: dict[str, Any], command_id: str, aside: bool, at: datetime
) -> str:
    """A late order becomes an ordinary one of its trip; returns its create's id.

    The create that was closed stays closed: a state never moves backwards. The order gets a create of its own, allowed by
    whoever spoke for it. `aside`: it is to go, and no plan of the trip counts with it.
    """
    closed = await operation(tx, late.create_id)
    create_id, actor = derived("taken in", late.order_id), Actor.model_validate(said["by"])
    common = {"operation_id": create_id, "trip_id": late.trip_id, "created_at": at}
    made = {"create_id": create_id, "kind": closed.kind, "itinerary": late.itinerary, "state": "succeeded", "updated_at": at}
    whose = {"tenant_id": late.tenant_id, "mode": late.mode, "resolved_by": said, "fence": 1, "looks": 0}
    await tx.execute(insert(operations).values(common | made | whose))
    allowed = {"granted_by": command_id, "digest": "", "bound": late.total, "actor": actor.model_dump(mode="json")}
    await tx.execute(insert(grants).values(common | allowed | {"state": "consumed"}))
    sent = {"operation_id": create_id, "number": 1, "reference": late.order_id, "request_fingerprint": "", "amount": late.total}
    ended = {"granted_by": command_id, "run_id": "", "process_id": "", "outcome": "succeeded", "started_at": at, "ended_at": at}
    await tx.execute(insert(attempts).values(sent | ended))
    await tx.execute(update(claims).where(claims.c.create_id == late.create_id).values(create_id=create_id))
    now = facts_of(found) | {"create_id": create_id, "aside": aside, "updated_at": at}
    await tx.execute(update(orders).where(orders.c.order_id == late.order_id).values(now))
    body = {"create_id": create_id, "by": said["by"]}
    await note(tx, operation_id=closed.operation_id, order_id=late.order_id, kind="taken_in", body=body, at=at)
    return create_id
