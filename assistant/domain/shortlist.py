"""Which fares are shown: filtered by what was asked for, ranked as wished, at most eight. Pure."""

from __future__ import annotations

from collections.abc import Callable

from .flights import Fare
from .trips import TripRequest
from .understanding import Rank

MOST = 8


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
    return all(
        (
            request.cabin is None or fare.cabin == request.cabin,
            request.max_stops is None or fare.stops <= request.max_stops,
            not request.airlines or all(s.carrier in request.airlines for s in fare.segments),
            request.flight_number is None or any(s.name == request.flight_number for s in fare.segments),
            request.cap is None or request.cap.currency != fare.total.currency or fare.total <= request.cap,
            not request.refundable or bool(fare.refund.allowed),
            "+".join(fare.segment_keys) not in request.excluded,
            _in_window(fare, request),
        )
    )


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
