"""Ways back that are refused: each has a clear answer through REST, and no row anywhere has changed."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import select, update

from assistant.domain.ids import fingerprint
from assistant.persistence.database import Tx
from assistant.persistence.tables import branches, commands, schema
from assistant.persistence.tables import versions as versions_table
from tests.stories.test_decisions import submitted
from tests.stories.test_going_back_interrupted import WaitsOnRome
from tests.stories.ways_back import TO_TOKYO, booked, newest, steps
from tests.stories.world import Json, Person, World, opened

VOLATILE = {"sign_ins"}


async def digests(world: World) -> dict[str, str]:
    """What every table holds, in one word each."""

    async def read(tx: Tx) -> dict[str, str]:
        tables = (table for table in schema.sorted_tables if table.name not in VOLATILE)
        return {t.name: fingerprint(sorted(repr(tuple(row)) for row in (await tx.execute(select(t))).all())) for t in tables}

    return await world.whole.database.read(read)


def said(answer: httpx.Response) -> tuple[int, str]:
    body = answer.json()
    assert body["detail"]
    return answer.status_code, body["code"]


async def asked_for(world: World, trip: Json, step: str = "choose", **more: object) -> Json:
    """A way back that would be right, but for `more`."""
    to = (await steps(world, trip["trip_id"], step))[0]
    right = {"to_version": to, "seen_version": await newest(world, trip["trip_id"]), "reason": "It went wrong there"}
    return right | more


async def test_of_two_reviewers_at_once_one_goes_back_and_the_other_is_told(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    raj, path = await world.person("raj"), f"/threads/{trip['trip_id']}/rewind"
    body = await asked_for(world, trip)
    answers = await asyncio.gather(rita.post(path, body), raj.post(path, body))
    await world.quiet()
    assert sorted(a.status_code for a in answers) == [200, 409]
    lost = next(a for a in answers if a.status_code == 409)
    assert said(lost)[1] in {"busy", "version_moved"}
    assert len(await world.rows(commands, kind="rewind")) == 1
    assert Counter(row.status for row in await world.rows(branches, thread_id=trip["trip_id"])) == {"main": 1, "abandoned": 1}
    late = await digests(world)
    assert said(await raj.post(path, body)) == (409, "version_moved")
    assert await digests(world) == late
    assert len(await rita.inbox()) == 1
    assert world.effects() == []


async def test_during_a_run_it_is_refused_and_the_run_goes_on(data_dir: Path) -> None:
    slow = WaitsOnRome()
    async with opened(data_dir, interpreter=slow) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        chat = await tina.chat()
        await chat.say(TO_TOKYO)
        (start,) = await steps(world, chat.conversation_id, "start")
        body = {"to_version": start, "seen_version": await newest(world, chat.conversation_id), "reason": "x"}
        saying = asyncio.create_task(
            tina.post(f"/conversations/{chat.conversation_id}/messages", {"text": "From Shanghai to Rome on 12 December"})
        )
        await slow.thinking.wait()
        before = await digests(world)
        assert said(await rita.post(f"/threads/{chat.conversation_id}/rewind", body)) == (409, "busy")
        first = (await chat.view())["messages"][0]["message_id"]
        edit = f"/conversations/{chat.conversation_id}/messages/{first}/edit"
        assert said(await tina.post(edit, {"text": "Hello"})) == (409, "busy")
        preview = await rita.client.post(f"/api/v1/threads/{chat.conversation_id}/rewind/preview", json={"to_version": start})
        assert (preview.json()["allowed"], preview.json()["why"]) == (False, "busy")
        assert await digests(world) == before
        slow.goes_on.set()
        assert (await saying).json()["status"] == "succeeded"
        await world.quiet()
        assert len(await chat.trips()) == 2


async def test_a_pruned_version_is_gone(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    body = await asked_for(world, trip)

    async def prune(tx: Tx) -> None:
        mine = versions_table.c.thread_id == trip["trip_id"], versions_table.c.version == body["to_version"]
        await tx.execute(update(versions_table).where(*mine).values(pruned=True))

    await world.whole.database.write(prune)
    before, path = await digests(world), f"/threads/{trip['trip_id']}/rewind"
    assert said(await rita.post(path, body)) == (410, "gone")
    preview = await rita.client.post(f"/api/v1{path}/preview", json={"to_version": body["to_version"]})
    assert said(preview) == (410, "gone")
    assert await digests(world) == before
    assert await tina.trip(trip["trip_id"]) == trip


@pytest.mark.parametrize(
    ("step", "wrong", "field"),
    [
        ("choose", {"corrections": {"colour": "red"}}, "colour"),
        ("choose", {"corrections": {"offer": 0}}, "offer"),
        ("choose", {"corrections": {"offer": "two"}}, "offer"),
        ("choose", {"corrections": {"seats": {"1": {"1": "window"}}}}, "seats"),
        ("choose", {"corrections": {"ask": "the airline"}}, "ask"),
        ("choose", {"corrections": {"depart_on": "2026-12-12"}}, "depart_on"),
        ("start", {"corrections": {"depart_on": "soon"}}, "depart_on"),
        ("start", {"corrections": {"adults": -1}}, "adults"),
        ("start", {"corrections": {"origin": "Shanghai"}}, "origin"),
        ("shortlist", {"corrections": {"exclude": "all"}}, "exclude"),
        ("shortlist", {"corrections": {"max_stops": 9}}, "max_stops"),
        ("choose", {"wings": 2}, "wings"),
        ("choose", {"settle": "refund"}, "settle"),
        ("choose", {"to_version": "first"}, "to_version"),
        ("choose", {"seen_version": None}, "seen_version"),
        ("choose", {"reason": None}, "reason"),
    ],
)
async def test_unknown_and_bad_fields_are_named(
    world: World, tina: Person, rita: Person, step: str, wrong: Json, field: str
) -> None:
    chat = await tina.chat()
    await chat.say(TO_TOKYO)
    trip = await chat.trip()
    trip = await tina.choose(trip["trip_id"], next(o["n"] for o in trip["offers"] if not o["can_hold"]))
    body, before = await asked_for(world, trip, step, **wrong), await digests(world)
    answer = await rita.post(f"/threads/{trip['trip_id']}/rewind", body)
    assert said(answer) == (422, "invalid")
    assert any(field in named for named in _named(answer.json()))
    assert await digests(world) == before


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"depart_on": "2020-01-01"}, "depart_on"),
        ({"depart_on": "2026-11-29"}, "depart_on"),
        ({"origin": "XXX"}, "origin"),
        ({"destination": "QQQ"}, "destination"),
        ({"destination": "SHA"}, "destination"),
        ({"destination": "PVG"}, "destination"),
        ({"depart_until": "2026-12-01"}, "depart_until"),
        ({"adults": 0}, "adults"),
        ({"ages": [0, 1]}, "ages"),
        ({"ages": [40]}, "ages"),
        ({"cap": {"amount": "-1", "currency": "CNY"}}, "cap"),
    ],
)
async def test_a_request_no_flight_can_answer_is_refused_by_its_field_and_nothing_changes(
    world: World, tina: Person, rita: Person, wrong: Json, field: str
) -> None:
    chat = await tina.chat()
    await chat.say(TO_TOKYO)
    trip = await chat.trip()
    body, before = await asked_for(world, trip, "start", corrections=wrong), await digests(world)
    back, revision = f"/threads/{trip['trip_id']}/rewind", f"/trips/{trip['trip_id']}/revision"
    looked = {"to_version": body["to_version"], "corrections": wrong}
    for answer in (
        await rita.client.post(f"/api/v1{back}/preview", json=looked),
        await rita.post(back, body),
        await tina.client.post(f"/api/v1{revision}/preview", json={"request": wrong}),
        await tina.post(revision, {"request": wrong}),
    ):
        assert said(answer) == (422, "invalid")
        assert field in answer.json()["fields"]
        assert set(answer.json()["fields"]) <= set(wrong)
    assert await digests(world) == before
    assert await tina.trip(trip["trip_id"]) == trip


async def test_today_where_the_flight_leaves_is_not_over(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say(TO_TOKYO)
    trip = await chat.trip()
    (start,) = await steps(world, trip["trip_id"], "start")
    path = f"/api/v1/threads/{trip['trip_id']}/rewind/preview"
    for origin, day, fine in (("SHA", "2026-11-30", True), ("SFO", "2026-11-29", True), ("SHA", "2026-11-29", False)):
        looked = {"to_version": start, "corrections": {"origin": origin, "depart_on": day}}
        answer = await rita.client.post(path, json=looked)
        assert (answer.status_code == 200) is fine, (origin, day)


def _named(problem: Json) -> list[str]:
    """The fields a refusal names: of a correction, or of the body."""
    return [*problem.get("fields", []), *(each["at"] for each in problem.get("errors", []))]


async def test_the_wrong_owner_role_or_tenant_is_refused(world: World, tina: Person, rita: Person) -> None:
    _, trip = await booked(tina, rita)
    body = await asked_for(world, trip)
    people = {name: await world.person(name) for name in ("tom", "olga", "oscar")}
    conversation = {"to_version": 1, "seen_version": await newest(world, trip["conversation_id"]), "reason": "x"}
    before = await digests(world)
    for name, person in people.items():
        for thread_id, wanted in ((trip["trip_id"], body), (trip["conversation_id"], conversation)):
            path = f"/threads/{thread_id}"
            assert said(await person.post(f"{path}/rewind", wanted)) == (404, "not_found"), name
            seen = await person.client.post(f"/api/v1{path}/rewind/preview", json={"to_version": wanted["to_version"]})
            assert said(seen) == (404, "not_found"), name
            promotion = {"seen_version": wanted["seen_version"], "reason": "x"}
            assert said(await person.post(f"{path}/branches/{uuid4()}/promote", promotion)) == (404, "not_found"), name
            for view in ("versions", f"versions/{wanted['to_version']}", "compare?a=1&b=2"):
                assert said(await person.client.get(f"/api/v1{path}/{view}")) == (404, "not_found"), (name, view)
    raw = await tina.client.get(f"/api/v1/threads/{trip['trip_id']}/versions/{body['to_version']}?raw=1")
    assert said(raw) == (403, "forbidden")
    nobody = await httpx.AsyncClient(transport=httpx.ASGITransport(world.app), base_url="http://127.0.0.1:7860").post(
        f"/api/v1/threads/{trip['trip_id']}/rewind", json=body, headers={"idempotency-key": str(uuid4())}
    )
    assert nobody.status_code == 401
    assert await digests(world) == before
    assert (await tina.trip(trip["trip_id"])) == trip


async def test_one_key_is_one_way_back(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    body, path, key = await asked_for(world, trip), f"/threads/{trip['trip_id']}/rewind", str(uuid4())
    first = await rita.post(path, body, key=key)
    await world.quiet()
    before = await digests(world)
    again = await rita.post(path, body, key=key)
    assert again.json()["result"] == first.json()["result"]
    assert said(await rita.post(path, body | {"reason": "Something else"}, key=key)) == (422, "command_reused")
    assert await digests(world) == before
