"""Desired against actual: what a trip wants, what the airline has, and the ordered difference. Pure: no I/O, no clock."""

from __future__ import annotations

from .ids import derived
from .money import zero
from .plans import Choice, ChoiceOffered, Itinerary, Order, OrderState, Plan, Step, StepKind, Wanted
from .value import Value


class LedgerPage(Value):
    """A trip's page of the ledger: all its branches, never rewound."""

    tenant_id: str
    mode: str
    trip_id: str
    orders: tuple[Order, ...] = ()  # live ones
    closed_creates: tuple[str, ...] = ()  # one intent per create that failed, or whose order is gone or flies elsewhere now
    failed: tuple[tuple[str, str], ...] = ()  # (pay | cancel, create_id) per operation that surely failed

    @property
    def booked(self) -> bool:
        """Whether something is paid for that is this trip's business."""
        return any(o.paid and not o.aside for o in self.orders)

    def order_for(self, itinerary: Itinerary) -> Order | None:
        usable = (o for o in self.orders if o.state not in {OrderState.SURPLUS, OrderState.RELEASING})
        return next((o for o in usable if o.itinerary.intent == itinerary.intent), None)

    def seats_on(self, segment_key: str) -> frozenset[str]:
        return frozenset(seat for o in self.orders for key, _, seat in o.itinerary.seats if key == segment_key)

    def create_id(self, itinerary: Itinerary) -> str:
        generation = 1 + self.closed_creates.count(itinerary.intent)
        return derived(self.tenant_id, self.mode, self.trip_id, "create", itinerary.intent, generation)

    def operation_id(self, kind: str, create_id: str) -> str:
        return derived(kind, create_id, 1 + self.failed.count((kind, create_id)))


def settle(wanted: Wanted | None, ledger: LedgerPage, choice: Choice | None = None) -> Plan:
    """The steps that lead from what the airline has to what is wanted; `choice` says how, where there is a choice."""
    same = ledger.order_for(wanted.itinerary) if wanted else None
    others = [o for o in ledger.orders if o is not same and _concerns(o, wanted)]
    if wanted is None:
        spared = [o for o in others if o.paid and choice is Choice.AS_IS]
        return Plan(steps=(*_stay(StepKind.KEEP, spared), *_drop(ledger, [o for o in others if o not in spared])))
    choices = _choices(wanted, same, others)
    chosen = choice if choice in choices else (choices[0] if choices else None)
    steps = _steps(wanted, same, others, ledger, chosen)
    offered = tuple(ChoiceOffered(id=c, net=Plan(steps=_steps(wanted, same, others, ledger, c)).net) for c in choices)
    return Plan(steps=steps, choices=offered, chosen=chosen)


def give_up(ledger: LedgerPage, create_id: str) -> Plan:
    """One booking goes by itself; whatever else the trip has is left as it is."""
    return Plan(steps=_drop(ledger, [o for o in ledger.orders if o.create_id == create_id]))


def _concerns(order: Order, wanted: Wanted | None) -> bool:
    """One that was set aside is none of the trip's business, unless it holds a place on a flight that is wanted."""
    in_the_way = wanted is not None and order.itinerary.overlaps(wanted.itinerary)
    return order.state is not OrderState.SURPLUS and (in_the_way or not order.aside)


def _steps(
    wanted: Wanted, same: Order | None, others: list[Order], ledger: LedgerPage, chosen: Choice | None
) -> tuple[Step, ...]:
    in_the_way = [o for o in others if o.itinerary.overlaps(wanted.itinerary) or _holds_a_seat_of(o, wanted)]
    if chosen in {Choice.KEEP, Choice.BY_HAND}:
        return _kept(ledger, in_the_way, [o for o in others if o not in in_the_way])
    spared = [o for o in others if chosen is Choice.KEEP_BOTH and o.paid and o not in in_the_way]
    leaving = [o for o in others if o not in spared]
    return (
        *_drop(ledger, in_the_way),
        *_get(ledger, wanted, same),
        *_drop(ledger, [o for o in leaving if o not in in_the_way]),
        *_stay(StepKind.LEAVE, spared),
    )


def _holds_a_seat_of(order: Order, wanted: Wanted) -> bool:
    """Held for other people: the seat is free for those who are to fly instead once it is given back."""
    seats = {(key, seat) for key, _, seat in wanted.itinerary.seats}
    return not order.paid and any((key, seat) in seats for key, _, seat in order.itinerary.seats)


def _kept(ledger: LedgerPage, same_flight: list[Order], apart: list[Order]) -> tuple[Step, ...]:
    """Where one that was set aside is the trip's again, it is so instead of the others."""
    if not any(o.aside for o in same_flight):
        return _stay(StepKind.KEEP, [*same_flight, *apart])
    held = [o for o in apart if not o.paid]
    return *_stay(StepKind.KEEP, same_flight), *_drop(ledger, held), *_stay(StepKind.LEAVE, [o for o in apart if o.paid])


def _choices(wanted: Wanted, same: Order | None, others: list[Order]) -> tuple[Choice, ...]:
    """The first is the default: a seat is never worth a ticket by itself."""
    paid = [o for o in others if o.paid]
    if same is None and any(o.itinerary.differs_in_seat_only(wanted.itinerary) for o in paid):
        return Choice.KEEP, Choice.BY_HAND, Choice.REBOOK
    if not paid:
        return ()
    in_the_way = [o for o in paid if o.itinerary.overlaps(wanted.itinerary)]
    both = len(in_the_way) < len(paid) and all(o.aside for o in in_the_way)
    return (Choice.REPLACE, Choice.KEEP_BOTH) if both else (Choice.REPLACE,)


def _get(ledger: LedgerPage, wanted: Wanted, same: Order | None) -> tuple[Step, ...]:
    if same and same.paid:
        return _stay(StepKind.KEEP, [same])
    create_id = same.create_id if same else ledger.create_id(wanted.itinerary)
    total = same.total if same else wanted.total

    def step(kind: StepKind, operation_id: str) -> Step:
        return Step(
            kind=kind, operation_id=operation_id, create_id=create_id, itinerary=wanted.itinerary, fare=wanted.fare, bound=total
        )

    pay = step(StepKind.PAY, ledger.operation_id("pay", create_id))
    if same:
        return (pay,)
    if wanted.hold:
        return step(StepKind.HOLD, create_id), pay
    return (step(StepKind.BOOK, create_id),)


def _drop(ledger: LedgerPage, orders: list[Order]) -> tuple[Step, ...]:
    return tuple(
        Step(
            kind=StepKind.CANCEL if o.paid else StepKind.RELEASE,
            operation_id=ledger.operation_id("cancel", o.create_id),
            create_id=o.create_id,
            itinerary=o.itinerary,
            fare=o.fare,
            bound=o.refund.money or zero(o.total.currency),
            refund=o.refund if o.paid else o.refund.model_copy(update={"money": o.refund.money or zero(o.total.currency)}),
        )
        for o in orders
    )


def _stay(kind: StepKind, orders: list[Order]) -> tuple[Step, ...]:
    return tuple(
        Step(
            kind=kind,
            operation_id=o.create_id,
            create_id=o.create_id,
            itinerary=o.itinerary,
            fare=o.fare,
            bound=zero(o.total.currency),
        )
        for o in orders
    )
