"""Lists of options as they were shown: documents of fares and of the seat maps read with them."""

from __future__ import annotations

from typing import Any

from ..domain.flights import SeatMap
from ..domain.trips import Selection, ShownFare
from . import documents
from .database import Tx


async def shown(tx: Tx, offers_hash: str | None) -> tuple[ShownFare, ...]:
    """The options of a list, in order; none where there is no list."""
    return fares_of(await documents.read(tx, offers_hash) if offers_hash else None)


async def seat_map_hashes(tx: Tx, offers_hash: str, n: int) -> list[str]:
    """The documents of option n's seat maps."""
    body: dict[str, Any] = await documents.read(tx, offers_hash) or {}
    return body.get("seat_maps", {}).get(str(n), [])


async def seat_map(tx: Tx, hashes: list[str], segment_key: str) -> SeatMap | None:
    for key in hashes:
        body = await documents.read(tx, key)
        if body and body["segment_key"] == segment_key:
            return SeatMap.model_validate(body)
    return None


def fares_of(body: dict[str, Any] | None) -> tuple[ShownFare, ...]:
    return tuple(ShownFare.model_validate(fare) for fare in (body or {}).get("fares", ()))


def option_of(selection: Selection | None, options: tuple[ShownFare, ...]) -> ShownFare | None:
    """The option a selection was made from, where it is still in the list."""
    if selection is None:
        return None
    wanted = (selection.segment_keys, selection.cabin, selection.fare_brand)
    return next((o for o in options if (o.fare.segment_keys, o.fare.cabin, o.fare.fare_brand) == wanted), None)
