"""The judge of the state machine sees: three sound bookings and a late one, and one thing wrong with them at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assistant.invariants import Books
from assistant.ledger import LONGEST_BACKOFF
from tests.properties.machine_acts import look, truth_of
from tests.properties.machine_life import Life, template
from tests.properties.machine_truth import LOOKED_FOR, Truth, moved_back, states, wrong
from tests.stories.test_decisions import submitted
from tests.stories.test_unknown_outcomes import surplus
from tests.stories.ways_back import ticketed
from tests.stories.world import Json, opened


@dataclass
class Case:
    """What was found, to be spoiled, and the time at which it is judged."""

    books: Books
    truth: Truth
    now: datetime

    def found(self) -> list[str]:
        return wrong(self.books, self.truth, now=self.now)

    def rows(self, table: str, **known: object) -> list[Any]:
        return [r for r in getattr(self.books, table) if all(getattr(r, k) == v for k, v in known.items())]

    def row(self, table: str, **known: object) -> Any:
        """The first row of a table that is like this; to be changed."""
        return self.rows(table, **known)[0]

    def drop(self, table: str, row: Any) -> None:
        getattr(self.books, table).remove(row)

    @property
    def late(self) -> Any:
        """The order that came after its create was closed."""
        return self.row("orders", state="surplus")

    @property
    def paid(self) -> Any:
        return self.row("orders", state="confirmed")

    def at_airline(self, order_id: str) -> Json:
        return next(o for o in self.truth.orders if o["id"] == order_id)


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """One trip held and paid, one cancelled, one whose order came an hour after it was closed as not booked."""

    async def booked() -> Case:
        async with opened(tmp_path_factory.mktemp("judged") / "data") as world:
            tina, tom, rita = await world.person("tina"), await world.person("tom"), await world.person("rita")
            olga, oscar = await world.person("olga"), await world.person("oscar")
            _, held, _ = await submitted(tom, can_hold=True)
            await ticketed(tom, rita, held)
            _, gone, _ = await submitted(olga, can_hold=True)
            await ticketed(olga, oscar, gone)
            await olga.does(f"/trips/{gone['trip_id']}/cancellation")
            await oscar.decides((await olga.trip(gone["trip_id"]))["review_id"], "approve")
            await surplus(world, tina, rita)
            await world.quiet()
            sight = await world.whole.database.read(look)
            now = world.whole.clock()
            return Case(sight.books, truth_of(world, sight, calm_since=now - timedelta(days=1)), now)

    return asyncio.run(booked())


@pytest.fixture
def case(honest: Case) -> Case:
    """A copy whose rows can be changed."""
    tables: Any = {f.name: [SimpleNamespace(**row._mapping) for row in getattr(honest.books, f.name)] for f in fields(Books)}
    journal, orders = [dict(e) for e in honest.truth.journal], [dict(o) for o in honest.truth.orders]
    truth = replace(honest.truth, journal=journal, orders=orders, visible=dict(honest.truth.visible))
    return Case(Books(**tables), truth, honest.now)


def test_what_is_sound_is_found_sound(case: Case) -> None:
    assert case.found() == []
    assert {e["effect"] for e in case.truth.journal} == {"hold", "pay", "book", "cancel"}


def _on_a_flight_twice(case: Case) -> None:
    case.truth.orders.append({**case.at_airline(case.paid.order_id), "id": "ord_again"})
    case.truth.visible["ord_again"] = case.now


def _nobodys(case: Case) -> None:
    case.at_airline(case.paid.order_id)["metadata"] = {"operation_id": "op_of_nobody"}


def _made_and_unknown(case: Case) -> None:
    case.drop("orders", case.paid)


def _made_of_what_was_only_planned(case: Case) -> None:
    case.row("operations", operation_id=case.paid.create_id).state = "planned"


def _never_listed(case: Case) -> None:
    case.drop("orders", case.late)


def _closed_by_the_airline_and_never_listed(case: Case) -> None:
    case.row("operations", operation_id=case.late.create_id).resolved_by = None
    case.truth.visible[case.late.order_id] = case.now
    case.drop("orders", case.late)


def _bought_again_though_it_could_be_known(case: Case) -> None:
    again = SimpleNamespace(**vars(case.late) | {"order_id": "ord_again", "create_id": "op_again", "state": "confirmed"})
    operation = case.row("operations", operation_id=case.late.create_id)
    case.books.operations.append(
        SimpleNamespace(**vars(operation) | {"operation_id": "op_again", "create_id": "op_again", "state": "succeeded"})  # type: ignore[arg-type]
    )
    attempt = case.row("attempts", operation_id=case.late.create_id)
    sent = case.truth.seen_by(case.late.order_id) + timedelta(seconds=1)
    case.books.attempts.append(SimpleNamespace(**vars(attempt) | {"operation_id": "op_again", "started_at": sent}))  # type: ignore[arg-type]
    case.late.created_at = sent + timedelta(days=1)
    case.books.orders.append(again)  # type: ignore[arg-type]
    theirs = case.at_airline(case.late.order_id)
    case.truth.orders.append({**theirs, "id": "ord_again", "metadata": {"operation_id": "op_again"}})
    case.truth.visible["ord_again"] = sent


def _only_ours(case: Case) -> None:
    order_id = case.paid.order_id
    case.truth.orders.remove(case.at_airline(order_id))


def _over_and_standing(case: Case) -> None:
    case.truth.orders.remove(case.at_airline(case.paid.order_id))
    case.truth.journal.append({"effect": "lapse", "order_id": case.paid.order_id, "operation_id": case.paid.create_id})


def _sent_by_nobody(case: Case) -> None:
    case.drop("attempts", case.row("attempts", operation_id=case.row("operations", kind="cancel").operation_id))


def _cancelled_twice(case: Case) -> None:
    case.truth.journal.append(next(e for e in case.truth.journal if e["effect"] == "cancel"))


def _paid_otherwise(case: Case) -> None:
    next(e for e in case.truth.journal if e["effect"] == "pay")["amount"] = "1.00"


def _refunded_otherwise(case: Case) -> None:
    next(e for e in case.truth.journal if e["effect"] == "cancel")["amount"] = "1.00"


def _sent_without_a_grant(case: Case) -> None:
    case.row("grants", state="consumed").state = "unused"


def _under_way_for_ever(case: Case) -> None:
    case.row("trips", status="booked").status = "settling"


def _sending_for_ever(case: Case) -> None:
    case.row("operations", kind="pay").state = "submitting"


def _looked_up_by_nobody(case: Case) -> None:
    case.row("operations", kind="pay").state = "unknown"


def _done_and_failed(case: Case) -> None:
    case.row("operations", kind="pay").state = "failed"


def _claimed_by_what_is_over(case: Case) -> None:
    case.row("claims", create_id=case.paid.create_id).create_id = case.row("orders", state="cancelled").create_id


def _out_of_order(case: Case) -> None:
    first, second = sorted(case.rows("runs", thread_id=case.paid.trip_id), key=lambda run: run.fence)[:2]
    first.fence, second.fence = second.fence, first.fence


def _a_fault_of_ours(case: Case) -> None:
    case.row("commands", kind="notify").error = {"code": "failed"}


def _never_ended(case: Case) -> None:
    case.row("commands", kind="notify").status = "running"


def _booked_without_an_order(case: Case) -> None:
    case.row("trips", trip_id=case.paid.trip_id).trip_id = "trip_without"


def _anothers(case: Case) -> None:
    case.paid.tenant_id = "somebody-elses"


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_on_a_flight_twice, "I1 .* is on it with"),
        (_on_a_flight_twice, "I2 ord_again .* made more than one order"),
        (_bought_again_though_it_could_be_known, "I1 .* is on it with"),
        (_nobodys, "I2 .* no operation of ours made it"),
        (_made_and_unknown, "I2 .* the ledger does not know the order"),
        (_made_of_what_was_only_planned, "I2 .* its operation is planned"),
        (_never_listed, "I2 .* its operation is failed and it is not listed as surplus"),
        (_closed_by_the_airline_and_never_listed, "I2 .* its operation is failed and it is not listed as surplus"),
        (_only_ours, "I2 .* the airline never had"),
        (_over_and_standing, "I2 .* the ledger says it stands"),
        (_sent_by_nobody, "I3 .* a cancel happened that no attempt sent"),
        (_cancelled_twice, "I3 .* its cancel happened 2 times"),
        (_sent_without_a_grant, "I3 .* was sent without a grant"),
        (_paid_otherwise, "I4 .* the airline moved 1.00"),
        (_refunded_otherwise, "I4 .* the airline moved 1.00"),
        (_under_way_for_ever, "I5 .* is settling and nothing moves it"),
        (_sending_for_ever, "I5 .* is being sent by nobody"),
        (_looked_up_by_nobody, "I5 .* is unknown and nobody looks"),
        (_booked_without_an_order, "I6 .* reads booked and has no order"),
        (_done_and_failed, "I7 .* is failed after"),
        (_claimed_by_what_is_over, "I7 .* which is over"),
        (_out_of_order, "I9 commands of thread .* ran out of order"),
        (_a_fault_of_ours, "I8 .* failed"),
        (_never_ended, "I8 .* has not ended"),
        (_anothers, "I10 .* of another tenant"),
    ],
)
def test_what_is_wrong_is_seen(case: Case, spoil: Callable[[Case], None], says: str) -> None:
    spoil(case)
    found = case.found()
    first, *others = says.split(" .* ")
    assert any(each.startswith(first) and all(part in each for part in others) for each in found), found


def test_a_late_order_is_forgiven_only_until_a_look_up_has_shown_it(case: Case) -> None:
    late = case.late
    case.drop("orders", late)
    create = case.row("operations", operation_id=late.create_id)
    truth, found = case.truth, list[bool]()
    for shown, calm in (
        (case.now - LONGEST_BACKOFF, truth.calm_since),  # for just as long as the longest pause
        (case.now - LONGEST_BACKOFF + timedelta(seconds=1), truth.calm_since),
        (case.now + timedelta(days=1), truth.calm_since),
        (create.updated_at, case.now - timedelta(minutes=1)),  # look-ups were spoiled until a minute ago
        (create.updated_at + LOOKED_FOR, truth.calm_since),  # nobody looks any more
    ):
        case.truth = replace(truth, visible={**truth.visible, late.order_id: shown}, calm_since=calm)
        found.append(any(late.order_id in each for each in case.found()))
    assert found == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("before", "after"),
    [("unknown", "submitting"), ("needs_person", "unknown"), ("succeeded", "failed"), ("failed", "succeeded"), ("planned", None)],
)
def test_what_goes_backward_or_away_is_seen(before: str, after: str | None) -> None:
    assert [each[:6] for each in moved_back({"op": before}, {"op": after} if after else {})] == ["I7 op "]
    assert moved_back({"op": before}, {"op": before}) == []


def test_the_states_it_compares_are_those_of_every_operation(case: Case) -> None:
    assert set(states(case.books)) == {row.operation_id for row in case.books.operations}


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    (tmp_path / "home").mkdir()
    alive = Life(template(tmp_path / "home" / "data"))
    yield alive
    if not alive.loop.is_closed():
        alive.troubles.clear()
        alive.end()


def test_what_goes_wrong_where_nobody_waits_for_it_is_noticed(life: Life) -> None:
    async def breaks() -> None:
        asyncio.get_running_loop().call_soon(lambda: 1 / 0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    life.run(breaks())
    assert ["ZeroDivisionError" in each for each in life.troubles] == [True]
    with pytest.raises(AssertionError, match="in the background"):
        life.end()
