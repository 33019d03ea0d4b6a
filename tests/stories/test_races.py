"""Two people, or a person and the clock, at the same instant: one wins, the other is told, and one intent is one booking."""

from __future__ import annotations

import asyncio
from itertools import permutations
from typing import Any
from uuid import uuid4

import pytest

from assistant.domain.commands import Command, Kind
from assistant.domain.errors import CommandRefused
from assistant.domain.people import Actor
from assistant.invariants import Books, broken
from assistant.persistence.tables import commands, messages, questions
from tests.stories.ways_back import TO_TOKYO, newest, steps, walker
from tests.stories.world import Json, Person, World

ORDERS = tuple(permutations(("decide", "cancel", "rewind", "expire")))


LOSES = frozenset({"already_decided", "not_waiting", "busy", "version_moved", "confirming", "over"})  # what the slower are told


async def submitted(tina: Person, words: str = TO_TOKYO) -> Json:
    chat = await tina.chat()
    await chat.say(words)
    return await tina.choose((await chat.trip())["trip_id"])


async def at_once(world: World, *given: Command) -> list[str]:
    """Accepted in one breath; what each was answered, and all that follows has happened."""

    async def one(command: Command) -> str:
        try:
            own = command.kind is Kind.EXPIRE
            await (world.whole.service.accept_own(command) if own else world.whole.service.accept(command))
            if own and not await world.rows(commands, command_id=command.command_id):
                return "over"  # what no longer fits is not stored
        except CommandRefused as refusal:
            return refusal.code
        return "accepted"

    answers = await asyncio.gather(*(one(command) for command in given))
    await world.quiet()
    return list(answers)


async def is_well(world: World) -> None:
    books = await world.whole.database.read(Books.read)
    assert [f for f in broken(books, now=world.whole.clock()) if "waits for a person" not in f.what] == []
    assert all(c.status in ("succeeded", "failed", "cancelled") for c in await world.rows(commands))


def command(actor: Actor, kind: Kind, target: str, **payload: Any) -> Command:
    return Command(command_id=str(uuid4()), kind=kind, actor=actor, target=target, payload=payload)


@pytest.mark.parametrize("first", ["decide", "cancel", "rewind", "expire"])
async def test_decided_cancelled_rewound_and_expired_at_the_same_instant(
    world: World, tina: Person, rita: Person, first: str
) -> None:
    """All orders in which the four can come, each with a trip of its own on a day of its own."""
    for day, order in enumerate((order for order in ORDERS if order[0] == first), start=11):
        trip = await submitted(tina, f"From Shanghai to Tokyo on {day} December")
        await four_at_once(world, rita, trip, order)
        await is_well(world)


async def four_at_once(world: World, rita: Person, trip: Json, order: tuple[str, ...]) -> None:
    held, done = len(world.orders()), len(world.effects())
    traveller, reviewer = (await walker(world, "tina")).actor, (await walker(world, "rita")).actor
    trip_id, review = trip["trip_id"], await rita.review(trip["review_id"])
    back, seen = (await steps(world, trip_id, "choose"))[0], await newest(world, trip_id)
    product = Actor(tenant_id=reviewer.tenant_id, user_id="layover", name="Layover")
    given = {
        "decide": command(reviewer, Kind.DECIDE, review["review_id"], type="approve", digest=review["digest"]),
        "cancel": command(traveller, Kind.CANCEL_TRIP, trip_id),
        "rewind": command(reviewer, Kind.REWIND, trip_id, to_version=back, seen_version=seen, reason="It went wrong there"),
        "expire": command(product, Kind.EXPIRE, trip_id, question_id=review["review_id"]),
    }
    answers = dict(zip(order, await at_once(world, *(given[name] for name in order)), strict=True))
    await world.later(10)
    rows = {name: (await world.rows(commands, command_id=given[name].command_id)) for name in given}
    ended = {name: _end(rows[name][0]) if rows[name] else answers[name] for name in given}
    decided = (await world.rows(questions, question_id=review["review_id"]))[0]
    assert decided.answered_by in (None, given["decide"].command_id, given["expire"].command_id)
    assert not (ended["decide"] == "succeeded" and ended["expire"] == "succeeded")
    assert set(ended.values()) & {"succeeded"}, ended
    assert set(ended.values()) <= {"succeeded", "cancelled", *LOSES}, ended
    assert len(world.orders()) <= held + 1
    bought = [effect for effect in world.effects()[done:] if effect in {"pay", "book"}]
    assert len(bought) <= (ended["decide"] == "succeeded")


def _end(row: Any) -> str:
    """How it ended; where it failed, of what."""
    return row.error["code"] if row.status == "failed" else row.status


async def test_of_two_reviewers_one_decides_and_the_other_learns_who_was_faster(world: World, tina: Person, rita: Person) -> None:
    trip = await submitted(tina)
    raj = await world.person("raj")
    decision = {"type": "approve", "digest": (await rita.review(trip["review_id"]))["digest"]}
    path = f"/reviews/{trip['review_id']}/decision"
    answers = await asyncio.gather(*(who.post(path, decision) for who in (rita, raj) for _ in range(5)))
    won = [a for a in answers if a.status_code == 200]
    lost = [a.json() for a in answers if a.status_code == 409]
    assert (len(won), len(lost)) == (1, 9)
    assert {(p["code"], p["by"]) for p in lost} <= {("already_decided", "Rita"), ("already_decided", "Raj")}
    await world.later(10)
    assert len(world.orders()) == 1
    await is_well(world)


async def test_two_trips_for_the_same_passenger_on_the_same_flight_at_once_become_one_ticket(
    world: World, tina: Person, rita: Person
) -> None:
    trips = [await submitted(tina) for _ in range(2)]
    review_ids = [t["review_id"] for t in trips if t["review_id"]]
    reviews = [await rita.review(review_id) for review_id in review_ids]
    actor = (await walker(world, "rita")).actor
    given = [command(actor, Kind.DECIDE, r["review_id"], type="approve", digest=r["digest"]) for r in reviews]
    await at_once(world, *given)
    await world.later(10)
    assert len(world.orders()) == 1
    await is_well(world)


async def test_stopped_with_several_messages_waiting_each_has_an_end_and_no_word_is_lost(world: World, tina: Person) -> None:
    chat = await tina.chat()
    typed = [f"hello number {n}" for n in range(8)]
    path = f"/conversations/{chat.conversation_id}/messages"
    answers = await asyncio.gather(*(tina.post(path, {"text": text}, wait=0) for text in typed))
    assert {a.status_code for a in answers} <= {200, 202}
    assert (await tina.post(f"/conversations/{chat.conversation_id}/stop")).status_code == 200
    await world.quiet()
    said = [row.body["text"] for row in await world.rows(messages, conversation_id=chat.conversation_id, role="user")]
    assert sorted(said) == sorted(typed)
    ended = {row.status for row in await world.rows(commands, kind="send_message")}
    assert ended <= {"succeeded", "failed", "cancelled"}
    assert await chat.say("From Shanghai to Tokyo on 11 December")
    await is_well(world)


async def test_the_twenty_first_message_is_refused_and_the_twenty_before_it_are_answered_in_their_order(
    world: World, tina: Person
) -> None:
    chat = await tina.chat()
    actor = (await walker(world, "tina")).actor
    given = [command(actor, Kind.SEND_MESSAGE, chat.conversation_id, text=f"hello number {n}") for n in range(40)]
    answers = [await _accepted(world, each) for each in given]
    assert set(answers) == {"accepted", "too_many"}
    await world.quiet()
    said = [row.body["text"] for row in await world.rows(messages, conversation_id=chat.conversation_id, role="user")]
    assert said == [each.payload["text"] for each, answer in zip(given, answers, strict=True) if answer == "accepted"]
    await is_well(world)


async def _accepted(world: World, each: Command) -> str:
    try:
        await world.whole.service.accept(each)
    except CommandRefused as refusal:
        return refusal.code
    return "accepted"
