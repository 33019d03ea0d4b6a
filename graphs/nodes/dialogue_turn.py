"""What the dialogue policy looks at, and what it decides: plain values, no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from assistant.domain.trips import TripFacts, TripStatus
from assistant.domain.understanding import Intent, Slots, Understanding, Unsure
from assistant.wording import Said
from graphs.state import Json

OVER = frozenset({TripStatus.CANCELLED, TripStatus.WITHDRAWN})
BUSY = frozenset({TripStatus.SETTLING, TripStatus.CHECKING, TripStatus.TICKETING})


def in_progress(draft: Slots) -> bool:
    """A search is being put together."""
    return bool(draft.origin or draft.destination or draft.depart or draft.return_)


@dataclass(frozen=True)
class Turn:
    """One message, and all that is known when it is answered. `trips` are oldest first; `draft` has this message's slots."""

    text: str
    heard: Understanding
    draft: Slots
    today: date  # where the traveller is
    trips: tuple[TripFacts, ...] = ()
    wishes: tuple[Any, ...] = ()
    shown: tuple[Json, ...] = ()
    proposal: Json | None = None
    asked: str | None = None
    unsure: tuple[Unsure, ...] = ()
    before: Slots = field(default_factory=Slots)  # the draft without this message
    keeping: tuple[str, ...] = ()  # orders the traveller has said to keep

    def has(self, *intents: Intent) -> bool:
        return any(i in self.heard.intents for i in intents)

    @property
    def fresh(self) -> bool:
        """No search was being put together before this message."""
        return not in_progress(self.before)

    @property
    def open_trips(self) -> tuple[TripFacts, ...]:
        return tuple(t for t in self.trips if t.status not in OVER)

    @property
    def direction(self) -> str | None:
        """The way the message is about, where it names one."""
        named = {r.trip for r in self.heard.references if r.trip in ("outbound", "return")}
        return next(iter(named)) if len(named) == 1 else None

    def trip(self, trip_id: str) -> TripFacts | None:
        return next((t for t in self.trips if t.trip_id == trip_id), None)

    def listed(self) -> TripFacts | None:
        """The trip of the newest list shown, of the way named; one that waits for a pick before others."""
        found = [t for entry in self.shown if (t := self.trip(entry["trip_id"])) and t.fares and self.is_meant(t)]
        alive = [t for t in found if t.status not in OVER]
        return next((t for t in alive if t.question == "choose"), next(iter(alive), None))

    def about(self) -> TripFacts | None:
        """The trip a message is most likely about: one still to be settled before one booked, the list shown last, the newest."""
        meant = [t for t in reversed(self.open_trips) if self.is_meant(t)]
        unsettled = [t for t in meant if t.status is not TripStatus.BOOKED]
        listed = self.listed()
        return listed if listed in unsettled else next(iter(unsettled or meant), None)

    def is_meant(self, trip: TripFacts) -> bool:
        return self.direction is None or trip.request.direction == self.direction


@dataclass(frozen=True)
class Happened:
    """Something happened to a trip. `trip` as it is now; `reason`, `message` and `by` as they were when it happened."""

    status: TripStatus
    trip: TripFacts
    trips: tuple[TripFacts, ...] = ()
    shown: tuple[Json, ...] = ()
    reason: str | None = None
    message: str | None = None
    by: str | None = None
    moved: Json | None = None  # a flight the airline moved: {was, now: Fare, connection, other_way}


@dataclass(frozen=True)
class Option:
    """A button: what it does, and what it says in the traveller's place."""

    label: Said
    says: Said


@dataclass(frozen=True)
class Move:
    """What a part of the policy answers. `keeps` sets keys of the conversation's state; the later move wins."""

    told: tuple[Said, ...] = ()
    proposes: tuple[Json, ...] = ()
    options: tuple[Option, ...] = ()
    keeps: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __bool__(self) -> bool:
        return bool(self.told or self.proposes or self.keeps)

    def __add__(self, other: Move) -> Move:
        return Move(
            told=self.told + other.told,
            proposes=self.proposes + other.proposes,
            options=other.options or self.options,
            keeps={**self.keeps, **other.keeps},
        )
