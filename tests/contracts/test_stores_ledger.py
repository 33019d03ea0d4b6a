"""What the ledger promises, on SQLite and on PostgreSQL alike: one claim, one grant used once, states that only move forward."""

from __future__ import annotations

import asyncio
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import insert, select

from assistant import ledger
from assistant.booking.provider import AirlineOrder, OrderPassengerFact, WebhookEvent
from assistant.domain.errors import Conflict, Reason, Refused
from assistant.domain.flights import Cabin, Condition, Fare, Segment
from assistant.domain.money import Money
from assistant.domain.plans import Itinerary, OrderState, Plan, Step, StepKind
from assistant.ledger import Book
from assistant.persistence import threads
from assistant.persistence.database import Database, Tx
from assistant.persistence.tables import attempts, claims, evidence, grants, operations, orders, webhooks
from tests.contracts.test_stores import NOW, TINA, database, empty

__all__ = ["database", "empty"]  # fixtures

BOOK = Book("demo", "sandbox")
FLIGHT = "MU523:PVG-NRT:2026-12-11"
PRICE = Money(amount=Decimal("1000.00"), currency="CNY")
SEGMENT = Segment(
    carrier="MU",
    flight_number="523",
    operating_carrier="MU",
    operating_flight_number="523",
    origin="PVG",
    destination="NRT",
    departs=datetime(2026, 12, 11, 9, 0),
    arrives=datetime(2026, 12, 11, 13, 0),
    minutes=180,
    aircraft="Airbus A320",
)
FARE = Fare(
    segments=(SEGMENT,),
    cabin=Cabin.ECONOMY,
    fare_brand="Basic",
    total=PRICE,
    passengers=1,
    refund=Condition(allowed=True),
    change=Condition(allowed=True),
    holdable=True,
    seats_on_hold=True,
)


def step(operation_id: str, *, kind: StepKind = StepKind.BOOK, create_id: str | None = None, passenger: str = "ting") -> Step:
    itinerary = Itinerary(segment_keys=(FLIGHT,), cabin=Cabin.ECONOMY, fare_brand="Basic", passenger_ids=(passenger,))
    return Step(
        kind=kind, operation_id=operation_id, create_id=create_id or operation_id, itinerary=itinerary, fare=FARE, bound=PRICE
    )


def bought(order_id: str = "ord_1", state: str = "ticketing") -> AirlineOrder:
    who = OrderPassengerFact(given_name="Ting", family_name="Chen", born_on=date(1991, 4, 12))
    return AirlineOrder(
        order_id=order_id,
        booking_reference="ABC123",
        state=state,  # pyright: ignore[reportArgumentType]
        operation_id="op",
        total=PRICE,
        segments=(SEGMENT,),
        passengers=(who,),
    )


async def planned(database: Database, *steps: Step, trip_id: str = "trip", granted_by: str | None = "decision") -> None:
    """The operations of a plan, and a person's yes to each."""
    plan = Plan(steps=steps)

    async def work(tx: Tx) -> None:
        if await threads.find(tx, trip_id) is None:
            await threads.open_thread(tx, trip_id, kind="trip", actor=TINA, at=NOW)
        await ledger.write_plan(tx, BOOK, trip_id, plan, standing=None, free=(), actor=TINA, at=NOW)
        if granted_by:
            await ledger.grant(tx, trip_id, plan, steps, granted_by=granted_by, actor=TINA, at=NOW)

    await database.write(work)


async def begun(database: Database, operation_id: str, granted_by: str = "decision") -> Any:
    async def work(tx: Tx) -> Any:
        row = await ledger.operation(tx, operation_id)
        return await ledger.begin(
            tx,
            row,
            reference=f"offer of {operation_id}",
            fingerprint="f",
            granted_by=granted_by,
            amount=PRICE,
            run_id="run",
            process_id="life",
            at=NOW,
        )

    return await database.write(work)


async def state_of(database: Database, operation_id: str) -> str:
    return (await database.read(lambda tx: ledger.operation(tx, operation_id))).state


async def rows(database: Database, table: Any) -> list[Any]:
    async def read(tx: Tx) -> list[Any]:
        return list((await tx.execute(select(table))).all())

    return await database.read(read)


async def change(database: Database, operation_id: str, word: str, *arguments: Any, **named: Any) -> None:
    """`fail`, `succeed`, `mark_unknown` or `needs_person`, on the row as it is now."""

    async def work(tx: Tx) -> None:
        await getattr(ledger, word)(tx, await ledger.operation(tx, operation_id), *arguments, **named, at=NOW)

    await database.write(work)


async def test_a_plan_written_again_keeps_its_operations(database: Database) -> None:
    await planned(database, step("op"))
    await begun(database, "op")
    await planned(database, step("op", kind=StepKind.HOLD), granted_by=None)
    row = await database.read(lambda tx: ledger.operation(tx, "op"))
    assert (row.kind, row.state) == ("book", "submitting")


async def test_a_new_plan_voids_every_unused_grant_but_that_of_the_decision_that_stands(database: Database) -> None:
    await planned(database, step("op"), granted_by="old decision")

    async def again(tx: Tx) -> int:
        await ledger.grant(tx, "trip", Plan(steps=(step("op"),)), (step("op"),), granted_by="new", actor=TINA, at=NOW)
        return await ledger.write_plan(tx, BOOK, "trip", Plan(steps=(step("op"),)), standing="new", free=(), actor=TINA, at=NOW)

    assert await database.write(again) == 1
    assert {row.granted_by: row.state for row in await rows(database, grants)} == {"old decision": "void", "new": "unused"}


async def test_a_grant_is_used_up_by_its_operation_and_good_for_all_its_attempts(database: Database) -> None:
    await planned(database, step("op"))
    first = await begun(database, "op")
    assert [row.state for row in await rows(database, grants)] == ["consumed"]
    await database.write(lambda tx: ledger.end_attempt(tx, "op", first.number, "unavailable", at=NOW))
    again = await database.read(lambda tx: _granted(tx, "op"))
    assert again == (PRICE, "decision")
    assert (await begun(database, "op")).number == 2


async def _granted(tx: Tx, operation_id: str) -> Any:
    return await ledger.granted(tx, await ledger.operation(tx, operation_id))


async def test_nothing_begins_on_a_grant_that_was_voided_meanwhile(database: Database) -> None:
    await planned(database, step("op"))
    await database.write(lambda tx: ledger.void_trip(tx, "trip"))
    with pytest.raises(Conflict):
        await begun(database, "op")
    assert await state_of(database, "op") == "planned"
    assert await rows(database, attempts) == []
    assert await rows(database, claims) == []


async def test_of_many_who_begin_at_once_one_does(database: Database) -> None:
    await planned(database, step("op"))
    row = await database.read(lambda tx: ledger.operation(tx, "op"))

    async def begin(tx: Tx) -> Any:
        return await ledger.begin(
            tx, row, reference="o", fingerprint="f", granted_by="decision", amount=PRICE, run_id="r", process_id="l", at=NOW
        )

    tried = await asyncio.gather(*(database.write(begin) for _ in range(6)), return_exceptions=True)
    assert sum(not isinstance(each, BaseException) for each in tried) == 1
    assert len(await rows(database, attempts)) == 1


async def test_one_passenger_is_claimed_on_one_flight_once(database: Database) -> None:
    await planned(database, step("mine"), trip_id="trip")
    await planned(database, step("yours"), trip_id="another trip")
    tried = await asyncio.gather(begun(database, "mine"), begun(database, "yours"), return_exceptions=True)
    refused = [each for each in tried if isinstance(each, Refused)]
    assert [each.reason for each in refused] == [Reason.PASSENGER_HAS_FLIGHT]
    assert len(await rows(database, claims)) == 1
    assert sorted([await state_of(database, "mine"), await state_of(database, "yours")]) == ["planned", "submitting"]


async def test_two_passengers_may_be_on_one_flight(database: Database) -> None:
    await planned(database, step("mine", passenger="ting"), trip_id="trip")
    await planned(database, step("yours", passenger="wei"), trip_id="another trip")
    await asyncio.gather(begun(database, "mine"), begun(database, "yours"))
    assert len(await rows(database, claims)) == 2


async def test_a_sure_failure_gives_the_claim_back_and_voids_what_was_to_follow(database: Database) -> None:
    await planned(database, step("op"), step("then", kind=StepKind.CANCEL, create_id="old"))
    await begun(database, "op")
    await change(database, "op", "fail", Reason.PAYMENT_DECLINED)
    assert await rows(database, claims) == []
    assert {row.operation_id: row.state for row in await rows(database, grants)} == {"op": "consumed", "then": "void"}


async def test_an_unknown_outcome_keeps_the_claim(database: Database) -> None:
    await planned(database, step("op"))
    await begun(database, "op")
    await change(database, "op", "mark_unknown", look_after=NOW)
    await change(database, "op", "needs_person")
    assert len(await rows(database, claims)) == 1
    assert [row.operation_id for row in await database.read(lambda tx: ledger.unsettled(tx, "trip"))] == ["op"]


async def test_a_state_never_moves_backwards(database: Database) -> None:
    await planned(database, step("op"))
    await begun(database, "op")
    await change(database, "op", "succeed", bought(), fare=FARE)
    for word, arguments in (("fail", (Reason.NOT_CREATED,)), ("needs_person", ())):
        with pytest.raises(Conflict):
            await change(database, "op", word, *arguments)
    with pytest.raises(Conflict):
        await begun(database, "op")
    assert await state_of(database, "op") == "succeeded"


async def test_an_order_that_was_cancelled_gives_its_claim_back_and_stays_cancelled(database: Database) -> None:
    await planned(database, step("op"))
    await begun(database, "op")
    await change(database, "op", "succeed", bought(), fare=FARE)
    assert len(await rows(database, claims)) == 1
    await database.write(lambda tx: ledger.refresh_order(tx, bought(state="cancelled"), at=NOW))
    assert await rows(database, claims) == []
    await database.write(lambda tx: ledger.refresh_order(tx, bought(state="confirmed"), at=NOW))
    assert [row.state for row in await rows(database, orders)] == [OrderState.CANCELLED]


async def test_the_same_flight_after_a_cancellation_is_the_next_generation(database: Database) -> None:
    page = await database.read(lambda tx: ledger.page(tx, BOOK, "trip"))
    first = page.create_id(step("x").itinerary)
    await planned(database, step(first))
    await begun(database, first)
    await change(database, first, "succeed", bought(), fare=FARE)
    await database.write(lambda tx: ledger.refresh_order(tx, bought(state="cancelled"), at=NOW))
    after = await database.read(lambda tx: ledger.page(tx, BOOK, "trip"))
    assert after.create_id(step("x").itinerary) != first
    assert after.orders == ()


async def test_a_hold_being_released_is_held_again_when_that_surely_failed(database: Database) -> None:
    await planned(database, step("op", kind=StepKind.HOLD))
    await begun(database, "op")
    await change(database, "op", "succeed", bought(state="held"), fare=FARE)
    await planned(database, step("release", kind=StepKind.RELEASE, create_id="op"))
    await begun(database, "release")
    assert [row.state for row in await rows(database, orders)] == [OrderState.RELEASING]
    await change(database, "release", "fail", Reason.NOT_CANCELLABLE)
    assert [row.state for row in await rows(database, orders)] == [OrderState.HELD]


async def test_a_hold_the_airline_no_longer_lets_be_paid_is_over(database: Database) -> None:
    await planned(database, step("op", kind=StepKind.HOLD))
    await begun(database, "op")
    await change(database, "op", "succeed", bought(state="held"), fare=FARE)
    await planned(database, step("pay", kind=StepKind.PAY, create_id="op"))
    await begun(database, "pay")
    await change(database, "pay", "fail", Reason.HOLD_EXPIRED)
    assert [row.state for row in await rows(database, orders)] == [OrderState.LAPSED]
    assert await rows(database, claims) == []
    await database.write(lambda tx: ledger.refresh_order(tx, bought(state="held"), at=NOW))
    assert [row.state for row in await rows(database, orders)] == [OrderState.LAPSED]


async def test_evidence_is_appended_and_a_definite_no_ends_an_unknown_create(database: Database) -> None:
    await planned(database, step("op"))
    await begun(database, "op")
    await change(database, "op", "mark_unknown", look_after=NOW + timedelta(hours=1))
    event = WebhookEvent(event_id="e1", kind="order.creation_failed", offer_id="offer of op", reason="airline_error")
    await database.write(lambda tx: ledger.heard(tx, event, at=NOW))
    assert await state_of(database, "op") == "failed"
    assert await rows(database, claims) == []
    assert [row.kind for row in await rows(database, evidence)] == ["webhook"]


async def test_news_of_an_order_makes_the_look_up_due_at_once(database: Database) -> None:
    await planned(database, step("op"))
    await begun(database, "op")
    await change(database, "op", "mark_unknown", look_after=NOW + timedelta(hours=1))
    event = WebhookEvent(event_id="e1", kind="order.created", order_id="ord_1", operation_id="op")
    await database.write(lambda tx: ledger.heard(tx, event, at=NOW))
    assert [row.look_after for row in await rows(database, operations)] == [NOW]
    assert await state_of(database, "op") == "unknown"


async def test_a_ticket_is_overdue_since_its_payment_whatever_else_changed_and_never_set_aside(
    database: Database,
) -> None:
    await planned(database, step("op"))
    await begun(database, "op")
    await database.write(lambda tx: ledger.end_attempt(tx, "op", 1, "succeeded", at=NOW))
    await change(database, "op", "succeed", bought(), fare=FARE)
    day = timedelta(hours=24)
    changed = bought().model_copy(update={"booking_reference": "XYZ789"})
    await database.write(lambda tx: ledger.refresh_order(tx, changed, at=NOW + day))
    assert await database.read(lambda tx: ledger.overdue(tx, paid_before=NOW - day, trip_id="trip")) == []
    (late,) = await database.read(lambda tx: ledger.overdue(tx, paid_before=NOW, trip_id="trip"))
    assert late.order_id == "ord_1"
    await database.write(lambda tx: ledger.set_aside(tx, "op", aside=True, at=NOW))
    assert await database.read(lambda tx: ledger.overdue(tx, paid_before=NOW + day)) == []


async def test_of_moved_flights_only_those_of_known_orders_that_were_not_told_are_heard(database: Database) -> None:
    await planned(database, step("op"))
    await begun(database, "op")
    await change(database, "op", "succeed", bought(), fare=FARE)
    told = {"kind": "order.airline_initiated_change_detected", "received_at": NOW}
    events = [{"event_id": f"of {order_id}", "body": {"order_id": order_id}} | told for order_id in ("ord_1", "somebody_elses")]
    await database.write(lambda tx: tx.execute(insert(webhooks).values(events)))
    heard = await database.read(ledger.moves_heard)
    assert [(e.event_id, e.order_id, e.trip_id, e.tenant_id) for e in heard] == [("of ord_1", "ord_1", "trip", "demo")]
    await database.write(lambda tx: ledger.told_of_move(tx, "of ord_1", at=NOW))
    assert await database.read(ledger.moves_heard) == []


def test_look_ups_are_made_ever_less_often() -> None:
    first = timedelta(seconds=2)
    naps = [ledger.backoff(looks, first=first) for looks in range(20)]
    assert naps == sorted(naps)
    assert naps[0] == first
    assert naps[-1] == timedelta(minutes=10)
