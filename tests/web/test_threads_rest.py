"""The timeline over REST, on the whole product: what is shown of a thread's versions, and the ways back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import update

from assistant.persistence.tables import versions
from tests.stories.world import Person, World, offer, opened

Json = dict[str, Any]


@pytest.fixture
async def whole(data_dir: Path) -> AsyncIterator[World]:
    async with opened(data_dir) as made:
        yield made


@pytest.fixture
async def tina(whole: World) -> Person:
    return await whole.person("tina")


@pytest.fixture
async def rita(whole: World) -> Person:
    return await whole.person("rita")


async def searched(tina: Person) -> Json:
    """A trip whose list waits for the traveller."""
    chat = await tina.chat()
    await chat.say("no aisle for me please, Shanghai to Tokyo on 11 December, one adult")
    return await chat.trip()


async def booked(tina: Person, rita: Person) -> Json:
    trip = await searched(tina)
    trip = await tina.choose(trip["trip_id"], offer(trip, can_hold=True)["n"])
    await rita.decides(trip["review_id"], "approve")

    async def is_booked() -> bool:
        return (await tina.trip(trip["trip_id"]))["status"] == "booked"

    await tina.world.until(is_booked)
    return await tina.trip(trip["trip_id"])


async def page_of(person: Person, thread_id: str, **query: Any) -> Json:
    answer = await person.client.get(f"/api/v1/threads/{thread_id}/versions", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def made_by(page: Json, step: str) -> Json:
    """The newest version of this step on the main line."""
    return next(v for v in page["versions"] if v["step"] == step and v["main"])


async def preview(person: Person, thread_id: str, to: int, **more: Any) -> Json:
    answer = await person.client.post(f"/api/v1/threads/{thread_id}/rewind/preview", json={"to_version": to} | more)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def refused(person: Person, path: str, body: Json) -> tuple[int, str]:
    answer = await person.post(path, body)
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    assert answer.json()["detail"]
    return answer.status_code, answer.json()["code"]


async def test_a_conversations_steps_are_numbered_and_named_in_the_readers_language(whole: World, tina: Person) -> None:
    trip = await searched(tina)
    page = await page_of(tina, trip["conversation_id"])
    assert [v["version"] for v in page["versions"]] == list(range(page["newest"], 0, -1))
    start = page["versions"][-1]
    assert start["title"].startswith("Said: no aisle for me please")
    assert (start["kind"], start["actor"], start["main"]) == ("said", "Tina", True)
    understood = next(v for v in page["versions"] if v["step"] == "understand")
    assert understood["title"] == "Understood: not an aisle seat"
    chinese = await page_of(await whole.person("tina", language="zh"), trip["conversation_id"])
    assert {r["kind"] for r in chinese["related"]} == {"conversation", "trip"}


async def test_a_page_goes_on_where_the_last_one_ended(tina: Person) -> None:
    trip = await searched(tina)
    whole = await page_of(tina, trip["trip_id"])
    first = await page_of(tina, trip["trip_id"], limit=2)
    rest = await page_of(tina, trip["trip_id"], limit=200, before=first["before"])
    assert first["versions"] + rest["versions"] == whole["versions"]
    assert rest["before"] is None


async def test_a_version_tells_its_facts_and_how_it_differs_from_now(tina: Person, rita: Person) -> None:
    trip = await booked(tina, rita)
    page = await page_of(rita, trip["trip_id"])
    at_list = await rita.get(f"/threads/{trip['trip_id']}/versions/{made_by(page, 'shortlist')['version']}")
    differing = {d["field"]: (d["a"], d["b"]) for d in at_list["differences"]}
    assert set(differing) >= {"flight", "seat", "fare", "total", "decision", "order"}
    assert differing["decision"] == (None, "approved by Rita")
    assert trip["orders"][0]["booking_reference"] in differing["order"][1]
    assert at_list["enters_as"] == "shortlist"
    assert set(at_list["correctable"]["properties"]) == {"exclude", "max_stops", "time_from", "time_to"}
    head = await rita.get(f"/threads/{trip['trip_id']}/versions/{page['head']}")
    assert head["differences"] == []


async def test_the_raw_state_is_for_reviewers(tina: Person, rita: Person) -> None:
    trip = await searched(tina)
    number = made_by(await page_of(rita, trip["trip_id"]), "shortlist")["version"]
    raw = (await rita.get(f"/threads/{trip['trip_id']}/versions/{number}?raw=1"))["raw"]
    assert raw["next"] == ["choose"]
    assert raw["values"]["request"]["destination"]
    answer = await tina.client.get(f"/api/v1/threads/{trip['trip_id']}/versions/{number}?raw=1")
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


async def test_a_pruned_version_is_listed_and_gone(whole: World, tina: Person) -> None:
    trip = await searched(tina)
    where = versions.c.thread_id == trip["trip_id"], versions.c.version == 1
    await whole.whole.database.write(lambda tx: tx.execute(update(versions).where(*where).values(pruned=True)))
    assert (await page_of(tina, trip["trip_id"]))["versions"][-1]["pruned"] is True
    answer = await tina.client.get(f"/api/v1/threads/{trip['trip_id']}/versions/1")
    assert (answer.status_code, answer.json()["code"]) == (410, "gone")
    body = {"to_version": 1, "seen_version": 4, "reason": "x"}
    assert await refused(tina, f"/threads/{trip['trip_id']}/rewind", body) == (410, "gone")


async def test_a_preview_names_money_people_orders_and_steps_and_changes_nothing(
    whole: World, tina: Person, rita: Person
) -> None:
    trip = await booked(tina, rita)
    page = await page_of(rita, trip["trip_id"])
    before = whole.effects()
    chosen = made_by(page, "choose")["version"]
    maps = await rita.get(f"/trips/{trip['trip_id']}/offers/{offer(trip, can_hold=True)['n']}/seat_map")
    seats = [seat for row in maps["seat_maps"][0]["rows"] for section in row["sections"] for seat in section]
    seat = next(s["designator"] for s in reversed(seats) if s["available"] and s["designator"] not in trip["orders"][0]["seats"])
    shown = await preview(rita, trip["trip_id"], chosen, corrections={"seats": {"1": {"1": seat}}})
    assert shown["plan"]["chosen"] in {"keep", "rebook"}
    assert {c["id"] for c in shown["plan"]["choices"]} == {"keep", "by_hand", "rebook"}
    rebooked = await preview(rita, trip["trip_id"], chosen, corrections={"seats": {"1": {"1": seat}}}, settle="rebook")
    assert rebooked["plan"]["steps"][0]["kind"] == "cancel"
    assert rebooked["plan"]["net"]["currency"]
    assert rebooked["review"] is True
    assert rebooked["orders"][0]["booking_reference"] == trip["orders"][0]["booking_reference"]
    assert rebooked["affected"][0]
    assert {v["version"] for v in rebooked["leaves"]} == {v["version"] for v in page["versions"] if v["version"] > chosen}
    assert (rebooked["allowed"], rebooked["why"]) == (True, None)
    assert await page_of(rita, trip["trip_id"]) == page
    assert whole.effects() == before


async def test_going_back_opens_a_branch_and_leaves_the_old_one_readable(tina: Person, rita: Person) -> None:
    trip = await booked(tina, rita)
    page = await page_of(rita, trip["trip_id"])
    chosen = made_by(page, "choose")["version"]
    body = {"to_version": chosen, "seen_version": page["newest"], "reason": "asked for again"}
    answer = await rita.does(f"/threads/{trip['trip_id']}/rewind", body)
    after = await page_of(rita, trip["trip_id"])
    assert answer["result"]["branch_id"] in {b["branch_id"] for b in after["branches"]}
    assert answer["result"]["version"] == after["newest"]
    main = next(b for b in after["branches"] if b["status"] == "main")
    assert (main["forked_from"], main["note"], main["actor"]) == (chosen, "asked for again", "Rita")
    lines = {v["version"]: v["main"] for v in after["versions"]}
    assert all(lines[n] for n in range(1, chosen + 1))
    assert not any(lines[n] for n in range(chosen + 1, page["newest"] + 1))
    assert all(lines[n] for n in range(page["newest"] + 1, after["newest"] + 1))


async def test_an_abandoned_branch_is_promoted_after_a_preview(tina: Person, rita: Person) -> None:
    trip = await booked(tina, rita)
    page = await page_of(rita, trip["trip_id"])
    old = page["branches"][0]["branch_id"]
    body = {"to_version": made_by(page, "start")["version"], "seen_version": page["newest"], "reason": "another day"}
    await rita.does(f"/threads/{trip['trip_id']}/rewind", body | {"corrections": {"depart_on": "2026-12-12"}})
    now = await page_of(rita, trip["trip_id"])
    answer = await rita.client.post(f"/api/v1/threads/{trip['trip_id']}/branches/{old}/promote/preview", json={})
    assert answer.status_code == 200, answer.text
    assert [s["kind"] for s in answer.json()["plan"]["steps"]] == ["keep"]
    promotion = {"seen_version": now["newest"], "reason": "the first day after all"}
    await rita.does(f"/threads/{trip['trip_id']}/branches/{old}/promote", promotion)
    after = await page_of(rita, trip["trip_id"])
    assert next(b for b in after["branches"] if b["branch_id"] == old)["status"] == "main"
    compared = await rita.get(f"/threads/{trip['trip_id']}/compare?a={old}&b={now['head']}")
    assert {d["field"] for d in compared["differences"]} >= {"asked", "flight"}
    twice = promotion | {"seen_version": after["newest"]}
    again = await refused(rita, f"/threads/{trip['trip_id']}/branches/{old}/promote", twice)
    assert again == (409, "already_main")


async def test_a_message_is_edited_and_answered_anew(tina: Person) -> None:
    trip = await searched(tina)
    chat_id = trip["conversation_id"]
    first = (await tina.get(f"/conversations/{chat_id}"))["messages"][0]
    await tina.does(f"/conversations/{chat_id}/messages/{first['message_id']}/edit", {"text": "Shanghai to Osaka on 11 December"})
    said = [m["text"] for m in (await tina.get(f"/conversations/{chat_id}"))["messages"] if m["role"] == "user"]
    assert said == ["Shanghai to Osaka on 11 December"]
    assert (await tina.trip(trip["trip_id"]))["status"] == "withdrawn"
    edited = (await tina.get(f"/conversations/{chat_id}"))["messages"][0]
    await tina.does(f"/conversations/{chat_id}/messages/{edited['message_id']}/regenerate")
    lines = await page_of(tina, chat_id)
    assert len({v["branch_id"] for v in lines["versions"]}) == 3


async def test_a_conversation_preview_names_the_trips_it_takes_back(tina: Person, rita: Person) -> None:
    trip = await searched(tina)
    page = await page_of(rita, trip["conversation_id"])
    number = made_by(page, "understand")["version"]
    wishes = [{"position": "window"}]
    shown = await preview(rita, trip["conversation_id"], number, corrections={"wishes": wishes})
    assert [w["trip_id"] for w in shown["withdraws"]] == [trip["trip_id"]]
    assert shown["plan"] is None
    body = {"to_version": number, "seen_version": page["newest"], "reason": "the window", "corrections": {"wishes": wishes}}
    result = (await rita.does(f"/threads/{trip['conversation_id']}/rewind", body))["result"]
    after = await page_of(rita, trip["conversation_id"])
    assert next(b["branch_id"] for b in after["branches"] if b["status"] == "main") == result["branch_id"]
    assert any(v["version"] == result["version"] and v["main"] for v in after["versions"])
    corrected = next(v for v in after["versions"] if v["kind"] == "forked")
    assert corrected["title"] == "Understood: a window seat"
    schema = (await rita.get(f"/threads/{trip['conversation_id']}/versions/{number}"))["correctable"]
    assert set(schema["properties"]) == {"slots", "wishes", "intents"}


async def test_changes_and_cancellations_are_seen_before_they_are_made(whole: World, tina: Person, rita: Person) -> None:
    trip = await booked(tina, rita)
    before = whole.effects()
    for path, body in (("revision", {"request": {"depart_on": "2026-12-12"}}), ("cancellation", {})):
        answer = await tina.client.post(f"/api/v1/trips/{trip['trip_id']}/{path}/preview", json=body)
        assert answer.status_code == 200, answer.text
        shown = answer.json()
        assert shown["leaves"] == []
        assert shown["orders"][0]["order_id"] == trip["orders"][0]["order_id"]
    assert [s["kind"] for s in shown["plan"]["steps"]] == ["cancel"]
    assert whole.effects() == before
    wrong = await tina.client.post(f"/api/v1/trips/{trip['trip_id']}/revision/preview", json={"request": {"colour": "red"}})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid")


async def test_each_wrong_way_back_has_a_clear_answer_and_changes_nothing(whole: World, tina: Person, rita: Person) -> None:
    trip = await searched(tina)
    path = f"/threads/{trip['trip_id']}/rewind"
    page = await page_of(tina, trip["trip_id"])
    right = {"to_version": 1, "seen_version": page["newest"], "reason": "x"}
    assert await refused(tina, path, right | {"seen_version": 1}) == (409, "version_moved")
    assert await refused(tina, path, right | {"to_version": 99}) == (404, "not_found")
    assert await refused(tina, path, right | {"corrections": {"colour": "red"}}) == (422, "invalid")
    assert await refused(tina, path, right | {"corrections": {"origin": "TYO"}}) == (422, "invalid")
    search = made_by(page, "search")["version"]
    assert await refused(tina, path, right | {"to_version": search}) == (422, "not_correctable")
    listed = made_by(page, "shortlist")["version"]
    none = {"to_version": listed, "corrections": {"exclude": list(range(1, 30))}}
    assert await refused(tina, path, right | none) == (422, "nothing_left")
    for stranger in ("tom", "olga", "oscar"):
        person = await whole.person(stranger)
        assert await refused(person, path, right) == (404, "not_found")
        answer = await person.client.get(f"/api/v1/threads/{trip['trip_id']}/versions")
        assert answer.status_code == 404
    branch = f"/threads/{trip['trip_id']}/branches/{uuid4()}/promote"
    assert await refused(rita, branch, {"seen_version": page["newest"], "reason": "x"}) == (404, "not_found")
    assert await page_of(tina, trip["trip_id"]) == page


async def test_other_wordings_of_a_message_and_of_an_answer_stay_readable(tina: Person) -> None:
    trip = await searched(tina)
    path = f"/conversations/{trip['conversation_id']}"
    first = (await tina.get(path))["messages"][0]
    assert all(m["wordings"] == [] for m in (await tina.get(path))["messages"])
    await tina.does(f"{path}/messages/{first['message_id']}/edit", {"text": "Shanghai to Osaka on 11 December"})
    edited = (await tina.get(path))["messages"][0]
    assert [(w["text"], w["shown"]) for w in edited["wordings"]] == [(first["text"], False), (edited["text"], True)]
    await tina.does(f"{path}/messages/{edited['message_id']}/regenerate")
    answer = (await tina.get(path))["messages"][1]
    assert answer["role"] == "assistant"
    assert [w["shown"] for w in answer["wordings"]] == [False, True]


async def test_numbers_no_thread_can_have_are_refused_at_the_door(tina: Person) -> None:
    trip = await searched(tina)
    far = 10**30
    for path in (f"versions/{far}", "versions/0", f"versions?before={far}", "versions?limit=100000"):
        answer = await tina.client.get(f"/api/v1/threads/{trip['trip_id']}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    body = {"to_version": far, "seen_version": 1, "reason": "x"}
    assert await refused(tina, f"/threads/{trip['trip_id']}/rewind", body) == (422, "invalid")
    answer = await tina.client.post(f"/api/v1/threads/{trip['trip_id']}/rewind/preview", json={"to_version": far})
    assert answer.status_code == 422
