"""A ticket is moved to another flight, and its traveller wants the old one: that is bought before anything is given up."""

from __future__ import annotations

from dataclasses import replace

from assistant.booking.sandbox.events import announce
from assistant.booking.sandbox.order_records import find_order, rewrite
from assistant.booking.sandbox.wire import flight_of, flight_row
from tests.stories.ways_back import booked, ticketed
from tests.stories.world import Json, Person, World


def renumbered(world: World, order_id: str) -> None:
    """The airline flies this order's passengers under another number, and sells the seats they had."""
    with world.airline._store.transaction():  # pyright: ignore[reportPrivateUsage]
        books = world.airline.books()
        order = find_order(books, order_id)
        old = flight_of(order.body["offer"]["flights"][0])
        now = flight_row(replace(old, number=str(int(old.number) + 1000)))
        rewrite(books, order_id, {**order.body, "offer": {**order.body["offer"], "flights": [now]}})
        books.store.run("DELETE FROM taken WHERE order_id = ?", order_id)
        told = {"id": order_id, "offer_id": order.offer.offer_id, "metadata": order.body["metadata"], "changes": []}
        announce(books, "order.airline_initiated_change_detected", told)


async def moved(world: World, tina: Person, rita: Person) -> Json:
    """A booked trip that has been told that its flight has another number."""
    _, trip = await booked(tina, rita, seats={})
    renumbered(world, trip["orders"][0]["order_id"])
    await world.quiet()
    await world.quiet()
    assert (await tina.trip(trip["trip_id"]))["status"] == "choosing"
    return trip


def option_of(trip: Json, flight: Json) -> int:
    """The option of a list that is this flight, in the same fare."""
    same = [o for o in trip["offers"] if o["fare"]["fare_brand"] == flight["fare_brand"]]
    numbers = {o["n"]: o["fare"]["segments"][0]["flight_number"] for o in same}
    return next(n for n, number in numbers.items() if number == flight["segments"][0]["flight_number"])


async def test_the_old_flight_is_booked_first_and_then_the_moved_ticket_is_given_up(
    world: World, tina: Person, rita: Person
) -> None:
    trip = await moved(world, tina, rita)
    before, was = len(world.effects()), world.orders()[0]["id"]
    listed = await tina.answer(trip["trip_id"], "change")
    again = await ticketed(tina, rita, await tina.choose(trip["trip_id"], option_of(listed, trip["chosen"]), seats={}))
    assert world.effects()[before:] == ["book", "cancel"]
    assert again["status"] == "booked"
    (order,) = world.orders()
    assert order["id"] != was
    assert [o["order_id"] for o in again["orders"] if o["state"] == "confirmed"] == [order["id"]]


async def test_where_the_moved_ticket_was_cancelled_the_old_flight_is_really_booked(
    world: World, tina: Person, rita: Person
) -> None:
    trip = await moved(world, tina, rita)
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    await ticketed(tina, rita, trip)
    assert world.orders() == []
    await tina.does(f"/trips/{trip['trip_id']}/revision", {"request": {"depart_on": "2026-12-11"}})
    listed = await tina.trip(trip["trip_id"])
    again = await ticketed(tina, rita, await tina.choose(trip["trip_id"], option_of(listed, trip["chosen"]), seats={}))
    assert (again["status"], len(world.orders())) == ("booked", 1)


async def test_a_moved_hold_is_held_again_and_that_one_is_paid(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    listed = await chat.trip()
    option = next(o for o in listed["offers"] if o["can_hold"])
    trip = await tina.choose(listed["trip_id"], option["n"], seats={})
    (was,) = world.orders()
    renumbered(world, was["id"])
    await world.quiet()
    await world.quiet()
    listed = await tina.answer(trip["trip_id"], "change")
    again = await ticketed(tina, rita, await tina.choose(trip["trip_id"], option_of(listed, option["fare"]), seats={}))
    assert again["status"] == "booked"
    (order,) = world.orders()
    assert order["id"] != was["id"]
    assert sorted(effect for effect in world.effects() if effect != "move") == ["cancel", "hold", "hold", "pay"]
