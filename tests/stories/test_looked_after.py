"""What is looked after once a second: whatever one thing comes to, and wherever it dies, nothing is forgotten for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import crashpoints
from assistant.persistence.tables import orders
from tests.stories.dying import Killed, Passing, process_on
from tests.stories.test_unknown_outcomes import HOUR, LATE, closed_and_late
from tests.stories.world import Chat, opened


def _killed() -> None:
    raise Killed


async def test_a_late_order_found_by_a_process_that_dies_at_once_is_told_all_the_same(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        chat, trip, _ = await closed_and_late(world, await world.person("tina"), await world.person("rita"))
        conversation_id = chat.conversation_id
        world.airline.advance(HOUR)
    async with process_on(data_dir, Passing) as process:
        crashpoints.arm("look_up.committed", then=_killed)
        with pytest.raises(Killed):
            for _ in range(20):
                await process.reconciler.once()
                process.airline.advance(600)
        crashpoints.arm("")
    async with opened(data_dir) as world:
        await world.quiet()
        (row,) = await world.rows(orders, trip_id=trip["trip_id"])
        assert row.state == "surplus"
        told = await Chat(await world.person("tina"), conversation_id).told()
        assert len([text for text in told if LATE["en"] in text]) == 1
