"""What people say beside the point of the question, and how it is taken. Sentences of our own."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest

from assistant.domain.understanding import Intent, Rank, Topic, Understanding
from assistant.language.interpreter import Heard, HeardMessage
from assistant.language.rules.interpreter import understood

MONDAY = datetime(2026, 11, 30, 9, tzinfo=UTC)


def said(text: str, *, asked: str | None = None) -> Understanding:
    recent = (HeardMessage(role="assistant", text="?", asked=asked),) if asked else ()
    return understood(Heard(text=text, recent=recent, now=MONDAY, timezone="UTC"))


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Lyon to Rome tomorrow, me, my husband and my two kids", (2, 2)),
        ("Lyon to Rome tomorrow, my wife, my two kids and me", (2, 2)),
        ("Lyon to Rome tomorrow for my wife, me and my two kids, 6 and 9", (2, 2)),
        ("Lyon to Rome tomorrow with my two kids", (None, 2)),
        ("明天从南京去广州，我和老婆带两个孩子", (2, 2)),
    ],
)
def test_a_family_is_counted_once(text: str, people: tuple[int | None, int]) -> None:
    party = said(text).slots.passengers
    assert party is not None
    assert (party.adults, party.children) == people


@pytest.mark.parametrize(
    "text", ["done", "Done with the form", "I've filled it in", "all done", "填好了", "都填好了", "表单填完了"]
)
def test_the_form_filled_in_is_a_go_on(text: str) -> None:
    assert Intent.CONFIRM in said(text, asked="proposal").intents


@pytest.mark.parametrize(
    ("text", "rank"), [("which one is the earliest?", Rank.EARLIEST), ("Which is the cheapest?", Rank.CHEAPEST)]
)
def test_which_is_the_earliest_asks_for_that_one(text: str, rank: Rank) -> None:
    u = said(text, asked="offer")
    assert Intent.COMPARE in u.intents
    assert [r.superlative for r in u.references] == [rank]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("I want to fly from Rivendell to Lyon tomorrow", None),
        ("from Lyon to Mordor on Friday", None),
        ("Gondolin", "destination"),
        ("从桃花源飞广州", None),
        ("桃花源", "origin"),
    ],
)
def test_a_place_nobody_knows_is_said_to_be_unknown(text: str, asked: str | None) -> None:
    assert "unknown_place" in [u.reason for u in said(text, asked=asked).unsure]


@pytest.mark.parametrize("text", ["Great", "Tomorrow", "Sorry", "Whatever", "随便", "明天", "好的", "不知道"])
def test_a_word_is_no_place(text: str) -> None:
    u = said(text, asked="destination")
    assert u.slots.destination is None
    assert not any(doubt.slot == "destination" for doubt in u.unsure)


def test_a_misspelt_city_is_found_and_said_back() -> None:
    u = said("fly from Londn to Lyon tomorrow")
    assert u.slots.origin
    assert u.slots.origin.city == "London"
    assert [doubt.reason for doubt in u.unsure] == ["misspelt"]


def test_leaving_after_an_hour_and_landing_before_another() -> None:
    depart = said("leave after 6 and arrive before midnight", asked="offer").slots.depart
    assert depart
    assert (depart.time_from, depart.time_to, depart.arrive_by) == (time(18), None, False)


@pytest.mark.parametrize("text", ["I'd like the return flight to leave at 4 pm", "for the return flight I want to leave at 4 pm"])
def test_when_the_way_back_leaves_is_said_of_the_way_back(text: str) -> None:
    slots = said(text, asked="destination").slots
    assert slots.depart is None
    assert slots.return_
    assert slots.return_.time_from == time(16)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("any airline is fine", "airlines"),
        ("不限航司", "airlines"),
        ("the time doesn't matter", "times"),
        ("几点都行", "times"),
        ("stops are okay", "max_stops"),
        ("转机也行", "max_stops"),
        ("价格无所谓", "cap"),
    ],
)
def test_a_limit_can_be_given_up(text: str, limit: str) -> None:
    assert said(text, asked="change").given_up == (limit,)


@pytest.mark.parametrize("text", ["Okay, when does it land?", "Fine, but is it refundable?", "好的，行李几公斤？"])
def test_a_filler_before_a_question_is_no_yes(text: str) -> None:
    u = said(text, asked="proposal")
    assert Intent.CONFIRM not in u.intents
    assert Intent.ASK_FACT in u.intents


def test_a_yes_and_a_question_are_both() -> None:
    u = said("Yes, that's right. When does it land?", asked="proposal")
    assert {Intent.CONFIRM, Intent.ASK_FACT} <= set(u.intents)
    assert u.topics == (Topic.TIME,)


def test_a_ticket_that_leaves_is_a_flight() -> None:
    assert Intent.SEARCH in said("I'm off on a short trip, could you buy a ticket leaving around 8:30 in the morning?").intents


@pytest.mark.parametrize(
    ("text", "people"),
    [("999 adults from Oslo to Bergen", 999), ("120个人从上海到东京", 120), ("300 passengers from Oslo to Bergen", 300)],
)
def test_more_people_than_any_trip_takes_are_counted_all_the_same(text: str, people: int) -> None:
    counted = said(text).slots.passengers
    assert counted is not None
    assert counted.adults == people


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("9999年12月31日从上海到东京", date(9999, 12, 31)),
        ("from Oslo to Bergen on 31 December 9999", date(9999, 12, 31)),
        ("from Oslo to Bergen on 3000-01-02", date(3000, 1, 2)),
        ("1999年5月1日从上海到东京", date(1999, 5, 1)),
    ],
)
def test_a_year_far_away_is_the_year_that_was_said(text: str, day: date) -> None:
    departs = said(text).slots.depart
    assert departs is not None
    assert departs.date_from == day


def test_a_time_behind_a_day_is_no_year() -> None:
    departs = said("from Oslo to Bergen on 5 May 1930").slots.depart
    assert departs is not None
    assert departs.date_from == date(2027, 5, 5)
