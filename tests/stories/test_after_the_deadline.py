"""A question may be answered until its deadline, and not a moment later: whether or not anybody has let it expire yet."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from assistant.persistence.tables import commands, grants, questions
from tests.stories.test_decisions import free_seat, submitted
from tests.stories.test_unknown_outcomes import waits
from tests.stories.world import Json, Person, World

TOO_LATE = {"zh": "答复的期限已过", "en": "It is too late to answer this"}


async def comes_to(world: World, deadline: str, *, before: timedelta = timedelta()) -> None:
    """Only the clock moves: no round of the reconciler has its turn."""
    world.airline.advance((datetime.fromisoformat(deadline) - before - world.airline.now()).total_seconds())


async def refused(world: World, person: Person, path: str, body: Json, question_id: str) -> None:
    """It says when it was over, and leaves nothing behind."""
    given = len(await world.rows(commands))
    answer = await person.post(path, body)
    assert (answer.status_code, answer.json()["code"]) == (409, "answer_too_late"), answer.text
    assert TOO_LATE[person.language] in answer.json()["detail"]
    (question,) = await world.rows(questions, question_id=question_id)
    assert (question.status, len(await world.rows(commands))) == ("waiting", given)
    assert [row for row in await world.rows(grants) if not row.granted_by.startswith("policy:")] == []


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("word", ["approve", "reject", "respond"])
async def test_a_review(world: World, tina: Person, word: str, language: str) -> None:
    rita = await world.person("rita", language)
    _, trip = await waits(tina)
    review = await rita.review(trip["review_id"])
    await comes_to(world, review["expires_at"])
    said = {"type": word, "digest": review["digest"], "message": "Fly a day later"}
    await refused(world, rita, f"/reviews/{trip['review_id']}/decision", said, trip["review_id"])
    await world.quiet()
    assert ((await tina.trip(trip["trip_id"]))["status"], world.effects()) == ("expired", [])


async def test_an_edit_that_was_previewed_in_time(world: World, tina: Person, rita: Person) -> None:
    _, trip, chosen = await submitted(tina, can_hold=False, wish="I would like an aisle seat")
    edits = {"seats": {"1": {"1": await free_seat(tina, trip, chosen, "aisle")}}}
    preview = await rita.client.post(f"/api/v1/reviews/{trip['review_id']}/preview", json={"edits": edits})
    await comes_to(world, (await rita.review(trip["review_id"]))["expires_at"])
    said = {"type": "edit", "digest": preview.json()["digest"], "edits": edits}
    await refused(world, rita, f"/reviews/{trip['review_id']}/decision", said, trip["review_id"])


@pytest.mark.parametrize(("word", "language"), [("agree", "zh"), ("decline", "en")])
async def test_a_question_to_the_traveller(world: World, rita: Person, word: str, language: str) -> None:
    tina = await world.person("tina", language)
    wish, other = {"zh": ("我喜欢靠窗", "过道"), "en": ("I would like a window seat", "aisle")}[language]
    _, trip, chosen = await submitted(tina, can_hold=False, wish=wish)
    await rita.edits(trip["review_id"], {"seats": {"1": {"1": await free_seat(tina, trip, chosen, other)}}})
    asked = (await tina.trip(trip["trip_id"]))["question"]
    assert asked["node"] == "agree"
    await comes_to(world, asked["deadline"])
    given = len(await world.rows(commands))
    answer = await tina.post(f"/trips/{trip['trip_id']}/answer", {"answer": word, "digest": asked["digest"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "answer_too_late"), answer.text
    assert TOO_LATE[language] in answer.json()["detail"]
    assert (len(await world.rows(commands)), world.effects()) == (given, [])


async def test_a_yes_in_the_chat(world: World, tina: Person, rita: Person) -> None:
    chat, trip, chosen = await submitted(tina, can_hold=False, wish="I would like a window seat")
    await rita.edits(trip["review_id"], {"seats": {"1": {"1": await free_seat(tina, trip, chosen, "aisle")}}})
    await comes_to(world, (await tina.trip(trip["trip_id"]))["question"]["deadline"])
    await chat.say("yes")
    assert TOO_LATE["en"] in "\n".join((await chat.told())[-2:])
    assert world.effects() == []


async def test_until_the_last_moment_it_is_taken(world: World, tina: Person, rita: Person) -> None:
    _, trip = await waits(tina)
    await comes_to(world, (await rita.review(trip["review_id"]))["expires_at"], before=timedelta(seconds=20))
    await rita.decides(trip["review_id"], "approve")
    assert world.effects() == ["book"]
