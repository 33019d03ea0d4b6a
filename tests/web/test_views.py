"""What pages and REST read: made for one reader, and nobody else's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import update

from assistant.bootstrap import layover
from assistant.demo import seed_demo
from assistant.domain.errors import NotFound
from assistant.domain.flights import Cabin, Fare, Segment
from assistant.domain.money import Money
from assistant.domain.plans import Itinerary, Wanted
from assistant.persistence.tables import commands, conversations, messages, orders, threads, trips
from assistant.settings import Settings
from assistant.views.conversations import conversation
from assistant.views.plans import differences_in_words
from assistant.views.shapes import Reader
from assistant.views.trips import trip
from assistant.views.version_facts import differences_between
from assistant.web.app import create_app
from assistant.web.people_commands import make_token
from assistant.web.site import Site

from .conftest import NOW, ORIGIN, World, quick

NINE = datetime(2026, 12, 11, 9, 0)


def fare(
    *,
    number: str = "801",
    departs: datetime = NINE,
    to: str = "NRT",
    total: str = "1000",
    cabin: Cabin = Cabin.ECONOMY,
) -> Fare:
    arrives = departs + timedelta(hours=3)
    segment = Segment(
        carrier="SQ", flight_number=number, origin="PVG", destination=to, departs=departs, arrives=arrives, minutes=180
    )
    return Fare(segments=(segment,), cabin=cabin, fare_brand="Basic", total=money(total), passengers=1)


def money(amount: str) -> Money:
    return Money(amount=Decimal(amount), currency="CNY")


def wanted(*, misses_wish: bool = False, **facts: Any) -> Wanted:
    made = fare(**facts)
    itinerary = Itinerary(segment_keys=made.segment_keys, cabin=made.cabin, fare_brand="Basic", passenger_ids=("p",))
    return Wanted(itinerary=itinerary, fare=made, total=made.total, hold=False, misses_wish=misses_wish)


async def reader(world: World, name: str, **facts: Any) -> Reader:
    user = await world.user(name)
    return Reader(tenant_id=user.tenant_id, user_id=user.user_id, **facts)


async def started(world: World, name: str, **facts: Any) -> str:
    """A trip of this person with these facts, in a conversation of its own; its id is also the conversation's."""
    user, trip_id, conversation_id = await world.user(name), str(uuid4()), str(uuid4())
    owned = {"tenant_id": user.tenant_id, "owner_id": user.user_id, "created_at": NOW}
    thread = {"main_branch_id": "b", "graph_version": "1"}
    await world.put(threads, owned | thread | {"thread_id": conversation_id, "kind": "conversation"})
    await world.put(threads, owned | thread | {"thread_id": trip_id, "kind": "trip"})
    await world.put(conversations, owned | {"conversation_id": conversation_id, "updated_at": NOW})
    row = {
        "trip_id": trip_id,
        "conversation_id": conversation_id,
        "journey_id": "j",
        "started_by": "c",
        "status": "choosing",
        "request": {"origin": "SHA", "destination": "TYO", "depart_on": "2026-12-11", "adults": 2},
        "person_ids": [],
        "create_ids": [],
        "updated_at": NOW,
    }
    await world.put(trips, owned | row | facts)
    return trip_id


async def order(world: World, trip_id: str, **facts: Any) -> None:
    sold = fare()
    row = {
        "order_id": str(uuid4()),
        "tenant_id": "demo",
        "mode": "sandbox",
        "trip_id": trip_id,
        "create_id": "made",
        "state": "confirmed",
        "itinerary": {},
        "fare": sold.model_dump(mode="json"),
        "total": sold.total.model_dump(mode="json"),
        "booking_reference": "ABC123",
        "documents": ["844-1"],
        "passengers": [{"given_name": "Ting", "family_name": "Chen", "born_on": "1991-04-12", "seats": [["k", "14A"]]}],
        "created_at": NOW,
        "updated_at": NOW,
    }
    await world.put(orders, row | facts)


async def test_a_trip_is_there_for_its_owner_and_the_tenants_reviewers_only(any_world: World) -> None:
    trip_id = await started(any_world, "tina")
    for name, reviewer, there in (("tina", False, True), ("rita", True, True), ("tom", False, False), ("olga", False, False),
                                  ("oscar", True, False)):  # fmt: skip
        who = await reader(any_world, name, reviewer=reviewer)
        if there:
            assert (await any_world.database.read(lambda tx, who=who: trip(tx, who, trip_id))).trip_id == trip_id
        else:
            with pytest.raises(NotFound):
                await any_world.database.read(lambda tx, who=who: trip(tx, who, trip_id))


async def test_a_live_order_no_main_line_wants_is_among_the_other_live_bookings(any_world: World) -> None:
    trip_id = await started(any_world, "tina", create_ids=["wanted", "set-aside"], status="booked")
    await order(any_world, trip_id, create_id="wanted", booking_reference="WANTED")
    await order(any_world, trip_id, create_id="left", booking_reference="LEFT")
    await order(any_world, trip_id, create_id="set-aside", booking_reference="ASIDE", aside=True)
    await order(any_world, trip_id, create_id="over", booking_reference="OVER", state="cancelled")
    await order(any_world, trip_id, create_id="hold", booking_reference="HOLD", state="lapsed", documents=[])
    shown = await any_world.database.read(lambda tx: _trip(tx, any_world, trip_id))
    assert {o.booking_reference for o in shown.orders} == {"WANTED", "OVER"}
    assert {o.booking_reference for o in shown.other_live_bookings} == {"LEFT", "ASIDE"}
    assert shown.orders[0].passengers == ("Ting Chen",)
    assert shown.orders[0].seats == ("14A",)


async def _trip(tx: Any, world: World, trip_id: str) -> Any:
    return await trip(tx, await reader(world, "tina"), trip_id)


async def test_who_still_has_to_be_named_is_shown_as_an_empty_place(any_world: World) -> None:
    tina = await any_world.token("tina")
    people = (await tina.get("/api/v1/people")).json()["people"]
    trip_id = await started(any_world, "tina", person_ids=[people[0]["person_id"]])
    travellers = (await tina.get(f"/api/v1/trips/{trip_id}")).json()["passengers"]
    assert [(t["name"], t["age"]) for t in travellers] == [("Ting Chen", 35), (None, None)]


async def test_what_is_accepted_and_not_answered_yet_is_shown_as_pending(any_world: World) -> None:
    trip_id = await started(any_world, "tina")
    view = await any_world.database.read(lambda tx: _trip(tx, any_world, trip_id))
    user = await any_world.user("tina")
    sent = {"tenant_id": "demo", "kind": "send_message", "thread_id": view.conversation_id, "created_at": NOW, "attempts": 0,
            "actor": user.actor.model_dump(mode="json"), "fingerprint": "f"}  # fmt: skip
    for seq, (status, text) in enumerate((("succeeded", "one"), ("running", "two"), ("accepted", "three"))):
        row = {"command_id": f"c{seq}", "thread_seq": seq, "status": status, "payload": {"text": text, "message_id": f"m{seq}"}}
        await any_world.put(commands, sent | row)
    who = await reader(any_world, "tina")
    shown = await any_world.database.read(lambda tx: conversation(tx, who, view.conversation_id))
    assert [(m.text, m.pending, m.command_id) for m in shown.messages] == [("two", True, "c1"), ("three", True, "c2")]
    assert shown.running == "c1"


async def test_what_nobody_has_put_into_words_yet_is_said_in_the_readers_language(world: World) -> None:
    trip_id = await started(world, "tina")
    conversation_id = (await world.database.read(lambda tx: _trip(tx, world, trip_id))).conversation_id
    body = {"said": [{"key": "error.stopped", "params": {}}], "language": "en", "text": None}
    row = {"conversation_id": conversation_id, "message_id": "m", "role": "assistant", "body": body, "command_id": "c", "seq": 1}
    await world.put(messages, row | {"created_at": NOW})

    async def headed(tx: Any) -> None:
        await tx.execute(update(conversations).values(head_message_id="m"))

    await world.database.write(headed)
    who = await reader(world, "tina", language="zh")
    shown = await world.database.read(lambda tx: conversation(tx, who, conversation_id))
    assert [m.text for m in shown.messages] == ["已停止。"]


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ({}, ()),
        ({"total": "900"}, ()),
        ({"departs": NINE + timedelta(minutes=20)}, ()),
        ({"total": "1001"}, ("1,001.00 CNY in all instead of 1,000.00 CNY",)),
        ({"departs": NINE + timedelta(hours=2)}, ("Leaves at 11:00 instead of 09:00",)),
        ({"number": "999"}, ("Flight SQ999 instead of SQ801",)),
        ({"misses_wish": True}, ("The seat no longer meets the preference",)),
    ],
)
def test_a_traveller_reads_what_got_worse_and_nothing_else(after: dict[str, Any], said: tuple[str, ...]) -> None:
    who = Reader(tenant_id="t", user_id="u", language="en")
    found = differences_in_words(who, wanted(), wanted(**after))
    assert tuple(text.replace("\N{NO-BREAK SPACE}", " ") for text in found) == said


def test_every_difference_is_said_in_both_languages() -> None:
    after = wanted(number="7", departs=NINE + timedelta(days=1), to="HND", total="2000", cabin=Cabin.BUSINESS, misses_wish=True)
    for language in ("en", "zh"):
        who = Reader(tenant_id="t", user_id="u", language=language)
        assert len(differences_in_words(who, wanted(), after)) == 6


# The whole product behind the interface


@dataclass
class Product:
    """Everything that runs, reached by people with tokens."""

    app: Any
    whole: Any
    clients: list[httpx.AsyncClient] = field(default_factory=list)

    async def person(self, name: str) -> httpx.AsyncClient:
        token = await make_token(self.whole.database, name=name)
        headers = {"authorization": f"Bearer {token}", "accept-language": "en"}
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        self.clients.append(httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers, timeout=30))
        return self.clients[-1]


@pytest.fixture
async def product(data_dir: Path) -> AsyncIterator[Product]:
    async with layover(Settings(_env_file=None, data_dir=data_dir, demo=True)) as whole:  # pyright: ignore[reportCallIssue]
        await seed_demo(whole.database, data_dir, passwords=quick(), clock=whole.clock)
        app = create_app(service=whole.service, database=whole.database, site=Site(), clock=whole.clock)
        made = Product(app, whole)
        yield made
        for client in made.clients:
            await client.aclose()


async def does(client: httpx.AsyncClient, path: str, body: dict[str, Any] | None = None, *, status: int = 200) -> dict[str, Any]:
    """Waits for the command, and for what it gave rise to."""
    answer = await client.post(f"/api/v1/{path}", params={"wait": 20}, json=body or {}, headers={"Idempotency-Key": str(uuid4())})
    assert answer.status_code == status, answer.text
    return answer.json()


async def test_from_a_sentence_to_a_booking_everybody_reads_what_is_theirs(product: Product) -> None:
    tina, rita, raj = [await product.person(name) for name in ("tina", "rita", "raj")]
    strangers = [await product.person(name) for name in ("tom", "olga", "oscar")]
    conversation_id = (await does(tina, "conversations"))["conversation_id"]
    await does(tina, f"conversations/{conversation_id}/messages", {"text": "I like to sit by the window."})
    asked = f"From Shanghai to Tokyo on {product.whole.clock().date() + timedelta(days=20)}, two people."
    await does(tina, f"conversations/{conversation_id}/messages", {"text": asked})
    await product.whole.dispatcher.idle()

    shown = (await tina.get(f"/api/v1/conversations/{conversation_id}")).json()
    assert [wish["text"] for wish in shown["wishes"]] == ["a window seat"]
    (trip,) = shown["trips"]
    path = f"trips/{trip['trip_id']}"
    assert (trip["status"], trip["question"]["node"]) == ("choosing", "choose")
    people = (await tina.get("/api/v1/people")).json()["people"]
    await does(tina, f"{path}/passengers", {"passengers": [p["person_id"] for p in people]})

    (seat_map,) = (await tina.get(f"/api/v1/{path}/offers/1/seat_map")).json()["seat_maps"]
    seats = {seat["designator"]: seat for row in seat_map["rows"] for section in row["sections"] for seat in section}
    assert len(seat_map["proposed"]) == 2
    assert any("window" in seats[designator]["why"] for designator in seat_map["proposed"])
    free = [seat for seat in seats.values() if seat["available"]]
    assert "window" in max(free, key=lambda seat: seat["score"])["why"]
    assert (await tina.get(f"/api/v1/{path}/offers/99/seat_map")).status_code == 404

    await does(tina, f"{path}/choice", {"offer": 1})
    (row,) = (await rita.get("/api/v1/reviews")).json()["reviews"]
    review = (await rita.get(f"/api/v1/reviews/{row['review_id']}")).json()
    assert review["traveller_words"] == ["I like to sit by the window.", asked]
    assert review["selected_offer"] == 1
    assert review["sentence"].startswith("Tina wants Shanghai to Tokyo")
    assert review["checks"]
    assert review["plan"]["steps"]

    for other in strangers:
        for hidden in (path, f"{path}/offers/1/seat_map", f"operations?trip_id={trip['trip_id']}"):
            assert (await other.get(f"/api/v1/{hidden}")).status_code == 404, hidden
        assert (await does(other, f"{path}/choice", {"offer": 1}, status=404))["code"] == "not_found"
        assert (await does(other, f"{path}/cancellation", status=404))["code"] == "not_found"
    oscar = strangers[-1]
    assert (await oscar.get("/api/v1/reviews")).json() == {"reviews": []}
    assert (await oscar.get(f"/api/v1/reviews/{row['review_id']}")).status_code == 404
    decision = {"type": "approve", "digest": review["digest"]}
    await does(oscar, f"reviews/{row['review_id']}/decision", decision, status=404)
    await does(tina, f"reviews/{row['review_id']}/decision", decision, status=403)

    await does(rita, f"reviews/{row['review_id']}/claim")
    assert (await raj.get("/api/v1/reviews")).json()["reviews"][0]["claimed_by"] == "Rita"
    assert len((await rita.get("/api/v1/reviews?status=mine")).json()["reviews"]) == 1
    assert (await raj.get("/api/v1/reviews?status=mine")).json() == {"reviews": []}
    decided = await does(rita, f"reviews/{row['review_id']}/decision", decision)
    late = await does(raj, f"reviews/{row['review_id']}/decision", decision, status=409)
    assert (late["code"], late["by"]) == ("already_decided", "Rita")

    (done,) = (await raj.get("/api/v1/reviews?status=done")).json()["reviews"]
    assert (done["answer"], done["decided_by"]) == ("approve", "Rita")
    (bought,) = (await rita.get("/api/v1/operations")).json()["operations"]
    assert (bought["state"], bought["approval"]["by"], bought["attempts"][0]["outcome"]) == ("succeeded", "Rita", "succeeded")
    stands = (await raj.get(f"/api/v1/commands/{decided['command_id']}")).json()
    assert (stands["status"], [run["outcome"] for run in stands["runs"]]) == ("succeeded", ["succeeded"])
    assert (await oscar.get(f"/api/v1/commands/{decided['command_id']}")).status_code == 404
    card = (await tina.get(f"/api/v1/{path}")).json()
    assert card["orders"][0]["booking_reference"]
    assert sorted(card["orders"][0]["passengers"]) == ["Ting Chen", "Wei Li"]
    assert card["plan"]["steps"][0]["done"]


def test_news_of_a_trip_does_not_make_what_was_said_before_disappear() -> None:
    who = Reader(tenant_id="t", user_id="u", language="en")
    said: dict[str, Any] = {"text": "To Tokyo on Friday"}
    assert differences_between(who, said, {"event": "booked"}) == ()
    assert differences_between(who, {"event": "booked"}, said) == ()
    other = differences_between(who, said, {"text": "To Osaka on Friday"})
    assert [(d.a, d.b) for d in other] == [("To Tokyo on Friday", "To Osaka on Friday")]
