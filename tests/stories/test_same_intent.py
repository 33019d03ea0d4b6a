"""One intent is carried out once, however often and from wherever it is sent."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from assistant.persistence.tables import commands, messages, runs
from tests.stories.world import Person, World


async def waiting_review(person: Person) -> tuple[str, str]:
    """The trip and the review of a trip that was chosen and submitted."""
    chat = await person.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    trip = await person.choose((await chat.trip())["trip_id"])
    return trip["trip_id"], trip["review_id"]


async def test_one_key_sent_twenty_times_at_once_is_one_run_and_one_answer(world: World, tina: Person) -> None:
    chat, key = await tina.chat(), str(uuid4())
    path, body = f"/conversations/{chat.conversation_id}/messages", {"text": "I would like a window seat"}
    answers = await asyncio.gather(*(tina.post(path, body, key=key) for _ in range(20)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert len(await world.rows(runs, command_id=key)) == 1
    said = await world.rows(messages, conversation_id=chat.conversation_id)
    assert [row.role for row in said] == ["user", "assistant"]


async def test_a_key_with_another_body_is_refused(world: World, tina: Person) -> None:
    chat, key = await tina.chat(), str(uuid4())
    path = f"/conversations/{chat.conversation_id}/messages"
    await tina.post(path, {"text": "I would like a window seat"}, key=key)
    other = await tina.post(path, {"text": "I would like an aisle seat"}, key=key)
    assert (other.status_code, other.json()["code"]) == (422, "command_reused")
    assert "window" in await chat.say("Which seat do I prefer?")


async def test_a_key_of_another_person_is_refused(world: World, tina: Person) -> None:
    key = str(uuid4())
    await tina.post("/conversations", {"title": "Tokyo"}, key=key)
    tom = await world.person("tom")
    answer = await tom.post("/conversations", {"title": "Tokyo"}, key=key)
    assert (answer.status_code, answer.json()["code"]) == (422, "command_reused")
    assert (await tom.get("/conversations"))["conversations"] == []


async def test_the_same_words_with_another_key_are_another_intent(world: World, tina: Person) -> None:
    chat = await tina.chat()
    await chat.say("Hello")
    await chat.say("Hello")
    assert len(await chat.told()) == 2


async def test_an_approval_sent_twenty_times_at_once_books_once(world: World, tina: Person, rita: Person) -> None:
    trip_id, review_id = await waiting_review(tina)
    body, key = {"type": "approve", "digest": (await rita.review(review_id))["digest"]}, str(uuid4())
    answers = await asyncio.gather(*(rita.post(f"/reviews/{review_id}/decision", body, key=key) for _ in range(20)))
    assert {answer.status_code for answer in answers} == {200}
    await world.later(5)
    assert (await tina.trip(trip_id))["status"] == "booked"
    assert len(world.orders(live=False)) == 1
    assert len(await world.rows(runs, command_id=key)) == 1


async def test_of_two_reviewers_at_once_one_decides_and_the_other_is_told_who(world: World, tina: Person, rita: Person) -> None:
    trip_id, review_id = await waiting_review(tina)
    raj = await world.person("raj")
    digest = (await rita.review(review_id))["digest"]
    path, body = f"/reviews/{review_id}/decision", {"type": "approve", "digest": digest}
    answers = await asyncio.gather(rita.post(path, body), raj.post(path, body))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    won, lost = sorted(answers, key=lambda answer: answer.status_code)
    winner = "Rita" if won is answers[0] else "Raj"
    problem = lost.json()
    assert problem["code"] == "already_decided"
    assert problem["by"] == winner
    assert problem["at"]
    await world.later(5)
    assert len(world.orders(live=False)) == 1
    assert (await tina.trip(trip_id))["decided_by"] == winner


async def test_the_loser_of_a_decision_leaves_no_command_behind(world: World, tina: Person, rita: Person) -> None:
    _, review_id = await waiting_review(tina)
    raj, key = await world.person("raj"), str(uuid4())
    digest = (await rita.review(review_id))["digest"]
    await rita.decides(review_id, "approve")
    answer = await raj.post(f"/reviews/{review_id}/decision", {"type": "reject", "digest": digest, "message": "No"}, key=key)
    assert answer.status_code == 409
    assert await world.rows(commands, command_id=key) == []


async def test_an_approval_of_another_plan_than_the_one_shown_is_refused(world: World, tina: Person, rita: Person) -> None:
    _, review_id = await waiting_review(tina)
    answer = await rita.post(f"/reviews/{review_id}/decision", {"type": "approve", "digest": "0" * 64})
    assert (answer.status_code, answer.json()["code"]) == (409, "stale_digest")
    assert (await rita.review(review_id))["status"] == "waiting"
