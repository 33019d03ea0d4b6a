"""Answers that never came: found, told truthfully, settled by a person where nobody can find out, and never sent twice."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from assistant.booking.provider import AirlineOrder, OrderRequest, Provider
from assistant.domain.commands import Command, Kind
from assistant.persistence.tables import operations, orders
from tests.stories.dying import Killed, Passing, process_on
from tests.stories.test_decisions import submitted
from tests.stories.test_lost_answers import each_effect_happened_once, fail, settled
from tests.stories.ways_back import walker
from tests.stories.world import Chat, Json, Person, World, offer, opened

HOUR = 3600
WORDS = {"en": "From Shanghai to Tokyo on 11 December", "zh": "12月11日从上海飞东京"}
BOOKED = {"en": "is booked", "zh": "订好了"}
NOT_MADE = {"en": "The airline did not make the booking", "zh": "航司没有建成订单"}
LATE = {"en": "has made the booking after all", "zh": "航司现在又建成了"}
AGAIN = {"en": "Submit it again", "zh": "再提交一次"}
YES = {"en": "yes", "zh": "好的"}
BEFORE = {"en": "until then it is not booked again", "zh": "在此之前不会再订一次"}


class DiesBeforeHearing(Passing):
    """Whatever the airline answers, nobody is there to hear it."""

    async def create_order(self, request: OrderRequest) -> AirlineOrder:
        try:
            return await self.airline.create_order(request)
        finally:
            raise Killed


class NeverTickets(Passing):
    """Takes the money and issues nothing; `reads` counts how often an order is asked for."""

    def __init__(self, airline: Provider, reads: list[str]) -> None:
        super().__init__(airline)
        self.reads = reads

    async def create_order(self, request: OrderRequest) -> AirlineOrder:
        return _untold(await self.airline.create_order(request))

    async def get_order(self, order_id: str) -> AirlineOrder:
        self.reads.append(order_id)
        return _untold(await self.airline.get_order(order_id))


def _untold(order: AirlineOrder) -> AirlineOrder:
    return order.model_copy(update={"state": "ticketing", "documents": ()})


async def waits(person: Person) -> tuple[Chat, Json]:
    """An option that cannot be held, chosen and submitted in the person's language."""
    chat = await person.chat()
    await chat.say(WORDS[person.language])
    trip = await chat.trip()
    chosen = offer(trip, can_hold=False)
    return chat, await person.choose(trip["trip_id"], chosen["n"], offers_hash=trip["offers_hash"])


async def options(chat: Chat) -> list[str]:
    return [option["label"] for option in (await chat.view())["messages"][-1]["options"]]


async def create_of(world: World, trip: Json) -> str:
    (row,) = await world.rows(operations, trip_id=trip["trip_id"], kind="book")
    return row.operation_id


async def resolve(person: Person, operation_id: str, word: str, **more: str) -> tuple[int, Json]:
    body = {"resolution": word, "reason": "Their desk told us on the phone"} | more
    answer = await person.post(f"/operations/{operation_id}/resolution", body)
    return answer.status_code, answer.json()


async def unknown(world: World, person: Person, rita: Person, fault: Json) -> tuple[Chat, Json, str]:
    """A purchase whose answer never came; what the airline did with it is `fault`'s."""
    chat, trip = await waits(person)
    world.airline.put_faults(
        [{"match": {"op": "create", "nth": 1}} | fault, {"match": {"op": "webhook"}, "fault": "webhook_drop"}]
    )
    await rita.decides(trip["review_id"], "approve")
    return chat, trip, await create_of(world, trip)


async def closed_and_late(world: World, person: Person, rita: Person, *, late: float = HOUR) -> tuple[Chat, Json, str]:
    """Closed as not booked on an operator's word; an hour later the order is there after all."""
    lag: Json = {"fault": "accepted_202_then_created", "seconds": late}
    chat, trip, operation_id = await unknown(world, person, rita, lag)
    assert (await settled(world, person, trip["trip_id"]))["status"] == "needs_person"
    assert (await resolve(rita, operation_id, "not_booked"))[0] == 200
    await world.quiet()
    return chat, trip, operation_id


async def surplus(world: World, person: Person, rita: Person) -> tuple[Chat, Json, str, str]:
    chat, trip, operation_id = await closed_and_late(world, person, rita)
    await world.later(HOUR)
    await world.until(lambda: world.rows(orders, state="surplus"), step=60)
    (row,) = await world.rows(orders, state="surplus")
    return chat, trip, operation_id, row.order_id


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_accepted_with_202_and_created_after_the_application_died_is_found_and_adopted(
    data_dir: Path, language: str
) -> None:
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina", language), await world.person("rita")
        _, trip = await waits(tina)
        digest = (await rita.review(trip["review_id"]))["digest"]
        fail(world, "create", "accepted_202_then_created")
        actor = (await walker(world, "rita")).actor
    approve = {"type": "approve", "digest": digest}
    decision = Command(command_id=str(uuid4()), kind=Kind.DECIDE, actor=actor, target=trip["review_id"], payload=approve)
    async with process_on(data_dir, DiesBeforeHearing) as process:
        await process.service.accept(decision)
        with pytest.raises(Killed):
            await process.service.run(actor.tenant_id, decision.command_id)
    async with opened(data_dir) as world:
        tina = await world.person("tina", language)
        assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"
        chat = Chat(tina, (await tina.trip(trip["trip_id"]))["conversation_id"])
        assert BOOKED[language] in (await chat.told())[-1]
        assert world.effects() == ["book"]


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_accepted_with_202_and_then_refused_is_said_so_and_one_tap_tries_again_and_books_once(
    world: World, rita: Person, language: str
) -> None:
    tina = await world.person("tina", language)
    chat, trip = await waits(tina)
    fail(world, "create", "accepted_202_then_failed")
    await rita.decides(trip["review_id"], "approve")
    after = await settled(world, tina, trip["trip_id"])
    assert (after["status"], after["selection"]) == ("choosing", trip["selection"])
    assert NOT_MADE[language] in (await chat.told())[-1]
    assert AGAIN[language] in await options(chat)
    await chat.say(YES[language])
    again = await tina.trip(trip["trip_id"])
    assert again["status"] == "waiting_review"
    await rita.decides(again["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"
    assert world.effects() == ["create_failed", "book"]


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_an_order_that_appears_an_hour_after_it_was_closed_is_surplus_and_is_not_booked_again_by_accident(
    world: World, rita: Person, language: str
) -> None:
    tina = await world.person("tina", language)
    chat, trip, _, order_id = await surplus(world, tina, rita)
    assert LATE[language] in (await chat.told())[-1]
    (other,) = (await tina.trip(trip["trip_id"]))["other_live_bookings"]
    assert (other["order_id"], other["state"]) == (order_id, "surplus")
    again = await tina.answer(trip["trip_id"], "resubmit")
    assert again["status"] == "choosing"
    assert BEFORE[language] in again["reason"]
    assert world.effects() == ["book"]


async def test_its_passenger_is_not_booked_on_that_flight_from_another_conversation_either(
    world: World, tina: Person, rita: Person
) -> None:
    await surplus(world, tina, rita)
    chat = await tina.chat()
    await chat.say(WORDS["en"])
    other = await chat.trip()
    chosen = offer(other, can_hold=False)
    after = await tina.choose(other["trip_id"], chosen["n"], offers_hash=other["offers_hash"])
    assert (after["status"], after["reason"]) == ("choosing", "You already have this flight.")
    assert world.effects() == ["book"]


async def test_an_operator_adopts_the_late_order_and_its_trip_is_booked_with_it(world: World, tina: Person, rita: Person) -> None:
    chat, trip, operation_id, order_id = await surplus(world, tina, rita)
    assert (await resolve(rita, operation_id, "adopt"))[0] == 200
    await world.quiet()
    await world.quiet()
    after = await tina.trip(trip["trip_id"])
    assert (after["status"], after["other_live_bookings"]) == ("booked", [])
    assert [o["order_id"] for o in after["orders"]] == [order_id]
    assert BOOKED["en"] in (await chat.told())[-1]
    assert world.effects() == ["book"]
    assert (await resolve(rita, operation_id, "adopt"))[1]["code"] == "already_decided"


async def test_an_operator_cancels_the_late_order_only_with_a_review_and_the_choice_is_kept(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip, operation_id, order_id = await surplus(world, tina, rita)
    assert (await resolve(rita, operation_id, "cancel"))[0] == 200
    await world.quiet()
    await world.quiet()
    assert [o["id"] for o in world.orders()] == [order_id]  # nothing goes without a grant
    review = (await tina.trip(trip["trip_id"]))["review_id"]
    assert [step["kind"] for step in (await rita.review(review))["plan"]["steps"]] == ["cancel"]
    await rita.decides(review, "approve")
    await world.quiet()
    after = await tina.trip(trip["trip_id"])
    assert (after["status"], after["selection"]) == ("choosing", trip["selection"])
    assert world.orders() == []
    assert "Submit it again" in await options(chat)
    again = await tina.answer(trip["trip_id"], "resubmit")
    await rita.decides(again["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"
    assert world.effects() == ["book", "cancel", "book"]


async def test_a_cancellation_that_expires_and_is_asked_for_again_still_keeps_the_choice(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip, operation_id, _ = await surplus(world, tina, rita)
    assert (await resolve(rita, operation_id, "cancel"))[0] == 200
    await world.quiet()
    await world.quiet()
    await world.later(25 * HOUR)
    assert (await tina.trip(trip["trip_id"]))["status"] == "expired"
    again = await tina.answer(trip["trip_id"], "resubmit")
    await rita.decides(again["review_id"], "approve")
    await world.quiet()
    after = await tina.trip(trip["trip_id"])
    assert (after["status"], after["selection"]) == ("choosing", trip["selection"])
    assert world.effects() == ["book", "cancel"]


async def test_an_order_that_comes_late_to_a_trip_booked_anew_cannot_be_kept_but_cancelled(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip, operation_id = await closed_and_late(world, tina, rita, late=2 * HOUR)
    again = await tina.answer(trip["trip_id"], "resubmit")
    await rita.decides(again["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"
    wanted = world.orders()[0]["id"]
    await world.later(2 * HOUR)
    await world.until(lambda: world.rows(orders, state="surplus"), step=60)
    assert (await resolve(rita, operation_id, "adopt"))[0] == 200
    await world.quiet()
    assert len(await world.rows(orders, state="surplus")) == 1  # the seat is taken by the booking there is
    assert (await resolve(rita, operation_id, "cancel"))[0] == 200
    await world.quiet()
    await world.quiet()
    waits = await tina.trip(trip["trip_id"])
    await rita.decides(waits["review_id"], "approve")
    await world.quiet()
    after = await tina.trip(trip["trip_id"])
    assert (after["status"], after["other_live_bookings"]) == ("booked", [])
    assert [o["id"] for o in world.orders()] == [wanted]


async def test_an_order_found_while_its_cancellation_is_wanted_is_not_paid_on_but_given_back(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    lag: Json = {"match": {"op": "create", "nth": 1}, "fault": "accepted_202_then_created", "seconds": 2 * HOUR}
    world.airline.put_faults([lag, {"match": {"op": "webhook"}, "fault": "webhook_drop"}])
    await rita.decides(trip["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    operation_id = await create_of(world, trip)
    assert (await resolve(rita, operation_id, "cancel"))[0] == 200
    assert (await resolve(rita, operation_id, "cancel"))[1]["code"] == "already_decided"
    await world.later(2 * HOUR)

    async def asked() -> bool:
        return (await tina.trip(trip["trip_id"]))["status"] == "waiting_review"

    await world.until(asked, step=60)
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    await world.quiet()
    assert (await tina.trip(trip["trip_id"]))["status"] == "cancelled"
    assert world.effects() == ["book", "cancel"]


async def test_who_may_not_or_comes_too_late_is_told_so_and_nothing_changes(world: World, tina: Person, rita: Person) -> None:
    _, trip, operation_id = await unknown(world, tina, rita, {"fault": "timeout_before_apply"})
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    oscar = await world.person("oscar")
    before = await world.rows(operations, operation_id=operation_id)
    refused = {
        "traveller": await resolve(tina, operation_id, "cancel"),
        "other tenant": await resolve(oscar, operation_id, "not_booked"),
        "no order named": await resolve(rita, operation_id, "adopt"),
        "unknown": await resolve(rita, "op_nobodys", "not_booked"),
    }
    assert {who: (status, body["code"]) for who, (status, body) in refused.items()} == {
        "traveller": (403, "forbidden"),
        "other tenant": (404, "not_found"),
        "no order named": (422, "order_id_needed"),
        "unknown": (404, "not_found"),
    }
    assert await world.rows(operations, operation_id=operation_id) == before
    assert (await resolve(rita, operation_id, "not_booked"))[0] == 200
    raj = await world.person("raj")
    status, body = await resolve(raj, operation_id, "not_booked")
    assert (status, body["code"]) == (409, "already_decided")
    assert "Rita" in body["detail"]
    assert (await resolve(raj, operation_id, "cancel"))[1]["code"] == "already_settled"


async def test_an_order_that_is_not_what_was_ordered_is_not_adopted(world: World, tina: Person, rita: Person) -> None:
    tom = await world.person("tom")
    theirs = await tom.choose((await (await _chat_with(tom)).trip())["trip_id"])
    await rita.decides(theirs["review_id"], "approve")
    await settled(world, tom, theirs["trip_id"])
    (order,) = world.orders()
    _, trip, operation_id = await unknown(world, tina, rita, {"fault": "timeout_before_apply"})
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    status, body = await resolve(rita, operation_id, "adopt", order_id=order["id"])
    assert (status, body["code"]) == (409, "order_taken")
    assert (await resolve(rita, operation_id, "adopt", order_id="ord_not_there"))[0] == 200
    await world.quiet()
    assert (await tina.trip(trip["trip_id"]))["status"] == "needs_person"
    assert each_effect_happened_once(world)


async def _chat_with(person: Person) -> Chat:
    chat = await person.chat()
    await chat.say(WORDS[person.language])
    return chat


async def test_a_ticket_that_never_comes_is_read_ever_less_often_and_asks_a_person(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        _, trip = await waits(tina)
        digest = (await rita.review(trip["review_id"]))["digest"]
        actor = (await walker(world, "rita")).actor
    approve = {"type": "approve", "digest": digest}
    decision = Command(command_id=str(uuid4()), kind=Kind.DECIDE, actor=actor, target=trip["review_id"], payload=approve)
    reads: list[str] = []
    async with process_on(data_dir, lambda airline: NeverTickets(airline, reads)) as process:
        await process.dispatcher.start(process.service.run)
        await process.service.accept(decision)
        await process.dispatcher.idle()
        for _ in range(25 * 12):
            process.airline.advance(300)
            await process.reconciler.once()
            await process.dispatcher.idle()
        await process.dispatcher.stop()
    assert 20 < len(reads) < 100
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        asked = await tina.trip(trip["trip_id"])
        assert (asked["status"], asked["orders"][0]["state"]) == ("needs_person", "ticketing")
        chat = Chat(tina, asked["conversation_id"])
        assert "has not issued the ticket yet" in (await chat.told())[-1]
        await world.later(HOUR)  # this airline issues it
        after = await tina.trip(trip["trip_id"])
        assert (after["status"], after["reason"]) == ("booked", None)
        assert world.effects() == ["book"]
