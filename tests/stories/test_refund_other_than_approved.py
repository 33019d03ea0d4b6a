"""A ticket is cancelled for the refund somebody has approved, or not at all: as much of it, in its currency, of its kind."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import update

from assistant.booking.provider import CancellationQuote, Provider, RefundKind
from assistant.doctor import examine
from assistant.domain.money import Money
from assistant.persistence.tables import attempts, operations
from tests.stories.dying import Passing
from tests.stories.ways_back import booked
from tests.stories.world import Json, Person, World

Quoted = dict[str, Any]


def quoted(kind: RefundKind, amount: str, currency: str = "CNY") -> Quoted:
    return {"kind": kind, "refund": Money(amount=Decimal(amount), currency=currency)}


APPROVED = quoted(RefundKind.MONEY, "800.00")
OTHERS: dict[str, Quoted] = {
    "less": quoted(RefundKind.MONEY, "799.99"),
    "another currency": quoted(RefundKind.MONEY, "900.00", "USD"),
    "credits": quoted(RefundKind.AIRLINE_CREDITS, "800.00"),
    "a voucher": quoted(RefundKind.VOUCHER, "900.00"),
    "not said": {"kind": RefundKind.UNKNOWN, "refund": None},
}


class Quotes(Passing):
    """Gives back what it is told to."""

    def __init__(self, airline: Provider, says: Quoted) -> None:
        super().__init__(airline)
        self.says = says

    async def quote_cancellation(self, order_id: str) -> CancellationQuote:
        return (await self.airline.quote_cancellation(order_id)).model_copy(update=self.says)


async def given_up(world: World, tina: Person, rita: Person, *, at_last: Quoted) -> Json:
    """A cancellation approved as quoted, for which the airline gives something else back just before it is sent."""
    _, trip = await booked(tina, rita, seats={})
    desk = world.whole.desk
    desk.reading = replace(desk.reading, provider=Quotes(desk.provider, APPROVED))
    desk.preparing = replace(desk.preparing, reading=replace(desk.reading, provider=Quotes(desk.provider, at_last)))
    await tina.does(f"/trips/{trip['trip_id']}/cancellation")
    trip = await tina.trip(trip["trip_id"])
    await rita.decides(trip["review_id"], "approve")
    return trip


@pytest.mark.parametrize("instead", OTHERS)
async def test_for_anything_else_nothing_is_sent_and_somebody_is_asked_again(
    instead: str, world: World, tina: Person, rita: Person
) -> None:
    trip = await given_up(world, tina, rita, at_last=OTHERS[instead])
    after = await tina.trip(trip["trip_id"])
    assert world.effects() == ["book"]
    assert after["status"] == "waiting_review"
    assert after["review_id"] != trip["review_id"]
    assert await examine(world.whole.database, world.whole.settings) == 0


@pytest.mark.parametrize("amount", ["800.00", "950.00"])
async def test_for_as_much_or_more_of_the_same_it_is_cancelled(amount: str, world: World, tina: Person, rita: Person) -> None:
    trip = await given_up(world, tina, rita, at_last=quoted(RefundKind.MONEY, amount))
    assert (await tina.trip(trip["trip_id"]))["status"] == "cancelled"
    assert world.effects() == ["book", "cancel"]


async def test_one_that_went_out_for_another_currency_is_named_by_the_doctor(
    world: World, tina: Person, rita: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    await given_up(world, tina, rita, at_last=APPROVED)
    (cancel,) = await world.rows(operations, kind="cancel")
    other = update(attempts).where(attempts.c.operation_id == cancel.operation_id)
    dollars = other.values(amount={"amount": "900.00", "currency": "USD"})
    await world.whole.database.write(lambda tx: tx.execute(dollars))
    assert await examine(world.whole.database, world.whole.settings) == 1
    assert "was for other money than granted" in capsys.readouterr().out
