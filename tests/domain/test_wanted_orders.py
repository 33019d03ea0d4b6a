"""Whether a trip's main line wants an order."""

from __future__ import annotations

import pytest

from assistant.domain.plans import OrderState
from assistant.domain.trips import is_wanted


@pytest.mark.parametrize(
    ("create_id", "state", "aside", "wanted"),
    [
        ("wanted", OrderState.CONFIRMED, False, True),
        ("another", OrderState.CONFIRMED, False, False),
        ("wanted", OrderState.CONFIRMED, True, False),
        ("wanted", OrderState.SURPLUS, False, False),
    ],
    ids=["what it booked", "what another line booked", "what was set aside", "what came late"],
)
def test_an_order_is_wanted_by_its_create_unless_set_aside_or_late(
    create_id: str, state: OrderState, aside: bool, wanted: bool
) -> None:
    assert is_wanted(create_id, by=["wanted"], state=state, aside=aside) is wanted
