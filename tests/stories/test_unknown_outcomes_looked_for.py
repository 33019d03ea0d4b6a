"""How often the airline is asked for what nobody knows, counted at the airline: soon at first, then ever less often."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from pathlib import Path

from sqlalchemy import select

from assistant.booking.provider import AirlineOrder, Provider
from assistant.persistence.database import Tx
from assistant.persistence.tables import operations
from tests.stories.dying import Passing, process_on
from tests.stories.test_unknown_outcomes import unknown
from tests.stories.world import opened

PAUSES = [2, 4, 8, 16, 32, 64, 128, 256, 512, 600]  # seconds from one look-up to the next
LOOKS_BEFORE_A_PERSON = 8


class Counts(Passing):
    """Notes when it is asked for orders."""

    def __init__(self, airline: Provider, asked: list[datetime]) -> None:
        super().__init__(airline)
        self.asked, self.now = asked, datetime.min

    async def find_orders(self, *, operation_id: str, offer_id: str) -> tuple[AirlineOrder, ...]:
        self.asked.append(self.now)
        return await self.airline.find_orders(operation_id=operation_id, offer_id=offer_id)


async def test_what_nobody_knows_is_looked_for_soon_and_then_ever_less_often_and_a_person_is_asked_after_eight_times(
    data_dir: Path,
) -> None:
    async with opened(data_dir) as world:
        _, _, operation_id = await unknown(
            world, await world.person("tina"), await world.person("rita"), {"fault": "timeout_before_apply"}
        )

    async def state(tx: Tx) -> str:
        return (await tx.execute(select(operations.c.state).where(operations.c.operation_id == operation_id))).scalar_one()

    asked, made = list[datetime](), list[Counts]()

    def counting(airline: Provider) -> Counts:
        made.append(Counts(airline, asked))
        return made[0]

    states: dict[int, str] = {}  # after so many look-ups
    async with process_on(data_dir, counting) as process:
        assert process.airline is not None
        for seconds in [1] * 32 + [4] * 56 + [30] * 66:
            process.airline.advance(seconds)
            made[0].now = process.airline.now()
            await process.reconciler.once()
            states[len(asked)] = await process.database.read(state)
    pauses = [(after - before).total_seconds() for before, after in pairwise(asked)]
    assert len(pauses) >= len(PAUSES)
    for pause, wanted in zip(pauses, PAUSES, strict=False):
        assert wanted <= pause <= wanted + 2 + wanted / 8, pauses  # as exact as the steps are
    assert [states[n] for n in (1, LOOKS_BEFORE_A_PERSON - 1)] == ["unknown", "unknown"]
    assert {word for n, word in states.items() if n >= LOOKS_BEFORE_A_PERSON} == {"needs_person"}
