"""An answer of the airline's is on its way while the order is paid: what it says was true, and is true no more."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from assistant import ledger
from assistant.booking.provider import AirlineOrder, OrderRequest, Provider
from assistant.desk import BookingDesk
from assistant.doctor import examine
from assistant.domain.commands import Edits
from assistant.domain.money import Money
from assistant.persistence.tables import claims
from assistant.persistence.tables import orders as orders_table
from tests.stories.dying import Passing
from tests.stories.test_decisions import submitted
from tests.stories.test_lost_answers import fail, settled
from tests.stories.ways_back import walker
from tests.stories.world import Person, World

PAST_ITS_TIME = 7 * 24 * 3600.0


class ReadsLate(Passing):
    """The first order that is asked for is answered at once, and the answer arrives when it is let go on."""

    def __init__(self, airline: Provider) -> None:
        super().__init__(airline)
        self.read, self.arrives = asyncio.Event(), asyncio.Event()

    async def get_order(self, order_id: str) -> AirlineOrder:
        found = await self.airline.get_order(order_id)
        if not self.read.is_set():
            self.read.set()
            await self.arrives.wait()
        return found


class PaidWhileItReadsAsLapsed(Passing):
    """The money arrives in time; whoever reads the order meanwhile finds that its time is over."""

    def __init__(self, airline: Provider, desk: BookingDesk) -> None:
        super().__init__(airline)
        self.desk = desk

    async def pay_order(self, order_id: str, *, amount: Money, operation_id: str) -> AirlineOrder:
        seen = (await self.airline.get_order(order_id)).model_copy(update={"state": "lapsed"})
        await self.desk.database.write(lambda tx: ledger.refresh_order(tx, seen, at=self.desk.clock()))
        return await self.airline.pay_order(order_id, amount=amount, operation_id=operation_id)


def reads_with(desk: BookingDesk, airline: Passing) -> None:
    """What is asked of an order is asked of this airline."""
    desk.reading = replace(desk.reading, provider=airline)
    desk.wanting = replace(desk.wanting, reading=desk.reading)
    desk.preparing = replace(desk.preparing, reading=desk.reading)


@pytest.mark.parametrize("ticketed", [False, True])
async def test_a_reading_from_before_the_payment_does_not_take_it_back(
    ticketed: bool, world: World, tina: Person, rita: Person
) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    late = ReadsLate(world.whole.desk.provider)
    reads_with(world.whole.desk, late)
    actor = (await walker(world, "rita")).actor
    preview = asyncio.create_task(world.whole.service.preview_edit(actor, trip["review_id"], Edits(seats={})))
    await asyncio.wait_for(late.read.wait(), 10)
    await rita.decides(trip["review_id"], "approve")
    if ticketed:
        await world.later(10)
    (before,) = await world.rows(orders_table)
    assert before.state == ("confirmed" if ticketed else "ticketing")
    late.arrives.set()
    await asyncio.gather(preview, return_exceptions=True)  # what was to be edited is decided by now
    (after,) = await world.rows(orders_table)
    assert (after.state, after.documents) == (before.state, before.documents)
    await world.later(PAST_ITS_TIME)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert [row.state for row in await world.rows(orders_table)] == ["confirmed"]
    assert await world.rows(claims) != []
    assert len(world.orders()) == 1


async def test_what_was_paid_at_the_last_moment_is_booked_though_it_had_been_read_as_lapsed(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    desk, claimed = world.whole.desk, len(await world.rows(claims))
    desk.preparing = replace(desk.preparing, provider=PaidWhileItReadsAsLapsed(desk.provider, desk))
    await rita.decides(trip["review_id"], "approve")
    await world.later(10)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert [row.state for row in await world.rows(orders_table)] == ["confirmed"]
    assert len(await world.rows(claims)) == claimed
    assert world.effects() == ["hold", "pay"]


class AheadOfItsTime(Passing):
    """For a minute after a payment its hold reads as run out, as it does to whoever has another clock."""

    def __init__(self, airline: Provider, world: World) -> None:
        super().__init__(airline)
        self.world, self.until = world, world.airline.now()

    async def pay_order(self, order_id: str, *, amount: Money, operation_id: str) -> AirlineOrder:
        self.until = self.world.airline.now() + timedelta(minutes=1)
        return await self.airline.pay_order(order_id, amount=amount, operation_id=operation_id)

    async def get_order(self, order_id: str) -> AirlineOrder:
        found = await self.airline.get_order(order_id)
        return found.model_copy(update={"state": "lapsed", "documents": ()}) if self.world.airline.now() < self.until else found


async def test_a_payment_that_may_be_under_way_is_not_given_up_because_its_hold_ran_out(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    desk = world.whole.desk
    airline = AheadOfItsTime(desk.provider, world)
    desk.preparing = replace(desk.preparing, provider=airline)
    desk.looking_up = replace(desk.looking_up, provider=airline)
    fail(world, "pay", "timeout_after_apply")
    await rita.decides(trip["review_id"], "approve")
    for _ in range(5):
        await world.later(10)
    assert (await tina.trip(trip["trip_id"]))["status"] == "checking"
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"
    assert world.effects() == ["hold", "pay"]


class AnswersAfterItWasClosed(Passing):
    """The booking is made, and its answer comes when a person has closed it as not made."""

    def __init__(self, airline: Provider, desk: BookingDesk) -> None:
        super().__init__(airline)
        self.desk = desk

    async def create_order(self, request: OrderRequest) -> AirlineOrder:
        made = await self.airline.create_order(request)

        async def close(tx: ledger.Tx) -> None:
            row = await ledger.operation(tx, request.operation_id)
            await ledger.fail(tx, row, "NOT_CREATED", at=self.desk.clock(), resolved_by={"user_id": "somebody"})

        await self.desk.database.write(close)
        return made


async def test_a_booking_answered_after_it_was_closed_is_a_late_order_that_people_settle(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip, _ = await submitted(tina, can_hold=False)
    desk = world.whole.desk
    desk.preparing = replace(desk.preparing, provider=AnswersAfterItWasClosed(desk.provider, desk))
    await rita.decides(trip["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "choosing"
    assert [row.state for row in await world.rows(orders_table)] == ["surplus"]
    assert [case["kind"] for case in (await rita.get("/operations/cases"))["cases"]] == ["late"]
    assert any("has made the booking after all" in text for text in await chat.told())
    assert await examine(world.whole.database, world.whole.settings) == 0
