"""Who must say yes to what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from pydantic import ValidationError

from assistant.domain.flights import Cabin
from assistant.domain.plans import Choice
from assistant.domain.policy import Policy, checks, duration, loses_too_much, needs_review, refused, review_deadline
from assistant.domain.settlement import settle
from tests.domain.test_settlement import EVENING, MORNING, order, page, wanted

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


def policy(**rules: object) -> Policy:
    return Policy.model_validate(rules)


BUYS = settle(wanted(MORNING), page())
REPLACES = settle(wanted(EVENING), page(order(MORNING)))
KEEPS = settle(wanted(MORNING), page(order(MORNING)))


def test_every_purchase_and_every_paid_cancellation_is_reviewed_and_keeping_never() -> None:
    assert needs_review(BUYS, Policy())
    assert needs_review(settle(None, page(order(MORNING))), Policy())
    assert not needs_review(KEEPS, Policy())


def test_over_a_limit_only() -> None:
    rules = {"approval": {"purchase": "over_limit", "paid_cancellation": "never"}}
    assert not needs_review(BUYS, policy(**rules, limits={"total": {"EUR": 800}}))
    assert needs_review(BUYS, policy(**rules, limits={"total": {"EUR": 100}}))


def test_a_cabin_that_is_refused_is_not_even_reviewed() -> None:
    assert refused(BUYS, policy(limits={"cabins": {"economy": "refuse"}}))
    assert not refused(BUYS, policy(limits={"cabins": {"business": "refuse"}}))


@pytest.mark.parametrize(("limit", "too_much"), [({}, False), ({"EUR": 50}, True), ({"EUR": 100}, False), ({"CNY": 1}, False)])
def test_going_back_at_a_loss_over_the_limit_needs_somebody_else(limit: dict[str, int], too_much: bool) -> None:
    assert REPLACES.net is not None
    assert REPLACES.net.amount == Decimal(100)
    assert loses_too_much(REPLACES, policy(rewind={"four_eyes_over": limit})) is too_much


def test_an_unknown_refund_is_too_much_and_giving_nothing_up_is_not() -> None:
    careful = policy(rewind={"four_eyes_over": {"EUR": 10_000}})
    assert loses_too_much(settle(wanted(EVENING), page(order(MORNING, refund=None))), careful)
    assert not loses_too_much(settle(wanted(EVENING), page(order(MORNING)), Choice.KEEP_BOTH), careful)
    assert not loses_too_much(BUYS, policy(rewind={"four_eyes_over": {"EUR": 1}}))


@pytest.mark.parametrize(
    ("refund", "check"),
    [
        ("400.00", ("ok", "check.refund_known")),
        ("0.00", ("warn", "check.refund_nothing")),
        (None, ("warn", "check.refund_unknown")),
    ],
)
def test_a_ticket_given_up_for_nothing_is_a_warning(refund: str | None, check: tuple[str, str]) -> None:
    found = checks(settle(wanted(EVENING), page(order(MORNING, refund=refund))), Policy())
    assert (found[-1].level, found[-1].key) == check


def test_a_review_ends_two_hours_before_departure_at_the_latest() -> None:
    assert review_deadline(Policy(), NOW, None) == NOW + timedelta(hours=24)
    assert review_deadline(Policy(), NOW, NOW + timedelta(hours=5)) == NOW + timedelta(hours=3)
    assert review_deadline(Policy(), NOW, NOW + timedelta(hours=1)) > NOW


@pytest.mark.parametrize(("words", "seconds"), [("24h", 86400), ("90m", 5400), ("30s", 30), ("7d", 604800), ("45", 45)])
def test_durations_are_written_as_people_do(words: str, seconds: int) -> None:
    assert duration(words) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "wrong",
    [
        {"review": {"ttl": "soon"}},
        {"reprice": {"tolerance": 2}},
        {"approval": {"purchase": "sometimes"}},
        {"limit": {}},
        {"limits": {"total": {"XQQ": 8000}}},
        {"limits": {"total": {"CNY": "8000.123"}}},
        {"limits": {"total": {"JPY": "0.5"}}},
        {"limits": {"total": {"CNY": -1}}},
        {"rewind": {"four_eyes_over": {"eur": 200}}},
        {"rewind": {"four_eyes_over": {"EUR": "1e999"}}},
        {"rewind": {"four_eyes_over": {"EUR": "NaN"}}},
    ],
)
def test_a_policy_that_says_something_else_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        policy(**wrong)


def test_a_limit_may_be_nothing_and_is_in_the_coins_of_its_currency() -> None:
    assert policy(limits={"total": {"CNY": 0, "KWD": "1.125"}}).limits.total == {"CNY": Decimal(0), "KWD": Decimal("1.125")}


def test_cabins_are_those_of_the_airline() -> None:
    assert policy(limits={"cabins": {"first": "review"}}).limits.cabins == {Cabin.FIRST: "review"}
