"""What graph nodes read: a conversation's log, trips, wishes and people, and a trip's documents. Never a checkpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, select

from . import ledger
from .domain.clock import Clock
from .domain.commands import Kind
from .domain.flights import Fare
from .domain.money import Money
from .domain.people import Person, PersonDetails
from .domain.plans import PAID, Itinerary, OrderState, Plan, Refund, StepKind, by_the_rules
from .domain.trips import ActiveWish, OrderFacts, Selection, ShownFare, TripFacts, TripRequest, TripStatus, is_wanted
from .language.interpreter import HeardMessage
from .left_behind import follow_ups_of, followed
from .persistence import documents, offers, people, questions, threads, transcript, trips, versions, wishes
from .persistence.database import Database, Tx
from .persistence.tables import orders
from .wording.said import Said

SHOWN_STATUSES = frozenset(
    {"choosing", "expired", "waiting_review", "waiting_traveller", "rejected", "needs_person", "booked", "settling"}
)
GONE = frozenset({OrderState.RELEASING, OrderState.CANCELLED, OrderState.LAPSED})  # no reference or seat of theirs is told


@dataclass(frozen=True)
class ConversationFacts:
    """For one conversation and its owner. `recent` leaves out the message being answered; said anew, it starts from `after`.

    `fork`: the version a turn is taken up again from. A trip that a turn left behind had started is about to be taken back: it is
    not there for what is said instead, unless it is paid for and stays. One they changed is about to be put back: what is said
    instead is not about the change.
    """

    database: Database
    conversation_id: str
    tenant_id: str
    owner_id: str
    before: str | None = None
    after: str | None = None
    fork: int | None = None

    async def recent(self, count: int) -> tuple[HeardMessage, ...]:
        async def read(tx: Tx) -> tuple[HeardMessage, ...]:
            conversation = await transcript.conversation(tx, self.conversation_id)
            head = self.after if self.fork is not None else conversation.head_message_id if conversation else None
            rows = await transcript.main_line(tx, self.conversation_id, head, count=count + 1)
            return tuple(_heard(row) for row in rows if row.message_id != self.before)[-count:]

        return await self.database.read(read)

    async def trips(self) -> tuple[TripFacts, ...]:
        async def read(tx: Tx) -> tuple[TripFacts, ...]:
            rows = await trips.of_conversation(tx, self.conversation_id)
            left = await self._of_turns_left(tx)
            mine = [await trip_facts(tx, row) for row in rows if row.owner_id == self.owner_id]
            return tuple(t if t.trip_id not in left else _put_back(t) for t in mine if not _goes(t, left.get(t.trip_id, ())))

        return await self.database.read(read)

    async def _of_turns_left(self, tx: Tx) -> dict[str, tuple[str, ...]]:
        """What the turns left behind had done, by trip: kinds of commands."""
        thread = await threads.find(tx, self.conversation_id) if self.fork is not None else None
        if thread is None or self.fork is None:
            return {}
        left = await versions.abandoned_by(tx, thread.thread_id, main_branch_id=thread.main_branch_id, fork=self.fork)
        by_trip = followed(await follow_ups_of(tx, thread, left))
        return {trip_id: tuple(row.kind for row in rows) for trip_id, rows in by_trip.items()}

    async def wishes(self) -> tuple[ActiveWish, ...]:
        return await self.database.read(
            lambda tx: active_wishes(tx, tenant_id=self.tenant_id, owner_id=self.owner_id, conversation_id=self.conversation_id)
        )

    async def people(self) -> tuple[Person, ...]:
        rows = await self.database.read(lambda tx: people.of_owner(tx, tenant_id=self.tenant_id, owner_id=self.owner_id))
        return tuple(people.as_person(row) for row in rows)


@dataclass(frozen=True)
class TripDocuments:
    """For one trip: its owner's wishes, and content-addressed documents."""

    database: Database
    clock: Clock
    trip_id: str
    tenant_id: str
    owner_id: str
    conversation_id: str

    async def keep(self, body: Any) -> str:
        at = self.clock()
        return await self.database.write(lambda tx: documents.keep(tx, body, at=at))

    async def document(self, key: str) -> Any:
        return await self.database.read(lambda tx: documents.read(tx, key))

    async def wishes(self) -> tuple[ActiveWish, ...]:
        return await self.database.read(
            lambda tx: active_wishes(tx, tenant_id=self.tenant_id, owner_id=self.owner_id, conversation_id=self.conversation_id)
        )


def _is_paid(trip: TripFacts) -> bool:
    return any(order.state in PAID for order in trip.orders)


def _goes(trip: TripFacts, left: tuple[str, ...]) -> bool:
    return Kind.START_TRIP in left and not _is_paid(trip)


def _put_back(trip: TripFacts) -> TripFacts:
    """A trip on its way back to what it was: its ticket stands, or it is not settled what stands."""
    status = TripStatus.BOOKED if _is_paid(trip) else TripStatus.SETTLING
    return trip.model_copy(update={"status": status, "question": None, "reason": None, "message": None})


async def active_wishes(tx: Tx, *, tenant_id: str, owner_id: str, conversation_id: str) -> tuple[ActiveWish, ...]:
    rows = await wishes.active(tx, tenant_id=tenant_id, owner_id=owner_id, conversation_id=conversation_id)
    return tuple(
        ActiveWish(
            wish_id=row.wish_id, conversation_id=row.conversation_id, trip_id=row.trip_id, **wishes.as_wish(row).model_dump()
        )
        for row in rows
    )


async def trip_facts(tx: Tx, trip: Row[Any]) -> TripFacts:
    """Where a trip stands, from its rows."""
    question = await questions.waiting(tx, trip.trip_id)
    request = TripRequest.model_validate(trip.request)
    theirs = select(orders).where(orders.c.trip_id == trip.trip_id, orders.c.state.not_in(GONE))
    mine = (await tx.execute(theirs.order_by(orders.c.created_at))).all()
    going = await _going(tx, trip) if question is not None else frozenset[str]()
    claimed: dict[str, Any] = (question.claimed_by if question is not None else None) or {}
    return TripFacts(
        trip_id=trip.trip_id,
        journey_id=trip.journey_id,
        status=TripStatus(trip.status),
        request=request,
        offers_hash=trip.offers_hash,
        fares=await _shown(tx, trip),
        selection=Selection.model_validate(trip.selection) if trip.selection else None,
        chosen=Fare.model_validate(trip.chosen) if trip.chosen else None,
        total=Money.model_validate(trip.total) if trip.total else None,
        question=question.node if question is not None else None,
        reason=trip.reason,
        message=trip.message,
        decided_by=trip.decided_by or claimed.get("name"),
        held_until=trip.held_until,
        review_until=question.deadline if question is not None else None,
        waiting_since=question.created_at if question is not None else None,
        orders=tuple([await _order(tx, row, trip, going=going) for row in mine]),
        missing_passengers=await _missing(tx, trip, request),
    )


async def _shown(tx: Tx, trip: Row[Any]) -> tuple[ShownFare, ...]:
    return await offers.shown(tx, trip.offers_hash) if trip.status in SHOWN_STATUSES else ()


async def _missing(tx: Tx, trip: Row[Any], request: TripRequest) -> int:
    """How many are still to be named; someone whose details are incomplete counts as not named."""
    complete = 0
    for person_id in trip.person_ids:
        row = await people.find(tx, person_id)
        if row is not None and PersonDetails.model_validate(row.details):
            complete += 1
    return max(request.passengers - complete, 0)


async def _going(tx: Tx, trip: Row[Any]) -> frozenset[str]:
    """The creates of the tickets that the plan there is gives up."""
    body = await documents.read(tx, trip.plan_hash) if trip.plan_hash else None
    plan = Plan.model_validate(body) if body else Plan(steps=())
    return frozenset(step.create_id for step in plan.steps if step.kind is StepKind.CANCEL)


async def _order(tx: Tx, row: Row[Any], trip: Row[Any], *, going: frozenset[str]) -> OrderFacts:
    fare, total = Fare.model_validate(row.fare), Money.model_validate(row.total)
    return OrderFacts(
        order_id=row.order_id,
        state=row.state,
        booking_reference=row.booking_reference,
        documents=tuple(row.documents),
        total=total,
        seats=tuple(seat for _, _, seat in Itinerary.model_validate(row.itinerary).seats),
        pay_by=row.pay_by,
        fare=fare,
        refund=await _refund(tx, row.order_id) or by_the_rules(fare, total),
        wanted=is_wanted(row.create_id, by=trip.create_ids, state=row.state, aside=row.aside),
        aside=row.aside,
        goes=row.create_id in going,
    )


async def _refund(tx: Tx, order_id: str) -> Refund | None:
    """What the airline said last would come back; None where it was never asked."""
    quote = await ledger.newest_quote(tx, order_id)
    return (
        None if quote is None else Refund(money=quote.refund and Money.model_validate(quote.refund), kind=quote.kind, quoted=True)
    )


def _heard(row: Row[Any]) -> HeardMessage:
    body: dict[str, Any] = row.body
    said = [Said.model_validate(each) for each in body.get("said") or ()]
    text = row.body.get("text") or " ".join(s.key for s in said)
    return HeardMessage(role=row.role, text=text, asked=row.body.get("asked"))
