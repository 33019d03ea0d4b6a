"""Which cases there are, found in the database: nothing is read but what is listed, and a count reads no rows at all."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Subquery,
    Table,
    Text,
    cast,
    func,
    literal_column,
    null,
    or_,
    select,
    union_all,
)

from .. import ledger
from ..desk import TICKETS_WITHIN
from ..domain.plans import LIVE, OrderState
from ..domain.trips import MOVED, TripStatus
from ..persistence.database import Tx
from ..persistence.tables import operations, orders, trips
from ..persistence.trips import main_line_wants
from .case_shapes import NEEDS_PERSON, CaseKind
from .scope import of_tenant
from .shapes import Reader

LISTED = 200
ORDER = list(CaseKind)
NO_ORDER = cast(null(), Text)


async def listed(tx: Tx, reader: Reader, *, now: datetime, only: str | None = None) -> list[Row[Any]]:
    """Rank of the kind, case_id, trip_id, order_id (or None) and since; most pressing kind first, oldest first, each once."""
    found = _found(reader, frozenset(ORDER), now)
    rows = select(found).order_by(found.c.rank, found.c.since, found.c.case_id).limit(LISTED)
    if only is not None:
        rows = rows.where(found.c.case_id == only)
    each: dict[str, Row[Any]] = {}
    for row in (await tx.execute(rows)).all():
        each.setdefault(row.case_id, row)
    return list(each.values())


async def count(tx: Tx, reader: Reader, *, now: datetime) -> int:
    """How many need a person."""
    found = _found(reader, NEEDS_PERSON, now)
    return (await tx.execute(select(func.count(found.c.case_id.distinct())))).scalar_one()


def _found(reader: Reader, kinds: frozenset[CaseKind], now: datetime) -> Subquery:
    each = {
        CaseKind.UNSURE: _of_operations(reader, operations.c.state == "needs_person"),
        CaseKind.LATE: _of_orders(reader, _late()),
        CaseKind.NO_TICKET: _of_orders(reader, _without_ticket(now)),
        CaseKind.TRIP: _of_trips(reader, trips.c.status == TripStatus.NEEDS_PERSON, ~_has_another(now)),
        CaseKind.MOVED: _of_trips(reader, trips.c.reason == MOVED, trips.c.status == TripStatus.CHOOSING),
        CaseKind.UNWANTED: _of_orders(reader, orders.c.state.in_(LIVE), ~_late(), ~_without_ticket(now), _unwanted()),
        CaseKind.LOOKING: _of_operations(reader, operations.c.state == "unknown"),
    }
    return union_all(
        *(each[kind].add_columns(literal_column(str(ORDER.index(kind))).label("rank")) for kind in ORDER if kind in kinds)
    ).subquery()


def _of_operations(reader: Reader, *conditions: ColumnElement[bool]) -> Any:
    return _rows(reader, operations, operations.c.operation_id, NO_ORDER, *conditions)


def _of_orders(reader: Reader, *conditions: ColumnElement[bool]) -> Any:
    return _rows(reader, orders, orders.c.create_id, orders.c.order_id, *conditions)


def _of_trips(reader: Reader, *conditions: ColumnElement[bool]) -> Any:
    named: Any = trips.c.trip_id.label("case_id"), trips.c.trip_id, NO_ORDER.label("order_id"), trips.c.updated_at.label("since")
    return select(*named).where(of_tenant(reader, trips), *conditions)


def _rows(
    reader: Reader, table: Table, case_id: ColumnElement[str], order_id: ColumnElement[Any], *conditions: ColumnElement[bool]
) -> Any:
    named = case_id.label("case_id"), trips.c.trip_id, order_id.label("order_id"), table.c.updated_at.label("since")
    rows = select(*named).join_from(table, trips, trips.c.trip_id == table.c.trip_id)
    return rows.where(of_tenant(reader, table), of_tenant(reader, trips), *conditions)


def _late() -> ColumnElement[bool]:
    return orders.c.state == OrderState.SURPLUS


def _without_ticket(now: datetime) -> ColumnElement[bool]:
    return ledger.is_overdue(now - TICKETS_WITHIN)


def _unwanted() -> ColumnElement[bool]:
    return or_(orders.c.aside, ~main_line_wants())


def _has_another(now: datetime) -> ColumnElement[bool]:
    """A trip that has stopped for something which is a case of its own."""
    asked = operations.c.trip_id == trips.c.trip_id, operations.c.state == "needs_person"
    kept = orders.c.trip_id == trips.c.trip_id, or_(_late(), _without_ticket(now))
    return or_(select(operations.c.operation_id).where(*asked).exists(), select(orders.c.order_id).where(*kept).exists())
