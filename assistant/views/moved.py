"""A flight the airline has moved, what a traveller asked the desk about it, and a seat that people ask the airline for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Row, select

from ..domain.flights import Fare
from ..domain.plans import Choice, Plan
from ..domain.trips import BY_HAND, Selection, TripStatus
from ..persistence import documents, questions
from ..persistence.database import Tx
from ..persistence.tables import commands
from . import texts
from .shapes import AskedDesk, MovedView, Reader

LATELY = 50  # commands of a trip in which the one that led to where it stands is found


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
    if await _is_by_hand(tx, trip):
        return await _asked_of_airline(tx, trip)
    asked = await _asked_desk(tx, trip)
    if asked is None:
        return None
    mine = commands.c.tenant_id == trip.tenant_id, commands.c.command_id == asked.answered_by
    payload: dict[str, Any] = (await tx.execute(select(commands.c.payload).where(*mine))).scalar_one_or_none() or {}
    return AskedDesk(message=_answer(payload).get("message"), at=asked.answered_at)


async def _is_by_hand(tx: Tx, trip: Row[Any]) -> bool:
    """Whether the ticket stays and the airline is to be asked for what was chosen instead."""
    if trip.status != TripStatus.NEEDS_PERSON or trip.reason != BY_HAND or not (trip.selection and trip.plan_hash):
        return False
    return Plan.model_validate(await documents.read(tx, trip.plan_hash)).chosen is Choice.BY_HAND


async def _asked_of_airline(tx: Tx, trip: Row[Any]) -> AskedDesk:
    """What is wished for, and the word of who decided that the airline is asked."""
    wished = tuple(seat.designator for seat in Selection.model_validate(trip.selection).seats)
    theirs = select(commands).where(commands.c.thread_id == trip.trip_id).order_by(commands.c.thread_seq.desc()).limit(LATELY)
    word = next((row for row in (await tx.execute(theirs)).all() if _settles_by_hand(row.payload)), None)
    if word is None:
        return AskedDesk(message=None, at=trip.updated_at, wished=wished)
    return AskedDesk(message=_why(word.payload), at=word.created_at, wished=wished, by=word.actor.get("name") or None)


def _settles_by_hand(payload: dict[str, Any]) -> bool:
    return Choice.BY_HAND in (payload.get("settle"), _answer(payload).get("settle"))


def _why(payload: dict[str, Any]) -> str | None:
    """Of a way back its reason, of an answer the message with it."""
    return payload.get("reason") or _answer(payload).get("message")


def _answer(payload: dict[str, Any]) -> dict[str, Any]:
    return payload.get("answer") or {}


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
