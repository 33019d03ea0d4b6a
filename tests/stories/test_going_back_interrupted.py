"""A way back that is not gone to its end: it fails, or its process dies. The main line stays what it was."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import update

from assistant.booking.provider import Offer, Provider, SearchRequest
from assistant.domain.commands import Command, Kind
from assistant.domain.understanding import Understanding
from assistant.language.interpreter import Heard
from assistant.language.rules.interpreter import RulesInterpreter
from assistant.persistence.tables import branches, grants, questions, runs, threads
from assistant.persistence.tables import commands as commands_table
from assistant.service import MOST_LIVES
from tests.stories.dying import (
    BreaksWhileSearching,
    DiesAfterSending,
    DiesWhileSearching,
    Killed,
    Passing,
    WaitsWhileSearching,
    process_on,
)
from tests.stories.test_decisions import submitted
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


async def test_a_way_back_that_is_stopped_leaves_the_review_to_be_decided(data_dir: Path) -> None:
    trip, back, before = await waits_for_review(data_dir)
    airlines: list[WaitsWhileSearching] = []
    async with process_on(data_dir, lambda airline: slow(airlines, airline)) as process:
        await process.service.accept(back)
        running = asyncio.create_task(process.service.run(back.actor.tenant_id, back.command_id))
        await airlines[0].searching.wait()
        stop = Command(command_id=str(uuid4()), kind=Kind.STOP, actor=back.actor, target=trip["trip_id"])
        stopped = await process.service.accept(stop)
        assert stopped.result == {"stopped": [], "stopping": [back.command_id]}
        airlines[0].goes_on.set()
        await running
        receipt = await process.service.settled(back.actor.tenant_id, back.command_id, wait=0)
        assert (receipt.status, receipt.error) == ("failed", {"code": "stopped"})
        world = World(process, process.airline, None, None)  # type: ignore[arg-type]
        assert await standing(world, trip["trip_id"]) == before
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        await world.quiet()
        after = await standing(world, trip["trip_id"])
        assert (after.main_branch, after.question, after.branches) == (before.main_branch, before.question, before.branches)
        now = await tina.trip(trip["trip_id"])
        assert (now["status"], now["review_id"], now["selection"]) == ("waiting_review", trip["review_id"], trip["selection"])
        assert (await ticketed(tina, rita, now))["status"] == "booked"
        assert world.effects().count("book") + world.effects().count("hold") == 1
        assert len(world.orders()) == 1


def slow(made: list[WaitsWhileSearching], airline: Provider) -> WaitsWhileSearching:
    made.append(WaitsWhileSearching(airline))
    return made[-1]


class DiskIsFullWhileSearching(Passing):
    """What it finds cannot be kept."""

    async def search(self, request: SearchRequest) -> tuple[Offer, ...]:
        full = sqlite3.OperationalError("database or disk is full")
        full.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise full


async def test_a_disk_that_stays_full_is_tried_ever_less_often_in_one_row(data_dir: Path) -> None:
    _, back, _ = await waits_for_review(data_dir)
    async with process_on(data_dir, DiskIsFullWhileSearching) as process:
        world = World(process, process.airline, None, None)  # type: ignore[arg-type]
        await process.service.accept(back)
        pauses: list[float] = []
        for _ in range(6):
            await process.service.run(back.actor.tenant_id, back.command_id)
            (run,) = await world.rows(runs, command_id=back.command_id)
            (row,) = await world.rows(commands_table, command_id=back.command_id)
            assert (row.status, row.attempts, run.attempt) == ("running", 0, 1)
            pauses.append(round((row.not_before - run.ended_at).total_seconds()))
        assert pauses == [1, 2, 4, 8, 10, 10]


@pytest.mark.parametrize("how", ["between two tries", "while it dies"])
async def test_a_stop_is_kept_for_the_run_that_follows(data_dir: Path, how: str) -> None:
    """Between two tries nothing runs that could hear of it; a process that dies forgets what it heard."""
    trip, back, before = await waits_for_review(data_dir)
    stop = Command(command_id=str(uuid4()), kind=Kind.STOP, actor=back.actor, target=trip["trip_id"])
    async with process_on(data_dir, DiskIsFullWhileSearching if how == "between two tries" else DiesWhileSearching) as process:
        await process.service.accept(back)
        with nullcontext() if how == "between two tries" else pytest.raises(Killed):
            await process.service.run(back.actor.tenant_id, back.command_id)
        assert (await process.service.accept(stop)).result == {"stopped": [], "stopping": [back.command_id]}
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        await world.later(60)
        (row,) = await world.rows(commands_table, command_id=back.command_id)
        assert (row.status, row.error) == ("failed", {"code": "stopped"})
        after = await standing(world, trip["trip_id"])
        assert (after.main_branch, after.question, after.branches) == (before.main_branch, before.question, before.branches)
        assert (await ticketed(tina, rita, await tina.trip(trip["trip_id"])))["status"] == "booked"
        assert len(world.orders()) == 1


async def test_a_way_back_that_has_sent_something_runs_to_its_end_though_it_is_stopped(data_dir: Path) -> None:
    """Its process dies while the airline answers; whoever follows must not leave the new hold to nobody."""
    async with opened(data_dir) as world:
        tina, rita, guide = await world.person("tina"), await world.person("rita"), await walker(world, "rita")
        _, trip, _ = await submitted(tina, can_hold=True)
        await rita.decides(trip["review_id"], "reject", message="Not yet")
        choice, seen = (await steps(world, trip["trip_id"], "choose"))[0], await newest(world, trip["trip_id"])
        assert world.orders() == []
    payload = {"to_version": choice, "seen_version": seen, "reason": "Now it may go"}
    back = Command(command_id=str(uuid4()), kind=Kind.REWIND, actor=guide.actor, target=trip["trip_id"], payload=payload)
    stop = Command(command_id=str(uuid4()), kind=Kind.STOP, actor=guide.actor, target=trip["trip_id"])
    async with process_on(data_dir, DiesAfterSending) as process:
        await process.service.accept(back)
        with pytest.raises(Killed):
            await process.service.run(back.actor.tenant_id, back.command_id)
        assert (await process.service.accept(stop)).result == {"stopped": [], "stopping": [back.command_id]}
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        await world.later(60)
        (row,) = await world.rows(commands_table, command_id=back.command_id)
        assert (row.status, row.error) == ("succeeded", None)
        await world.later(60)
        assert (await ticketed(tina, rita, await tina.trip(trip["trip_id"])))["status"] == "booked"
        assert world.effects() == ["hold", "cancel", "hold", "pay"]
        assert len(world.orders()) == 1


@pytest.mark.parametrize(("deaths", "ends_as"), [(12, "succeeded"), (MOST_LIVES, "failed")])
async def test_a_way_back_that_brings_every_process_down_ends_some_day_and_an_unlucky_one_goes_on(
    data_dir: Path, deaths: int, ends_as: str
) -> None:
    trip, back, before = await waits_for_review(data_dir)
    async with process_on(data_dir, Passing) as process:
        await process.service.accept(back)
        died = update(commands_table).where(commands_table.c.command_id == back.command_id).values(attempts=deaths)
        await process.database.write(lambda tx: tx.execute(died))
        await process.service.run(back.actor.tenant_id, back.command_id)
        receipt = await process.service.settled(back.actor.tenant_id, back.command_id, wait=0)
        assert receipt.status == ends_as
        if ends_as == "failed":
            assert receipt.error == {"code": "gave_up", "attempts": deaths + 1}
            world = World(process, process.airline, None, None)  # type: ignore[arg-type]
            after = await standing(world, trip["trip_id"])
            assert (after.main_branch, after.question) == (before.main_branch, before.question)


async def test_a_way_back_that_has_not_begun_is_dropped_by_a_stop(data_dir: Path) -> None:
    trip, back, before = await waits_for_review(data_dir)
    async with process_on(data_dir, Passing) as process:
        await process.service.accept(back)
        stop = Command(command_id=str(uuid4()), kind=Kind.STOP, actor=back.actor, target=trip["trip_id"])
        stopped = await process.service.accept(stop)
        assert stopped.result == {"stopped": [back.command_id], "stopping": []}
        await process.service.run(back.actor.tenant_id, back.command_id)
        world = World(process, process.airline, None, None)  # type: ignore[arg-type]
        assert await standing(world, trip["trip_id"]) == before
        (row,) = await world.rows(commands_table, command_id=back.command_id)
        assert (row.status, row.error) == ("cancelled", {"code": "stopped"})


class WaitsOnRome(RulesInterpreter):
    """Thinks about one place until it is told to go on."""

    def __init__(self) -> None:
        super().__init__()
        self.thinking, self.goes_on = asyncio.Event(), asyncio.Event()

    async def interpret(self, heard: Heard) -> Understanding:
        if "Rome" in heard.text:
            self.thinking.set()
            await self.goes_on.wait()
        return await super().interpret(heard)


@pytest.mark.parametrize("who", ["tina", "rita"])
async def test_an_edit_that_is_stopped_leaves_the_chat_and_its_trip_as_they_were(data_dir: Path, who: str) -> None:
    """The traveller edits the message, or the reviewer corrects it; whoever does it stops it half way."""
    slow = WaitsOnRome()
    async with opened(data_dir, interpreter=slow) as world:
        tina, rita, guide = await world.person("tina"), await world.person("rita"), await walker(world, who)
        chat = await tina.chat()
        await chat.say(TO_TOKYO)
        trip = await picks(tina, await chat.trip())
        before, held = await standing_of(world, chat.conversation_id), world.effects()
        (said,) = await said_in(chat)
        rome = "From Shanghai to Rome on 11 December"
        said_anew = (
            guide.gives(Kind.EDIT_MESSAGE, chat.conversation_id, message_id=said.message_id, text=rome)
            if who == "tina"
            else guide.goes_back(
                chat.conversation_id, (await steps(world, chat.conversation_id, "start"))[0], corrections={"text": rome}
            )
        )
        editing = asyncio.create_task(said_anew)
        await slow.thinking.wait()
        stopped = await (tina if who == "tina" else rita).post(f"/threads/{chat.conversation_id}/stop")
        assert len(stopped.json()["result"]["stopping"]) == 1
        slow.goes_on.set()
        receipt = await editing
        assert (receipt.status, receipt.error) == ("failed", {"code": "stopped"})
        assert await standing_of(world, chat.conversation_id) == before
        assert (await chat.view())["messages"][0]["text"] == TO_TOKYO
        now = await tina.trip(trip["trip_id"])
        assert (now["status"], now["review_id"]) == ("waiting_review", trip["review_id"])
        assert world.effects() == held
        assert (await ticketed(tina, rita, now))["status"] == "booked"
        assert len(world.orders()) == 1
        assert await chat.say("I would like a window seat")


async def standing_of(world: World, thread_id: str) -> tuple[str, str, int]:
    """Head, main line and lines of any thread."""
    (thread,) = await world.rows(threads, thread_id=thread_id)
    return thread.head_checkpoint_id, thread.main_branch_id, len(await branches_of(world, thread_id))


async def test_who_may_stop_a_way_back(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    for name in ("tom", "olga", "oscar"):
        stranger = await world.person(name)
        answer = await stranger.post(f"/threads/{trip['trip_id']}/stop")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    for who in (tina, rita):
        nothing = await who.does(f"/threads/{trip['trip_id']}/stop")
        assert nothing["result"] == {"stopped": [], "stopping": []}
    assert await tina.trip(trip["trip_id"]) == trip


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
