"""What a traveller said, as data. Filled by an interpreter, read by the dialogue policy; never trusted further than its words."""

from __future__ import annotations

from datetime import date, time
from enum import StrEnum
from typing import Literal

from .flights import Cabin
from .money import Money
from .value import Value

Language = Literal["zh", "en"]


class Intent(StrEnum):
    SEARCH = "search"
    CHOOSE = "choose"
    CONFIRM = "confirm"
    DECLINE = "decline"
    CHANGE = "change"
    CANCEL = "cancel"
    KEEP = "keep"  # what there is stays: a booking, both tickets, a moved flight at its new time
    ASK_STATUS = "ask_status"
    ASK_FACT = "ask_fact"
    COMPARE = "compare"
    RECALL_WISH = "recall_wish"
    STATE_WISH = "state_wish"
    FORGET_WISH = "forget_wish"
    ASK_PERSON = "ask_person"
    SMALLTALK = "smalltalk"
    OUT_OF_SCOPE = "out_of_scope"


class TripType(StrEnum):
    ONE_WAY = "one_way"
    ROUND_TRIP = "round_trip"
    MULTI_CITY = "multi_city"


class Rank(StrEnum):
    CHEAPEST = "cheapest"
    FASTEST = "fastest"
    EARLIEST = "earliest"
    LATEST = "latest"
    BEST = "best"


class Topic(StrEnum):
    """What a question is about."""

    PRICE = "price"
    BAGGAGE = "baggage"
    REFUND = "refund"
    CHANGE = "change"
    HOLD = "hold"
    SEAT = "seat"
    TIME = "time"
    DURATION = "duration"
    STOPS = "stops"
    AIRPORT = "airport"
    AIRCRAFT = "aircraft"
    AIRLINE = "airline"
    CABIN = "cabin"
    PASSENGERS = "passengers"
    REFERENCE = "reference"


class Place(Value):
    """`text` as said; `codes` are IATA airport codes, best first; empty when the place is unknown or has no airport."""

    text: str
    kind: Literal["airport", "city", "metro", "region", "country", "unknown"] = "unknown"
    codes: tuple[str, ...] = ()
    city: str | None = None  # plain English name of the city


class When(Value):
    """A day or a span of days, and a window of local time. `arrive_by`: the window is about landing."""

    text: str = ""
    date_from: date | None = None
    date_to: date | None = None
    time_from: time | None = None
    time_to: time | None = None
    arrive_by: bool = False


class Passengers(Value):
    adults: int | None = None
    children: int | None = None
    infants: int | None = None
    ages: tuple[int, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def count(self) -> int | None:
        known = [n for n in (self.adults, self.children, self.infants) if n is not None]
        return sum(known) if known else None


class Slots(Value):
    """Only what this message said (or answered); None and empty mean: not said here."""

    trip_type: TripType | None = None
    origin: Place | None = None
    destination: Place | None = None
    stopovers: tuple[Place, ...] = ()
    depart: When | None = None
    return_: When | None = None
    passengers: Passengers | None = None
    cabin: Cabin | Literal["any"] | None = None
    airlines: tuple[str, ...] = ()  # IATA codes
    airline_names: tuple[str, ...] = ()  # as said
    flight_number: str | None = None
    max_stops: int | None = None
    min_stops: int | None = None
    cap: Money | None = None
    rank: Rank | None = None
    refundable: bool | None = None


class Position(StrEnum):
    WINDOW = "window"
    AISLE = "aisle"
    MIDDLE = "middle"
    FRONT = "front"
    BACK = "back"
    EXIT = "exit"
    EXTRA_LEGROOM = "extra_legroom"
    TOGETHER = "together"
    ANY = "any"  # said on purpose: either is fine


class Polarity(StrEnum):
    WANT = "want"
    AVOID = "avoid"


class Strength(StrEnum):
    MUST = "must"
    PREFER = "prefer"


class Scope(StrEnum):
    ALWAYS = "always"
    TRIP = "trip"


class SeatWish(Value):
    """One wish for a seat. `whose` is None for the speaker, else the words for the other person; `forget` takes it back."""

    position: Position
    polarity: Polarity = Polarity.WANT
    strength: Strength = Strength.PREFER
    scope: Scope = Scope.ALWAYS
    whose: str | None = None
    forget: bool = False


class Reference(Value):
    """A shown thing pointed at: the nth option, the cheapest, the same one, seat 14A."""

    trip: Literal["outbound", "return", "all"] | None = None
    n: int | None = None  # from 1; -1 is the last
    superlative: Rank | None = None
    same: bool = False
    flight_number: str | None = None
    seats: tuple[str, ...] = ()


class Unsure(Value):
    """What may have been misread, and what it could be."""

    slot: str
    reason: Literal["ambiguous", "unknown_place", "misspelt", "impossible_date", "past_date", "partial", "no_airport", "several"]
    text: str
    candidates: tuple[str, ...] = ()


class Understanding(Value):
    language: Language
    intents: tuple[Intent, ...] = ()
    slots: Slots = Slots()
    wishes: tuple[SeatWish, ...] = ()
    references: tuple[Reference, ...] = ()
    topics: tuple[Topic, ...] = ()
    corrected: tuple[str, ...] = ()  # names of slots said to replace what was said before
    given_up: tuple[Literal["airlines", "times", "max_stops", "cap", "refundable", "cabin"], ...] = ()  # limits no longer meant
    unsure: tuple[Unsure, ...] = ()
