"""An order whose flights the airline has moved: its itinerary, its claims, and the evidence of what they were."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, select, update

from ..domain.flights import Fare, Segment
from ..domain.moves import Move, moved
from ..domain.plans import Itinerary
from ..persistence.database import Tx
from ..persistence.tables import claims, evidence, orders, webhooks
from .attempting import note
from .granting import claim_what_is_free
from .pages import order


async def move_order(tx: Tx, order_id: str, segments: tuple[Segment, ...], *, command_id: str, at: datetime) -> Move | None:
    """Rewrite the order to the airline's flights of now, once; the same command again gets what it wrote. None: nothing moved."""
    row = await order(tx, order_id)
    if row is None:
        return None
    fare, itinerary = Fare.model_validate(row.fare), Itinerary.model_validate(row.itinerary)
    changed = moved(fare, itinerary, segments)
    if changed is None:
        last = await last_move(tx, order_id)
        return last if last is not None and last.command_id == command_id else None
    now, after = changed
    move = Move(command_id=command_id, order_id=order_id, was=fare, now=now, before=itinerary, after=after)
    values = {"fare": now.model_dump(mode="json"), "itinerary": after.model_dump(mode="json"), "updated_at": at}
    await tx.execute(update(orders).where(orders.c.order_id == order_id).values(values))
    await _claim_anew(tx, row, after)
    await note(tx, operation_id=row.create_id, order_id=order_id, kind="moved", body=move.model_dump(mode="json"), at=at)
    return move


async def moves_heard(tx: Tx) -> list[Row[Any]]:
    """Webhooks that tell of a moved flight of an order we know."""
    told = webhooks.c.kind == "order.airline_initiated_change_detected"
    return list((await tx.execute(select(webhooks).where(told).order_by(webhooks.c.received_at))).all())


async def last_move(tx: Tx, order_id: str) -> Move | None:
    mine = select(evidence.c.body).where(evidence.c.order_id == order_id, evidence.c.kind == "moved")
    body = (await tx.execute(mine.order_by(evidence.c.n.desc()).limit(1))).scalar_one_or_none()
    return Move.model_validate(body) if body else None


async def _claim_anew(tx: Tx, row: Row[Any], itinerary: Itinerary) -> None:
    """The airline has decided: a claim that somebody else holds by now stays theirs, and both orders are there to be seen."""
    await tx.execute(delete(claims).where(claims.c.create_id == row.create_id))
    await claim_what_is_free(tx, row, itinerary)
