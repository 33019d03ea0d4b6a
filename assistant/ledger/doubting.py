"""Creates that were closed as not made and may still come true: on an operator's word, on the airline's, or after a death."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, or_, select, update

from ..domain.errors import Unavailable
from ..domain.plans import CREATES, Itinerary
from ..persistence.database import Tx
from ..persistence.tables import attempts, evidence, operations, orders
from .hearing import order_told

LOOKS_BEFORE_A_PERSON = 8  # with the backoff of the ledger a little over four minutes


async def closed_in_doubt(tx: Tx, like: Row[Any]) -> list[Row[Any]]:
    """Closed creates of one of the same passengers on one of the same flights: no clear answer ever came of them, or the airline
    has told of them by itself. However long ago; none whose order is known."""
    unsure = select(attempts.c.operation_id).where(or_(attempts.c.outcome == "unknown", attempts.c.outcome.is_(None)))
    told_of = select(evidence.c.operation_id).where(evidence.c.kind == "webhook", evidence.c.operation_id.is_not(None))
    taken_in = select(evidence.c.operation_id).where(evidence.c.kind == "taken_in", evidence.c.operation_id.is_not(None))
    rows = select(operations).where(
        operations.c.tenant_id == like.tenant_id,
        operations.c.mode == like.mode,
        operations.c.state == "failed",
        operations.c.kind.in_([kind.value for kind in CREATES]),
        or_(operations.c.operation_id.in_(unsure), operations.c.operation_id.in_(told_of)),
        operations.c.create_id.not_in(select(orders.c.create_id)),
        operations.c.operation_id.not_in(taken_in),
    )
    wanted = Itinerary.model_validate(like.itinerary)
    return [row for row in (await tx.execute(rows)).all() if Itinerary.model_validate(row.itinerary).overlaps(wanted)]


async def none_announced(tx: Tx, row: Row[Any]) -> None:
    """In the transaction that lets a create be sent: raises Unavailable where the airline has named an order that would make it a
    second one, and that has not been looked up yet."""
    for closed in await closed_in_doubt(tx, row) if row.kind in CREATES else ():
        if closed.looks < LOOKS_BEFORE_A_PERSON and await order_told(tx, closed) is not None:
            raise Unavailable(f"operation {closed.operation_id} is announced after all")


async def look_anew(tx: Tx, operation_id: str, *, at: datetime) -> None:
    """A closed create is looked up again as if it had just been sent."""
    anew = update(operations).where(operations.c.operation_id == operation_id)
    await tx.execute(anew.values(looks=0, look_after=at))
