"""A ticket is cancelled without us, or a payment or cancellation comes true that a person had closed as not done: the ledger
learns it, the flight is free again, and whose trip it is reads it."""

from __future__ import annotations

import pytest

from assistant.doctor import examine
from assistant.domain.understanding import Language
from assistant.persistence.tables import claims, operations
from assistant.persistence.tables import orders as orders_table
from tests.stories.test_cancelled_elsewhere import cancelled_by_phone
from tests.stories.test_decisions import submitted
from tests.stories.test_lost_answers import fail, settled
from tests.stories.test_unknown_outcomes import HOUR, WORDS, resolve
from tests.stories.ways_back import booked
from tests.stories.world import Person, World

NOT_FROM_HERE = {"zh": "不是从这里取消的", "en": "cancelled at the airline, not from here"}
AFTER_ALL = {"zh": "航司现在又取消了", "en": "has cancelled the booking after all"}


async def closed_as_not_done(world: World, rita: Person, kind: str) -> None:
    (row,) = await world.rows(operations, kind=kind)
    assert row.state == "needs_person"
    assert (await resolve(rita, row.operation_id, "not_booked"))[0] == 200
    await world.quiet()


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_ticket_that_the_airline_says_is_cancelled_is_asked_about(language: Language, world: World, rita: Person) -> None:
    tina = await world.person("tina", language)
    chat, trip = await booked(tina, rita, WORDS[language])
    await cancelled_by_phone(world, world.orders()[0]["id"])
    await world.later(5)
    await world.later(5)
    assert [row.state for row in await world.rows(orders_table)] == ["cancelled"]
    assert await world.rows(claims) == []
    now = await tina.trip(trip["trip_id"])
    assert (now["status"], NOT_FROM_HERE[language] in now["reason"]) == ("needs_person", True)
    assert [NOT_FROM_HERE[language] in text for text in await chat.told()].count(True) == 1
    assert [case["trip_id"] for case in (await rita.get("/operations/cases"))["cases"]] == [trip["trip_id"]]
    assert await examine(world.whole.database, world.whole.settings) == 0
    for _ in range(5):
        await world.later(HOUR)
    assert [NOT_FROM_HERE[language] in text for text in await chat.told()].count(True) == 1
    again = await tina.answer(trip["trip_id"], "resubmit")
    await rita.decides(again["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert world.effects() == ["book", "cancel", "book"]


async def test_it_can_be_left_cancelled(world: World, tina: Person, rita: Person) -> None:
    _, trip = await booked(tina, rita)
    await cancelled_by_phone(world, world.orders()[0]["id"])
    await world.later(5)
    await world.later(5)
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    assert (await tina.trip(trip["trip_id"]))["status"] == "cancelled"
    assert (await rita.get("/operations/cases"))["cases"] == []
    assert world.effects() == ["book", "cancel"]


async def test_a_cancellation_of_ours_is_not_taken_for_somebody_elses(world: World, tina: Person, rita: Person) -> None:
    chat, trip = await booked(tina, rita)
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    for _ in range(3):
        await world.later(HOUR)
    assert (await tina.trip(trip["trip_id"]))["status"] == "cancelled"
    assert not any(NOT_FROM_HERE["en"] in text or AFTER_ALL["en"] in text for text in await chat.told())


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("news", ["told", "not told"])
async def test_a_cancellation_closed_as_not_done_that_comes_true_is_told(
    news: str, language: Language, world: World, rita: Person
) -> None:
    tina = await world.person("tina", language)
    chat, trip = await booked(tina, rita, WORDS[language])
    late = {"match": {"op": "confirm", "nth": 1}, "fault": "accepted_202_then_created", "seconds": HOUR / 2}
    unheard = [{"match": {"op": "webhook"}, "fault": "webhook_drop"}] if news == "not told" else []
    world.airline.put_faults([late, *unheard])
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    await closed_as_not_done(world, rita, "cancel")
    assert len(world.orders()) == 1
    for _ in range(5):
        await world.later(HOUR)
    assert world.orders() == []
    assert [row.state for row in await world.rows(orders_table)] == ["cancelled"]
    assert await world.rows(claims) == []
    assert [AFTER_ALL[language] in text for text in await chat.told()].count(True) == 1
    again = await tina.answer(trip["trip_id"], "resubmit")
    assert again["status"] == "cancelled"
    assert world.effects() == ["book", "cancel"]


async def test_a_payment_closed_as_not_done_that_comes_true_is_told_and_not_made_again(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip, _ = await submitted(tina, can_hold=True)
    fail(world, "pay", "timeout_before_apply")
    await rita.decides(trip["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    await closed_as_not_done(world, rita, "pay")
    (order,) = await world.rows(orders_table)
    held_for = await world.whole.desk.provider.get_order(order.order_id)
    await world.whole.desk.provider.pay_order(order.order_id, amount=held_for.total, operation_id="at their desk")
    await world.later(HOUR)
    await world.later(5)
    assert [row.state for row in await world.rows(orders_table)] == ["confirmed"]
    assert ["has taken the payment after all" in text for text in await chat.told()].count(True) == 1
    again = await tina.answer(trip["trip_id"], "resubmit")
    if again["status"] == "waiting_review":
        await rita.decides(again["review_id"], "approve")
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert world.effects() == ["hold", "pay"]
