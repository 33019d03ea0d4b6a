"""Is what is wanted now worse for the traveller than what they agreed to? Then they are asked; silence is never yes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from .plans import Wanted

MARGIN = timedelta(minutes=30)


def worse_for_traveller(agreed: dict[str, Any] | None, wanted: Wanted | None) -> bool:
    """`agreed` is the Wanted the traveller last said yes to, where somebody else has changed it since."""
    return bool(agreed and wanted and differences(Wanted.model_validate(agreed), wanted))


def differences(agreed: Wanted, wanted: Wanted) -> tuple[str, ...]:
    """What got worse, as keys of the wording: date, flight, airport, cabin, time, price, seat."""
    before, after = agreed.fare.segments, wanted.fare.segments
    found = {
        "airport": (before[0].origin, before[-1].destination) != (after[0].origin, after[-1].destination),
        "date": before[0].departs.date() != after[0].departs.date(),
        "flight": agreed.itinerary.segment_keys != wanted.itinerary.segment_keys,
        "cabin": agreed.itinerary.cabin != wanted.itinerary.cabin,
        "time": abs(before[0].departs - after[0].departs) > MARGIN or abs(before[-1].arrives - after[-1].arrives) > MARGIN,
        "price": agreed.total.currency != wanted.total.currency or agreed.total < wanted.total,
        "seat": wanted.misses_wish and not agreed.misses_wish,
    }
    return tuple(key for key, got_worse in found.items() if got_worse)
