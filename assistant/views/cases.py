"""The operators' list: what nobody could find out, late orders, missing tickets, and live bookings nobody wants."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select

from ..desk import TICKETS_WITHIN
from ..domain.flights import Fare
from ..domain.plans import CREATES, LIVE, OrderState
from ..domain.trips import MOVED, TripRequest
from ..persistence.database import Tx
from ..persistence.tables import attempts, evidence, operations, orders, trips, users
from . import texts
from .case_facts import known, said_about
from .case_shapes import CaseAction, CaseKind, CaseView
from .operations import order_view
from .scope import for_reviewers, of_tenant
from .shapes import Reader

LISTED = 200
ORDER = list(CaseKind)
DONE = ("adopt", "not_booked", "cancel")
ACTIONS = {
    CaseKind.UNSURE: DONE,
    CaseKind.LOOKING: DONE,
    CaseKind.LATE: ("adopt", "cancel"),
    CaseKind.NO_TICKET: ("adopt", "cancel"),
    CaseKind.UNWANTED: ("cancel",),
}


async def cases(tx: Tx, reader: Reader, *, now: datetime) -> tuple[CaseView, ...]:
    """Of the reader's tenant, most pressing kind first, oldest first. Raises Forbidden for who is no reviewer."""
    for_reviewers(reader)
    whose = {row.trip_id: row for row in (await tx.execute(_trips(reader))).all()}
    found = [*await _unsure(tx, reader, whose), *await _orders(tx, reader, whose, now - TICKETS_WITHIN), *_stopped(reader, whose)]
    seen: dict[str, CaseView] = {}
    for case in sorted(found, key=lambda c: (ORDER.index(c.kind), c.since)):
        if case.kind is not CaseKind.TRIP or all(case.trip_id != other.trip_id for other in seen.values()):
            seen.setdefault(case.case_id, case)
    return tuple(seen.values())[:LISTED]


def _trips(reader: Reader) -> Any:
    named = select(trips, users.c.display_name.label("who")).outerjoin(users, users.c.user_id == trips.c.owner_id)
    return named.where(of_tenant(reader, trips))


async def _unsure(tx: Tx, reader: Reader, whose: dict[str, Row[Any]]) -> list[CaseView]:
    open_ones = operations.c.state.in_(("unknown", "needs_person")), of_tenant(reader, operations)
    rows = (await tx.execute(select(operations).where(*open_ones).limit(LISTED))).all()
    found: list[CaseView] = []
    for row in (r for r in rows if r.trip_id in whose):
        kind = CaseKind.UNSURE if row.state == "needs_person" else CaseKind.LOOKING
        order = (await tx.execute(select(orders).where(orders.c.create_id == row.create_id).limit(1))).one_or_none()
        fare = Fare.model_validate(order.fare) if order else await _sent_fare(tx, row.operation_id)
        case = _case(reader, kind, whose[row.trip_id], row.operation_id, row.updated_at, order=order, fare=fare, of=row.kind)
        found.append(await _with_facts(tx, reader, case, row))
    return found


async def _orders(tx: Tx, reader: Reader, whose: dict[str, Row[Any]], tickets_due: datetime) -> list[CaseView]:
    live = (await tx.execute(select(orders).where(orders.c.state.in_(LIVE), of_tenant(reader, orders)))).all()
    found: list[CaseView] = []
    for order in (o for o in live if o.trip_id in whose):
        kind = _kind_of(order, whose[order.trip_id], tickets_due)
        if kind is None:
            continue
        create = (await tx.execute(select(operations).where(operations.c.operation_id == order.create_id))).one_or_none()
        case = _case(
            reader,
            kind,
            whose[order.trip_id],
            order.create_id,
            order.updated_at,
            order=order,
            fare=Fare.model_validate(order.fare),
        )
        found.append(await _with_facts(tx, reader, case, create) if create is not None else case)
    return found


def _kind_of(order: Row[Any], trip: Row[Any], tickets_due: datetime) -> CaseKind | None:
    if order.state == OrderState.SURPLUS:
        return CaseKind.LATE
    if order.state == OrderState.TICKETING and order.updated_at <= tickets_due:
        return CaseKind.NO_TICKET
    return CaseKind.UNWANTED if order.aside or order.create_id not in trip.create_ids else None


def _stopped(reader: Reader, whose: dict[str, Row[Any]]) -> Iterable[CaseView]:
    """Trips that need a person for another reason, and moved flights that wait for an answer."""
    for trip in whose.values():
        if trip.status == "needs_person":
            yield _case(reader, CaseKind.TRIP, trip, trip.trip_id, trip.updated_at)
        elif trip.reason == MOVED and trip.status == "choosing":
            yield _case(reader, CaseKind.MOVED, trip, trip.trip_id, trip.updated_at)


def _case(
    reader: Reader,
    kind: CaseKind,
    trip: Row[Any],
    case_id: str,
    since: datetime,
    *,
    order: Row[Any] | None = None,
    fare: Fare | None = None,
    of: str = "book",
) -> CaseView:
    route = texts.flight(fare) if fare else texts.route(TripRequest.model_validate(trip.request))
    act = "create" if of in {k.value for k in CREATES} else of
    why = {
        CaseKind.UNSURE: f"case.unsure_{act}",
        CaseKind.LOOKING: f"case.looking_{act}",
        CaseKind.TRIP: "case.trip",
    }.get(kind, f"case.{kind}")
    return CaseView(
        case_id=case_id,
        kind=kind,
        what=texts.read(reader, route),
        who=trip.who or trip.owner_id,
        why=texts.text(reader, why, reason=texts.reason(reader, trip.reason)),
        since=since,
        trip_id=trip.trip_id,
        conversation_id=trip.conversation_id,
        order=order_view(order) if order else None,
        order_state=texts.of_group(reader, "order_state", order.state) if order else None,
        actions=tuple(_action(reader, word, kind, act) for word in ACTIONS.get(kind, ()) if (word, act) != ("cancel", "cancel")),
    )


def _action(reader: Reader, word: Any, kind: CaseKind, act: str) -> CaseAction:
    about = {CaseKind.LATE: "late", CaseKind.NO_TICKET: "no_ticket", CaseKind.UNWANTED: "unwanted"}.get(kind, act)
    return CaseAction(
        resolution=word,
        label=texts.text(reader, f"case.do_{word}_{about}"),
        consequence=texts.text(reader, f"case.will_{word}_{about}"),
        needs_order=word == "adopt" and about == "create",
    )


async def _with_facts(tx: Tx, reader: Reader, case: CaseView, row: Row[Any]) -> CaseView:
    mine = select(attempts).where(attempts.c.operation_id == row.operation_id).order_by(attempts.c.number)
    seen = select(evidence).where(evidence.c.operation_id == row.operation_id).order_by(evidence.c.n)
    noted = list((await tx.execute(seen)).all())
    facts = await known(tx, reader, row, list((await tx.execute(mine)).all()), noted)
    return case.model_copy(update={"facts": facts, "said": said_about(reader, noted)})


async def _sent_fare(tx: Tx, operation_id: str) -> Fare | None:
    offer = evidence.c.operation_id == operation_id, evidence.c.kind == "offer"
    body = (await tx.execute(select(evidence.c.body).where(*offer).order_by(evidence.c.n.desc()).limit(1))).scalar_one_or_none()
    return Fare.model_validate(body) if body else None
