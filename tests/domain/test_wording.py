"""Every sentence exists in both languages, says the same facts, and writes them as its reader expects."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from assistant.domain.errors import Reason
from assistant.domain.flights import Cabin
from assistant.domain.money import Money
from assistant.domain.plans import Choice, OrderState, StepKind
from assistant.domain.policy import Verdict
from assistant.domain.trips import Direction, IfGone, TripStatus
from assistant.domain.understanding import Position, Rank
from assistant.wording import keys, render, say, saying
from assistant.wording.catalogue import LANGUAGES, template
from assistant.wording.kinds import JOINS, KINDS
from assistant.wording.sentence import Blank, Maybe, Sentence, parsed

NOW = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)  # noon in Shanghai
SAME_IN_BOTH = {"page.name", "flight.leg"}  # a name, and a line of airports and times


def _blanks(sentence: Sentence) -> list[Blank]:
    parts = [p for part in sentence.parts for p in (part.parts if isinstance(part, Maybe) else (part,))]
    return [p for p in parts if isinstance(p, Blank)]


@pytest.mark.parametrize("key", keys())
def test_both_languages_state_the_same_facts(key: str) -> None:
    zh, en = (parsed(template(key, language)) for language in LANGUAGES)
    assert {b.name for b in _blanks(zh)} == {b.name for b in _blanks(en)}
    assert {(b.name, b.kind) for b in _blanks(zh) if b.kind} == {(b.name, b.kind) for b in _blanks(en) if b.kind}


@pytest.mark.parametrize("key", keys())
def test_no_sentence_is_left_untranslated(key: str) -> None:
    zh, en = template(key, "zh"), template(key, "en")
    assert zh.strip()
    assert en.strip()
    words = [p for p in parsed(zh).parts if isinstance(p, str) and any(c.isalpha() for c in p)]
    assert zh != en or key in SAME_IN_BOTH or not words
    if key not in {"page.language"}:
        assert not any("\u4e00" <= c <= "\u9fff" for c in en), "Chinese in the English sentence"


@pytest.mark.parametrize("key", keys())
def test_every_blank_has_a_known_kind(key: str) -> None:
    known = {*KINDS, *JOINS, "deadline", "duration"}
    for language in LANGUAGES:
        for blank in _blanks(parsed(template(key, language))):
            for kind in (blank.kind or "").split():
                assert kind in known or keys(f"{kind}."), blank


@pytest.mark.parametrize(
    ("group", "values"),
    [
        ("status", TripStatus), ("cabin", Cabin), ("reason", Reason), ("direction", Direction), ("if_gone", IfGone),
        ("position", Position), ("rank", Rank), ("step", StepKind), ("choice", Choice), ("order_state", OrderState),
        ("check.cabin", [f"check.cabin_{v}" for v in Verdict]),
    ],
)  # fmt: skip
def test_every_value_a_person_may_meet_has_its_words(group: str, values: list[str]) -> None:
    names = {str(v) if "." in str(v) else f"{group}.{v}" for v in values}
    assert names <= set(keys())


def test_money_keeps_its_currency_and_its_decimals() -> None:
    yen, yuan = Money(amount=Decimal("58300"), currency="JPY"), Money(amount=Decimal("1284"), currency="CNY")
    assert say("plan.net_cost", "en", money=yuan) == "1,284.00\N{NO-BREAK SPACE}CNY to pay in all"
    assert say("plan.net_cost", "zh", money=yuan) == "合计支付¥1,284.00"
    assert say("plan.net_cost", "en", money=yen) == "58,300\N{NO-BREAK SPACE}JPY to pay in all"


def test_a_day_is_said_with_its_weekday() -> None:
    assert say("word.day", "zh", day="2026-12-04") == "12月4日周五"
    assert say("word.day", "en", day="2026-12-04") == "Fri 4 Dec"
    assert say("word.day", "en", day="2027-01-01", now=NOW) == "Fri, 1 Jan 2027"


def test_a_deadline_is_told_in_the_readers_zone_with_what_is_left() -> None:
    until = saying("card.held_until", until=NOW + timedelta(hours=3, minutes=4))
    assert render(until, "zh", timezone="Asia/Shanghai", now=NOW) == "留位到15:04（还剩3小时4分）"
    assert render(until, "en", timezone="Europe/London", now=NOW) == "held until 07:04 (3 h 4 min left)"


def test_a_deadline_close_by_is_worded_differently_and_one_gone_says_so() -> None:
    close, gone = (saying("card.held_until", until=NOW + timedelta(minutes=m)) for m in (9, -1))
    assert render(close, "en", now=NOW) == "held until 04:09 (only 9 min left)"
    assert render(gone, "zh", now=NOW) == "留位到03:59（已过）"


def test_a_deadline_on_another_day_names_the_day() -> None:
    until = saying("card.held_until", until=NOW + timedelta(days=1, hours=2))
    assert render(until, "en", now=NOW) == "held until Tue 1 Dec 06:00 (1 day 2 h left)"
    assert render(until, "en") == "held until Tue 1 Dec 06:00"


def test_one_and_many_have_their_own_forms() -> None:
    assert say("passengers.missing", "en", count=1).startswith("1 passenger still has")
    assert say("passengers.missing", "en", count=3).startswith("3 passengers still have")
    assert say("ask.ages", "en", count=1) == "How old is the child?"


def test_what_is_not_known_is_left_out_of_the_sentence() -> None:
    assert say("told.rejected", "en", trip="PVG to NRT") == "PVG to NRT was rejected."
    assert (
        say("told.rejected", "en", trip="PVG to NRT", by="Rita", message="too dear")
        == "PVG to NRT was rejected by Rita: “too dear”."
    )


def test_a_code_without_words_of_its_own_still_makes_a_sentence() -> None:
    assert "teapot" in say("error.other", "en", value="teapot")
    assert say("offers.none", "en", trip="x", reason="reason.sunspots").endswith("try again or ask your approver.")


def test_places_are_named_in_the_readers_language() -> None:
    assert say("word.place", "zh", place="TYO") == "东京"
    assert say("word.airport", "zh", place="PVG") == "上海浦东"
    assert say("word.airport", "en", place="LHR") == "London LHR"
