"""Between yes and booked: offers run out, prices move, seats cannot be held, purchases are paused."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

from assistant.domain.commands import Command, Kind
from assistant.domain.people import Actor, Role
from tests.stories.test_decisions import submitted
from tests.stories.world import Person, World, proposed, seats_at_airline

HALF_AN_HOUR = 31 * 60
WISH = "I would like a window seat"


async def test_where_nothing_can_be_held_it_is_said_and_flight_and_seat_are_bought_on_approval(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip, chosen = await submitted(tina, can_hold=False, wish=WISH)
    assert trip["held_until"] is None
    assert "held" in (await chat.told())[-1]
    assert "checked again" in (await chat.told())[-1]
    assert world.effects() == []
    await rita.decides(trip["review_id"], "approve")
    assert world.effects() == ["book"]
    await world.later(5)
    assert seats_at_airline(world.orders()[0]) == {"Ting Chen": proposed(chosen)[0]}


async def test_an_offer_that_has_run_out_is_found_again_and_bought_within_the_approved_bound(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    approved = (await rita.review(trip["review_id"]))["plan"]["net"]
    await world.later(HALF_AN_HOUR)
    world.airline.put_faults([])
    await rita.decides(trip["review_id"], "approve")
    await world.later(5)
    after = await tina.trip(trip["trip_id"])
    if after["status"] == "waiting_review":  # it is dearer today
        assert Decimal(after["plan"]["net"]["amount"]) > Decimal(approved["amount"])
        assert world.effects() == []
        await rita.decides(after["review_id"], "approve")
        await world.later(5)
        after = await tina.trip(trip["trip_id"])
    assert after["status"] == "booked"
    assert Decimal(world.orders()[0]["total_amount"]) <= Decimal(approved["amount"])


async def test_a_dearer_price_at_approval_is_reviewed_again_with_the_difference(world: World, tina: Person, rita: Person) -> None:
    chat, trip, _ = await submitted(tina, can_hold=False)
    before = Decimal((await rita.review(trip["review_id"]))["plan"]["net"]["amount"])
    await world.later(HALF_AN_HOUR)
    world.airline.put_faults([{"match": {"op": "price", "nth": 1}, "fault": "price_bump", "amount": "25.00"}])
    await rita.decides(trip["review_id"], "approve")
    again = await tina.trip(trip["trip_id"])
    assert again["status"] == "waiting_review"
    assert again["review_id"] != trip["review_id"]
    now = Decimal((await rita.review(again["review_id"]))["plan"]["net"]["amount"])
    assert now > before
    assert f"{now:,}" in "".join(await chat.told())
    assert world.effects() == []


async def test_a_held_fare_is_bought_at_its_guaranteed_price(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    held = world.orders()[0]["total_amount"]
    await world.later(HALF_AN_HOUR)
    await rita.decides(trip["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert world.orders()[0]["total_amount"] == held
    assert world.effects() == ["hold", "pay"]


async def test_a_hold_that_lapsed_before_the_approval_is_not_paid(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    world.airline.put_faults([{"match": {"op": "pay"}, "fault": "offer_gone"}])
    await rita.decides(trip["review_id"], "approve")
    await world.quiet()
    after = await tina.trip(trip["trip_id"])
    assert after["status"] in {"waiting_review", "choosing"}
    assert "pay" not in world.effects()
    ledger = (await rita.get(f"/operations?trip_id={trip['trip_id']}"))["operations"]
    assert [op["state"] for op in ledger if op["attempts"] and op["kind"] == "pay"] == ["failed"]


async def test_a_seat_taken_meanwhile_is_replaced_by_the_next_best_and_reviewed(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False, wish=WISH)
    world.airline.put_faults([{"match": {"op": "create", "nth": 1}, "fault": "seat_stolen"}])
    await rita.decides(trip["review_id"], "approve")
    await world.quiet()
    after = await tina.trip(trip["trip_id"])
    assert after["status"] in {"waiting_review", "waiting_traveller"}
    assert world.orders() == []


async def test_paused_purchases_are_refused_until_resumed(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    boss = Actor(tenant_id="demo", user_id="boss", name="Boss", roles=(Role.ADMIN,))

    async def give(kind: Kind) -> None:
        await world.whole.service.accept(Command(command_id=str(uuid4()), kind=kind, actor=boss, target="", payload={}))

    await give(Kind.PAUSE)
    digest = (await rita.review(trip["review_id"]))["digest"]
    answer = await rita.post(f"/reviews/{trip['review_id']}/decision", {"type": "approve", "digest": digest})
    assert (answer.status_code, answer.json()["code"]) == (409, "paused")
    assert world.effects() == []
    await give(Kind.RESUME)
    await rita.decides(trip["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"


async def test_one_passenger_is_not_booked_twice_on_one_flight(world: World, tina: Person, rita: Person) -> None:
    _, first, chosen = await submitted(tina, can_hold=False)
    await rita.decides(first["review_id"], "approve")
    await world.later(5)
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    trip = await chat.trip()
    flights = [s["flight_number"] for s in chosen["fare"]["segments"]]
    same = next(o for o in trip["offers"] if [s["flight_number"] for s in o["fare"]["segments"]] == flights)
    again = await tina.choose(trip["trip_id"], same["n"])
    assert again["status"] == "choosing"
    assert "already" in again["reason"]
    assert len(world.orders()) == 1
