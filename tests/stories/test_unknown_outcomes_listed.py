"""The operators' list over the real product: who sees what, what is known of it, and what comes of each button."""

from __future__ import annotations

from assistant.persistence.tables import orders
from tests.stories.test_decisions import submitted
from tests.stories.test_lost_answers import settled
from tests.stories.test_unknown_outcomes import HOUR, resolve, surplus, unknown
from tests.stories.ways_back import booked, steps, ticketed, walker
from tests.stories.world import Json, Person, World


async def listed(person: Person) -> list[Json]:
    return (await person.get("/operations/cases"))["cases"]


def buttons(case: Json) -> list[str]:
    return [action["resolution"] for action in case["actions"]]


async def test_an_outcome_nobody_knows_is_listed_with_what_was_allowed_sent_and_looked_up(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip, operation_id = await unknown(world, tina, rita, {"fault": "timeout_before_apply"})
    before = (await rita.get("/me/changes"))["inbox"]
    (case,) = await listed(rita)
    assert (case["case_id"], case["kind"], case["trip_id"]) == (operation_id, "looking", trip["trip_id"])
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    assert (await rita.get("/me/changes"))["inbox"] > before
    (case,) = await listed(rita)
    assert (case["kind"], buttons(case)) == ("unsure", ["adopt", "not_booked", "cancel"])
    texts = [fact["text"] for fact in case["facts"]]
    assert "Booking was allowed by Rita" in texts[0]
    assert texts[1] == "Sent to the airline; no clear answer came"
    assert texts[-1].startswith("Looked up 8 times")
    oscar = await world.person("oscar")
    assert await listed(oscar) == []
    assert (await tina.client.get("/api/v1/operations/cases")).status_code == 403


async def test_what_an_operator_named_wrongly_is_told_and_another_can_be_named(world: World, tina: Person, rita: Person) -> None:
    _, trip, operation_id = await unknown(world, tina, rita, {"fault": "accepted_202_then_created", "seconds": 2 * HOUR})
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    assert (await resolve(rita, operation_id, "adopt", order_id="ord_not_there"))[0] == 200
    await world.quiet()
    (case,) = await listed(rita)
    assert "The airline knows no booking ord_not_there" in " ".join(fact["text"] for fact in case["facts"])
    assert [said["text"][:4] for said in case["said"]] == ["Rita"]
    world.airline.advance(2 * HOUR)
    (order,) = world.orders()
    raj = await world.person("raj")
    assert (await resolve(raj, operation_id, "adopt", order_id=order["id"]))[0] == 200
    await world.quiet()
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"
    assert await listed(rita) == []


async def test_a_wrong_name_does_not_keep_the_order_from_being_found(world: World, tina: Person, rita: Person) -> None:
    _, trip, operation_id = await unknown(world, tina, rita, {"fault": "accepted_202_then_created", "seconds": 2 * HOUR})
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    assert (await resolve(rita, operation_id, "adopt", order_id="ord_not_there"))[0] == 200

    async def found() -> bool:
        return (await tina.trip(trip["trip_id"]))["status"] == "booked"

    await world.until(found, step=300)


async def test_a_late_order_is_listed_as_surplus_until_it_is_adopted(world: World, tina: Person, rita: Person) -> None:
    _, _, operation_id, order_id = await surplus(world, tina, rita)
    (case,) = await listed(rita)
    assert (case["case_id"], case["kind"], buttons(case)) == (operation_id, "late", ["adopt", "cancel"])
    assert (case["order"]["order_id"], case["order_state"]) == (order_id, "surplus, to be settled")
    assert "mark as not done" in case["said"][0]["text"]
    assert (await resolve(rita, operation_id, "not_booked"))[1]["code"] == "already_decided"
    raj = await world.person("raj")
    assert (await resolve(raj, operation_id, "adopt"))[0] == 200
    await world.quiet()
    await world.quiet()
    assert await listed(rita) == []


async def test_a_hold_that_comes_late_is_given_back_at_once(world: World, tina: Person, rita: Person) -> None:
    lag: Json = {"match": {"op": "create", "nth": 1}, "fault": "accepted_202_then_created", "seconds": HOUR}
    world.airline.put_faults([lag, {"match": {"op": "webhook"}, "fault": "webhook_drop"}])
    _, trip, _ = await submitted(tina, can_hold=True)
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    (case,) = await listed(rita)
    assert (await resolve(rita, case["case_id"], "not_booked"))[0] == 200
    await world.later(HOUR)
    await world.until(lambda: world.rows(orders, state="surplus"), step=60)
    assert (await resolve(rita, case["case_id"], "cancel"))[0] == 200
    await world.quiet()
    await world.quiet()
    after = await tina.trip(trip["trip_id"])
    assert (after["status"], after["review_id"]) == ("choosing", None)
    assert world.orders() == []
    assert await rita.inbox() == []


async def test_a_booking_no_trip_wants_is_listed_and_cancelled_with_a_review(world: World, tina: Person, rita: Person) -> None:
    guide, raj = await walker(world, "rita"), await world.person("raj")
    _, trip = await booked(tina, rita)
    choice = (await steps(world, trip["trip_id"], "choose"))[0]
    await guide.goes_back(trip["trip_id"], choice, {"offer": 2}, settle="keep_both")
    trip = await tina.trip(trip["trip_id"])
    if trip["status"] == "waiting_traveller":
        trip = await tina.answer(trip["trip_id"], "agree")
    both = await ticketed(tina, raj, trip)
    (case,) = await listed(rita)
    other = both["other_live_bookings"][0]["order_id"]
    assert (case["kind"], case["order"]["order_id"], buttons(case)) == ("unwanted", other, ["cancel"])
    kept = (await world.rows(orders, order_id=both["orders"][0]["order_id"]))[0]
    assert (await resolve(rita, kept.create_id, "cancel"))[1]["code"] == "already_settled"
    assert (await resolve(rita, case["case_id"], "cancel"))[0] == 200
    await world.quiet()
    review = (await tina.trip(trip["trip_id"]))["review_id"]
    await raj.decides(review, "approve")  # whoever went back does not approve the loss alone
    await world.quiet()
    after = await tina.trip(trip["trip_id"])
    assert (after["status"], after["other_live_bookings"]) == ("booked", [])
    assert await listed(rita) == []


async def test_a_payment_nobody_could_find_out_is_marked_as_not_paid_and_tried_again(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip, _ = await submitted(tina, can_hold=True)
    world.airline.put_faults([{"match": {"op": "pay", "nth": 1}, "fault": "timeout_before_apply"}])
    await rita.decides(trip["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    (case,) = await listed(rita)
    assert (await resolve(rita, case["case_id"], "not_booked"))[0] == 200
    await world.quiet()
    assert "The airline did not do it" in (await chat.told())[-1]
    again = await tina.answer(trip["trip_id"], "resubmit")
    await rita.decides(again["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "booked"
    assert world.effects() == ["hold", "pay"]


async def test_a_cancellation_nobody_could_find_out_is_not_cancelled_twice(world: World, tina: Person, rita: Person) -> None:
    _, trip = await booked(tina, rita)
    world.airline.put_faults([{"match": {"op": "confirm", "nth": 1}, "fault": "timeout_before_apply"}])
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "needs_person"
    (case,) = await listed(rita)
    assert buttons(case) == ["adopt", "not_booked"]
    assert (await resolve(rita, case["case_id"], "cancel"))[1]["code"] == "already_cancelling"
    assert (await resolve(rita, case["case_id"], "not_booked"))[0] == 200
    await world.quiet()
    await tina.answer(trip["trip_id"], "resubmit")
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    assert (await settled(world, tina, trip["trip_id"]))["status"] == "cancelled"
    assert world.effects().count("cancel") == 1
