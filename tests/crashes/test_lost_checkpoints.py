"""A power cut or a restored file takes the newest checkpoints: each thread goes on at the next start, nothing is bought twice."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from assistant.persistence.tables import questions, versions
from tests.stories.world import Person, World, opened

Json = dict[str, Any]
TOKYO = "From Shanghai to Tokyo on 11 December"


def lose(data_dir: Path, thread_id: str, *, after: str | None) -> None:
    """What was written to a thread after this checkpoint (None: everything) never reached the disk."""
    with closing(sqlite3.connect(data_dir / "checkpoints.db")) as file, file:
        for table in ("checkpoints", "writes"):
            file.execute(f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id > ?", (thread_id, after or ""))


async def history(world: World, thread_id: str) -> list[Any]:
    return sorted(await world.rows(versions, thread_id=thread_id), key=lambda row: row.version)


async def asked(tina: Person) -> tuple[str, Json]:
    """A chat, and a trip that waits for a reviewer."""
    chat = await tina.chat()
    await chat.say(TOKYO)
    return chat.conversation_id, await tina.choose((await chat.trip())["trip_id"])


async def rita_sees(world: World) -> tuple[Person, list[Json]]:
    await world.quiet()
    rita = await world.person("rita")
    return rita, await rita.inbox()


@pytest.mark.parametrize("steps_left", [1, 3, 6])
async def test_a_review_whose_step_is_gone_is_asked_anew_and_decided_once(data_dir: Path, steps_left: int) -> None:
    async with opened(data_dir) as world:
        _, trip = await asked(await world.person("tina"))
        made = await history(world, trip["trip_id"])
    lose(data_dir, trip["trip_id"], after=made[steps_left - 1].checkpoint_id)
    async with opened(data_dir) as world:
        rita, inbox = await rita_sees(world)
        assert [r["trip_id"] for r in inbox] == [trip["trip_id"]]
        old = await world.rows(questions, question_id=trip["review_id"])
        assert inbox[0]["review_id"] != trip["review_id"]
        assert old[0].status == "superseded"
        await rita.decides(inbox[0]["review_id"], "approve")
        await world.later(5)
        now = await (await world.person("tina")).trip(trip["trip_id"])
        assert (now["status"], len(world.orders())) == ("booked", 1)
        assert now["orders"][0]["seats"] == [s["designator"] for s in trip["selection"]["seats"]]


@pytest.mark.parametrize("steps_left", [0, 2, 3])
async def test_a_choice_whose_step_is_gone_is_offered_again(data_dir: Path, steps_left: int) -> None:
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        chat = await tina.chat()
        await chat.say(TOKYO)
        trip = await chat.trip()
        made = await history(world, trip["trip_id"])
    lose(data_dir, trip["trip_id"], after=made[steps_left - 1].checkpoint_id if steps_left else None)
    async with opened(data_dir) as world:
        await world.quiet()
        tina = await world.person("tina")
        assert (await tina.trip(trip["trip_id"]))["status"] == "choosing"
        chosen = await tina.choose(trip["trip_id"])
        assert chosen["status"] == "waiting_review"


async def test_a_booked_trip_whose_last_steps_are_gone_stays_booked_and_can_still_be_cancelled(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        _, trip = await asked(tina)
        await rita.decides(trip["review_id"], "approve")
        await world.later(5)
        assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
        effects, made = world.effects(), await history(world, trip["trip_id"])
    lose(data_dir, trip["trip_id"], after=made[3].checkpoint_id)
    async with opened(data_dir) as world:
        rita, inbox = await rita_sees(world)
        tina = await world.person("tina")
        assert ((await tina.trip(trip["trip_id"]))["status"], inbox, world.effects()) == ("booked", [], effects)
        await tina.does(f"/trips/{trip['trip_id']}/cancellation")
        (review,) = await rita.inbox()
        await rita.decides(review["review_id"], "approve")
        await world.later(5)
        assert ((await tina.trip(trip["trip_id"]))["status"], world.orders()) == ("cancelled", [])


async def test_a_trip_that_was_waiting_for_the_airline_still_learns_what_became_of_it(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        _, trip = await asked(tina)
        paid = "pay" if "hold" in world.effects() else "create"
        world.airline.put_faults([{"match": {"op": paid, "nth": 1}, "fault": "timeout_after_apply"}])
        await rita.decides(trip["review_id"], "approve")
        assert (await tina.trip(trip["trip_id"]))["status"] == "checking"
        made = await history(world, trip["trip_id"])
    lose(data_dir, trip["trip_id"], after=made[4].checkpoint_id)
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        await world.quiet()

        async def is_booked() -> bool:
            return (await tina.trip(trip["trip_id"]))["status"] == "booked"

        await world.until(is_booked)
        assert len(world.orders()) == 1


async def test_a_chat_whose_last_turn_is_gone_keeps_its_words_and_goes_on(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        chat = await tina.chat()
        await chat.say(TOKYO)
        made = await history(world, chat.conversation_id)
        await chat.say("I always want a window seat")
        said = [m["text"] for m in (await chat.view())["messages"]]
    lose(data_dir, chat.conversation_id, after=made[-1].checkpoint_id)
    async with opened(data_dir) as world:
        await world.quiet()
        tina = await world.person("tina")
        chat.person = tina
        assert [m["text"] for m in (await chat.view())["messages"]] == said
        assert await chat.say("hello?")
        assert [w["position"] for w in (await tina.get("/me/preferences"))["wishes"]] == ["window"]


async def test_with_all_checkpoints_gone_the_desk_still_answers_and_holds_what_it_held(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        conversation_id, trip = await asked(tina)
    (data_dir / "checkpoints.db").unlink()
    async with opened(data_dir) as world:
        await world.quiet()
        tina = await world.person("tina")
        assert (await tina.trip(trip["trip_id"]))["status"] == "choosing"
        answer = await tina.does(f"/conversations/{conversation_id}/messages", {"text": "hello?"})
        assert answer["result"]["reply"]
        again = await tina.choose(trip["trip_id"])
        assert again["status"] == "waiting_review"
        assert len(world.orders()) <= 1
