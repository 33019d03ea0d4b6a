"""What the airline tells by itself while an answer is awaited, or after all was closed: it is kept, and it counts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from assistant.booking.provider import AirlineOrder, OrderRequest, Provider
from assistant.booking.sandbox.events import announce
from assistant.bootstrap import Layover
from assistant.domain.commands import Command, Kind
from assistant.domain.errors import OutcomeUnknown, Reason, Refused, Unavailable
from assistant.persistence.tables import claims, evidence, operations, orders
from tests.properties.machine_acts import post_webhooks
from tests.stories.dying import Killed, Passing, process_on
from tests.stories.test_decisions import submitted
from tests.stories.test_lost_answers import fail, settled
from tests.stories.test_unknown_outcomes import AGAIN, HOUR, LATE, NOT_MADE, WORDS, closed_and_late, options, unknown
from tests.stories.test_unknown_outcomes_held_to import bought_by_hand
from tests.stories.test_unknown_outcomes_listed import listed
from tests.stories.ways_back import booked, walker
from tests.stories.world import Chat, Json, Person, World, offer, opened

A_DAY = 24 * HOUR
NEVER_LISTED = 30 * A_DAY


async def hears(process: Layover) -> None:
    """Whatever the airline has to tell by now."""
    assert process.airline is not None
    for event in process.airline.pending_events():
        await process.service.webhook(event.headers, event.body)
        process.airline.acknowledge(event)


class TellsFirst(Passing):
    """What it tells by itself arrives before its answer does, and that is lost: `ends` is what becomes of it."""

    process: Layover

    def __init__(self, airline: Provider, ends: BaseException, *, tells: bool = True) -> None:
        super().__init__(airline)
        self.ends, self.tells = ends, tells

    async def create_order(self, request: OrderRequest) -> AirlineOrder:
        with suppress(OutcomeUnknown):
            await self.airline.create_order(request)
        if self.tells:
            assert self.process.airline is not None
            self.process.airline.advance(10)
            await hears(self.process)
        raise self.ends


@dataclass(frozen=True)
class Sent:
    """A trip whose create is sent by one command, which nobody has given yet."""

    trip: Json
    command: Command


async def about_to_send(data_dir: Path, kind: str, language: str, fault: Json) -> Sent:
    """A hold is sent with the choice, a purchase with the approval."""
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina", language), await world.person("rita")
        chat = await tina.chat()
        await chat.say(WORDS[language])
        trip = await chat.trip()
        chosen = offer(trip, can_hold=kind == "hold")
        if kind == "hold":
            who, target, payload = "tina", trip["trip_id"], {"offer": chosen["n"], "offers_hash": trip["offers_hash"]}
        else:
            trip = await tina.choose(trip["trip_id"], chosen["n"], offers_hash=trip["offers_hash"])
            digest = (await rita.review(trip["review_id"]))["digest"]
            who, target, payload = "rita", trip["review_id"], {"type": "approve", "digest": digest}
        world.airline.put_faults([{"match": {"op": "create", "nth": 1}} | fault] if fault else [])
        actor = (await walker(world, who)).actor
    named = Kind.CHOOSE if kind == "hold" else Kind.DECIDE
    return Sent(trip, Command(command_id=str(uuid4()), kind=named, actor=actor, target=target, payload=payload))


async def sends(data_dir: Path, sent: Sent, airline_of: Callable[[Provider], TellsFirst]) -> None:
    """The process that sends it, to its end: it lives on, or dies of what its airline does."""
    made: list[TellsFirst] = []

    def telling(airline: Provider) -> TellsFirst:
        made.append(airline_of(airline))
        return made[0]

    async with process_on(data_dir, telling) as process:
        made[0].process = process
        await process.service.accept(sent.command)
        run = process.service.run(sent.command.actor.tenant_id, sent.command.command_id)
        if isinstance(made[0].ends, Killed):
            with pytest.raises(Killed):
                await run
        else:
            await run


NONE_MADE: Json = {"fault": "accepted_202_then_failed"}
HIDDEN: Json = {"fault": "visibility_lag", "seconds": NEVER_LISTED}


@pytest.mark.parametrize("when", ["before the answer is lost", "before it dies", "in the next life"])
@pytest.mark.parametrize(("kind", "language"), [("book", "zh"), ("hold", "en")])
async def test_the_word_that_nothing_was_made_counts_though_it_comes_before_our_own_answer_is_lost(
    data_dir: Path, kind: str, language: str, when: str
) -> None:
    sent = await about_to_send(data_dir, kind, language, NONE_MADE)
    ends = OutcomeUnknown("lost") if when == "before the answer is lost" else Killed()
    await sends(data_dir, sent, lambda airline: TellsFirst(airline, ends, tells=when != "in the next life"))
    if when == "in the next life":
        async with process_on(data_dir, Passing) as process:
            assert process.airline is not None
            process.airline.advance(10)
            await hears(process)
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina", language), await world.person("rita")
        (row,) = await world.rows(operations, trip_id=sent.trip["trip_id"], kind=kind)
        assert row.looks == 0  # nothing is left to be looked up
        await world.quiet()
        after = await settled(world, tina, sent.trip["trip_id"], most=2)
        chat = Chat(tina, after["conversation_id"])
        assert (after["status"], await world.rows(claims)) == ("choosing", [])
        assert NOT_MADE[language] in (await chat.told())[-1]
        assert AGAIN[language] in await options(chat)
        again = await tina.answer(sent.trip["trip_id"], "resubmit")
        assert again["status"] == "waiting_review"
        await rita.decides(again["review_id"], "approve")
        assert (await settled(world, tina, sent.trip["trip_id"]))["status"] == "booked"
        assert world.effects() == ["create_failed", *(["hold", "pay"] if kind == "hold" else ["book"])]


@pytest.mark.parametrize(
    ("kind", "after", "ends"),
    [("book", "booked", Killed()), ("hold", "waiting_review", OutcomeUnknown("lost"))],
    ids=["book, dead", "hold, alive"],
)
async def test_an_order_the_airline_has_named_is_read_by_its_name_before_it_is_listed(
    data_dir: Path, kind: str, after: str, ends: BaseException
) -> None:
    sent = await about_to_send(data_dir, kind, "en", HIDDEN)
    await sends(data_dir, sent, lambda airline: TellsFirst(airline, ends))
    async with opened(data_dir) as world:
        await world.quiet()
        tina = await world.person("tina")
        assert (await settled(world, tina, sent.trip["trip_id"], most=2))["status"] == after
        assert world.effects() == [kind]


@pytest.mark.parametrize(
    ("kind", "answer"),
    [("book", Unavailable("503")), ("hold", Refused(Reason.INVALID_DATA))],
    ids=["book, unavailable", "hold, refused"],
)
async def test_an_order_the_airline_has_named_is_not_sent_again_whatever_its_answer_says(
    data_dir: Path, kind: str, answer: Exception
) -> None:
    sent = await about_to_send(data_dir, kind, "en", {})
    await sends(data_dir, sent, lambda airline: TellsFirst(airline, answer))
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        after = await settled(world, tina, sent.trip["trip_id"])
        assert after["status"] == ("booked" if kind == "book" else "waiting_review")
        assert world.effects() == [kind]


async def test_an_order_that_appears_days_after_it_was_closed_is_listed_when_the_airline_tells_of_it(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip, operation_id = await closed_and_late(world, tina, rita, late=5 * A_DAY)
    world.airline.put_faults([])
    await world.later(4 * A_DAY)
    closed = await world.rows(operations, operation_id=operation_id)
    await world.later(HOUR)
    assert await world.rows(operations, operation_id=operation_id) == closed  # by itself it is not looked for any more
    await world.later(A_DAY)
    (late,) = await world.rows(orders, trip_id=trip["trip_id"])
    assert (late.state, late.create_id) == ("surplus", operation_id)
    assert LATE["en"] in (await chat.told())[-1]
    assert [case["case_id"] for case in await listed(rita)] == [operation_id]


async def test_an_order_of_what_the_airline_itself_said_it_had_not_made_is_listed_too(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip, operation_id = await unknown(world, tina, rita, {"fault": "timeout_before_apply"})
    (row,) = await world.rows(operations, operation_id=operation_id)
    world.airline.put_faults([])
    announce(world.airline.books(), "order.creation_failed", {"metadata": {"operation_id": operation_id}})
    await world.quiet()
    assert (await tina.trip(trip["trip_id"]))["status"] == "choosing"
    order_id = await bought_by_hand(world, row, cabin=row.itinerary["cabin"], operation_id=operation_id)
    await world.quiet()
    await world.until(lambda: world.rows(orders, order_id=order_id, state="surplus"))
    assert LATE["en"] in (await chat.told())[-1]
    again = await tina.answer(trip["trip_id"], "resubmit")
    assert again["status"] == "choosing"
    assert world.effects() == ["book"]


@pytest.mark.parametrize("call", ["pay", "confirm"])
async def test_word_of_a_payment_or_a_cancellation_makes_its_operation_be_looked_up_at_once(
    world: World, tina: Person, rita: Person, call: str
) -> None:
    if call == "pay":
        _, trip, _ = await submitted(tina, can_hold=True)
        review_id = trip["review_id"]
    else:
        _, trip = await booked(tina, rita)
        await tina.does(f"/trips/{trip['trip_id']}/cancellation")
        review_id = (await tina.trip(trip["trip_id"]))["review_id"]
    await world.quiet()
    fail(world, call, "timeout_after_apply")
    await rita.decides(review_id, "approve")
    kind = "pay" if call == "pay" else "cancel"
    (row,) = await world.rows(operations, trip_id=trip["trip_id"], kind=kind)
    assert row.state == "unknown"
    await world.quiet()  # no time passes
    (row,) = await world.rows(operations, trip_id=trip["trip_id"], kind=kind)
    assert row.state == "succeeded"
    assert [each.operation_id for each in await world.rows(evidence, operation_id=row.operation_id, kind="webhook")]


async def test_an_event_that_is_delivered_again_and_again_is_one_piece_of_evidence(
    world: World, tina: Person, rita: Person
) -> None:
    world.airline.put_faults([{"match": {"op": "webhook"}, "fault": "webhook_dup"}])
    await booked(tina, rita)
    assert await post_webhooks(world, "twice") > 0
    heard = [row.body["event_id"] for row in await world.rows(evidence, kind="webhook")]
    assert len(heard) == len(set(heard)) > 0
