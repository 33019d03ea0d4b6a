"""What an event of the airline does to each kind of operation in each of its states: to end, to be looked up now, or nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest

from assistant import ledger
from assistant.booking.provider import WebhookEvent
from assistant.domain.plans import StepKind
from assistant.persistence.database import Database, Tx
from assistant.persistence.tables import evidence, operations
from tests.contracts.test_stores import NOW, database, empty
from tests.contracts.test_stores_ledger import FARE, begun, bought, change, planned, rows, state_of, step

__all__ = ["database", "empty"]  # fixtures

LATER = NOW + timedelta(hours=1)
CREATES = (StepKind.BOOK, StepKind.HOLD)


async def hears(database: Database, kind: str, *, order_id: str | None = None, offer_id: str | None = None) -> None:
    """Of "op", or of what names it by its offer only."""
    named = None if offer_id else "op"
    number = len(await rows(database, evidence))
    event = WebhookEvent(event_id=f"e{number}", kind=kind, order_id=order_id, offer_id=offer_id, operation_id=named)
    await database.write(lambda tx: ledger.heard(tx, event, at=NOW))


async def being_sent(database: Database, kind: StepKind = StepKind.BOOK) -> None:
    """A create between its intent and its answer."""
    await planned(database, step("op", kind=kind))
    await sent_once_more(database)


async def sent_once_more(database: Database) -> None:
    async def offered(tx: Tx) -> None:
        await ledger.note(tx, operation_id="op", order_id=None, kind="offer", body=FARE.model_dump(mode="json"), at=NOW)

    await database.write(offered)
    await begun(database, "op")


async def unanswered(database: Database) -> tuple[str, bool]:
    """What becomes of it when no answer comes, and whether it is looked up at once."""
    await change(database, "op", "unanswered", look_after=LATER)
    (row,) = [row for row in await rows(database, operations) if row.operation_id == "op"]
    return row.state, row.look_after == NOW


@pytest.mark.parametrize("kind", CREATES)
async def test_nothing_is_ended_while_it_is_sent_and_the_word_counts_when_no_answer_comes(
    database: Database, kind: StepKind
) -> None:
    await being_sent(database, kind)
    await hears(database, "order.creation_failed")
    assert await state_of(database, "op") == "submitting"
    assert await unanswered(database) == ("failed", False)


@pytest.mark.parametrize("kind", CREATES)
async def test_word_of_an_order_is_followed_at_once_when_no_answer_comes(database: Database, kind: StepKind) -> None:
    await being_sent(database, kind)
    assert await unanswered(database) == ("unknown", False)
    await hears(database, "order.created", order_id="ord_1")
    (row,) = await rows(database, operations)
    assert (row.state, row.look_after) == ("unknown", NOW)


async def test_word_that_came_before_the_answer_was_lost_is_followed_at_once_too(database: Database) -> None:
    await being_sent(database)
    await hears(database, "order.created", order_id="ord_1")
    assert await unanswered(database) == ("unknown", True)


@pytest.mark.parametrize("words", [("order.created", "order.creation_failed"), ("order.creation_failed", "order.created")])
async def test_an_airline_that_says_both_is_looked_up_and_not_believed(database: Database, words: tuple[str, str]) -> None:
    await being_sent(database)
    for word in words:
        await hears(database, word, order_id="ord_1" if word == "order.created" else None)
    assert await unanswered(database) == ("unknown", True)
    await hears(database, "order.creation_failed")
    assert await state_of(database, "op") == "unknown"


async def test_a_word_on_the_offer_tried_before_says_nothing_of_the_one_that_is_being_sent(database: Database) -> None:
    await being_sent(database)
    await hears(database, "order.creation_failed")
    await sent_once_more(database)
    assert await unanswered(database) == ("unknown", False)


async def test_a_word_that_names_another_offer_does_not_end_it(database: Database) -> None:
    await being_sent(database)
    event = WebhookEvent(event_id="e", kind="order.creation_failed", offer_id="offer tried before", operation_id="op")
    await database.write(lambda tx: ledger.heard(tx, event, at=NOW))
    assert (await unanswered(database))[0] == "unknown"


@pytest.mark.parametrize("state", ["unknown", "needs_person"])
async def test_the_word_that_nothing_was_made_ends_what_nobody_knows(database: Database, state: str) -> None:
    await being_sent(database)
    await unanswered(database)
    if state == "needs_person":
        await change(database, "op", "needs_person")
    await hears(database, "order.creation_failed", offer_id="offer of op")
    assert await state_of(database, "op") == "failed"


@pytest.mark.parametrize(("kind", "word"), [(StepKind.PAY, "payment.created"), (StepKind.CANCEL, "order_cancellation.confirmed")])
async def test_word_on_an_order_is_evidence_of_what_is_under_way_with_it_and_ends_nothing(
    database: Database, kind: StepKind, word: str
) -> None:
    await being_sent(database, StepKind.HOLD)
    await change(database, "op", "succeed", bought(state="held"), fare=FARE)
    await planned(database, step("next", kind=kind, create_id="op"))
    await begun(database, "next")
    await hears(database, word, order_id="ord_1")
    assert await state_of(database, "next") == "submitting"
    await change(database, "next", "unanswered", look_after=LATER)
    following = {row.operation_id: row for row in await rows(database, operations)}["next"]
    assert (following.state, following.look_after) == ("unknown", NOW)
    await hears(database, "order.creation_failed")
    assert await state_of(database, "next") == "unknown"
    assert await state_of(database, "op") == "succeeded"
    assert [row.operation_id for row in await rows(database, evidence) if row.kind == "webhook"] == ["next", "op"]


async def test_what_is_over_stays_over_and_only_an_order_makes_a_closed_create_be_looked_up_again(database: Database) -> None:
    await being_sent(database)
    await change(database, "op", "fail", "NOT_CREATED")
    for word, looked in (("order.creation_failed", False), ("order.updated", False), ("order.created", True)):
        await hears(database, word, order_id="ord_1" if word != "order.creation_failed" else None)
        (row,) = await rows(database, operations)
        assert (row.state, row.look_after == NOW) == ("failed", looked)
    closed = await database.read(lambda tx: ledger.closed_unsure(tx, since=NOW - timedelta(days=2), looks=8))
    assert [row.operation_id for row in closed] == ["op"]
    assert await database.read(lambda tx: ledger.closed_unsure(tx, since=NOW, looks=0)) == []


async def test_an_event_of_what_is_nobodys_is_kept(database: Database) -> None:
    await hears(database, "order.created", order_id="ord_9", offer_id="off_9")
    assert [(row.operation_id, row.order_id) for row in await rows(database, evidence)] == [(None, "ord_9")]
