"""The seats of a pick, as data and as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import add

from assistant.domain.flights import Segment
from assistant.domain.trips import SeatSuggestion, ShownFare
from assistant.domain.understanding import Position
from assistant.wording import Said, saying
from graphs.nodes.dialogue_turn import Turn
from graphs.nodes.dialogue_wishes import bare

NOT_WORTH_SAYING = frozenset({"over_wing", "costs_extra"})
MOST_REASONS = 4
Seats = Mapping[str, Mapping[str, str]]  # passenger (from "1") -> segment (from "1") -> seat


def seats_named(named: tuple[str, ...], shown: ShownFare) -> dict[str, dict[str, str]] | None:
    """Seats said in words are for the first flight, one passenger after the other; all others sit as suggested.

    None where none is named: best for the wishes. Who had a seat that now goes to another takes that one's.
    """
    if not named:
        return None
    keys = shown.fare.segment_keys
    seats: dict[str, dict[str, str]] = {}
    for each in shown.seats:
        seats.setdefault(str(each.position + 1), {})[str(keys.index(each.segment_key) + 1)] = each.designator
    for passenger, wanted in enumerate(named, 1):
        before = seats.setdefault(str(passenger), {}).get("1")
        holder = next((p for p, by_segment in seats.items() if by_segment.get("1") == wanted), None)
        if holder and before:
            seats[holder]["1"] = before
        seats[str(passenger)]["1"] = wanted
    return seats


def seats_told(turn: Turn, shown: ShownFare, seats: Seats | None) -> Iterable[Said]:
    if seats:
        yield saying("pick.seats", seats=list(_picked(shown, seats)))
        if any(by_segment != _suggestion(shown, passenger) for passenger, by_segment in seats.items()):
            yield saying("pick.seat_fee_later")
        return
    if not shown.seats:
        yield saying("pick.seats_assigned" if turn.wishes else "pick.no_seats")
        return
    yield suggested(shown)
    if not shown.seats_fit and shown.missed:
        yield saying("pick.wish_missed", missed=list(shown.missed))
    used = [w for w in turn.wishes if w.position is not Position.ANY and w.position not in shown.missed]
    if used:
        yield saying("pick.wish_used", wishes=[bare(w) for w in used])
    if any("exit_row" in s.reasons for s in shown.seats):
        yield saying("pick.exit_row")


def suggested(shown: ShownFare) -> Said:
    """The seats suggested: each with what is its own, then what they have in common, then what they cost."""
    common = [r for r in _reasons(shown.seats[0]) if all(r in s.reasons for s in shown.seats)] if len(shown.seats) > 1 else []
    seats: list[Said] = []
    for segment in shown.fare.segments:
        on_board = [s for s in shown.seats if s.segment_key == segment.key]
        told = [
            saying("seat.chosen", seat=s.designator, reasons=[r for r in _reasons(s) if r not in common] or None)
            for s in on_board
        ]
        seats += told if len(shown.fare.segments) == 1 else _on(segment, told)
    fees = [s.price for s in shown.seats if s.price and s.price.amount]
    fee = reduce(add, fees) if fees else None
    return saying("pick.seats", seats=seats, common=common or None, fee=fee)


def _reasons(seat: SeatSuggestion) -> list[str]:
    """The few that matter to somebody who has to sit there."""
    return [r for r in seat.reasons if r not in NOT_WORTH_SAYING][:MOST_REASONS]


def _picked(shown: ShownFare, seats: Seats) -> Iterable[Said]:
    for index, segment in enumerate(shown.fare.segments, 1):
        on_board = [by_segment[str(index)] for by_segment in seats.values() if str(index) in by_segment]
        told = [saying("seat.chosen", seat=seat) for seat in on_board]
        yield from told if len(shown.fare.segments) == 1 else _on(segment, told)


def _suggestion(shown: ShownFare, passenger: str) -> dict[str, str]:
    keys = shown.fare.segment_keys
    return {str(keys.index(s.segment_key) + 1): s.designator for s in shown.seats if str(s.position + 1) == passenger}


def _on(segment: Segment, seats: list[Said]) -> Iterable[Said]:
    if seats:
        yield saying("seat.on_flight", flight=segment.name, seats=seats)
