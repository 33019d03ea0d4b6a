"""The only hand that touches the airline: every effect is written down, sent once, and written down again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Row

from . import ledger
from .booking.provider import AirlineOrder, CancellationQuote, OrderPassenger, OrderRequest, Provider, SeatPurchase
from .crashpoints import point
from .domain.clock import Clock
from .domain.errors import OutcomeUnknown, Reason, Refused, Unavailable
from .domain.flights import Fare
from .domain.ids import fingerprint, new_id
from .domain.money import Money
from .domain.people import Actor, PersonDetails
from .domain.plans import CREATES, DROPS, Choice, Itinerary, OrderState, Outcome, Plan, Step, StepKind, Wanted
from .domain.policy import Policy, needs_review, refused
from .domain.seat_scoring import misses
from .domain.seating import TravellerWishes, propose
from .domain.settlement import LedgerPage, settle
from .domain.trips import IfGone, SeatChoice, Selection
from .ledger import Attempt, Book
from .persistence import people as directory
from .persistence import signals
from .persistence.database import Database, shielded
from .shopping import Priced, Shopping

TRIES = 3
PRODUCT = Actor(tenant_id="", user_id="layover", name="Layover")
FIRST_LOOK = timedelta(seconds=2)
RECORDED = {
    "succeeded": Outcome.SUCCEEDED,
    "failed": Outcome.FAILED,
    "unknown": Outcome.UNKNOWN,
    "needs_person": Outcome.NEEDS_PERSON,
}

Send = Callable[[], Awaitable[AirlineOrder]]


@dataclass(frozen=True)
class Errand:
    """For whom the desk acts: the trip, its owner, and the run that asked."""

    tenant_id: str
    owner_id: str
    trip_id: str
    run_id: str


@dataclass(frozen=True)
class Ready:
    """All that was read before sending."""

    reference: str  # offer id of a create, order id of a pay, quote id of a cancel
    body: object  # what will be sent, for the fingerprint
    amount: Money | None
    fare: Fare | None
    send: Send


@dataclass(frozen=True)
class Settled:
    """A plan as written, and what became of the decision it was made for."""

    plan: Plan
    stood: bool
    voided: int


@dataclass
class BookingDesk:
    database: Database
    provider: Provider
    policy: Policy
    clock: Clock
    life: str = field(default_factory=new_id)  # this process's life: an attempt of another life died
    _sending: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        self.shopping = Shopping(self.provider, self.clock)
        self.mode = self.provider.capabilities().mode.value

    def book(self, tenant_id: str) -> Book:
        return Book(tenant_id, self.mode)

    # What is wanted, at today's price

    async def wanted(self, errand: Errand, selection: Selection) -> tuple[Wanted, Selection]:
        """The selection as of now, as it had to be changed; what the trip has is not searched. Refused: OFFER_GONE, SEAT_TAKEN."""
        page = await self._page(errand)
        itinerary = itinerary_of(selection)
        if held := page.order_for(itinerary):
            found = await self.read_order(held.order_id)
            return Wanted(itinerary=itinerary, fare=held.fare, total=found.total, hold=False), selection
        ages = await self.ages(errand, selection)
        try:
            priced = await self._priced_with_own_seats(page, itinerary, ages)
        except Refused as refusal:
            if refusal.reason is not Reason.SEAT_TAKEN or selection.if_gone is IfGone.ASK:
                raise
            selection, itinerary = await self._next_best(errand, selection, ages)
            priced = await self.shopping.price(itinerary, ages)
            return self._wanted(itinerary, priced, misses=True), selection
        return self._wanted(itinerary, priced, misses=_misses_wish(selection, priced)), selection

    async def _priced_with_own_seats(self, page: LedgerPage, itinerary: Itinerary, ages: tuple[int | None, ...]) -> Priced:
        """A seat this trip holds already reads as taken, but is the trip's own to move."""
        own = {(key, seat) for key in itinerary.segment_keys for seat in page.seats_on(key)}
        theirs = itinerary.model_copy(update={"seats": tuple(s for s in itinerary.seats if (s[0], s[2]) not in own)})
        return await self.shopping.price(theirs, ages)

    async def _next_best(self, errand: Errand, selection: Selection, ages: tuple[int | None, ...]) -> tuple[Selection, Itinerary]:
        """Other seats for the wish, at no extra cost; none that can be chosen: without seats."""
        plain = itinerary_of(selection.model_copy(update={"seats": ()}))
        offer = await self.shopping.offer_for(plain, ages)
        if offer is None:
            raise Refused(Reason.OFFER_GONE)
        maps = await self.provider.seat_maps(offer.offer_id)
        travellers = tuple(
            TravellerWishes(passenger=p, wishes=selection.wishes if i == 0 else (), age=ages[i])
            for i, p in enumerate(selection.passenger_ids)
        )
        chosen = tuple(
            SeatChoice(passenger_id=passenger, segment_key=m.segment_key, designator=designator)
            for m in maps
            for passenger, designator in propose(m, cabin=selection.cabin, travellers=travellers).designators.items()
        )
        changed = selection.model_copy(update={"seats": chosen})
        return changed, itinerary_of(changed)

    def _wanted(self, itinerary: Itinerary, priced: Priced, *, misses: bool) -> Wanted:
        fare = priced.offer.fare
        hold = fare.holdable and (fare.seats_on_hold or not itinerary.seats) and self.provider.capabilities().holds
        return Wanted(itinerary=itinerary, fare=fare, total=priced.total, hold=hold, misses_wish=misses)

    async def ages(self, errand: Errand, selection: Selection) -> tuple[int | None, ...]:
        """One entry a passenger, None for adults; the day of travel decides."""
        people = await self._details(errand, selection.passenger_ids)
        day = itinerary_day(selection.segment_keys)
        ages = [person.age_on(day) for person in people]
        return tuple(age if age < 18 else None for age in ages)

    # What would have to be done

    async def preview(self, errand: Errand, wanted: Wanted | None, choice: Choice | None = None) -> Plan:
        """Writes and asks nothing: a cancellation is shown at its newest quote, or as not quoted yet."""
        return settle(wanted, await self._page(errand), choice)

    async def quote_leaving(self, errand: Errand, wanted: Wanted | None, choice: Choice | None) -> None:
        """A fresh cancellation quote for each order the plan may give up, in any of its choices."""
        page = await self._page(errand)
        first = settle(wanted, page, choice)
        plans = [first, *(settle(wanted, page, c.id) for c in first.choices)]
        leaving = {s.create_id for plan in plans for s in plan.steps if s.kind in DROPS}
        for order in page.orders:
            if order.create_id in leaving:
                await self._quote(order.order_id)

    async def plan(
        self, errand: Errand, wanted: Wanted | None, choice: Choice | None, *, decided: Plan | None, decided_by: str | None
    ) -> Settled:
        """The one place that derives ids. A decision stands when the new plan is the decided one, within its bounds."""
        at = self.clock()

        async def write(tx: ledger.Tx) -> Settled:
            page = await ledger.page(tx, self.book(errand.tenant_id), errand.trip_id)
            plan = settle(wanted, page, choice)
            await self._check_claims(tx, errand, page, plan)
            stood = decided is not None and plan.within(decided, tolerance=self.policy.reprice.tolerance)
            free = plan.free(holds_are_free=self.policy.hold.automatic)
            if not needs_review(plan, self.policy) and not refused(plan, self.policy):
                free = plan.steps
            voided = await ledger.write_plan(
                tx,
                self.book(errand.tenant_id),
                errand.trip_id,
                plan,
                standing=decided_by if stood else None,
                free=free,
                actor=PRODUCT.model_copy(update={"tenant_id": errand.tenant_id}),
                at=at,
            )
            point("plan.stored")
            return Settled(plan, stood, voided)

        settled = await self.database.write(write)
        point("plan.committed")
        return settled

    async def _check_claims(self, tx: ledger.Tx, errand: Errand, page: LedgerPage, plan: Plan) -> None:
        """A passenger is on a flight once, whoever books it: refused here, and again by the claim itself."""
        mine = frozenset(o.create_id for o in page.orders)
        for step in plan.steps:
            if step.kind in {StepKind.HOLD, StepKind.BOOK}:
                own = mine | {step.create_id}
                taken = await ledger.claimed_elsewhere(tx, self.book(errand.tenant_id), step.itinerary, create_ids=own)
                if taken is not None:
                    yours = taken.owner_id == errand.owner_id
                    raise Refused(Reason.ALREADY_YOURS if yours else Reason.PASSENGER_HAS_FLIGHT, taken.segment_key)

    # Doing it

    async def check(self, errand: Errand, steps: tuple[Step, ...], selection: Selection | None) -> Reason | None:
        """Read every price again, before the first step that cannot be taken back: why it must not be taken."""
        page = await self._page(errand)
        try:
            for step in steps:
                if step.kind in CREATES and selection is not None:
                    ages = await self.ages(errand, selection)
                    priced = await self._priced_with_own_seats(page, step.itinerary, ages)
                    if not priced.total <= ledger.with_tolerance(step.bound, self.policy.reprice.tolerance):
                        return Reason.PRICE_CHANGED
        except Refused as refusal:
            return refusal.reason
        return None

    async def may(self, step: Step) -> bool:
        """Whether this step needs no yes, has one, or was begun with one."""
        if step.kind in {StepKind.KEEP, StepKind.LEAVE}:
            return True

        async def read(tx: ledger.Tx) -> bool:
            row = await ledger.operation(tx, step.operation_id)
            return row.state in RECORDED or await ledger.granted(tx, row) is not None

        return await self.database.read(read)

    async def has_begun(self, step: Step) -> bool:
        """Whether it may have happened already: then what it bought reads as sold, and only its outcome is of interest."""
        if step.kind in {StepKind.KEEP, StepKind.LEAVE}:
            return False
        return (await self.look(step.operation_id)).state != "planned"

    async def carry_out(self, errand: Errand, step: Step) -> Outcome:
        match step.kind:
            case StepKind.KEEP:
                return Outcome.SUCCEEDED
            case StepKind.LEAVE:
                at = self.clock()
                await self.database.write(lambda tx: ledger.set_aside(tx, step.create_id, at=at))
                return Outcome.SUCCEEDED
            case _:
                return await self.perform(errand, step.operation_id)

    async def perform(self, errand: Errand, operation_id: str) -> Outcome:
        """Carry one operation out, once. Asked again, say what became of it; what may have happened is never resent."""
        for _ in range(TRIES):
            row = await self.look(operation_id)
            if row.state in RECORDED:
                return RECORDED[row.state]
            grant = await self.database.read(lambda tx, row=row: ledger.granted(tx, row))
            if grant is None or await self._paused():
                return Outcome.UNGRANTED
            try:
                ready = await self._prepare(errand, row, grant[0])
                point("send.prepared", row.kind)
                return await self._attempt(errand, row, ready, granted_by=grant[1])
            except Unavailable:
                continue
            except Refused as refusal:
                return await self._fail(row, refusal.reason)
        return await self._fail(await self.look(operation_id), Reason.UNAVAILABLE)

    async def look(self, operation_id: str) -> Row[Any]:
        """The operation as it must be read: one whose sender died may have happened."""
        at = self.clock()

        async def read(tx: ledger.Tx) -> Row[Any]:
            row, attempt = await ledger.operation(tx, operation_id), await ledger.last_attempt(tx, operation_id)
            if row.state == "submitting" and attempt is not None and attempt.outcome is None and not self.is_sending(attempt):
                await ledger.mark_unknown(tx, row, at=at, look_after=at)
                return await ledger.operation(tx, operation_id)
            return row

        return await self.database.write(read)

    def is_sending(self, attempt: Row[Any]) -> bool:
        return attempt.process_id == self.life and attempt.operation_id in self._sending

    async def _prepare(self, errand: Errand, row: Row[Any], bound: Money) -> Ready:
        """All that may be read before sending: today's offer, the newest quote, and whether they are within the grant."""
        match row.kind:
            case "hold" | "book":
                return await self._prepare_create(errand, row, bound)
            case "pay":
                return await self._prepare_pay(row, bound)
            case _:
                return await self._prepare_cancel(row, bound)

    async def _prepare_create(self, errand: Errand, row: Row[Any], bound: Money) -> Ready:
        itinerary = Itinerary.model_validate(row.itinerary)
        people = await self._details(errand, itinerary.passenger_ids)
        day = itinerary_day(itinerary.segment_keys)
        ages = tuple(a if a < 18 else None for a in (p.age_on(day) for p in people))
        priced = await self.shopping.price(itinerary, ages)
        if not priced.total <= bound:
            raise Refused(Reason.PRICE_CHANGED, priced.total)
        request = OrderRequest(
            kind="hold" if row.kind == "hold" else "instant",
            offer_id=priced.offer.offer_id,
            seats=_sorted(priced.seats),
            passengers=tuple(OrderPassenger(ref=r, details=p) for r, p in zip(priced.offer.passenger_refs, people, strict=True)),
            total=priced.total,
            operation_id=row.operation_id,
        )
        return Ready(
            priced.offer.offer_id,
            request.model_dump(mode="json"),
            priced.total,
            priced.offer.fare,
            lambda: self.provider.create_order(request),
        )

    async def _prepare_pay(self, row: Row[Any], bound: Money) -> Ready:
        order = await self._order_of(row)
        found = await self.read_order(order.order_id)
        if found.state in {"lapsed", "cancelled"}:
            raise Refused(Reason.HOLD_EXPIRED)
        if not found.total <= bound:
            raise Refused(Reason.PRICE_CHANGED, found.total)

        async def pay() -> AirlineOrder:
            return await self.provider.pay_order(order.order_id, amount=found.total, operation_id=row.operation_id)

        return Ready(order.order_id, ["pay", order.order_id], found.total, None, pay)

    async def _prepare_cancel(self, row: Row[Any], bound: Money) -> Ready:
        order = await self._order_of(row)
        quote = await self._quote(order.order_id)
        if quote.refund is not None and quote.refund.currency == bound.currency and not bound <= quote.refund:
            raise Refused(Reason.REFUND_CHANGED, quote.refund)
        if quote.refund is None and bound.amount > 0:
            raise Refused(Reason.REFUND_CHANGED)
        after = await self.read_order(order.order_id)
        if OrderState(order.state) in {OrderState.HELD, OrderState.RELEASING} and after.state in {"ticketing", "confirmed"}:
            raise Refused(Reason.REFUND_CHANGED)  # it was paid meanwhile: no free release any more

        async def confirm() -> AirlineOrder:
            return await self.provider.confirm_cancellation(quote.quote_id)

        return Ready(order.order_id, ["cancel", order.order_id], quote.refund, None, confirm)

    async def _attempt(self, errand: Errand, row: Row[Any], ready: Ready, *, granted_by: str) -> Outcome:
        """Intent committed, one call, outcome committed; the whole of it goes on when its caller is cancelled."""
        self._sending.add(row.operation_id)
        try:
            return await shielded(self._send(errand, row, ready, granted_by))
        finally:
            self._sending.discard(row.operation_id)

    async def _send(self, errand: Errand, row: Row[Any], ready: Ready, granted_by: str) -> Outcome:
        at = self.clock()

        async def begin(tx: ledger.Tx) -> Attempt:
            if ready.fare is not None:
                fare = ready.fare.model_dump(mode="json")
                await ledger.note(tx, operation_id=row.operation_id, order_id=None, kind="offer", body=fare, at=at)
            attempt = await ledger.begin(
                tx,
                row,
                reference=ready.reference,
                fingerprint=fingerprint(ready.body),
                granted_by=granted_by,
                amount=ready.amount,
                run_id=errand.run_id,
                process_id=self.life,
                at=at,
            )
            point("send.stored", row.kind)
            return attempt

        attempt = await self.database.write(begin)
        point("send.intended", row.kind)
        try:
            found = await ready.send()
            point("send.received", row.kind)
        except Unavailable:
            await self._end(row, attempt, "unavailable")
            raise
        except Refused as refusal:
            await self._end(row, attempt, f"refused:{refusal.reason}")
            raise
        except OutcomeUnknown as unknown:
            return await self._unknown(row, attempt, str(unknown))
        return await self._succeeded(row, attempt, found, ready.fare)

    async def _end(self, row: Row[Any], attempt: Attempt, outcome: str) -> None:
        at = self.clock()
        await self.database.write(lambda tx: ledger.end_attempt(tx, row.operation_id, attempt.number, outcome, at=at))

    async def _unknown(self, row: Row[Any], attempt: Attempt, hint: str) -> Outcome:
        at = self.clock()

        async def write(tx: ledger.Tx) -> None:
            await ledger.end_attempt(tx, row.operation_id, attempt.number, "unknown", at=at)
            await ledger.note(tx, operation_id=row.operation_id, order_id=None, kind="response", body={"hint": hint}, at=at)
            current = await ledger.operation(tx, row.operation_id)
            if current.state == "submitting" and current.fence == attempt.number:
                await ledger.mark_unknown(tx, current, at=at, look_after=at + FIRST_LOOK)

        await self.database.write(write)
        point("unknown.committed", row.kind)
        return Outcome.UNKNOWN

    async def _succeeded(self, row: Row[Any], attempt: Attempt, found: AirlineOrder, fare: Fare | None) -> Outcome:
        at = self.clock()

        async def write(tx: ledger.Tx) -> Outcome:
            await ledger.end_attempt(tx, row.operation_id, attempt.number, "succeeded", at=at)
            body = found.model_dump(mode="json", include={"order_id", "state", "booking_reference"})
            await ledger.note(tx, operation_id=row.operation_id, order_id=found.order_id, kind="response", body=body, at=at)
            current = await ledger.operation(tx, row.operation_id)
            if current.fence != attempt.number or current.state not in {"submitting", "unknown", "needs_person"}:
                return RECORDED.get(current.state, Outcome.UNKNOWN)  # somebody has settled it since; the evidence is kept
            await ledger.succeed(tx, current, found, fare=fare, at=at)
            point("outcome.stored", row.kind)
            return Outcome.SUCCEEDED

        outcome = await self.database.write(write)
        point("outcome.committed", row.kind)
        return outcome

    async def _fail(self, row: Row[Any], reason: Reason) -> Outcome:
        at = self.clock()

        async def write(tx: ledger.Tx) -> Outcome:
            current = await ledger.operation(tx, row.operation_id)
            if current.state in {"planned", "submitting"}:
                await ledger.fail(tx, current, reason, at=at)
                return Outcome.FAILED
            return RECORDED[current.state]

        return await self.database.write(write)

    # Reading the airline

    async def read_order(self, order_id: str) -> AirlineOrder:
        """The order as it is now; the ledger learns what changed."""
        found = await self.provider.get_order(order_id)
        at = self.clock()
        await self.database.write(lambda tx: ledger.refresh_order(tx, found, at=at))
        return found

    async def is_ticketing(self, errand: Errand) -> bool:
        """Whether an order of the trip is paid but has no documents yet."""
        return any(o.state is OrderState.TICKETING and not o.aside for o in (await self._page(errand)).orders)

    async def reason_of(self, operation_id: str) -> str | None:
        return (await self.database.read(lambda tx: ledger.operation(tx, operation_id))).reason

    async def live_orders(self, errand: Errand) -> LedgerPage:
        return await self._page(errand)

    async def _page(self, errand: Errand) -> LedgerPage:
        return await self.database.read(lambda tx: ledger.page(tx, self.book(errand.tenant_id), errand.trip_id))

    async def _quote(self, order_id: str) -> CancellationQuote:
        try:
            quote = await self.provider.quote_cancellation(order_id)
        except OutcomeUnknown as lost:  # a quote binds nobody, and only the newest counts: it may be asked for again
            raise Unavailable(str(lost)) from lost
        at = self.clock()
        await self.database.write(lambda tx: ledger.quoted(tx, quote, at=at))
        return quote

    async def _order_of(self, row: Row[Any]) -> Row[Any]:
        order = await self.database.read(lambda tx: ledger.order_of(tx, row.create_id))
        if order is None:
            raise Refused(Reason.NOT_FOUND, row.create_id)
        return order

    async def _details(self, errand: Errand, passenger_ids: tuple[str, ...]) -> tuple[PersonDetails, ...]:
        async def read(tx: ledger.Tx) -> tuple[PersonDetails, ...]:
            found: list[PersonDetails] = []
            for each in passenger_ids:
                row = await directory.by_passenger(tx, tenant_id=errand.tenant_id, passenger_id=each, owner_id=errand.owner_id)
                if row is None:
                    raise Refused(Reason.INVALID_DATA, "a passenger is no longer in the directory")
                found.append(PersonDetails.model_validate(row.details))
            return tuple(found)

        return await self.database.read(read)

    async def _paused(self) -> bool:
        return await self.database.read(signals.paused) is not None


def itinerary_of(selection: Selection) -> Itinerary:
    return Itinerary(
        segment_keys=selection.segment_keys,
        cabin=selection.cabin,
        fare_brand=selection.fare_brand,
        passenger_ids=selection.passenger_ids,
        seats=tuple(sorted((s.segment_key, s.passenger_id, s.designator) for s in selection.seats)),
        bags=selection.bags,
    )


def _misses_wish(selection: Selection, priced: Priced) -> bool:
    """The wishes are those of the first who travels."""
    own = (s for s in selection.seats if s.passenger_id == selection.passenger_ids[0] and s.segment_key in priced.maps)
    return any(misses(priced.maps[s.segment_key], s.designator, selection.wishes) for s in own)


def itinerary_day(segment_keys: tuple[str, ...]) -> date:
    return date.fromisoformat(segment_keys[0].split(":")[2])


def _sorted(seats: tuple[SeatPurchase, ...]) -> tuple[SeatPurchase, ...]:
    return tuple(sorted(seats, key=lambda s: s.service_id))
