"""Time is an argument: aware UTC from whoever is asked, so that a test or a demo can move it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    return datetime.now(UTC)


def is_due(when: datetime | None, now: datetime, *, within: timedelta) -> bool:
    """Whether its time has come. Nothing is put off for longer than `within`: what is further ahead was put off by a clock that
    has been set back since, and is not to wait until that time comes round again."""
    return when is None or not now < when <= now + within
