"""Things nobody should send, to a trip that waits and a chat that is open: a clear refusal, nothing stored, nothing lost."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from assistant.persistence.tables import commands, people, trips
from tests.stories.ways_back import newest, steps
from tests.stories.world import Chat, Json, Person, World, opened

DEEP = "[" * 5000 + "]" * 5000
WORDS = {
    "over-long": "x" * 5000,
    "empty": "   ",
    "control": "hello\x07world",
    "right to left override": "hello \u202egnol",
    "nul": "hello\x00",
}
PERSON = {"given_name": "Ada", "family_name": "Berg", "title": "ms", "gender": "f", "born_on": "1990-01-01",
          "email": "ada@example.org", "phone": "+4915112345678"}  # fmt: skip
PEOPLE: dict[str, Json] = {
    "born on a day that is not": {"born_on": "1990-02-30"},
    "aged -1": {"born_on": "2027-12-01"},
    "aged 200": {"born_on": "1826-01-01"},
    "no name": {"given_name": ""},
    "a name of control characters": {"given_name": "A\u0007da"},
    "a name turned round": {"family_name": "\u202eBerg"},
    "a number for a name": {"given_name": 7},
    "an over-long name": {"given_name": "a" * 5000},
    "no such field": {"admin": True},
}
CHOICES: dict[str, Json] = {
    "seat 99Z": {"offer": 1, "seats": {"1": {"1": "99Z"}}},
    "seat I": {"offer": 1, "seats": {"1": {"1": "12I"}}},
    "passenger 9": {"offer": 1, "seats": {"9": {"1": "12A"}}},
    "segment 9": {"offer": 1, "seats": {"1": {"9": "12A"}}},
    "offer 0": {"offer": 0},
    "offer 98": {"offer": 98},
    "offer as text": {"offer": "first"},
    "offer as a fraction": {"offer": 1.5},
    "nobody travels": {"offer": 1, "passengers": []},
    "a stranger travels": {"offer": 1, "passengers": ["somebody"]},
    "the same person twice": {"offer": 1, "passengers": ["SELF", "SELF"]},
    "no such way": {"offer": 1, "settle": "steal"},
    "another list": {"offer": 1, "offers_hash": "0" * 64},
    "no such field": {"offer": 1, "price": "0.01"},
}
EDITS = {what: edits for what, edits in CHOICES.items() if not {"passengers", "offers_hash"} & set(edits)}
UNSIGNED = "/webhooks/duffel"  # reads bytes, and asks whose they are first
REQUESTS: dict[str, Json] = {
    "a day that is not": {"depart_on": "2026-02-30"},
    "yesterday's century": {"depart_on": "1926-12-11"},
    "no such airport": {"origin": "???"},
    "minus one adult": {"adults": -1},
    "two hundred adults": {"adults": 200},
    "a child of -1": {"ages": [-1]},
    "a child of 200": {"ages": [200]},
    "infants alone": {"adults": 0, "ages": [0, 0]},
    "nine decimals": {"cap": {"amount": "1.123456789", "currency": "CNY"}},
    "no such currency": {"cap": {"amount": "1.00", "currency": "XQQ"}},
    "a negative price": {"cap": {"amount": "-1.00", "currency": "CNY"}},
    "a price that is no number": {"cap": {"amount": "NaN", "currency": "CNY"}},
    "a fraction of a yen": {"cap": {"amount": "1000.50", "currency": "JPY"}},
    "a price beyond all prices": {"cap": {"amount": "1e999", "currency": "CNY"}},
    "a window that ends before it begins": {"time_from": "18:00", "time_to": "09:00"},
    "an hour with an offset": {"time_from": "10:00+02:00"},
    "the last day there is": {"depart_on": "9999-12-31"},
    "until the last day there is": {"depart_until": "9999-12-31"},
    "until the day before": {"depart_until": "2026-12-10"},
    "a name for an airline": {"airlines": ["x" * 50_000]},
    "twenty thousand airlines": {"airlines": ["MU"] * 20_000},
    "no such flight": {"flight_number": "x" * 50_000},
    "twenty thousand left out": {"excluded": ["x"] * 20_000},
    "no such field": {"owner_id": "somebody"},
    "to where one is": {"destination": "SHA"},
}
# what was understood of a message, as a reviewer may correct it
SLOTS: dict[str, Json] = {
    "nine decimals": {"cap": {"amount": "1.123456789", "currency": "CNY"}},
    "no such currency": {"cap": {"amount": "1.00", "currency": "XQQ"}},
    "an hour with an offset": {"depart": {"time_from": "10:00Z"}},
    "a window that ends before it begins": {"return_": {"time_from": "18:00", "time_to": "09:00"}},
    "a span that ends before it begins": {"depart": {"date_from": "2026-12-12", "date_to": "2026-12-11"}},
}
BODIES = {
    "NaN": b'{"text": NaN}',
    "deep": b'{"text": ' + DEEP.encode() + b"}",
    "a lone surrogate": b'{"text": "\\ud800"}',
    "not JSON": b"{",
    "not UTF-8": b'{"text": "\xff"}',
    "a list": b"[]",
    "huge": b'{"text": "' + b"x" * 400_000 + b'"}',
    "a key twice": b'{"text": "a", "text": 7}',
}

UNREADABLE = {
    "NaN": "json_number",
    "deep": "json_deep",
    "a lone surrogate": "text_invalid",
    "not JSON": "json_invalid",
    "not UTF-8": "json_invalid",
    "huge": "too_large",
}


@pytest.fixture
async def world(data_dir: Path) -> AsyncIterator[World]:
    async with opened(data_dir) as made:
        yield made


async def waiting(world: World) -> tuple[Person, Chat, Json]:
    tina = await world.person("tina")
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    return tina, chat, await chat.trip()


async def is_refused(answer: Any) -> str:
    """Clear: a problem with a code and a sentence, not a server's failure."""
    assert 400 <= answer.status_code < 500, answer.text
    problem = answer.json()
    assert problem["code"]
    assert problem["detail"]
    assert "Traceback" not in answer.text
    return problem["code"]


async def stored(world: World) -> tuple[list[Any], ...]:
    return tuple([await world.rows(table) for table in (commands, people, trips)])


async def test_what_nobody_should_send_is_refused_clearly_and_nothing_is_stored(world: World) -> None:
    tina, chat, trip = await waiting(world)
    said, before, self_id = f"/conversations/{chat.conversation_id}/messages", await stored(world), await tina.me()
    for words in WORDS.values():
        await is_refused(await tina.post(said, {"text": words}))
    for change in PEOPLE.values():
        await is_refused(await tina.post("/people", PERSON | change))
    for choice in CHOICES.values():
        sent = json.loads(json.dumps(choice).replace("SELF", self_id))
        await is_refused(await tina.post(f"/trips/{trip['trip_id']}/choice", sent))
    for body in BODIES.values():
        headers = {"idempotency-key": str(uuid4()), "content-type": "application/json"}
        await is_refused(await tina.client.post(f"/api/v1{said}", content=body, headers=headers))
    assert await stored(world) == before
    assert (await tina.trip(trip["trip_id"])) == trip
    assert world.orders() == []


async def test_a_request_that_makes_no_sense_is_refused_and_the_trip_stays_as_it_is(world: World) -> None:
    tina, _, trip = await waiting(world)
    path, before = f"/trips/{trip['trip_id']}", await stored(world)
    for request in REQUESTS.values():
        await is_refused(await tina.post(f"{path}/revision", {"request": request}))
    assert await stored(world) == before
    assert await tina.trip(trip["trip_id"]) == trip


@pytest.mark.parametrize("who", ["tina", "rita"])
async def test_corrections_that_make_no_sense_are_refused_and_the_trip_stays_as_it_is(world: World, who: str) -> None:
    _, _, trip = await waiting(world)
    person, before = await world.person(who), await stored(world)
    seen = await newest(world, trip["trip_id"])
    (start, *_), (listed, *_) = [await steps(world, trip["trip_id"], step) for step in ("start", "shortlist")]
    backwards = {"time_from": "18:00", "time_to": "09:00"}
    wrong = [(start, each) for each in (*REQUESTS.values(), {"text": "x"}, {"offer": 1}, {"seats": {"1": {"1": "99Z"}}})]
    for version, corrections in [*wrong, (listed, backwards), (listed, {"time_to": "09:00Z"})]:
        body = {"to_version": version, "seen_version": seen, "corrections": corrections, "reason": "It went wrong there"}
        code = await is_refused(await person.post(f"/threads/{trip['trip_id']}/rewind", body))
        assert code == "invalid", (corrections, code)
    assert await stored(world) == before
    assert (await world.rows(trips))[0].request == trip["request"]


async def test_what_was_understood_is_not_corrected_to_what_makes_no_sense(world: World) -> None:
    _, chat, _ = await waiting(world)
    rita, before = await world.person("rita"), await stored(world)
    understood = (await steps(world, chat.conversation_id, "understand"))[0]
    body = {"to_version": understood, "seen_version": await newest(world, chat.conversation_id), "reason": "It went wrong there"}
    for slots in SLOTS.values():
        answer = await rita.post(f"/threads/{chat.conversation_id}/rewind", body | {"corrections": {"slots": slots}})
        assert await is_refused(answer) == "invalid", slots
    assert await stored(world) == before


async def test_a_price_is_kept_to_the_last_coin_of_its_currency(world: World) -> None:
    tina, _, trip = await waiting(world)
    cap = {"amount": "90000." + "0" * 9000, "currency": "JPY"}
    await tina.does(f"/trips/{trip['trip_id']}/revision", {"request": {"cap": cap}})
    assert (await tina.trip(trip["trip_id"]))["request"]["cap"] == cap | {"amount": "90000"}


async def test_what_is_no_json_or_more_than_is_read_is_refused_at_every_door_there_is(world: World) -> None:
    """Whoever posts it, to whatever address the interface describes."""
    tina, chat, trip = await waiting(world)
    trip = await tina.choose(trip["trip_id"])
    message = (await chat.view())["messages"][0]["message_id"]
    there = {
        "conversation_id": chat.conversation_id,
        "trip_id": trip["trip_id"],
        "thread_id": trip["trip_id"],
        "review_id": trip["review_id"],
        "message_id": message,
        "person_id": await tina.me(),
        "n": 1,
    }
    described = (await tina.client.get("/api/openapi.json")).json()["paths"]
    paths = [path for path, methods in described.items() if "post" in methods and not path.endswith(UNSIGNED)]
    assert len(paths) >= 20
    before, rita = await stored(world), await world.person("rita")
    for path in paths:
        for what, body in BODIES.items():
            headers = {"idempotency-key": str(uuid4()), "content-type": "application/json"}
            for person in (tina, rita):
                code = await is_refused(await person.client.post(path.format_map(_Some(there)), content=body, headers=headers))
                assert code == UNREADABLE.get(what, code), (path, what, code)
    assert await stored(world) == before
    assert (await tina.trip(trip["trip_id"])) == trip


class _Some(dict[str, Any]):
    """An id for every blank of an address; of what there is none of, one that is not."""

    def __missing__(self, name: str) -> str:
        return f"no-such-{name}"


async def test_an_edit_of_what_there_is_not_is_refused_and_the_review_waits_as_before(world: World) -> None:
    tina, _, trip = await waiting(world)
    trip = await tina.choose(trip["trip_id"])
    rita, before = await world.person("rita"), await stored(world)
    review = await rita.review(trip["review_id"])
    for what, edits in EDITS.items():
        preview = await rita.client.post(f"/api/v1/reviews/{trip['review_id']}/preview", json={"edits": edits})
        await is_refused(preview)
        decision = {"type": "edit", "digest": review["digest"], "edits": edits}
        assert await is_refused(await rita.post(f"/reviews/{trip['review_id']}/decision", decision)), what
    assert await stored(world) == before
    assert (await rita.review(trip["review_id"])) == review
