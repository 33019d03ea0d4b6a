"""Wanted, orders, steps, plans: the values settlement works on. Pure."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from itertools import takewhile

from .flights import Cabin, Fare
from .ids import derived, fingerprint
from .money import Money, zero
from .value import Value


class Itinerary(Value):
    """One direction of travel, as wanted or as held; never an offer. Seats are (segment key, passenger id, designator)."""

    segment_keys: tuple[str, ...]
    cabin: Cabin
    fare_brand: str
    passenger_ids: tuple[str, ...]
    seats: tuple[tuple[str, str, str], ...] = ()
    bags: int = 0

    @property
    def intent(self) -> str:
        """What makes two purchases the same purchase."""
        return derived(
            "intent",
            sorted(self.segment_keys),
            sorted(self.passenger_ids),
            self.cabin,
            self.fare_brand,
            sorted(self.seats),
            self.bags,
        )

    @property
    def claims(self) -> frozenset[tuple[str, str]]:
        return frozenset((key, passenger) for key in self.segment_keys for passenger in self.passenger_ids)

    def overlaps(self, other: Itinerary) -> bool:
        """A passenger would be on one flight twice."""
        return bool(self.claims & other.claims)

    def differs_in_seat_only(self, other: Itinerary) -> bool:
        return self != other and self.model_copy(update={"seats": other.seats}).intent == other.intent


class Wanted(Value):
    """An itinerary at today's price. `total` is fare and seats for everybody."""

    itinerary: Itinerary
    fare: Fare
    total: Money
    hold: bool  # the airline would hold flight and seats without payment
    misses_wish: bool = False  # a seat the traveller wished for was lost on the way here


class OrderState(StrEnum):
    HELD = "held"
    RELEASING = "releasing"
    TICKETING = "ticketing"
    CONFIRMED = "confirmed"
    CANCELLED = "cancelled"
    LAPSED = "lapsed"
    SURPLUS = "surplus"


LIVE = frozenset({OrderState.HELD, OrderState.RELEASING, OrderState.TICKETING, OrderState.CONFIRMED, OrderState.SURPLUS})
PAID = frozenset({OrderState.TICKETING, OrderState.CONFIRMED})


class Refund(Value):
    """What the newest quote gives back. `money` None: the airline has not said."""

    money: Money | None = None
    kind: str = "unknown"
    quoted: bool = False

    @property
    def is_credit(self) -> bool:
        """Worth something at the airline only."""
        return self.kind in {"airline_credits", "voucher"}


class Order(Value):
    order_id: str
    create_id: str
    state: OrderState
    itinerary: Itinerary
    fare: Fare
    total: Money
    booking_reference: str | None = None
    refund: Refund = Refund()
    aside: bool = False
    pay_by: datetime | None = None

    @property
    def paid(self) -> bool:
        return self.state in PAID


class StepKind(StrEnum):
    KEEP = "keep"
    LEAVE = "leave"  # keep it, but it is no longer this trip's business
    HOLD = "hold"
    PAY = "pay"
    BOOK = "book"
    RELEASE = "release"
    CANCEL = "cancel"


CREATES = frozenset({StepKind.HOLD, StepKind.BOOK})
SPENDS = frozenset({StepKind.PAY, StepKind.BOOK})
DROPS = frozenset({StepKind.RELEASE, StepKind.CANCEL})
EFFECTS = CREATES | SPENDS | DROPS


class Choice(StrEnum):
    """How to settle where there is a choice."""

    REPLACE = "replace"
    KEEP_BOTH = "keep_both"
    KEEP = "keep"
    BY_HAND = "by_hand"  # ask the airline
    REBOOK = "rebook"  # cancel and book again
    AS_IS = "as_is"  # nothing wanted: give back holds, touch nothing paid


class Outcome(StrEnum):
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    UNKNOWN = "unknown"
    NEEDS_PERSON = "needs_person"
    UNGRANTED = "ungranted"  # nothing was sent: ask a person
    TICKETING = "ticketing"  # done, but the documents are not there yet


class Step(Value):
    """`bound` is money: pay at most, or get back at least. `create_id` names the order, also before it exists."""

    kind: StepKind
    operation_id: str
    create_id: str
    itinerary: Itinerary
    fare: Fare
    bound: Money
    refund: Refund | None = None  # of a release or cancel


class ChoiceOffered(Value):
    id: Choice
    net: Money | None  # None: not quoted yet


class Plan(Value):
    steps: tuple[Step, ...]
    choices: tuple[ChoiceOffered, ...] = ()
    chosen: Choice | None = None

    @property
    def digest(self) -> str:
        """What a person says yes to: the steps in order and their conditions; amounts are bounds, not identity."""
        steps = [
            (s.kind, s.operation_id, s.itinerary.intent, s.refund and s.refund.kind, s.fare.refund.allowed, s.fare.change.allowed,
             s.bound.currency)
            for s in self.steps
        ]  # fmt: skip
        return fingerprint(steps, self.chosen)

    @property
    def effects(self) -> tuple[Step, ...]:
        return tuple(s for s in self.steps if s.kind in EFFECTS)

    @property
    def net(self) -> Money | None:
        """What it costs in all; negative is money back, credits are none. None where a refund is unknown or another currency."""
        total: Money | None = None
        for step in self.steps:
            if step.kind in SPENDS:
                amount = step.bound
            elif step.kind in DROPS and step.refund and step.refund.money:
                amount = zero(step.refund.money.currency) if step.refund.is_credit else -step.refund.money
            elif step.kind in DROPS:
                return None
            else:
                continue
            if total is not None and total.currency != amount.currency:
                return None
            total = amount if total is None else total + amount
        return total if total is not None or not self.steps else zero(self.steps[0].bound.currency)

    def within(self, other: Plan, *, tolerance: Decimal = Decimal(0)) -> bool:
        """What is left to do of the other plan, for no more money than it allows."""
        left = other.left_before(self)
        return self.digest == left.digest and all(
            mine.bound <= with_tolerance(theirs.bound, tolerance) if mine.kind in SPENDS | CREATES else theirs.bound <= mine.bound
            for mine, theirs in zip(self.steps, left.steps, strict=True)
            if mine.kind in EFFECTS
        )

    def left_before(self, later: Plan) -> Plan:
        """This plan without its first steps, as many as were done before `later` was made."""
        return self.model_copy(update={"steps": self.steps[-len(later.steps) :] if later.steps else ()})

    def free(self, *, holds_are_free: bool = True) -> tuple[Step, ...]:
        """The steps policy grants by itself: the longest run of them, so that nothing overtakes a paid step."""
        replaced = {s.create_id for s in self.steps if s.kind is StepKind.RELEASE and self._is_replaced(s)}

        def is_free(step: Step) -> bool:
            match step.kind:
                case StepKind.KEEP:
                    return True
                case StepKind.HOLD:
                    return holds_are_free
                case StepKind.RELEASE:
                    return step.bound.amount == Decimal(0) and step.create_id not in replaced
                case _:
                    return False

        return tuple(takewhile(is_free, self.steps))

    def asked(self, *, holds_are_free: bool = True) -> tuple[Step, ...]:
        """The steps a person has to grant."""
        return self.steps[len(self.free(holds_are_free=holds_are_free)) :]

    def _is_replaced(self, release: Step) -> bool:
        return any(s.kind in CREATES and s.itinerary.overlaps(release.itinerary) for s in self.steps)


def with_tolerance(bound: Money, tolerance: Decimal) -> Money:
    """At most so much is paid on an approval of `bound`; 0.02 is two per cent."""
    return Money(amount=(bound.amount * (1 + tolerance)).quantize(Decimal("0.01")), currency=bound.currency)


def by_the_rules(fare: Fare, total: Money) -> Refund:
    """What the fare's rules promise, until the airline is asked for a quote."""
    rule = fare.refund
    if rule.allowed is None or (rule.allowed and rule.penalty and rule.penalty.currency != total.currency):
        return Refund()
    if not rule.allowed:
        return Refund(money=zero(total.currency), kind="by_the_rules")
    kept = rule.penalty.amount if rule.penalty else Decimal(0)
    return Refund(money=Money(amount=max(total.amount - kept, Decimal(0)), currency=total.currency), kind="by_the_rules")
