"""A call is on its way when one of the two processes dies: ours, and the airline goes on without us; or the airline's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from assistant.booking.sandbox.faults import read_plan
from assistant.persistence.tables import attempts, webhooks
from tests.crashes.abroad import Abroad
from tests.crashes.disasters import Trip, idle, rows, submitted, until
from tests.crashes.judge import drained, unsettled
from tests.crashes.lives import Forked

CALLS = {"create": "booked", "pay": "booked", "confirm": "cancelled"}
EFFECTS = {"create": "book", "pay": "pay", "confirm": "cancel"}
LONG = 6.0  # seconds the airline works on a call, longer than it takes to kill somebody


async def three(site: Abroad) -> dict[str, Trip]:
    """One trip to be bought, one to be paid, one to be cancelled: each waits for a reviewer."""
    cancelled = await submitted(site, 3, can_hold=True)
    assert (await cancelled.approve()).is_success
    await cancelled.becomes("booked", every=0)
    await cancelled.tina.does(f"/trips/{cancelled.trip_id}/cancellation", {"reason": "It is called off"})
    await cancelled.becomes("waiting_review", every=0)
    again = Trip(cancelled.tina, cancelled.rita, cancelled.chat, cancelled.trip_id)
    trips = {"create": await submitted(site, 1, can_hold=False), "pay": await submitted(site, 0, can_hold=True), "confirm": again}
    await idle(site)
    return trips


async def at_work(site: Abroad, trips: dict[str, Trip], *, takes: float) -> None:
    """All three are approved, and the airline has their calls and has done none of them."""
    before = effects(site)
    site.airline.put_faults([{"match": {"op": call, "nth": 1}, "fault": "slow", "seconds": takes} for call in trips])
    for trip in trips.values():
        assert (await trip.approve()).is_success

    async def all_met() -> bool:
        return all(met == 1 for met in calls(site))

    await until(site, all_met, every=0)
    assert effects(site) == before


def calls(site: Abroad) -> list[int]:
    """How often the airline was called, by planned fault."""
    return [planned.met for planned in read_plan(site.airline.books())]


def effects(site: Abroad) -> Counter[str]:
    return Counter(entry["effect"] for entry in site.airline.journal())


async def tries(site: Abroad) -> list[int]:
    """How many attempts each operation has had."""
    return [*Counter(row.operation_id for row in await rows(site, attempts)).values()]


async def become(trips: dict[str, Trip], status: Callable[[str], str], *, every: float) -> None:
    for call, trip in trips.items():
        assert await trip.becomes(status(call), every=every) == status(call)


async def judged(site: Abroad) -> list[str]:
    await drained(site)
    return await unsettled(site)


async def test_the_airline_goes_on_with_what_we_sent_before_we_died_and_it_is_found_and_adopted(data_dir: Path) -> None:
    """The product as anybody starts it, with nobody moving a clock."""
    async with Abroad(data_dir, module="assistant") as site:
        trips = await three(site)
        before = effects(site)
        await at_work(site, trips, takes=LONG)
        await site.kill("while the airline works")
        died = datetime.now(UTC)
        assert effects(site) == before
        await site.up()
        await become(trips, lambda call: CALLS[call], every=0)
        assert effects(site) - before == Counter(EFFECTS.values())
        done = [e for e in site.airline.journal() if e["effect"] in EFFECTS.values()][-3:]
        assert all(datetime.fromisoformat(entry["at"]) > died for entry in done)
        assert (len(site.airline.orders()), len(site.airline.orders(live=True)), site.lives) == (3, 2, 2)
        assert set(await tries(site)) == {1}
        assert await rows(site, webhooks)
        assert await judged(site) == []


async def test_the_airline_dies_over_three_calls_and_they_are_looked_for_and_never_sent_again(data_dir: Path) -> None:
    async with Abroad(data_dir, life=Forked()) as site:
        trips = await three(site)
        before = effects(site)
        await at_work(site, trips, takes=600)
        await site.elsewhere.kill("over three calls")
        await become(trips, lambda _: "checking", every=0)
        await site.elsewhere.begin()
        await become(trips, lambda _: "needs_person", every=30)
        assert effects(site) == before
        assert calls(site) == [1, 1, 1]
        assert set(await tries(site)) == {1}
        assert await judged(site) == []


async def test_the_airline_dies_with_its_answer_and_what_it_did_is_found_when_it_is_back(data_dir: Path) -> None:
    async with Abroad(data_dir, life=Forked()) as site:
        for call, trip in (await three(site)).items():
            before = effects(site)
            await site.elsewhere.kill("between two lives")
            await site.elsewhere.begin(dies_at=f"airline.applied.{call}")
            assert (await trip.approve()).is_success
            await site.elsewhere.dies("with its answer")
            await trip.becomes("checking", every=0)
            await site.elsewhere.begin()
            await trip.becomes(CALLS[call])
            assert effects(site) - before == Counter([EFFECTS[call]])
        assert site.elsewhere.killed["with its answer"] == 3
        assert set(await tries(site)) == {1}
        assert await judged(site) == []
