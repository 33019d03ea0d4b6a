"""A stage with a timeline: a trip that was gone back on once, and what its steps say. All of it is invented."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any

from assistant.domain.errors import Gone, NotFound
from assistant.domain.money import Money
from assistant.domain.people import Actor
from assistant.domain.plans import Choice, StepKind
from assistant.rewind import corrections_of
from assistant.views.shapes import ChoiceView, OfferView, PlanView, Reader, SeatMapView, StepView
from assistant.views.thread_shapes import (
    BranchRow,
    Comparison,
    Difference,
    Fact,
    RelatedThread,
    VersionRow,
    VersionsPage,
    VersionView,
    WayBack,
)
from tests.ui.scenery import NOW
from tests.ui.stage import Stage

STEPS = (
    ("start", "said", "Asked for: Shanghai to Tokyo", "c1", "old"),
    ("shortlist", "looked_up", "Options listed", "c1", "old"),
    ("choose", "asked", "Choice: MU523, seat 14A", "c2", "old"),
    ("plan", "understood", "Changes listed", "c2", "old"),
    ("review", "asked", "Approval: approved by Rita", "c3", "old"),
    ("settle", "touched", "Paid", "c3", "old"),
    ("conclude", "told", "Ended: booked", "c3", "old"),
    ("choose", "forked", "Choice: MU523, seat 3C", "c4", "new"),
    ("plan", "understood", "Changes listed", "c4", "new"),
)
FORK = 2


def version(number: int) -> VersionRow:
    step, kind, title, command, branch = STEPS[number - 1]
    parent = FORK if number == 8 else number - 1 or None
    return VersionRow(
        version=number,
        parent=parent,
        branch_id=branch,
        main=branch == "new" or number <= FORK,
        step=step,
        kind=kind,
        kind_text=kind,
        title=title,
        actor="Rita" if command in {"c3", "c4"} else "Tina",
        at=NOW - timedelta(minutes=60 - number),
        command_id=command,
    )


def page(*, running: bool = False, note: str = "not the window after all") -> VersionsPage:
    branch = {"reason": None, "note": None, "actor": "Tina", "at": NOW}
    old = BranchRow(branch_id="old", forked_from=None, head=7, status="abandoned", **branch)
    new = BranchRow(branch_id="new", forked_from=FORK, head=9, status="main", **branch | {"note": note, "actor": "Rita"})
    trip = RelatedThread(thread_id="t1", kind="trip", title="Shanghai to Tokyo")
    return VersionsPage(
        thread_id="t1",
        kind="trip",
        title="Shanghai to Tokyo",
        traveller="Tina",
        running=running,
        newest=9,
        head=9,
        versions=tuple(version(n) for n in range(9, 0, -1)),
        branches=(new, old),
        related=(RelatedThread(thread_id="c1", kind="conversation", title="Tokyo"), trip),
    )


def view(number: int) -> VersionView:
    row = version(number)
    schema, enters_as = corrections_of("trip", row.step)
    seats = Difference(field="seat", label="Seat", a="14A", b="3C")
    return VersionView(
        thread_id="t1",
        version=row,
        head=9,
        facts=(Fact(field="seat", label="Seat", text="14A"),),
        fields={"request": {"origin": "SHA", "destination": "TYO", "depart_on": "2027-03-12", "adults": 2, "ages": []}},
        differences=() if number == 9 else (seats,),
        correctable=schema,
        enters_as=enters_as,
    )


def cny(amount: str) -> Money:
    return Money(amount=Decimal(amount), currency="CNY")


def way(*, settle: str | None = None, confirm: bool = False, why: str | None = None) -> WayBack:
    rebooks = settle == "rebook"
    kept = StepView(kind=StepKind.KEEP, operation_id="k", text="Keep MU523, seat 14A", amount=None)
    bought = StepView(kind=StepKind.BOOK, operation_id="b", text="Buy MU523, seat 3C", amount=cny("900"))
    choices = (
        ChoiceView(id=Choice.KEEP, net=cny("0"), text="Keep the booking"),
        ChoiceView(id=Choice.REBOOK, net=cny("900"), text="Cancel and book again"),
    )
    plan = PlanView(
        digest="d",
        steps=(bought,) if rebooks else (kept,),
        choices=choices,
        chosen=Choice.REBOOK if rebooks else Choice.KEEP,
        net=cny("900" if rebooks else "0"),
    )
    return WayBack(
        leaves=(version(8), version(9)),
        withdraws=(),
        orders=(),
        plan=plan,
        agree=rebooks,
        review=rebooks,
        affected=("Tina", "Wei Chen"),
        allowed=why is None,
        why=why,
        why_text="The flight has left." if why else None,
        departs=NOW + timedelta(hours=5) if confirm else None,
        confirm_needed=confirm,
    )


@dataclass
class Threads:
    """What the timeline is told; `asked` keeps what previews were asked for."""

    running: bool = False
    confirm: bool = False
    why: str | None = None
    note: str = "not the window after all"
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    stage: Stage | None = None

    async def page(self, reader: Reader, thread_id: str, *, before: int | None = None) -> VersionsPage:
        if thread_id != "t1":
            raise NotFound("not_found", what="thread")
        return page(running=self.running, note=self.note)

    async def version(self, reader: Reader, thread_id: str, number: int) -> VersionView:
        if number == 4:
            raise Gone("gone", version=4)
        return view(number)

    async def raw(self, actor: Actor, thread_id: str, number: int) -> dict[str, Any]:
        return {"values": {"stopped": "<b>no</b>"}, "next": ["refresh"], "metadata": {"source": "loop"}}

    async def compare(self, reader: Reader, thread_id: str, *, a: str, b: str) -> Comparison:
        fare = Difference(field="fare", label="Fare", a="economy", b="business")
        return Comparison(a=version(int(a)), b=version(int(b)), differences=(fare,))

    async def options_then(self, reader: Reader, trip_id: str, number: int) -> Sequence[OfferView]:
        assert self.stage is not None
        return (await self.stage.trip(reader, trip_id)).offers

    async def seat_maps_then(self, reader: Reader, trip_id: str, number: int, n: int) -> Sequence[SeatMapView]:
        assert self.stage is not None
        return await self.stage.seat_maps(reader, trip_id, n)

    async def rewind_preview(
        self, actor: Actor, reader: Reader, thread_id: str, *, to: int, corrections: dict[str, Any], settle: str | None
    ) -> WayBack:
        self.asked.append({"to": to, "corrections": corrections, "settle": settle})
        return way(settle=settle, confirm=self.confirm, why=self.why)

    async def promote_preview(
        self, actor: Actor, reader: Reader, thread_id: str, *, branch_id: str, settle: str | None
    ) -> WayBack:
        self.asked.append({"branch_id": branch_id, "settle": settle})
        return way(settle=settle)


@dataclass
class TimelineStage(Stage):
    threads: Threads = field(default_factory=Threads)

    def __post_init__(self) -> None:
        self.threads.stage = self
