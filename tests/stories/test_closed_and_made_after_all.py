"""A booking that was closed as not made comes true after all: it is looked up before the flight is bought again, whoever had
closed it and whatever was told of it. The airline's journal says how often it was bought."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from assistant.booking.provider import AirlineOrder, Offer, Provider, SearchRequest
from assistant.booking.sandbox.events import announce
from assistant.booking.sandbox.store import moment
from assistant.bootstrap import Layover
from assistant.domain.commands import Command, Kind
from assistant.domain.people import Actor
from assistant.persistence.tables import orders
from tests.stories.dying import Killed, Passing, process_on
from tests.stories.test_lost_answers import settled
from tests.stories.test_unknown_outcomes import BEFORE, HOUR, WORDS, DiesBeforeHearing, create_of, resolve, unknown, waits
from tests.stories.test_unknown_outcomes_listed import listed
from tests.stories.ways_back import walker
from tests.stories.world import Chat, Json, Person, World, offer, opened

LATER: Json = {"fault": "accepted_202_then_created", "seconds": HOUR}
NEWS = ("told", "told twice", "told nothing")


class MadeWhileAsked(Passing):
    """The late order is made and told of after it was looked for, while the flight is priced for the last time."""

    process: Layover
    looks = 0  # when the plan is checked, and once more when it is about to be sent

    async def find_orders(self, *, operation_id: str, offer_id: str) -> tuple[AirlineOrder, ...]:
        self.looks += 1
        return await self.airline.find_orders(operation_id=operation_id, offer_id=offer_id)

    async def search(self, request: SearchRequest) -> tuple[Offer, ...]:
        found = await self.airline.search(request)
        if self.looks == 2 and self.process.airline is not None:
            self.process.airline.advance(60)
            await hears(self.process)
        return found


async def closed(world: World, person: Person, rita: Person) -> tuple[Chat, Json, str]:
    """Given up after all looks, and closed on an operator's word; nothing is made at the airline yet."""
    chat, trip, operation_id = await unknown(world, person, rita, LATER)
    assert (await settled(world, person, trip["trip_id"]))["status"] == "needs_person"
    assert (await resolve(rita, operation_id, "not_booked"))[0] == 200
    await world.quiet()
    return chat, trip, operation_id


def approval(review_id: str, digest: str, actor: Actor) -> Command:
    payload = {"type": "approve", "digest": digest}
    return Command(command_id=str(uuid4()), kind=Kind.DECIDE, actor=actor, target=review_id, payload=payload)


async def made(world: World, news: str) -> None:
    """The hour is over, and the airline lists what it made; what is told reaches us before any look-up of ours has its turn."""
    world.airline.put_faults([] if news != "told nothing" else [{"match": {"op": "webhook"}, "fault": "webhook_drop"}])
    world.airline.advance(HOUR + 60)
    for _ in range(2 if news == "told twice" else 1):
        await hears(world.whole)


async def hears(whole: Layover) -> None:
    for event in whole.airline.pending_events() if whole.airline else ():
        await whole.service.webhook(event.headers, event.body)


async def bought_once(world: World, person: Person, trip_id: str) -> None:
    """One order lives, the trip says why it waits, and a person can settle it."""
    after = await person.trip(trip_id)
    assert (after["status"], BEFORE[person.language] in after["reason"]) == ("choosing", True)
    assert [e for e in world.effects() if e in {"hold", "book", "pay"}] == ["book"]
    await world.quiet()
    rita = await world.person("rita")
    (case,) = await listed(rita)
    assert case["kind"] == "late"
    await world.later(HOUR)
    assert len(world.orders()) == 1


@pytest.mark.parametrize(("news", "language"), [(NEWS[0], "zh"), (NEWS[1], "en"), (NEWS[2], "zh")])
async def test_it_is_not_bought_again_on_a_review_that_waited_since(world: World, rita: Person, news: str, language: str) -> None:
    tina = await world.person("tina", language)
    _, trip, _ = await closed(world, tina, rita)
    again = await tina.answer(trip["trip_id"], "resubmit")
    await made(world, news)
    await rita.decides(again["review_id"], "approve")
    await bought_once(world, tina, trip["trip_id"])


async def test_a_webhook_of_what_was_closed_makes_the_next_round_list_it(world: World, tina: Person, rita: Person) -> None:
    await closed(world, tina, rita)
    await world.later(300)  # its next look-up is minutes away
    world.airline.put_faults([])
    world.airline.advance(HOUR - 300)
    await world.whole.reconciler.once()
    assert [row.state for row in await world.rows(orders)] == ["surplus"]


@pytest.mark.parametrize("news", [NEWS[0], NEWS[2]])
async def test_it_is_not_held_again_in_another_conversation_either(world: World, tina: Person, rita: Person, news: str) -> None:
    await closed(world, tina, rita)
    chat = await tina.chat()
    await chat.say(WORDS["en"])
    other = await chat.trip()
    chosen = offer(other, can_hold=False)
    other = await tina.choose(other["trip_id"], chosen["n"], offers_hash=other["offers_hash"])
    await made(world, news)
    await rita.decides(other["review_id"], "approve")
    await bought_once(world, tina, other["trip_id"])


@pytest.mark.parametrize("call", ["find_orders", "get_order"])
async def test_while_the_airline_does_not_say_nothing_is_sent(world: World, tina: Person, rita: Person, call: str) -> None:
    _, trip, _ = await closed(world, tina, rita)
    again = await tina.answer(trip["trip_id"], "resubmit")
    await made(world, "told")
    lag: Json = {"match": {"op": "find_orders"}, "fault": "503" if call == "find_orders" else "ok_without_body"}
    world.airline.put_faults([lag, {"match": {"op": "get_order"}, "fault": "503"}])
    await rita.decides(again["review_id"], "approve")
    after = await tina.trip(trip["trip_id"])
    assert (after["status"], world.effects()) == ("choosing", ["book"])
    world.airline.put_faults([])
    await world.quiet()
    assert len(world.orders()) == 1


async def test_it_is_not_bought_again_after_two_days_in_which_nothing_was_made(world: World, tina: Person, rita: Person) -> None:
    lag: Json = {"fault": "accepted_202_then_created", "seconds": 60 * HOUR}
    _, trip, operation_id = await unknown(world, tina, rita, lag)
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    assert (await resolve(rita, operation_id, "not_booked"))[0] == 200
    for _ in range(6):
        await world.later(11 * HOUR)
    again = await tina.answer(trip["trip_id"], "resubmit")
    assert world.effects() == ["book"]
    await rita.decides(again["review_id"], "approve")
    await bought_once(world, tina, trip["trip_id"])


@pytest.mark.parametrize("news", [NEWS[0], NEWS[2]])
async def test_what_the_airline_itself_said_had_failed_is_not_bought_again_either(
    world: World, tina: Person, rita: Person, news: str
) -> None:
    _, trip, operation_id = await unknown(world, tina, rita, LATER)
    world.airline.put_faults([])
    announce(world.airline.books(), "order.creation_failed", {"metadata": {"operation_id": operation_id}})
    await world.quiet()
    again = await tina.answer(trip["trip_id"], "resubmit")
    await made(world, news)
    await rita.decides(again["review_id"], "approve")
    await bought_once(world, tina, trip["trip_id"])


async def test_what_is_told_between_the_look_and_the_sending_is_looked_up_before_it_is_sent(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        _, trip, _ = await closed(world, tina, rita)
        again = await tina.answer(trip["trip_id"], "resubmit")
        digest = (await rita.review(again["review_id"]))["digest"]
        actor = (await walker(world, "rita")).actor
        world.airline.put_faults([])
        (due,) = world.airline.books().store.rows("SELECT due_at FROM pending")
        world.airline.advance((moment(due["due_at"]) - world.airline.now()).total_seconds() - 30)
    decision = approval(again["review_id"], digest, actor)
    made: list[MadeWhileAsked] = []

    def airline_of(airline: Provider) -> MadeWhileAsked:
        made.append(MadeWhileAsked(airline))
        return made[0]

    async with process_on(data_dir, airline_of) as process:
        made[0].process = process
        await process.service.accept(decision)
        await process.service.run(actor.tenant_id, decision.command_id)
    assert made[0].looks == 3
    async with opened(data_dir) as world:
        await bought_once(world, await world.person("tina"), trip["trip_id"])


async def test_what_nobody_lived_to_hear_is_not_bought_again_after_an_operator_closed_it(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        _, trip = await waits(tina)
        digest = (await rita.review(trip["review_id"]))["digest"]
        actor = (await walker(world, "rita")).actor
        lost: Json = {"match": {"op": "create", "nth": 1}} | LATER
        world.airline.put_faults([lost, {"match": {"op": "webhook"}, "fault": "webhook_drop"}])
    decision = approval(trip["review_id"], digest, actor)
    async with process_on(data_dir, DiesBeforeHearing) as process:
        await process.service.accept(decision)
        with pytest.raises(Killed):
            await process.service.run(actor.tenant_id, decision.command_id)
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
        assert (await resolve(rita, await create_of(world, trip), "not_booked"))[0] == 200
        await world.quiet()
        again = await tina.answer(trip["trip_id"], "resubmit")
        await made(world, "told nothing")
        await rita.decides(again["review_id"], "approve")
        await bought_once(world, tina, trip["trip_id"])
