"""What is looked after once a second: whatever one thing comes to, and wherever it dies, nothing is forgotten for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import update
from sqlalchemy.exc import NoResultFound

from assistant import crashpoints
from assistant.booking.provider import AirlineOrder, Provider
from assistant.bootstrap import Layover
from assistant.domain.errors import Reason, Refused
from assistant.persistence.tables import evidence, orders, questions, trips, words
from tests.stories.dying import Killed, Passing, process_on
from tests.stories.test_decisions import submitted
from tests.stories.test_lost_answers import settled
from tests.stories.test_unknown_outcomes import HOUR, LATE, closed_and_late, resolve, surplus, unknown
from tests.stories.world import Chat, Person, World, opened


def _killed() -> None:
    raise Killed


async def _rounds(process: Layover, many: int, *, seconds: float = 600) -> None:
    assert process.airline is not None
    for _ in range(many):
        await process.reconciler.once()
        process.airline.advance(seconds)


async def test_a_late_order_found_by_a_process_that_dies_at_once_is_told_all_the_same(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        chat, trip, _ = await closed_and_late(world, await world.person("tina"), await world.person("rita"))
        conversation_id = chat.conversation_id
        world.airline.advance(HOUR)
    async with process_on(data_dir, Passing) as process:
        crashpoints.arm("look_up.committed", then=_killed)
        with pytest.raises(Killed):
            await _rounds(process, 20)
        crashpoints.arm("")
    async with opened(data_dir) as world:
        await world.quiet()
        (row,) = await world.rows(orders, trip_id=trip["trip_id"])
        assert row.state == "surplus"
        told = await Chat(await world.person("tina"), conversation_id).told()
        assert len([text for text in told if LATE["en"] in text]) == 1


class RefusesToAnswer(Passing):
    """Does not say whether it knows an order: the access it was given has run out."""

    async def get_order(self, order_id: str) -> AirlineOrder:
        raise Refused(Reason.AUTH, "the token has expired")


async def test_an_airline_that_lets_us_read_nothing_has_not_said_that_it_knows_no_such_booking(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip, operation_id = await unknown(world, tina, rita, {"fault": "accepted_202_then_created", "seconds": 2 * HOUR})
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    world.airline.advance(2 * HOUR)
    (order,) = world.orders()
    desk = world.whole.desk
    airline, desk.provider = desk.provider, cast(Any, RefusesToAnswer(desk.provider))
    assert (await resolve(rita, operation_id, "adopt", order_id=order["id"]))[0] == 200
    await world.quiet()
    assert await world.rows(evidence, operation_id=operation_id, kind="not_adopted") == []
    desk.provider = airline
    await world.later(HOUR)
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"


async def test_a_row_nobody_can_read_keeps_no_other_trip_waiting(world: World, tina: Person, rita: Person) -> None:
    _, broken, _ = await unknown(world, tina, rita, {"fault": "timeout_before_apply"})
    tom = await world.person("tom")
    _, trip, _ = await unknown(world, tom, rita, {"fault": "accepted_202_then_created", "seconds": 90})
    assert (await tom.trip(trip["trip_id"]))["status"] == "checking"
    poison = update(questions).where(questions.c.thread_id == broken["trip_id"], questions.c.status == "waiting")
    body = {"operation_id": "no such operation", "stopped": "unknown"}
    await world.whole.database.write(lambda tx: tx.execute(poison.values(body=body)))
    for _ in range(5):
        world.airline.advance(60)
        with pytest.raises(NoResultFound):
            await world.whole.reconciler.once()
        await world.whole.dispatcher.idle()
    assert (await tom.trip(trip["trip_id"]))["status"] == "booked"


class NeverLetsGo(Passing):
    """Goes on saying that a hold is held, also when it has run out."""

    def __init__(self, airline: Provider, reads: list[str]) -> None:
        super().__init__(airline)
        self.reads = reads

    async def get_order(self, order_id: str) -> AirlineOrder:
        self.reads.append(order_id)
        found = await self.airline.get_order(order_id)
        return found.model_copy(update={"state": "held"})


async def test_a_hold_that_ran_out_and_still_reads_as_held_is_read_ever_less_often(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        await submitted(await world.person("tina"), can_hold=True)
        (hold,) = await world.rows(orders, state="held")
        world.airline.advance((hold.pay_by - world.airline.now()).total_seconds())
    reads: list[str] = []
    async with process_on(data_dir, lambda airline: NeverLetsGo(airline, reads)) as process:
        await _rounds(process, 400, seconds=1)
    assert reads[0] == hold.order_id
    assert 10 < len(reads) < 100


async def _follow(world: World, many: int, *, seconds: float) -> None:
    giving_back = world.whole.reconciler.giving_back
    for _ in range(many):
        for due in await giving_back.words():
            await giving_back.followed(due)
        world.airline.advance(seconds)


async def test_a_word_that_does_not_fit_now_is_given_ever_less_often_and_in_the_end_handed_back(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip, operation_id, _ = await surplus(world, tina, rita)
    answer = trips.update().where(trips.c.trip_id == trip["trip_id"])
    await world.whole.database.write(lambda tx: tx.execute(answer.values(tenant_id="moved away")))  # so that nothing fits
    assert (await resolve(rita, operation_id, "cancel"))[0] == 200
    await _follow(world, 60, seconds=1)
    (word,) = await world.rows(words, operation_id=operation_id)
    assert 3 < word.tries < 10
    seen = (await rita.get("/me/changes"))["inbox"]
    await _follow(world, 110, seconds=HOUR / 2)
    (word,) = await world.rows(words, operation_id=operation_id)
    assert word.due is None
    assert [e.body["why"] for e in await world.rows(evidence, operation_id=operation_id, kind="not_adopted")] == ["not_followed"]
    assert (await rita.get("/me/changes"))["inbox"] > seen


async def test_a_word_that_was_followed_is_not_walked_any_more(world: World, tina: Person, rita: Person) -> None:
    _, _, operation_id, _ = await surplus(world, tina, rita)
    assert (await resolve(rita, operation_id, "adopt"))[0] == 200
    for _ in range(5):
        await world.later(60)
    (word,) = await world.rows(words, operation_id=operation_id)
    assert word.due is None
