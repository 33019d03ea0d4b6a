"""Hostile input at the doors that are not REST, in any number: `python -m tests.properties.hostile_doors --cases 10000`.

`words`: the offline interpreter. `corrections`: a rewind's patches. `webhooks`: what the airline posts, signed and not. `pages`:
whatever a signed-in browser can send to the callbacks of the pages. `answers`: what an airline may answer our adapter.
A case is wrong when it raises what nobody expects, is answered with a 5xx, or makes a page's callback fail.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import httpx
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from assistant.booking.duffel import DuffelProvider
from assistant.booking.provider import Mode, SearchRequest
from assistant.booking.sandbox.events import SIGNATURE, sign
from assistant.domain.errors import Invalid, LayoverError
from assistant.domain.money import Money
from assistant.invariants import Books, broken
from assistant.language.interpreter import Heard, HeardMessage
from assistant.language.rules.interpreter import RulesInterpreter
from assistant.rewind import checked_corrections
from tests.contracts.test_duffel_reading import OFFER, ORDER, order_request
from tests.crashes.site import fresh_directory
from tests.properties.pressed import doings, names
from tests.properties.test_hostile_words import ASKED, FIELDS, NOW, STEPS, json_like, sayable, words
from tests.stories.world import Json, World
from tests.ui.living import Living, living

PATIENCE = 30.0  # seconds for one answer, on a busy machine
STATUSES = (200, 200, 200, 201, 202, 404, 422, 429, 500)
SECRET = "sandbox"  # the embedded airline's, unless told
PIT = "A PIT"  # stands for a value of five thousand levels, which no writer of JSON writes
EVENTS = ("order.created", "order.updated", "order.airline_initiated_change_detected", "ping.triggered", "no.such_event")
DEEP = b"[" * 5_000 + b"]" * 5_000
DOINGS, NAMES = (*doings(), "no such thing"), names()


@dataclass
class Tried:
    """What came of a door's cases."""

    came: Counter[str] = field(default_factory=Counter[str])
    slowest: float = 0.0

    def __str__(self) -> str:
        return f"{sum(self.came.values())} cases, slowest {self.slowest:.1f} s, {dict(self.came)}"

    @contextmanager
    def timed(self) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.slowest = max(self.slowest, time.monotonic() - began)


def many(cases: int, strategy: st.SearchStrategy[Any], one: Callable[[Any], None]) -> None:
    """`one` of each; raises what it raises."""

    @settings(max_examples=cases, deadline=None, database=None, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
    @given(strategy)
    def each(case: Any) -> None:
        one(case)

    each()


def at_words(cases: int) -> Tried:
    tried, interpreter, loop = Tried(), RulesInterpreter(), asyncio.new_event_loop()

    def hears(case: tuple[str, str | None]) -> None:
        text, asked = sayable(case[0]), case[1]
        if text is None:
            tried.came["refused"] += 1
            return
        before = (HeardMessage(role="assistant", text="?", asked=asked),) if asked else ()
        with tried.timed():
            heard = loop.run_until_complete(
                interpreter.interpret(Heard(text=text, recent=before, now=NOW, timezone="Asia/Shanghai"))
            )
        tried.came["flight" if heard.slots.destination else "other"] += 1

    many(cases, st.tuples(words, st.sampled_from(ASKED)), hears)
    loop.close()
    return tried


def at_corrections(cases: int) -> Tried:
    tried = Tried()

    def corrects(case: tuple[tuple[str, str], Json]) -> None:
        where, corrections = case
        with tried.timed():
            try:
                checked_corrections(*where, corrections)
                named, came = True, "taken"
            except Invalid as refusal:
                named, came = bool(refusal.facts["fields"]), "refused"
        assert named, f"no field is named: {case}"
        tried.came[came] += 1

    many(cases, st.tuples(st.sampled_from(STEPS), st.dictionaries(st.sampled_from(FIELDS), json_like, max_size=4)), corrects)
    return tried


def at_webhooks(cases: int, server: Living) -> Tried:
    """Half of them signed as the airline signs; one in three about an order there is."""
    tried = Tried()
    about = st.dictionaries(st.sampled_from(("id", "order_id", "offer_id", "metadata", "reason", "slices", "x")), json_like)
    shaped = st.fixed_dictionaries(
        {"id": json_like | st.text(max_size=9), "type": st.sampled_from(EVENTS) | json_like},
        optional={"data": st.fixed_dictionaries({"object": about | json_like}) | json_like, "created_at": json_like},
    )
    written = (shaped | json_like).map(lambda body: json.dumps(body).encode())
    bodies = st.one_of(st.binary(max_size=60), written, written, st.just(b'{"id": "wev_1", "type": ' + DEEP + b"}"))
    with httpx.Client(base_url=f"{server.base}/api/v1", timeout=PATIENCE) as client:

        def posts(case: tuple[bytes, bool, str]) -> None:
            body, signed, junk = case
            signature = sign(body, SECRET, 1_796_000_000) if signed else junk.encode("ascii", "replace").decode()
            with tried.timed():
                answer = client.post("/webhooks/duffel", content=body, headers={SIGNATURE: signature})
            tried.came[f"{'signed' if signed else 'not signed'} {answer.status_code}"] += 1
            assert answer.status_code < 500, f"{body!r}: {answer.status_code} {answer.text[:500]}"
            assert signed or answer.status_code != 204, f"{body!r} was taken with {signature}"

        junk = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=40)
        many(cases, st.tuples(bodies, st.booleans(), junk | junk.map("t=1,v1={}".format)), posts)
    return tried


def at_pages(cases: int, server: Living, *, who: str, face: str, real: Json) -> Tried:
    """One tab, pressing whatever there is; ids are those of real things more often than not."""
    tried = Tried()
    value = st.one_of(st.sampled_from(list(real.values())), json_like, st.text(max_size=30))
    named = st.one_of(*(st.fixed_dictionaries({name: st.just(thing)}) for name, thing in real.items()))
    press = st.builds(
        lambda do, known, more, key: {"do": do, **known, **more, **({"key": key} if key else {})},
        st.sampled_from(DOINGS),
        st.lists(named, max_size=3).map(lambda parts: {k: v for part in parts for k, v in part.items()}),
        st.dictionaries(st.sampled_from(NAMES), value, max_size=4),
        st.none() | st.uuids().map(str) | st.text(max_size=8),
    )
    with httpx.Client(base_url=server.base, timeout=PATIENCE, headers={"origin": server.base}) as client:
        assert client.post(f"/{face}/sign-in/demo", data={"name": who}).status_code == 303
        wrong, tab = list[str](), f"tab-of-{who}"
        callbacks = [d["id"] for d in client.get(f"/{face}/config").json()["dependencies"]]

        def presses(case: tuple[int, Any]) -> None:
            which, data = case
            join = {"data": [], "fn_index": which, "session_hash": tab, "event_data": data, "trigger_id": 1}
            body = json.dumps(join).encode()
            body = body.replace(b'"A PIT"', DEEP) if data == PIT else body
            with tried.timed():
                answer = client.post(f"/{face}/gradio_api/queue/join", content=body, headers={"content-type": "application/json"})
                assert answer.status_code < 500, f"{data}: {answer.text[:500]}"
                came = _drawn(client, face, tab) if answer.status_code == 200 else str(answer.status_code)
            tried.came[came] += 1
            if came == "failed":
                wrong.append(f"{who} at callback {which} of /{face}: {json.dumps(data, default=str)}")

        many(cases, st.tuples(st.sampled_from(callbacks), press | json_like | st.just(PIT)), presses)
    assert not wrong, f"{len(wrong)} failed\n" + "\n".join(wrong[:10])
    return tried


def _drawn(client: httpx.Client, face: str, tab: str) -> str:
    """Read as a browser reads it: a line ends where a line feed is, nowhere else."""
    left = b""
    with client.stream("GET", f"/{face}/gradio_api/queue/data", params={"session_hash": tab}) as stream:
        for chunk in stream.iter_bytes():
            *lines, left = (left + chunk).split(b"\n")
            for message in (json.loads(line[5:]) for line in lines if line.startswith(b"data:")):
                if message["msg"] == "process_completed":
                    assert "Traceback" not in json.dumps(message), message
                    return "drawn" if message["success"] else "failed"
    return "failed"


def at_answers(cases: int) -> Tried:
    """Our adapter reads what an airline may answer: it knows what it is, or says so in our words."""
    tried, loop = Tried(), asyncio.new_event_loop()
    bent = st.sampled_from((OFFER, ORDER)).flatmap(
        lambda good: st.dictionaries(st.sampled_from(sorted(good)), json_like, max_size=3).map(lambda wrong: {**good, **wrong})
    )
    data = bent | st.lists(bent, max_size=2) | st.lists(bent, max_size=2).map(lambda offers: {"offers": offers})
    shaped = st.fixed_dictionaries({"data": data}).map(lambda body: json.dumps(body).encode())
    bodies = st.one_of(shaped, shaped, st.binary(max_size=40), json_like.map(lambda body: json.dumps(body).encode()))

    def reads(case: tuple[str, int, bytes]) -> None:
        call, status, body = case
        transport = httpx.MockTransport(
            lambda _: httpx.Response(status, content=body, headers={"content-type": "application/json"})
        )
        provider = DuffelProvider(
            httpx.AsyncClient(transport=transport, base_url="https://airline.example"), mode=Mode.TEST, clock=lambda: NOW
        )
        with tried.timed():
            try:
                loop.run_until_complete(CALLS[call](provider))
                tried.came["read"] += 1
            except LayoverError as said:
                tried.came[type(said).__name__] += 1

    many(cases, st.tuples(st.sampled_from(sorted(CALLS)), st.sampled_from(STATUSES), bodies), reads)
    loop.close()
    return tried


async def things(world: World) -> dict[str, Json]:
    """What Tina and Rita have before them: a chat, a trip that waits for approval, its review."""
    tina = await world.person("tina")
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    trip = (await chat.trip())["trip_id"]
    await tina.choose(trip)
    await world.quiet()
    view, said = await tina.trip(trip), (await chat.view())["messages"]
    mine = {"conversation": chat.conversation_id, "trip": trip, "message": said[0]["message_id"], "person": await tina.me()}
    theirs = {"review": view["review_id"], "thread": trip, "trip": trip, "value": "1", "version": 3}
    return {"tina": mine | {"thread": trip, "value": "1", "version": 3}, "rita": theirs}


def at_door(door: str, cases: int) -> dict[str, Tried]:
    """By who or what was tried."""
    if door in WITHOUT_A_SERVER:
        return {door: WITHOUT_A_SERVER[door](cases)}
    with living(fresh_directory()) as server:
        real = server.told(things)
        if door == "webhooks":
            tried = {door: at_webhooks(cases, server)}
        else:
            half = -(-cases // 2)
            tried = {
                f"{door} of {who}": at_pages(half, server, who=who, face=face, real=real[who])
                for who, face in (("tina", "desk"), ("rita", "review"))
            }
        half_made = server.told(wrong_in_the_books)
        assert half_made == [], half_made
        return tried


async def wrong_in_the_books(world: World) -> list[str]:
    """Once all that was taken has had its end; what only waits for a person is no fault."""
    await world.quiet()
    books = await world.whole.database.read(Books.read)
    found = broken(books, now=world.whole.clock(), patience=timedelta())
    return [f"{each.invariant}: {each.what}" for each in found if "waits for a person" not in each.what]


CALLS: dict[str, Callable[[DuffelProvider], Coroutine[Any, Any, object]]] = {
    "search": lambda airline: airline.search(SearchRequest(origin="AMS", destination="LHR", depart_on=date(2030, 2, 1))),
    "get_offer": lambda airline: airline.get_offer("off_1"),
    "price_offer": lambda airline: airline.price_offer("off_1"),
    "seat_maps": lambda airline: airline.seat_maps("off_1"),
    "get_order": lambda airline: airline.get_order("ord_1"),
    "find_orders": lambda airline: airline.find_orders(operation_id="op", offer_id="off_1"),
    "create_order": lambda airline: airline.create_order(order_request()),
    "pay_order": lambda airline: airline.pay_order(
        "ord_1", amount=Money(amount=Decimal("45.00"), currency="GBP"), operation_id="op"
    ),
    "quote_cancellation": lambda airline: airline.quote_cancellation("ord_1"),
    "confirm_cancellation": lambda airline: airline.confirm_cancellation("ore_1"),
}
WITHOUT_A_SERVER: dict[str, Callable[[int], Tried]] = {"words": at_words, "corrections": at_corrections, "answers": at_answers}
DOORS = (*WITHOUT_A_SERVER, "webhooks", "pages")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000, help="at each door")
    parser.add_argument("--only", choices=DOORS)
    asked = parser.parse_args()
    for door in [asked.only] if asked.only else DOORS:
        for what, tried in at_door(door, asked.cases).items():
            print(f"{what}: {tried}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
