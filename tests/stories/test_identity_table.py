"""When are two things the same thing? Each row of the identity table, told as it happens at the airline."""

from __future__ import annotations

import asyncio
from pathlib import Path
from uuid import uuid4

import pytest

from assistant.desk import Errand
from assistant.domain.commands import Command, Kind
from assistant.domain.plans import Outcome
from assistant.persistence.tables import attempts, claims, commands, operations
from tests.stories.dying import DiesAfterSending, Killed, process_on
from tests.stories.test_decisions import submitted
from tests.stories.ways_back import (
    TO_TOKYO,
    Walker,
    booked,
    books,
    branches_of,
    cheap_seats,
    newest,
    picks,
    steps,
    ticketed,
    walker,
)
from tests.stories.world import Json, Person, World, opened

EN_TWO = "Two people from Shanghai to Tokyo on 11 December"


@pytest.fixture
async def guide(world: World) -> Walker:
    return await walker(world, "rita")


async def made(world: World) -> list[str]:
    """The creates the airline carried out."""
    return [effect for effect in world.effects() if effect in {"hold", "book"}]


async def test_network_retry(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    world.airline.put_faults([{"match": {"op": "create", "nth": 1}, "fault": "503"}])
    now = await ticketed(tina, rita, trip)
    assert now["status"] == "booked"
    assert await made(world) == ["book"]
    (operation,) = await world.rows(operations, trip_id=trip["trip_id"])
    tried = await world.rows(attempts, operation_id=operation.operation_id)
    assert [a.outcome for a in sorted(tried, key=lambda a: a.number)] == ["unavailable", "succeeded"]


async def test_an_answer_that_was_lost_is_looked_up_and_never_sent_again(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    world.airline.put_faults([{"match": {"op": "create", "nth": 1}, "fault": "timeout_after_apply"}])
    await rita.decides(trip["review_id"], "approve")
    assert (await tina.trip(trip["trip_id"]))["status"] == "checking"
    await world.until(lambda: has_status(tina, trip, "booked"))
    assert await made(world) == ["book"]


async def has_status(person: Person, trip: Json, status: str) -> bool:
    return (await person.trip(trip["trip_id"]))["status"] == status


async def test_crash_anywhere(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await walker(world, "rita")
        chat = await tina.chat()
        await chat.say(TO_TOKYO)
        trip = await picks(tina, await chat.trip())
        digest = (await (await world.person("rita")).review(trip["review_id"]))["digest"]
    command = Command(
        command_id=str(uuid4()),
        kind=Kind.DECIDE,
        actor=rita.actor,
        target=trip["review_id"],
        payload={"type": "approve", "digest": digest},
    )
    async with process_on(data_dir, DiesAfterSending) as process:
        await process.service.accept(command)
        with pytest.raises(Killed):
            await process.service.run(command.actor.tenant_id, command.command_id)
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        await world.until(lambda: has_status(tina, trip, "booked"))
        assert await made(world) == ["book"]
        (operation,) = await world.rows(operations, trip_id=trip["trip_id"])
        assert operation.state == "succeeded"
        assert len(await world.rows(attempts, operation_id=operation.operation_id)) == 1
        now = await tina.trip(trip["trip_id"])
        assert now["selection"] == trip["selection"]


async def test_double_click_two_tabs_two_reviewers(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    raj, key = await world.person("raj"), str(uuid4())
    path = f"/reviews/{trip['review_id']}/decision"
    body = {"type": "approve", "digest": (await rita.review(trip["review_id"]))["digest"]}
    answers = await asyncio.gather(
        rita.post(path, body, key=key), rita.post(path, body, key=key), rita.post(path, body), raj.post(path, body)
    )
    assert sorted(a.status_code for a in answers) in ([200, 200, 409, 409], [200, 409, 409, 409])
    lost = next(a.json() for a in answers if a.status_code == 409)
    assert (lost["code"], lost["by"]) in {("already_decided", "Rita"), ("already_decided", "Raj")}
    await world.later(5)
    assert await made(world) == ["book"]


async def test_rewind_then_the_same_decision(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    _, trip = await booked(tina, rita)
    before = world.effects()
    for _ in range(3):
        await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "choose"))[0])
    now = await tina.trip(trip["trip_id"])
    assert (now["status"], now["orders"], now["other_live_bookings"]) == ("booked", trip["orders"], [])
    assert world.effects() == before
    assert await rita.inbox() == []


async def test_same_while_unknown(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    world.airline.put_faults([{"match": {"op": "create", "nth": 1}, "fault": "timeout_after_apply"}])
    await rita.decides(trip["review_id"], "approve")
    choice, seen = (await steps(world, trip["trip_id"], "choose"))[0], await newest(world, trip["trip_id"])
    again = {"to_version": choice, "seen_version": seen, "reason": "x"}
    assert await guide.is_refused(Kind.REWIND, trip["trip_id"], **again) == "confirming"
    for path, body in (("revision", {"offer": 2}), ("cancellation", {})):
        answer = await tina.post(f"/trips/{trip['trip_id']}/{path}", body)
        assert (answer.status_code, answer.json()["code"]) == (409, "confirming")
    other = await tina.chat()
    await other.say(TO_TOKYO)
    second = await other.trip()
    same = next(o["n"] for o in second["offers"] if o["fare"]["segments"] == trip["chosen"]["segments"])
    refused = await tina.choose(second["trip_id"], same)
    assert (refused["status"], refused["orders"]) == ("choosing", [])
    assert "already have" in (await other.told())[-1]
    assert await made(world) == ["book"]


async def test_rewind_other_flight_or_date(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    _, trip = await booked(tina, rita)
    first = trip["orders"][0]
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "choose"))[0], {"offer": 2})
    asked = await tina.trip(trip["trip_id"])
    assert asked["status"] == "waiting_traveller"
    waits = await tina.answer(trip["trip_id"], "agree")
    plan = (await rita.review(waits["review_id"]))["plan"]
    assert [s["kind"] for s in plan["steps"]] == ["book", "cancel"]
    assert sorted(c["id"] for c in plan["choices"]) == ["keep_both", "replace"]
    alone = await rita.post(f"/reviews/{waits['review_id']}/decision", {"type": "approve", "digest": "0" * 64})
    assert (alone.status_code, alone.json()["code"]) == (403, "four_eyes")
    await (await world.person("raj")).decides(waits["review_id"], "approve")
    await world.later(5)
    now = await tina.trip(trip["trip_id"])
    assert now["status"] == "booked"
    assert world.effects()[-2:] == ["book", "cancel"]
    assert [o["id"] for o in world.orders()] != [first["order_id"]]
    assert len(world.orders()) == 1


async def test_rewind_other_seat_only(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    _, trip = await booked(tina, rita)
    wants = next(s for s in await cheap_seats(tina, trip, 1) if s != trip["orders"][0]["seats"][0])
    choice = (await steps(world, trip["trip_id"], "choose"))[0]
    await guide.goes_back(trip["trip_id"], choice, {"seats": {"1": {"1": wants}}})
    assert (await tina.trip(trip["trip_id"]))["orders"] == trip["orders"]
    await guide.goes_back(trip["trip_id"], choice, {"seats": {"1": {"1": wants}}}, settle="rebook")
    waits = await tina.trip(trip["trip_id"])
    if waits["status"] == "waiting_traveller":
        waits = await tina.answer(trip["trip_id"], "agree")
    review = await rita.review(waits["review_id"])
    assert [s["kind"] for s in review["plan"]["steps"]] == ["cancel", "book"]
    assert review["plan"]["net"]
    now = await ticketed(tina, rita, waits)
    assert now["status"] == "booked"
    assert world.effects()[-2:] == ["cancel", "book"]
    assert len(world.orders()) == 1


async def test_rewind_then_abandoned(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    chat, trip = await booked(tina, rita)
    order = trip["orders"][0]["order_id"]
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "start"))[0], {"depart_on": "2026-12-14"})
    left = await tina.trip(trip["trip_id"])
    assert (left["status"], left["orders"]) == ("choosing", [])
    assert [o["order_id"] for o in left["other_live_bookings"]] == [order]
    assert len(world.orders()) == 1
    await tina.does(f"/trips/{trip['trip_id']}/cancellation", {"order_id": order})
    cancelling = await tina.trip(trip["trip_id"])
    assert cancelling["status"] == "waiting_review"
    await rita.decides(cancelling["review_id"], "approve")
    await world.quiet()
    gone = await tina.trip(trip["trip_id"])
    assert (gone["status"], gone["other_live_bookings"]) == ("cancelled", [])
    assert world.orders() == []
    assert "cancelled" in (await chat.told())[-1]


async def test_one_kept_by_keep_both_is_left_out_of_later_plans(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    _, trip = await booked(tina, rita)
    choice = (await steps(world, trip["trip_id"], "choose"))[0]
    await guide.goes_back(trip["trip_id"], choice, {"offer": 2}, settle="keep_both")
    await tina.answer(trip["trip_id"], "agree")
    both = await ticketed(tina, await world.person("raj"), trip)
    assert len(both["other_live_bookings"]) == 1
    await tina.does(f"/trips/{trip['trip_id']}/cancellation", {})
    cancelling = await tina.trip(trip["trip_id"])
    steps_of = (await rita.review(cancelling["review_id"]))["plan"]["steps"]
    assert [s["kind"] for s in steps_of] == ["cancel"]
    await rita.decides(cancelling["review_id"], "approve")
    await world.quiet()
    assert [o["id"] for o in world.orders()] == [trip["orders"][0]["order_id"]]


async def test_cancel_then_book_the_same_again(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    _, trip = await booked(tina, rita)
    (first,) = await world.rows(operations, trip_id=trip["trip_id"])
    await tina.does(f"/trips/{trip['trip_id']}/cancellation", {})
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    await world.quiet()
    assert world.orders() == []
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "choose"))[0])
    waits = await tina.trip(trip["trip_id"])
    assert waits["status"] == "waiting_review"
    now = await ticketed(tina, rita, waits)
    assert now["status"] == "booked"
    creates = [row for row in await world.rows(operations, trip_id=trip["trip_id"]) if row.kind == "book"]
    assert len({row.operation_id for row in creates}) == 2
    assert {row.state for row in creates} == {"succeeded"}
    desk, before = world.whole.desk, world.effects()
    errand = Errand(guide.actor.tenant_id, first.tenant_id, trip["trip_id"], "late")
    assert await desk.perform(errand, first.operation_id) is Outcome.FAILED  # what it made is over
    assert world.effects() == before
    assert len(world.orders()) == 1


async def test_outbound_and_return(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December, back on 18 December")
    out, back = await chat.trips()
    out = await books(tina, rita, await tina.trip(out["trip_id"]))
    back = await picks(tina, await tina.trip(back["trip_id"]))
    await rita.decides(back["review_id"], "reject", message="The conference was moved")
    await world.quiet()
    view = await chat.view()
    last = [m for m in view["messages"] if m["role"] == "assistant"][-1]
    assert "outbound" in last["text"]
    assert "The conference was moved" in last["text"]
    assert (await tina.trip(out["trip_id"]))["status"] == "booked"
    labels = [option["label"].lower() for option in last["options"]]
    assert any("keep" in label for label in labels)
    assert any("cancel" in label for label in labels)
    assert len(world.orders()) == 1


NAMESAKE = {
    "given_name": "Wei", "family_name": "Zhang", "title": "mr", "gender": "m", "born_on": "1980-01-01",
    "email": "one@example.com", "phone": "+8613800000111",
}  # fmt: skip


async def test_two_passengers_with_one_name(world: World, tina: Person, rita: Person) -> None:
    elder = (await tina.does("/people", NAMESAKE))["person_id"]
    younger = (await tina.does("/people", NAMESAKE | {"born_on": "1985-05-05"}))["person_id"]
    again = (await tina.does("/people", NAMESAKE | {"email": "other@example.com"}))["person_id"]
    chat = await tina.chat()
    await chat.say(EN_TWO)
    trip = await chat.trip()
    answer = await tina.post(f"/trips/{trip['trip_id']}/choice", {"offer": 1, "passengers": [elder, again]})
    assert (answer.status_code, answer.json()["code"]) == (422, "same_passenger_twice")
    assert world.effects() == []
    now = await ticketed(tina, rita, await tina.choose(trip["trip_id"], 1, passengers=[elder, younger]))
    assert now["status"] == "booked"
    assert sorted(p["born_on"] for p in world.orders()[0]["passengers"]) == ["1980-01-01", "1985-05-05"]


async def test_same_passenger_same_flight_another_chat_or_another_travellers_trip(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip = await booked(tina, rita)
    second = await tina.chat()
    await second.say(TO_TOKYO)
    again = await picks(tina, await second.trip())
    assert again["status"] == "choosing"
    assert "already have" in (await second.told())[-1]
    herself = next(p for p in (await tina.get("/people"))["people"] if p["is_self"])
    tom = await world.person("tom")
    form = {k: herself[k] for k in ("given_name", "family_name", "title", "gender", "born_on", "email", "phone")}
    twin = (await tom.does("/people", form))["person_id"]
    chat = await tom.chat()
    await chat.say(TO_TOKYO)
    refused = await picks(tom, await chat.trip(), passengers=[twin])
    assert refused["status"] == "choosing"
    told = (await chat.told())[-1]
    assert "reviewer must look" in told
    assert trip["orders"][0]["booking_reference"] not in told
    assert len(world.orders()) == 1
    assert len(await world.rows(claims)) == len(trip["chosen"]["segments"])


async def test_from_two_passengers_to_one_on_the_same_flight(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    chat = await tina.chat()
    await chat.say(EN_TWO)
    both = [await tina.me(), await tina.companion()]
    trip = await ticketed(tina, rita, await tina.choose((await chat.trip())["trip_id"], 1, passengers=both))
    assert trip["status"] == "booked"
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "start"))[0], {"adults": 1})
    listed = await tina.trip(trip["trip_id"])
    same = next(o["n"] for o in listed["offers"] if o["fare"]["segments"] == trip["chosen"]["segments"])
    waits = await tina.choose(trip["trip_id"], same, passengers=both[:1])
    kinds = [s["kind"] for s in (await rita.review(waits["review_id"]))["plan"]["steps"]]
    assert kinds == ["cancel", "book"]
    now = await ticketed(tina, rita, waits)
    assert now["status"] == "booked"
    assert world.effects() == ["book", "cancel", "book"]
    assert len(world.orders()[0]["passengers"]) == 1


async def test_fra_jfk_inside_muc_fra_jfk(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    """Over whichever hub the day has: only the long way is wanted, which is part of what is booked."""
    chat = await tina.chat()
    await chat.say("From Munich MUC to New York JFK on 11 December")
    trip = await chat.trip()
    over = next(o for o in trip["offers"] if len(o["fare"]["segments"]) == 2)
    first = await ticketed(tina, rita, await tina.choose(trip["trip_id"], over["n"]))
    assert first["status"] == "booked"
    effects, onward = world.effects(), over["fare"]["segments"][1]
    only_that = {"origin": onward["origin"], "time_from": onward["departs"][11:], "time_to": onward["departs"][11:]}
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "start"))[0], only_that)
    listed = await tina.trip(trip["trip_id"])
    numbers = {o["n"]: [s["flight_number"] for s in o["fare"]["segments"]] for o in listed["offers"]}
    waits = await tina.choose(trip["trip_id"], next(n for n in numbers if numbers[n] == [onward["flight_number"]]))
    plan = (await rita.review(waits["review_id"]))["plan"]
    assert plan["steps"][0]["kind"] == "cancel"
    assert [c["id"] for c in plan["choices"]] == ["replace"]
    assert (await ticketed(tina, rita, waits))["status"] == "booked"
    made_since = [effect for effect in world.effects()[len(effects) :] if effect in {"hold", "book", "cancel"}]
    assert made_since[0] == "cancel"
    assert len(made_since) == 2
    assert [len(o["flights"]) for o in world.orders()] == [1]


async def test_every_way_back_is_one_branch_of_its_own(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    _, trip = await booked(tina, rita)
    choice = (await steps(world, trip["trip_id"], "choose"))[0]
    for _ in range(2):
        await guide.goes_back(trip["trip_id"], choice)
    lines = await branches_of(world, trip["trip_id"])
    assert [b.status for b in lines] == ["abandoned", "abandoned", "main"]
    assert len(await world.rows(commands, kind="rewind", status="succeeded")) == 2
