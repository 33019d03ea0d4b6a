"""An order whose flights the airline has moved: its itinerary, its claims, and the evidence of what they were."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, select, update

from ..domain.flights import Fare, Segment
from ..domain.moves import Move, moved
from ..domain.plans import LIVE, Itinerary, OrderState
from ..persistence.database import Tx
from ..persistence.tables import claims, evidence, operations, orders, webhooks
from .attempting import UNFINISHED, note
from .granting import claim_what_is_free
from .pages import order

MOST_AT_ONCE = 200


async def move_order(tx: Tx, order_id: str, segments: tuple[Segment, ...], *, told_by: str, at: datetime) -> Move | None:
    """Rewrite the order to the airline's flights of now, once; the same word again gets what it wrote.

    None: nothing moved, or the order is over. Nobody flies on that one, and it claims nothing any more.
    """
    row = await order(tx, order_id)
    if row is None or OrderState(row.state) not in LIVE:
        return None
    fare, itinerary = Fare.model_validate(row.fare), Itinerary.model_validate(row.itinerary)
    changed = moved(fare, itinerary, segments)
    if changed is None:
        last = await last_move(tx, order_id)
        return last if last is not None and last.command_id == told_by else None
    now, after = changed
    move = Move(command_id=told_by, order_id=order_id, was=fare, now=now, before=itinerary, after=after)
    values = {"fare": now.model_dump(mode="json"), "itinerary": after.model_dump(mode="json"), "updated_at": at}
    await tx.execute(update(orders).where(orders.c.order_id == order_id).values(values))
    await _claim_anew(tx, row, after)
    await note(tx, operation_id=row.create_id, order_id=order_id, kind="moved", body=move.model_dump(mode="json"), at=at)
    return move


async def moves_heard(tx: Tx) -> list[Row[Any]]:
    """The oldest webhooks of moved flights that their trip has not been told of, each with the order's trip and tenant."""
    untold = webhooks.c.kind == "order.airline_initiated_change_detected", webhooks.c.handled_at.is_(None)
    ours = orders.c.order_id == webhooks.c.body["order_id"].as_string()
    told = webhooks.c.event_id, orders.c.order_id, orders.c.trip_id, orders.c.tenant_id
    heard = select(*told).join(orders, ours).where(*untold).order_by(webhooks.c.received_at).limit(MOST_AT_ONCE)
    rows: list[Any] = list((await tx.execute(heard)).all())
    return rows


async def told_of_move(tx: Tx, event_id: str, *, at: datetime) -> None:
    await tx.execute(update(webhooks).where(webhooks.c.event_id == event_id).values(handled_at=at))


async def last_move(tx: Tx, order_id: str) -> Move | None:
    mine = select(evidence.c.body).where(evidence.c.order_id == order_id, evidence.c.kind == "moved")
    body = (await tx.execute(mine.order_by(evidence.c.n.desc()).limit(1))).scalar_one_or_none()
    return Move.model_validate(body) if body else None


async def release_left(tx: Tx) -> list[str]:
    """Gives back what is claimed by orders that are over and by nothing that is under way; returns the flights."""
    live = select(orders.c.create_id).where(orders.c.state.in_(LIVE))
    under_way = select(operations.c.operation_id).where(operations.c.state.in_(UNFINISHED))
    left = delete(claims).where(claims.c.create_id.not_in(live), claims.c.create_id.not_in(under_way))
    return sorted((await tx.execute(left.returning(claims.c.segment_key))).scalars())


async def _claim_anew(tx: Tx, row: Row[Any], itinerary: Itinerary) -> None:
    """The airline has decided: a claim that somebody else holds by now stays theirs, and both orders are there to be seen."""
    await tx.execute(delete(claims).where(claims.c.create_id == row.create_id))
    await claim_what_is_free(tx, row, itinerary)
