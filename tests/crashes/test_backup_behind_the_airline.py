"""A backup put back while the airline has gone on: what was booked in between is found and adopted, never bought again."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import update

from assistant.backup import back_up, restore
from assistant.bootstrap import now_of
from assistant.doctor import examine
from assistant.domain.commands import Kind
from assistant.operating import pause_now, restored_now, settled_now
from assistant.persistence.tables import attempts, grants, operations, switches
from tests.stories.test_unknown_outcomes import BOOKED, WORDS
from tests.stories.world import Chat, Json, Person, World, offer, opened, proposed

SETTLED_BY_THEN = 140  # seconds: longer than an effect takes and an order stays unseen
TOO_EARLY = {"zh": "系统刚从备份恢复", "en": "put back from a backup a moment ago"}
LOST = {"zh": "航司那边已有这位乘机人这趟航班的订单", "en": "already has a booking of this flight for this passenger"}


async def layover(data_dir: Path, *words: str) -> tuple[int, str]:
    """The command as an operator types it: its status, and what it says."""
    own = {"LAYOVER_DATA_DIR": str(data_dir), "LAYOVER_DEMO": "1", "LAYOVER_CLOCK": "sandbox"}

    def run() -> tuple[int, str]:
        typed = [sys.executable, "-m", "assistant", *words]
        done = subprocess.run(typed, capture_output=True, text=True, env=os.environ | own, timeout=60)
        return done.returncode, done.stdout + done.stderr

    return await asyncio.to_thread(run)


def put_back(world: World, copy: Path) -> None:
    """A drill: the sandbox airline stays, and its clock is the one that counts."""
    settings = world.whole.settings
    restore(copy, settings.data_dir, airline_goes_on=True, clock=lambda: now_of(settings))


async def goes_on(world: World) -> None:
    """Purchases resume once nothing that was under way before the restore can still be."""
    await pause_now(world.whole.settings, kind=Kind.RESUME, reason=None)
    await world.later(SETTLED_BY_THEN)


async def asks(person: Person, wish: str | None = None) -> tuple[Chat, Json]:
    chat = await person.chat()
    if wish:
        await chat.say(wish)
    await chat.say(WORDS[person.language])
    return chat, await chat.trip()


async def chooses(person: Person, trip: Json, *, can_hold: bool, seat: str | None = None) -> Json:
    chosen: Json = {"seats": {"1": {"1": seat}}} if seat else {}
    option = offer(trip, can_hold=can_hold)["n"]
    return await person.choose(trip["trip_id"], option, offers_hash=trip["offers_hash"], **chosen)


async def booked(world: World, person: Person, trip: Json) -> Json:
    await (await world.person("rita")).decides(trip["review_id"], "approve")
    await world.later(5)
    trip = await person.trip(trip["trip_id"])
    assert trip["status"] == "booked", trip
    return trip


async def doctor(world: World, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    return await examine(world.whole.database, world.whole.settings), capsys.readouterr().out


async def test_a_booking_made_after_the_backup_is_adopted_when_it_is_approved_again(
    data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As operators do it, from the shell; its traveller reads Chinese, its reviewer English."""
    copy = tmp_path / "copy"
    async with opened(data_dir) as world:
        tina = await world.person("tina", "zh")
        chat, trip = await asks(tina)
        trip = await chooses(tina, trip, can_hold=False)
        status, said = await layover(data_dir, "backup", str(copy))
        assert status == 0, said
        reference = (await booked(world, tina, trip))["orders"][0]["booking_reference"]
    status, said = await layover(data_dir, "restore", "--drill", str(copy))
    assert (status, "layover doctor lists" in said) == (0, True), said
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina", "zh"), await world.person("rita")
        chat = Chat(tina, chat.conversation_id)
        status, said = await layover(data_dir, "doctor")
        assert (status, reference in said, f"it is of trip {trip['trip_id']}" in said) == (1, True, True), said
        status, said = await layover(data_dir, "settled")
        assert (status, "layover doctor" in said) == (2, True), said
        ready = (await tina.client.get("/readyz")).json()
        assert (ready["paused"], "layover settled" in ready["restored"]) == (True, True)
        status, said = await layover(data_dir, "resume")
        assert status == 0, said
        await rita.decides(trip["review_id"], "approve")
        trip = await tina.trip(trip["trip_id"])
        assert (trip["status"], world.effects()) == ("waiting_review", ["book"])
        assert TOO_EARLY["zh"] in trip["reason"]
        assert TOO_EARLY["zh"] in (await chat.told())[-1]
        assert TOO_EARLY["en"] in (await rita.review(trip["review_id"]))["trip"]["reason"]
        await world.later(SETTLED_BY_THEN)
        trip = await booked(world, tina, trip)
        assert trip["orders"][0]["booking_reference"] == reference
        assert world.effects() == ["book"]
        assert len(world.orders()) == 1
        assert BOOKED["zh"] in (await chat.told())[-1]
        assert reference in (await chat.told())[-1]
        status, said = await layover(data_dir, "settled")
        assert (status, "is settled" in said) == (0, True), said
        status, said = await doctor(world, capsys)
        assert (status, "restored " in said) == (0, False), said


@pytest.mark.parametrize("paid", [True, False])
async def test_a_hold_made_after_the_backup_is_adopted_and_paid_once(
    data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], paid: bool
) -> None:
    """Its seat reads as taken: by the order that was lost."""
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        _, trip = await asks(tina, "I always want a window seat")
        back_up(data_dir, tmp_path / "copy", clock=world.whole.clock)
        seat = proposed(offer(trip, can_hold=True))[0]
        lost = await chooses(tina, trip, can_hold=True, seat=seat)
        if paid:
            await booked(world, tina, lost)
        before = world.effects()
    put_back(world, tmp_path / "copy")
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        await goes_on(world)
        trip = await chooses(tina, await tina.trip(trip["trip_id"]), can_hold=True, seat=seat)
        await world.later(3)
        trip = await tina.trip(trip["trip_id"])
        assert (trip["status"], trip["reason"]) == ("waiting_review", None)
        await booked(world, tina, trip)
        assert world.effects() == ["hold", "pay"]
        assert before == world.effects()[: len(before)]
        assert len(world.orders()) == 1
        assert (await doctor(world, capsys))[0] == 0


async def test_an_attempt_of_the_lost_time_is_found_though_its_offer_is_not_known(
    data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The adopted one is an attempt of ours on today's grant, of the money the airline took."""
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        _, trip = await asks(tina)
        trip = await chooses(tina, trip, can_hold=False)
        back_up(data_dir, tmp_path / "copy", clock=world.whole.clock)
        await booked(world, tina, trip)
    put_back(world, tmp_path / "copy")
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        await goes_on(world)
        await booked(world, tina, trip)
        (operation,), (attempt,) = await world.rows(operations), await world.rows(attempts)
        (order,) = world.orders()
        assert (operation.state, attempt.outcome, attempt.reference) == ("succeeded", "succeeded", order["offer_id"])
        assert attempt.amount["amount"] == order["total_amount"]
        assert (await doctor(world, capsys))[0] == 0


async def test_a_flight_booked_in_a_trip_the_ledger_has_never_heard_of_is_listed_and_not_booked_twice(
    data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(data_dir) as world:
        back_up(data_dir, tmp_path / "copy", clock=world.whole.clock)
        tina = await world.person("tina")
        _, trip = await asks(tina)
        await booked(world, tina, await chooses(tina, trip, can_hold=False))
    put_back(world, tmp_path / "copy")
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina", "zh"), await world.person("rita")
        await goes_on(world)
        (order,) = world.orders()
        status, said = await doctor(world, capsys)
        assert (status, order["id"] in said, "of trip" in said) == (1, True, False), said
        chat, trip = await asks(tina)
        trip = await chooses(tina, trip, can_hold=False)
        await rita.decides(trip["review_id"], "approve")
        await world.later(5)
        trip = await tina.trip(trip["trip_id"])
        assert (trip["status"], world.effects()) == ("choosing", ["book"])
        assert LOST["zh"] in trip["reason"]
        assert any(LOST["zh"] in told for told in await chat.told())
        quote = await world.whole.desk.provider.quote_cancellation(order["id"])  # as a person does with the airline
        await world.whole.desk.provider.confirm_cancellation(quote.quote_id)
        assert (await doctor(world, capsys))[0] == 0
        await booked(world, tina, await tina.answer(trip["trip_id"], "resubmit"))
        assert len(world.orders()) == 1


async def test_while_the_airline_does_not_say_what_it_has_nothing_is_bought(
    data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        _, trip = await asks(tina)
        trip = await chooses(tina, trip, can_hold=False)
        back_up(data_dir, tmp_path / "copy", clock=world.whole.clock)
        await booked(world, tina, trip)
    put_back(world, tmp_path / "copy")
    async with opened(data_dir) as world:
        tina, rita = await world.person("tina"), await world.person("rita")
        await goes_on(world)
        world.airline.put_faults([{"match": {"op": "find_orders"}, "fault": "503"}])
        await rita.decides(trip["review_id"], "approve")
        await world.later(5)
        trip = await tina.trip(trip["trip_id"])
        assert (trip["status"], world.effects()) == ("choosing", ["book"])
        assert "did not answer in time" in trip["reason"]
        status, said = await doctor(world, capsys)
        assert (status, "does not say what was booked" in said) == (1, True)


async def test_a_restore_of_a_ledger_that_was_not_settled_goes_back_as_far_as_that(data_dir: Path, tmp_path: Path) -> None:
    async with opened(data_dir) as world:
        first = world.whole.clock()
        back_up(data_dir, tmp_path / "first", clock=world.whole.clock)
    put_back(world, tmp_path / "first")
    async with opened(data_dir) as world:
        await world.later(3600)
        back_up(data_dir, tmp_path / "second", clock=world.whole.clock)
    put_back(world, tmp_path / "second")
    async with opened(data_dir) as world:
        (mark,) = await world.rows(switches, name="restored")
        assert mark.value["made_at"][:16] == first.isoformat()[:16]


async def test_a_database_put_back_by_other_means_is_marked_by_hand(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As with pg_restore. What was granted and not used counts no more."""
    async with opened(data_dir) as world:
        tina = await world.person("tina")
        _, trip = await asks(tina)
        await chooses(tina, trip, can_hold=True)
        await world.whole.database.write(lambda tx: tx.execute(update(grants).values(state="unused")))
        said = await restored_now(world.whole.settings, made_at=world.whole.clock())
        assert "layover settled" in said
        assert {grant.state for grant in await world.rows(grants)} == {"void"}
        assert (await tina.get("/me"))["paused"]["reason"].startswith("restored from a backup of")
        assert "restored    from a backup of" in (await doctor(world, capsys))[1]
        assert "is settled" in await settled_now(world.whole.settings)
        assert "restored    " not in (await doctor(world, capsys))[1]
        assert "No restore" in await settled_now(world.whole.settings)
