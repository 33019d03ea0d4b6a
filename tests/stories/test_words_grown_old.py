"""What was agreed to is not bought when it has grown old: the names were corrected since, or the deadline came before the run."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

import pytest

from assistant.persistence.tables import grants
from tests.stories.test_decisions import free_seat, submitted
from tests.stories.world import Json, Person, World, seats_at_airline

HOUR = 3600
WINDOW = "I always want a window seat"


async def renames(person: Person, given_name: str) -> None:
    key = {"idempotency-key": str(uuid4())}
    answer = await person.client.patch(f"/api/v1/people/{await person.me()}", json={"given_name": given_name}, headers=key)
    assert answer.status_code == 200, answer.text


async def comes_to(world: World, deadline: str, *, seconds: float) -> None:
    """So many seconds after it, and nothing else happens."""
    world.airline.advance((datetime.fromisoformat(deadline) - world.airline.now()).total_seconds() + seconds)


async def decides_and_it_runs(world: World, rita: Person, review: Json, *, seconds: float, word: str = "approve") -> None:
    """Accepted in time, by a server that goes down at once; it is up again so many seconds after the deadline."""
    await world.whole.dispatcher.stop()
    said = {"type": word, "digest": review["digest"], "message": "As discussed"}
    accepted = await rita.post(f"/reviews/{review['review_id']}/decision", said, wait=0)
    assert accepted.status_code == 202, accepted.text
    await comes_to(world, review["expires_at"], seconds=seconds)
    await world.whole.dispatcher.start(world.whole.service.run)
    await world.quiet()


async def test_a_hold_in_a_name_corrected_since_is_not_paid_but_made_anew(world: World, tina: Person, rita: Person) -> None:
    chat, trip, _ = await submitted(tina, can_hold=True, wish=WINDOW)
    await renames(tina, "Tingting")
    await rita.decides(trip["review_id"], "approve")
    back = await tina.trip(trip["trip_id"])
    assert (back["status"], world.effects()) == ("choosing", ["hold"])
    assert "details were changed after this was submitted" in back["reason"]
    assert "details were changed after this was submitted" in (await chat.told())[-1]
    again = await tina.answer(trip["trip_id"], "resubmit")
    await rita.decides(again["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert [list(seats_at_airline(order)) for order in world.orders()] == [["Tingting Chen"]]
    assert world.effects() == ["hold", "cancel", "hold", "pay"]


async def test_a_name_written_otherwise_is_the_same_name(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    await renames(tina, "TING")
    await rita.decides(trip["review_id"], "approve")
    await world.later(5)
    assert ((await tina.trip(trip["trip_id"]))["status"], world.effects()) == ("booked", ["hold", "pay"])


@pytest.mark.parametrize("can_hold", [False, True])
async def test_an_approval_that_runs_after_its_deadline_buys_nothing(
    can_hold: bool, world: World, tina: Person, rita: Person
) -> None:
    chat, trip, _ = await submitted(tina, can_hold=can_hold)
    before = world.effects()
    await decides_and_it_runs(world, rita, await rita.review(trip["review_id"]), seconds=1)
    late = await tina.trip(trip["trip_id"])
    assert (late["status"], world.effects()) == ("expired", before)
    assert "not completed in time" in late["reason"]
    assert "not completed in time" in (await chat.told())[-1]
    again = await tina.answer(trip["trip_id"], "resubmit")
    assert again["status"] == "waiting_review"
    assert [g.state for g in await world.rows(grants) if not g.granted_by.startswith("policy:")] == ["void"]
    await rita.decides(again["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"


async def test_an_approval_that_runs_late_but_before_its_deadline_holds(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    await decides_and_it_runs(world, rita, await rita.review(trip["review_id"]), seconds=-23 * HOUR)
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"


async def test_a_rejection_is_carried_out_however_late(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    await decides_and_it_runs(world, rita, await rita.review(trip["review_id"]), seconds=HOUR, word="reject")
    assert ((await tina.trip(trip["trip_id"]))["status"], world.orders()) == ("rejected", [])


@pytest.mark.parametrize(("seconds", "status"), [(-HOUR, "booked"), (1, "expired")])
async def test_a_travellers_yes_to_an_edit_has_a_deadline_of_its_own(
    seconds: float, status: str, world: World, tina: Person, rita: Person
) -> None:
    """By then the reviewer's own is over; what was agreed to last counts."""
    _, trip, chosen = await submitted(tina, can_hold=False, wish="I would like a window seat")
    review = await rita.review(trip["review_id"])
    await comes_to(world, review["expires_at"], seconds=-2 * HOUR)
    await rita.edits(trip["review_id"], {"seats": {"1": {"1": await free_seat(tina, trip, chosen, "aisle")}}})
    asked = (await tina.trip(trip["trip_id"]))["question"]
    assert asked["deadline"] > review["expires_at"]
    await world.whole.dispatcher.stop()
    yes = {"answer": "agree", "digest": asked["digest"]}
    assert (await tina.post(f"/trips/{trip['trip_id']}/answer", yes, wait=0)).status_code == 202
    await comes_to(world, asked["deadline"], seconds=seconds)
    await world.whole.dispatcher.start(world.whole.service.run)
    await world.quiet()
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == status
    assert len(world.orders()) == (status == "booked")
