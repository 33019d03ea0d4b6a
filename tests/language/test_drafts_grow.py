"""A draft keeps what was said, and takes over what is said anew."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from assistant.domain.drafts import merged
from assistant.domain.understanding import Slots, TripType
from assistant.language.interpreter import Heard
from assistant.language.rules.interpreter import understood

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


def after(*messages: str) -> Slots:
    draft = Slots()
    for text in messages:
        draft = merged(draft, understood(Heard(text=text, draft=draft, now=NOW, timezone="UTC")))
    return draft


def test_messages_add_up() -> None:
    draft = after("a flight from Oslo to Bergen", "next Friday morning", "two people, business class")
    assert draft.origin
    assert draft.destination
    assert draft.depart
    assert draft.passengers
    assert (draft.origin.codes[0], draft.destination.codes[0]) == ("OSL", "BGO")
    assert (draft.depart.date_from, draft.passengers.count, draft.cabin) == (date(2026, 12, 11), 2, "business")


def test_a_correction_replaces_only_what_it_names() -> None:
    draft = after("下周五从上海去东京，两个人", "不对，是下周六")
    assert draft.depart
    assert draft.depart.date_from == date(2026, 12, 12)
    assert draft.origin
    assert draft.origin.codes[0] == "PVG"
    assert draft.passengers
    assert draft.passengers.count == 2


def test_a_new_day_keeps_the_hours_and_new_hours_keep_the_day() -> None:
    draft = after("to Oslo from Rome on Friday morning", "make it Saturday", "after 6 pm")
    assert draft.depart
    assert draft.depart.date_from == date(2026, 12, 5)
    assert draft.depart.time_from
    assert draft.depart.time_from.hour == 18


def test_the_end_named_as_the_other_swaps_the_two() -> None:
    draft = after("from Oslo to Bergen on Friday", "no, from Bergen")
    assert draft.origin
    assert draft.destination
    assert (draft.origin.codes[0], draft.destination.codes[0]) == ("BGO", "OSL")


def test_a_day_of_return_makes_it_a_round_trip() -> None:
    assert after("from Oslo to Bergen on the 10th", "I come back on the 12th").trip_type is TripType.ROUND_TRIP


def test_one_way_after_a_round_trip_is_one_way() -> None:
    draft = after("round trip from Oslo to Bergen, 10th to 12th", "actually one way is enough")
    assert draft.trip_type is TripType.ONE_WAY


def test_a_day_earlier_counts_from_the_day_said() -> None:
    draft = after("从广州去三亚，12月20号走", "早两天")
    assert draft.depart
    assert draft.depart.date_from == date(2026, 12, 18)


def test_the_trip_to_be_cancelled_is_not_gathered() -> None:
    assert after("cancel my trip to Rome") == Slots()


@pytest.mark.parametrize("said", ["make it 30 February instead", "改到2月30日", "make it 31 April"])
def test_a_day_that_is_not_in_the_calendar_takes_the_place_of_the_day_before(said: str) -> None:
    draft = after("a flight from Oslo to Bergen on 11 December", said)
    assert draft.depart
    assert (draft.depart.date_from, draft.flight_number) == (None, None)
