"""A list of options that was shown, and how one of it is pointed at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant.domain.trips import ShownFare, TripFacts
from assistant.domain.understanding import Rank, Reference
from assistant.wording import Said, saying
from graphs.nodes.dialogue_flights import many_days, minutes, option
from graphs.state import Json

MOST_LISTED = 5
BY_RANK: dict[Rank, Callable[[ShownFare], Any]] = {
    Rank.CHEAPEST: lambda s: s.total.amount,
    Rank.FASTEST: lambda s: minutes(s.fare),
    Rank.EARLIEST: lambda s: s.fare.segments[0].departs,
    Rank.BEST: lambda s: s.n,
}


def front(shown: tuple[Json, ...], trip: TripFacts) -> list[Json]:
    """The lists shown, this trip's first."""
    others = [e for e in shown if e["trip_id"] != trip.trip_id]
    return [{"trip_id": trip.trip_id, "offers_hash": trip.offers_hash}, *others]


def listing(trip: TripFacts, *, without: int | None = None) -> Said:
    """The options, or the first few of a long list."""
    options = [option(s, dated=many_days(trip)) for s in trip.fares if s.n != without]
    if len(options) <= MOST_LISTED:
        return saying("offers.list", options=options)
    return saying("offers.some", shown=MOST_LISTED, count=len(options), options=options[:MOST_LISTED])


def others(turn_shown: tuple[Json, ...], trip: TripFacts) -> tuple[Said, list[Json]]:
    """The next few options that were not listed yet, and the lists shown with that noted."""
    seen = (e.get("listed", 0) for e in turn_shown if e["trip_id"] == trip.trip_id and e["offers_hash"] == trip.offers_hash)
    listed = next(seen, 0)
    rest = [s for s in trip.fares if s.n > listed]
    first, *more = front(turn_shown, trip)
    if not rest:
        return saying("offers.no_more", count=len(trip.fares)), [first, *more]
    few = rest[:MOST_LISTED]
    said = saying("offers.more" if listed else "offers.list", options=[option(s, dated=many_days(trip)) for s in few])
    return said, [{**first, "listed": few[-1].n}, *more]


def find(trip: TripFacts, reference: Reference) -> ShownFare | None:
    if reference.n is not None:
        return trip.fares[-1] if reference.n == -1 and trip.fares else numbered(trip, reference.n)
    if reference.superlative:
        return ranked(trip, reference.superlative)
    if reference.flight_number:
        wanted = reference.flight_number.replace(" ", "").upper()
        return next((s for s in trip.fares if any(wanted in (g.name, g.flight_number) for g in s.fare.segments)), None)
    if reference.same and trip.selection:
        return next((s for s in trip.fares if s.fare.segment_keys == trip.selection.segment_keys), None)
    return None


def numbered(trip: TripFacts, n: int) -> ShownFare | None:
    return next((s for s in trip.fares if s.n == n), None)


def ranked(trip: TripFacts, rank: Rank) -> ShownFare | None:
    if rank is Rank.LATEST:
        return max(trip.fares, key=BY_RANK[Rank.EARLIEST], default=None)
    return min(trip.fares, key=BY_RANK[rank], default=None)
