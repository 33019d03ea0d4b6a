"""Flights as the airline sells them. Times without zone are local to the airport; provider ids never enter a trip's state."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from .money import Money
from .value import Value


class Cabin(StrEnum):
    ECONOMY = "economy"
    PREMIUM_ECONOMY = "premium_economy"
    BUSINESS = "business"
    FIRST = "first"


class Segment(Value):
    """One flight between two airports. `departs` and `arrives` are naive, local to their airport."""

    carrier: str  # marketing airline, IATA
    flight_number: str
    operating_carrier: str | None = None
    operating_flight_number: str | None = None
    origin: str
    destination: str
    departs: datetime
    arrives: datetime
    minutes: int  # in the air, gate to gate
    aircraft: str | None = None  # plain name, "Airbus A320"

    @property
    def key(self) -> str:
        """Which flight on which day, whoever sells it."""
        carrier = self.operating_carrier if self.operating_flight_number else self.carrier
        number = self.operating_flight_number or self.flight_number
        return f"{carrier}{number}:{self.origin}-{self.destination}:{self.departs.date().isoformat()}"

    @property
    def name(self) -> str:
        return f"{self.carrier}{self.flight_number}"


class Condition(Value):
    """May it be changed or refunded before departure. None: the airline has not said."""

    allowed: bool | None = None
    penalty: Money | None = None


class Fare(Value):
    """What can be bought: flights, cabin, brand, price and rules, for all passengers together. Holds no provider id."""

    segments: tuple[Segment, ...]
    cabin: Cabin
    fare_brand: str
    total: Money  # for all passengers, without seats and other services
    passengers: int
    refund: Condition = Condition()
    change: Condition = Condition()
    checked_bags: int | None = None  # a passenger; None: the airline has not said
    holdable: bool = False  # may be held without payment
    seats_on_hold: bool = False  # chosen seats can be part of a hold
    pay_by: datetime | None = None  # aware UTC: until when a hold made now would last
    price_guaranteed_until: datetime | None = None  # aware UTC

    @property
    def segment_keys(self) -> tuple[str, ...]:
        return tuple(s.key for s in self.segments)

    @property
    def stops(self) -> int:
        return len(self.segments) - 1


class Offer(Value):
    """A fare with the provider's ids; lives inside the desk only. `passenger_refs` are in the order of the search."""

    offer_id: str
    request_id: str
    fare: Fare
    expires_at: datetime
    passenger_refs: tuple[str, ...]


class SeatService(Value):
    """A seat for sale to one passenger of an offer."""

    service_id: str
    passenger_ref: str
    price: Money


class Seat(Value):
    designator: str  # "14A"
    available: bool
    price: Money | None = None  # what it costs where available; zero is free
    disclosures: tuple[str, ...] = ()
    # Duffel's element type: seat | exit_row | bassinet | lavatory | galley | closet | stairs | empty | restricted_seat_general
    kind: str = "seat"
    exit_row: bool = False
    extra_legroom: bool = False
    services: tuple[SeatService, ...] = ()


class SeatRow(Value):
    """Sections are separated by aisles; an element that is no seat has an empty designator and its kind."""

    number: int
    sections: tuple[tuple[Seat, ...], ...]


class SeatMapCabin(Value):
    cabin: Cabin
    deck: int = 0
    wings: tuple[int, int] | None = None  # first and last row index over the wing
    rows: tuple[SeatRow, ...]


class SeatMap(Value):
    """The seats of one segment, for one offer. An empty tuple of cabins is valid: seats cannot be chosen."""

    segment_key: str
    cabins: tuple[SeatMapCabin, ...]

    def find(self, designator: str) -> Seat | None:
        seats = (s for c in self.cabins for r in c.rows for section in r.sections for s in section)
        return next((s for s in seats if s.designator == designator), None)
