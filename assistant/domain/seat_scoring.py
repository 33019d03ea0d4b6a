"""How well a seat meets wishes. A wish is hard when it must be met or says what to avoid; the others are preferences."""

from __future__ import annotations

from collections.abc import Iterable

from .flights import SeatMap
from .seat_layout import SeatReason, Spot, spots
from .understanding import Polarity, Position, SeatWish, Strength
from .value import Value

LATERAL = {Position.WINDOW: SeatReason.WINDOW, Position.AISLE: SeatReason.AISLE, Position.MIDDLE: SeatReason.MIDDLE}
SHOWN_BY = {
    **LATERAL,
    Position.FRONT: SeatReason.FRONT_HALF,
    Position.BACK: SeatReason.BACK_HALF,
    Position.EXIT: SeatReason.EXIT_ROW,
    Position.EXTRA_LEGROOM: SeatReason.EXTRA_LEGROOM,
}
DISCOMFORT = {
    SeatReason.NEAR_LAVATORY: 0.3,
    SeatReason.MIDDLE: 0.2,
    SeatReason.NEAR_GALLEY: 0.1,
    SeatReason.LAST_ROW: 0.1,
}


class SeatScore(Value):
    """`score` from 0 (nothing wished for) to 1; `reasons` begin with what the wishes were about."""

    designator: str
    score: float
    reasons: tuple[SeatReason, ...]


def position_facts(seat_map: SeatMap, designator: str) -> tuple[SeatReason, ...]:
    """What can be said about a seat; empty for a seat that is not on the map."""
    return next((s.facts for s in spots(seat_map) if s.designator == designator), ())


def score_seat(seat_map: SeatMap, designator: str, wishes: Iterable[SeatWish]) -> SeatScore | None:
    """None for a seat that is not on the map. `score_seats` scores a whole map in one go."""
    return next((scored(s, tuple(wishes)) for s in spots(seat_map) if s.designator == designator), None)


def score_seats(seat_map: SeatMap, wishes: Iterable[SeatWish]) -> dict[str, SeatScore]:
    """Every seat of the map, taken or not, by designator."""
    wished = tuple(wishes)
    return {s.designator: scored(s, wished) for s in spots(seat_map)}


def scored(spot: Spot, wishes: tuple[SeatWish, ...], *, party: tuple[SeatReason, ...] = ()) -> SeatScore:
    """`party` adds what is true of the seats taken together."""
    about_seat = [w for w in wishes if is_about_seat(w)]
    weights = [(3 if w.strength is Strength.MUST else 1, meets(spot, w, wishes)) for w in about_seat]
    met = sum(weight for weight, ok in weights if ok) / sum(weight for weight, _ in weights) if weights else 1.0
    wished = {SHOWN_BY[w.position] for w in about_seat}
    reasons = tuple(sorted((*spot.facts, *party), key=lambda fact: fact not in wished))
    return SeatScore(designator=spot.designator, score=round(0.75 * met + 0.25 * comfort(spot, wishes), 3), reasons=reasons)


def is_about_seat(wish: SeatWish) -> bool:
    """Whether one seat alone can meet it; sitting together and "either is fine" are not about a seat."""
    return wish.position in SHOWN_BY and not wish.forget


def is_hard(wish: SeatWish) -> bool:
    return wish.strength is Strength.MUST or wish.polarity is Polarity.AVOID


def wants(wishes: tuple[SeatWish, ...], position: Position) -> bool:
    return any(w.position is position and w.polarity is Polarity.WANT and not w.forget for w in wishes)


def avoids(wishes: tuple[SeatWish, ...], position: Position) -> bool:
    return any(w.position is position and w.polarity is Polarity.AVOID and not w.forget for w in wishes)


def meets(spot: Spot, wish: SeatWish, wishes: tuple[SeatWish, ...]) -> bool:
    """Window and aisle wished for in one breath are alternatives: one of them will do."""
    if wish.polarity is Polarity.AVOID:
        return SHOWN_BY[wish.position] not in spot.facts
    if wish.position not in LATERAL:
        return SHOWN_BY[wish.position] in spot.facts
    alike = (w for w in wishes if w.position in LATERAL and w.strength is wish.strength)
    return any(LATERAL[w.position] in spot.facts for w in alike if w.polarity is Polarity.WANT and not w.forget)


def misses(seat_map: SeatMap, designator: str, wishes: tuple[SeatWish, ...]) -> bool:
    """Whether this seat leaves a wish about seats unmet; never for a seat that is not on the map."""
    spot = next((s for s in spots(seat_map) if s.designator == designator), None)
    return spot is not None and any(is_about_seat(w) and not meets(spot, w, wishes) for w in wishes)


def comfort(spot: Spot, wishes: tuple[SeatWish, ...]) -> float:
    """From 0 to 1: further forward (or back, when that is wished for), away from lavatory and galley, not in the middle."""
    forward = 1 - spot.forward if wants(wishes, Position.BACK) else spot.forward
    return 0.3 * forward + 0.7 - sum(DISCOMFORT.get(fact, 0.0) for fact in spot.facts)
