"""What stands still is seen: loops that break, commands that cannot even fail, a pause; and whose words a page may listen to."""

from __future__ import annotations

import asyncio
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import update

from assistant.dispatch.rounds import Rounds, Turn
from assistant.doctor import findings
from assistant.domain.commands import Command, Kind
from assistant.domain.errors import NotFound
from assistant.domain.people import Actor
from assistant.persistence import commands, signals, standing
from assistant.persistence import trips as read_model
from assistant.persistence.tables import commands as stored
from assistant.persistence.tables import questions, trips
from assistant.web.instruments import LASTS
from tests.stories.dying import BreaksWhileSearching, process_on
from tests.stories.test_decisions import submitted
from tests.stories.test_lost_answers import fail, settled
from tests.stories.test_paused import WHY, layover
from tests.stories.ways_back import walker
from tests.stories.world import Person, World, opened


async def readiness(person: Person) -> httpx.Response:
    return await person.client.get("/readyz")


async def test_a_loop_that_breaks_is_seen_as_broken_and_starts_anew() -> None:
    rounds_begun, goes_well = 0, asyncio.Event()

    async def once() -> None:
        nonlocal rounds_begun
        rounds_begun += 1
        if rounds_begun == 1:
            raise ZeroDivisionError
        goes_well.set()

    rounds = Rounds("a loop", once, rest=lambda: asyncio.sleep(0.01))
    rounds.start()
    await asyncio.sleep(0.05)
    assert not rounds.goes_on
    await asyncio.wait_for(goes_well.wait(), 5)
    await asyncio.sleep(0)
    assert rounds.goes_on
    await rounds.stop()
    assert not rounds.goes_on


async def test_a_round_that_does_not_end_counts_as_standing_still() -> None:
    now = [0.0]

    async def forever() -> None:
        await asyncio.sleep(3600)

    rounds = Rounds("a loop", forever, rest=lambda: asyncio.sleep(0), seconds=lambda: now[0])
    rounds.start()
    assert rounds.goes_on
    now[0] = 200.0
    assert not rounds.goes_on
    for task in asyncio.all_tasks():
        if task.get_name() == "a loop":
            task.cancel()


async def test_nothing_that_is_due_is_kept_waiting_by_what_breaks_before_it() -> None:
    done: list[str] = []

    async def breaks() -> None:
        raise ZeroDivisionError

    async def works() -> None:
        done.append("done")

    turn = Turn()
    await turn.take(breaks())
    await turn.take(works())
    assert done == ["done"]
    with pytest.raises(ZeroDivisionError):
        turn.over()


async def test_readiness_names_the_loop_that_stands_still(world: World, tina: Person) -> None:
    assert world.whole.dispatcher.rounds is not None
    answer = await readiness(tina)  # this world's reconciler was stopped, the tests call its rounds
    assert (answer.status_code, answer.json()["ready"]) == (503, False)
    checks = answer.json()["checks"]
    assert (checks["reconciler"], checks["dispatcher"], checks["provider"], checks["storage"]) == (False, True, True, True)
    world.whole.reconciler.rounds.start()
    world.whole.reconciler.rounds.end()


async def test_what_waits_for_a_person_is_counted_and_makes_nothing_unready(world: World, tina: Person, rita: Person) -> None:
    before = (await readiness(tina)).json()
    assert (before["paused"], before["waiting"]) == (
        False,
        {"operations": 0, "late_orders": 0, "trips": 0, "parked_long": 0, "overdue": 0, "stranded": 0},
    )
    _, trip, _ = await submitted(tina, can_hold=False)
    fail(world, "create", "timeout_before_apply")
    await rita.decides(trip["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    await world.later(2 * 3600)
    await asyncio.sleep(LASTS)
    after = (await readiness(tina)).json()
    assert after["waiting"] == before["waiting"] | {"operations": 1, "trips": 1, "parked_long": 1}
    assert after["checks"] == before["checks"]


async def test_what_the_doctor_names_because_nobody_runs_it_or_its_step_is_gone_is_counted(world: World, tina: Person) -> None:
    for _ in range(3):
        await submitted(tina, can_hold=False)
    before = (await readiness(tina)).json()["waiting"]
    assert (before["overdue"], before["stranded"]) == (0, 0)
    await world.whole.dispatcher.stop()
    older, gone, well = await world.rows(questions, status="waiting")
    for broken_one in (
        update(questions).where(questions.c.question_id == older.question_id).values(graph_version="0"),
        update(questions).where(questions.c.question_id == gone.question_id).values(asks_checkpoint_id="lost"),
        update(stored).where(stored.c.kind == "choose").values(status="running"),
    ):
        await world.whole.database.write(lambda tx, statement=broken_one: tx.execute(statement))
    world.airline.advance(standing.LONG.total_seconds() + 60)
    await asyncio.sleep(LASTS)
    counted = (await readiness(tina)).json()["waiting"]
    assert (counted["overdue"], counted["stranded"]) == (3, 2)
    named = [finding.what async for finding in findings(world.whole.database, world.whole.settings)]
    for words, times in (("(choose) has not ended", 3), ("of graph version 0", 1), ("is gone", 1)):
        assert sum(words in what for what in named) == times
    assert not any(well.thread_id in what and "waits at" in what for what in named)


async def test_checkpoints_that_are_gone_are_missed_and_not_made_anew_by_asking(world: World, tina: Person) -> None:
    file = world.whole.settings.data_dir / "checkpoints.db"
    aside = file.rename(file.with_suffix(".aside"))
    answer = await readiness(tina)
    assert (answer.status_code, answer.json()["checks"]["checkpoints"]) == (503, False)
    assert not file.exists()
    aside.rename(file)


async def test_a_pause_is_said_by_readiness_and_to_everybody_who_asks_who_they_are(world: World, tina: Person) -> None:
    assert (await tina.get("/me"))["paused"] is None
    layover(world, "pause", "--reason", WHY)
    assert (await tina.get("/me"))["paused"] == {"reason": WHY}
    assert (await readiness(tina)).json()["paused"] is True


async def test_nobody_listens_to_a_reply_to_somebody_else(world: World, tina: Person) -> None:
    chat, key = await tina.chat(), str(uuid4())
    await tina.post(f"/conversations/{chat.conversation_id}/messages", {"text": "From Shanghai to Tokyo on 11 December"}, key=key)
    own = (await walker(world, "tina")).actor
    async for piece in world.whole.service.pieces(own, key):
        assert piece
    for name in ("tom", "rita", "olga"):
        other = (await walker(world, name)).actor
        with pytest.raises(NotFound):
            [piece async for piece in world.whole.service.pieces(other, key)]


async def test_a_command_ends_even_where_nobody_can_be_told_of_its_end(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        chat = await tina.chat()
        await chat.say("From Shanghai to Tokyo on 11 December")
        trip, actor = await chat.trip(), (await walker(world, "tina")).actor
    change = Command(
        command_id=str(uuid4()),
        kind=Kind.REVISE_TRIP,
        actor=actor,
        target=trip["trip_id"],
        payload={"request": {"depart_on": "2026-12-12"}},
    )
    async with process_on(data_dir, BreaksWhileSearching) as process:
        service = process.service
        stranger = Actor(tenant_id=actor.tenant_id, user_id="layover", name="Layover")
        taken = Command(
            command_id=service.finishing.follow_ups(change.command_id, "notify-failed"),
            kind=Kind.ARCHIVE,
            actor=stranger,
            target="",
        )
        await process.database.write(lambda tx: commands.insert_new(tx, taken, thread_id=None, parent=None, at=process.clock()))
        before = await process.database.read(lambda tx: signals.counters(tx, signals.of_user(actor.user_id)))
        await service.accept(change)
        at = process.clock()
        await process.database.write(lambda tx: read_model.change(tx, trip["trip_id"], at=at, status="searching"))
        await process.dispatcher.start(service.run)
        receipt = await service.settled(actor.tenant_id, change.command_id, wait=20)
        assert (receipt.status, receipt.error) == ("failed", {"code": "failed"})
        await process.dispatcher.stop()
        (stands,) = await World(process, process.airline, None, None).rows(trips, trip_id=trip["trip_id"])  # type: ignore[arg-type]
        assert (stands.status, stands.reason) == ("needs_person", "failed")
        seen = await process.database.read(lambda tx: signals.counters(tx, signals.of_user(actor.user_id)))
        assert seen[signals.of_user(actor.user_id)] > before[signals.of_user(actor.user_id)] + 1  # accepted, and ended
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        await world.later(60)
        assert (await tina.trip(trip["trip_id"]))["status"] == "choosing"
        assert (await tina.choose(trip["trip_id"]))["status"] == "waiting_review"
