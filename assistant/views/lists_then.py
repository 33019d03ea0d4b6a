"""The list of options and the seat maps as they were shown at a version, for whoever corrects the choice made there."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from ..domain.trips import ShownFare
from ..persistence import documents, versions, wishes
from ..persistence.database import Tx
from .scope import found
from .seat_maps import maps_of, seat_map_view
from .shapes import OfferView, Reader, SeatMapView
from .trips import offer_view, trip_row


async def options_then(tx: Tx, reader: Reader, trip_id: str, number: int) -> tuple[OfferView, ...]:
    """Empty before there was a list. Raises NotFound."""
    _, _, body = await _list(tx, reader, trip_id, number)
    return tuple(offer_view(reader, ShownFare.model_validate(fare)) for fare in body["fares"])


async def seat_maps_then(tx: Tx, reader: Reader, trip_id: str, number: int, n: int) -> tuple[SeatMapView, ...]:
    """One a segment of option `n`. `proposed` are the seats chosen at that version, or those suggested. Raises NotFound."""
    trip, version, body = await _list(tx, reader, trip_id, number)
    shown = [ShownFare.model_validate(fare) for fare in body["fares"]]
    option: ShownFare = found(next((s for s in shown if s.n == n), None), "offer")
    maps = await maps_of(tx, body, n)
    wished = await wishes.active(tx, tenant_id=trip.tenant_id, owner_id=trip.owner_id, conversation_id=trip.conversation_id)
    return tuple(
        seat_map_view(
            reader,
            maps[segment.key],
            segment=segment,
            position=position,
            option=option,
            wishes=tuple(wishes.as_wish(w) for w in wished if w.person is None),
            mine=frozenset(s for s in _seats(version.summary, option, segment.key).values()),
            proposed=_proposed(version.summary, option, segment.key),
        )
        for position, segment in enumerate(option.fare.segments, 1)
        if segment.key in maps
    )


async def _list(tx: Tx, reader: Reader, trip_id: str, number: int) -> tuple[Row[Any], Row[Any], dict[str, Any]]:
    trip = await trip_row(tx, reader, trip_id)
    version = found(await versions.find(tx, trip_id, number), "version")
    key = version.summary.get("offers_hash")
    body: dict[str, Any] | None = await documents.read(tx, key) if key else None
    return trip, version, body or {"fares": [], "seat_maps": {}}


def _proposed(summary: dict[str, Any], option: ShownFare, segment_key: str) -> tuple[str, ...]:
    seats = _seats(summary, option, segment_key)
    return tuple(seats.get(place, "") for place in range(max(seats, default=-1) + 1))


def _seats(summary: dict[str, Any], option: ShownFare, segment_key: str) -> dict[int, str]:
    """Traveller from 0 -> seat: as chosen where this option was, else as suggested."""
    if summary.get("flights") == list(option.fare.segment_keys) and summary.get("fare_brand") == option.fare.fare_brand:
        return {place: seat for key, place, seat in summary.get("places") or () if key == segment_key}
    return {s.position: s.designator for s in option.seats if s.segment_key == segment_key}
