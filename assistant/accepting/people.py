"""Rules of the directory: who may fly, and who flies on a trip."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError
from sqlalchemy import Row

from .. import ledger
from ..domain.commands import NamePassengers, SavePerson
from ..domain.errors import Conflict, Invalid, NotFound
from ..domain.ids import new_id
from ..domain.people import GivenDetails, PersonDetails
from ..domain.plans import PAID, OrderState
from ..domain.trips import Selection, TripRequest
from ..persistence import people, trips
from ..wording.problems import of_fields
from .ground import Done, Ground, own_trip


async def save_person(ground: Ground, wanted: SavePerson) -> Done:
    person_id = wanted.person_id or (ground.command.target or None)
    if person_id is None:
        details = _details(dict(wanted.details), ground)
        person_id = new_id()
        await people.add(
            ground.tx,
            details,
            person_id=person_id,
            tenant_id=ground.actor.tenant_id,
            owner_id=ground.actor.user_id,
            is_self=False,
            at=ground.at,
        )
        return Done({"person_id": person_id})
    row = await _own_person(ground, person_id)
    await people.replace(ground.tx, row, _details(dict(row.details) | dict(wanted.details), ground), at=ground.at)
    return Done({"person_id": person_id})


async def name_passengers(ground: Ground, wanted: NamePassengers) -> Done:
    """Allowed until the trip is submitted: afterwards who flies is part of what was approved, and of what is paid."""
    trip = await own_trip(ground, ground.command.target)
    if trip.status not in {"searching", "choosing", "expired"}:
        raise Conflict("not_waiting", what="choose", status=trip.status)
    if await _is_paid(ground, trip):
        raise Conflict("ticket_named")
    rows = await travellers(ground, trip, wanted.passengers)
    person_ids = [row.person_id for row in rows]
    await trips.change(ground.tx, trip.trip_id, at=ground.at, person_ids=person_ids)
    return Done({"trip_id": trip.trip_id, "passengers": person_ids})


async def travellers(ground: Ground, trip: Row[Any], named: tuple[str, ...]) -> list[Row[Any]]:
    """These people's rows in the directory of the trip's owner, who need not be the actor.

    Raises NotFound, and Invalid where they are too many or one is named twice.
    """
    request = TripRequest.model_validate(trip.request)
    mine = await people.of_owner(ground.tx, tenant_id=trip.tenant_id, owner_id=trip.owner_id)
    by_id = {row.person_id: row for row in mine} | {row.passenger_id: row for row in mine}
    if unknown := [each for each in named if each not in by_id]:
        raise NotFound("not_found", what="passenger", id=unknown[0])
    rows = [by_id[each] for each in named]
    if len(rows) > request.passengers:
        raise Invalid("too_many_passengers", count=request.passengers)
    if len({row.passenger_id for row in rows}) != len(rows):
        raise Invalid("same_passenger_twice")
    return rows


async def as_named(ground: Ground, trip: Row[Any]) -> Selection | None:
    """What is chosen, seat for seat for those who were named since, as the directory has them now; None where all are the same.

    A ticket stays with those it was bought for. Raises what choosing raises of people.
    """
    chosen = Selection.model_validate(trip.selection)
    if await _is_paid(ground, trip):
        return None
    rows = await travellers(ground, trip, tuple(trip.person_ids))
    passenger_ids = tuple(row.passenger_id for row in rows)
    if passenger_ids == chosen.passenger_ids:
        return None
    complete(rows, TripRequest.model_validate(trip.request))
    instead = dict(zip(chosen.passenger_ids, passenger_ids, strict=True))
    seats = tuple(s.model_copy(update={"passenger_id": instead[s.passenger_id]}) for s in chosen.seats)
    person_ids = tuple(row.person_id for row in rows)
    return chosen.model_copy(update={"passenger_ids": passenger_ids, "person_ids": person_ids, "seats": seats})


async def _is_paid(ground: Ground, trip: Row[Any]) -> bool:
    orders = [await ledger.order_of(ground.tx, create_id) for create_id in trip.create_ids]
    return any(order is not None and OrderState(order.state) in PAID for order in orders)


def complete(rows: list[Row[Any]], request: TripRequest) -> None:
    """Nothing is held or submitted while somebody or something is missing."""
    if len(rows) < request.passengers:
        raise Invalid("passengers_missing", count=request.passengers - len(rows))
    day = request.depart_on
    ages = sorted(age for age in (PersonDetails.model_validate(row.details).age_on(day) for row in rows) if age < 18)
    if ages != sorted(request.ages):
        raise Invalid("ages_differ", searched=sorted(request.ages), named=ages)


async def _own_person(ground: Ground, person_id: str) -> Row[Any]:
    row = await people.find(ground.tx, person_id)
    if row is None or (row.tenant_id, row.owner_id) != (ground.actor.tenant_id, ground.actor.user_id):
        raise NotFound("not_found", what="person")
    return row


def _details(fields: dict[str, Any], ground: Ground) -> GivenDetails:
    try:
        details = GivenDetails.model_validate({k: v for k, v in fields.items() if v not in ("", None)})
    except ValidationError as wrong:
        raise invalid(wrong, code="passengers_incomplete") from wrong
    if details.born_on > ground.at.date():
        raise Invalid("passengers_incomplete", fields=["born_on"])
    return details


def invalid(wrong: ValidationError, *, code: str = "invalid") -> Invalid:
    """Which fields, and what is wrong with each; never the value."""
    problems = of_fields(wrong, whole="body")
    return Invalid(code, fields=sorted(problems), problems=problems)
