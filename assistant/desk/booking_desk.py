"""The only hand that touches the airline: every effect is written down, sent once, and written down again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from .. import ledger
from ..booking.provider import AirlineOrder, Provider
from ..crashpoints import point
from ..domain.clock import Clock
from ..domain.errors import Reason, Refused, Unavailable
from ..domain.flights import Fare
from ..domain.plans import CREATES, DROPS, LIVE, SPENDS, Choice, OrderState, Outcome, Plan, Step, StepKind, Wanted
from ..domain.policy import Policy, needs_review, refused
from ..domain.settlement import LedgerPage, give_up, settle
from ..domain.trips import Selection
from ..ledger import Book
from ..ledger.leaving import Leaving, leaving
from ..persistence import signals
from ..persistence.database import Database
from ..shopping import Shopping
from .errand import JUST_RESTORED, PAUSED, PRODUCT, RECORDED, TICKETS_WITHIN, TRIES, Errand, Settled
from .looking_first import LookingFirst
from .looking_up import LookingUp
from .preparing import Preparing
from .reading import Reading
from .sending import Sending
from .wanting import Wanting


@dataclass
class BookingDesk:
    database: Database
    provider: Provider
    policy: Policy
    clock: Clock

    def __post_init__(self) -> None:
        self.shopping = Shopping(self.provider, self.clock)
        self.mode = self.provider.capabilities().mode.value
        self.reading = Reading(self.database, self.provider, self.clock, self.mode)
        self.sending = Sending(self.database, self.clock)
        self.looking_first = LookingFirst(self.database, self.provider, self.clock, self.sending.life)
        self.looking_up = LookingUp(self.database, self.provider, self.looking_first, self.clock)
        self.wanting = Wanting(self.reading, self.shopping, self.provider, self.looking_first)
        self.preparing = Preparing(self.reading, self.shopping, self.provider)

    def book(self, tenant_id: str) -> Book:
        return self.reading.book(tenant_id)

    # What is wanted, and what would have to be done

    async def wanted(self, errand: Errand, selection: Selection) -> tuple[Wanted, Selection]:
        """The selection as of now, as it had to be changed. Refuses OFFER_GONE, SEAT_TAKEN."""
        return await self.wanting.wanted(errand, selection)

    async def preview(self, errand: Errand, wanted: Wanted | None, choice: Choice | None = None) -> Plan:
        """Writes and asks nothing: a cancellation is shown at its newest quote, or as not quoted yet."""
        return settle(wanted, await self.reading.page(errand), choice)

    async def quote_leaving(
        self, errand: Errand, wanted: Wanted | None, choice: Choice | None, *, drops: str | None = None
    ) -> None:
        """A fresh cancellation quote for each order the plan may give up, in any of its choices."""
        page = await self.reading.page(errand)
        first = settle(wanted, page, choice)
        plans = [first, *(settle(wanted, page, c.id) for c in first.choices)]
        leaving = {drops} if drops else {s.create_id for plan in plans for s in plan.steps if s.kind in DROPS}
        for order in page.orders:
            if order.create_id in leaving:
                await self._quote_or_over(order.order_id)

    async def _quote_or_over(self, order_id: str) -> None:
        """What is over already is not in the next plan: nothing is left to give up."""
        try:
            await self.reading.quote(order_id)
        except Refused as refusal:
            if refusal.reason is not Reason.ORDER_LAPSED:
                raise

    async def plan(
        self,
        errand: Errand,
        wanted: Wanted | None,
        choice: Choice | None,
        *,
        decided: Plan | None,
        decided_by: str | None,
        drops: str | None = None,
    ) -> Settled:
        """The one place that derives ids. A decision stands when the new plan is the decided one, within its bounds.

        `drops` is the create of one booking that is to go by itself.
        """
        at = self.clock()

        async def write(tx: ledger.Tx) -> Settled:
            page = await ledger.page(tx, self.book(errand.tenant_id), errand.trip_id)
            plan = _settled(wanted, page, choice, drops=drops)
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
        mine = frozenset(o.create_id for o in page.orders if o.state is not OrderState.SURPLUS)
        for step in plan.steps:
            if step.kind in {StepKind.HOLD, StepKind.BOOK}:
                own = mine | {step.create_id}
                late = await ledger.surplus_on(tx, self.book(errand.tenant_id), step.itinerary)
                if late is not None and late.trip_id == errand.trip_id:
                    raise Refused(Reason.LATE_ORDER, late.order_id)
                taken = await ledger.claimed_elsewhere(tx, self.book(errand.tenant_id), step.itinerary, create_ids=own)
                if taken is not None:
                    raise Refused(await self._why_taken(tx, errand, taken), taken.create_id)

    async def _why_taken(self, tx: ledger.Tx, errand: Errand, taken: Row[Any]) -> Reason:
        """One's own that is being given back is waited for; what nobody knows the end of is not."""
        if taken.owner_id != errand.owner_id:
            return Reason.PASSENGER_HAS_FLIGHT
        match await leaving(tx, taken.create_id, trip_id=taken.trip_id):
            case Leaving.UNDER_WAY:
                return Reason.BEING_GIVEN_BACK
            case Leaving.UNCLEAR:
                return Reason.NOT_GIVEN_BACK
            case Leaving.STAYS:
                return Reason.ALREADY_YOURS

    async def check(self, errand: Errand, steps: tuple[Step, ...], selection: Selection | None) -> Reason | None:
        """Read every price again, before the first step that cannot be taken back: why it must not be taken."""
        page = await self.reading.page(errand)
        try:
            if selection is not None and any(step.kind in CREATES | SPENDS for step in steps):
                await self.reading.details(errand, selection.passenger_ids)  # also of a hold: it bears the names of its day
            for step in steps:
                if step.kind in CREATES and selection is not None:
                    await self._is_first(await self.look(step.operation_id))
                    ages = await self.reading.ages(errand, selection)
                    priced = await self.wanting.priced_with_own_seats(page, step.itinerary, ages)
                    if not priced.total.at_most(ledger.with_tolerance(step.bound, self.policy.reprice.tolerance)):
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

    # Doing it

    async def carry_out(self, errand: Errand, step: Step) -> Outcome:
        match step.kind:
            case StepKind.KEEP if await self._is_over(step.create_id):
                return Outcome.FAILED
            case StepKind.KEEP | StepKind.LEAVE:
                at, aside = self.clock(), step.kind is StepKind.LEAVE
                await self.database.write(lambda tx: ledger.set_aside(tx, step.create_id, aside=aside, at=at))
                return Outcome.SUCCEEDED
            case _:
                return await self.perform(errand, step.operation_id, fare=step.fare)

    async def perform(self, errand: Errand, operation_id: str, *, fare: Fare | None = None) -> Outcome:
        """Carry one operation out, once. Asked again, say what became of it; what may have happened is never resent.

        A booking that was made and is over by now counts as failed: nothing may be given up for it. `fare` is the plan's, for
        a create that turns out to have been made already.
        """
        outcome = await self._performed(errand, operation_id, fare)
        return Outcome.FAILED if outcome is Outcome.SUCCEEDED and await self._is_over(operation_id) else outcome

    async def _performed(self, errand: Errand, operation_id: str, fare: Fare | None) -> Outcome:
        for _ in range(TRIES):
            row = await self.look(operation_id)
            if row.state in RECORDED:
                return RECORDED[row.state]
            grant = await self.database.read(lambda tx, row=row: ledger.granted(tx, row))
            if grant is None or await self.withheld(operation_id) is not None:
                return Outcome.UNGRANTED
            try:
                if await self.looking_first.was_made(errand, row, fare, bound=grant[0], granted_by=grant[1]):
                    return Outcome.UNKNOWN
                await self._is_first(row)
                ready = await self.preparing.ready(errand, row, grant[0])
                point("send.prepared", row.kind)
                return await self.sending.attempt(errand, row, ready, granted_by=grant[1])
            except Unavailable:
                continue
            except Refused as refusal:
                return await self.sending.fail(row, refusal.reason)
        return await self.sending.fail(await self.look(operation_id), Reason.UNAVAILABLE)

    async def _is_first(self, row: Row[Any]) -> None:
        """What was closed as not made is looked up before it is made again, whatever was or was not told of it meanwhile."""
        late = await self.looking_up.came_after_all(row)
        if late is not None:
            raise Refused(Reason.LATE_ORDER, late)

    async def is_ticketing(self, errand: Errand) -> bool:
        """Whether an order of the trip is paid but has no documents yet."""
        return any(o.state is OrderState.TICKETING and not o.aside for o in (await self.reading.page(errand)).orders)

    async def is_overdue(self, errand: Errand) -> bool:
        """Whether an order of the trip was paid so long ago that somebody has to ask for its ticket."""
        before = self.clock() - TICKETS_WITHIN
        return bool(await self.database.read(lambda tx: ledger.overdue(tx, paid_before=before, trip_id=errand.trip_id)))

    async def reason_of(self, operation_id: str) -> str | None:
        if await self._is_over(operation_id):
            return Reason.ORDER_LAPSED.value
        return (await self.database.read(lambda tx: ledger.operation(tx, operation_id))).reason

    async def _is_over(self, operation_id: str) -> bool:
        """Whether this was made or paid, and the airline has the order no more."""

        async def read(tx: ledger.Tx) -> bool:
            row = await ledger.operation(tx, operation_id)
            order = await ledger.order_of(tx, row.create_id) if row.kind in CREATES | SPENDS else None
            return row.state == "succeeded" and order is not None and OrderState(order.state) not in LIVE

        return await self.database.read(read)

    async def live_orders(self, errand: Errand) -> LedgerPage:
        return await self.reading.page(errand)

    async def withheld(self, operation_id: str) -> str | None:
        """Why this is not sent now, whoever has granted it: a reason people read. What is only given up is never withheld."""

        async def is_paused(tx: ledger.Tx) -> bool | None:
            buys = await ledger.buys(tx, await ledger.operation(tx, operation_id))
            return await signals.paused(tx) is not None if buys else None

        paused = await self.database.read(is_paused)
        if paused:
            return PAUSED
        return JUST_RESTORED if paused is not None and await self.looking_first.is_too_early() else None

    async def look(self, operation_id: str) -> Row[Any]:
        """The operation as it must be read: one whose sender died may have happened."""
        return await self.sending.look(operation_id)

    async def read_order(self, order_id: str) -> AirlineOrder:
        """The order as it is now; the ledger learns what changed. Raises Refused; Unavailable, also where nobody answers soon."""
        return await self.reading.read_order(order_id, patience=self.looking_up.patience)


def _settled(wanted: Wanted | None, page: LedgerPage, choice: Choice | None, *, drops: str | None) -> Plan:
    """One booking that is to go by itself goes, or stays as it is; all others are left alone."""
    if drops is None:
        return settle(wanted, page, choice)
    return Plan(steps=()) if choice is Choice.AS_IS else give_up(page, drops)
