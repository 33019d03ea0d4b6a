"""The airline's answers get lost: what happened is found out and never sent twice; what cannot be found out asks a person."""

from __future__ import annotations

from collections import Counter

import pytest

from assistant.persistence.tables import claims, orders
from tests.stories.test_decisions import submitted
from tests.stories.ways_back import ticketed
from tests.stories.world import Json, Person, World

CREATE = {
    "timeout_after_apply": "booked",
    "reset_mid_body": "booked",
    "http_500_after_apply": "booked",
    "accepted_202_then_created": "booked",
    "ok_without_body": "booked",
    "visibility_lag": "booked",
    "503": "booked",
    "accepted_202_then_failed": "choosing",
    "timeout_before_apply": "needs_person",
}
PAY = {"timeout_after_apply": "booked", "ok_without_body": "booked", "429": "booked", "timeout_before_apply": "needs_person"}
CONFIRM = {"confirm_cancel_timeout_after_apply": "cancelled", "503": "cancelled", "timeout_before_apply": "needs_person"}
QUOTE = {"timeout_after_apply": "cancelled", "503": "cancelled"}


async def settled(world: World, person: Person, trip_id: str, *, most: int = 40) -> Json:
    """The trip once nothing is being found out any more; a minute passes between looks."""
    for _ in range(most):
        trip = await person.trip(trip_id)
        if trip["status"] not in {"settling", "checking", "ticketing"}:
            return trip
        await world.later(60)
    raise AssertionError(f"still {trip['status']}")


def each_effect_happened_once(world: World) -> bool:
    counts = Counter((entry["effect"], entry["order_id"]) for entry in world.airline.journal())
    return len(world.orders()) <= 1 and max(counts.values(), default=1) == 1


def fail(world: World, call: str, fault: str) -> None:
    world.airline.put_faults([{"match": {"op": call, "nth": 1}, "fault": fault}])


@pytest.mark.parametrize("fault", CREATE)
async def test_of_a_purchase(fault: str, world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    fail(world, "create", fault)
    await rita.decides(trip["review_id"], "approve")
    after = await settled(world, tina, trip["trip_id"])
    assert after["status"] == CREATE[fault]
    assert each_effect_happened_once(world)
    assert bool(world.orders()) is (after["status"] == "booked")


@pytest.mark.parametrize("fault", PAY)
async def test_of_a_payment(fault: str, world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    fail(world, "pay", fault)
    await rita.decides(trip["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == PAY[fault]
    assert each_effect_happened_once(world)


@pytest.mark.parametrize(("call", "fault"), [*(("confirm", f) for f in CONFIRM), *(("quote", f) for f in QUOTE)])
async def test_of_a_cancellation(call: str, fault: str, world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    await rita.decides(trip["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"
    fail(world, call, fault)
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    after = await settled(world, tina, trip["trip_id"])
    assert after["status"] == (CONFIRM | QUOTE)[fault]
    assert each_effect_happened_once(world)


async def test_a_hold_that_is_gone_when_it_is_to_be_paid_is_over_for_us_too(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    fail(world, "pay", "offer_gone")
    await rita.decides(trip["review_id"], "approve")
    again = await settled(world, tina, trip["trip_id"])
    assert again["status"] == "waiting_review"
    await rita.decides(again["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"
    assert world.effects() == ["hold", "lapse", "hold", "pay"]


async def test_a_hold_whose_release_cannot_be_found_out_is_over_once_it_ran_out(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    fail(world, "confirm", "timeout_before_apply")
    await rita.decides(trip["review_id"], "reject", message="Too dear")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    await world.later(4 * 24 * 3600)
    await world.quiet()
    assert (await tina.trip(trip["trip_id"]))["status"] == "rejected"
    assert world.effects() == ["hold", "lapse"]


async def test_a_hold_that_ran_out_before_it_was_found_keeps_nobody_from_its_flight(
    world: World, tina: Person, rita: Person
) -> None:
    fail(world, "create", "timeout_after_apply")
    _, trip, _ = await submitted(tina, can_hold=True)
    world.airline.advance(4 * 24 * 3600)
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "waiting_review"
    assert world.effects() == ["hold", "lapse", "hold"]
    (live,) = await world.rows(orders, state="held")
    assert {row.create_id for row in await world.rows(claims)} == {live.create_id}
    assert (await ticketed(tina, rita, trip))["status"] == "booked"
