"""Which fares are shown: filtered by what was asked for, ranked as wished, at most eight. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import time
from itertools import combinations, product
from typing import Any

from .flights import Fare
from .trips import TripRequest
from .understanding import Rank

MOST = 8
GIVES_UP: dict[str, Any] = {
    "max_stops": None,
    "airlines": (),
    "refundable": None,
    "cabin": None,
    "flight_number": None,
    "cap": None,
}  # the least missed first
HOURS_OFF = (1, 2, 3, 5, 8, 24)


def candidates(fares: tuple[Fare, ...], request: TripRequest) -> tuple[Fare, ...]:
    """What fits the request, best first: one fare a flight while there are enough flights, then further brands of the same."""
    fitting = sorted((f for f in fares if fits(f, request)), key=_rank(request.rank))
    seen: set[tuple[str, ...]] = set()
    first: list[Fare] = []
    further: list[Fare] = []
    for fare in fitting:
        (further if fare.segment_keys in seen else first).append(fare)
        seen.add(fare.segment_keys)
    chosen = first[: MOST if len(first) >= MOST else len(first)] + further
    return tuple(sorted(chosen[:MOST], key=_rank(request.rank)))


def fits(fare: Fare, request: TripRequest) -> bool:
    return not missed(fare, request)


def missed(fare: Fare, request: TripRequest) -> tuple[str, ...]:
    """The conditions of the request that the fare does not meet."""
    met = {
        "times": _in_window(fare, request),
        "max_stops": request.max_stops is None or fare.stops <= request.max_stops,
        "airlines": not request.airlines or all(s.carrier in request.airlines for s in fare.segments),
        "refundable": not request.refundable or bool(fare.refund.allowed),
        "cabin": request.cabin is None or fare.cabin == request.cabin,
        "cap": request.cap is None or request.cap.currency != fare.total.currency or fare.total <= request.cap,
        "flight_number": request.flight_number is None or any(s.name == request.flight_number for s in fare.segments),
        "excluded": "+".join(fare.segment_keys) not in request.excluded,
    }
    return tuple(name for name, is_met in met.items() if not is_met)


def nearest(fares: tuple[Fare, ...], request: TripRequest) -> TripRequest | None:
    """Where nothing fits: the request with as little as possible given up for something to fit, hours before anything else."""
    given_up = [
        {},
        *({name: GIVES_UP[name] for name in names} for n in range(1, len(GIVES_UP) + 1) for names in combinations(GIVES_UP, n)),
    ]
    windows = list(_wider(request))
    for loosened in (request.model_copy(update=window | less) for less, window in product(given_up, windows)):
        if any(fits(fare, loosened) for fare in fares):
            return loosened
    return None


def _wider(request: TripRequest) -> Iterable[dict[str, time | None]]:
    """The window as it is, then with more and more hours around it."""
    yield {}
    for hours in HOURS_OFF if request.time_from or request.time_to else ():
        early, late = (at and at.hour * 60 + at.minute for at in (request.time_from, request.time_to))
        yield {
            "time_from": None if early is None else _at(max(early - hours * 60, 0)),
            "time_to": None if late is None else _at(min(late + hours * 60, 24 * 60 - 1)),
        }


def _at(minutes: int) -> time:
    return time(minutes // 60, minutes % 60)


def _in_window(fare: Fare, request: TripRequest) -> bool:
    at = (fare.segments[-1].arrives if request.arrive_by else fare.segments[0].departs).time()
    after = request.time_from is None or at >= request.time_from
    before = request.time_to is None or at <= request.time_to
    return after and before


def _rank(rank: Rank | None) -> Callable[[Fare], tuple[float, ...]]:
    def minutes(fare: Fare) -> float:
        return float(sum(s.minutes for s in fare.segments)) + 90.0 * fare.stops

    def key(fare: Fare) -> tuple[float, ...]:
        price = float(fare.total.amount)
        departs = fare.segments[0].departs.timestamp()
        match rank:
            case Rank.FASTEST:
                return minutes(fare), price, departs
            case Rank.EARLIEST:
                return departs, price
            case Rank.LATEST:
                return -departs, price
            case Rank.BEST | None:
                return fare.stops, price, departs
            case Rank.CHEAPEST:
                return price, minutes(fare), departs

    return key
