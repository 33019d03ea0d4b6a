"""Sequences a second reader of the core broke: changes behind a lost answer, four eyes gone around, cancellations asked again."""

from __future__ import annotations

from uuid import uuid4

import pytest

from assistant.domain.commands import Command, Kind
from assistant.persistence.tables import operations
from tests.stories.test_decisions import free_seat, submitted
from tests.stories.test_lost_answers import fail, settled
from tests.stories.ways_back import Walker, booked, newest, steps, ticketed, walker
from tests.stories.world import Person, World


@pytest.fixture
async def guide(world: World) -> Walker:
    """Rita, going back."""
    return await walker(world, "rita")


async def test_a_cancellation_accepted_before_the_payment_waits_for_its_outcome(
    world: World, tina: Person, rita: Person, guide: Walker
) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    review = await rita.review(trip["review_id"])
    fail(world, "pay", "timeout_before_apply")
    tina_herself = (await walker(world, "tina")).actor
    service, key = world.whole.service, str(uuid4())
    approve = {"type": "approve", "digest": review["digest"]}
    await service.accept(
        Command(command_id=str(uuid4()), kind=Kind.DECIDE, actor=guide.actor, target=review["review_id"], payload=approve)
    )
    await service.accept(Command(command_id=key, kind=Kind.CANCEL_TRIP, actor=tina_herself, target=trip["trip_id"]))
    await world.whole.dispatcher.idle()
    cancelled = await service.settled(tina_herself.tenant_id, key, wait=30)
    assert (cancelled.status, cancelled.error) == ("failed", {"code": "confirming"})
    assert "cancel" not in world.effects()
    assert (await tina.trip(trip["trip_id"]))["status"] == "checking"


async def test_going_back_over_an_unanswered_edit_still_asks_the_traveller(
    world: World, tina: Person, rita: Person, guide: Walker
) -> None:
    _, trip, chosen = await submitted(tina, can_hold=False, wish="I would like a window seat")
    other = await free_seat(tina, trip, chosen, "aisle")
    await rita.edits(trip["review_id"], {"seats": {"1": {"1": other}}})
    assert (await tina.trip(trip["trip_id"]))["status"] == "waiting_traveller"
    await guide.goes_back(trip["trip_id"], await newest(world, trip["trip_id"]))
    assert (await tina.trip(trip["trip_id"]))["status"] == "waiting_traveller"


async def test_a_rejected_cancellation_leaves_the_ticket_with_its_trip(world: World, tina: Person, rita: Person) -> None:
    _, trip = await booked(tina, rita)
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    waits = await tina.trip(trip["trip_id"])
    assert waits["other_live_bookings"] == []
    await rita.decides(waits["review_id"], "reject", message="You need this flight")
    after = await tina.trip(trip["trip_id"])
    assert (after["status"], after["orders"], after["other_live_bookings"]) == ("booked", trip["orders"], [])
    assert [s["designator"] for s in after["selection"]["seats"]] == trip["orders"][0]["seats"]


async def test_an_expired_cancellation_is_asked_again_as_a_cancellation(world: World, tina: Person, rita: Person) -> None:
    _, trip = await booked(tina, rita)
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    await world.later(25 * 3600)
    expired = await tina.trip(trip["trip_id"])
    assert expired["status"] == "expired"
    assert expired["reason"] == "The approval was not completed in time. Your option and seats are kept; you can submit again."
    again = await tina.answer(trip["trip_id"], "resubmit")
    plan = (await rita.review(again["review_id"]))["plan"]
    assert [step["kind"] for step in plan["steps"]] == ["cancel"]


async def test_a_booking_kept_beside_another_can_be_given_up_by_name(
    world: World, tina: Person, rita: Person, guide: Walker
) -> None:
    _, trip = await booked(tina, rita)
    choice = (await steps(world, trip["trip_id"], "choose"))[0]
    await guide.goes_back(trip["trip_id"], choice, {"offer": 2}, settle="keep_both")
    trip = await tina.trip(trip["trip_id"])
    if trip["status"] == "waiting_traveller":
        trip = await tina.answer(trip["trip_id"], "agree")
    raj = await world.person("raj")
    both = await ticketed(tina, raj, trip)
    assert len(world.orders()) == 2
    other = both["other_live_bookings"][0]["order_id"]
    assert (await tina.post(f"/trips/{trip['trip_id']}/cancellation", {"order_id": "ord_nobodys"})).status_code == 404
    await tina.does(f"/trips/{trip['trip_id']}/cancellation", {"order_id": other})
    waits = await tina.trip(trip["trip_id"])
    assert [s["kind"] for s in (await rita.review(waits["review_id"]))["plan"]["steps"]] == ["cancel"]
    await rita.decides(waits["review_id"], "approve")
    after = await tina.trip(trip["trip_id"])
    assert (after["status"], after["other_live_bookings"]) == ("booked", [])
    assert [o["id"] for o in world.orders()] == [both["orders"][0]["order_id"]]


async def test_an_operator_says_what_nobody_could_look_up(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    fail(world, "create", "timeout_before_apply")
    await rita.decides(trip["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    row = (await world.rows(operations, trip_id=trip["trip_id"]))[0]
    resolution = {"resolution": "not_booked", "reason": "The airline's desk says there is none"}
    assert (await tina.post(f"/operations/{row.operation_id}/resolution", resolution)).status_code == 403
    await rita.does(f"/operations/{row.operation_id}/resolution", resolution)
    await world.quiet()
    assert (await tina.trip(trip["trip_id"]))["status"] == "choosing"
    again = await tina.answer(trip["trip_id"], "resubmit")
    await rita.decides(again["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"
    assert len(world.orders()) == 1
