"""Torture leaves nothing out, and its tables hold all that it counted."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import assistant
from assistant.booking.sandbox.faults import Fault
from tests.crashes.faults import BY_CALL
from tests.crashes.points import GIVEN, points_of
from tests.crashes.returns import KINDS
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
    page = totals.markdown(60.0, "the command")
    cells = [cell.strip() for line in page.splitlines() for cell in line.split("|")]
    assert all(str(n) in cells for n in (3, 5, 7, 11, 13, 17, 19))
    assert "26 (0 with" in page
