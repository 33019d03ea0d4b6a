"""What operators say of a late order stays with it, one word at a time, and its history tells only what happened."""

from __future__ import annotations

import pytest

from assistant.persistence.tables import orders
from tests.stories.test_unknown_outcomes import HOUR, closed_and_late, resolve, surplus
from tests.stories.test_unknown_outcomes_listed import buttons, listed
from tests.stories.world import Json, Person, World

ASKED_BY = {"zh": "Rita要求取消", "en": "Rita asks to cancel"}


async def asked(world: World, operator: Person, operation_id: str, word: str) -> None:
    assert (await resolve(operator, operation_id, word))[0] == 200
    for _ in range(3):
        await world.quiet()


def written(case: Json, part: str = "facts") -> str:
    return "\n".join(each["text"] for each in case[part])


@pytest.mark.parametrize(("first", "then", "status"), [("adopt", "cancel", "booked"), ("cancel", "adopt", "waiting_review")])
async def test_of_two_operators_at_once_the_second_is_told_who_was_faster(
    world: World, tina: Person, rita: Person, first: str, then: str, status: str
) -> None:
    _, trip, operation_id, order_id = await surplus(world, tina, rita)
    raj = await world.person("raj")
    assert (await resolve(rita, operation_id, first))[0] == 200
    code, body = await resolve(raj, operation_id, then, order_id=order_id)
    assert (code, body["code"]) == (409, "already_decided")
    assert "Rita" in body["detail"]
    for _ in range(3):
        await world.quiet()
    assert (await tina.trip(trip["trip_id"]))["status"] == status


async def test_what_was_taken_in_keeps_what_was_said_of_it_and_nothing_is_made_up(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip, operation_id, _ = await surplus(world, tina, rita)
    raj = await world.person("raj")
    await asked(world, raj, operation_id, "cancel")
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "reject", message="Keep it")
    await world.quiet()
    (case,) = await listed(rita)
    assert case["case_id"] != operation_id
    assert [said["text"].split()[0].rstrip(":,") for said in case["said"]] == ["Rita", "Raj"]
    assert "Sent to the airline; no clear answer came" in written(case)
    assert "Sent to the airline; done" not in written(case)
    assert written(case).count("Booking was allowed") == 1
    assert "next at" not in written(case)


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_rejected_give_back_of_what_a_cancelled_trip_was_left_with_stays_listed(
    world: World, tina: Person, language: str
) -> None:
    rita, raj = await world.person("rita"), await world.person("raj", language)
    chat, trip, operation_id = await closed_and_late(world, tina, rita)
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    assert (await tina.trip(trip["trip_id"]))["status"] == "cancelled"
    await world.later(HOUR)
    await world.until(lambda: world.rows(orders, state="surplus"), step=60)
    await asked(world, rita, operation_id, "adopt")
    (case,) = await listed(rita)
    assert (case["kind"], buttons(case)) == ("unwanted", ["adopt", "cancel"])
    await asked(world, rita, case["case_id"], "cancel")
    review = await raj.review((await tina.trip(trip["trip_id"]))["review_id"])
    assert ASKED_BY[language] in review["sentence"]
    before = len(await chat.told())
    await raj.decides(review["review_id"], "reject", message="The guest wants to fly after all")
    await world.quiet()
    after = await tina.trip(trip["trip_id"])
    assert (after["status"], len(after["other_live_bookings"])) == ("cancelled", 1)
    told = "\n".join((await chat.told())[before:])
    assert "is booked:" not in told
    assert "was rejected by Raj" in told
    (again,) = await listed(rita)
    assert (again["case_id"], again["kind"]) == (case["case_id"], "unwanted")
    assert world.effects() == ["book"]
    await asked(world, raj, case["case_id"], "cancel")
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "approve")
    await world.quiet()
    assert ((await tina.trip(trip["trip_id"]))["status"], world.orders()) == ("cancelled", [])
