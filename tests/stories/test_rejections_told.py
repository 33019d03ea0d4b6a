"""A reviewer's reason reaches the traveller, whatever was rejected: a cancellation, a change, a way back, one booking of two."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from tests.stories.ways_back import booked, picks, steps, ticketed, walker
from tests.stories.world import Json, Person, World

TO_TOKYO = {"en": "From Shanghai to Tokyo on 11 December", "zh": "12月11日从上海飞东京"}
WHY = "the fair opens on Friday"
SAID = {
    "cancellation": {"en": "Cancelling", "zh": "的申请被驳回了（Rita）"},
    "change": {"en": "The change of", "zh": "的改动被驳回了（Rita）"},
}
ON_THE_CARD = {
    "cancellation": {"en": "The cancellation was not approved", "zh": "取消没有获批"},
    "change": {"en": "The change was not approved", "zh": "改动没有获批"},
}


@pytest.fixture(params=["en", "zh"])
async def tina(request: pytest.FixtureRequest, world: World) -> Person:
    return await world.person("tina", request.param)


async def wants_it_cancelled(world: World, tina: Person, trip: Json) -> None:
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")


async def wants_another_flight(world: World, tina: Person, trip: Json) -> None:
    mine = trip["chosen"]["segments"][0]["flight_number"]
    other = next(o["n"] for o in trip["offers"] if o["fare"]["segments"][0]["flight_number"] != mine)
    await tina.does(f"/trips/{trip['trip_id']}/revision", {"offer": other})


async def goes_back_to_another(world: World, tina: Person, trip: Json) -> None:
    guide = await walker(world, "tina")
    mine = trip["chosen"]["segments"][0]["flight_number"]
    other = next(o["n"] for o in trip["offers"] if o["fare"]["segments"][0]["flight_number"] != mine)
    (choice, *_) = await steps(world, trip["trip_id"], "choose")
    await guide.goes_back(trip["trip_id"], choice, {"offer": other})


@pytest.mark.parametrize(
    ("asks", "of"),
    [(wants_it_cancelled, "cancellation"), (wants_another_flight, "change"), (goes_back_to_another, "change")],
)
async def test_a_rejection_that_leaves_a_trip_booked_is_told_with_its_reason(
    asks: Callable[[World, Person, Json], Awaitable[None]], of: str, world: World, tina: Person, rita: Person
) -> None:
    chat, trip = await booked(tina, rita, TO_TOKYO[tina.language])
    effects, before = world.effects(), len(await chat.told())
    await asks(world, tina, trip)
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "reject", message=WHY)
    await world.later(5)
    told = [text for text in (await chat.told())[before:] if WHY in text]
    assert len(told) == 1, await chat.told()
    assert SAID[of][tina.language] in told[0]
    assert "Rita" in told[0]
    assert trip["orders"][0]["booking_reference"] in told[0]
    card = await tina.trip(trip["trip_id"])
    assert (card["status"], card["message"], card["decided_by"]) == ("booked", WHY, "Rita")
    assert ON_THE_CARD[of][tina.language] in card["reason"]
    assert set(world.effects()[len(effects) :]) <= {"hold", "cancel"}  # of what was held for the change
    assert len(world.orders()) == 1


async def test_where_one_of_two_bookings_was_to_go_the_reason_is_told_with_the_choice(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip = await booked(tina, rita, TO_TOKYO[tina.language])
    await wants_another_flight(world, tina, trip)
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "respond", message="Both?")
    order = trip["orders"][0]["order_id"]
    await tina.does(f"/trips/{trip['trip_id']}/cancellation", {"order_id": order, "keep_choice": True})
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "reject", message=WHY)
    card = await tina.trip(trip["trip_id"])
    assert (card["status"], card["message"]) == ("choosing", WHY)
    assert "Rita" in (last := (await chat.told())[-1])
    assert WHY in last


async def test_rejected_once_more_it_is_told_once_more_with_the_reason_of_now(world: World, tina: Person, rita: Person) -> None:
    chat, trip = await booked(tina, rita, TO_TOKYO[tina.language])
    for why in ("the fair opens on Friday", "the fair is still on", "the fair is still on"):
        before = len(await chat.told())
        await wants_it_cancelled(world, tina, trip)
        await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "reject", message=why)
        assert len([text for text in (await chat.told())[before:] if why in text]) == 1, await chat.told()
        card = await tina.trip(trip["trip_id"])
        assert (card["status"], card["message"]) == ("booked", why)
        assert ON_THE_CARD["cancellation"][tina.language] in card["reason"]


STILL_LIVE = {"en": "The cancellation was not approved; that booking is still live", "zh": "取消没有获批，那张订单仍然有效"}


async def test_a_trip_whose_own_booking_is_not_made_yet_is_still_undecided_when_the_old_one_may_not_go(
    world: World, tina: Person, rita: Person
) -> None:
    chat, trip = await booked(tina, rita, TO_TOKYO[tina.language])
    guide = await walker(world, "rita")
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "start"))[0], {"depart_on": "2026-12-14"})
    order = trip["orders"][0]["order_id"]
    chosen = await picks(tina, await tina.trip(trip["trip_id"]))
    await rita.decides(chosen["review_id"], "respond", message="Both?")
    await tina.does(f"/trips/{trip['trip_id']}/cancellation", {"order_id": order})
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "reject", message=WHY)
    card = await tina.trip(trip["trip_id"])
    assert (card["status"], card["message"], card["orders"]) == ("choosing", WHY, [])
    assert [o["order_id"] for o in card["other_live_bookings"]] == [order]
    told = (await chat.told())[-1]
    assert STILL_LIVE[tina.language] in told
    assert WHY in told
    assert (await tina.answer(trip["trip_id"], "resubmit"))["status"] == "waiting_review"


async def test_where_nothing_is_chosen_yet_the_reason_is_told_with_the_list(world: World, tina: Person, rita: Person) -> None:
    chat, trip = await booked(tina, rita, TO_TOKYO[tina.language])
    guide = await walker(world, "rita")
    (choice, *_) = await steps(world, trip["trip_id"], "choose")
    await guide.goes_back(trip["trip_id"], choice, {"offer": 2}, settle="keep_both")
    await tina.answer(trip["trip_id"], "agree")
    await ticketed(tina, await world.person("raj"), trip)
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "start"))[0], {"depart_on": "2026-12-14"})
    await tina.does(f"/trips/{trip['trip_id']}/cancellation", {"order_id": trip["orders"][0]["order_id"]})
    await rita.decides((await tina.trip(trip["trip_id"]))["review_id"], "reject", message=WHY)
    card = await tina.trip(trip["trip_id"])
    assert (card["status"], len(card["other_live_bookings"]), bool(card["offers"])) == ("choosing", 2, True)
    told = (await chat.told())[-1]
    assert STILL_LIVE[tina.language] in told
    assert WHY in told
    assert (await tina.choose(trip["trip_id"]))["status"] == "waiting_review"
