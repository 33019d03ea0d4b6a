"""Where a seat is, as facts that can be put into words. Reads the map as it is: sections, aisles, lavatories, wings, exits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from .flights import Cabin, Seat, SeatMap, SeatMapCabin, SeatRow

AWAY = 4  # rows between a seat and the next lavatory, for it to count as away
CHOOSABLE = frozenset({"seat", "exit_row", "bassinet"})  # element types that can be sat on by choice


class SeatReason(StrEnum):
    """A fact about a seat, or about the seats of a party."""

    WINDOW = "window"
    AISLE = "aisle"
    MIDDLE = "middle"
    FRONT_HALF = "front_half"
    BACK_HALF = "back_half"
    EXIT_ROW = "exit_row"
    EXTRA_LEGROOM = "extra_legroom"
    NEAR_LAVATORY = "near_lavatory"
    AWAY_FROM_LAVATORY = "away_from_lavatory"
    NEAR_GALLEY = "near_galley"
    OVER_WING = "over_wing"
    LAST_ROW = "last_row"
    COSTS_EXTRA = "costs_extra"
    TOGETHER = "together"
    SPLIT = "split"


@dataclass(frozen=True, slots=True)
class Spot:
    """A seat and where it is. `row` counts within its cabin from the front; `column` counts across, an aisle taking one."""

    seat: Seat
    cabin: int
    row: int
    section: int
    column: int
    forward: float  # 1.0 in the first row, 0.0 in the last
    facts: tuple[SeatReason, ...]

    @property
    def designator(self) -> str:
        return self.seat.designator

    @property
    def choosable(self) -> bool:
        return self.seat.available and self.seat.kind in CHOOSABLE

    def beside(self, other: Spot) -> bool:
        """Side by side with no aisle and nothing else between."""
        return self.same_section(other) and abs(self.column - other.column) == 1

    def across(self, other: Spot) -> bool:
        """Side by side but for the aisle."""
        neighbours = self.cabin == other.cabin and self.row == other.row and abs(self.section - other.section) == 1
        return neighbours and abs(self.column - other.column) == 2

    def same_section(self, other: Spot) -> bool:
        return (self.cabin, self.row, self.section) == (other.cabin, other.row, other.section)


def spots(seat_map: SeatMap, *, cabin: Cabin | None = None) -> tuple[Spot, ...]:
    """Every seat with a designator, taken or not, front to back and left to right; of one cabin class if named."""
    wanted = ((i, c) for i, c in enumerate(seat_map.cabins) if cabin is None or c.cabin is cabin)
    return tuple(spot for i, c in wanted for spot in _in_cabin(i, c))


def _in_cabin(index: int, cabin: SeatMapCabin) -> Iterator[Spot]:
    last = len(cabin.rows) - 1
    seated = [i for i, row in enumerate(cabin.rows) if any(seat.designator for section in row.sections for seat in section)]
    lavatories, galleys = _rows_with(cabin, "lavatory"), _rows_with(cabin, "galley")
    exits = _exit_rows(cabin)
    for number, row in enumerate(cabin.rows):
        along = tuple(_along(cabin, number, lavatories, galleys, last_seated=seated[-1] if seated else last))
        for section, column, seat, across in _across(row):
            facts = (*across, *along, *_of_seat(seat, by_exit=number in exits))
            yield Spot(seat, index, number, section, column, 1 - number / last if last else 1.0, facts)


def _rows_with(cabin: SeatMapCabin, kind: str) -> tuple[int, ...]:
    return tuple(i for i, row in enumerate(cabin.rows) if any(seat.kind == kind for section in row.sections for seat in section))


def _exit_rows(cabin: SeatMapCabin) -> frozenset[int]:
    """Rows beside an exit, and rows right behind an exit that has a row to itself."""
    exits = _rows_with(cabin, "exit_row")
    alone = (i for i in exits if not any(seat.designator for section in cabin.rows[i].sections for seat in section))
    return frozenset((*exits, *(i + 1 for i in alone)))


def _along(
    cabin: SeatMapCabin, number: int, lavatories: tuple[int, ...], galleys: tuple[int, ...], *, last_seated: int
) -> Iterator[SeatReason]:
    yield SeatReason.FRONT_HALF if number * 2 < len(cabin.rows) else SeatReason.BACK_HALF
    if lavatories:
        nearest = min(abs(number - row) for row in lavatories)
        if nearest <= 1:
            yield SeatReason.NEAR_LAVATORY
        elif nearest >= AWAY:
            yield SeatReason.AWAY_FROM_LAVATORY
    if any(abs(number - row) <= 1 for row in galleys):
        yield SeatReason.NEAR_GALLEY
    if cabin.wings and cabin.wings[0] <= number <= cabin.wings[1]:
        yield SeatReason.OVER_WING
    if number == last_seated and len(cabin.rows) > 1:
        yield SeatReason.LAST_ROW


def _across(row: SeatRow) -> Iterator[tuple[int, int, Seat, tuple[SeatReason, ...]]]:
    """Section, column, seat and whether it is at a window, at an aisle or between; an empty place is no neighbour."""
    column = 0
    final = len(row.sections) - 1
    for number, section in enumerate(row.sections):
        places = [i for i, seat in enumerate(section) if seat.kind != "empty"]
        for i, seat in enumerate(section):
            if seat.designator:
                edges = [number == 0 if side == 0 else number == final for side in (0, -1) if places[side] == i]
                facts = tuple(SeatReason.WINDOW if window else SeatReason.AISLE for window in dict.fromkeys(edges))
                yield number, column + i, seat, facts or (SeatReason.MIDDLE,)
        column += len(section) + 1


def _of_seat(seat: Seat, *, by_exit: bool) -> Iterator[SeatReason]:
    if seat.exit_row or by_exit:
        yield SeatReason.EXIT_ROW
    if seat.extra_legroom:
        yield SeatReason.EXTRA_LEGROOM
    if costs_extra(seat):
        yield SeatReason.COSTS_EXTRA


def costs_extra(seat: Seat) -> bool:
    return seat.price is not None and seat.price.amount > 0
