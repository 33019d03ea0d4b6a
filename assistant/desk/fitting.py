"""Whether an order at the airline is what an operation was to make. Pure."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from ..booking.provider import AirlineOrder
from ..domain.money import Money
from ..domain.people import passenger_id
from ..domain.plans import Itinerary, StepKind

MADE_BY = {
    StepKind.HOLD: frozenset({"held", "lapsed", "cancelled"}),
    StepKind.BOOK: frozenset({"ticketing", "confirmed", "cancelled"}),
}


def why_not(row: Row[Any], attempt: Row[Any], order: AirlineOrder) -> str | None:
    """Why an order is not what this operation's attempt was to make; None where it is.

    The airline says neither cabin nor brand of an order. What was sent named its exact total, so one of another total is of
    another fare.
    """
    wanted = Itinerary.model_validate(row.itinerary)
    flying = {passenger_id(row.tenant_id, each) for each in order.passengers}
    if order.operation_id not in (None, row.operation_id):
        return "other_operation"
    if tuple(segment.key for segment in order.segments) != wanted.segment_keys:
        return "other_flights"
    if flying != set(wanted.passenger_ids):
        return "other_passengers"
    if order.state not in MADE_BY[StepKind(row.kind)]:
        return "other_kind"
    if attempt.amount is not None and order.total != Money.model_validate(attempt.amount):
        return "other_price"
    return "other_seats" if _sits_elsewhere(row.tenant_id, wanted, order) else None


def _sits_elsewhere(tenant_id: str, wanted: Itinerary, order: AirlineOrder) -> bool:
    """Only where seats were chosen, and the airline tells which there are."""
    told = {(key, passenger_id(tenant_id, each), seat) for each in order.passengers for key, seat in each.seats}
    return bool(told) and not set(wanted.seats) <= told
