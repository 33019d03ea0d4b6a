"""What a timeline shows: versions, branches, what one version says, and what going back to it would mean."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ..domain.value import Value
from .shapes import OrderView, PlanView


class VersionRow(Value):
    """One numbered step of a thread. `kind` is said | understood | looked_up | asked | touched | told | forked."""

    version: int
    parent: int | None
    branch_id: str
    main: bool  # on the main line
    step: str
    kind: str
    kind_text: str
    title: str
    actor: str | None
    at: datetime
    command_id: str
    pruned: bool = False


class Remark(Value):
    """What a reviewer noted."""

    text: str
    by: str
    at: datetime


class BranchRow(Value):
    """A line of versions; `head` is its last one. `note` is why it was opened, in words, `remark` what was noted since."""

    branch_id: str
    forked_from: int | None
    head: int | None
    status: Literal["main", "abandoned"]
    reason: str | None
    note: str | None
    actor: str | None
    at: datetime
    remark: Remark | None = None


class RelatedThread(Value):
    """The conversation of a trip, its other trips, and itself."""

    thread_id: str
    kind: Literal["conversation", "trip"]
    title: str


class VersionsPage(Value):
    """Newest first. `before` asks for the next page; None: there is none. `newest` is what a rewind names as seen.

    `running`: a command is open; `going_back`: it is a way back, which can be stopped.
    """

    thread_id: str
    kind: Literal["conversation", "trip"]
    title: str
    traveller: str
    running: bool
    going_back: bool = False
    newest: int
    head: int | None
    versions: tuple[VersionRow, ...]
    branches: tuple[BranchRow, ...]
    related: tuple[RelatedThread, ...] = ()
    before: int | None = None


class Fact(Value):
    """One domain field as of a version: `field` is stable, `label` and `text` are words."""

    field: str
    label: str
    text: str


class Difference(Value):
    """A domain field that is not the same on both sides; None: nothing there."""

    field: str
    label: str
    a: str | None
    b: str | None


class VersionView(Value):
    """`fields` are the facts as data; `differences` compare this version (a) with the head (b)."""

    thread_id: str
    version: VersionRow
    head: int | None
    facts: tuple[Fact, ...]
    fields: dict[str, Any]
    differences: tuple[Difference, ...]
    correctable: dict[str, Any] | None  # JSON Schema of the patch
    enters_as: str | None  # the node a correction enters as
    raw: dict[str, Any] | None = None  # values, next, metadata


class Comparison(Value):
    a: VersionRow
    b: VersionRow
    differences: tuple[Difference, ...]


class WithdrawnTrip(Value):
    """A trip that turns now left behind had started or changed."""

    trip_id: str
    title: str
    status_text: str


class WayBack(Value):
    """What going back would mean; nothing has changed. `why` is the code of what stands in the way, `why_text` its words."""

    leaves: tuple[VersionRow, ...]
    withdraws: tuple[WithdrawnTrip, ...]
    orders: tuple[OrderView, ...]  # real, whatever is rewound
    plan: PlanView | None  # None: not known before the traveller chooses
    agree: bool  # the traveller is asked first
    review: bool  # a reviewer is asked
    another: bool = False  # and not the one who goes back
    affected: tuple[str, ...]  # people, by name
    allowed: bool
    why: str | None
    why_text: str | None
    departs: datetime | None = None
    confirm_needed: bool = False
