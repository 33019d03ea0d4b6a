"""Whoever is named while a choice is kept flies: on the card, in the review and at the airline."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.stories.test_decisions import free_seat, submitted
from tests.stories.test_lost_answers import fail, settled
from tests.stories.test_moved_flights import moved
from tests.stories.world import Json, Person, World, seats_at_airline

WEI = {
    "given_name": "Wei", "family_name": "Zhao", "native_name": "赵伟", "title": "mr", "gender": "m", "born_on": "1988-03-04",
    "email": "wei.zhao@example.com", "phone": "+8613800000321",
}  # fmt: skip


async def named(person: Person, trip_id: str, *details: Json) -> Json:
    """The trip, once these travel on it."""
    ids = [(await person.does("/people", each))["result"]["person_id"] for each in details]
    await person.does(f"/trips/{trip_id}/passengers", {"passengers": ids})
    return await person.trip(trip_id)


async def asked_again(world: World, tina: Person, rita: Person) -> tuple[Json, dict[str, str]]:
    """Back at its choice after the airline did not make the booking; with the seats that were chosen."""
    _, trip, _ = await submitted(tina, can_hold=False, wish="I always want a window seat")
    fail(world, "create", "accepted_202_then_failed")
    await rita.decides(trip["review_id"], "approve")
    trip = await settled(world, tina, trip["trip_id"])
    assert trip["status"] == "choosing"
    return trip, trip["passengers"][0]["seats"]


def on_card(trip: Json) -> list[str]:
    return [each["name"] for each in trip["passengers"]]


async def reviewed(rita: Person, trip: Json) -> list[str]:
    return on_card((await rita.review(trip["review_id"]))["trip"])


async def test_submitted_again_it_is_for_whom_was_named_in_the_same_seat(world: World, tina: Person, rita: Person) -> None:
    trip, seats = await asked_again(world, tina, rita)
    renamed = await named(tina, trip["trip_id"], WEI)
    assert (on_card(renamed), renamed["passengers"][0]["seats"]) == (["Wei Zhao"], seats)
    again = await tina.answer(trip["trip_id"], "resubmit")
    assert await reviewed(rita, again) == on_card(again) == ["Wei Zhao"]
    await rita.decides(again["review_id"], "approve")
    await world.later(5)
    assert list(seats_at_airline(world.orders()[0]).items()) == [("Wei Zhao", next(iter(seats.values())))]


async def test_back_at_the_list_whom_was_named_stays_named_and_is_chosen_for(world: World, tina: Person, rita: Person) -> None:
    trip, _ = await asked_again(world, tina, rita)
    await named(tina, trip["trip_id"], WEI)
    listed = await tina.answer(trip["trip_id"], "change")
    assert on_card(listed) == ["Wei Zhao"]
    again = await tina.choose(trip["trip_id"])
    assert await reviewed(rita, again) == ["Wei Zhao"]


async def test_other_seats_of_a_choice_that_is_kept_are_for_whom_was_named(world: World, tina: Person, rita: Person) -> None:
    trip, _ = await asked_again(world, tina, rita)
    await named(tina, trip["trip_id"], WEI)
    listed = await tina.answer(trip["trip_id"], "change")
    seat = await free_seat(tina, listed, listed["offers"][0], "aisle")
    await tina.does(f"/trips/{trip['trip_id']}/revision", {"offer": listed["offers"][0]["n"], "seats": {"1": {"1": seat}}})
    again = await tina.trip(trip["trip_id"])
    assert (await reviewed(rita, again), list(again["passengers"][0]["seats"].values())) == (["Wei Zhao"], [seat])


async def test_a_seat_held_for_one_is_given_back_and_held_for_whom_was_named(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True, wish="I always want a window seat")
    seats = trip["passengers"][0]["seats"]
    assert list(seats_at_airline(world.orders()[0])) == ["Ting Chen"]
    await world.later(25 * 3600)
    assert (await tina.trip(trip["trip_id"]))["status"] == "expired"
    await named(tina, trip["trip_id"], WEI)
    again = await tina.answer(trip["trip_id"], "resubmit")
    assert await reviewed(rita, again) == ["Wei Zhao"]
    await rita.decides(again["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert [seats_at_airline(order) for order in world.orders()] == [{"Wei Zhao": next(iter(seats.values()))}]


@pytest.mark.parametrize(
    ("details", "code"),
    [((WEI,), "passengers_missing"), ((WEI, WEI | {"given_name": "Bao", "born_on": "2020-01-01"}), "ages_differ")],
)
async def test_too_few_or_a_child_in_an_adults_place_are_not_submitted(
    details: tuple[Json, ...], code: str, world: World, tina: Person, rita: Person
) -> None:
    chat = await tina.chat()
    await chat.say("Two adults from Shanghai to Tokyo on 11 December")
    both = [await tina.me(), await tina.companion()]
    trip = await tina.choose((await chat.trip())["trip_id"], passengers=both)
    await rita.decides(trip["review_id"], "respond", message="Who flies?")
    await named(tina, trip["trip_id"], *details)
    refused = await tina.post(f"/trips/{trip['trip_id']}/answer", {"answer": "resubmit"})
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert (await tina.trip(trip["trip_id"]))["status"] == "choosing"


@pytest.mark.parametrize(
    ("language", "why"), [("en", "details were changed after this was submitted"), ("zh", "提交之后乘机人资料改过了")]
)
async def test_a_name_corrected_while_it_waits_is_said_and_submitted_again_as_it_is_now(
    language: str, why: str, world: World, rita: Person
) -> None:
    tina = await world.person("tina", language)
    _, trip, _ = await submitted(tina, can_hold=False, wish="I always want a window seat")
    answer = await tina.client.patch(
        f"/api/v1/people/{await tina.me()}", json={"given_name": "Tingting"}, headers={"idempotency-key": str(uuid4())}
    )
    assert answer.status_code == 200, answer.text
    await rita.decides(trip["review_id"], "approve")
    back = await tina.trip(trip["trip_id"])
    assert back["status"] == "choosing"
    assert why in back["reason"]
    again = await tina.answer(trip["trip_id"], "resubmit")
    await rita.decides(again["review_id"], "approve")
    await world.later(5)
    assert list(seats_at_airline(world.orders()[0])) == ["Tingting Chen"]


async def test_a_ticket_stays_with_those_it_was_bought_for(world: World, tina: Person, rita: Person) -> None:
    _, trip = await moved(world, tina, rita)
    wei = (await tina.does("/people", WEI))["result"]["person_id"]
    refused = await tina.post(f"/trips/{trip['trip_id']}/passengers", {"passengers": [wei]})
    assert (refused.status_code, refused.json()["code"]) == (409, "ticket_named")
    await tina.answer(trip["trip_id"], "resubmit")
    assert on_card(await tina.trip(trip["trip_id"])) == ["Ting Chen"]
