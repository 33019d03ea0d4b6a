"""What policy asks of going back: a second reviewer, an explicit yes near departure, and nothing but keeping after it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assistant.domain.commands import Kind
from tests.stories.ways_back import booked, branches_of, cheap_seats, newest, steps, ticketed, walker
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
