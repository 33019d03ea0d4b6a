"""Torture leaves nothing out, and its tables hold all that it counted."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import assistant
from assistant.booking.sandbox.faults import Fault
from tests.crashes.enough import LEAST_FAULTS, LEAST_KILLS, Enough, every_point
from tests.crashes.faults import BY_CALL
from tests.crashes.points import GIVEN, points_of
from tests.crashes.returns import KINDS
from tests.crashes.torture import caught, status
from tests.crashes.totals import Totals

SOURCES = Path(assistant.__file__).parent
A_POINT = re.compile(r'\bpoint\("([a-z_.]+)"')


def named(point: str, families: set[str]) -> str:
    """The name as the product has it, without what it is of and which passing."""
    name = point.partition(":")[0]
    return name if name in families else name.rpartition(".")[0]


def test_every_crash_point_of_the_product_lies_on_some_journey() -> None:
    there = {name for file in SOURCES.rglob("*.py") for name in A_POINT.findall(file.read_text("utf-8"))}
    reached = {named(point, there) for kind in KINDS for point in points_of(kind, random.Random(1))}
    assert reached == there


def test_every_kind_of_operation_dies_at_every_point_of_sending() -> None:
    points = Counter(point for kind in GIVEN for point in points_of(kind, random.Random(1)))
    sent = {point.rpartition(".")[0] for point in points if point.startswith(("send", "outcome", "unknown", "look_up"))}
    assert len(sent) == 9
    assert all(points[f"{point}.{kind}"] for point in sent for kind in ("hold", "book", "pay", "cancel"))


def test_every_fault_of_the_airline_is_planned_somewhere() -> None:
    assert {fault for faults in BY_CALL.values() for fault in faults} == set(Fault)


def test_the_tables_hold_every_kill_and_every_fault() -> None:
    totals = Totals()
    totals.kills.update({"send.received.book": 3, "accept.stored.decide": 5, "checkpoint.put": 7, "at a random moment": 11})
    totals.faults.update({"create: html_502, done": 13, "pay: slow": 17})
    totals.inside.update({"quote: 503": 19})
    totals.cut_off.update({"promote_branch: checkpoint.put.update": 23})
    totals.airlines.update({"with a pay done and not answered": 37})
    page = totals.markdown(60.0, "the command")
    cells = [cell.strip() for line in page.splitlines() for cell in line.split("|")]
    assert all(str(n) in cells for n in (3, 5, 7, 11, 13, 17, 19, 23, 37))
    assert "26 (0 with" in page


def test_the_tables_hold_what_the_state_machine_reached_and_what_it_did_not() -> None:
    totals = Totals(machine_runs=7, unreached_inside=["settle replace", "fault pay:slow"])
    totals.states.update({"trip booked": 29, "operation pay succeeded": 31, "order held": 37, "answer review reject": 41})
    totals.calm_ends.update({"book: booked": 43})
    page, told = totals.markdown(60.0, "the command"), totals.told(60.0)
    assert all(words in page for words in ("booked 29", "pay succeeded 31", "held 37", "review reject 41", "| 43 |"))
    assert "Not reached by the state machine: `settle replace`, `fault pay:slow`" in page
    assert "not reached by the machine: settle replace, fault pay:slow" in told
    assert "Not reached by the state machine: nothing" in Totals(machine_runs=1).markdown(60.0, "the command")


TWICE = (
    "I1 Ada Berg 1960-01-01 has 2 live orders on MU523",
    "I2 operation op_1 made 2 orders",
    "I1 pay of ord_1 happened 2 times",
    "state machine, seed 3: I1 MU523 ada berg 1960-01-01 is on it with ord_1, ord_2",
    "state machine, seed 3: I2 ord_1 op_1 made more than one order",
    "I1 one passenger has orders ord_1, ord_2 on MU523",
    "I2 operation op_1 has several orders",
)


def test_a_duplicate_is_what_is_there_twice_and_nothing_else_that_is_wrong() -> None:
    totals = Totals(wrong=list(TWICE))
    assert totals.duplicates == len(TWICE)
    totals = Totals(
        wrong=["I2 live order ord_1 belongs to an operation that is failed", "I2 live order ord_1 is nowhere in the ledger"]
    )
    totals.broke(["I1 order ord_1 is confirmed and does not claim MU523"])
    assert totals.duplicates == 0


def test_the_naive_desk_fails_the_run_in_which_it_is_not_caught() -> None:
    assert caught(Totals(wrong=["I2 live order ord_1 belongs to an operation that is failed"])) == 1
    assert caught(Totals(wrong=[TWICE[0]])) == 0


def sufficient() -> Totals:
    kills = Counter(dict.fromkeys(every_point(), 1))
    kills["at a random moment"] = LEAST_KILLS - len(kills)
    return Totals(kills=kills, spawned=20, faults=Counter({"create: slow": LEAST_FAULTS}), machine_runs=9)


def test_a_whole_run_fails_where_it_showed_too_little(capsys: pytest.CaptureFixture[str]) -> None:
    whole = Enough.of(minutes=50, whole=True)
    assert whole.warning is None
    assert status(sufficient(), whole) == 0
    assert status(Totals(), whole) == 1
    capsys.readouterr()
    for spoiled, words in (
        ({"kills": sufficient().kills - Counter({"at a random moment": 1})}, f"only {LEAST_KILLS - 1} kills of {LEAST_KILLS}"),
        ({"kills": sufficient().kills - Counter(["plan.stored"]) + Counter(["elsewhere"])}, "never tried: plan.stored"),
        (
            {"faults": Counter({"create: slow": LEAST_FAULTS - 1})},
            f"only {LEAST_FAULTS - 1} faults of {LEAST_FAULTS} at the airline of real servers",
        ),
        ({"unreached": Counter(["plan.nowhere"])}, "not reached: plan.nowhere"),
        ({"unreached_inside": ["trip withdrawn"]}, "not reached by the state machine: trip withdrawn"),
        ({"calm_ends": Counter({"pay: needs_person": 5})}, "of 5 pay journeys none ended booked"),
        ({"ends": Counter({"cancel: booked": 7, "cancel: choosing": 5})}, "of 12 cancel journeys none ended cancelled"),
        ({"spawned": 0}, "no server with an interpreter of its own was killed"),
    ):
        assert status(replace(sufficient(), **spoiled), whole) == 1
        assert capsys.readouterr().out == f"NOT ENOUGH: {words}\n"


def test_a_shorter_run_is_held_to_what_its_caller_names_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    shorter = Enough.of(minutes=49, whole=True)
    assert status(Totals(), shorter) == 0
    assert "not a whole run of 50 minutes" in capsys.readouterr().out
    assert status(Totals(unreached=Counter(["plan.stored"])), shorter) == 1
    assert status(Totals(ends=Counter({"pay: waiting_review": 12})), shorter) == 1
    assert status(Totals(ends=Counter({"pay: waiting_review": 12, "pay: booked": 1})), shorter) == 0
    assert status(Totals(wrong=["I5 something"]), shorter) == 1
    named = Enough.of(minutes=50, whole=False, kills=3, faults=4)
    assert named.warning
    assert list(named.lacking(Totals())) == ["only 0 kills of 3", "only 0 faults of 4 at the airline of real servers"]
