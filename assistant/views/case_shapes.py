"""What operators read: cases that need a person, what is known of each, and what may be done about it. All in words."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from ..domain.value import Value
from .shapes import OrderView


class CaseKind(StrEnum):
    """In the order in which they are listed."""

    UNSURE = "unsure"  # nobody could find out what became of an effect
    LATE = "late"  # an order of a create that was closed as not booked
    NO_TICKET = "no_ticket"  # paid long ago, and no ticket issued
    TRIP = "trip"  # a trip stopped where people have to go on
    MOVED = "moved"  # the airline changed a flight, its traveller has not answered
    UNWANTED = "unwanted"  # a live booking no trip's main line wants
    LOOKING = "looking"  # being looked up, by itself


NEEDS_PERSON = frozenset({CaseKind.UNSURE, CaseKind.LATE, CaseKind.NO_TICKET, CaseKind.TRIP, CaseKind.MOVED})


class CaseFact(Value):
    text: str
    at: datetime | None = None


class CaseAction(Value):
    """`consequence` says what it does; `needs_order`: the booking's id at the airline has to be given."""

    resolution: Literal["adopt", "not_booked", "cancel"]
    label: str
    consequence: str
    needs_order: bool = False


class CaseView(Value):
    """`case_id` is the operation that a resolution names, or the trip where there is nothing to resolve."""

    case_id: str
    kind: CaseKind
    what: str  # the flight or the route
    who: str
    why: str  # one sentence
    since: datetime
    trip_id: str
    conversation_id: str
    order: OrderView | None = None
    order_state: str | None = None  # in words
    facts: tuple[CaseFact, ...] = ()  # what is known, oldest first
    said: tuple[CaseFact, ...] = ()  # who said what became of it, oldest first
    actions: tuple[CaseAction, ...] = ()
    own: bool = False  # the reader's own trip: somebody else says what became of it

    @property
    def needs_person(self) -> bool:
        return self.kind in NEEDS_PERSON
