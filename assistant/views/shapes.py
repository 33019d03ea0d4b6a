"""What pages and REST are given. Times are aware UTC, flight times naive and local to their airport."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ..domain.flights import Fare
from ..domain.money import Money
from ..domain.people import Gender, Title, TravelDocument
from ..domain.plans import Choice, StepKind
from ..domain.trips import SeatSuggestion, Selection, TripRequest, TripStatus
from ..domain.understanding import Language, Polarity, Position, Scope, Strength
from ..domain.value import Value


class Option(Value):
    """A button under an answer: pressing it says `say` in the chat, or opens the trip's card when `trip_id` is given."""

    label: str
    say: str | None = None
    trip_id: str | None = None


class Wording(Value):
    """One of several texts at the same place of a conversation; `shown`: the one on the main line."""

    message_id: str
    text: str
    at: datetime
    shown: bool


class MessageView(Value):
    message_id: str
    role: str  # user | assistant
    text: str
    at: datetime
    version: int | None = None
    pending: bool = False  # accepted, not answered yet
    command_id: str | None = None
    options: tuple[Option, ...] = ()
    wordings: tuple[Wording, ...] = ()  # all of them where there are several, oldest first


class ConversationRow(Value):
    conversation_id: str
    title: str | None
    archived: bool
    updated_at: datetime
    waiting: int = 0  # questions that wait on the traveller


class WishView(Value):
    wish_id: str
    position: Position
    polarity: Polarity
    strength: Strength
    scope: Scope
    text: str  # "window, always" in the reader's language


class PersonView(Value):
    person_id: str
    passenger_id: str
    is_self: bool
    given_name: str
    family_name: str
    native_name: str | None
    title: Title | None
    gender: Gender | None
    born_on: str | None
    email: str | None
    phone: str | None
    documents: tuple[TravelDocument, ...] = ()
    missing: tuple[str, ...] = ()  # required fields still empty


class OfferView(Value):
    """Option `n`. `total` is for all passengers with the suggested seats; `seats` are suggestions with reasons as text."""

    n: int
    fare: Fare
    total: Money
    seats: tuple[SeatSuggestion, ...] = ()
    seats_fit: bool = True
    missed: tuple[str, ...] = ()
    can_hold: bool = False  # flight and the suggested seats can be held without payment


class StepView(Value):
    kind: StepKind
    operation_id: str
    text: str  # what will happen, in words
    amount: Money | None  # paid (positive) or given back (negative)
    done: bool = False


class ChoiceView(Value):
    id: Choice
    net: Money | None
    text: str


class PlanView(Value):
    digest: str
    steps: tuple[StepView, ...]
    choices: tuple[ChoiceView, ...] = ()
    chosen: Choice | None = None
    net: Money | None = None


class QuestionView(Value):
    """What a trip waits for: `node` choose | agree | review | await_outcome."""

    question_id: str
    node: str
    reason: str | None = None  # in words
    message: str | None = None  # what somebody wrote
    deadline: datetime | None = None
    digest: str | None = None
    since: datetime | None = None
    on: str | None = None  # who it waits for, by name where claimed
    differences: tuple[str, ...] = ()  # agree: what got worse, in words


class OrderView(Value):
    order_id: str
    state: str
    booking_reference: str | None
    documents: tuple[str, ...]
    passengers: tuple[str, ...]
    seats: tuple[str, ...]
    total: Money
    fare: Fare
    pay_by: datetime | None = None
    aside: bool = False
    trip_id: str | None = None


class TravellerOnTrip(Value):
    """One place on the trip; `person_id` None: still to be named."""

    person_id: str | None
    name: str | None  # as in the passport
    age: int | None = None
    seats: dict[str, str] = {}  # segment key -> designator, as chosen
    missing: tuple[str, ...] = ()


class MovedView(Value):
    """A booked flight that the airline has moved; `text` is all of it in words. None: there is no connection, no other way."""

    order_id: str
    booking_reference: str | None
    was: Fare
    now: Fare
    connection: bool | None  # whether it still works
    other_way: bool | None  # whether the other flight of the journey still works with it
    text: tuple[str, ...]
    answers: tuple[str, ...] = ("resubmit", "change", "ask")  # accept, find another, ask the desk


class AskedDesk(Value):
    """The traveller has left it to people; with `wished`, the airline is to be asked for those seats, as `by` decided."""

    message: str | None
    at: datetime | None
    wished: tuple[str, ...] = ()
    by: str | None = None


class TripView(Value):
    trip_id: str
    conversation_id: str
    journey_id: str
    status: TripStatus
    status_text: str
    updated_at: datetime
    request: TripRequest
    passengers: tuple[TravellerOnTrip, ...]
    offers_hash: str | None = None
    offers: tuple[OfferView, ...] = ()
    selection: Selection | None = None
    chosen: Fare | None = None
    total: Money | None = None
    plan: PlanView | None = None
    question: QuestionView | None = None
    review_id: str | None = None
    orders: tuple[OrderView, ...] = ()
    held_until: datetime | None = None
    price_guaranteed_until: datetime | None = None
    reason: str | None = None  # in words
    message: str | None = None
    decided_by: str | None = None
    other_live_bookings: tuple[OrderView, ...] = ()
    moved: MovedView | None = None
    asks: AskedDesk | None = None


class ConversationView(Value):
    conversation_id: str
    title: str | None
    archived: bool
    owner_id: str
    messages: tuple[MessageView, ...]
    trips: tuple[TripView, ...]
    wishes: tuple[WishView, ...]
    running: str | None = None  # command that runs now


class SeatView(Value):
    designator: str
    kind: str
    available: bool
    mine: bool = False
    price: Money | None = None
    score: float | None = None
    why: str = ""  # in words
    exit_row: bool = False
    extra_legroom: bool = False


class SeatRowView(Value):
    number: int
    sections: tuple[tuple[SeatView, ...], ...]


class SeatMapView(Value):
    """One segment's seats, for one option; `proposed` are the seats suggested or chosen, by traveller position from 0."""

    segment_key: str
    segment: int  # from 1
    flight: str
    aircraft: str | None
    cabin: str
    rows: tuple[SeatRowView, ...]
    proposed: tuple[str, ...] = ()


class CheckView(Value):
    """A check against policy: ok | warn | stop."""

    level: str
    text: str


class ReviewRow(Value):
    review_id: str
    trip_id: str
    what: str  # one line
    who: str
    net: Money | None
    since: datetime
    deadline: datetime | None
    status: str  # waiting | answered | expired | superseded
    answer: str | None = None
    decided_by: str | None = None
    decided_at: datetime | None = None
    claimed_by: str | None = None
    claimed_by_me: bool = False
    within_policy: bool = True
    mine: bool = False  # the reviewer's own trip: may not be decided by them


class ReviewView(Value):
    review_id: str
    trip_id: str
    conversation_id: str
    status: str
    digest: str
    sentence: str  # what will happen, one sentence
    plan: PlanView
    checks: tuple[CheckView, ...]
    total: Money | None
    expires_at: datetime | None
    held_until: datetime | None
    price_guaranteed_until: datetime | None
    claimed_by: str | None
    claimed_by_me: bool
    decided_by: str | None
    decided_at: datetime | None
    answer: str | None
    traveller: str
    traveller_words: tuple[str, ...]
    notes: tuple[str, ...]  # what reviewer and traveller wrote to each other
    wishes: tuple[WishView, ...]
    trip: TripView
    selected_offer: int | None = None  # option number of the selection, where it is still in the list
    mine: bool = False
    loses: tuple[str, ...] = ()  # each paid ticket that goes, with what comes back, one sentence each
    went_back: str | None = None  # who went back and why, where that led here


class OperationView(Value):
    operation_id: str
    trip_id: str
    kind: str
    state: str
    reason: str | None
    attempts: tuple[dict[str, Any], ...]
    order_id: str | None
    booking_reference: str | None
    branch_ref: str | None
    approval: dict[str, Any] | None
    created_at: datetime


class Reader(Value):
    """For whom a view is made: whose rows, in which language and zone."""

    tenant_id: str
    user_id: str
    reviewer: bool = False
    language: Language = "en"
    timezone: str = "UTC"  # IANA


class ChangesView(Value):
    """Counters that only rise: look again when one differs from what it was. `inbox` is None for who is no reviewer."""

    user: int
    inbox: int | None = None


class RunView(Value):
    run_id: str
    attempt: int
    started_at: datetime
    ended_at: datetime | None
    outcome: str | None  # None: running, or died


class CommandView(Value):
    command_id: str
    kind: str
    status: str  # accepted | running | succeeded | failed | cancelled
    result: dict[str, Any] | None
    error: dict[str, Any] | None  # {code, ...facts}
    created_at: datetime
    runs: tuple[RunView, ...] = ()
