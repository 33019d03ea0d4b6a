"""Plans and grants: what is intended, who has allowed it, and which flights are claimed for whom."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ..domain.errors import Reason, Refused
from ..domain.money import Money
from ..domain.people import Actor
from ..domain.plans import (
    CREATES,
    DROPS,
    EFFECTS,
    SPENDS,
    Itinerary,
    Plan,
    Step,
    with_tolerance,
)
from ..persistence.database import Tx, insert_or
from ..persistence.tables import claims, grants, operations, quotes, trips
from .pages import Book


async def write_plan(
    tx: Tx, book: Book, trip_id: str, plan: Plan, *, standing: str | None, free: tuple[Step, ...], actor: Actor, at: datetime
) -> int:
    """A new plan voids what the trip was granted before, but for the decision that asked for it. Returns how many it voided."""
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
            again.on_conflict_do_update(
                index_elements=["operation_id"], set_={"kind": kind_of(step)}, where=operations.c.state == "planned"
            )
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
            renewed.on_conflict_do_update(
                index_elements=["operation_id", "granted_by"], set_=again, where=grants.c.state != "consumed"
            )
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


async def agreed_quote(tx: Tx, row: Row[Any], order_id: str) -> Row[Any] | None:
    """The quote at which a cancellation was granted: the newest there was then."""
    state = "unused" if row.state == "planned" else "consumed"
    good = grants.c.operation_id == row.operation_id, grants.c.state == state
    given = select(grants.c.created_at).where(*good).order_by(grants.c.created_at.desc()).limit(1).scalar_subquery()
    there = quotes.c.order_id == order_id, quotes.c.created_at <= given
    newest = select(quotes).where(*there).order_by(quotes.c.created_at.desc(), quotes.c.quote_id.desc()).limit(1)
    return (await tx.execute(newest)).one_or_none()


async def buys(tx: Tx, row: Row[Any]) -> bool:
    """Whether this is a purchase, or gives something up for one that is granted and not begun."""
    if row.kind in CREATES | SPENDS:
        return True
    mine = grants.c.trip_id == row.trip_id, grants.c.state == "unused", operations.c.kind != "cancel"
    joined = select(grants.c.operation_id).join(operations, operations.c.operation_id == grants.c.operation_id).where(*mine)
    return (await tx.execute(joined.limit(1))).first() is not None


async def release_claims(tx: Tx, create_id: str) -> None:
    await tx.execute(delete(claims).where(claims.c.create_id == create_id))


async def claimed_elsewhere(tx: Tx, book: Book, itinerary: Itinerary, *, create_ids: frozenset[str]) -> Row[Any] | None:
    """A claim on one of these flights for one of these passengers that none of these orders holds, with its trip's owner."""
    mine = claims.c.tenant_id == book.tenant_id, claims.c.mode == book.mode, claims.c.passenger_id.in_(itinerary.passenger_ids)
    held = select(claims, trips.c.owner_id).outerjoin(trips, trips.c.trip_id == claims.c.trip_id)
    rows = (await tx.execute(held.where(*mine, claims.c.segment_key.in_(itinerary.segment_keys)))).all()
    return next((r for r in rows if r.create_id not in create_ids), None)


async def claim_what_is_free(tx: Tx, row: Row[Any], itinerary: Itinerary) -> None:
    """For an order that is there whether it fits or not: a claim that somebody else holds stays theirs."""
    for taken in _claims_of(row, itinerary):
        await tx.execute(insert_or(tx, claims).values(taken).on_conflict_do_nothing())


def _claims_of(row: Row[Any], itinerary: Itinerary) -> list[dict[str, Any]]:
    common = {"tenant_id": row.tenant_id, "mode": row.mode, "create_id": row.create_id, "trip_id": row.trip_id}
    return [common | {"segment_key": key, "passenger_id": passenger} for key, passenger in sorted(itinerary.claims)]


async def claim(tx: Tx, row: Row[Any]) -> None:
    for taken in _claims_of(row, Itinerary.model_validate(row.itinerary)):
        try:
            async with tx.begin_nested():
                await tx.execute(insert(claims).values(taken))
        except IntegrityError as clash:
            key = [claims.c[k] == taken[k] for k in ("tenant_id", "mode", "segment_key", "passenger_id")]
            holder = (await tx.execute(select(claims.c.create_id).where(*key))).scalar_one_or_none()
            if holder != row.create_id:
                raise Refused(Reason.PASSENGER_HAS_FLIGHT, taken["segment_key"]) from clash
