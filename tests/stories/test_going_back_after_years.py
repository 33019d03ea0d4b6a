"""Long-lived threads: an older graph's waiting question is asked again, and old steps are pruned without losing what is open."""

from __future__ import annotations

import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from assistant.bootstrap import checkpoints, database_url
from assistant.doctor import findings
from assistant.domain.commands import Command, Kind
from assistant.invariants import Finding
from assistant.persistence.database import Database
from assistant.persistence.tables import questions, versions
from assistant.pruning import Pruned, prune
from assistant.settings import Settings
from tests.stories.dying import Passing, process_on
from tests.stories.test_decisions import submitted
from tests.stories.ways_back import TO_TOKYO, booked, branches_of, newest, picks, said_in, steps, ticketed, waiting, walker
from tests.stories.world import Json, Person, World, opened


async def waits(data_dir: Path) -> tuple[Json, Any, Command]:
    """A trip that waits for its review, the question's row, and rita's approval, not yet given."""
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        chat = await tina.chat()
        await chat.say(TO_TOKYO)
        trip = await picks(tina, await chat.trip())
        digest = (await rita.review(trip["review_id"]))["digest"]
        approval = Command(
            command_id="b9d9b6a0-3a2f-4d55-9d0e-7a4b6b1f0c01",
            kind=Kind.DECIDE,
            actor=(await walker(world, "rita")).actor,
            target=trip["review_id"],
            payload={"type": "approve", "digest": digest},
        )
        return trip, await waiting(world, trip["trip_id"]), approval


async def as_asked_by_an_older_graph(data_dir: Path, question: Any, *, old: str, new: str) -> None:
    """What the checkpoint would hold if the node `new` had been called `old` when it asked."""
    async with checkpoints(data_dir / "checkpoints.db") as saver:
        at: Any = {"thread_id": question.thread_id, "checkpoint_ns": "", "checkpoint_id": question.asks_checkpoint_id}
        kept = await saver.aget_tuple({"configurable": at})
        assert kept is not None
        checkpoint: Any = kept.checkpoint
        for part in ("channel_values", "channel_versions"):
            part_of = checkpoint[part]
            part_of[f"branch:to:{old}"] = part_of.pop(f"branch:to:{new}")
        parent = kept.parent_config or {"configurable": {"thread_id": question.thread_id, "checkpoint_ns": ""}}
        await saver.aput(parent, checkpoint, kept.metadata, {})


async def looked_at(data_dir: Path) -> list[Finding]:
    """What `layover doctor` finds."""
    settings = Settings(_env_file=None, data_dir=data_dir)  # pyright: ignore[reportCallIssue]
    database = Database(database_url(settings))
    try:
        return [finding async for finding in findings(database, settings)]
    finally:
        await database.close()


async def test_a_review_asked_by_a_node_that_was_renamed_is_asked_again_at_start(data_dir: Path) -> None:
    trip, question, _ = await waits(data_dir)
    await as_asked_by_an_older_graph(data_dir, question, old="approval", new="review")
    assert any("'approval'" in finding.what for finding in await looked_at(data_dir))
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        await world.quiet()
        now = await tina.trip(trip["trip_id"])
        assert (now["status"], now["review_id"], now["selection"]) == ("waiting_review", trip["review_id"], trip["selection"])
        assert (await waiting(world, trip["trip_id"])).interrupt_id != question.interrupt_id
        assert (await ticketed(tina, rita, now))["status"] == "booked"


async def test_without_being_asked_again_it_is_refused_and_never_silently_finished(data_dir: Path) -> None:
    trip, question, approval = await waits(data_dir)
    await as_asked_by_an_older_graph(data_dir, question, old="approval", new="review")
    async with process_on(data_dir, Passing) as process:
        await process.service.accept(approval)
        await process.service.run(approval.actor.tenant_id, approval.command_id)
        receipt = await process.service.settled(approval.actor.tenant_id, approval.command_id, wait=0)
        assert (receipt.status, (receipt.error or {})["code"]) == ("failed", "question_gone")
        world = World(process, process.airline, None, None)  # type: ignore[arg-type]
        assert (await waiting(world, trip["trip_id"])).question_id == question.question_id
        assert world.effects() == []


async def test_a_question_nothing_leads_back_to_is_named_and_left(data_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    trip, question, _ = await waits(data_dir)
    await as_asked_by_an_older_graph(data_dir, question, old="fax", new="review")
    async with process_on(data_dir, Passing) as process:
        mine = questions.c.question_id == question.question_id
        await process.database.write(lambda tx: tx.execute(update(questions).where(mine).values(node="fax")))
    with caplog.at_level(logging.ERROR):
        async with opened(data_dir) as world:
            assert any("'fax'" in record.getMessage() and trip["trip_id"] in record.getMessage() for record in caplog.records)
            tina, rita, guide = await world.person("tina"), await world.person("rita"), await walker(world, "rita")
            await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "choose"))[0])
            assert (await ticketed(tina, rita, trip))["status"] == "booked"


# Pruning


async def pruned(world: World, data_dir: Path) -> Pruned:
    """Everything that was made up to now and is not needed."""
    before = world.airline.now() + timedelta(days=400)  # the checkpoints carry the machine's time
    said: list[str] = []
    return await prune(world.whole.database, data_dir / "checkpoints.db", before=before, say=said.append)


async def test_a_waiting_review_outlives_pruning(world: World, data_dir: Path, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    gone = await pruned(world, data_dir)
    assert gone.versions > 0
    assert gone.checkpoints >= gone.versions
    rows = await world.rows(versions, thread_id=trip["trip_id"], pruned=True)
    guide, seen = await walker(world, "rita"), await newest(world, trip["trip_id"])
    for row in rows:
        code = await guide.is_refused(Kind.REWIND, trip["trip_id"], to_version=row.version, seen_version=seen, reason="x")
        assert code == "gone"
    assert (await pruned(world, data_dir)).checkpoints == 0
    assert (await ticketed(tina, rita, trip))["status"] == "booked"
    assert len(world.orders()) == 1


async def test_a_conversation_goes_on_after_pruning(world: World, data_dir: Path, tina: Person) -> None:
    chat = await tina.chat()
    for words in ("I would like a window seat", "Hello", "Which seat do I prefer?"):
        await chat.say(words)
    before = (await chat.view())["messages"]
    assert (await pruned(world, data_dir)).versions > 0
    assert "window" in await chat.say("Which seat do I prefer?")
    assert (await chat.view())["messages"][: len(before)] == before
    first, guide = (await said_in(chat))[0], await walker(world, "tina")
    code = await guide.is_refused(Kind.EDIT_MESSAGE, chat.conversation_id, message_id=first.message_id, text="Hello")
    assert code == "gone"
    last = (await said_in(chat))[-1]
    receipt = await guide.gives(Kind.EDIT_MESSAGE, chat.conversation_id, message_id=last.message_id, text="Hello again")
    assert receipt.status == "succeeded"


async def test_the_end_of_an_abandoned_branch_can_still_be_promoted(
    world: World, data_dir: Path, tina: Person, rita: Person
) -> None:
    guide = await walker(world, "rita")
    _, trip = await booked(tina, rita)
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "start"))[0], {"depart_on": "2026-12-14"})
    await pruned(world, data_dir)
    old = (await branches_of(world, trip["trip_id"]))[0]
    receipt = await guide.promotes(trip["trip_id"], old.branch_id)
    assert receipt.status == "succeeded"
    now = await tina.trip(trip["trip_id"])
    assert (now["status"], now["orders"], now["other_live_bookings"]) == ("booked", trip["orders"], [])


async def test_while_the_airlines_word_is_awaited_nothing_of_the_trip_is_pruned(
    world: World, data_dir: Path, tina: Person, rita: Person
) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    world.airline.put_faults([{"match": {"op": "create", "nth": 1}, "fault": "timeout_after_apply"}])
    await rita.decides(trip["review_id"], "approve")
    assert (await tina.trip(trip["trip_id"]))["status"] == "checking"
    await pruned(world, data_dir)
    assert await world.rows(versions, thread_id=trip["trip_id"], pruned=True) == []
    await world.until(lambda: is_booked(tina, trip))
    assert len(world.orders()) == 1


async def is_booked(tina: Person, trip: Json) -> bool:
    return (await tina.trip(trip["trip_id"]))["status"] == "booked"
