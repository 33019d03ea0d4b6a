"""What the airline tells by itself: before our own answer is there, after that is lost, and after all is closed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, func, select, update

from ..booking.provider import WebhookEvent
from ..domain.errors import Reason
from ..domain.plans import CREATES
from ..persistence.database import Tx
from ..persistence.tables import attempts, evidence, operations, orders
from .attempting import UNFINISHED, fail, look_now, mark_unknown, note
from .pages import last_attempt

MADE, NOT_MADE = "order.created", "order.creation_failed"


async def heard(tx: Tx, event: WebhookEvent, *, at: datetime) -> None:
    """A webhook is evidence and makes the reconciler look now; the word that nothing was made ends an unknown create.

    What is being sent is left to whoever sends it: when no answer comes, `unanswered` reads what was told meanwhile. An order
    of a create that is closed is looked for again, however long ago that was.
    """
    operation_id = await _whom_it_is_about(tx, event)
    body = event.model_dump(mode="json")
    await note(tx, operation_id=operation_id, order_id=event.order_id, kind="webhook", body=body, at=at)
    found = select(operations).where(operations.c.operation_id == (operation_id or ""))
    row = (await tx.execute(found)).one_or_none()
    if row is None:
        return
    if row.state in {"unknown", "needs_person"}:
        if await was_told_of_none(tx, row):
            await fail(tx, row, Reason.NOT_CREATED, at=at)
        else:
            await look_now(tx, row.operation_id, at=at)
    elif row.state == "failed" and row.kind in CREATES and event.kind == MADE:
        anew = update(operations).where(operations.c.operation_id == row.operation_id)
        await tx.execute(anew.values(looks=0, look_after=at))


async def unanswered(tx: Tx, row: Row[Any], *, at: datetime, look_after: datetime) -> None:
    """No answer came to what is being sent. What the airline told of it by itself is one: that nothing was made ends it,
    anything else is looked up at once."""
    if await was_told_of_none(tx, row):
        await fail(tx, row, Reason.NOT_CREATED, at=at)
    else:
        await mark_unknown(tx, row, at=at, look_after=at if await _told(tx, row) else look_after)


async def was_told_of_none(tx: Tx, row: Row[Any]) -> bool:
    """Whether the airline has said that the newest attempt made nothing, and has named no order of the operation."""
    attempt = await last_attempt(tx, row.operation_id)
    if row.kind not in CREATES or attempt is None or await order_told(tx, row) is not None:
        return False
    about = [event.offer_id for event in await _told(tx, row) if event.kind == NOT_MADE]
    return bool({None, attempt.reference}.intersection(about))  # a word on an offer tried before says nothing of this one


async def order_told(tx: Tx, row: Row[Any]) -> str | None:
    """The order that the airline has named as this create's."""
    made = [event.order_id for event in await _told(tx, row) if event.kind == MADE]
    return made[-1] if made and row.kind in CREATES else None


async def _told(tx: Tx, row: Row[Any]) -> list[WebhookEvent]:
    """The events of its newest attempt, oldest first.

    An attempt of a create begins with its offer; the place of that among the evidence tells what came after, whatever the
    clock did.
    """
    mine = evidence.c.operation_id == row.operation_id
    begun = select(func.coalesce(func.max(evidence.c.n), 0)).where(mine, evidence.c.kind == "offer").scalar_subquery()
    since = select(evidence.c.body).where(mine, evidence.c.kind == "webhook", evidence.c.n > begun)
    return [WebhookEvent.model_validate(body) for body in (await tx.execute(since.order_by(evidence.c.n))).scalars()]


async def _whom_it_is_about(tx: Tx, event: WebhookEvent) -> str | None:
    """What is under way with a named order, for an event of a payment or a cancellation; else the create."""
    if event.order_id is not None and event.kind not in {MADE, NOT_MADE}:
        changing = await _first(tx, _changing(event.order_id))
        if changing is not None:
            return changing
    return event.operation_id or await _first(tx, _created_from(event.offer_id))


def _changing(order_id: str) -> Select[Any]:
    """There is one at most: an order is never paid and given up at once."""
    of_it = orders.c.order_id == order_id, orders.c.create_id == operations.c.create_id
    under_way = operations.c.kind.not_in([kind.value for kind in CREATES]), operations.c.state.in_(UNFINISHED)
    return select(operations.c.operation_id).join(orders, of_it[1]).where(of_it[0], *under_way)


def _created_from(offer_id: str | None) -> Select[Any]:
    mine = select(attempts.c.operation_id).where(attempts.c.reference == (offer_id or ""))
    return mine.order_by(attempts.c.started_at.desc())


async def _first(tx: Tx, found: Select[Any]) -> str | None:
    return (await tx.execute(found.limit(1))).scalar_one_or_none()
