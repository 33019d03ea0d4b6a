"""A trip as its card shows it: what was asked for and chosen, what will change, what it waits for, what is booked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import Row, select

from ..domain.flights import Fare
from ..domain.money import Money
from ..domain.plans import Plan, Wanted
from ..domain.trips import Selection, ShownFare, TripRequest, is_wanted
from ..persistence import documents, offers
from ..persistence.database import Tx
from ..persistence.tables import people, questions, trips
from . import texts
from .moved import asks_of, moved_of
from .operations import is_live, order_view, orders_of, succeeded
from .people import missing
from .plans import differences_in_words, plan_view
from .scope import found, seen_by
from .shapes import OfferView, PlanView, QuestionView, Reader, TravellerOnTrip, TripView


async def trip(tx: Tx, reader: Reader, trip_id: str) -> TripView:
    """Raises NotFound."""
    return await trip_of(tx, reader, await trip_row(tx, reader, trip_id))


async def trip_row(tx: Tx, reader: Reader, trip_id: str) -> Row[Any]:
    """The row, where the reader may see it. Raises NotFound."""
    theirs = select(trips).where(trips.c.trip_id == trip_id, seen_by(reader, trips))
    return found((await tx.execute(theirs)).one_or_none(), "trip")


async def trips_of_conversation(tx: Tx, reader: Reader, conversation_id: str) -> tuple[TripView, ...]:
    """In the order they were started."""
    theirs = select(trips).where(trips.c.conversation_id == conversation_id, seen_by(reader, trips))
    rows = (await tx.execute(theirs.order_by(trips.c.created_at, trips.c.trip_id))).all()
    return tuple([await trip_of(tx, reader, row) for row in rows])


async def trip_of(tx: Tx, reader: Reader, row: Row[Any]) -> TripView:
    request = TripRequest.model_validate(row.request)
    selection = Selection.model_validate(row.selection) if row.selection else None
    chosen = Fare.model_validate(row.chosen) if row.chosen else None
    question = await _open_question(tx, row)
    booked = await orders_of(tx, [row.trip_id])
    return TripView(
        trip_id=row.trip_id,
        conversation_id=row.conversation_id,
        journey_id=row.journey_id,
        status=row.status,
        status_text=texts.of_group(reader, "status", row.status),
        updated_at=row.updated_at,
        request=request,
        passengers=await _travellers(tx, row, request, selection),
        offers_hash=row.offers_hash,
        offers=tuple(offer_view(reader, shown) for shown in await shown_fares(tx, row)),
        selection=selection,
        chosen=chosen,
        total=Money.model_validate(row.total) if row.total else None,
        plan=await _plan(tx, reader, row, booked),
        question=_question(reader, question) if question else None,
        review_id=question.question_id if question and question.node == "review" else None,
        orders=tuple(order_view(o) for o in booked if _counts(row, o)),
        held_until=row.held_until,
        price_guaranteed_until=_guaranteed_until(chosen, booked, row),
        reason=texts.reason(reader, row.reason),
        message=row.message,
        decided_by=row.decided_by,
        other_live_bookings=tuple(order_view(o) for o in booked if is_live(o) and not _wanted(row, o)),
        moved=await moved_of(tx, reader, row, question, booked),
        asks=await asks_of(tx, row),
    )


async def shown_fares(tx: Tx, row: Row[Any]) -> tuple[ShownFare, ...]:
    """The list a trip's traveller chooses from, option 1 first."""
    return await offers.shown(tx, row.offers_hash)


async def kept_plan(tx: Tx, plan_hash: str | None) -> Plan | None:
    body = await documents.read(tx, plan_hash) if plan_hash else None
    return Plan.model_validate(body) if body else None


async def plan_in_words(
    tx: Tx, reader: Reader, plan: Plan, *, trip_id: str, booked: Sequence[Row[Any]] | None = None
) -> PlanView:
    rows = await orders_of(tx, [trip_id]) if booked is None else booked
    references = {o.create_id: o.booking_reference for o in rows if o.booking_reference}
    return plan_view(reader, plan, done=await succeeded(tx, trip_id), references=references)


def option_of(selection: Selection | None, shown: Sequence[ShownFare]) -> int | None:
    """Which option of the list is the one selected."""
    if selection is None:
        return None
    wanted = (selection.segment_keys, selection.cabin, selection.fare_brand)
    return next((s.n for s in shown if (s.fare.segment_keys, s.fare.cabin, s.fare.fare_brand) == wanted), None)


def _wanted(row: Row[Any], order: Row[Any]) -> bool:
    return is_wanted(order.create_id, by=row.create_ids, state=order.state, aside=order.aside)


def _counts(row: Row[Any], order: Row[Any]) -> bool:
    """What the main line wants, and what was ticketed once and is over."""
    return _wanted(row, order) or (not is_live(order) and bool(order.documents))


def _guaranteed_until(chosen: Fare | None, booked: Sequence[Row[Any]], row: Row[Any]) -> Any:
    held = next((o.price_guaranteed_until for o in booked if o.state == "held" and _wanted(row, o)), None)
    return held or (chosen and chosen.price_guaranteed_until)


async def _plan(tx: Tx, reader: Reader, row: Row[Any], booked: Sequence[Row[Any]]) -> PlanView | None:
    plan = await kept_plan(tx, row.plan_hash)
    return plan and await plan_in_words(tx, reader, plan, trip_id=row.trip_id, booked=booked)


async def _open_question(tx: Tx, row: Row[Any]) -> Row[Any] | None:
    if row.question_id is None:
        return None
    asked = select(questions).where(questions.c.question_id == row.question_id, questions.c.status == "waiting")
    return (await tx.execute(asked)).one_or_none()


def _question(reader: Reader, row: Row[Any]) -> QuestionView:
    body: dict[str, Any] = row.body
    said = texts.notes(reader, body.get("notes") or ())
    return QuestionView(
        question_id=row.question_id,
        node=row.node,
        reason=texts.reason(reader, body.get("reason")),
        message=body.get("message") or (said[-1] if said else None),
        deadline=row.deadline,
        digest=row.digest,
        since=row.created_at,
        on=row.claimed_by.get("name") if row.claimed_by else None,
        differences=_differences(reader, body) if row.node == "agree" else (),
    )


def _differences(reader: Reader, body: dict[str, Any]) -> tuple[str, ...]:
    before, after = body.get("instead_of"), body.get("wanted")
    if not before or not after:
        return ()
    return differences_in_words(reader, Wanted.model_validate(before), Wanted.model_validate(after))


def offer_view(reader: Reader, shown: ShownFare) -> OfferView:
    return OfferView(
        n=shown.n,
        fare=shown.fare,
        total=shown.total,
        seats=tuple(
            seat.model_copy(update={"reasons": tuple(texts.of_group(reader, "seat_reason", r) for r in seat.reasons)})
            for seat in shown.seats
        ),
        seats_fit=shown.seats_fit,
        missed=tuple(texts.of_group(reader, "position", missed) for missed in shown.missed),
        can_hold=shown.fare.holdable and (not shown.seats or shown.fare.seats_on_hold),
    )


async def _travellers(tx: Tx, row: Row[Any], request: TripRequest, selection: Selection | None) -> tuple[TravellerOnTrip, ...]:
    named: list[str] = list(row.person_ids)
    theirs = select(people).where(people.c.person_id.in_(named), people.c.tenant_id == row.tenant_id)
    known = {p.person_id: p for p in (await tx.execute(theirs)).all()}
    ages = [None] * request.adults + list(request.ages)
    places = max(request.passengers, len(named))
    return tuple(
        _traveller(
            known.get(named[place]) if place < len(named) else None,
            age=ages[place] if place < len(ages) else None,
            depart_on=request.depart_on,
            seats=_seats(selection, place),
        )
        for place in range(places)
    )


def _traveller(person: Row[Any] | None, *, age: int | None, depart_on: date, seats: dict[str, str]) -> TravellerOnTrip:
    if person is None:
        return TravellerOnTrip(person_id=None, name=None, age=age, seats=seats)
    born: date = person.born_on
    years = depart_on.year - born.year - ((depart_on.month, depart_on.day) < (born.month, born.day))
    details = person.details
    name = f"{details.get('given_name', '')} {details.get('family_name', '')}".strip()
    return TravellerOnTrip(person_id=person.person_id, name=name, age=years, seats=seats, missing=missing(details))


def _seats(selection: Selection | None, place: int) -> dict[str, str]:
    if selection is None or place >= len(selection.passenger_ids):
        return {}
    passenger = selection.passenger_ids[place]
    return {seat.segment_key: seat.designator for seat in selection.seats if seat.passenger_id == passenger}
