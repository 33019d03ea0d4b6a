"""Purchases are paused while a run is on its way to the airline: after the pause nothing goes out, and what is gone is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.booking.provider import AirlineOrder, CancellationQuote, Offer, Provider, SearchRequest
from assistant.domain.commands import Kind
from assistant.operating import pause_now
from assistant.shopping import Shopping
from tests.stories.dying import Passing
from tests.stories.test_decisions import submitted
from tests.stories.ways_back import booked, cheap_seats
from tests.stories.world import Json, Person, World

GONE = {"zh": "原订单已取消，但新订单没有订成", "en": "The old booking was cancelled, but the new one could not be made"}


class PausedMeanwhile(Passing):
    """An operator stops purchases while this airline is asked something."""

    def __init__(self, airline: Provider, world: World) -> None:
        super().__init__(airline)
        self.world = world

    async def pause(self) -> None:
        await pause_now(self.world.whole.settings, kind=Kind.PAUSE, reason="The card is being replaced")

    async def search(self, request: SearchRequest) -> tuple[Offer, ...]:
        found = await self.airline.search(request)
        await self.pause()
        return found

    async def get_order(self, order_id: str) -> AirlineOrder:
        found = await self.airline.get_order(order_id)
        await self.pause()
        return found

    async def quote_cancellation(self, order_id: str) -> CancellationQuote:
        quote = await self.airline.quote_cancellation(order_id)
        await self.pause()
        return quote

    async def confirm_cancellation(self, quote_id: str) -> AirlineOrder:
        order = await self.airline.confirm_cancellation(quote_id)
        await self.pause()
        return order


async def resume(world: World) -> None:
    await pause_now(world.whole.settings, kind=Kind.RESUME, reason=None)


def paused_while_it_gets_ready(world: World) -> None:
    desk = world.whole.desk
    airline = PausedMeanwhile(desk.provider, world)
    reading = replace(desk.reading, provider=airline)
    desk.preparing = replace(desk.preparing, reading=reading, shopping=Shopping(airline, desk.clock))


async def seated_elsewhere(tina: Person, trip: Json) -> Json:
    """Another seat on the same flight, which is cancelled and booked again for it."""
    seat = (await cheap_seats(tina, trip, 1))[-1]
    wanted = {"offer": 1, "seats": {"1": {"1": seat}}, "settle": "rebook"}
    await tina.does(f"/trips/{trip['trip_id']}/revision", wanted)
    trip = await tina.trip(trip["trip_id"])
    assert [step["kind"] for step in trip["plan"]["steps"]] == ["cancel", "book"]
    return trip


@pytest.mark.parametrize("can_hold", [False, True])
async def test_a_purchase_does_not_go_out_after_the_pause(can_hold: bool, world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=can_hold)
    before, desk, ready = world.effects(), world.whole.desk, world.whole.desk.preparing
    paused_while_it_gets_ready(world)
    await rita.decides(trip["review_id"], "approve")
    await world.later(60)
    after = await tina.trip(trip["trip_id"])
    assert world.effects() == before
    assert (after["status"], "Purchases were paused" in after["reason"]) == ("waiting_review", True)
    desk.preparing = ready
    await resume(world)
    await rita.decides(after["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert len(world.orders()) == 1


async def test_a_ticket_is_not_given_up_for_another_that_could_not_be_bought(world: World, tina: Person, rita: Person) -> None:
    _, trip = await booked(tina, rita)
    trip = await seated_elsewhere(tina, trip)
    paused_while_it_gets_ready(world)
    await rita.decides(trip["review_id"], "approve")
    await world.later(60)
    assert world.effects() == ["book"]
    assert (await tina.trip(trip["trip_id"]))["status"] == "waiting_review"


async def test_what_is_only_given_up_is_given_up_in_spite_of_the_pause(world: World, tina: Person, rita: Person) -> None:
    _, trip = await booked(tina, rita)
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    paused_while_it_gets_ready(world)
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    assert (await tina.trip(trip["trip_id"]))["status"] == "cancelled"
    assert world.effects() == ["book", "cancel"]


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_where_the_ticket_is_gone_when_the_pause_begins_everybody_is_told_so(
    language: str, world: World, rita: Person
) -> None:
    tina = await world.person("tina", language)
    chat, trip = await booked(tina, rita, {"zh": "12月11日从上海飞东京", "en": "From Shanghai to Tokyo on 11 December"}[language])
    trip = await seated_elsewhere(tina, trip)
    desk = world.whole.desk
    desk.preparing = replace(desk.preparing, provider=PausedMeanwhile(desk.provider, world))
    await rita.decides(trip["review_id"], "approve")
    await world.later(10)
    after = await tina.trip(trip["trip_id"])
    assert world.effects() == ["book", "cancel"]
    assert GONE[language] in after["reason"]
    assert GONE[language] in (await chat.told())[-1]
    assert after["status"] == "needs_person"
    assert trip["trip_id"] in [case["trip_id"] for case in (await rita.get("/operations/cases"))["cases"]]
    await resume(world)
    again = await tina.answer(trip["trip_id"], "resubmit")
    await rita.decides(again["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert world.effects() == ["book", "cancel", "book"]
