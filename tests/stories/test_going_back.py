"""A reviewer goes back in a trip: what is corrected, what is settled at the airline, and what stays as it was."""

from __future__ import annotations

import asyncio

import pytest

from assistant.domain.commands import Kind
from assistant.domain.errors import CommandRefused
from assistant.domain.plans import Choice
from assistant.persistence.tables import commands
from tests.stories.test_decisions import submitted
from tests.stories.ways_back import (
    TO_TOKYO,
    Walker,
    booked,
    branches_of,
    cheap_seats,
    ledger_of,
    newest,
    picks,
    steps,
    ticketed,
    waiting,
    walker,
)
from tests.stories.world import Json, Person, World, seats_at_airline


@pytest.fixture
async def guide(world: World) -> Walker:
    """Rita, going back."""
    return await walker(world, "rita")


async def other_seat(tina: Person, trip: Json) -> tuple[str, str]:
    """The seat booked, and another free one on the same flight at the same price."""
    sits = trip["orders"][0]["seats"][0]
    return sits, next(seat for seat in await cheap_seats(tina, trip, 1) if seat != sits)


async def test_gone_back_without_a_change_the_same_order_stands_and_nothing_is_asked(
    world: World, tina: Person, rita: Person, guide: Walker
) -> None:
    _, trip = await booked(tina, rita)
    before, choice = world.effects(), (await steps(world, trip["trip_id"], "choose"))[0]
    receipt = await guide.goes_back(trip["trip_id"], choice)
    again = await tina.trip(trip["trip_id"])
    assert receipt.status == "succeeded"
    assert (again["status"], again["orders"]) == ("booked", trip["orders"])
    assert world.effects() == before
    assert await rita.inbox() == []


@pytest.mark.parametrize("settle", [None, "by_hand", "rebook"])
async def test_another_seat_on_the_same_flight_is_kept_asked_for_or_booked_anew(
    world: World, tina: Person, rita: Person, guide: Walker, settle: str | None
) -> None:
    _, trip = await booked(tina, rita)
    sits, wants = await other_seat(tina, trip)
    choice, correction = (await steps(world, trip["trip_id"], "choose"))[0], {"seats": {"1": {"1": wants}}}
    effects = world.effects()
    preview = await guide.previews(trip["trip_id"], choice, correction, settle)
    assert preview.plan is not None
    assert [c.id for c in preview.plan.choices] == [Choice.KEEP, Choice.BY_HAND, Choice.REBOOK]
    assert preview.allowed
    assert world.effects() == effects
    await guide.goes_back(trip["trip_id"], choice, correction, settle=settle)
    now = await ticketed(tina, rita, await agreed(tina, trip))
    expected = {"rebook": ("booked", wants), "by_hand": ("needs_person", sits), None: ("booked", sits)}[settle]
    assert (now["status"], now["orders"][-1]["seats"][0]) == expected
    assert [s["designator"] for s in now["selection"]["seats"]] == [sits if settle is None else wants]
    assert len(world.orders()) == 1
    assert seats_at_airline(world.orders()[0]) == {"Ting Chen": expected[1]}
    assert len(world.effects()) == len(effects) + (
        3 if settle == "rebook" and "hold" in effects else 2 if settle == "rebook" else 0
    )


async def agreed(tina: Person, trip: Json) -> Json:
    """The traveller says yes where they are asked."""
    trip = await tina.trip(trip["trip_id"])
    return await tina.answer(trip["trip_id"], "agree") if trip["status"] == "waiting_traveller" else trip


async def to_the_twelfth(world: World, guide: Walker, trip: Json, settle: str | None = None) -> None:
    start = (await steps(world, trip["trip_id"], "start"))[0]
    await guide.goes_back(trip["trip_id"], start, {"depart_on": "2026-12-12"}, settle=settle)


async def test_to_another_date_it_books_first_and_then_cancels(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    _, trip = await booked(tina, rita)
    effects = world.effects()
    await to_the_twelfth(world, guide, trip)
    listed = await tina.trip(trip["trip_id"])
    assert listed["status"] == "choosing"
    assert [o["order_id"] for o in listed["other_live_bookings"]] == [trip["orders"][0]["order_id"]]
    waits = await picks(tina, listed)
    kinds = [step["kind"] for step in (await rita.review(waits["review_id"]))["plan"]["steps"]]
    assert kinds[-1] == "cancel"
    now = await ticketed(tina, rita, waits)
    assert now["status"] == "booked"
    assert world.effects()[len(effects) :][-1] == "cancel"
    assert [f["flights"][0][-10:] for f in world.orders()] == ["2026-12-12"]


async def test_to_another_date_both_can_be_kept(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    _, trip = await booked(tina, rita)
    await to_the_twelfth(world, guide, trip, settle="keep_both")
    listed = await tina.trip(trip["trip_id"])
    waits = await picks(tina, listed)
    kinds = [step["kind"] for step in (await rita.review(waits["review_id"]))["plan"]["steps"]]
    assert kinds[-1] == "leave"
    now = await ticketed(tina, rita, waits)
    assert now["status"] == "booked"
    assert "cancel" not in world.effects()
    assert len(world.orders()) == 2
    assert len(now["other_live_bookings"]) == 1


async def test_while_the_outcome_is_unknown_going_back_is_refused_and_afterwards_allowed(
    world: World, tina: Person, rita: Person, guide: Walker
) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    world.airline.put_faults([{"match": {"op": "create", "nth": 1}, "fault": "timeout_after_apply"}])
    await rita.decides(trip["review_id"], "approve")
    assert (await tina.trip(trip["trip_id"]))["status"] == "checking"
    choice = (await steps(world, trip["trip_id"], "choose"))[0]
    preview = await guide.previews(trip["trip_id"], choice)
    assert (preview.allowed, preview.why) == (False, "confirming")
    version = await newest(world, trip["trip_id"])
    assert (
        await guide.is_refused(Kind.REWIND, trip["trip_id"], to_version=choice, seen_version=version, reason="x") == "confirming"
    )
    await world.until(lambda: is_booked(tina, trip))
    effects = world.effects()
    await guide.goes_back(trip["trip_id"], choice)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert world.effects() == effects


async def is_booked(tina: Person, trip: Json) -> bool:
    return (await tina.trip(trip["trip_id"]))["status"] == "booked"


async def test_of_two_reviewers_who_go_back_at_once_one_does(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    raj, choice, seen = (
        await walker(world, "raj"),
        (await steps(world, trip["trip_id"], "choose"))[0],
        await newest(world, trip["trip_id"]),
    )
    both = await asyncio.gather(
        *(each.goes_back(trip["trip_id"], choice, seen_version=seen) for each in (guide, raj)), return_exceptions=True
    )
    lost = [r for r in both if isinstance(r, CommandRefused)]
    assert [r.code for r in lost] in (["busy"], ["version_moved"])
    assert len(await branches_of(world, trip["trip_id"])) == 2
    assert len(await world.rows(commands, kind="rewind")) == 1
    assert len(await rita.inbox()) == 1


async def test_one_way_back_sent_twice_is_one_branch(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    choice, seen = (await steps(world, trip["trip_id"], "choose"))[0], await newest(world, trip["trip_id"])
    key = "5c6a3a4e-7f3a-4a1a-9f0e-0c7f7f1f1f1f"
    first = await guide.goes_back(trip["trip_id"], choice, seen_version=seen, key=key)
    second = await guide.goes_back(trip["trip_id"], choice, seen_version=seen, key=key)
    assert first.result == second.result
    assert len(await branches_of(world, trip["trip_id"])) == 2


async def test_what_cannot_be_gone_back_to_is_refused_and_nothing_changes(
    world: World, tina: Person, rita: Person, guide: Walker
) -> None:
    chat, trip, _ = await submitted(tina, can_hold=False)
    trip_id, before = trip["trip_id"], await newest(world, trip["trip_id"])
    choice = (await steps(world, trip_id, "choose"))[0]
    looked = (await steps(world, trip_id, "search"))[0]
    wrong = {
        "not_found": {"to_version": 999},
        "version_moved": {"to_version": choice, "seen_version": before - 1},
        "invalid": {"to_version": choice, "corrections": {"seat": "3C"}},
        "not_correctable": {"to_version": looked},
        "no_such_option": {"to_version": choice, "corrections": {"offer": 77}},
        "no_such_seat": {"to_version": choice, "corrections": {"seats": {"1": {"1": "99Z"}}}},
    }
    for code, payload in wrong.items():
        said = {"seen_version": before, "reason": "x", **payload}
        assert await guide.is_refused(Kind.REWIND, trip_id, **said) == code
    good = {"to_version": choice, "seen_version": before, "reason": "x"}
    for stranger in ("tom", "olga", "oscar"):
        assert await (await walker(world, stranger)).is_refused(Kind.REWIND, trip_id, **good) == "not_found"
    assert await newest(world, trip_id) == before
    assert (await waiting(world, trip_id)).question_id == trip["review_id"]
    assert await world.rows(commands, kind="rewind") == []
    assert (await tina.trip(trip_id)) == trip
    await rita.decides(trip["review_id"], "approve")
    assert len(await chat.trips()) == 1


async def test_a_traveller_goes_back_in_their_own_trip(world: World, tina: Person, rita: Person) -> None:
    _, trip, chosen = await submitted(tina, can_hold=False)
    other = next(o["n"] for o in trip["offers"] if o["n"] != chosen["n"])
    choice = (await steps(world, trip["trip_id"], "choose"))[0]
    await (await walker(world, "tina")).goes_back(trip["trip_id"], choice, {"offer": other})
    now = await tina.trip(trip["trip_id"])
    assert now["status"] == "waiting_review"
    assert now["review_id"] != trip["review_id"]
    assert now["chosen"] != trip["chosen"]
    late = await rita.post(f"/reviews/{trip['review_id']}/decision", {"type": "approve", "digest": "0" * 64})
    assert late.status_code == 409


async def test_during_a_run_nobody_goes_back(world: World, tina: Person, rita: Person, guide: Walker) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    choice, seen = (await steps(world, trip["trip_id"], "choose"))[0], await newest(world, trip["trip_id"])
    digest = (await rita.review(trip["review_id"]))["digest"]
    deciding = asyncio.create_task(rita.post(f"/reviews/{trip['review_id']}/decision", {"type": "approve", "digest": digest}))
    await world.accepted("decide")
    code = await guide.is_refused(Kind.REWIND, trip["trip_id"], to_version=choice, seen_version=seen, reason="x")
    assert code in {"busy", "confirming"}
    assert (await deciding).status_code == 200


async def test_the_list_can_be_narrowed_where_it_was_made(world: World, tina: Person, guide: Walker) -> None:
    chat = await tina.chat()
    await chat.say(TO_TOKYO)
    trip = await chat.trip()
    listed = (await steps(world, trip["trip_id"], "shortlist"))[0]
    await guide.goes_back(trip["trip_id"], listed, {"exclude": [1]})
    now = await tina.trip(trip["trip_id"])
    assert now["status"] == "choosing"
    assert len(now["offers"]) == len(trip["offers"]) - 1
    assert now["offers"][0]["fare"] == trip["offers"][1]["fare"]
    assert await ledger_of(world, trip["trip_id"]) == []
