"""From the first words to the ticket: wish, search, seats, approval, booking, and what is remembered."""

from __future__ import annotations

from tests.stories.world import Person, World, offer, proposed, seats_at_airline

EN_TWO = "Two people from Shanghai to Tokyo on 11 December"


async def test_in_chinese_from_a_wish_to_two_tickets_with_seats_and_names(world: World, rita: Person) -> None:
    tina = await world.person("tina", "zh")
    chat = await tina.chat()
    assert "靠窗" in await chat.say("我想坐靠窗的位置")
    assert "乘机人" in await chat.say("下周五从上海去东京，两个人")
    trip = await chat.trip()
    best = trip["offers"][0]
    assert "靠窗" in best["seats"][0]["reasons"]
    assert "座位相邻" in best["seats"][0]["reasons"]

    both = [await tina.me(), await tina.companion()]
    trip = await tina.choose(trip["trip_id"], best["n"], passengers=both)
    assert trip["status"] == "waiting_review"
    assert world.orders() == []
    assert "靠窗" in await chat.say("我刚才说想坐哪里？")

    await rita.decides(trip["review_id"], "approve")
    trip = await tina.trip(trip["trip_id"])
    assert (trip["status"], trip["status_text"]) == ("ticketing", "出票中")
    await world.later(5)
    trip = await tina.trip(trip["trip_id"])
    booked = trip["orders"][0]
    assert trip["status"] == "booked"
    assert len(booked["documents"]) == 2

    order = world.orders()[0]
    window, beside = proposed(best)
    assert seats_at_airline(order) == {"Ting Chen": window, "Wei Li": beside}
    assert order["booking_reference"] == booked["booking_reference"]
    last = (await chat.told())[-1]
    assert booked["booking_reference"] in last
    assert all(number in last for number in booked["documents"])


async def test_in_english_from_a_wish_to_two_tickets_with_seats_and_names(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    assert "window" in await chat.say("I would like a window seat")
    await chat.say(EN_TWO)
    trip = await chat.trip()
    held = offer(trip, can_hold=True)
    assert "window" in held["seats"][0]["reasons"]

    both = [await tina.me(), await tina.companion()]
    trip = await tina.choose(trip["trip_id"], held["n"], passengers=both)
    assert trip["status"] == "waiting_review"
    assert world.effects() == ["hold"]
    assert "window" in await chat.say("Where did I say I want to sit?")

    await rita.decides(trip["review_id"], "approve")
    await world.later(5)
    trip = await tina.trip(trip["trip_id"])
    assert trip["status"] == "booked"
    assert world.effects() == ["hold", "pay"]
    window, beside = proposed(held)
    assert seats_at_airline(world.orders()[0]) == {"Ting Chen": window, "Wei Li": beside}
    assert trip["orders"][0]["booking_reference"] in (await chat.told())[-1]


async def test_another_conversation_of_the_same_traveller_knows_the_wish(world: World, tina: Person) -> None:
    await (await tina.chat()).say("I always want an aisle seat")
    second = await tina.chat()
    assert "aisle" in await second.say("Which seat do I prefer?")
    await second.say(EN_TWO)
    seats = (await second.trip())["offers"][0]["seats"]
    assert "aisle" in seats[0]["reasons"]


async def test_another_travellers_conversation_does_not_know_the_wish(world: World, tina: Person) -> None:
    await (await tina.chat()).say("I always want an aisle seat")
    tom = await world.person("tom")
    assert "aisle" not in await (await tom.chat()).say("Which seat do I prefer?")
    assert (await tom.get("/me/preferences"))["wishes"] == []


async def test_a_message_while_a_review_waits_does_not_disturb_it(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    trip = await tina.choose((await chat.trip())["trip_id"])
    before = await rita.review(trip["review_id"])
    assert await chat.say("What is the weather like there?")
    assert await chat.say("I would like a window seat")
    after = await rita.review(trip["review_id"])
    assert (after["status"], after["digest"], after["expires_at"]) == ("waiting", before["digest"], before["expires_at"])
    await rita.decides(trip["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"


async def test_nothing_is_held_or_submitted_while_a_passenger_is_missing(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say(EN_TWO)
    trip = await chat.trip()
    answer = await tina.post(f"/trips/{trip['trip_id']}/choice", {"offer": offer(trip, can_hold=True)["n"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "passengers_missing")
    assert (await tina.trip(trip["trip_id"]))["status"] == "choosing"
    assert await rita.inbox() == []
    assert world.effects() == []


async def test_a_companion_named_by_the_form_flies(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say(EN_TWO)
    trip = await chat.trip()
    form = {
        "given_name": "Mei", "family_name": "Wang", "native_name": "王梅", "title": "ms", "gender": "f", "born_on": "1992-05-06",
        "email": "mei.wang@example.com", "phone": "+8613800000199",
    }  # fmt: skip
    mei = (await tina.does("/people", form))["person_id"]
    await tina.does(f"/trips/{trip['trip_id']}/passengers", {"passengers": [await tina.me(), mei]})
    trip = await tina.choose(trip["trip_id"])
    await rita.decides(trip["review_id"], "approve")
    await world.later(5)
    assert set(seats_at_airline(world.orders()[0])) == {"Ting Chen", "Mei Wang"}


async def test_nobody_approves_their_own_trip(world: World, rita: Person) -> None:
    chat = await rita.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    trip = await rita.choose((await chat.trip())["trip_id"])
    digest = (await rita.review(trip["review_id"]))["digest"]
    answer = await rita.post(f"/reviews/{trip['review_id']}/decision", {"type": "approve", "digest": digest})
    assert (answer.status_code, answer.json()["code"]) == (403, "own_trip")
    raj = await world.person("raj")
    await raj.decides(trip["review_id"], "approve")
    await world.later(5)
    assert (await rita.trip(trip["trip_id"]))["status"] == "booked"
