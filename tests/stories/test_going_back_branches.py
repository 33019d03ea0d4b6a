"""Lines of a history: an abandoned one is read, compared, and made the main line again."""

from __future__ import annotations

from assistant.domain.commands import Kind
from assistant.domain.plans import Choice, StepKind
from tests.stories.test_decisions import submitted
from tests.stories.ways_back import booked, branches_of, cheap_seats, newest, picks, steps, ticketed, walker
from tests.stories.world import Json, Person, World, seats_at_airline


async def test_two_lines_are_compared_in_what_people_understand(world: World, tina: Person, rita: Person) -> None:
    guide = await walker(world, "rita")
    _, trip, _ = await submitted(tina, can_hold=False)
    other = next(o["n"] for o in trip["offers"] if o["fare"]["segments"] != trip["chosen"]["segments"])
    choice = (await steps(world, trip["trip_id"], "choose"))[0]
    await guide.goes_back(trip["trip_id"], choice, {"offer": other}, reason="An earlier flight")
    old, new = await branches_of(world, trip["trip_id"])
    assert (old.status, new.status, new.reason, new.forked_from_version) == ("abandoned", "main", "An earlier flight", choice)
    compared = await rita.get(f"/threads/{trip['trip_id']}/compare?a={old.branch_id}&b={new.branch_id}")
    assert compared["differences"]
    page = await rita.get(f"/threads/{trip['trip_id']}/versions")
    lines = {row["branch_id"]: row["main"] for row in page["versions"] if row["version"] > choice}
    assert lines == {old.branch_id: False, new.branch_id: True}


async def test_an_abandoned_line_with_a_review_is_made_the_main_one_and_decided(world: World, tina: Person, rita: Person) -> None:
    guide = await walker(world, "rita")
    _, trip, _ = await submitted(tina, can_hold=False)
    choice = (await steps(world, trip["trip_id"], "start"))[0]
    await guide.goes_back(trip["trip_id"], choice, {"depart_on": "2026-12-12"})
    assert await rita.inbox() == []
    old = (await branches_of(world, trip["trip_id"]))[0]
    preview = await world.whole.service.going_back.promote_preview(
        guide.actor, trip["trip_id"], branch_id=old.branch_id, settle=None
    )
    assert preview.allowed
    await guide.promotes(trip["trip_id"], old.branch_id)
    again = await tina.trip(trip["trip_id"])
    assert (again["status"], again["selection"]) == ("waiting_review", trip["selection"])
    assert again["review_id"] != trip["review_id"]
    assert (await ticketed(tina, rita, again))["status"] == "booked"
    code = await guide.is_refused(
        Kind.PROMOTE_BRANCH,
        trip["trip_id"],
        branch_id=old.branch_id,
        seen_version=await newest(world, trip["trip_id"]),
        reason="x",
    )
    assert code == "already_main"


async def test_promoting_the_line_of_the_first_ticket_gives_the_second_up(world: World, tina: Person, rita: Person) -> None:
    guide = await walker(world, "rita")
    _, trip = await booked(tina, rita)
    await guide.goes_back(
        trip["trip_id"], (await steps(world, trip["trip_id"], "start"))[0], {"depart_on": "2026-12-12"}, settle="keep_both"
    )
    both = await ticketed(tina, rita, await picks(tina, await tina.trip(trip["trip_id"])))
    assert (both["status"], len(world.orders())) == ("booked", 2)
    old = (await branches_of(world, trip["trip_id"]))[0]
    await guide.promotes(trip["trip_id"], old.branch_id)
    asked = await tina.trip(trip["trip_id"])
    asked = await tina.answer(trip["trip_id"], "agree") if asked["status"] == "waiting_traveller" else asked
    now = await ticketed(tina, await world.person("raj"), asked)
    assert now["status"] == "booked"
    assert [o["id"] for o in world.orders()] == [trip["orders"][0]["order_id"]]


async def both_kept(world: World, tina: Person, rita: Person) -> tuple[Json, str]:
    """A ticket of the 12th on the main line, the first one kept beside it; and another seat on the flight of the first."""
    guide = await walker(world, "rita")
    _, trip = await booked(tina, rita)
    other = (await cheap_seats(tina, trip, 1))[0]
    (start,) = await steps(world, trip["trip_id"], "start")
    await guide.goes_back(trip["trip_id"], start, {"depart_on": "2026-12-12"}, settle="keep_both")
    await ticketed(tina, rita, await picks(tina, await tina.trip(trip["trip_id"])))
    assert len(world.orders()) == 2
    return trip, other


async def test_another_seat_on_the_flight_kept_beside_takes_that_ticket_back_as_it_is(
    world: World, tina: Person, rita: Person
) -> None:
    trip, other = await both_kept(world, tina, rita)
    guide, choice, effects = await walker(world, "rita"), (await steps(world, trip["trip_id"], "choose"))[0], world.effects()
    seats = {"seats": {"1": {"1": other}}}
    plan = (await guide.previews(trip["trip_id"], choice, seats)).plan
    assert plan is not None
    assert plan.chosen is Choice.KEEP
    assert [s.kind for s in plan.steps] == [StepKind.KEEP, StepKind.LEAVE]
    await guide.goes_back(trip["trip_id"], choice, seats)
    asked = await tina.trip(trip["trip_id"])
    now = await tina.answer(trip["trip_id"], "agree") if asked["status"] == "waiting_traveller" else asked
    now = await ticketed(tina, await world.person("raj"), now)
    assert (now["status"], len(now["other_live_bookings"])) == ("booked", 1)
    assert [o["order_id"] for o in now["orders"]] == [o["order_id"] for o in trip["orders"]]
    assert world.effects() == effects


async def test_another_seat_on_the_flight_kept_beside_gives_that_ticket_up_before_it_buys(
    world: World, tina: Person, rita: Person
) -> None:
    trip, other = await both_kept(world, tina, rita)
    guide, choice, effects = await walker(world, "rita"), (await steps(world, trip["trip_id"], "choose"))[0], world.effects()
    await guide.goes_back(trip["trip_id"], choice, {"seats": {"1": {"1": other}}}, settle="rebook")
    asked = await tina.trip(trip["trip_id"])
    asked = await tina.answer(trip["trip_id"], "agree") if asked["status"] == "waiting_traveller" else asked
    assert (await ticketed(tina, await world.person("raj"), asked))["status"] == "booked"
    assert world.effects() == [*effects, "cancel", "book", "cancel"]
    assert [list(seats_at_airline(o).values()) for o in world.orders()] == [[other]]


async def test_what_was_made_worse_and_is_not_answered_stays_as_it_was(world: World, tina: Person, rita: Person) -> None:
    guide = await walker(world, "rita")
    _, trip = await booked(tina, rita)
    choice, effects = (await steps(world, trip["trip_id"], "choose"))[0], world.effects()
    await guide.goes_back(trip["trip_id"], choice, {"offer": 2})
    assert (await tina.trip(trip["trip_id"]))["status"] == "waiting_traveller"
    await world.later(25 * 3600)
    now = await tina.trip(trip["trip_id"])
    assert (now["status"], now["orders"], now["selection"]) == ("booked", trip["orders"], trip["selection"])
    assert world.effects() == effects
    assert await rita.inbox() == []


async def test_who_is_asked_to_agree_reads_which_ticket_goes_and_what_comes_back(
    world: World, tina: Person, rita: Person
) -> None:
    guide = await walker(world, "rita")
    chat, trip = await booked(tina, rita)
    await guide.goes_back(trip["trip_id"], (await steps(world, trip["trip_id"], "choose"))[0], {"offer": 2})
    assert (await tina.trip(trip["trip_id"]))["status"] == "waiting_traveller"
    asked = (await chat.told())[-1]
    assert f"the paid booking {trip['orders'][0]['booking_reference']}" in asked
    assert "is cancelled" in asked
    assert asked.index("is cancelled") < asked.index("Do you agree?")
