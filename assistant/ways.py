"""Ways back as values: where to enter a thread, and what it would mean."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from .domain.ids import derived
from .domain.plans import Plan
from .domain.trips import Selection
from .driving import Entry


@dataclass(frozen=True)
class Way:
    """Where to enter, what is wanted then (None: not known before the traveller chooses), and documents to keep first."""

    entry: Entry
    selection: Selection | None = None
    chooses: bool = False  # enters as `choose`: a plan can be shown
    document: Any = None


@dataclass(frozen=True)
class Preview:
    """What going back would mean; it changes nothing and asks nobody."""

    leaves: tuple[Row[Any], ...]
    withdraws: tuple[Row[Any], ...]  # trips whose start or choice is taken back
    plan: Plan | None
    agree: bool  # the traveller is asked first
    allowed: bool
    why: str | None
    review: bool = False  # a reviewer is asked
    another: bool = False  # and it has to be another one than who goes back
    departs: datetime | None = None  # the earliest live order, aware
    confirm: bool = False  # so near departure that an explicit yes is needed


@dataclass(frozen=True)
class Raw:
    """One checkpoint as the graph has it."""

    values: dict[str, Any]
    next: tuple[str, ...]
    metadata: dict[str, Any]


def branch_of(command_id: str) -> str:
    return derived("branch", command_id)
