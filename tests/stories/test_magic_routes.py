"""Each magic route of the sandbox, from the chat: a true, useful sentence at the end, and a ledger that is right."""

from __future__ import annotations

from tests.stories.world import Chat, Json, Person, World


async def asked(person: Person, origin: str, destination: str) -> Chat:
    chat = await person.chat()
    await chat.say(f"Flight from {origin} to {destination} on 11 December")
    return chat


async def approved(world: World, person: Person, reviewer: Person, chat: Chat) -> Json:
    """The trip after its first option was chosen and approved."""
    trip = await person.choose((await chat.trip())["trip_id"])
    await reviewer.decides(trip["review_id"], "approve")
    await world.later(5)
    return await person.trip(trip["trip_id"])


async def ledger(reviewer: Person, trip: Json) -> list[tuple[str, str]]:
    rows = (await reviewer.get(f"/operations?trip_id={trip['trip_id']}"))["operations"]
    return sorted((row["kind"], row["state"]) for row in rows)


async def test_pvd_rai_has_no_flights_and_says_so(world: World, tina: Person) -> None:
    chat = await asked(tina, "PVD", "RAI")
    trip = await chat.trip()
    assert (trip["status"], trip["offers"]) == ("choosing", [])
    assert "No flights on this route" in (await chat.told())[-1]
    assert world.effects() == []


async def test_jfk_ewr_is_held_first_and_paid_on_approval(world: World, tina: Person, rita: Person) -> None:
    chat = await asked(tina, "JFK", "EWR")
    trip = await approved(world, tina, rita, chat)
    assert trip["status"] == "booked"
    assert world.effects() == ["hold", "pay"]
    assert await ledger(rita, trip) == [("hold", "succeeded"), ("pay", "succeeded")]


async def test_lhr_stn_rises_at_every_look_and_is_not_run_after(world: World, tina: Person, rita: Person) -> None:
    chat = await asked(tina, "LHR", "STN")
    trip = await approved(world, tina, rita, chat)
    assert trip["status"] == "waiting_review"
    assert "has changed to" in (await chat.told())[-1]
    await rita.decides(trip["review_id"], "approve")
    trip = await tina.trip(trip["trip_id"])
    assert trip["status"] == "choosing"
    assert "rises at every look" in (await chat.told())[-1]
    assert world.effects() == []
    assert await ledger(rita, trip) == [("book", "planned")]


async def test_lgw_lhr_is_sold_out_and_says_so(world: World, tina: Person) -> None:
    chat = await asked(tina, "LGW", "LHR")
    assert (await chat.trip())["offers"] == []
    assert "sold out" in (await chat.told())[-1]
    assert world.effects() == []


async def test_lgw_stn_is_declined_and_the_traveller_chooses_again(world: World, tina: Person, rita: Person) -> None:
    chat = await asked(tina, "LGW", "STN")
    trip = await approved(world, tina, rita, chat)
    assert trip["status"] == "choosing"
    assert "declined" in (await chat.told())[-1]
    assert world.effects() == []
    assert await ledger(rita, trip) == [("book", "failed")]


async def test_lhr_lgw_may_have_happened_is_looked_up_and_given_to_a_person(world: World, tina: Person, rita: Person) -> None:
    chat = await asked(tina, "LHR", "LGW")
    trip = await approved(world, tina, rita, chat)
    assert trip["status"] == "checking"
    assert "being confirmed" in (await chat.told())[-1]

    async def given_up() -> bool:
        return (await tina.trip(trip["trip_id"]))["status"] == "needs_person"

    await world.until(given_up, step=60)
    assert "needs a person" in (await chat.told())[-1]
    assert world.orders(live=False) == []
    assert await ledger(rita, trip) == [("book", "needs_person")]
    attempts = (await rita.get(f"/operations?trip_id={trip['trip_id']}"))["operations"][0]["attempts"]
    assert len(attempts) == 1


async def test_stn_lhr_does_not_answer_in_time_and_can_be_tried_again(world: World, tina: Person) -> None:
    chat = await asked(tina, "STN", "LHR")
    assert "did not answer in time" in (await chat.told())[-1]
    trip = await tina.answer((await chat.trip())["trip_id"], "resubmit")
    assert trip["status"] == "choosing"
    assert world.effects() == []


async def test_ltn_syd_gives_airline_credits_back_and_the_plan_says_so(world: World, tina: Person, rita: Person) -> None:
    chat = await asked(tina, "LTN", "SYD")
    trip = await approved(world, tina, rita, chat)
    assert trip["status"] == "booked"
    await tina.does(f"/trips/{trip['trip_id']}/cancellation", {"reason": "The fair is called off"})
    waiting = await tina.trip(trip["trip_id"])
    assert waiting["status"] == "waiting_review"
    review = await rita.review(waiting["review_id"])
    assert "credit" in " ".join(step["text"] for step in review["plan"]["steps"]).lower()
    await rita.decides(waiting["review_id"], "approve")
    await world.quiet()
    assert (await tina.trip(trip["trip_id"]))["status"] == "cancelled"
    assert world.effects() == ["book", "cancel"]
    assert world.orders() == []
