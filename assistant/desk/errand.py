"""What the desk is asked for, and what its parts hand each other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, timedelta

from ..booking.provider import AirlineOrder
from ..domain.flights import Fare
from ..domain.money import Money
from ..domain.people import Actor
from ..domain.plans import Itinerary, Outcome, Plan
from ..domain.trips import Selection

TRIES = 3
PAUSED, JUST_RESTORED = "paused", "just_restored"  # why the desk sends nothing that it was granted
PRODUCT = Actor(tenant_id="", user_id="layover", name="Layover")
FIRST_LOOK = timedelta(seconds=2)
TICKETS_WITHIN = timedelta(hours=24)  # of being paid; after that a person asks the airline
RECORDED = {
    "succeeded": Outcome.SUCCEEDED,
    "failed": Outcome.FAILED,
    "unknown": Outcome.UNKNOWN,
    "needs_person": Outcome.NEEDS_PERSON,
}

Send = Callable[[], Awaitable[AirlineOrder]]


@dataclass(frozen=True)
class Errand:
    """For whom the desk acts: the trip, its owner, and the run that asked."""

    tenant_id: str
    owner_id: str
    trip_id: str
    run_id: str


@dataclass(frozen=True)
class Ready:
    """All that was read before sending."""

    reference: str  # offer id of a create, order id of a pay, quote id of a cancel
    body: object  # what will be sent, for the fingerprint
    amount: Money | None
    fare: Fare | None
    send: Send


@dataclass(frozen=True)
class Settled:
    """A plan as written, and what became of the decision it was made for."""

    plan: Plan
    stood: bool
    voided: int


def itinerary_of(selection: Selection) -> Itinerary:
    return Itinerary(
        segment_keys=selection.segment_keys,
        cabin=selection.cabin,
        fare_brand=selection.fare_brand,
        passenger_ids=selection.passenger_ids,
        seats=tuple(sorted((s.segment_key, s.passenger_id, s.designator) for s in selection.seats)),
        bags=selection.bags,
    )


def itinerary_day(segment_keys: tuple[str, ...]) -> date:
    return date.fromisoformat(segment_keys[0].split(":")[2])
