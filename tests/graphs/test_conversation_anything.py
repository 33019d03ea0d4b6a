"""Whatever an interpreter makes of a message, the policy has an answer, and buys nothing without a yes to exactly that."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.domain.drafts import merged
from assistant.domain.flights import Cabin
from assistant.domain.trips import TripStatus
from assistant.domain.understanding import (
    Intent,
    Passengers,
    Place,
    Polarity,
    Position,
    Rank,
    Reference,
    Scope,
    SeatWish,
    Slots,
    Topic,
    TripType,
    Understanding,
    Unsure,
    When,
)
from assistant.wording import render
from graphs.nodes.dialogue_policy import answered
from graphs.nodes.dialogue_turn import Turn
from tests.graphs.talking import FRIDAY, trip

PLACES = st.sampled_from(
    [
        Place(text="x"),
        Place(text="Shanghai", kind="metro", codes=("PVG", "SHA")),
        Place(text="LHR", kind="airport", codes=("LHR",)),
        Place(text="STN", kind="airport", codes=("STN",)),
    ]
)
DAYS = st.integers(-5, 400).map(lambda n: FRIDAY + timedelta(days=n))
WHENS = st.builds(When, text=st.just("x"), date_from=st.none() | DAYS, date_to=st.none() | DAYS)
PARTIES = st.builds(
    Passengers,
    adults=st.none() | st.integers(0, 12),
    children=st.none() | st.integers(0, 4),
    infants=st.none() | st.integers(0, 4),
    ages=st.lists(st.integers(0, 99), max_size=4).map(tuple),
)
SLOTS = st.builds(
    Slots,
    trip_type=st.none() | st.sampled_from(TripType),
    origin=st.none() | PLACES,
    destination=st.none() | PLACES,
    depart=st.none() | WHENS,
    return_=st.none() | WHENS,
    passengers=st.none() | PARTIES,
    cabin=st.none() | st.sampled_from([*Cabin, "any"]),
    max_stops=st.none() | st.integers(0, 5),
    rank=st.none() | st.sampled_from(Rank),
    airline_names=st.sampled_from([(), ("Nowhere Air",)]),
)
WISHES = st.builds(
    SeatWish,
    position=st.sampled_from(Position),
    polarity=st.sampled_from(Polarity),
    scope=st.sampled_from(Scope),
    whose=st.none() | st.just("her"),
    forget=st.booleans(),
)
REFERENCES = st.builds(
    Reference,
    trip=st.none() | st.sampled_from(["outbound", "return", "all"]),
    n=st.none() | st.integers(-1, 9),
    superlative=st.none() | st.sampled_from(Rank),
    same=st.booleans(),
    flight_number=st.none() | st.just("MU525"),
    seats=st.sampled_from([(), ("14A",), ("14A", "14B")]),
)
UNSURE = st.builds(
    Unsure,
    slot=st.sampled_from(["origin", "destination", "depart", "return", "passengers", "time"]),
    reason=st.sampled_from(
        ["ambiguous", "unknown_place", "misspelt", "impossible_date", "past_date", "partial", "no_airport", "several"]
    ),
    text=st.just("x"),
    candidates=st.sampled_from([(), ("LHR",), ("2026-12-05", "2026-12-12"), ("Springfield", "Shelbyville")]),
)
HEARD = st.builds(
    Understanding,
    language=st.sampled_from(["zh", "en"]),
    intents=st.lists(st.sampled_from(Intent), max_size=3, unique=True).map(tuple),
    slots=st.just(Slots()) | SLOTS,
    wishes=st.lists(WISHES, max_size=2).map(tuple),
    references=st.lists(REFERENCES, max_size=2).map(tuple),
    topics=st.lists(st.sampled_from(Topic), max_size=2, unique=True).map(tuple),
    unsure=st.lists(UNSURE, max_size=2).map(tuple),
)
PICK: dict[str, Any] = {"trip_id": "trip-1", "kind": "choose", "n": 2, "offers_hash": "list-1", "seats": None}


ANSWERS = st.sampled_from([(Intent.CONFIRM,), (Intent.DECLINE,), (Intent.CONFIRM, Intent.CHOOSE), (Intent.CANCEL,)])


@st.composite
def turns(draw: st.DrawFn) -> Turn:
    """Any message at any point."""
    heard, before = draw(HEARD), draw(st.just(Slots()) | SLOTS)
    facts = draw(st.lists(st.sampled_from(TripStatus), max_size=2))
    trips = tuple(
        trip(status, trip_id=f"trip-{i}", missing_passengers=draw(st.integers(0, 1))) for i, status in enumerate(facts, 1)
    )
    return Turn(
        text="x",
        heard=heard,
        draft=merged(before, heard),
        today=date(2026, 11, 30),
        trips=trips,
        shown=tuple({"trip_id": t.trip_id, "offers_hash": draw(st.sampled_from(["list-1", "list-0"]))} for t in trips),
        proposal=draw(st.none() | st.just(PICK)),
        asked=draw(st.none() | st.sampled_from(["origin", "ages", "search", "proposal", "agree", "respond", "offer", "change"])),
        unsure=heard.unsure,
        before=before,
    )


@st.composite
def answers(draw: st.DrawFn) -> Turn:
    """A yes, a no or the like, with a pick said back that may or may not be the open question."""
    heard = Understanding(language="en", intents=draw(ANSWERS), references=draw(st.lists(REFERENCES, max_size=1).map(tuple)))
    status = draw(st.sampled_from([TripStatus.CHOOSING, TripStatus.WAITING_REVIEW]))
    offers_hash = draw(st.sampled_from(["list-1", "list-2"]))
    choosing = trip(status, missing_passengers=draw(st.sampled_from([0, 0, 1])), offers_hash=offers_hash)
    return Turn(
        text="x",
        heard=heard,
        draft=Slots(),
        today=date(2026, 11, 30),
        trips=(choosing,),
        shown=({"trip_id": "trip-1", "offers_hash": "list-1"},),
        proposal=PICK,
        asked=draw(st.sampled_from(["proposal", "offer", None])),
    )


@settings(max_examples=400)
@given(turns() | answers())
def test_every_message_gets_an_answer_that_can_be_said(turn: Turn) -> None:
    move = answered(turn)
    assert move.told
    for said in move.told:
        assert render(said, turn.heard.language).strip()
    assert len(move.options) <= 2


@settings(max_examples=400)
@given(turns() | answers())
def test_nothing_is_chosen_without_a_yes_to_exactly_that(turn: Turn) -> None:
    for act in answered(turn).proposes:
        if act["kind"] == "choose":
            assert turn.has(Intent.CONFIRM)
            assert turn.asked in ("proposal", "agree")
            assert not any(r.n not in (None, 2) or r.seats for r in turn.heard.references)
            assert turn.trips[0].missing_passengers == 0
            assert turn.trips[0].question == "choose"
            assert act["payload"] == {"offer": 2, "offers_hash": "list-1"}
