"""Operators' cases on either database: which there are, in which order, and what reading them costs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import event

from assistant.domain.errors import Forbidden
from assistant.persistence.tables import operations
from assistant.views.case_rows import LISTED
from assistant.views.cases import cases, needing_a_person

from .conftest import NOW, World
from .test_views import order, reader, started

LATER = NOW + timedelta(days=9)  # by then every ticket is overdue


async def operation(world: World, trip_id: str, operation_id: str, *, state: str, minutes: int = 0) -> None:
    at = NOW + timedelta(minutes=minutes)
    row = {"operation_id": operation_id, "trip_id": trip_id, "create_id": operation_id, "state": state, "updated_at": at}
    await world.put(operations, row | {"tenant_id": "demo", "mode": "sandbox", "kind": "book", "itinerary": {}, "created_at": at})


@contextmanager
def counted(world: World) -> Iterator[list[str]]:
    """The statements that are sent meanwhile."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    event.listen(world.database.engine.sync_engine, "before_cursor_execute", note)
    yield sent
    event.remove(world.database.engine.sync_engine, "before_cursor_execute", note)


async def test_each_kind_of_case_is_found_once_the_most_pressing_first(any_world: World) -> None:
    stopped = await started(any_world, "tina", status="needs_person")
    moved = await started(any_world, "tina", status="choosing", reason="moved")
    doubtful = await started(any_world, "tom", status="needs_person", create_ids=["asked", "kept", "unticketed"])
    await operation(any_world, doubtful, "looked", state="unknown")
    await operation(any_world, doubtful, "asked", state="needs_person", minutes=2)
    await operation(any_world, doubtful, "asked first", state="needs_person", minutes=1)
    for create_id, state, aside in (
        ("asked", "surplus", False),  # the operation is the more pressing case
        ("late", "surplus", False),
        ("unticketed", "ticketing", False),
        ("kept", "confirmed", False),
        ("aside", "confirmed", True),
        ("kep", "held", False),
        ("gone", "cancelled", False),
    ):
        await order(any_world, doubtful, create_id=create_id, state=state, aside=aside)
    rita = await reader(any_world, "rita", reviewer=True)
    found = await any_world.database.read(lambda tx: cases(tx, rita, now=LATER))
    assert [(c.kind.value, c.case_id) for c in found] == [
        ("unsure", "asked first"),
        ("unsure", "asked"),
        ("late", "late"),
        ("no_ticket", "unticketed"),
        ("trip", stopped),
        ("moved", moved),
        ("unwanted", "aside"),
        ("unwanted", "kep"),
        ("looking", "looked"),
    ]
    assert await any_world.database.read(lambda tx: needing_a_person(tx, rita, now=LATER)) == 6
    (one,) = await any_world.database.read(lambda tx: cases(tx, rita, now=LATER, only="late"))
    assert one == found[2]


async def test_another_tenants_reviewer_finds_none_and_a_traveller_may_not_ask(any_world: World) -> None:
    await started(any_world, "tina", status="needs_person")
    oscar, tina = await reader(any_world, "oscar", reviewer=True), await reader(any_world, "tina")
    assert await any_world.database.read(lambda tx: cases(tx, oscar, now=NOW)) == ()
    assert await any_world.database.read(lambda tx: needing_a_person(tx, oscar, now=NOW)) == 0
    for refused in (cases, needing_a_person):
        with pytest.raises(Forbidden):
            await any_world.database.read(lambda tx, refused=refused: refused(tx, tina, now=NOW))


async def test_many_cases_cost_as_many_questions_as_one_and_the_oldest_are_listed(any_world: World) -> None:
    rita, trip_id = await reader(any_world, "rita", reviewer=True), await started(any_world, "tina")
    await operation(any_world, trip_id, "n000", state="needs_person")
    with counted(any_world) as of_one:
        await any_world.database.read(lambda tx: cases(tx, rita, now=NOW))
    for n in reversed(range(1, LISTED + 3)):
        await operation(any_world, trip_id, f"n{n:03}", state="needs_person", minutes=n)
    with counted(any_world) as of_many:
        found = await any_world.database.read(lambda tx: cases(tx, rita, now=NOW))
    assert [c.case_id for c in found] == [f"n{n:03}" for n in range(LISTED)]
    assert len(of_many) == len(of_one)
    with counted(any_world) as of_a_count:
        assert await any_world.database.read(lambda tx: needing_a_person(tx, rita, now=NOW)) == LISTED + 3
    assert len([s for s in of_a_count if s.startswith("SELECT")]) == 1
