"""The question about a moved flight is answered in plain words of both languages, at once or after something else was said."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.domain.trips import TripStatus
from assistant.domain.understanding import Intent
from assistant.language.interpreter import Heard, HeardMessage
from assistant.language.rules.interpreter import understood as heard_as
from tests.graphs.talking import NOW, Conversation, shown, trip, understood


def talk_of_a_moved_flight(language: str) -> Conversation:
    return Conversation(trips=[trip(reason="moved", chosen=shown(1, "2100").fare, request={"language": language})])


async def told(talk: Conversation) -> None:
    was, now = (f.fare.model_dump(mode="json") for f in talk.trips[0].fares[:2])
    await talk.happened(
        "trip-1", TripStatus.CHOOSING, reason="moved", moved={"was": was, "now": now, "connection": None, "other_way": None}
    )


async def hears(talk: Conversation, text: str) -> dict[str, Any]:
    recent = (HeardMessage(role="assistant", text="…", asked=None),)
    return await talk.say(text, heard_as(Heard(text=text, recent=recent, now=NOW)))


ANSWERS = [
    ("the new time is fine", "resubmit"),
    ("accept the new time", "resubmit"),
    ("新的时间可以", "resubmit"),
    ("接受新时间", "resubmit"),
    ("leave it to my approver", "ask"),
    ("交给审批人决定", "ask"),
    ("让审批人处理", "ask"),
]


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize(("text", "answer"), ANSWERS)
async def test_plain_answers_are_understood(text: str, answer: str, later: bool) -> None:
    talk = talk_of_a_moved_flight("en" if text.isascii() else "zh")
    await told(talk)
    if later:
        await talk.say("hello", understood(Intent.SMALLTALK))
    state = await hears(talk, text)
    assert state["proposes"] == [{"kind": "choose", "trip_id": "trip-1", "payload": {"answer": answer}}]


@pytest.mark.parametrize("yes", ["yes", "好的"])
async def test_a_bare_yes_later_is_asked_what_it_is_for_and_then_taken(yes: str) -> None:
    talk = talk_of_a_moved_flight("en" if yes.isascii() else "zh")
    await told(talk)
    await talk.say("hello", understood(Intent.SMALLTALK))
    state = await hears(talk, yes)
    assert state["proposes"] == []
    assert "new time fine?" in state["reply"]["text"] or "新的时间可以吗" in state["reply"]["text"]
    assert [p["payload"] for p in (await hears(talk, yes))["proposes"]] == [{"answer": "resubmit"}]


@pytest.mark.parametrize("text", ["the new time is not fine", "新的时间不行", "the new time doesn't work"])
async def test_what_is_not_fine_is_not_accepted(text: str) -> None:
    talk = talk_of_a_moved_flight("en")
    await told(talk)
    assert all(p["payload"] != {"answer": "resubmit"} for p in (await hears(talk, text))["proposes"])
