"""The REST interface over real HTTP messages: keys, waiting, problems, and whose things are whose."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from assistant.domain.commands import Kind
from assistant.domain.errors import Conflict, Forbidden, Gone, Invalid, TooMany
from assistant.persistence.tables import changes, conversations, messages, threads
from assistant.web.event_stream import written

from .conftest import NOW, World


async def conversation(world: World, name: str, *, said: tuple[tuple[str, str], ...] = (), title: str | None = None) -> str:
    """One with these messages, (role, text), in a line."""
    user, conversation_id = await world.user(name), str(uuid4())
    owned = {"tenant_id": user.tenant_id, "owner_id": user.user_id, "created_at": NOW}
    thread = {"thread_id": conversation_id, "kind": "conversation", "main_branch_id": "b", "graph_version": "1"}
    await world.put(threads, owned | thread)
    head = str(len(said)) if said else None
    row = {"conversation_id": conversation_id, "title": title, "head_message_id": head, "updated_at": NOW}
    await world.put(conversations, owned | row)
    line: list[dict[str, Any]] = [
        {
            "conversation_id": conversation_id,
            "message_id": str(n),
            "parent_id": str(n - 1) if n > 1 else None,
            "role": role,
            "body": {"text": text, "language": "en"},
            "command_id": "c",
            "seq": n,
            "created_at": NOW + timedelta(seconds=n),
        }
        for n, (role, text) in enumerate(said, 1)
    ]
    await world.put(messages, *line)
    return conversation_id


def key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid4())}


def code(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["title"]
    assert body["detail"]
    return answer.status_code, body["code"]


# Keys


async def test_every_post_needs_a_key(world: World) -> None:
    tina = await world.token("tina")
    assert code(await tina.post("/api/v1/conversations", json={})) == (400, "key_missing")
    assert code(await tina.post("/api/v1/conversations", json={}, headers={"Idempotency-Key": "42"})) == (400, "key_invalid")
    for path, body in (
        ("conversations/x/messages", {"text": "hello"}),
        ("conversations/x/stop", {}),
        ("trips/x/choice", {"offer": 1}),
        ("trips/x/passengers", {"passengers": ["p"]}),
        ("trips/x/cancellation", {}),
        ("reviews/x/decision", {"type": "approve", "digest": "d"}),
        ("reviews/x/claim", {}),
        ("operations/x/resolution", {"resolution": "adopt", "reason": "seen at the airline"}),
    ):
        assert code(await tina.post(f"/api/v1/{path}", json=body)) == (400, "key_missing"), path
    assert not world.service.accepted


async def test_the_same_key_and_content_is_answered_again_and_other_content_is_refused(world: World) -> None:
    tina, same = await world.token("tina"), key()
    first = await tina.post("/api/v1/conversations", json={"title": "Tokyo"}, headers=same)
    again = await tina.post("/api/v1/conversations", json={"title": "Tokyo"}, headers=same)
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert first.json()["conversation_id"]
    other = await tina.post("/api/v1/conversations", json={"title": "Osaka"}, headers=same)
    assert code(other) == (422, "command_reused")
    shouted = {"Idempotency-Key": same["Idempotency-Key"].upper()}
    assert (await tina.post("/api/v1/conversations", json={"title": "Tokyo"}, headers=shouted)).json() == first.json()


async def test_another_person_cannot_use_a_key_that_is_taken(world: World) -> None:
    tina, tom, same = await world.token("tina"), await world.token("tom"), key()
    assert (await tina.post("/api/v1/conversations", json={}, headers=same)).status_code == 200
    assert code(await tom.post("/api/v1/conversations", json={}, headers=same)) == (422, "command_reused")


async def test_twenty_at_once_are_one_command(world: World) -> None:
    tina, same = await world.token("tina"), key()
    sent = [tina.post("/api/v1/conversations/c/messages", json={"text": "hi"}, headers=same) for _ in range(20)]
    answers = await asyncio.gather(*sent)
    assert len({answer.text for answer in answers}) == 1
    assert len(world.service.accepted) == 1


async def test_a_command_still_running_is_202_and_waiting_for_it_200(world: World) -> None:
    world.service.ends, world.service.result = False, {"reply": "Where to?", "trips": []}
    tina = await world.token("tina")
    queued = await tina.post("/api/v1/conversations/c/messages", json={"text": "hi"}, headers=key())
    assert queued.status_code == 202
    assert queued.json()["status"] == "accepted"
    done = await tina.post("/api/v1/conversations/c/messages?wait=5", json={"text": "hi"}, headers=key())
    assert done.status_code == 200
    assert done.json()["result"]["reply"] == "Where to?"
    for wait in ("31", "-1", "nan", "inf", "soon"):
        refused = await tina.post(f"/api/v1/conversations/c/messages?wait={wait}", json={"text": "hi"}, headers=key())
        assert code(refused) == (422, "invalid")


# From HTTP to commands


@pytest.mark.parametrize(
    ("method", "path", "body", "kind", "target", "payload"),
    [
        ("POST", "conversations/c/messages", {"text": " hi "}, Kind.SEND_MESSAGE, "c", {"text": "hi"}),
        ("POST", "conversations/c/messages/m/edit", {"text": "no"}, Kind.EDIT_MESSAGE, "c", {"message_id": "m", "text": "no"}),
        ("POST", "conversations/c/messages/m/regenerate", {}, Kind.REGENERATE, "c", {"message_id": "m"}),
        ("POST", "conversations/c/stop", None, Kind.STOP, "c", {}),
        ("PATCH", "conversations/c", {"title": "Kyoto"}, Kind.RENAME, "c", {"title": "Kyoto"}),
        ("PATCH", "conversations/c", {"archived": True}, Kind.ARCHIVE, "c", {"archived": True}),
        ("POST", "trips/t/choice", {"offer": 2, "seats": {"1": {"1": "14A"}}}, Kind.CHOOSE, "t",
         {"offer": 2, "seats": {"1": {"1": "14A"}}}),
        ("POST", "trips/t/answer", {"answer": "agree", "digest": "d"}, Kind.AGREE, "t", {"answer": "agree", "digest": "d"}),
        ("POST", "trips/t/answer", {"answer": "resubmit", "message": "Aisle is fine"}, Kind.CHOOSE, "t",
         {"answer": "resubmit", "message": "Aisle is fine"}),
        ("POST", "trips/t/passengers", {"passengers": ["p", "q"]}, Kind.NAME_PASSENGERS, "t", {"passengers": ["p", "q"]}),
        ("POST", "trips/t/revision", {"offer": 3}, Kind.REVISE_TRIP, "t", {"offer": 3}),
        ("POST", "trips/t/cancellation", {"reason": "ill"}, Kind.CANCEL_TRIP, "t", {"reason": "ill"}),
        ("POST", "reviews/r/decision", {"type": "reject", "digest": "d", "message": "Too dear"}, Kind.DECIDE, "r",
         {"type": "reject", "digest": "d", "message": "Too dear"}),
        ("POST", "reviews/r/claim", {}, Kind.CLAIM_REVIEW, "r", {}),
        ("POST", "reviews/r/release", {}, Kind.RELEASE_REVIEW, "r", {}),
        ("DELETE", "me/preferences/w", None, Kind.FORGET_WISH, "w", {}),
        ("PATCH", "people/p", {"phone": "+8613900000000"}, Kind.SAVE_PERSON, "p",
         {"person_id": "p", "details": {"phone": "+8613900000000"}}),
        ("POST", "operations/o/resolution", {"resolution": "not_booked", "reason": "they said no"}, Kind.RESOLVE_OPERATION, "o",
         {"resolution": "not_booked", "reason": "they said no"}),
    ],
)  # fmt: skip
async def test_what_a_person_does_becomes_one_command(
    world: World, method: str, path: str, body: Any, kind: Kind, target: str, payload: dict[str, Any]
) -> None:
    tina = await world.token("tina")
    answer = await tina.request(method, f"/api/v1/{path}", json=body, headers=key())
    assert answer.status_code == 200, answer.text
    (command,) = world.service.accepted.values()
    assert (command.kind, command.target, command.payload) == (kind, target, payload)
    assert command.actor == (await world.user("tina")).actor


async def test_a_new_passenger_is_saved_with_all_an_order_needs(world: World) -> None:
    tina = await world.token("tina")
    person = {"given_name": "Mei", "family_name": "Lyu", "native_name": "吕梅", "title": "ms", "gender": "f",
              "born_on": "1993-02-01", "email": "mei.lyu@example.com", "phone": "+8613700000000"}  # fmt: skip
    assert (await tina.post("/api/v1/people", json=person, headers=key())).status_code == 200
    (command,) = world.service.accepted.values()
    assert (command.kind, command.target, command.payload) == (Kind.SAVE_PERSON, "", {"details": person})
    missing = await tina.post("/api/v1/people", json=person | {"phone": "none"}, headers=key())
    assert code(missing) == (422, "invalid")
    assert missing.json()["errors"][0]["at"] == "body.phone"
    assert "none" not in missing.json()["errors"][0]["why"]


# Problems


@pytest.mark.parametrize(
    ("refusal", "status", "shown"),
    [
        (Conflict("already_decided", by="Rita", at="2026-11-30T14:02:00+00:00"), 409, "Rita"),
        (Conflict("stale_digest"), 409, "look again"),
        (Forbidden("own_trip"), 403, "own trip"),
        (TooMany("too_many", queued=20), 429, "queued"),
        (Gone("gone"), 410, "pruned"),
        (Invalid("no_such_option", offer=7), 422, "option"),
    ],
)
async def test_refusals_are_problems_with_a_stable_code(world: World, refusal: Any, status: int, shown: str) -> None:
    world.service.refuses = refusal
    rita = await world.token("rita")
    answer = await rita.post("/api/v1/reviews/r/decision", json={"type": "approve", "digest": "d"}, headers=key())
    assert code(answer) == (status, refusal.code)
    assert shown in answer.json()["detail"]
    assert {name: answer.json()[name] for name in refusal.facts} == refusal.facts


async def test_problems_speak_the_callers_language(world: World) -> None:
    tina = await world.token("tina")
    chinese = await tina.post("/api/v1/conversations", json={}, headers={"accept-language": "zh-CN"})
    assert chinese.json()["detail"] == "请求缺少 Idempotency-Key。"
    anonymous = await world.script(**{"accept-language": "zh"}).get("/api/v1/me")
    assert anonymous.json()["detail"] == "请先登录。"


async def test_the_request_id_comes_back(world: World) -> None:
    script = world.script()
    assert (await script.get("/healthz", headers={"X-Request-ID": "abc-1"})).headers["x-request-id"] == "abc-1"
    made = (await script.get("/healthz", headers={"X-Request-ID": "no spaces\tplease"})).headers["x-request-id"]
    assert len(made) == 36
    assert (await script.get("/api/v1/nowhere")).headers["x-request-id"]


async def test_what_does_not_exist_is_a_problem_too(world: World) -> None:
    tina = await world.token("tina")
    assert code(await tina.get("/api/v1/nowhere")) == (404, "not_found")
    assert code(await tina.put("/api/v1/me")) == (405, "method")


# Bodies


@pytest.mark.parametrize(
    ("body", "status", "shown"),
    [
        (b'{"text": "' + b"x" * 300_000 + b'"}', 413, "too_large"),
        (b"[" * 100_000, 400, "json_deep"),
        (b'{"text":' + b"[" * 40 + b"]" * 40 + b"}", 400, "json_deep"),
        (b'{"text": NaN}', 400, "json_number"),
        (b'{"text": 1e999}', 400, "json_number"),
        (b'{"text": -Infinity}', 400, "json_number"),
        (b'{"text": "\\ud800"}', 400, "text_invalid"),
        (b'{"\\udfff": "x"}', 400, "text_invalid"),
        (b'{"text": "a\\u0000b"}', 400, "text_invalid"),
        (b'{"text": "\xff\xfe"}', 400, "json_invalid"),
        (b'{"text": ', 400, "json_invalid"),
        (b'{"text": ' + b"9" * 5000 + b"}", 400, "json_invalid"),
        (b"", 422, "invalid"),
        (b"null", 422, "invalid"),
        (b'"hi"', 422, "invalid"),
        (b'{"text": "hi", "admin": true}', 422, "invalid"),
        (b'{"text": ""}', 422, "invalid"),
        ('{"text": "a\u202eb"}'.encode(), 422, "invalid"),
        (b'{"text": {"a": 1}}', 422, "invalid"),
        (b'{"text": "hi", "timezone": "Mars/Base"}', 422, "timezone_unknown"),
    ],
    ids=lambda value: repr(value)[:24] if isinstance(value, bytes) else None,
)
async def test_a_body_that_does_not_fit_is_told_so(world: World, body: bytes, status: int, shown: str) -> None:
    tina = await world.token("tina")
    headers = key() | {"content-type": "application/json"}
    answer = await tina.post("/api/v1/conversations/c/messages", content=body, headers=headers)
    assert code(answer) == (status, shown)
    assert not world.service.accepted


async def test_a_body_that_never_ends_is_cut_off(world: World) -> None:
    sent = 0

    async def endless() -> Any:
        nonlocal sent
        while sent < 10_000_000:
            sent += 1000
            yield b"x" * 1000

    tina = await world.token("tina")
    answer = await tina.post("/api/v1/conversations/c/messages", content=endless(), headers=key())
    assert code(answer) == (413, "too_large")
    assert sent < 400_000


@pytest.mark.parametrize("path", ["/api/v1/trips/%00", "/api/v1/conversations?search=%00"])
async def test_a_nul_never_reaches_the_database(world: World, path: str) -> None:
    tina = await world.token("tina")
    assert code(await tina.get(path)) == (400, "text_invalid")


async def test_numbers_beyond_reach_are_no_accident(world: World) -> None:
    tina = await world.token("tina")
    mine = await conversation(world, "tina")
    for path in (f"trips/t/offers/{10**30}/seat_map", f"conversations/{mine}/events?after={10**30}"):
        assert (await tina.get(f"/api/v1/{path}")).status_code in (404, 422)
    answer = await tina.get(f"/api/v1/conversations/{mine}/events", headers={"Last-Event-ID": str(10**30)})
    assert code(answer) == (422, "invalid")


# Whose is whose


@pytest.mark.parametrize("stranger", ["tom", "olga", "oscar"])
async def test_anothers_conversation_is_not_there(world: World, stranger: str) -> None:
    tinas = await conversation(world, "tina", said=(("user", "a window seat please"),))
    other = await world.token(stranger)
    assert code(await other.get(f"/api/v1/conversations/{tinas}")) == (404, "not_found")
    assert code(await other.get(f"/api/v1/conversations/{tinas}/events")) == (404, "not_found")
    assert (await other.get("/api/v1/conversations", params={"search": "window"})).json() == {"conversations": []}
    tina = await world.token("tina")
    assert (await tina.get(f"/api/v1/conversations/{tinas}")).status_code == 200


async def test_a_reviewer_reads_what_led_to_a_trip_but_lists_only_their_own(world: World) -> None:
    tinas = await conversation(world, "tina", said=(("user", "hello"),))
    rita = await world.token("rita")
    assert (await rita.get(f"/api/v1/conversations/{tinas}")).status_code == 200
    assert (await rita.get("/api/v1/conversations")).json() == {"conversations": []}


async def test_the_inbox_is_for_reviewers(world: World) -> None:
    tina, rita = await world.token("tina"), await world.token("rita")
    assert code(await tina.get("/api/v1/reviews")) == (403, "forbidden")
    assert code(await tina.get("/api/v1/reviews/r")) == (403, "forbidden")
    assert code(await tina.post("/api/v1/reviews/r/preview", json={"edits": {}})) == (403, "forbidden")
    assert (await rita.get("/api/v1/reviews")).json() == {"reviews": []}
    assert code(await rita.get("/api/v1/reviews/r")) == (404, "not_found")


async def test_without_a_sign_in_nothing_is_told(world: World) -> None:
    nobody = world.script()
    for path in ("me", "me/changes", "conversations", "people", "reviews", "operations", "trips/t", "commands/c"):
        answer = await nobody.get(f"/api/v1/{path}")
        assert code(answer) == (401, "unauthenticated")
        assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1:7860.evil.example", ""]
)
async def test_a_request_by_cookie_from_elsewhere_is_refused(world: World, origin: str) -> None:
    browser = await world.signed_in("tina", "desk")
    answer = await browser.post("/api/v1/conversations", json={}, headers=key() | {"origin": origin})
    assert code(answer) == (403, "bad_origin")
    assert not world.service.accepted


async def test_a_request_by_cookie_from_our_own_page_is_taken(world: World) -> None:
    browser = await world.signed_in("tina", "desk")
    assert (await browser.post("/api/v1/conversations", json={}, headers=key())).status_code == 200
    del browser.headers["origin"]
    assert code(await browser.post("/api/v1/conversations", json={}, headers=key())) == (403, "bad_origin")
    fetched = key() | {"sec-fetch-site": "same-origin"}
    assert (await browser.post("/api/v1/conversations", json={}, headers=fetched)).status_code == 200


async def test_a_token_needs_no_origin(world: World) -> None:
    tina = await world.token("tina")
    assert (await tina.post("/api/v1/conversations", json={}, headers=key())).status_code == 200


async def test_no_other_site_may_read_an_answer(world: World) -> None:
    browser = await world.signed_in("tina", "desk")
    for path in ("/api/v1/me", "/desk/me/changes", "/healthz"):
        answer = await browser.get(path, headers={"origin": "http://evil.example"})
        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert answer.headers["x-content-type-options"] == "nosniff"


# Reading


async def test_a_transcript_is_the_main_line_and_search_finds_what_was_said(any_world: World) -> None:
    said = (("user", "我想坐靠窗的位置"), ("assistant", "好的，记住了。"))
    chinese = await conversation(any_world, "tina", said=said, title="东京")
    await conversation(any_world, "tina", said=(("user", "100% sure"),), title="Oslo")
    tina = await any_world.token("tina")
    shown = (await tina.get(f"/api/v1/conversations/{chinese}")).json()
    assert [(m["role"], m["text"]) for m in shown["messages"]] == list(said)
    for search, count in (("靠窗", 1), ("东京", 1), ("OSLO", 1), ("100%", 1), ("%", 1), ("_", 0), ("", 2)):
        found = (await tina.get("/api/v1/conversations", params={"search": search})).json()["conversations"]
        assert len(found) == count, search


async def test_people_are_ones_own_with_nothing_missing(any_world: World) -> None:
    tina = await any_world.token("tina")
    found = (await tina.get("/api/v1/people")).json()["people"]
    assert [(p["given_name"], p["is_self"], p["missing"]) for p in found] == [("Ting", True, []), ("Wei", False, [])]
    tom = await any_world.token("tom")
    assert code(await tom.get(f"/api/v1/people/{found[0]['person_id']}")) == (404, "not_found")


async def test_counters_tell_when_to_look_again(any_world: World) -> None:
    tina, rita = await any_world.user("tina"), await any_world.user("rita")
    rows = [{"scope": f"user:{tina.user_id}", "counter": 3}, {"scope": "inbox:demo", "counter": 5}]
    await any_world.put(changes, *rows, {"scope": "inbox:other", "counter": 9})
    assert (await (await any_world.token("tina")).get("/api/v1/me/changes")).json() == {"user": 3, "inbox": None}
    assert (await (await any_world.token("rita")).get("/api/v1/me/changes")).json() == {"user": 0, "inbox": 5}
    assert rita.tenant_id == "demo"


async def test_events_resume_where_they_broke_off(world: World) -> None:
    mine = await conversation(world, "tina")
    world.service.happened = [(7, "message", {"text": "one"}), (8, "trip", {"status": "choosing"}), (9, "piece", {"text": "你"})]
    tina = await world.token("tina")
    answer = await tina.get(f"/api/v1/conversations/{mine}/events", headers={"Last-Event-ID": "7"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert 'id: 8\nevent: trip\ndata: {"status": "choosing"}\n\n' in answer.text
    assert 'event: piece\ndata: {"text": "你"}\n\n' in answer.text
    assert "one" not in answer.text
    assert "id: 9" not in answer.text


async def test_a_silent_stream_beats_and_comes_to_an_end() -> None:
    async def silent() -> Any:
        await asyncio.Event().wait()
        yield 1, "never", {}

    lines = [line async for line in written(silent(), beat=0.01, longest=0.05)]
    assert lines[0] == "retry: 2000\n\n"
    assert ": still here\n\n" in lines


# Instruments


async def test_it_says_whether_it_is_ready_and_what_goes_on(any_world: World) -> None:
    script = any_world.script()
    assert (await script.get("/healthz")).json() == {"status": "alive"}
    ready = (await script.get("/readyz")).json()
    assert (ready["ready"], ready["checks"]) == (True, {"database": True, "storage": True})
    await any_world.database.close()
    metrics = await script.get("/metrics")
    assert metrics.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "# TYPE layover_open_questions gauge" in metrics.text


async def test_the_interface_describes_itself_without_outside_help(world: World) -> None:
    script = world.script()
    described = (await script.get("/api/openapi.json")).json()
    assert "/api/v1/reviews/{review_id}/decision" in described["paths"]
    page = await script.get("/api/docs")
    assert "/api/v1/reviews/{review_id}/decision" in page.text
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert "unsafe" not in page.headers["content-security-policy"]


async def test_webhooks_are_stored_as_they_came_or_refused(world: World) -> None:
    script, body = world.script(), b'{"type": "order.updated",  "id": "wev_1"}'
    headers = {"content-type": "application/json"}
    assert (await script.post("/api/v1/webhooks/duffel", content=body, headers=headers)).status_code == 204
    assert world.service.webhooks == [body]
    world.service.refuses = Forbidden("forbidden")
    assert code(await script.post("/api/v1/webhooks/duffel", content=body, headers=headers)) == (401, "signature")
    world.service.refuses = Invalid("invalid")
    assert code(await script.post("/api/v1/webhooks/duffel", content=body, headers=headers)) == (400, "json_invalid")
