"""A flight the airline has moved, and what a traveller asked the desk about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Row, select

from ..domain.flights import Fare
from ..domain.trips import BY_HAND, TripStatus
from ..persistence import questions
from ..persistence.database import Tx
from ..persistence.tables import commands
from . import texts
from .shapes import AskedDesk, MovedView, Reader


async def moved_of(
    tx: Tx, reader: Reader, trip: Row[Any], question: Row[Any] | None, booked: Sequence[Row[Any]]
) -> MovedView | None:
    """While its traveller has not answered, or has asked the desk."""
    asked = question if question is not None else await _asked_desk(tx, trip)
    facts = asked.body.get("moved") if asked is not None else None
    if not facts:
        return None
    order = next((o for o in booked if o.order_id == facts["order_id"]), None)
    return MovedView(
        order_id=facts["order_id"],
        booking_reference=order.booking_reference if order is not None else None,
        was=Fare.model_validate(facts["was"]),
        now=Fare.model_validate(facts["now"]),
        connection=facts["connection"],
        other_way=facts["other_way"],
        text=tuple(_in_words(reader, facts)),
    )


async def asks_of(tx: Tx, trip: Row[Any]) -> AskedDesk | None:
    asked = await _asked_desk(tx, trip)
    if asked is None:
        return None
    mine = commands.c.tenant_id == trip.tenant_id, commands.c.command_id == asked.answered_by
    payload: dict[str, Any] = (await tx.execute(select(commands.c.payload).where(*mine))).scalar_one_or_none() or {}
    answer: dict[str, Any] = payload.get("answer") or {}
    return AskedDesk(message=answer.get("message"), at=asked.answered_at)


async def _asked_desk(tx: Tx, trip: Row[Any]) -> Row[Any] | None:
    """The question the traveller answered by asking people, where those have not answered yet."""
    if trip.status != TripStatus.NEEDS_PERSON or trip.reason != BY_HAND:
        return None
    last = await questions.last(tx, trip.trip_id, "choose")
    return last if last is not None and last.answer == "ask" else None


def _in_words(reader: Reader, facts: dict[str, Any]) -> Iterator[str]:
    was, now = (texts.flight(Fare.model_validate(facts[key])) for key in ("was", "now"))
    yield texts.text(reader, "moved.line", was=was, now=now)
    for name in ("connection", "other_way"):
        if facts[name] is not None:
            yield texts.text(reader, f"moved.{name}_{'works' if facts[name] else 'lost'}")
