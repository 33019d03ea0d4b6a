"""Anything at all at every door that is not REST: taken, or refused in words; nothing breaks."""

from __future__ import annotations

import pytest

from tests.properties.hostile_doors import DOINGS, DOORS, NAMES, at_door

CASES = {"webhooks": 100, "pages": 100}


@pytest.mark.parametrize("door", DOORS)
def test_whatever_comes_in_is_taken_or_refused_and_never_breaks(door: str) -> None:
    tried = at_door(door, CASES.get(door, 300))
    assert all(sum(each.came.values()) >= 50 for each in tried.values())


def test_what_is_pressed_is_read_off_the_pages() -> None:
    """Of each page something, of the chat's match, the reviewer's sets, a timeline's comparison; and words typed into forms."""
    assert {"say", "seat", "choose", "resolve", "approve", "reply", "halt", "remark", "promote_go"} <= set(DOINGS)
    assert {"text", "passenger", "case", "word", "order_id", "noted", "unfolded", "given_name"} <= set(NAMES)
