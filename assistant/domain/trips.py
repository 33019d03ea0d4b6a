"""A trip: one direction of travel. What was asked for, what was chosen, where it stands."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from .flights import Cabin, Fare
from .money import Money
from .plans import PAID, OrderState, Refund
from .understanding import Language, Rank, SeatWish
from .value import Value

BY_HAND = "by_hand"  # people go on with it: the traveller asked the desk, or somebody asks the airline
MOVED = "moved"  # the airline changed a flight of it, and asks what to do
CANCELLED_ELSEWHERE = "cancelled_elsewhere"  # somebody gave its ticket up beside us
DESK_ANSWERED = "desk_answered"
CANCELLATION_REJECTED, CHANGE_REJECTED = "cancellation_rejected", "change_rejected"  # by a reviewer: it stays booked
SOLD_AHEAD = timedelta(days=2 * 366)  # no airline sells a flight further ahead
GIVING_BACK = "being_given_back"  # a trip waits until another of its traveller's has given a flight back


def is_wanted(create_id: str, *, by: Collection[str], state: str, aside: bool) -> bool:
    """Whether a main line wants an order; `by` are the creates it wants. A late one is nobody's until an operator takes it in."""
    return create_id in by and not aside and state != OrderState.SURPLUS


class TripStatus(StrEnum):
    SEARCHING = "searching"
    CHOOSING = "choosing"
    WAITING_TRAVELLER = "waiting_traveller"
    WAITING_REVIEW = "waiting_review"
    SETTLING = "settling"
    CHECKING = "checking"  # being confirmed with the airline
    TICKETING = "ticketing"
    BOOKED = "booked"
    REJECTED = "rejected"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    WITHDRAWN = "withdrawn"
    NEEDS_PERSON = "needs_person"


class Direction(StrEnum):
    OUTBOUND = "outbound"
    RETURN = "return"


class TripRequest(Value):
    """What is looked for. Places are IATA airport or metro codes; `depart_on` is a local date at the origin."""

    origin: str = Field(pattern=r"^[A-Z]{3}$")
    destination: str = Field(pattern=r"^[A-Z]{3}$")
    depart_on: date
    depart_until: date | None = None  # a span of days, when the traveller is flexible
    time_from: time | None = None  # window of local departure time (of arrival, with arrive_by)
    time_to: time | None = None
    arrive_by: bool = False
    cabin: Cabin | None = None
    max_stops: int | None = Field(default=None, ge=0, le=3)
    airlines: tuple[str, ...] = ()
    flight_number: str | None = None
    cap: Money | None = None
    rank: Rank | None = None
    refundable: bool | None = None
    adults: int = Field(default=1, ge=0, le=9)
    ages: tuple[int, ...] = ()  # of children and infants
    direction: Direction | None = None
    language: Language = "en"
    excluded: tuple[str, ...] = ()  # segment keys, joined by "+", not to be shown again

    @model_validator(mode="after")
    def _somebody_goes_somewhere(self) -> TripRequest:
        if self.origin == self.destination:
            raise PydanticCustomError("same_place", "origin and destination are the same place")
        if not 1 <= self.passengers <= 9:
            raise PydanticCustomError("party", "one to nine passengers can travel on one order")
        if any(not 0 <= age < 18 for age in self.ages):
            raise PydanticCustomError("ages", "ages are those of children and infants, 0 to 17")
        if sum(age < 2 for age in self.ages) > self.adults:
            raise PydanticCustomError("infants", "each infant needs an adult")
        return self

    @property
    def passengers(self) -> int:
        return self.adults + len(self.ages)


class SeatChoice(Value):
    passenger_id: str
    segment_key: str
    designator: str


class IfGone(StrEnum):
    """What to do when a chosen seat is gone at approval."""

    NEXT_BEST = "next_best"  # for the wish, at no extra cost
    ANY = "any"
    ASK = "ask"


class Selection(Value):
    """What the traveller chose: never an offer id. `person_ids[i]` is the profile of `passenger_ids[i]`."""

    segment_keys: tuple[str, ...]
    cabin: Cabin
    fare_brand: str
    passenger_ids: tuple[str, ...]
    person_ids: tuple[str, ...]
    seats: tuple[SeatChoice, ...] = ()
    if_gone: IfGone = IfGone.NEXT_BEST
    bags: int = 0
    quoted: Money | None = None  # total with seats, as shown when chosen
    wishes: tuple[SeatWish, ...] = ()  # of the traveller, used to find the next best seat


class SeatSuggestion(Value):
    """A seat for the traveller at `position` (from 0) of the request, and why."""

    position: int
    segment_key: str
    designator: str
    price: Money | None = None
    reasons: tuple[str, ...] = ()


class ShownFare(Value):
    """Option `n` (from 1) of a trip's list."""

    n: int
    fare: Fare
    seats: tuple[SeatSuggestion, ...] = ()
    seats_fit: bool = True  # all wishes met
    missed: tuple[str, ...] = ()  # wishes that could not be met
    total: Money  # fare plus suggested seats


class OrderFacts(Value):
    order_id: str
    state: str
    booking_reference: str | None
    documents: tuple[str, ...] = ()
    total: Money
    seats: tuple[str, ...] = ()
    pay_by: datetime | None = None
    fare: Fare | None = None
    refund: Refund = Refund()
    wanted: bool = True  # the trip is about it; else it is kept aside, or nobody has settled yet what becomes of it
    aside: bool = False
    goes: bool = False  # what is asked about now would cancel it

    @property
    def is_left(self) -> bool:
        """Paid, and not settled what becomes of it."""
        return self.state in PAID and not self.wanted and not self.aside


class TripFacts(Value):
    """Where a trip stands now, for the dialogue: facts a reply may state, nothing else may be stated."""

    trip_id: str
    journey_id: str
    status: TripStatus
    request: TripRequest
    offers_hash: str | None = None
    fares: tuple[ShownFare, ...] = ()
    selection: Selection | None = None
    chosen: Fare | None = None
    total: Money | None = None
    question: Literal["choose", "agree", "review", "await_outcome"] | None = None
    reason: str | None = None  # why it is where it is: a key of the wording
    message: str | None = None  # what a reviewer wrote
    decided_by: str | None = None
    held_until: datetime | None = None
    review_until: datetime | None = None
    waiting_since: datetime | None = None
    orders: tuple[OrderFacts, ...] = ()
    missing_passengers: int = 0  # still to be named by the form

    @property
    def bookings(self) -> tuple[OrderFacts, ...]:
        """The orders that are this trip; where none is, those it still has, and at last those kept beside it."""
        wanted = tuple(o for o in self.orders if o.wanted)
        return wanted or tuple(o for o in self.orders if not o.aside) or self.orders


class ActiveWish(SeatWish):
    """A wish that counts now; `conversation_id` says where it was stated."""

    wish_id: str
    conversation_id: str | None = None
    trip_id: str | None = None
