"""The machine's clock is set back and forward, by an hour and by days, while a trip waits for something. The airline's is not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from assistant.domain.clock import is_due
from assistant.persistence.tables import commands, orders, questions
from tests.crashes.disasters import Trip, rows, submitted
from tests.crashes.judge import drained, unsettled
from tests.crashes.lives import Forked
from tests.crashes.site import Site
from tests.crashes.stepped_server import step

SERVER = "tests.crashes.stepped_server"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


async def test_set_back_by_a_day_nothing_waits_for_tomorrow_and_each_is_done_once(data_dir: Path) -> None:
    async with Site(data_dir, module=SERVER) as site:
        held, unsure = await submitted(site, 0, can_hold=True), await submitted(site, 1, can_hold=False)
        site.airline.put_faults([{"match": {"op": "create", "nth": 1}, "fault": "timeout_after_apply"}])
        assert (await unsure.approve()).status_code == 202
        await unsure.becomes("checking", every=0)
        step(data_dir, by=-DAY)
        assert await unsure.becomes("booked", every=1) == "booked"  # looked up today, not tomorrow
        assert (await held.view())["status"] == "waiting_review"
        assert (await held.view())["orders"][0]["state"] == "held"
        assert (await held.approve()).status_code == 202
        assert await held.becomes("booked", every=1) == "booked"
        await says_in_order(held)
        await drained(site)
        assert await wrong(site) == []
        assert len(site.airline.orders(live=True)) == 2


async def says_in_order(trip: Trip) -> None:
    """Rows of later words have earlier times now."""
    words = [f"hello number {n}" for n in range(3)]
    for text in words:
        await trip.tina.does(f"/conversations/{trip.chat}/messages", {"text": text})
    said = [m["text"] for m in (await trip.tina.get(f"/conversations/{trip.chat}"))["messages"] if m["role"] == "user"]
    assert said[-3:] == words


async def test_set_back_between_two_lives_every_thread_goes_on_from_where_it_is(data_dir: Path) -> None:
    async with Site(data_dir, module=SERVER, life=Forked()) as site:
        trip = await submitted(site, can_hold=True)
        await site.kill("set back")
        step(data_dir, by=-DAY)
        hello = await trip.tina.does(f"/conversations/{trip.chat}/messages", {"text": "hello?"})
        assert hello["result"]["reply"]
        assert (await trip.approve()).status_code == 202
        assert await trip.becomes("booked", every=1) == "booked"
        await trip.tina.does(f"/trips/{trip.trip_id}/cancellation", {"reason": "It is called off"})
        await trip.becomes("waiting_review", every=1)
        second = Trip(trip.tina, trip.rita, trip.chat, trip.trip_id)
        assert (await second.approve()).status_code == 202
        assert await second.becomes("cancelled", every=1) == "cancelled"
        await drained(site)
        assert await wrong(site) == []
        assert (site.airline.orders(live=True), site.lives) == ([], 2)


async def test_set_forward_past_a_deadline_and_back_a_review_expires_once_and_is_asked_again_by_its_traveller(
    data_dir: Path,
) -> None:
    async with Site(data_dir, module=SERVER) as site:
        trip = await submitted(site, can_hold=True)
        review_id, decision = (await trip.view())["review_id"], await trip.decision()
        step(data_dir, by=HOUR)
        assert (await trip.view())["status"] == "waiting_review"  # before its time nothing expires
        step(data_dir, by=DAY)
        await trip.becomes("expired", every=0)
        late = await trip.rita.call("POST", f"/reviews/{review_id}/decision", decision)
        assert (late.status_code, late.json()["code"], late.json()["answer"]) == (409, "already_decided", "expire"), late.text
        step(data_dir, by=-DAY - HOUR)
        assert (await trip.view())["status"] == "expired"  # nor does it come back
        await trip.tina.does(f"/trips/{trip.trip_id}/answer", {"answer": "resubmit"})
        await trip.becomes("waiting_review", every=0)
        assert [q.status for q in await rows(site, questions, question_id=review_id)] == ["expired"]
        assert len(await rows(site, commands, kind="expire")) == 1
        assert (await trip.approve()).status_code == 202
        assert await trip.becomes("booked", every=1) == "booked"
        await drained(site)
        assert await wrong(site) == []
        assert len(await rows(site, orders)) == 1


def test_what_was_put_off_by_a_clock_that_was_set_back_since_is_due() -> None:
    now, within = datetime(2026, 12, 1, 12, tzinfo=UTC), timedelta(minutes=10)
    assert is_due(None, now, within=within)
    assert is_due(now, now, within=within)
    assert not is_due(now + within, now, within=within)
    assert is_due(now + DAY, now, within=within)


async def wrong(site: Site) -> list[str]:
    """But for runs that seem to overlap: they are told apart by the clock that was stepped."""
    return [found for found in await unsettled(site) if "begun before" not in found]
