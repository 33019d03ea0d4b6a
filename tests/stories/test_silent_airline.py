"""An airline that is silent: what only it can answer is given up soon and asked again; nothing else waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from sqlalchemy import select

from assistant.booking.provider import AirlineOrder, Provider
from assistant.bootstrap import Layover
from assistant.dispatch.rounds import Rounds
from assistant.domain.commands import Command, Kind
from assistant.persistence.tables import operations, trips
from assistant.reconciling import LATE_AFTER
from tests.stories.dying import Passing, process_on
from tests.stories.test_lost_answers import settled
from tests.stories.test_unknown_outcomes import create_of, waits
from tests.stories.ways_back import walker
from tests.stories.world import Json, Person, World, opened

NEVER_MADE: Json = {"match": {"op": "create"}, "fault": "timeout_before_apply"}


class Silent(Passing):
    """Answers no look-up until it is let go on. `asked` counts them, `at_once` how many waited side by side."""

    def __init__(self, airline: Provider) -> None:
        super().__init__(airline)
        self.goes_on, self.asked, self.under_way, self.at_once = asyncio.Event(), 0, 0, 0

    async def find_orders(self, *, operation_id: str, offer_id: str) -> tuple[AirlineOrder, ...]:
        self.asked, self.under_way = self.asked + 1, self.under_way + 1
        self.at_once = max(self.at_once, self.under_way)
        try:
            await self.goes_on.wait()
            return await self.airline.find_orders(operation_id=operation_id, offer_id=offer_id)
        finally:
            self.under_way -= 1


def silent() -> tuple[list[Silent], Callable[[Provider], Silent]]:
    made: list[Silent] = []

    def airline_of(airline: Provider) -> Silent:
        made.append(Silent(airline))
        return made[0]

    return made, airline_of


async def sent_and_lost(world: World, person: Person, reviewer: Person) -> Json:
    _, trip = await waits(person)
    world.airline.put_faults([NEVER_MADE])
    await reviewer.decides(trip["review_id"], "approve")
    world.airline.put_faults([])
    return trip


async def until(reached: Callable[[], Awaitable[bool]], *, seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not await reached():  # noqa: ASYNC110  (other loops do what is waited for)
            await asyncio.sleep(0.02)


async def state_of(process: Layover, trip_id: str) -> str:
    return await process.database.read(lambda tx: tx.scalar(select(trips.c.status).where(trips.c.trip_id == trip_id))) or ""


async def test_a_review_expires_and_a_trip_wakes_while_a_look_up_is_not_answered(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina, rita, tom = await world.person("tina"), await world.person("rita"), await world.person("tom")
        lost = await sent_and_lost(world, tina, rita)
        assert (await settled(world, tina, lost["trip_id"]))["status"] == "needs_person"
        _, asked = await waits(tom)
        operation_id, actor = await create_of(world, lost), (await walker(world, "rita")).actor
        world.airline.advance(25 * 3600)
    made, airline_of = silent()
    async with process_on(data_dir, airline_of) as process:
        process.reconciler.pause = 0.01
        await process.dispatcher.start(process.service.run)
        process.reconciler.start()
        await until(lambda: _is(made[0].under_way > 0))
        said = {"resolution": "not_booked", "reason": "Their desk told us on the phone"}
        word = Command(command_id=str(uuid4()), kind=Kind.RESOLVE_OPERATION, actor=actor, target=operation_id, payload=said)
        await process.service.accept(word)

        async def woken() -> bool:
            return [await state_of(process, t["trip_id"]) for t in (lost, asked)] == ["choosing", "expired"]

        await until(woken)
        assert (made[0].asked, made[0].under_way) == (1, 1)  # the first one is still not answered
        made[0].goes_on.set()
        await process.reconciler.stop()
        await process.dispatcher.stop()


async def _is(so: bool) -> bool:
    return so


async def test_who_does_not_answer_a_look_up_is_given_up_soon_and_asked_again_later(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        operation_id = await create_of(world, await sent_and_lost(world, tina, rita))
        world.airline.advance(3)
    made, airline_of = silent()
    async with process_on(data_dir, airline_of) as process:
        process.desk.looking_up = replace(process.desk.looking_up, patience=0.05)
        async with asyncio.timeout(10):
            await process.reconciler.at_the_airline()
    assert made[0].asked == 1
    async with opened(data_dir) as world:
        (row,) = await world.rows(operations, operation_id=operation_id)
        assert (row.state, row.looks, row.look_after > world.airline.now()) == ("unknown", 1, True)


async def test_a_few_are_looked_up_side_by_side_and_no_more(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina, tom, rita, raj = [await world.person(name) for name in ("tina", "tom", "rita", "raj")]
        for traveller, reviewer in ((tina, rita), (tom, rita), (rita, raj)):
            await sent_and_lost(world, traveller, reviewer)
        world.airline.advance(3)
    made, airline_of = silent()
    async with process_on(data_dir, airline_of) as process:
        process.reconciler.side_by_side = 2
        round_of_it = asyncio.create_task(process.reconciler.at_the_airline())
        await until(lambda: _is(made[0].under_way == 2))
        made[0].goes_on.set()
        await round_of_it
        assert (made[0].asked, made[0].at_once) == (3, 2)
        looked = await process.database.read(lambda tx: tx.scalars(select(operations.c.looks)))
        assert list(looked) == [1, 1, 1]


async def test_a_round_that_waits_for_nobody_outside_and_is_not_over_in_its_time_is_told_as_late() -> None:
    now, let_go = [0.0], asyncio.Event()

    async def hangs() -> None:
        await let_go.wait()

    rounds = Rounds("the reconciler", hangs, rest=lambda: asyncio.sleep(0), patience=LATE_AFTER, seconds=lambda: now[0])
    rounds.start()
    await asyncio.sleep(0)
    assert rounds.goes_on
    now[0] = LATE_AFTER + 1
    assert not rounds.goes_on
    let_go.set()
    await rounds.stop()
