"""Whatever the ledger holds and whatever is wanted: what every plan must keep true."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.plans import CREATES, DROPS, EFFECTS, Choice, Itinerary, Order, OrderState, Plan, StepKind, Wanted
from assistant.domain.settlement import LedgerPage, settle
from tests.domain.test_settlement import EVENING, MORNING, NEXT_DAY, order, page, segment, wanted

FLIGHTS = (MORNING, EVENING, NEXT_DAY, segment("96", "MUC", "FRA"))
people = st.sampled_from((("tina",), ("wei",), ("tina", "wei")))
seats = st.sampled_from((None, "14A", "3C"))
flights = st.lists(st.sampled_from(FLIGHTS), min_size=1, max_size=2, unique_by=lambda s: s.key).map(tuple)
states = st.sampled_from((OrderState.HELD, OrderState.TICKETING, OrderState.CONFIRMED, OrderState.SURPLUS, OrderState.RELEASING))
refunds = st.sampled_from((None, "0.00", "400.00"))
choices = st.sampled_from((None, *Choice))


@st.composite
def order_strategy(draw: st.DrawFn) -> Order:
    return order(
        *draw(flights), people=draw(people), seat=draw(seats), state=draw(states), refund=draw(refunds), aside=draw(st.booleans())
    )


@st.composite
def pages(draw: st.DrawFn) -> LedgerPage:
    """What can be there: no passenger twice on one flight, which the claims see to."""
    kept: list[Order] = []
    for each in draw(st.lists(order_strategy(), max_size=4)):
        if not any(each.itinerary.overlaps(other.itinerary) for other in kept):
            kept.append(each)
    return page(*kept)


@st.composite
def wishes(draw: st.DrawFn) -> Wanted | None:
    if draw(st.integers(0, 4)) == 0:
        return None
    return wanted(*draw(flights), people=draw(people), seat=draw(seats), hold=draw(st.booleans()))


def after(ledger: LedgerPage, plan: Plan) -> list[Itinerary]:
    """What is live at the airline once every step is done, in order; a passenger twice on a flight on the way is an error."""
    live = {o.create_id: o.itinerary for o in ledger.orders}
    for step in plan.steps:
        if step.kind in DROPS:
            live.pop(step.create_id)
        if step.kind in CREATES:
            clash = [i for i in live.values() if i.overlaps(step.itinerary)]
            late = {o.itinerary.intent for o in ledger.orders if o.state is OrderState.SURPLUS}
            assert all(i.intent in late for i in clash)  # an operator's: the claims refuse those
            live[step.create_id] = step.itinerary
    return list(live.values())


@given(pages(), wishes(), choices)
def test_nobody_sits_on_one_flight_twice_at_any_moment(ledger: LedgerPage, wish: Wanted | None, choice: Choice | None) -> None:
    after(ledger, settle(wish, ledger, choice))


@given(pages(), wishes(), choices)
def test_a_plan_touches_each_order_once_and_one_put_aside_only_where_it_holds_what_is_wanted(
    ledger: LedgerPage, wish: Wanted | None, choice: Choice | None
) -> None:
    plan = settle(wish, ledger, choice)
    touched = [s.operation_id for s in plan.steps if s.kind in EFFECTS]
    assert len(touched) == len(set(touched))
    free_of_it = {
        o.create_id
        for o in ledger.orders
        if o.state is OrderState.SURPLUS or (o.aside and not (wish and o.itinerary.overlaps(wish.itinerary)))
    }
    assert not any(s.create_id in free_of_it for s in plan.steps)


@given(pages(), wishes(), choices)
def test_the_same_question_has_the_same_plan(ledger: LedgerPage, wish: Wanted | None, choice: Choice | None) -> None:
    plan, again = settle(wish, ledger, choice), settle(wish, ledger, choice)
    assert plan == again
    assert plan.digest == again.digest
    assert plan.within(again)


@given(pages(), wishes())
def test_what_is_booked_as_wanted_is_never_bought_again(ledger: LedgerPage, wish: Wanted | None) -> None:
    plan = settle(wish, ledger)
    same = wish and ledger.order_for(wish.itinerary)
    if same is not None:
        assert not any(s.kind in CREATES for s in plan.steps)


@given(pages(), wishes())
def test_by_default_no_ticket_that_was_set_aside_is_given_up_for_its_own_flight(ledger: LedgerPage, wish: Wanted | None) -> None:
    aside = {o.create_id: o.itinerary for o in ledger.orders if o.aside and o.paid}
    taken_back = {s.create_id for s in settle(wish, ledger).steps if s.kind is StepKind.KEEP}
    for create_id, itinerary in aside.items():
        if wish is not None and (itinerary.intent == wish.itinerary.intent or itinerary.differs_in_seat_only(wish.itinerary)):
            assert create_id in taken_back


@given(pages(), wishes())
def test_by_default_a_ticket_is_given_up_only_for_another_flight_or_for_nothing(ledger: LedgerPage, wish: Wanted | None) -> None:
    plan = settle(wish, ledger)
    for step in (s for s in plan.steps if s.kind is StepKind.CANCEL and wish is not None):
        assert not step.itinerary.differs_in_seat_only(wish.itinerary)


@given(pages(), wishes(), choices)
def test_every_choice_offered_can_be_taken(ledger: LedgerPage, wish: Wanted | None, choice: Choice | None) -> None:
    plan = settle(wish, ledger, choice)
    for offered in plan.choices:
        taken = settle(wish, ledger, offered.id)
        assert taken.chosen is offered.id
        assert taken.net == offered.net


@given(pages(), wishes(), choices)
def test_free_steps_are_a_beginning_of_the_plan_and_cost_nothing(
    ledger: LedgerPage, wish: Wanted | None, choice: Choice | None
) -> None:
    plan = settle(wish, ledger, choice)
    free = plan.free()
    assert plan.steps[: len(free)] == free
    assert all(s.kind in {StepKind.KEEP, StepKind.HOLD, StepKind.RELEASE} for s in free)
    assert plan.asked() == plan.steps[len(free) :]
