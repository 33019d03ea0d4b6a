"""The operators' list: what nobody could find out, late orders, missing tickets, and live bookings nobody wants."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Row, select

from ..domain.flights import Fare
from ..domain.plans import CREATES
from ..domain.trips import TripRequest
from ..ledger.words import was_taken_in
from ..persistence.database import Tx
from ..persistence.tables import attempts, evidence, grants, operations, orders, trips, users
from . import case_rows, texts
from .case_facts import known, said_about
from .case_shapes import CaseAction, CaseKind, CaseView
from .operations import order_view
from .scope import for_reviewers
from .shapes import Reader

DONE = ("adopt", "not_booked", "cancel")
ACTIONS = {
    CaseKind.UNSURE: DONE,
    CaseKind.LOOKING: DONE,
    CaseKind.LATE: ("adopt", "cancel"),
    CaseKind.NO_TICKET: ("adopt", "cancel"),
    CaseKind.UNWANTED: ("cancel",),
}


async def cases(tx: Tx, reader: Reader, *, now: datetime, only: str | None = None) -> tuple[CaseView, ...]:
    """Of the reader's tenant, most pressing kind first, oldest first, 200 at most; with `only`, that one or none.

    Raises Forbidden for who is no reviewer.
    """
    for_reviewers(reader)
    found = await case_rows.listed(tx, reader, now=now, only=only)
    books = await _Books.of(tx, found)
    return tuple(_read(reader, row, books) for row in found)


async def needing_a_person(tx: Tx, reader: Reader, *, now: datetime) -> int:
    """How many cases do. Raises Forbidden for who is no reviewer."""
    for_reviewers(reader)
    return await case_rows.count(tx, reader, now=now)


@dataclass(frozen=True)
class _Books:
    """What is known of the cases listed, each table read once."""

    trips: dict[str, Row[Any]]
    operations: dict[str, Row[Any]]
    orders: dict[str, Row[Any]]  # by order, and by create where no order is named: the first of that create
    attempts: list[Row[Any]]
    evidence: list[Row[Any]]
    grants: list[Row[Any]]
    closed: dict[str, Row[Any]]  # by the create that its late order got when it was taken in

    @classmethod
    async def of(cls, tx: Tx, found: list[Row[Any]]) -> _Books:
        ids = {row.case_id for row in found}
        named = select(trips, users.c.display_name.label("who")).outerjoin(users, users.c.user_id == trips.c.owner_id)
        whose = (await tx.execute(named.where(trips.c.trip_id.in_({row.trip_id for row in found})))).all()
        made = await _of(tx, operations.c.operation_id, ids)
        of_creates = await _of(tx, orders.c.create_id, {op.create_id for op in made}, orders.c.created_at.desc())
        by_name = await _of(tx, orders.c.order_id, {row.order_id for row in found})
        closed = await _closed_of(tx, [op for op in made if was_taken_in(op)])
        ids |= {op.operation_id for op in closed.values()}
        return cls(
            trips={row.trip_id: row for row in whose},
            operations={row.operation_id: row for row in made},
            orders={o.create_id: o for o in of_creates} | {o.order_id: o for o in by_name},
            attempts=await _of(tx, attempts.c.operation_id, ids, attempts.c.number),
            evidence=await _of(tx, evidence.c.operation_id, ids, evidence.c.n),
            grants=await _of(tx, grants.c.operation_id, ids),
            closed=closed,
        )


async def _of(tx: Tx, column: Column[Any], ids: Iterable[Any], *order: Any) -> list[Row[Any]]:
    rows = select(column.table).where(column.in_([i for i in ids if i is not None])).order_by(*order)
    return list((await tx.execute(rows)).all())


async def _closed_of(tx: Tx, taken_in: list[Row[Any]]) -> dict[str, Row[Any]]:
    """What the late orders were made by, by the create each got: it was closed and stays so, with all that happened."""
    if not taken_in:
        return {}
    trips_of = operations.c.trip_id.in_({row.trip_id for row in taken_in})
    said = select(evidence.c.operation_id, evidence.c.body).join(operations, operations.c.operation_id == evidence.c.operation_id)
    bodies = (await tx.execute(said.where(trips_of, evidence.c.kind == "taken_in"))).all()
    by_id = {row.operation_id: row for row in await _of(tx, operations.c.operation_id, {each.operation_id for each in bodies})}
    return {each.body["create_id"]: by_id[each.operation_id] for each in bodies}


def _mine(rows: Iterable[Row[Any]], operation_id: str) -> list[Row[Any]]:
    return [row for row in rows if row.operation_id == operation_id]


def _read(reader: Reader, row: Row[Any], books: _Books) -> CaseView:
    kind, operation = CaseKind(case_rows.ORDER[int(row.rank)]), books.operations.get(row.case_id)
    order = books.orders.get(row.order_id or (operation.create_id if operation is not None else ""))
    noted = _mine(books.evidence, row.case_id)
    fare = Fare.model_validate(order.fare) if order else _sent_fare(noted)
    act = operation.kind if operation is not None and row.order_id is None else "book"
    words = ACTIONS.get(kind, ())
    if kind is CaseKind.UNWANTED and operation is not None and was_taken_in(operation):
        words = ("adopt", *words)  # its cancellation was asked for, and may have been rejected
    case = _case(reader, kind, books.trips[row.trip_id], row.case_id, row.since, words=words, order=order, fare=fare, of=act)
    if operation is None:
        return case
    if (closed := books.closed.get(row.case_id)) is not None:  # nothing was allowed or sent under the id it got later
        operation, noted = closed, [*_mine(books.evidence, closed.operation_id), *noted]
    granted, tried = _mine(books.grants, operation.operation_id), _mine(books.attempts, operation.operation_id)
    facts = known(reader, operation, granted=granted, tried=tried, noted=noted)
    return case.model_copy(update={"facts": facts, "said": said_about(reader, noted)})


def _sent_fare(noted: list[Row[Any]]) -> Fare | None:
    return next((Fare.model_validate(each.body) for each in reversed(noted) if each.kind == "offer"), None)


def _case(
    reader: Reader,
    kind: CaseKind,
    trip: Row[Any],
    case_id: str,
    since: datetime,
    *,
    words: tuple[str, ...] = (),
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
    own = trip.owner_id == reader.user_id
    actions = () if own else tuple(_action(reader, word, kind, act) for word in words if (word, act) != ("cancel", "cancel"))
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
        actions=actions,
        own=own,
    )


def _action(reader: Reader, word: Any, kind: CaseKind, act: str) -> CaseAction:
    about = {CaseKind.LATE: "late", CaseKind.NO_TICKET: "no_ticket", CaseKind.UNWANTED: "unwanted"}.get(kind, act)
    return CaseAction(
        resolution=word,
        label=texts.text(reader, f"case.do_{word}_{about}"),
        consequence=texts.text(reader, f"case.will_{word}_{about}"),
        needs_order=word == "adopt" and about == "create",
    )
