"""A way back that is not gone to its end: it fails, or its process dies. The main line stays what it was."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from assistant.domain.commands import Command, Kind
from assistant.domain.understanding import Understanding
from assistant.language.interpreter import Heard
from assistant.language.rules.interpreter import RulesInterpreter
from assistant.persistence.tables import branches, grants, questions, threads
from assistant.persistence.tables import commands as commands_table
from tests.stories.dying import BreaksWhileSearching, DiesWhileSearching, Killed, process_on
from tests.stories.ways_back import (
    TO_TOKYO,
    booked,
    branches_of,
    cheap_seats,
    newest,
    picks,
    said_in,
    steps,
    ticketed,
    waiting,
    walker,
)
from tests.stories.world import Json, Person, World, opened


@dataclass(frozen=True)
class Standing:
    """What a way back must not touch before its end."""

    head: str
    main_branch: str
    question: Any
    branches: int
    newest: int


async def standing(world: World, trip_id: str) -> Standing:
    (thread,) = await world.rows(threads, thread_id=trip_id)
    question = await waiting(world, trip_id)
    lines = len(await branches_of(world, trip_id))
    return Standing(thread.head_checkpoint_id, thread.main_branch_id, question.question_id, lines, await newest(world, trip_id))


async def waits_for_review(data_dir: Path) -> tuple[Json, Command, Standing]:
    """A trip whose review waits, rita's way back to another date, and how things stand before."""
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await walker(world, "rita")
        chat = await tina.chat()
        await chat.say(TO_TOKYO)
        trip = await picks(tina, await chat.trip())
        before = await standing(world, trip["trip_id"])
        payload = {
            "to_version": (await steps(world, trip["trip_id"], "start"))[0],
            "seen_version": before.newest,
            "corrections": {"depart_on": "2026-12-12"},
            "reason": "Another day",
        }
        back = Command(command_id=str(uuid4()), kind=Kind.REWIND, actor=rita.actor, target=trip["trip_id"], payload=payload)
        return trip, back, before


async def test_a_way_back_that_fails_leaves_the_review_to_be_decided(data_dir: Path) -> None:
    trip, back, before = await waits_for_review(data_dir)
    async with process_on(data_dir, BreaksWhileSearching) as process:
        await process.service.accept(back)
        await process.service.run(back.actor.tenant_id, back.command_id)
        receipt = await process.service.settled(back.actor.tenant_id, back.command_id, wait=0)
        assert (receipt.status, receipt.error) == ("failed", {"code": "failed"})
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        await world.quiet()
        after = await standing(world, trip["trip_id"])
        assert (after.main_branch, after.question, after.branches) == (before.main_branch, before.question, before.branches)
        now = await tina.trip(trip["trip_id"])
        assert (now["status"], now["review_id"], now["selection"]) == ("waiting_review", trip["review_id"], trip["selection"])
        assert (await ticketed(tina, rita, now))["status"] == "booked"
        assert len(world.orders()) == 1


async def test_a_way_back_whose_process_dies_has_changed_nothing_and_goes_on_in_the_next(data_dir: Path) -> None:
    trip, back, before = await waits_for_review(data_dir)
    async with process_on(data_dir, DiesWhileSearching) as process:
        await process.service.accept(back)
        with pytest.raises(Killed):
            await process.service.run(back.actor.tenant_id, back.command_id)
        world = World(process, process.airline, None, None)  # type: ignore[arg-type]
        assert await standing(world, trip["trip_id"]) == before
        assert [row.status for row in await world.rows(questions, question_id=trip["review_id"])] == ["waiting"]
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        await world.quiet()
        (row,) = await world.rows(commands_table, command_id=back.command_id)
        assert (row.status, row.attempts) == ("succeeded", 2)
        now = await tina.trip(trip["trip_id"])
        assert (now["status"], now["request"]["depart_on"]) == ("choosing", "2026-12-12")
        assert len(await world.rows(branches, thread_id=trip["trip_id"], status="main")) == 1
        assert (await ticketed(tina, rita, await picks(tina, now)))["status"] == "booked"
        assert [o["flights"][0][-10:] for o in world.orders()] == ["2026-12-12"]


class BreaksOnRome(RulesInterpreter):
    """Cannot cope with one place."""

    async def interpret(self, heard: Heard) -> Understanding:
        if "Rome" in heard.text:
            raise ZeroDivisionError
        return await super().interpret(heard)


async def test_an_edit_that_fails_leaves_the_chat_and_its_trip_as_they_were(data_dir: Path) -> None:
    async with opened(data_dir, interpreter=BreaksOnRome()) as world:
        tina, rita, guide = await world.person("tina"), await world.person("rita"), await walker(world, "tina")
        chat = await tina.chat()
        await chat.say(TO_TOKYO)
        trip = await picks(tina, await chat.trip())
        (said,) = await said_in(chat)
        receipt = await guide.gives(
            Kind.EDIT_MESSAGE, chat.conversation_id, message_id=said.message_id, text="From Shanghai to Rome on 11 December"
        )
        assert receipt.status == "failed"
        assert len(await branches_of(world, chat.conversation_id)) == 1
        assert (await chat.view())["messages"][0]["text"] == TO_TOKYO
        now = await tina.trip(trip["trip_id"])
        assert (now["status"], now["review_id"]) == ("waiting_review", trip["review_id"])
        assert (await ticketed(tina, rita, now))["status"] == "booked"
        assert await chat.say("I would like a window seat")


async def test_given_up_and_not_booked_anew_is_told_at_once(world: World, tina: Person, rita: Person) -> None:
    guide = await walker(world, "rita")
    chat, trip = await booked(tina, rita)
    wants = next(seat for seat in await cheap_seats(tina, trip, 1) if seat != trip["orders"][0]["seats"][0])
    choice = (await steps(world, trip["trip_id"], "choose"))[0]
    await guide.goes_back(trip["trip_id"], choice, {"seats": {"1": {"1": wants}}}, settle="rebook")
    now = await tina.trip(trip["trip_id"])
    now = await tina.answer(trip["trip_id"], "agree") if now["status"] == "waiting_traveller" else now
    world.airline.put_faults([{"match": {"op": "create", "nth": 1}, "fault": "seat_stolen"}])
    await rita.decides(now["review_id"], "approve")
    lost = await tina.trip(trip["trip_id"])
    assert lost["status"] == "needs_person"
    assert "could not be made" in (await chat.told())[-1]
    assert world.orders() == []
    assert await world.rows(grants, trip_id=trip["trip_id"], state="unused") == []
    again = await picks(tina, lost, 2)
    assert again["status"] == "waiting_review"
    assert (await ticketed(tina, rita, again))["status"] == "booked"
    assert len(world.orders()) == 1
