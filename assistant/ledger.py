"""The ledger's rows: what was intended, granted, tried and is held. It lives where no rewind reaches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from .booking.provider import AirlineOrder, CancellationQuote, WebhookEvent
from .domain.errors import Conflict, Reason, Refused
from .domain.flights import Fare
from .domain.money import Money
from .domain.people import Actor
from .domain.plans import (
    CREATES,
    DROPS,
    EFFECTS,
    LIVE,
    Itinerary,
    Order,
    OrderState,
    Plan,
    Refund,
    Step,
    by_the_rules,
    with_tolerance,
)
from .domain.settlement import LedgerPage
from .persistence.database import Tx, insert_or
from .persistence.tables import attempts, claims, evidence, grants, operations, orders, quotes, trips

OPEN_STATES = ("planned", "submitting", "unknown", "needs_person")


@dataclass(frozen=True)
class Book:
    """Whose ledger: tenant, and which world the money is in (`mode` = sandbox | test | live)."""

    tenant_id: str
    mode: str


# Reading


async def page(tx: Tx, book: Book, trip_id: str) -> LedgerPage:
    """A trip's page; every branch of it."""
    mine = (await tx.execute(select(orders).where(orders.c.trip_id == trip_id).order_by(orders.c.created_at))).all()
    failed = (await tx.execute(select(operations).where(operations.c.trip_id == trip_id, operations.c.state == "failed"))).all()
    gone = [o for o in mine if OrderState(o.state) not in LIVE]
    return LedgerPage(
        tenant_id=book.tenant_id,
        mode=book.mode,
        trip_id=trip_id,
        orders=tuple([await _order(tx, row) for row in mine if OrderState(row.state) in LIVE]),
        closed_creates=tuple(
            Itinerary.model_validate(r.itinerary).intent for r in (*gone, *(f for f in failed if f.kind in CREATES))
        ),
        failed=tuple((r.kind, r.create_id) for r in failed if r.kind not in CREATES),
    )


async def operation(tx: Tx, operation_id: str) -> Row[Any]:
    return (await tx.execute(select(operations).where(operations.c.operation_id == operation_id))).one()


async def order_of(tx: Tx, create_id: str) -> Row[Any] | None:
    """The order a create made; a surplus one is never it."""
    mine = orders.c.create_id == create_id, orders.c.state != OrderState.SURPLUS
    return (await tx.execute(select(orders).where(*mine))).one_or_none()


async def order(tx: Tx, order_id: str) -> Row[Any] | None:
    return (await tx.execute(select(orders).where(orders.c.order_id == order_id))).one_or_none()


async def last_attempt(tx: Tx, operation_id: str) -> Row[Any] | None:
    newest = select(attempts).where(attempts.c.operation_id == operation_id).order_by(attempts.c.number.desc()).limit(1)
    return (await tx.execute(newest)).one_or_none()


async def newest_quote(tx: Tx, order_id: str) -> Row[Any] | None:
    newest = select(quotes).where(quotes.c.order_id == order_id).order_by(quotes.c.created_at.desc(), quotes.c.quote_id.desc())
    return (await tx.execute(newest.limit(1))).one_or_none()


async def in_state(tx: Tx, *states: str) -> list[Row[Any]]:
    rows = select(operations).where(operations.c.state.in_(states)).order_by(operations.c.created_at)
    return list((await tx.execute(rows)).all())


async def orders_in(tx: Tx, *states: OrderState) -> list[Row[Any]]:
    return list((await tx.execute(select(orders).where(orders.c.state.in_(states)))).all())


async def unsettled(tx: Tx, trip_id: str) -> list[Row[Any]]:
    """What may be happening at the airline right now; while there is any, the trip must not be taken elsewhere."""
    mine = operations.c.trip_id == trip_id, operations.c.state.in_(("submitting", "unknown", "needs_person"))
    return list((await tx.execute(select(operations).where(*mine))).all())


# Planning and granting


async def write_plan(
    tx: Tx, book: Book, trip_id: str, plan: Plan, *, standing: str | None, free: tuple[Step, ...], actor: Actor, at: datetime
) -> int:
    """A new plan voids what the trip was granted before, but for the decision that asked for this very plan. Returns how many it voided."""
    stale = grants.c.trip_id == trip_id, grants.c.state == "unused", grants.c.granted_by != (standing or "")
    by_people = ~grants.c.granted_by.like("policy:%")
    voided = (await tx.execute(select(func.count()).select_from(grants).where(*stale, by_people))).scalar_one()
    await tx.execute(update(grants).where(*stale).values(state="void"))
    for step in plan.effects:
        row = {
            "operation_id": step.operation_id,
            "tenant_id": book.tenant_id,
            "mode": book.mode,
            "trip_id": trip_id,
            "kind": kind_of(step),
            "create_id": step.create_id,
            "itinerary": step.itinerary.model_dump(mode="json"),
            "state": "planned",
            "created_at": at,
            "updated_at": at,
            "fence": 0,
            "looks": 0,
        }
        again = insert_or(tx, operations).values(row)
        await tx.execute(
            again.on_conflict_do_update(["operation_id"], set_={"kind": kind_of(step)}, where=operations.c.state == "planned")
        )
    await grant(tx, trip_id, plan, free, granted_by=f"policy:{plan.digest}", actor=actor, at=at)
    return voided


def kind_of(step: Step) -> str:
    """Releasing an unpaid hold and cancelling a paid order are one effect at the airline."""
    return "cancel" if step.kind in DROPS else step.kind.value


async def grant(
    tx: Tx,
    trip_id: str,
    plan: Plan,
    steps: tuple[Step, ...],
    *,
    granted_by: str,
    actor: Actor,
    at: datetime,
    tolerance: Decimal = Decimal(0),
) -> None:
    """One grant per step, consumed by its operation."""
    for step in (s for s in steps if s.kind in EFFECTS):
        bound = step.bound if step.kind in DROPS else with_tolerance(step.bound, tolerance)
        row = {
            "operation_id": step.operation_id,
            "granted_by": granted_by,
            "trip_id": trip_id,
            "digest": plan.digest,
            "bound": bound.model_dump(mode="json"),
            "actor": actor.model_dump(mode="json"),
            "state": "unused",
            "created_at": at,
        }
        again = {"state": "unused", "bound": row["bound"]}
        renewed = insert_or(tx, grants).values(row)
        await tx.execute(
            renewed.on_conflict_do_update(["operation_id", "granted_by"], set_=again, where=grants.c.state != "consumed")
        )


async def void(tx: Tx, granted_by: str) -> None:
    mine = grants.c.granted_by == granted_by, grants.c.state == "unused"
    await tx.execute(update(grants).where(*mine).values(state="void"))


async def void_trip(tx: Tx, trip_id: str) -> None:
    """A step failed: what was granted after it no longer holds."""
    await tx.execute(update(grants).where(grants.c.trip_id == trip_id, grants.c.state == "unused").values(state="void"))


async def granted(tx: Tx, row: Row[Any]) -> tuple[Money, str] | None:
    """The money a grant allows and who gave it: unused before the first attempt, its own consumed one after."""
    state = "unused" if row.state == "planned" else "consumed"
    good = grants.c.operation_id == row.operation_id, grants.c.state == state
    found = (await tx.execute(select(grants).where(*good).order_by(grants.c.created_at.desc()).limit(1))).one_or_none()
    return None if found is None else (Money.model_validate(found.bound), found.granted_by)


# Trying


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
    used = grants.c.operation_id == row.operation_id, grants.c.granted_by == granted_by
    await tx.execute(update(grants).where(*used).values(state="consumed"))
    if row.kind in CREATES and row.state == "planned":
        await _claim(tx, row)
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


async def end_attempt(tx: Tx, operation_id: str, number: int, outcome: str, *, at: datetime) -> None:
    mine = attempts.c.operation_id == operation_id, attempts.c.number == number
    await tx.execute(update(attempts).where(*mine).values(outcome=outcome, ended_at=at))


async def note(tx: Tx, *, operation_id: str | None, order_id: str | None, kind: str, body: dict[str, Any], at: datetime) -> None:
    """Evidence is always appended, whatever has become of the operation."""
    await tx.execute(insert(evidence).values(operation_id=operation_id, order_id=order_id, kind=kind, body=body, created_at=at))


async def heard(tx: Tx, event: WebhookEvent, *, at: datetime) -> None:
    """A webhook is evidence; it makes the reconciler look now, and a definite word that nothing was made ends an unknown create."""
    operation_id = event.operation_id or await _operation_of_offer(tx, event.offer_id)
    body = event.model_dump(mode="json")
    await note(tx, operation_id=operation_id, order_id=event.order_id, kind="webhook", body=body, at=at)
    if operation_id is None:
        return
    row = (await tx.execute(select(operations).where(operations.c.operation_id == operation_id))).one_or_none()
    if row is None or row.state not in {"unknown", "needs_person"}:
        return
    if event.kind == "order.creation_failed":
        await fail(tx, row, Reason.NOT_CREATED, at=at)
    else:
        await tx.execute(update(operations).where(operations.c.operation_id == operation_id).values(look_after=at))


async def _operation_of_offer(tx: Tx, offer_id: str | None) -> str | None:
    mine = select(attempts.c.operation_id).where(attempts.c.reference == (offer_id or ""))
    return (await tx.execute(mine.order_by(attempts.c.started_at.desc()).limit(1))).scalar_one_or_none()


async def is_current(tx: Tx, operation_id: str, number: int) -> bool:
    """Whether this attempt is still the one that may move its operation."""
    row = await operation(tx, operation_id)
    return row.fence == number and row.state in {"submitting", "unknown", "needs_person"}


async def mark_unknown(tx: Tx, row: Row[Any], *, at: datetime, look_after: datetime) -> None:
    await _move(tx, row, "unknown", since=("submitting",), at=at, look_after=look_after)


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
    """It surely did not happen: claims go back, a hold that was being released is held again, later grants are void."""
    await _move(tx, row, "failed", since=OPEN_STATES, at=at, reason=reason, resolved_by=resolved_by)
    if row.kind in CREATES:
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


async def add_order(
    tx: Tx, row: Row[Any], found: AirlineOrder, *, fare: Fare | None, state: OrderState | None, at: datetime
) -> None:
    """A new order of an operation; `state` surplus when its operation was closed before it appeared."""
    bought = fare or await _planned_fare(tx, row)
    values = _facts(found) | {
        "tenant_id": row.tenant_id,
        "mode": row.mode,
        "trip_id": row.trip_id,
        "create_id": row.create_id,
        "itinerary": row.itinerary,
        "fare": bought.model_dump(mode="json"),
        "created_at": at,
        "updated_at": at,
        "aside": False,
    }
    if state is not None:
        values["state"] = state
    await tx.execute(insert_or(tx, orders).values(values).on_conflict_do_nothing())


async def refresh_order(tx: Tx, found: AirlineOrder, *, at: datetime) -> bool:
    """Write what the airline says now; a state never moves backwards. True when something changed."""
    row = await order(tx, found.order_id)
    if row is None:
        return False
    facts = _facts(found)
    if OrderState(row.state) in {OrderState.SURPLUS, OrderState.CANCELLED, OrderState.LAPSED} and facts["state"] not in {
        OrderState.CANCELLED,
        OrderState.LAPSED,
    }:
        facts["state"] = row.state
    if row.state == OrderState.RELEASING and facts["state"] == OrderState.HELD:
        facts["state"] = row.state
    changed = any(getattr(row, k) != v for k, v in facts.items())
    if changed:
        await tx.execute(update(orders).where(orders.c.order_id == found.order_id).values(facts | {"updated_at": at}))
    if facts["state"] in {OrderState.CANCELLED, OrderState.LAPSED}:
        await release_claims(tx, row.create_id)
    return changed


async def set_aside(tx: Tx, create_id: str, *, at: datetime) -> None:
    await tx.execute(update(orders).where(orders.c.create_id == create_id).values(aside=True, updated_at=at))


async def quoted(tx: Tx, quote: CancellationQuote, *, at: datetime) -> None:
    row = {
        "quote_id": quote.quote_id,
        "order_id": quote.order_id,
        "refund": quote.refund and quote.refund.model_dump(mode="json"),
        "kind": quote.kind,
        "expires_at": quote.expires_at,
        "created_at": at,
    }
    await tx.execute(insert_or(tx, quotes).values(row).on_conflict_do_nothing())


async def release_claims(tx: Tx, create_id: str) -> None:
    await tx.execute(delete(claims).where(claims.c.create_id == create_id))


async def claimed_elsewhere(tx: Tx, book: Book, itinerary: Itinerary, *, create_ids: frozenset[str]) -> Row[Any] | None:
    """A claim on one of these flights for one of these passengers that none of these orders holds, with its trip's owner."""
    mine = claims.c.tenant_id == book.tenant_id, claims.c.mode == book.mode, claims.c.passenger_id.in_(itinerary.passenger_ids)
    held = select(claims, trips.c.owner_id).outerjoin(trips, trips.c.trip_id == claims.c.trip_id)
    rows = (await tx.execute(held.where(*mine, claims.c.segment_key.in_(itinerary.segment_keys)))).all()
    return next((r for r in rows if r.create_id not in create_ids), None)


async def _claim(tx: Tx, row: Row[Any]) -> None:
    for segment_key, passenger_id in sorted(Itinerary.model_validate(row.itinerary).claims):
        taken = {
            "tenant_id": row.tenant_id,
            "mode": row.mode,
            "segment_key": segment_key,
            "passenger_id": passenger_id,
            "create_id": row.create_id,
            "trip_id": row.trip_id,
        }
        try:
            async with tx.begin_nested():
                await tx.execute(insert(claims).values(taken))
        except IntegrityError as clash:
            key = [claims.c[k] == taken[k] for k in ("tenant_id", "mode", "segment_key", "passenger_id")]
            holder = (await tx.execute(select(claims.c.create_id).where(*key))).scalar_one_or_none()
            if holder != row.create_id:
                raise Refused(Reason.PASSENGER_HAS_FLIGHT, segment_key) from clash


async def _move(tx: Tx, row: Row[Any], state: str, *, since: tuple[str, ...], at: datetime, **values: Any) -> None:
    """Compare-and-set: never backwards, never from a state somebody else has moved on from."""
    this = operations.c.operation_id == row.operation_id, operations.c.state.in_(since), operations.c.fence == row.fence
    kept = {k: v for k, v in values.items() if v is not None}
    if (await tx.execute(update(operations).where(*this).values(kept | {"state": state, "updated_at": at}))).rowcount != 1:
        raise Conflict("operation_moved", operation_id=row.operation_id, wanted=state)


async def _order(tx: Tx, row: Row[Any]) -> Order:
    quote = await newest_quote(tx, row.order_id)
    refund = (
        by_the_rules(Fare.model_validate(row.fare), Money.model_validate(row.total))
        if quote is None
        else Refund(money=quote.refund and Money.model_validate(quote.refund), kind=quote.kind, quoted=True)
    )
    return Order(
        order_id=row.order_id,
        create_id=row.create_id,
        state=OrderState(row.state),
        itinerary=Itinerary.model_validate(row.itinerary),
        fare=Fare.model_validate(row.fare),
        total=Money.model_validate(row.total),
        booking_reference=row.booking_reference,
        refund=refund,
        aside=row.aside,
        pay_by=row.pay_by,
    )


async def _planned_fare(tx: Tx, row: Row[Any]) -> Fare:
    attempt = await last_attempt(tx, row.operation_id)
    seen = await tx.execute(
        select(evidence.c.body)
        .where(evidence.c.operation_id == row.operation_id, evidence.c.kind == "offer")
        .order_by(evidence.c.n.desc())
    )
    body = seen.scalars().first()
    if body is None:
        raise Conflict("offer_unknown", operation_id=row.operation_id, attempt=attempt and attempt.number)
    return Fare.model_validate(body)


def _facts(found: AirlineOrder) -> dict[str, Any]:
    state = {
        "held": OrderState.HELD,
        "lapsed": OrderState.LAPSED,
        "ticketing": OrderState.TICKETING,
        "confirmed": OrderState.CONFIRMED,
        "cancelled": OrderState.CANCELLED,
    }[found.state]
    return {
        "order_id": found.order_id,
        "state": state,
        "total": found.total.model_dump(mode="json"),
        "booking_reference": found.booking_reference,
        "documents": list(found.documents),
        "passengers": [p.model_dump(mode="json") for p in found.passengers],
        "pay_by": found.pay_by,
        "price_guaranteed_until": found.price_guaranteed_until,
    }


def backoff(looks: int, *, first: timedelta) -> timedelta:
    """Look again soon at first, then ever less often, at least every ten minutes."""
    return min(first * (2 ** min(looks, 12)), timedelta(minutes=10))
