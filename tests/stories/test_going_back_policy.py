"""What policy asks of going back: a second reviewer, an explicit yes near departure, and nothing but keeping after it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assistant.domain.commands import Kind
from tests.stories.ways_back import booked, branches_of, cheap_seats, newest, picks, steps, ticketed, walker
from tests.stories.world import Json, World, opened


@pytest.fixture
async def careful(data_dir: Path) -> AsyncIterator[World]:
    """Going back may not cost a reviewer more than 100 CNY on their word alone."""
    rules = data_dir / "policy.toml"
    rules.write_text("[rewind]\nfour_eyes_over.CNY = 100\n")
    async with opened(data_dir, policy=rules) as world:
        yield world


async def rebooked_by_rita(world: World) -> Json:
    """A ticket, and rita's correction of its seat that gives it up for another."""
    tina, rita, guide = await world.person("tina"), await world.person("rita"), await walker(world, "rita")
    _, trip = await booked(tina, rita)
    wants = next(seat for seat in await cheap_seats(tina, trip, 1) if seat != trip["orders"][0]["seats"][0])
    choice, correction = (await steps(world, trip["trip_id"], "choose"))[0], {"seats": {"1": {"1": wants}}}
    preview = await guide.previews(trip["trip_id"], choice, correction, "rebook")
    assert preview.plan is not None
    assert preview.plan.net is not None
    assert preview.review
    await guide.goes_back(trip["trip_id"], choice, correction, settle="rebook")
    now = await tina.trip(trip["trip_id"])
    return await tina.answer(trip["trip_id"], "agree") if now["status"] == "waiting_traveller" else now


async def test_at_a_great_loss_somebody_else_has_to_approve(careful: World) -> None:
    trip = await rebooked_by_rita(careful)
    tina, rita, raj = [await careful.person(name) for name in ("tina", "rita", "raj")]
    review = await rita.review(trip["review_id"])
    answer = await rita.post(f"/reviews/{trip['review_id']}/decision", {"type": "approve", "digest": review["digest"]})
    assert (answer.status_code, answer.json()["code"]) == (403, "four_eyes")
    now = await ticketed(tina, raj, trip)
    assert now["status"] == "booked"
    assert careful.effects()[-2:] == ["cancel", "book"]


async def test_a_question_back_and_the_same_again_does_not_free_who_went_back(careful: World) -> None:
    trip = await rebooked_by_rita(careful)
    tina, rita, raj = [await careful.person(name) for name in ("tina", "rita", "raj")]
    await raj.decides(trip["review_id"], "respond", message="Is it worth it?")
    desk = await tina.post(f"/trips/{trip['trip_id']}/answer", {"answer": "ask", "message": "Hold on, do not buy yet"})
    assert (desk.status_code, desk.json()["code"]) == (409, "nothing_moved")  # asking is no way to submit, nor past four eyes
    assert (await tina.trip(trip["trip_id"]))["question"]["node"] == "choose"
    again = await tina.answer(trip["trip_id"], "resubmit", message="Yes, it is")
    again = await tina.answer(trip["trip_id"], "agree") if again["status"] == "waiting_traveller" else again
    await careful.later(25 * 3600)  # nobody decides in time
    expired = await tina.trip(trip["trip_id"])
    assert expired["status"] == "expired"
    asked = await tina.answer(trip["trip_id"], "resubmit")
    review = await rita.review(asked["review_id"])
    answer = await rita.post(f"/reviews/{asked['review_id']}/decision", {"type": "approve", "digest": review["digest"]})
    assert (answer.status_code, answer.json()["code"]) == (403, "four_eyes")
    assert (await ticketed(tina, raj, asked))["status"] == "booked"


async def test_the_limit_holds_for_another_date_too_whoever_chooses_the_flight(careful: World) -> None:
    tina, rita, raj = [await careful.person(name) for name in ("tina", "rita", "raj")]
    guide = await walker(careful, "rita")
    _, trip = await booked(tina, rita)
    await guide.goes_back(trip["trip_id"], (await steps(careful, trip["trip_id"], "start"))[0], {"depart_on": "2026-12-12"})
    waits = await picks(tina, await tina.trip(trip["trip_id"]))
    review = await rita.review(waits["review_id"])
    assert [s["kind"] for s in review["plan"]["steps"]][-1] == "cancel"
    answer = await rita.post(f"/reviews/{waits['review_id']}/decision", {"type": "approve", "digest": review["digest"]})
    assert (answer.status_code, answer.json()["code"]) == (403, "four_eyes")
    assert (await ticketed(tina, raj, waits))["status"] == "booked"
    assert [o["flights"][0][-10:] for o in careful.orders()] == ["2026-12-12"]


async def test_the_preview_of_a_promotion_says_what_going_back_would_say(careful: World) -> None:
    """The money, who must agree, that another reviewer is needed, that the day before an explicit yes is."""
    tina, rita, raj = [await careful.person(name) for name in ("tina", "rita", "raj")]
    guide = await walker(careful, "rita")
    _, trip = await booked(tina, rita)
    wants = next(seat for seat in await cheap_seats(tina, trip, 1) if seat != trip["orders"][0]["seats"][0])
    choice = (await steps(careful, trip["trip_id"], "choose"))[0]
    await guide.goes_back(trip["trip_id"], choice, {"seats": {"1": {"1": wants}}}, settle="rebook")
    now = await tina.trip(trip["trip_id"])
    now = await tina.answer(trip["trip_id"], "agree") if now["status"] == "waiting_traveller" else now
    second = await ticketed(tina, raj, now)
    assert second["status"] == "booked"
    first = (await branches_of(careful, trip["trip_id"]))[0].branch_id
    effects, path = careful.effects(), f"/threads/{trip['trip_id']}/branches/{first}/promote"
    answer = await rita.client.post(f"/api/v1{path}/preview", json={"settle": "rebook"})
    shown = answer.json()
    assert answer.status_code == 200, answer.text
    assert [s["kind"] for s in shown["plan"]["steps"]] == ["cancel", "book"]
    assert shown["plan"]["net"]
    assert (shown["allowed"], shown["review"], shown["another"], shown["confirm_needed"]) == (True, True, True, False)
    assert [o["order_id"] for o in shown["orders"]] == [second["orders"][-1]["order_id"]]
    assert shown["leaves"]
    assert careful.effects() == effects
    await careful.later(10.5 * 24 * 3600)
    near = (await rita.client.post(f"/api/v1{path}/preview", json={"settle": "rebook"})).json()
    assert near["confirm_needed"]
    body = {"seen_version": await newest(careful, trip["trip_id"]), "reason": "That was better", "settle": "keep"}
    refused = await rita.post(path, body)
    assert (refused.status_code, refused.json()["code"]) == (409, "confirm_needed")
    assert (await rita.does(path, body | {"confirm": True}))["status"] == "succeeded"
    assert careful.effects() == effects
    assert len(careful.orders()) == 1


async def test_without_a_limit_who_goes_back_may_approve(world: World) -> None:
    trip = await rebooked_by_rita(world)
    now = await ticketed(await world.person("tina"), await world.person("rita"), trip)
    assert now["status"] == "booked"


async def test_within_a_day_of_departure_an_explicit_yes_is_needed_and_afterwards_only_keeping_is_left(world: World) -> None:
    tina, guide = await world.person("tina"), await walker(world, "rita")
    _, trip = await booked(tina, await world.person("rita"))
    choice = (await steps(world, trip["trip_id"], "choose"))[0]
    await world.later(10.5 * 24 * 3600)
    near = {"to_version": choice, "seen_version": await newest(world, trip["trip_id"]), "reason": "x"}
    assert (await guide.previews(trip["trip_id"], choice)).confirm
    assert await guide.is_refused(Kind.REWIND, trip["trip_id"], **near) == "confirm_needed"
    assert (await guide.gives(Kind.REWIND, trip["trip_id"], **near, confirm=True)).status == "succeeded"
    await world.later(2 * 24 * 3600)
    late = near | {"seen_version": await newest(world, trip["trip_id"]), "confirm": True}
    preview = await guide.previews(trip["trip_id"], choice)
    assert (preview.allowed, preview.why) == (False, "departed")
    assert await guide.is_refused(Kind.REWIND, trip["trip_id"], **late) == "departed"
    assert (await guide.gives(Kind.REWIND, trip["trip_id"], **late, settle="keep")).status == "succeeded"
    assert (await tina.trip(trip["trip_id"]))["orders"] == trip["orders"]


async def test_after_departure_no_other_branch_is_promoted_either(world: World) -> None:
    tina, guide = await world.person("tina"), await walker(world, "rita")
    _, trip = await booked(tina, await world.person("rita"))
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "choose"))[0])
    await world.later(13 * 24 * 3600)
    old = (await branches_of(world, trip["trip_id"]))[0].branch_id
    seen = await newest(world, trip["trip_id"])
    code = await guide.is_refused(Kind.PROMOTE_BRANCH, trip["trip_id"], branch_id=old, seen_version=seen, reason="x")
    assert code == "departed"
