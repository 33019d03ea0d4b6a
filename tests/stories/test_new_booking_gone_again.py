"""A ticket is given up for a new booking only while the airline has the new one: it may be cancelled there before it is found."""

from __future__ import annotations

from assistant.desk import Errand
from assistant.domain.errors import Reason
from assistant.domain.plans import Choice, Outcome, StepKind
from assistant.persistence.tables import operations, orders
from tests.stories.test_cancelled_elsewhere import cancelled_by_phone
from tests.stories.test_lost_answers import fail, settled
from tests.stories.test_unknown_outcomes import resolve
from tests.stories.ways_back import booked
from tests.stories.world import Json, Person, World


async def replaced(tina: Person, trip: Json, *, can_hold: bool) -> Json:
    """Another flight chosen for a booked trip, and submitted."""
    mine = trip["chosen"]["segments"][0]["flight_number"]
    other = (o for o in trip["offers"] if o["fare"]["segments"][0]["flight_number"] != mine and o["can_hold"] is can_hold)
    await tina.does(f"/trips/{trip['trip_id']}/revision", {"offer": next(other)["n"], "seats": {}})
    return await tina.trip(trip["trip_id"])


async def test_cancelled_by_phone_before_it_was_looked_up(world: World, tina: Person, rita: Person) -> None:
    _, trip = await booked(tina, rita, seats={})
    old = world.orders()[0]["id"]
    waiting = await replaced(tina, trip, can_hold=False)
    assert [step["kind"] for step in waiting["plan"]["steps"]] == ["book", "cancel"]
    fail(world, "create", "timeout_after_apply")
    await rita.decides(waiting["review_id"], "approve")
    await cancelled_by_phone(world, next(o["id"] for o in world.orders() if o["id"] != old))
    after = await settled(world, tina, trip["trip_id"])
    assert [o["id"] for o in world.orders()] == [old]
    assert world.effects() == ["book", "book", "cancel"]  # and the one cancellation was made by phone
    assert after["status"] == "waiting_review"
    assert after["review_id"] != waiting["review_id"]
    assert [step["kind"] for step in after["plan"]["steps"]] == ["book", "cancel"]
    await rita.decides(after["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert world.effects() == ["book", "book", "cancel", "book", "cancel"]
    assert [o["id"] == old for o in world.orders()] == [False]


async def test_adopted_by_a_person_who_did_not_see_that_it_was_cancelled(world: World, tina: Person, rita: Person) -> None:
    _, trip = await booked(tina, rita, seats={})
    old = world.orders()[0]["id"]
    waiting = await replaced(tina, trip, can_hold=False)
    world.airline.put_faults(
        [{"match": {"op": "create", "nth": 1}, "fault": "timeout_after_apply"}, {"match": {"op": "find_orders"}, "fault": "503"}]
    )
    await rita.decides(waiting["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    new = next(o["id"] for o in world.orders() if o["id"] != old)
    await cancelled_by_phone(world, new)
    (lost,) = await world.rows(operations, state="needs_person")
    assert (await resolve(rita, lost.operation_id, "adopt", order_id=new))[0] == 200
    world.airline.put_faults([])
    await world.later(600)
    after = await settled(world, tina, trip["trip_id"])
    assert after["status"] == "waiting_review"
    assert [o["id"] for o in world.orders()] == [old]


async def test_what_is_kept_instead_of_another_is_there(world: World, tina: Person, rita: Person) -> None:
    _, trip = await booked(tina, rita)
    desk, (order,) = world.whole.desk, await world.rows(orders)
    errand = Errand(order.tenant_id, "", trip["trip_id"], "a run")
    (kept,) = (await desk.preview(errand, None, Choice.AS_IS)).steps
    assert kept.kind is StepKind.KEEP
    assert await desk.carry_out(errand, kept) is Outcome.SUCCEEDED
    await cancelled_by_phone(world, order.order_id)
    await desk.read_order(order.order_id)
    assert await desk.carry_out(errand, kept) is Outcome.FAILED
    assert await desk.reason_of(kept.operation_id) == Reason.ORDER_LAPSED
