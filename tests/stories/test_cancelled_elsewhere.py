"""Somebody cancels at the airline, beside us: what we cancel then is cancelled, and we know it."""

from __future__ import annotations

import pytest

from assistant.booking.duffel import HEADERS
from assistant.domain.errors import OutcomeUnknown
from assistant.persistence.tables import orders as orders_table
from tests.stories.test_decisions import submitted
from tests.stories.test_lost_answers import settled
from tests.stories.ways_back import booked
from tests.stories.world import Person, World


async def cancelled_by_phone(world: World, order_id: str) -> None:
    async with world.airline.client() as airline:
        asked = await airline.post("/air/order_cancellations", json={"data": {"order_id": order_id}}, headers=HEADERS)
        path = f"/air/order_cancellations/{asked.json()['data']['id']}/actions/confirm"
        assert (await airline.post(path, json={"data": {}}, headers=HEADERS)).status_code == 200


async def test_a_ticket_cancelled_by_phone_can_be_cancelled_here_too(world: World, tina: Person, rita: Person) -> None:
    _, trip = await booked(tina, rita)
    await cancelled_by_phone(world, world.orders()[0]["id"])
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    assert (await tina.trip(trip["trip_id"]))["status"] == "cancelled"
    assert [row.state for row in await world.rows(orders_table)] == ["cancelled"]
    assert world.effects().count("cancel") == 1


async def test_one_cancelled_between_the_plan_and_its_approval_is_over(world: World, tina: Person, rita: Person) -> None:
    _, trip = await booked(tina, rita)
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    review_id = (await tina.trip(trip["trip_id"]))["review_id"]
    await cancelled_by_phone(world, world.orders()[0]["id"])
    await rita.decides(review_id, "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "cancelled"
    assert world.effects().count("cancel") == 1


@pytest.mark.parametrize("fault", ["503", "timeout_before_apply", "ok_without_body"])
async def test_one_cancelled_while_ours_is_under_way_is_found_out_and_not_taken_for_refused(
    fault: str, world: World, tina: Person
) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    order_id, airline = world.orders()[0]["id"], world.whole.desk.provider
    quote = await airline.quote_cancellation(order_id)
    await cancelled_by_phone(world, order_id)
    world.airline.put_faults([{"match": {"op": "get_cancellation"}, "fault": fault}])
    with pytest.raises(OutcomeUnknown):
        await airline.confirm_cancellation(quote.quote_id)
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "cancelled"
