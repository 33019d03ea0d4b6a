"""Attempts: intent before sending, outcome after it, and what becomes of the operation. A state never moves backwards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, func, insert, select, update

from ..booking.provider import AirlineOrder
from ..domain.errors import Conflict, Reason, Refused
from ..domain.flights import Fare
from ..domain.money import Money
from ..domain.plans import (
    CREATES,
    OrderState,
)
from ..persistence.database import Tx, insert_or
from ..persistence.tables import attempts, evidence, grants, operations, orders, words
from .granting import claim, release_claims, void_trip
from .ordering import add_order, refresh_order

LONGEST_BACKOFF = timedelta(minutes=10)
UNFINISHED = ("submitting", "unknown", "needs_person")
OPEN_STATES = ("planned", "submitting", "unknown", "needs_person")


@dataclass(frozen=True)
class Attempt:
    number: int
    reference: str
    granted_by: str


async def begin(
    tx: Tx,
    row: Row[Any],
    *,
    reference: str,
    fingerprint: str,
    granted_by: str,
    amount: Money | None,
    run_id: str,
    process_id: str,
    at: datetime,
) -> Attempt:
    """Consume the grant, take the claims, write the attempt: from here on the airline may know."""
    good = "unused" if row.state == "planned" else "consumed"
    mine = grants.c.operation_id == row.operation_id, grants.c.granted_by == granted_by, grants.c.state == good
    if (await tx.execute(update(grants).where(*mine).values(state="consumed"))).rowcount != 1:
        raise Conflict("ungranted", operation_id=row.operation_id)  # voided since it was read
    await _alone_on_its_order(tx, row)
    if row.kind in CREATES and row.state == "planned":
        await claim(tx, row)
    number = row.fence + 1
    await _move(tx, row, "submitting", since=("planned", "submitting"), at=at, fence=number)
    await tx.execute(
        insert(attempts).values(
            operation_id=row.operation_id,
            number=number,
            reference=reference,
            request_fingerprint=fingerprint,
            granted_by=granted_by,
            amount=amount and amount.model_dump(mode="json"),
            run_id=run_id,
            process_id=process_id,
            started_at=at,
        )
    )
    if row.kind == "cancel":
        held = orders.c.create_id == row.create_id, orders.c.state == OrderState.HELD
        await tx.execute(update(orders).where(*held).values(state=OrderState.RELEASING, updated_at=at))
    return Attempt(number, reference, granted_by)


async def _alone_on_its_order(tx: Tx, row: Row[Any]) -> None:
    """An order is never given up while a payment of it may be under way, nor paid while it may be gone."""
    others = operations.c.create_id == row.create_id, operations.c.operation_id != row.operation_id
    under_way = select(func.count()).select_from(operations).where(*others, operations.c.state.in_(UNFINISHED))
    if (await tx.execute(under_way)).scalar_one():
        raise Refused(Reason.NOT_CANCELLABLE, "another operation of this order is not finished")


async def end_attempt(tx: Tx, operation_id: str, number: int, outcome: str, *, at: datetime) -> None:
    mine = attempts.c.operation_id == operation_id, attempts.c.number == number
    await tx.execute(update(attempts).where(*mine).values(outcome=outcome, ended_at=at))


async def note(tx: Tx, *, operation_id: str | None, order_id: str | None, kind: str, body: dict[str, Any], at: datetime) -> None:
    """Evidence is always appended, whatever has become of the operation. An operator's word is from then on to be followed."""
    await tx.execute(insert(evidence).values(operation_id=operation_id, order_id=order_id, kind=kind, body=body, created_at=at))
    if operation_id is not None and kind in {"resolution", "not_adopted"}:
        now = {"tries": 0, "due": at if kind == "resolution" else None}
        word = insert_or(tx, words).values(now | {"operation_id": operation_id})
        await tx.execute(word.on_conflict_do_update(index_elements=["operation_id"], set_=now))


async def mark_unknown(tx: Tx, row: Row[Any], *, at: datetime, look_after: datetime) -> None:
    await _move(tx, row, "unknown", since=("submitting",), at=at, look_after=look_after)


async def look_now(tx: Tx, operation_id: str, *, at: datetime) -> None:
    await tx.execute(update(operations).where(operations.c.operation_id == operation_id).values(look_after=at))


async def follow_now(tx: Tx, operation_id: str, *, at: datetime) -> None:
    """Something has become of it: what an operator said and waits for that goes on at once."""
    waits = words.c.operation_id == operation_id, words.c.due.is_not(None)
    await tx.execute(update(words).where(*waits).values(tries=0, due=at))


async def looked(tx: Tx, operation_id: str, *, look_after: datetime) -> int:
    """One more look-up without an answer; returns how many there were."""
    one_more = (
        update(operations)
        .where(operations.c.operation_id == operation_id)
        .values(looks=operations.c.looks + 1, look_after=look_after)
    )
    return (await tx.execute(one_more.returning(operations.c.looks))).scalar_one()


async def needs_person(tx: Tx, row: Row[Any], *, at: datetime) -> None:
    await _move(tx, row, "needs_person", since=("unknown",), at=at)


async def fail(tx: Tx, row: Row[Any], reason: str, *, at: datetime, resolved_by: dict[str, Any] | None = None) -> None:
    """It surely did not happen: claims go back, a hold being released is held again, one that ran out is over, grants void."""
    await _move(tx, row, "failed", since=OPEN_STATES, at=at, reason=reason, resolved_by=resolved_by)
    if row.kind in CREATES:
        await release_claims(tx, row.create_id)
    if row.kind == "pay" and reason == Reason.HOLD_EXPIRED:  # the airline's own word, whatever the order still reads as
        gone = orders.c.create_id == row.create_id, orders.c.state == OrderState.HELD
        await tx.execute(update(orders).where(*gone).values(state=OrderState.LAPSED, updated_at=at))
        await release_claims(tx, row.create_id)
    if row.kind == "cancel":
        back = orders.c.create_id == row.create_id, orders.c.state == OrderState.RELEASING
        await tx.execute(update(orders).where(*back).values(state=OrderState.HELD, updated_at=at))
    await void_trip(tx, row.trip_id)


async def succeed(
    tx: Tx, row: Row[Any], found: AirlineOrder, *, fare: Fare | None, at: datetime, resolved_by: dict[str, Any] | None = None
) -> None:
    """It happened; the order is as the airline says it is."""
    await _move(tx, row, "succeeded", since=("submitting", "unknown", "needs_person"), at=at, resolved_by=resolved_by)
    if row.kind in CREATES:
        await add_order(tx, row, found, fare=fare, state=None, at=at)
    else:
        await refresh_order(tx, found, at=at)


async def _move(tx: Tx, row: Row[Any], state: str, *, since: tuple[str, ...], at: datetime, **values: Any) -> None:
    """Compare-and-set: never backwards, never from a state somebody else has moved on from."""
    this = operations.c.operation_id == row.operation_id, operations.c.state.in_(since), operations.c.fence == row.fence
    kept = {k: v for k, v in values.items() if v is not None}
    if (await tx.execute(update(operations).where(*this).values(kept | {"state": state, "updated_at": at}))).rowcount != 1:
        raise Conflict("operation_moved", operation_id=row.operation_id, wanted=state)
    if state in {"succeeded", "failed"}:
        await follow_now(tx, row.operation_id, at=at)


def backoff(looks: int, *, first: timedelta) -> timedelta:
    """Look again soon at first, then ever less often, at least every ten minutes."""
    return min(first * (2 ** min(looks, 12)), LONGEST_BACKOFF)
