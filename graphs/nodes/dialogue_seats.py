"""The seats of a pick, as data and as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.domain.flights import Segment
from assistant.domain.trips import ShownFare
from assistant.domain.understanding import Position
from assistant.wording import Said, saying
from graphs.nodes.dialogue_turn import Turn
from graphs.nodes.dialogue_wishes import bare

Seats = Mapping[str, Mapping[str, str]]  # passenger (from "1") -> segment (from "1") -> seat


def seats_named(named: tuple[str, ...]) -> dict[str, dict[str, str]] | None:
    """Seats said in words are for the first flight, one passenger after the other; None: best for the wishes."""
    return {str(i): {"1": seat} for i, seat in enumerate(named, 1)} if named else None


def seats_told(turn: Turn, shown: ShownFare, seats: Seats | None) -> Iterable[Said]:
    if seats:
        yield saying("pick.seats", seats=[saying("seat.chosen", seat=by_segment["1"]) for by_segment in seats.values()])
        return
    if not shown.seats:
        yield saying("pick.no_seats")
        return
    yield saying("pick.seats", seats=list(suggested(shown)))
    if not shown.seats_fit and shown.missed:
        yield saying("pick.wish_missed", missed=list(shown.missed))
    used = [w for w in turn.wishes if w.position is not Position.ANY and w.position not in shown.missed]
    if used:
        yield saying("pick.wish_used", wishes=[bare(w) for w in used])
    if any("exit_row" in s.reasons for s in shown.seats):
        yield saying("pick.exit_row")


def suggested(shown: ShownFare) -> Iterable[Said]:
    """Each suggested seat with its reasons and fee; by flight where there are several."""
    for segment in shown.fare.segments:
        seats = [
            saying(
                "seat.chosen",
                seat=s.designator,
                reasons=[r for r in s.reasons if r != "costs_extra"] or None,
                price=s.price if s.price and s.price.amount else None,
            )
            for s in shown.seats
            if s.segment_key == segment.key
        ]
        yield from seats if len(shown.fare.segments) == 1 else _on(segment, seats)


def _on(segment: Segment, seats: list[Said]) -> Iterable[Said]:
    if seats:
        yield saying("seat.on_flight", flight=segment.name, seats=seats)
