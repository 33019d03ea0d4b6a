"""LangGraph's newest checkpoint of a thread is the one with the greatest id, and its ids begin with the time of day.

Within a process they never go backwards. Across a restart they do, where the clock was set back meanwhile: a new step would
sort before those it follows, and the thread stand still at an old one. So the first id of a process comes after the newest kept.
"""

from __future__ import annotations

from uuid import UUID

from langgraph.checkpoint.base import id as langgraph_ids


def continue_after(newest: str | None) -> None:
    """Ids made from now on sort after this one, and after all that were made here before."""
    if newest is None:
        return
    kept = UUID(newest).int
    ticks = (kept >> 80) << 12 | (kept >> 64) & 0x0FFF  # of 100 ns; the version is between the two parts
    last: int | None = langgraph_ids._last_v6_timestamp  # pyright: ignore[reportPrivateUsage]  (it has no other door)
    langgraph_ids._last_v6_timestamp = max(last or 0, ticks)  # pyright: ignore[reportPrivateUsage]
