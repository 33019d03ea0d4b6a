"""The seat maps of one option, each seat scored against the traveller's wishes and explained."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from sqlalchemy import Row

from ..domain.errors import NotFound
from ..domain.flights import Seat, SeatMap, SeatMapCabin, Segment
from ..domain.seat_scoring import SeatScore, score_seats
from ..domain.trips import Selection, ShownFare
from ..domain.understanding import SeatWish
from ..persistence import documents, wishes
from ..persistence.database import Tx
from . import texts
from .operations import is_live, order_view, orders_of
from .shapes import Reader, SeatMapView, SeatRowView, SeatView
from .trips import option_of, trip_row

REASONS = 3  # as many as are worth reading about one seat


async def seat_maps(tx: Tx, reader: Reader, trip_id: str, n: int) -> tuple[SeatMapView, ...]:
    """One a segment of option `n`, in order, as read with the list; no rows where seats cannot be chosen. Raises NotFound."""
    row = await trip_row(tx, reader, trip_id)
    kept: dict[str, Any] = (await documents.read(tx, row.offers_hash) if row.offers_hash else None) or {"fares": ()}
    shown = [ShownFare.model_validate(fare) for fare in kept["fares"]]
    option = next((s for s in shown if s.n == n), None)
    if option is None:
        raise NotFound("not_found", what="offer")
    maps = await maps_of(tx, kept, n)
    wished = await wishes.active(tx, tenant_id=row.tenant_id, owner_id=row.owner_id, conversation_id=row.conversation_id)
    held = [order_view(o) for o in await orders_of(tx, [trip_id]) if is_live(o)]
    own = frozenset(seat for order in held for seat in order.seats if order.fare.segment_keys == option.fare.segment_keys)
    return tuple(
        seat_map_view(
            reader,
            maps.get(segment.key) or SeatMap(segment_key=segment.key, cabins=()),
            segment=segment,
            position=position,
            option=option,
            wishes=tuple(wishes.as_wish(w) for w in wished if w.person is None),
            mine=own,
            proposed=_proposed(row, option, shown, segment.key),
        )
        for position, segment in enumerate(option.fare.segments, 1)
    )


async def maps_of(tx: Tx, kept: dict[str, Any], n: int) -> Mapping[str, SeatMap]:
    """By segment key; the list names its maps by their hashes."""
    hashes = kept.get("seat_maps", {}).get(str(n), ())
    maps = [SeatMap.model_validate(await documents.read(tx, key)) for key in hashes]
    return {m.segment_key: m for m in maps}


def seat_map_view(
    reader: Reader, seat_map: SeatMap, *, segment: Segment, position: int, option: ShownFare, wishes: tuple[SeatWish, ...],
    mine: Set[str] = frozenset(), proposed: tuple[str, ...] = (),
) -> SeatMapView:  # fmt: skip
    """`position` of the segment from 1; `mine` are seats this trip already has."""
    scores = score_seats(seat_map, wishes)
    cabins = [c for c in seat_map.cabins if c.cabin == option.fare.cabin]
    return SeatMapView(
        segment_key=segment.key,
        segment=position,
        flight=segment.name,
        aircraft=segment.aircraft,
        cabin=texts.of_group(reader, "cabin", option.fare.cabin),
        rows=tuple(row for cabin in cabins for row in _rows(reader, cabin, scores, mine)),
        proposed=proposed,
    )


def _rows(reader: Reader, cabin: SeatMapCabin, scores: Mapping[str, SeatScore], mine: Set[str]) -> list[SeatRowView]:
    return [
        SeatRowView(
            number=row.number,
            sections=tuple(
                tuple(_seat(reader, seat, scores.get(seat.designator), seat.designator in mine) for seat in section)
                for section in row.sections
            ),
        )
        for row in cabin.rows
    ]


def _seat(reader: Reader, seat: Seat, score: SeatScore | None, mine: bool) -> SeatView:
    reasons = [texts.of_group(reader, "seat_reason", r) for r in score.reasons[:REASONS]] if score else []
    return SeatView(
        designator=seat.designator,
        kind=seat.kind,
        available=seat.available or mine,
        mine=mine,
        price=None if mine else seat.price,
        score=score.score if score else None,
        why=("、" if reader.language == "zh" else ", ").join(reasons),
        exit_row=seat.exit_row,
        extra_legroom=seat.extra_legroom,
    )


def _proposed(row: Row[Any], option: ShownFare, shown: list[ShownFare], segment_key: str) -> tuple[str, ...]:
    """By traveller; the seats chosen where this option was, else those suggested. Empty text: none."""
    selection = Selection.model_validate(row.selection) if row.selection else None
    if selection and selection.seats and option_of(selection, shown) == option.n:
        chosen = {s.passenger_id: s.designator for s in selection.seats if s.segment_key == segment_key}
        return tuple(chosen.get(passenger, "") for passenger in selection.passenger_ids)
    suggested = {s.position: s.designator for s in option.seats if s.segment_key == segment_key}
    return tuple(suggested.get(place, "") for place in range(max(suggested, default=-1) + 1))
