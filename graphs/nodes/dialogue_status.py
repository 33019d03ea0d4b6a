"""Where trips stand, in one line each; and two options side by side."""

from __future__ import annotations

from assistant.domain.trips import ShownFare, TripFacts, TripStatus
from assistant.domain.understanding import Rank
from assistant.wording import Said, saying
from graphs.nodes.dialogue_flights import flights, many_days, minutes, short, stops
from graphs.nodes.dialogue_list import find, ranked
from graphs.nodes.dialogue_turn import Move, Turn

MOST_TRIPS = 4


def status_told(turn: Turn) -> Move:
    meant = [t for t in turn.trips if turn.is_meant(t)]
    alive = [t for t in meant if t in turn.open_trips] or meant[-1:]
    return Move(told=tuple(standing(t) for t in alive[-MOST_TRIPS:]) or (saying("scope.multi"),))


def standing(trip: TripFacts) -> Said:
    match trip.status:
        case TripStatus.SEARCHING:
            return saying("standing.searching", trip=short(trip))
        case TripStatus.CHOOSING if trip.fares:
            return saying("standing.choosing", trip=short(trip), count=len(trip.fares))
        case TripStatus.WAITING_REVIEW:
            return saying("standing.waiting_review", trip=short(trip), until=trip.review_until, held=trip.held_until)
        case TripStatus.BOOKED:
            return saying(
                "standing.booked",
                trip=short(trip),
                references=[o.booking_reference for o in trip.bookings if o.booking_reference] or None,
                documents=[d for o in trip.bookings for d in o.documents] or None,
                seats=[s for o in trip.bookings for s in o.seats] or None,
            )
        case _:
            return saying("standing.other", trip=short(trip), status=trip.status, reason=trip.reason)


def compared(turn: Turn) -> Move:
    trip = turn.listed()
    asked_for_one = _superlative(turn, trip) if trip else None
    dated = trip is not None and many_days(trip)
    if asked_for_one:
        return Move(told=(_line(asked_for_one, "that", dated=dated),), keeps={"asked": "offer"})
    pair = _pair(turn, trip) if trip else ()
    if len(pair) < 2:
        return Move(told=(saying("compare.not_two"),))
    lines = [_line(s, "option", dated=dated) for s in pair]
    verdicts = [v for a, b in (pair, pair[::-1]) if (v := _verdict(a, b))]
    return Move(told=(*lines, *(verdicts or [saying("compare.same")])), keeps={"asked": "offer"})


def _line(s: ShownFare, how: str, *, dated: bool) -> Said:
    on = flights(s.fare, dated=dated)
    return saying(f"compare.{how}", n=s.n, flights=on, stops=stops(s.fare), minutes=minutes(s.fare), total=s.total)


def _superlative(turn: Turn, trip: TripFacts) -> ShownFare | None:
    """ "Which is the earliest?" asks for one, not for two side by side."""
    ranks = [r.superlative for r in turn.heard.references if r.superlative] or [turn.heard.slots.rank]
    others = any(r.n and not r.superlative for r in turn.heard.references)
    return ranked(trip, ranks[0]) if len(ranks) == 1 and ranks[0] and not others else None


def _pair(turn: Turn, trip: TripFacts) -> tuple[ShownFare, ...]:
    """The two pointed at, or the first and the cheapest, or the first two."""
    pointed = list({s.n: s for r in turn.heard.references if (s := find(trip, r))}.values())
    by_default = [s for s in (trip.fares[0] if trip.fares else None, ranked(trip, Rank.CHEAPEST), *trip.fares[1:2]) if s]
    return tuple({s.n: s for s in (*pointed, *by_default)}.values())[:2]


def _verdict(one: ShownFare, other: ShownFare) -> Said | None:
    advantages: list[Said] = []
    if one.total.currency == other.total.currency and one.total < other.total:
        advantages.append(saying("compare.cheaper", by=other.total - one.total))
    if (gain := minutes(other.fare) - minutes(one.fare)) > 0:
        advantages.append(saying("compare.faster", by=gain))
    if one.fare.refund.allowed and other.fare.refund.allowed is False:
        advantages.append(saying("compare.refundable"))
    return saying("compare.verdict", n=one.n, advantages=advantages) if advantages else None
