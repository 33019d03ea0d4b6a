"""Desired against actual: which steps lead from what the airline has to what is wanted, and in which order."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

import pytest

from assistant.domain.flights import Cabin, Condition, Fare, Segment
from assistant.domain.money import Money
from assistant.domain.plans import Choice, Itinerary, Order, OrderState, Refund, StepKind, Wanted
from assistant.domain.settlement import LedgerPage, settle


def eur(amount: str) -> Money:
    return Money(amount=Decimal(amount), currency="EUR")


def segment(number: str, origin: str = "FRA", destination: str = "JFK", day: int = 11) -> Segment:
    return Segment(
        carrier="LH", flight_number=number, origin=origin, destination=destination,
        departs=datetime(2026, 12, day, 10), arrives=datetime(2026, 12, day, 14), minutes=540,
    )  # fmt: skip


def fare(*segments: Segment, total: str = "500.00") -> Fare:
    return Fare(
        segments=segments, cabin=Cabin.ECONOMY, fare_brand="Basic", total=eur(total), passengers=1, refund=Condition(allowed=True)
    )


def itinerary(*segments: Segment, people: tuple[str, ...] = ("tina",), seat: str | None = None) -> Itinerary:
    seats = tuple((segments[0].key, person, seat) for person in people[:1]) if seat else ()
    keys = tuple(s.key for s in segments)
    return Itinerary(segment_keys=keys, cabin=Cabin.ECONOMY, fare_brand="Basic", passenger_ids=people, seats=seats)


def wanted(*segments: Segment, people: tuple[str, ...] = ("tina",), seat: str | None = None, hold: bool = False) -> Wanted:
    return Wanted(itinerary=itinerary(*segments, people=people, seat=seat), fare=fare(*segments), total=eur("500.00"), hold=hold)


def order(
    *segments: Segment, people: tuple[str, ...] = ("tina",), seat: str | None = None, state: OrderState = OrderState.CONFIRMED,
    refund: str | None = "400.00", aside: bool = False,
) -> Order:  # fmt: skip
    made = itinerary(*segments, people=people, seat=seat)
    return Order(
        order_id=f"ord_{made.intent[:6]}", create_id=f"create-{made.intent}", state=state, itinerary=made, fare=fare(*segments),
        total=eur("500.00"), booking_reference="ABC123", refund=Refund(money=refund and eur(refund), kind="money", quoted=True),
        aside=aside,
    )  # fmt: skip


def page(*orders: Order, closed: tuple[str, ...] = (), failed: tuple[tuple[str, str], ...] = ()) -> LedgerPage:
    return LedgerPage(tenant_id="demo", mode="sandbox", trip_id="trip", orders=orders, closed_creates=closed, failed=failed)


MORNING, EVENING, NEXT_DAY = segment("400"), segment("404"), segment("400", day=12)


def kinds(*args: object) -> list[str]:
    return [s.kind.value for s in settle(*args).steps]  # type: ignore[arg-type]


def test_nothing_there_is_bought_or_held_first() -> None:
    assert kinds(wanted(MORNING), page()) == ["book"]
    assert kinds(wanted(MORNING, hold=True), page()) == ["hold", "pay"]


def test_what_is_booked_is_kept_and_a_hold_is_paid() -> None:
    assert kinds(wanted(MORNING), page(order(MORNING))) == ["keep"]
    assert kinds(wanted(MORNING), page(order(MORNING, state=OrderState.HELD))) == ["pay"]
    assert kinds(wanted(MORNING), page(order(MORNING, state=OrderState.TICKETING))) == ["keep"]


def test_another_flight_is_booked_before_the_old_one_is_cancelled() -> None:
    plan = settle(wanted(EVENING), page(order(MORNING)))
    assert [s.kind for s in plan.steps] == [StepKind.BOOK, StepKind.CANCEL]
    assert [c.id for c in plan.choices] == [Choice.REPLACE, Choice.KEEP_BOTH]
    assert plan.net == eur("100.00")
    assert kinds(wanted(EVENING), page(order(MORNING)), Choice.KEEP_BOTH) == ["book", "leave"]


def test_an_unpaid_hold_is_never_a_choice() -> None:
    held = page(order(MORNING, state=OrderState.HELD, refund="0.00"))
    assert settle(wanted(EVENING), held).choices == ()
    assert kinds(wanted(EVENING), held, Choice.KEEP_BOTH) == ["book", "release"]


@pytest.mark.parametrize(
    ("choice", "steps", "net"),
    [
        (None, ["keep"], "0.00"),
        (Choice.KEEP, ["keep"], "0.00"),
        (Choice.BY_HAND, ["keep"], "0.00"),
        (Choice.REBOOK, ["cancel", "book"], "100.00"),
    ],
)
def test_a_seat_is_never_worth_a_ticket_by_default(choice: Choice | None, steps: list[str], net: str) -> None:
    plan = settle(wanted(MORNING, seat="3C"), page(order(MORNING, seat="14A")), choice)
    assert [s.kind.value for s in plan.steps] == steps
    assert plan.net == eur(net)


def test_who_would_sit_on_one_flight_twice_is_cancelled_first() -> None:
    two = page(order(MORNING, people=("tina", "wei")))
    assert kinds(wanted(MORNING, people=("tina",)), two) == ["cancel", "book"]
    feeder = segment("96", "MUC", "FRA")
    assert kinds(wanted(feeder, MORNING), page(order(MORNING))) == ["cancel", "book"]
    assert kinds(wanted(MORNING), page(order(feeder, MORNING))) == ["cancel", "book"]
    assert settle(wanted(MORNING), page(order(feeder, MORNING))).choices == settle(wanted(MORNING), two).choices[:1]


def test_what_was_put_aside_and_what_appeared_late_is_left_alone() -> None:
    others = page(order(MORNING, aside=True), order(NEXT_DAY, state=OrderState.SURPLUS))
    assert kinds(wanted(EVENING), others) == ["book"]
    assert kinds(None, others) == []


def test_one_put_aside_that_holds_a_place_on_the_flight_is_taken_back_or_given_up_first() -> None:
    beside = page(order(MORNING, seat="14A", aside=True), order(EVENING))
    assert kinds(wanted(MORNING, seat="14A"), beside) == ["keep", "cancel"]
    assert kinds(wanted(MORNING, seat="3C"), beside) == ["keep", "leave"]
    assert kinds(wanted(MORNING, seat="3C"), beside, Choice.REBOOK) == ["cancel", "book", "cancel"]
    two = page(order(MORNING, segment("96", "MUC", "FRA"), aside=True), order(EVENING))
    assert kinds(wanted(MORNING), two) == ["cancel", "book", "cancel"]
    assert kinds(wanted(MORNING), two, Choice.KEEP_BOTH) == ["cancel", "book", "leave"]


def test_wanting_nothing_gives_everything_back_or_only_what_is_free() -> None:
    both = page(order(MORNING), order(EVENING, state=OrderState.HELD, refund="0.00"))
    assert kinds(None, both) == ["cancel", "release"]
    assert kinds(None, both, Choice.AS_IS) == ["keep", "release"]


def test_the_same_purchase_has_the_same_id_until_it_is_closed() -> None:
    first, again = settle(wanted(MORNING), page()), settle(wanted(MORNING), page())
    intent = itinerary(MORNING).intent
    after = settle(wanted(MORNING), page(closed=(intent,)))
    assert first.steps[0].operation_id == again.steps[0].operation_id
    assert after.steps[0].operation_id != first.steps[0].operation_id
    assert settle(wanted(MORNING), page(closed=(intent, intent))).steps[0].operation_id != after.steps[0].operation_id


def test_a_failed_cancellation_is_tried_again_under_another_id() -> None:
    there = order(MORNING)
    first, again = settle(None, page(there)), settle(None, page(there, failed=(("cancel", there.create_id),)))
    assert first.steps[0].operation_id != again.steps[0].operation_id


def test_a_digest_names_steps_and_conditions_but_no_amounts() -> None:
    cheap, dear = wanted(EVENING), wanted(EVENING).model_copy(update={"total": eur("900.00")})
    known = page(order(MORNING))
    assert settle(cheap, known).digest == settle(dear, known).digest
    assert settle(cheap, known).digest != settle(cheap, known, Choice.KEEP_BOTH).digest
    assert not settle(dear, known).within(settle(cheap, known))
    assert settle(cheap, known).within(settle(dear, known))
    assert settle(dear, known).within(settle(cheap, known), tolerance=Decimal("0.8"))


def test_an_unknown_refund_makes_the_net_unknown() -> None:
    assert settle(wanted(EVENING), page(order(MORNING, refund=None))).net is None


def test_only_what_costs_nothing_is_free_and_nothing_free_overtakes_a_paid_step() -> None:
    held = order(MORNING, state=OrderState.HELD, refund="0.00")
    assert [s.kind.value for s in settle(None, page(held, order(EVENING))).free()] == ["release"]
    assert [s.kind.value for s in settle(None, page(order(EVENING), held)).free()] == []
    assert [s.kind.value for s in settle(wanted(EVENING, hold=True), page()).free()] == ["hold"]
    assert [s.kind.value for s in settle(wanted(EVENING, hold=True), page()).free(holds_are_free=False)] == []
    seat_change = settle(
        wanted(MORNING, seat="3C", hold=True), page(order(MORNING, seat="14A", state=OrderState.HELD, refund="0.00"))
    )
    assert [s.kind.value for s in seat_change.steps] == ["release", "hold", "pay"]
    assert seat_change.free() == ()
