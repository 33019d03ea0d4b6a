"""Going back in a chat: what was misread is put right, what was said is said anew, and the older wording stays readable."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assistant.domain.commands import Kind
from assistant.domain.understanding import Polarity, Position, Understanding
from assistant.language.interpreter import Heard
from assistant.language.rules.interpreter import RulesInterpreter
from assistant.persistence.tables import messages
from assistant.persistence.tables import versions as versions_table
from tests.stories.ways_back import branches_of, newest, said_in, steps, ticketed, walker
from tests.stories.world import Person, World, opened

NOT_THE_AISLE = "Anything but the aisle, please. From Shanghai to Tokyo on 11 December"


class HearsAisle(RulesInterpreter):
    """Takes "anything but the aisle" for a wish for the aisle."""

    async def interpret(self, heard: Heard) -> Understanding:
        understood = await super().interpret(heard)
        wishes = tuple(
            w.model_copy(update={"polarity": Polarity.WANT}) if w.position is Position.AISLE else w for w in understood.wishes
        )
        return understood.model_copy(update={"wishes": wishes})


@pytest.fixture
async def mishearing(data_dir: Path) -> AsyncIterator[World]:
    async with opened(data_dir, interpreter=HearsAisle()) as world:
        yield world


async def test_a_wish_that_was_misread_is_put_right_where_it_was_understood(mishearing: World) -> None:
    world = mishearing
    tina, rita, guide = await world.person("tina"), await world.person("rita"), await walker(world, "rita")
    chat = await tina.chat()
    await chat.say(NOT_THE_AISLE)
    wrong = await chat.trip()
    assert "aisle" in wrong["offers"][0]["seats"][0]["reasons"]
    chosen = await tina.choose(wrong["trip_id"], 1)
    understood = (await steps(world, chat.conversation_id, "understand"))[0]
    preview = await guide.previews(chat.conversation_id, understood, {"wishes": [{"position": "aisle", "polarity": "avoid"}]})
    assert [row.trip_id for row in preview.withdraws] == [wrong["trip_id"]]

    await guide.goes_back(chat.conversation_id, understood, {"wishes": [{"position": "aisle", "polarity": "avoid"}]})
    assert (await tina.trip(wrong["trip_id"]))["status"] == "withdrawn"
    assert (
        await rita.post(f"/reviews/{chosen['review_id']}/decision", {"type": "approve", "digest": "0" * 64})
    ).status_code == 409
    right = await chat.trip()
    assert right["trip_id"] != wrong["trip_id"]
    assert all("aisle" not in seat["reasons"] for seat in right["offers"][0]["seats"])
    assert [(w["position"], w["polarity"]) for w in (await tina.get("/me/preferences"))["wishes"]] == [("aisle", "avoid")]

    again = await tina.choose(right["trip_id"], 1)
    assert (again["status"], again["review_id"] != chosen["review_id"]) == ("waiting_review", True)
    assert (await ticketed(tina, rita, again))["status"] == "booked"
    assert len(world.orders()) == 1

    old, new = await branches_of(world, chat.conversation_id)
    assert (old.status, new.status, new.forked_from_version) == ("abandoned", "main", understood)
    raw = await world.whole.service.going_back.raw(guide.actor, chat.conversation_id, understood)
    assert raw.values["understanding"]["wishes"][0]["polarity"] == "want"
    assert [row for row in await world.rows(versions_table, thread_id=chat.conversation_id) if row.branch_id == old.branch_id]


async def test_an_edited_message_has_another_answer_and_the_older_wording_stays(world: World, tina: Person) -> None:
    chat, guide = await tina.chat(), await walker(world, "tina")
    await chat.say("I would like a window seat")
    (said,) = await said_in(chat)
    await guide.gives(Kind.EDIT_MESSAGE, chat.conversation_id, message_id=said.message_id, text="I would like an aisle seat")
    shown = (await chat.view())["messages"]
    assert [m["role"] for m in shown] == ["user", "assistant"]
    assert shown[0]["text"] == "I would like an aisle seat"
    assert [row.body["text"] for row in await said_in(chat)] == ["I would like a window seat", "I would like an aisle seat"]
    assert [w["position"] for w in (await tina.get("/me/preferences"))["wishes"]] == ["aisle"]
    assert "aisle" in await chat.say("Which seat do I prefer?")


async def test_a_regenerated_answer_keeps_the_message_and_the_first_answer(world: World, tina: Person) -> None:
    chat, guide = await tina.chat(), await walker(world, "tina")
    await chat.say("I would like a window seat")
    (said,) = await said_in(chat)
    await guide.gives(Kind.REGENERATE, chat.conversation_id, message_id=said.message_id)
    answers = await world.rows(messages, conversation_id=chat.conversation_id, role="assistant")
    assert {row.parent_id for row in answers} == {said.message_id}
    assert len(answers) == 2
    assert [m["role"] for m in (await chat.view())["messages"]] == ["user", "assistant"]
    assert [w["position"] for w in (await tina.get("/me/preferences"))["wishes"]] == ["window"]


async def test_the_first_wording_becomes_the_main_line_again(world: World, tina: Person) -> None:
    chat, guide = await tina.chat(), await walker(world, "tina")
    await chat.say("I would like a window seat")
    (said,) = await said_in(chat)
    await guide.gives(Kind.EDIT_MESSAGE, chat.conversation_id, message_id=said.message_id, text="I would like an aisle seat")
    old = (await branches_of(world, chat.conversation_id))[0]
    await guide.promotes(chat.conversation_id, old.branch_id)
    assert (await chat.view())["messages"][0]["text"] == "I would like a window seat"
    assert [w["position"] for w in (await tina.get("/me/preferences"))["wishes"]] == ["window"]
    assert "window" in await chat.say("Which seat do I prefer?")


async def test_nobody_else_edits_what_a_traveller_said(world: World, tina: Person) -> None:
    chat = await tina.chat()
    await chat.say("I would like a window seat")
    (said,) = await said_in(chat)
    before = await newest(world, chat.conversation_id)
    for other in ("tom", "rita", "oscar"):
        code = await (await walker(world, other)).is_refused(
            Kind.EDIT_MESSAGE, chat.conversation_id, message_id=said.message_id, text="I would like an aisle seat"
        )
        assert code == "not_found"
    assert await newest(world, chat.conversation_id) == before
