"""Anything at all at the REST door of a real server: a clear answer, never a 500, a stack trace or a hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crashes.site import Site
from tests.properties.hostile import tried


@pytest.mark.parametrize("who", ["tina", "rita"])
async def test_whatever_comes_in_is_answered_and_never_breaks(data_dir: Path, who: str) -> None:
    async with Site(data_dir) as site:
        doors = await tried(site, cases=140, who=who)
    assert doors.sent >= 100, doors.answered
    assert doors.taken >= 5, doors.answered
