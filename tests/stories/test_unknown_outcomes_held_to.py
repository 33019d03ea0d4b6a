"""What an operator says of an unknown outcome is held to what the airline has, and to who may say it when."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.booking.duffel_sending import order_body
from assistant.booking.provider import OrderPassenger, OrderRequest
from assistant.desk import Errand
from assistant.domain.plans import Itinerary
from assistant.persistence.tables import operations, orders, trips
from assistant.shopping import request_for
from tests.stories.test_decisions import submitted
from tests.stories.test_lost_answers import settled
from tests.stories.test_unknown_outcomes import HOUR, create_of, resolve, surplus, unknown, waits
from tests.stories.test_unknown_outcomes_listed import buttons, listed
from tests.stories.world import Json, Person, World

IN_AN_HOUR: Json = {"fault": "accepted_202_then_created", "seconds": 2 * HOUR}
NOT_ADOPTED = {
    "other_price": {"en": "costs another amount than was ordered", "zh": "金额与提交的不同"},
    "other_kind": {"en": "is a hold where a paid booking was ordered", "zh": "付款状态与这一步不符"},
}


async def bought_by_hand(world: World, row: Any, *, cabin: str, kind: str = "instant", operation_id: str | None = None) -> str:
    """Somebody calls the airline for the same passengers and flights; nothing of ours is written on it, if not the id of an
    operation. Its id."""
    itinerary = Itinerary.model_validate(row.itinerary).model_copy(update={"cabin": cabin})
    desk = world.whole.desk
    (trip,) = await world.rows(trips, trip_id=row.trip_id)
    people = await desk.reading.details(Errand(row.tenant_id, trip.owner_id, row.trip_id, ""), itinerary.passenger_ids)
    sold = await desk.provider.search(request_for(itinerary, (None,)))
    found = next(o for o in sold if o.fare.segment_keys == itinerary.segment_keys and (kind != "hold" or o.fare.holdable))
    request = OrderRequest(
        kind="hold" if kind == "hold" else "instant",
        offer_id=found.offer_id,
        passengers=tuple(OrderPassenger(ref=r, details=p) for r, p in zip(found.passenger_refs, people, strict=True)),
        total=found.fare.total,
        operation_id="",
    )
    body = order_body(request) | {"metadata": {"operation_id": operation_id} if operation_id else {}}
    async with world.airline.client() as client:
        answer = await client.post("/air/orders", json={"data": body}, headers={"Duffel-Version": "v2"})
    assert answer.status_code == 201, answer.text
    return answer.json()["data"]["id"]


async def not_known(world: World, person: Person, rita: Person) -> tuple[Json, Any]:
    """Nobody knows whether it was booked; the trip, and the operation."""
    _, trip, operation_id = await unknown(world, person, rita, IN_AN_HOUR)
    assert (await settled(world, person, trip["trip_id"]))["status"] == "needs_person"
    (row,) = await world.rows(operations, operation_id=operation_id)
    return trip, row


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_an_order_of_another_price_is_not_adopted_and_it_is_said_why(world: World, tina: Person, language: str) -> None:
    rita = await world.person("rita", language)
    trip, row = await not_known(world, tina, rita)
    other = await bought_by_hand(world, row, cabin="business")
    assert (await resolve(rita, row.operation_id, "adopt", order_id=other))[0] == 200
    await world.quiet()
    assert (await tina.trip(trip["trip_id"]))["status"] == "needs_person"
    assert await world.rows(orders) == []
    (case,) = await listed(rita)
    assert NOT_ADOPTED["other_price"][language] in " ".join(fact["text"] for fact in case["facts"])


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_paid_order_is_not_adopted_for_a_hold(world: World, tina: Person, language: str) -> None:
    rita = await world.person("rita", language)
    lag: Json = {"match": {"op": "create", "nth": 1}} | IN_AN_HOUR
    world.airline.put_faults([lag, {"match": {"op": "webhook"}, "fault": "webhook_drop"}])
    _, trip, _ = await submitted(tina, can_hold=True)
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    (row,) = await world.rows(operations, trip_id=trip["trip_id"], kind="hold")
    other = await bought_by_hand(world, row, cabin=row.itinerary["cabin"])
    assert (await resolve(rita, row.operation_id, "adopt", order_id=other))[0] == 200
    await world.quiet()
    assert await world.rows(orders) == []
    (case,) = await listed(rita)
    assert NOT_ADOPTED["other_kind"][language] in " ".join(fact["text"] for fact in case["facts"])


async def test_the_order_that_names_our_operation_wins_over_one_an_operator_names(
    world: World, tina: Person, rita: Person
) -> None:
    trip, row = await not_known(world, tina, rita)
    other = await bought_by_hand(world, row, cabin="business")
    world.airline.advance(2 * HOUR)
    (ours,) = [o["id"] for o in world.orders() if o["metadata"].get("operation_id") == row.operation_id]
    assert (await resolve(rita, row.operation_id, "adopt", order_id=other))[0] == 200
    await world.quiet()
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"
    assert [o.order_id for o in await world.rows(orders)] == [ours]


@pytest.mark.parametrize(("language", "says"), [("zh", "还在向航司查询"), ("en", "The airline is still being asked")])
async def test_what_the_airline_has_not_answered_for_yet_is_not_marked_as_not_done(
    world: World, tina: Person, language: str, says: str
) -> None:
    rita = await world.person("rita", language)
    _, trip = await waits(tina)
    silent = [{"match": {"op": op}, "fault": "503"} for op in ("find_orders", "get_order")]
    lost: Json = {"match": {"op": "create", "nth": 1}, "fault": "timeout_after_apply"}
    world.airline.put_faults([lost, *silent, {"match": {"op": "webhook"}, "fault": "webhook_drop"}])
    await rita.decides(trip["review_id"], "approve")
    operation_id = await create_of(world, trip)
    await world.later(3)
    status, body = await resolve(rita, operation_id, "not_booked")
    assert (status, body["code"]) == (409, "not_looked_up")
    assert says in body["detail"]
    world.airline.put_faults([])
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"
    assert world.effects() == ["book"]


async def test_once_the_airline_has_answered_with_nothing_it_can_be_marked_and_is_looked_for_on(
    world: World, tina: Person, rita: Person
) -> None:
    _, _, operation_id = await unknown(world, tina, rita, {"fault": "accepted_202_then_created", "seconds": HOUR})
    await world.later(3)
    (row,) = await world.rows(operations, operation_id=operation_id)
    assert row.state == "unknown"
    assert (await resolve(rita, operation_id, "not_booked"))[0] == 200
    await world.later(HOUR)
    await world.until(lambda: world.rows(orders, state="surplus"), step=60)
    assert world.effects() == ["book"]


@pytest.mark.parametrize("word", ["adopt", "not_booked", "cancel"])
async def test_nobody_settles_what_became_of_their_own_trip(world: World, rita: Person, word: str) -> None:
    raj = await world.person("raj")
    _, row = await not_known(world, rita, raj)
    status, body = await resolve(rita, row.operation_id, word, order_id="ord_any")
    assert (status, body["code"]) == (403, "own_trip")
    assert await world.rows(operations, operation_id=row.operation_id) == [row]
    (mine,), (case,) = await listed(rita), await listed(raj)
    assert (buttons(mine), mine["own"]) == ([], True)
    assert (buttons(case), case["own"]) == (["adopt", "not_booked", "cancel"], False)


async def test_a_booking_whose_ticket_is_on_its_ordinary_way_is_no_case(world: World, tina: Person, rita: Person) -> None:
    _, trip = await waits(tina)
    await rita.decides(trip["review_id"], "approve")
    (order,) = await world.rows(orders, trip_id=trip["trip_id"])
    assert order.state == "ticketing"
    for word in ("adopt", "cancel"):
        status, body = await resolve(rita, order.create_id, word)
        assert (status, body["code"]) == (409, "not_overdue")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"


async def test_a_cancellation_that_was_rejected_can_be_asked_for_again(world: World, tina: Person, rita: Person) -> None:
    chat, trip, operation_id, order_id = await surplus(world, tina, rita)
    raj = await world.person("raj")
    assert (await resolve(rita, operation_id, "cancel"))[0] == 200
    await world.quiet()
    await world.quiet()
    asked = await tina.trip(trip["trip_id"])
    await raj.decides(asked["review_id"], "reject", message="The guest wants to fly after all")
    await world.quiet()

    after = await tina.trip(trip["trip_id"])
    (other,) = after["other_live_bookings"]
    assert (after["status"], after["selection"], other["order_id"]) == ("choosing", trip["selection"], order_id)
    assert other["booking_reference"] in "\n".join((await chat.told())[-3:])
    (case,) = await listed(rita)
    assert (case["kind"], buttons(case)) == ("unwanted", ["adopt", "cancel"])
    (order,) = await world.rows(orders, order_id=order_id)
    assert not order.aside

    assert (await resolve(rita, case["case_id"], "cancel"))[0] == 200
    assert (await resolve(rita, case["case_id"], "cancel"))[1]["code"] == "already_decided"
    await world.quiet()
    await world.quiet()
    again = await tina.trip(trip["trip_id"])
    assert again["status"] == "waiting_review"
    await raj.decides(again["review_id"], "reject", message="No")
    await world.quiet()
    assert (await resolve(rita, case["case_id"], "cancel"))[0] == 200
    await world.quiet()
    await world.quiet()
    await raj.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    await world.quiet()
    assert world.effects() == ["book", "cancel"]


async def test_a_late_order_whose_cancellation_was_rejected_is_reminded_of_and_can_be_adopted(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip, operation_id, order_id = await surplus(world, tina, rita)
    assert (await resolve(rita, operation_id, "cancel"))[0] == 200
    await world.quiet()
    await world.quiet()
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "reject", message="Keep it")
    await world.quiet()
    before = len(await chat.told())
    await world.later(25 * HOUR)
    await world.quiet()
    assert len(await chat.told()) > before
    (case,) = await listed(rita)
    assert (await resolve(rita, case["case_id"], "adopt"))[0] == 200
    await world.quiet()
    await world.quiet()
    after = await settled(world, tina, trip["trip_id"])
    assert (after["status"], [o["order_id"] for o in after["orders"]]) == ("booked", [order_id])
    assert world.effects() == ["book"]
