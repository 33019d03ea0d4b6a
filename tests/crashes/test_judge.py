"""The judge sees: two sound bookings of a real server, and one thing wrong with them at a time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from assistant.domain.ids import derived
from assistant.invariants import Books
from tests.crashes.judge import Evidence, at_rest, backward, drained, gathered, never, unsettled, untold
from tests.crashes.listed import hidden, unasked
from tests.crashes.lives import Forked
from tests.crashes.returns import Wanderer
from tests.crashes.site import Json, Site


@dataclass
class Case:
    """What was found, to be spoiled, and the time at which it is judged."""

    seen: Evidence
    now: datetime

    @property
    def books(self) -> Books:
        return self.seen.books

    def found(self) -> list[str]:
        return [*never(self.seen), *at_rest(self.seen, now=self.now)]

    def row(self, table: str, **known: object) -> Any:
        """The first row of a table that is like this; to be changed."""
        return next(r for r in getattr(self.books, table) if all(getattr(r, k) == v for k, v in known.items()))

    def drop(self, table: str, row: Any) -> None:
        getattr(self.books, table).remove(row)

    @property
    def live(self) -> Json:
        return next(o for o in self.seen.orders if o["live"])

    def live_row(self) -> Any:
        return self.row("orders", order_id=self.live["id"])


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """One trip held and paid, one bought and cancelled."""

    async def booked() -> Case:
        async with Site(tmp_path_factory.mktemp("judged"), life=Forked()) as site:
            rng = random.Random(11)
            await Wanderer(site, rng).pay()
            await Wanderer(site, rng).cancel()
            await drained(site)
            assert await unsettled(site) == []
            return Case(await gathered(site), site.airline.now() + timedelta(days=2))

    return asyncio.run(booked())


@pytest.fixture
def case(honest: Case) -> Case:
    """A copy whose rows can be changed."""
    tables = {f.name: [SimpleNamespace(**row._mapping) for row in getattr(honest.books, f.name)] for f in fields(Books)}
    orders, journal = [dict(o) for o in honest.seen.orders], [dict(e) for e in honest.seen.journal]
    seen = replace(honest.seen, orders=orders, journal=journal, books=Books(**tables), commands=dict(honest.seen.commands))  # type: ignore[arg-type]
    return Case(seen, honest.now)


def test_what_is_sound_is_found_sound(case: Case) -> None:
    assert case.found() == []


def _ordered_twice(case: Case) -> None:
    case.seen.orders.append({**case.live, "id": "ord_again"})


def _paid_twice(case: Case) -> None:
    case.seen.journal.append(next(e for e in case.seen.journal if e["effect"] == "pay"))


def _never_written_down(case: Case) -> None:
    case.drop("operations", case.row("operations", operation_id=case.live["metadata"]["operation_id"]))


def _closed_and_alive(case: Case) -> None:
    case.row("operations", operation_id=case.live["metadata"]["operation_id"]).state = "failed"


def _without_a_grant(case: Case) -> None:
    case.row("grants", state="consumed").state = "unused"


def _without_an_attempt(case: Case) -> None:
    case.drop("attempts", case.row("attempts", operation_id=case.row("operations", kind="cancel").operation_id))


def _a_command_gone(case: Case) -> None:
    case.drop("commands", case.row("commands", kind="decide"))


def _told_otherwise(case: Case) -> None:
    case.row("commands", kind="decide").status = "cancelled"


def _a_command_open(case: Case) -> None:
    case.row("commands", kind="notify").status = "running"


def _a_command_of_ours_failed(case: Case) -> None:
    case.row("commands", kind="notify").error = {"code": "failed"}


def _a_trip_under_way(case: Case) -> None:
    case.row("trips", status="booked").status = "settling"


def _a_trip_that_asks_nobody(case: Case) -> None:
    case.row("trips", status="booked").status = "choosing"


def _left_to_a_person(case: Case) -> None:
    case.row("operations", kind="pay").state = "needs_person"


def _looked_up_by_nobody(case: Case) -> None:
    case.row("operations", kind="cancel").state = "unknown"


def _two_runs_at_once(case: Case) -> None:
    runs = sorted(
        (r for r in case.books.runs if r.thread_id == case.row("trips", status="booked").trip_id), key=lambda r: r.fence
    )
    runs[1].started_at = runs[0].started_at - timedelta(seconds=1)


def _out_of_order(case: Case) -> None:
    runs = sorted(
        (r for r in case.books.runs if r.thread_id == case.row("trips", status="booked").trip_id), key=lambda r: r.fence
    )
    runs[0].fence, runs[1].fence = runs[1].fence, runs[0].fence


def _a_seat_anybody_could_buy_again(case: Case) -> None:
    case.drop("claims", case.row("claims", create_id=case.live["metadata"]["operation_id"]))


def _alive_but_not_for_us(case: Case) -> None:
    case.live_row().state = "lapsed"


def _alive_only_for_us(case: Case) -> None:
    case.live["live"] = False


def _other_money(case: Case) -> None:
    entry = next(e for e in case.seen.journal if e["effect"] == "pay")
    entry["amount"] = "1.00"


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_ordered_twice, "I1 .* has 2 live orders"),
        (_ordered_twice, "I2 operation .* made 2 orders"),
        (_paid_twice, "I1 pay of .* happened 2 times"),
        (_never_written_down, "I2 live order .* operation that is None"),
        (_closed_and_alive, "I2 live order .* operation that is failed"),
        (_without_a_grant, "I3 .* nobody sent it on a grant"),
        (_without_an_attempt, "I3 cancel of .* nobody sent it"),
        (_a_command_gone, "I8 command .* is gone"),
        (_told_otherwise, "I8 command .* was told succeeded and is cancelled"),
        (_a_command_open, "I8 command .* was lost"),
        (_a_command_of_ours_failed, "I8 command .* failed"),
        (_a_trip_under_way, "I5 trip .* is settling"),
        (_a_trip_that_asks_nobody, "I5 trip .* asks nobody"),
        (_left_to_a_person, "I5 pay .* is needs_person, and the airline has done it"),
        (_looked_up_by_nobody, "I5 cancel .* is unknown, and the airline has done it"),
        (_two_runs_at_once, "I9 thread .* begun before"),
        (_out_of_order, "I9 commands of thread .* out of order"),
        (_a_seat_anybody_could_buy_again, "I1 order .* does not claim"),
        (_alive_but_not_for_us, "I2 live order .* is lapsed in the ledger"),
        (_alive_only_for_us, "I6 order .* over at the airline"),
        (_other_money, "I4 for .* the airline took 1.00"),
    ],
)
def test_what_is_wrong_is_seen(case: Case, spoil: Callable[[Case], None], says: str) -> None:
    spoil(case)
    found = case.found()
    assert any(_fits(says, each) for each in found), found


def _fits(pattern: str, text: str) -> bool:
    first, *others = pattern.split(" .* ")
    return text.startswith(first) and all(part in text for part in others)


def test_what_was_refused_and_stored_all_the_same_is_seen(case: Case) -> None:
    key = case.row("commands", kind="decide").command_id
    assert any("refused and is stored" in each for each in never(replace(case.seen, refused=frozenset({key}))))


def test_a_server_error_is_seen(case: Case) -> None:
    assert list(never(replace(case.seen, troubles=("/trips was answered 500",)))) == ["/trips was answered 500"]


@pytest.mark.parametrize(
    ("table", "known", "change", "says"),
    [
        ("operations", {"kind": "pay"}, {"state": "unknown"}, "I7 operation"),
        ("operations", {"kind": "pay"}, {"state": "failed"}, "I7 operation"),
        ("orders", {"state": "cancelled"}, {"state": "confirmed"}, "I7 order"),
        ("commands", {"kind": "decide"}, {"status": "running"}, "I8 command"),
    ],
)
def test_what_goes_backward_is_seen(honest: Case, case: Case, table: str, known: Json, change: Json, says: str) -> None:
    assert list(backward(honest.books, case.books)) == []
    for name, value in change.items():
        setattr(case.row(table, **known), name, value)
    assert [each.startswith(says) for each in backward(honest.books, case.books)] == [True]


def test_a_live_order_that_no_trip_wants_is_to_be_told_of(case: Case) -> None:
    order = case.live_row()
    case.row("trips", trip_id=order.trip_id).create_ids = []
    assert list(untold(case.seen)) == [f"I6 live order {order.order_id} is outside of its trip, and its traveller is not told"]
    assert list(untold(replace(case.seen, reminded=frozenset({order.order_id})))) == []
    notice = next(c for c in case.books.commands if c.kind == "notify")
    notice.payload = {"status": "left_outside", "order_id": order.order_id}
    assert list(untold(case.seen)) == []
    notice.payload = {"status": "late_order"}
    assert len(list(untold(case.seen))) == 1
    notice.command_id = derived("late_order", order.order_id)
    assert list(untold(case.seen)) == []


def test_a_live_order_that_is_shown_nowhere_or_twice_is_seen(case: Case) -> None:
    order: Json = {"order_id": case.live["id"]}
    trip: Json = {"orders": [order], "other_live_bookings": []}
    assert list(hidden(case.books, [trip])) == []
    assert ["shown 0 times" in each for each in hidden(case.books, [])] == [True]
    assert ["shown 2 times" in each for each in hidden(case.books, [trip | {"other_live_bookings": [order]}])] == [True]


def test_an_operation_that_waits_for_a_person_nobody_sees_is_seen(case: Case) -> None:
    operation = case.row("operations", kind="pay")
    operation.state = "needs_person"
    assert list(unasked(case.books, [{"operation_id": operation.operation_id}])) == []
    assert ["no operator sees it" in each for each in unasked(case.books, [])] == [True]
