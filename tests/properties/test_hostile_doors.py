"""Anything at all at every door that is not REST: taken, or refused in words; nothing breaks."""

from __future__ import annotations

import pytest

from tests.properties.hostile_doors import DOORS, at_door

CASES = {"webhooks": 100, "pages": 100}


@pytest.mark.parametrize("door", DOORS)
def test_whatever_comes_in_is_taken_or_refused_and_never_breaks(door: str) -> None:
    tried = at_door(door, CASES.get(door, 300))
    assert all(sum(each.came.values()) >= 50 for each in tried.values())
