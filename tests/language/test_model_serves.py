"""The whole product with a model in front of it: replies, outages, stops, and what it all took."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from assistant.persistence.tables import commands, documents, messages
from assistant.wording import say
from tests.language.model_server import Call, ModelServerUnderTest, fails, hangs, model_server, says
from tests.language.test_model_reading import NOTHING
from tests.language.with_model import with_model
from tests.stories.world import Chat, World

WORDS = "fly from Shanghai to Tokyo on December 18, window seat please"

SAID = "5b0c6a52-7f3a-4f0e-9d52-6a1c0f5f7a11"  # the key of a message to be stopped


async def echoes(call: Call) -> None:
    """A good model: adds nothing to the reading, repeats the lines it is given."""
    if call.body.get("stream"):
        lines = str(call.body["messages"][1]["content"]).split("lines:\n", 1)[1]
        await says(lines)(call)
    else:
        await says(NOTHING)(call)


@pytest.fixture
async def under_test() -> AsyncIterator[ModelServerUnderTest]:
    async with model_server(echoes) as server:
        yield server


@pytest.fixture
async def world(data_dir: Path, under_test: ModelServerUnderTest) -> AsyncIterator[World]:
    async with with_model(data_dir, under_test.url) as made:
        yield made


@pytest.fixture
async def chat(world: World) -> Chat:
    return await (await world.person("tina")).chat()


async def stopped(chat: Chat, under_test: ModelServerUnderTest) -> dict[str, Any]:
    """Says something, stops once the model has been asked, and waits for the end."""
    under_test.arrived.clear()
    path = f"/conversations/{chat.conversation_id}"
    saying = asyncio.create_task(chat.person.post(f"{path}/messages", {"text": WORDS}, key=SAID))
    await under_test.arrived.wait()
    answer = await chat.person.does(f"{path}/stop")
    assert answer["result"]["stopping"] == [SAID]
    return (await saying).json()


async def test_a_message_is_read_and_answered_with_a_model(chat: Chat, under_test: ModelServerUnderTest) -> None:
    reply = await chat.say(WORDS)
    assert say("model.down", "en") not in reply
    assert len(under_test.asked) == 2, "one reading, one reply; the news of the search needs no model"
    assert (await chat.trip())["status"] == "choosing"


async def test_what_it_took_is_kept_by_run_and_summed_for_the_operator(chat: Chat, world: World) -> None:
    await chat.say(WORDS)
    metrics = (await chat.person.client.get("/metrics")).text
    assert 'layover_model_tokens{kind="input",model="a-model"} 240.0' in metrics
    assert 'layover_model_calls{model="a-model",outcome="answered"} 2.0' in metrics
    kept = [row.body for row in await world.rows(documents) if row.hash.startswith("model-usage:")]
    assert [(body["model"], body["output_tokens"]) for body in kept] == [("a-model", 60)]


async def test_an_outage_is_told_once_and_everything_goes_on(chat: Chat, under_test: ModelServerUnderTest) -> None:
    under_test.will(fails("503 Down"))
    down = say("model.down", "en")
    assert (await chat.say(WORDS)).startswith(down)
    assert (await chat.trip())["status"] == "choosing"
    assert down not in await chat.say("the cheapest one")
    assert sum(down in told for told in await chat.told()) == 1
    assert len(under_test.asked) == 1, "it is left alone for a while"


async def test_a_stop_cuts_the_slow_model_and_the_conversation_goes_on(
    chat: Chat, world: World, under_test: ModelServerUnderTest
) -> None:
    under_test.will(hangs())
    ended = await stopped(chat, under_test)
    assert (ended["status"], ended["error"]) == ("failed", {"code": "stopped"})
    await under_test.hung_up.wait()
    assert await chat.trips() == []
    said = [(row.role, row.body.get("said")) for row in await world.rows(messages, conversation_id=chat.conversation_id)]
    assert said[-1] == ("assistant", [{"key": "chat.stopped", "params": {}}])
    under_test.will(echoes)
    await chat.say(WORDS)
    assert (await chat.trip())["status"] == "choosing"


async def test_a_reply_stopped_half_way_does_nothing(chat: Chat, under_test: ModelServerUnderTest) -> None:
    under_test.will(says(NOTHING), hangs("[1] Sear"))
    saying = asyncio.create_task(chat.person.post(f"/conversations/{chat.conversation_id}/messages", {"text": WORDS}))
    while len(under_test.asked) < 2:
        under_test.arrived.clear()
        await under_test.arrived.wait()
    await chat.person.does(f"/conversations/{chat.conversation_id}/stop")
    assert (await saying).json()["error"] == {"code": "stopped"}
    assert await chat.trips() == []


async def test_a_stop_that_comes_again_stops_nothing_later(chat: Chat, world: World, under_test: ModelServerUnderTest) -> None:
    under_test.will(hangs())
    await stopped(chat, under_test)
    stop = (await world.rows(commands, kind="stop"))[0]
    under_test.will(echoes)
    again = chat.person.post(f"/conversations/{chat.conversation_id}/stop", key=stop.command_id)
    reply, answer = await asyncio.gather(chat.say(WORDS), again)
    assert answer.json()["result"]["stopping"] == [SAID]
    assert "Searching" in reply
