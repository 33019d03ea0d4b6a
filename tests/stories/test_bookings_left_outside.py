"""A booking that a way back leaves outside the main line: told at once, listed, reminded of, until it is settled."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from uuid import uuid4
from zoneinfo import ZoneInfo

from sqlalchemy import delete, update

from assistant.booking.provider import AirlineOrder, OrderRequest
from assistant.domain.commands import Command, Kind
from assistant.persistence.database import Tx
from assistant.persistence.tables import orders, reminders
from tests.stories.dying import Passing, process_on
from tests.stories.test_decisions import submitted
from tests.stories.ways_back import booked, newest, picks, steps, ticketed, walker
from tests.stories.world import Chat, Json, Person, World, opened

DAY = 24 * 3600


async def left_outside(world: World, tina: Person, rita: Person) -> tuple[Chat, Json]:
    """Booked for the 11th, gone back to the 14th: the list is shown, the ticket is still there."""
    chat, trip = await booked(tina, rita)
    guide = await walker(world, "rita")
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "start"))[0], {"depart_on": "2026-12-14"})
    return chat, trip


def until_it_leaves(world: World, order: Json) -> float:
    """Seconds until a flight from Shanghai departs."""
    departs = datetime.fromisoformat(order["fare"]["segments"][0]["departs"]).replace(tzinfo=ZoneInfo("Asia/Shanghai"))
    return (departs - world.airline.now()).total_seconds()


async def said_of_it(chat: Chat, reference: str) -> tuple[int, int]:
    """How often it was told at first, and again."""
    told = [text for text in await chat.told() if reference in text]
    return sum("is still valid; it is listed" in text for text in told), sum("A reminder" in text for text in told)


async def test_it_is_told_at_once_a_day_later_and_a_day_before_it_leaves(world: World, tina: Person, rita: Person) -> None:
    seen = (await rita.get("/me/changes"))["inbox"]
    chat, trip = await left_outside(world, tina, rita)
    reference = trip["orders"][0]["booking_reference"]
    assert await said_of_it(chat, reference) == (1, 0)
    assert [o["booking_reference"] for o in (await tina.trip(trip["trip_id"]))["other_live_bookings"]] == [reference]
    now = (await rita.get("/me/changes"))["inbox"]
    assert now > seen
    await world.later(DAY - 120)
    assert await said_of_it(chat, reference) == (1, 0)
    for _ in range(3):
        await world.later(120)
    assert await said_of_it(chat, reference) == (1, 1)
    assert (await rita.get("/me/changes"))["inbox"] > now
    for _ in range(7):
        await world.later(DAY)
    assert await said_of_it(chat, reference) == (1, 1)
    for _ in range(5):
        await world.later(DAY / 2)
    assert await said_of_it(chat, reference) == (1, 2)
    for _ in range(4):
        await world.later(DAY)
    assert await said_of_it(chat, reference) == (1, 2)
    assert len(world.orders()) == 1


async def test_once_it_is_settled_nobody_is_reminded(world: World, tina: Person, rita: Person) -> None:
    chat, trip = await left_outside(world, tina, rita)
    order = trip["orders"][0]
    await tina.does(f"/trips/{trip['trip_id']}/cancellation", {"order_id": order["order_id"]})
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    await world.quiet()
    assert world.orders() == []
    assert await world.rows(reminders) == []
    await world.later(2 * DAY)
    assert await said_of_it(chat, order["booking_reference"]) == (1, 0)


async def test_while_a_plan_that_replaces_it_waits_for_approval_nobody_is_reminded(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip = await left_outside(world, tina, rita)
    waits = await picks(tina, await tina.trip(trip["trip_id"]))
    assert waits["status"] == "waiting_review"
    await world.later(DAY - 3600)
    assert await said_of_it(chat, trip["orders"][0]["booking_reference"]) == (1, 0)
    assert (await ticketed(tina, rita, await tina.trip(trip["trip_id"])))["status"] == "booked"
    assert await world.rows(reminders) == []
    assert [f["flights"][0][-10:] for f in world.orders()] == ["2026-12-14"]


async def test_a_reminder_that_waited_for_a_decision_still_comes_before_the_flight_leaves(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip = await left_outside(world, tina, rita)
    order = trip["orders"][0]
    await world.later(DAY + 60)
    await world.later(until_it_leaves(world, order) - 25 * 3600)
    assert await said_of_it(chat, order["booking_reference"]) == (1, 1)
    assert (await picks(tina, await tina.trip(trip["trip_id"])))["status"] == "waiting_review"
    await world.later(2 * 3600)
    assert await said_of_it(chat, order["booking_reference"]) == (1, 1)
    await world.later(until_it_leaves(world, order) - 3000)  # nobody has decided: the review is over
    await world.later(60)
    assert await said_of_it(chat, order["booking_reference"]) == (1, 2)
    await world.later(DAY)
    assert await said_of_it(chat, order["booking_reference"]) == (1, 2)


async def test_a_change_of_ones_own_is_not_lectured_about_and_reminded_of_when_forgotten(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip = await booked(tina, rita)
    await tina.does(f"/trips/{trip['trip_id']}/revision", {"request": {"depart_on": "2026-12-14"}})
    reference = trip["orders"][0]["booking_reference"]
    assert await said_of_it(chat, reference) == (0, 0)
    await world.later(DAY + 60)
    assert await said_of_it(chat, reference) == (0, 1)


async def test_on_the_last_day_a_change_of_ones_own_leaves_no_moment_to_remind_of_it_but_now(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip = await booked(tina, rita)
    order = trip["orders"][0]
    await world.later(until_it_leaves(world, order) - 20 * 3600)
    await tina.does(f"/trips/{trip['trip_id']}/revision", {"request": {"depart_on": "2026-12-14"}})
    await world.quiet()
    assert await said_of_it(chat, order["booking_reference"]) == (0, 1)
    await world.later(2 * DAY)
    assert await said_of_it(chat, order["booking_reference"]) == (0, 1)


async def test_what_a_plan_would_have_replaced_is_told_of_when_that_plan_runs_out(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip = await booked(tina, rita)
    guide, choice = await walker(world, "rita"), (await steps(world, trip["trip_id"], "choose"))[0]
    await guide.goes_back(trip["trip_id"], choice, {"offer": 2})
    now = await tina.trip(trip["trip_id"])
    now = await tina.answer(trip["trip_id"], "agree") if now["status"] == "waiting_traveller" else now
    assert now["status"] == "waiting_review"
    reference = trip["orders"][0]["booking_reference"]
    assert await said_of_it(chat, reference) == (0, 0)
    await world.later(DAY + 60)
    assert (await tina.trip(trip["trip_id"]))["status"] == "expired"
    assert await said_of_it(chat, reference) == (1, 0)
    await world.later(DAY + 60)
    assert await said_of_it(chat, reference) == (1, 1)


async def test_it_survives_a_restart_and_is_told_once(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        chat, trip = await left_outside(world, await world.person("tina"), await world.person("rita"))
        conversation_id, reference = chat.conversation_id, trip["orders"][0]["booking_reference"]
        world.airline.advance(DAY + 60)  # nobody looks any more
    for told in (1, 1):
        async with opened(data_dir) as world:
            chat = Chat(await world.person("tina"), conversation_id)
            await world.quiet()
            assert await said_of_it(chat, reference) == (1, told)
            (row,) = await world.rows(reminders)
            assert row.told == 1
    async with opened(data_dir) as world:  # told, and the process died before it had noted that

        async def as_before(tx: Tx) -> None:
            await tx.execute(update(reminders).values(told=0, due=row.since + timedelta(days=1)))

        await world.whole.database.write(as_before)
        await world.quiet()
        assert await said_of_it(Chat(await world.person("tina"), conversation_id), reference) == (1, 1)
        assert (await world.rows(reminders))[0].told == 1


async def test_what_was_outside_before_there_was_a_list_is_told_of_when_there_is_one(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        chat, trip = await booked(tina, await world.person("rita"))
        await tina.does(f"/trips/{trip['trip_id']}/revision", {"request": {"depart_on": "2026-12-14"}})
        conversation_id, reference = chat.conversation_id, trip["orders"][0]["booking_reference"]

        async def as_before(tx: Tx) -> None:
            await tx.execute(delete(reminders))

        await world.whole.database.write(as_before)
    for told in (1, 1):
        async with opened(data_dir) as world:
            await world.quiet()
            assert await said_of_it(Chat(await world.person("tina"), conversation_id), reference) == (told, 0)


class BreaksAfterSending(Passing):
    """The airline does what it is asked and answers in a way nobody has thought of."""

    async def create_order(self, request: OrderRequest) -> AirlineOrder:
        await self.airline.create_order(request)
        raise ZeroDivisionError


async def test_what_a_way_back_that_failed_has_held_is_told_of(data_dir: Path) -> None:
    """It is found at the airline only after the way back has failed, and nothing asks about that trip any more."""
    async with opened(data_dir) as world:
        tina, rita, guide = await world.person("tina"), await world.person("rita"), await walker(world, "rita")
        chat, trip, _ = await submitted(tina, can_hold=True)
        await rita.decides(trip["review_id"], "reject", message="Not yet")
        choice, seen = (await steps(world, trip["trip_id"], "choose"))[0], await newest(world, trip["trip_id"])
    payload = {"to_version": choice, "seen_version": seen, "reason": "Now it may go"}
    back = Command(command_id=str(uuid4()), kind=Kind.REWIND, actor=guide.actor, target=trip["trip_id"], payload=payload)
    async with process_on(data_dir, BreaksAfterSending) as process:
        await process.service.accept(back)
        await process.service.run(back.actor.tenant_id, back.command_id)
        assert (await process.service.settled(back.actor.tenant_id, back.command_id, wait=0)).status == "failed"
    async with opened(data_dir) as world:
        for _ in range(3):
            await world.later(60)
        (row,) = await world.rows(orders, trip_id=trip["trip_id"], state="held")
        assert await said_of_it(Chat(await world.person("tina"), chat.conversation_id), row.booking_reference) == (1, 0)


async def test_in_chinese(world: World, rita: Person) -> None:
    tina = await world.person("tina", "zh")
    chat, trip = await booked(tina, rita, "12月11日从上海飞东京")
    guide = await walker(world, "rita")
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "start"))[0], {"depart_on": "2026-12-14"})
    reference = trip["orders"][0]["booking_reference"]
    assert any("仍然有效，列在" in text and reference in text for text in await chat.told())
    await world.later(DAY + 60)
    assert any(text.startswith("提醒：") and reference in text for text in await chat.told())
