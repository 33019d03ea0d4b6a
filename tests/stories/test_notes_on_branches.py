"""A reviewer writes on a branch what is to be remembered of it; everybody who sees the timeline reads it."""

from __future__ import annotations

from uuid import uuid4

from assistant.persistence.tables import branches, commands
from tests.stories.test_decisions import submitted
from tests.stories.ways_back import branches_of, steps, walker
from tests.stories.world import Json, Person, World


async def with_a_branch(world: World, tina: Person) -> tuple[Json, str]:
    """A trip that was gone back in; the line that was left."""
    _, trip, _ = await submitted(tina, can_hold=False)
    guide = await walker(world, "rita")
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "choose"))[0])
    left = (await branches_of(world, trip["trip_id"]))[0]
    assert left.status == "abandoned"
    return trip, f"/threads/{trip['trip_id']}/branches/{left.branch_id}/note"


async def remarks(person: Person, trip: Json) -> list[Json | None]:
    """Of the branches, oldest first."""
    lines = (await person.get(f"/threads/{trip['trip_id']}/versions"))["branches"]
    return [line["remark"] for line in sorted(lines, key=lambda line: line["at"])]


async def test_a_note_is_written_changed_and_taken_away(world: World, tina: Person, rita: Person) -> None:
    trip, path = await with_a_branch(world, tina)
    raj, key = await world.person("raj"), str(uuid4())
    first = await rita.post(path, {"text": "  The aisle seat was a misreading  "}, key=key)
    again = await rita.post(path, {"text": "  The aisle seat was a misreading  "}, key=key)
    assert first.json() == again.json()
    noted, main = await remarks(tina, trip)
    assert main is None
    assert noted is not None
    assert (noted["text"], noted["by"]) == ("The aisle seat was a misreading", "Rita")
    await raj.does(path, {"text": "见邮件，客人要靠窗"})
    changed = (await remarks(rita, trip))[0]
    assert changed is not None
    assert (changed["text"], changed["by"]) == ("见邮件，客人要靠窗", "Raj")
    await rita.does(path, {"text": ""})
    assert await remarks(tina, trip) == [None, None]
    assert len(await world.rows(commands, kind="note_branch", status="succeeded")) == 3
    assert (await tina.trip(trip["trip_id"]))["status"] == "waiting_review"


async def test_who_may_not_and_what_cannot_be_noted_changes_nothing(world: World, tina: Person, rita: Person) -> None:
    trip, path = await with_a_branch(world, tina)
    other, _ = await with_a_branch(world, await world.person("tom"))
    before = await world.rows(branches)
    answers = {"tina": (403, "forbidden"), "tom": (404, "not_found"), "olga": (404, "not_found"), "oscar": (404, "not_found")}
    for name, expected in answers.items():
        answer = await (await world.person(name)).post(path, {"text": "mine"})
        assert (answer.status_code, answer.json()["code"]) == expected, name
    zh = await (await world.person("tina", "zh")).post(path, {"text": "mine"})
    assert any("\u4e00" <= c <= "\u9fff" for c in zh.json()["detail"])
    for body, field in (({}, "text"), ({"text": "x" * 1001}, "text"), ({"text": "x", "colour": "red"}, "colour")):
        wrong = await rita.post(path, body)
        assert wrong.status_code == 422
        assert field in wrong.text
    elsewhere = path.replace(trip["trip_id"], other["trip_id"])
    for missing in (elsewhere, f"/threads/{trip['trip_id']}/branches/{uuid4()}/note", f"/threads/{uuid4()}/branches/x/note"):
        answer = await rita.post(missing, {"text": "x"})
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    unkeyed = await rita.client.post(f"/api/v1{path}", json={"text": "x"})
    assert (unkeyed.status_code, unkeyed.json()["code"]) == (400, "key_missing")
    assert await world.rows(branches) == before
    assert await world.rows(commands, kind="note_branch") == []
