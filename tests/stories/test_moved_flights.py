"""The airline moves a flight that is booked: the traveller reads the old and the new time and says what to do."""

from __future__ import annotations

from assistant import crashpoints
from assistant.persistence.tables import claims, commands, webhooks
from assistant.persistence.tables import orders as orders_table
from tests.stories.ways_back import booked, steps, ticketed
from tests.stories.world import Chat, Json, Person, World

TO_LUTON = "From LHR to LTN on 11 December"


async def moved(world: World, tina: Person, rita: Person, words: str = TO_LUTON) -> tuple[Chat, Json]:
    """A booked trip whose flight the airline has moved, as the traveller finds it."""
    chat, trip = await booked(tina, rita, words)
    await world.until(lambda: is_told(world))
    await world.quiet()
    assert (await tina.trip(trip["trip_id"]))["status"] == "choosing"
    return chat, trip


async def is_told(world: World) -> bool:
    return bool(await world.rows(commands, kind="moved", status="succeeded"))


async def test_old_and_new_times_are_told_and_accepting_keeps_the_booking(world: World, tina: Person, rita: Person) -> None:
    chat, trip = await moved(world, tina, rita)
    now = await tina.trip(trip["trip_id"])
    change = world.orders()[0]["airline_initiated_changes"][-1]
    was, new = change["removed"][0]["departing_at"], now["chosen"]["segments"][0]["departs"]
    assert new == change["added"][0]["departing_at"]
    assert was != new
    told = (await chat.told())[-1]
    assert was[11:16] in told
    assert new[11:16] in told
    assert now["orders"][0]["booking_reference"] == trip["orders"][0]["booking_reference"]
    effects = world.effects()
    await chat.say("yes")
    accepted = await tina.trip(trip["trip_id"])
    assert (accepted["status"], accepted["chosen"]["segments"][0]["departs"]) == ("booked", new)
    assert world.effects() == effects
    assert await rita.inbox() == []
    assert [o["order_id"] for o in accepted["orders"]] == [trip["orders"][0]["order_id"]]


async def test_finding_another_books_it_first_and_then_gives_up_the_moved_one(world: World, tina: Person, rita: Person) -> None:
    chat, trip = await moved(world, tina, rita)
    await chat.say("no")
    listed = await tina.trip(trip["trip_id"])
    assert listed["offers"]
    mine = trip["chosen"]["segments"][0]["flight_number"]
    other = next(o["n"] for o in listed["offers"] if o["fare"]["segments"][0]["flight_number"] != mine)
    await ticketed(tina, rita, await tina.choose(trip["trip_id"], other))
    assert [o["id"] for o in world.orders()] != [trip["orders"][0]["order_id"]]
    assert len(world.orders()) == 1
    assert [effect for effect in world.effects() if effect != "move"][-2:] == ["book", "cancel"]


async def test_traveller_and_reviewer_read_the_same_facts(world: World, tina: Person, rita: Person) -> None:
    _, trip = await moved(world, tina, rita)
    change = world.orders()[0]["airline_initiated_changes"][-1]
    for reader in (tina, rita):
        shown = (await reader.trip(trip["trip_id"]))["moved"]
        assert shown["booking_reference"] == trip["orders"][0]["booking_reference"]
        assert shown["was"]["segments"][0]["departs"] == change["removed"][0]["departing_at"]
        assert shown["now"]["segments"][0]["departs"] == change["added"][0]["departing_at"]
        assert (shown["connection"], shown["other_way"]) == (None, None)
        assert shown["answers"] == ["resubmit", "change", "ask"]
        assert shown["was"]["segments"][0]["departs"][11:16] in shown["text"][0]
    cases = (await rita.get("/operations/cases"))["cases"]
    assert [(case["kind"], case["trip_id"]) for case in cases] == [("moved", trip["trip_id"])]
    await tina.answer(trip["trip_id"], "resubmit")
    assert (await tina.trip(trip["trip_id"]))["moved"] is None
    assert (await rita.get("/operations/cases"))["cases"] == []


async def test_the_desk_is_asked_answers_and_the_traveller_decides(world: World, tina: Person, rita: Person) -> None:
    chat, trip = await moved(world, tina, rita)
    effects, seen = world.effects(), (await rita.get("/me/changes"))["inbox"]
    asked = await tina.answer(trip["trip_id"], "ask", message="Is there a bus instead?")
    assert asked["status"] == "needs_person"
    assert (await rita.get("/me/changes"))["inbox"] > seen
    shown = await rita.trip(trip["trip_id"])
    assert shown["asks"]["message"] == "Is there a bus instead?"
    assert shown["moved"]["order_id"] == trip["orders"][0]["order_id"]
    assert trip["trip_id"] in [case["trip_id"] for case in (await rita.get("/operations/cases"))["cases"]]
    await rita.does(f"/trips/{trip['trip_id']}/reply", {"text": "No bus at that hour; the new time leaves you enough"})
    told = (await chat.told())[-1]
    assert "Rita" in told
    assert "No bus at that hour" in told
    answered = await tina.trip(trip["trip_id"])
    assert (answered["status"], answered["asks"]) == ("choosing", None)
    assert answered["message"] == "No bus at that hour; the new time leaves you enough"
    assert answered["moved"]["order_id"] == trip["orders"][0]["order_id"]
    assert answered["selection"] is not None
    await chat.say("yes")
    accepted = await tina.trip(trip["trip_id"])
    assert (accepted["status"], accepted["moved"]) == ("booked", None)
    assert [o["order_id"] for o in accepted["orders"]] == [trip["orders"][0]["order_id"]]
    assert world.effects() == effects


async def test_it_can_be_left_to_people_in_words(world: World, tina: Person, rita: Person) -> None:
    chat, trip = await moved(world, tina, rita)
    await chat.say("I want to talk to a person")
    now = await tina.trip(trip["trip_id"])
    assert now["status"] == "needs_person"
    assert now["asks"] is not None
    assert len(world.orders()) == 1


async def test_who_may_answer_for_the_desk(world: World, tina: Person, rita: Person) -> None:
    _, trip = await moved(world, tina, rita)
    path, said = f"/trips/{trip['trip_id']}/reply", {"text": "It is fine"}
    nobody_asks = await rita.post(path, said)
    assert (nobody_asks.status_code, nobody_asks.json()["code"]) == (409, "not_waiting")
    await tina.answer(trip["trip_id"], "ask")
    before = await tina.trip(trip["trip_id"])
    for name, expected in {"tina": (403, "forbidden"), "tom": (404, "not_found"), "oscar": (404, "not_found")}.items():
        answer = await (await world.person(name)).post(path, said)
        assert (answer.status_code, answer.json()["code"]) == expected, name
    empty = await rita.post(path, {"text": "  "})
    assert empty.status_code == 422
    assert await tina.trip(trip["trip_id"]) == before
    assert await world.rows(commands, kind="reply") == []


async def test_the_desk_answers_in_chinese(world: World, rita: Person) -> None:
    tina = await world.person("tina", "zh")
    chat, trip = await moved(world, tina, rita, "12月11日从LHR飞LTN")
    assert (await tina.trip(trip["trip_id"]))["moved"]["text"][0].startswith("原来：")
    await tina.answer(trip["trip_id"], "ask", message="能改到早上吗")
    await rita.does(f"/trips/{trip['trip_id']}/reply", {"text": "早上没有航班了"})
    told = (await chat.told())[-1]
    assert "回复：“早上没有航班了”" in told
    assert "新的时间可以吗" in told


async def test_one_event_told_twice_asks_once(world: World, tina: Person, rita: Person) -> None:
    world.airline.put_faults([{"match": {"op": "webhook"}, "fault": "webhook_dup"}])
    chat, trip = await moved(world, tina, rita)
    await world.later(60)
    (heard,) = await world.rows(webhooks, kind="order.airline_initiated_change_detected")
    assert heard.handled_at is not None  # and is not looked at again
    assert len(await world.rows(commands, kind="moved")) == 1
    assert len([text for text in await chat.told() if "has moved" in text]) == 1
    assert len(await steps(world, trip["trip_id"], "shortlist")) == 2


def _breaks() -> None:
    raise ZeroDivisionError


async def test_where_telling_of_it_breaks_once_it_is_told_by_the_next_command(world: World, tina: Person, rita: Person) -> None:
    crashpoints.arm("finish.stored.moved", then=_breaks)
    chat, trip = await moved(world, tina, rita)
    assert [row.status for row in await world.rows(commands, kind="moved")] == ["failed", "succeeded"]
    now = await tina.trip(trip["trip_id"])
    assert now["moved"]["order_id"] == trip["orders"][0]["order_id"]
    await chat.say("yes")
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"


async def test_the_ledger_holds_what_the_airline_flies(world: World, tina: Person, rita: Person) -> None:
    _, trip = await moved(world, tina, rita)
    (order,) = await world.rows(orders_table, trip_id=trip["trip_id"])
    at_airline = world.orders()[0]["slices"][0]["segments"][0]
    assert order.fare["segments"][0]["departs"] == at_airline["departing_at"]
    assert {c.segment_key for c in await world.rows(claims, trip_id=trip["trip_id"])} == set(order.itinerary["segment_keys"])


async def test_whether_the_other_way_still_works_is_said(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say("From LHR to LTN on 11 December, back on 18 December")
    out, back = await chat.trips()
    await ticketed(tina, rita, await tina.choose(back["trip_id"], 1))
    await ticketed(tina, rita, await tina.choose(out["trip_id"], 1))
    await world.until(lambda: is_told(world))
    await world.quiet()
    assert any("still works" in text for text in await chat.told())


async def test_in_chinese(world: World, rita: Person) -> None:
    tina = await world.person("tina", "zh")
    chat, trip = await moved(world, tina, rita, "12月11日从LHR飞LTN")
    told = (await chat.told())[-1]
    assert "航司改了" in told
    assert "新的时间可以吗" in told
    await chat.say("好的")
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
