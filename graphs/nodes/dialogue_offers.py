"""A list of options told: how many, the best one with its seats, the cheapest; or why there is none."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.domain.shortlist import missed
from assistant.domain.trips import DESK_ANSWERED, MOVED, Direction, TripFacts, TripStatus
from assistant.domain.understanding import Rank
from assistant.wording import Said, saying
from graphs.nodes.dialogue_flights import flights, many_days, short, stops
from graphs.nodes.dialogue_list import front, ranked
from graphs.nodes.dialogue_moved import desk_answered, moved
from graphs.nodes.dialogue_questions import NOT_DONE, asked_back, not_done
from graphs.nodes.dialogue_seats import suggested
from graphs.nodes.dialogue_turn import Happened, Move, Option
from graphs.nodes.settle import NOT_GIVEN_UP


def choosing(happened: Happened) -> Move:
    trip, reason = happened.trip, happened.reason
    if reason == "respond":
        return asked_back(happened)
    if reason == MOVED and happened.moved:
        return moved(happened, happened.moved)
    if reason == DESK_ANSWERED:
        return desk_answered(happened)
    if trip.selection and reason in NOT_DONE:
        return not_done(happened)
    if not trip.fares:
        none = saying("offers.none", trip=short(trip), reason=reason or "no_offers")
        return Move(told=(none,), options=_try_again(reason), keeps={"asked": "change"})
    if first := _to_settle_first(happened):
        return _told_later(happened, first)
    return Move(told=tuple(_opening(happened))) + _offers(happened)


def _to_settle_first(happened: Happened) -> TripFacts | None:
    """The way out, where this is the way back and that is still to be picked: one list is talked about at a time."""
    if happened.trip.request.direction is not Direction.RETURN or happened.reason not in (None, "nearest"):
        return None
    journey = (t for t in happened.trips if t.journey_id == happened.trip.journey_id and t is not happened.trip)
    return next((t for t in journey if t.selection is None and _is_picked_now(t)), None)


def _is_picked_now(trip: TripFacts) -> bool:
    return trip.status is TripStatus.SEARCHING or (trip.status is TripStatus.CHOOSING and bool(trip.fares))


def _told_later(happened: Happened, first: TripFacts) -> Move:
    trip = happened.trip
    cheapest = ranked(trip, Rank.CHEAPEST) or trip.fares[0]
    found = saying("offers.found", trip=short(trip), count=len(trip.fares), cheapest=cheapest.total)
    shown = front(happened.shown, trip)
    if first.fares:
        shown = front(tuple(shown), first)
        return Move(told=(found, saying("ask.offer_there")), keeps={"shown": shown, "asked": "offer"})
    return Move(told=(found,), keeps={"shown": shown})


def _opening(happened: Happened) -> Iterable[Said]:
    trip, reason = happened.trip, happened.reason
    if reason == NOT_GIVEN_UP:
        yield saying("told.not_given_up_yet", trip=short(trip), reason=reason, by=happened.by, message=happened.message)
    elif reason == "nearest":
        names = dict.fromkeys(name for shown in trip.fares for name in missed(shown.fare, trip.request))
        yield saying("offers.nearest", trip=short(trip), missed=[saying(f"nearest.{name}") for name in names])
    elif reason:
        yield saying("offers.again", trip=short(trip), reason=reason)


def _offers(happened: Happened) -> Move:
    trip = happened.trip
    best, cheapest = trip.fares[0], ranked(trip, Rank.CHEAPEST) or trip.fares[0]
    dated = many_days(trip)
    lines = [
        saying("offers.found", trip=short(trip), count=len(trip.fares), cheapest=cheapest.total),
        saying("offers.best", n=best.n, flights=flights(best.fare, dated=dated), stops=stops(best.fare), total=best.total),
    ]
    if best.seats:
        lines.append(suggested(best))
    if not best.seats_fit and best.missed:
        lines.append(saying("pick.wish_missed", missed=list(best.missed)))
    if cheapest.n != best.n:
        said = saying(
            "offers.cheapest",
            n=cheapest.n,
            flights=flights(cheapest.fare, dated=dated),
            stops=stops(cheapest.fare),
            total=cheapest.total,
        )
        lines.append(said)
    lines.append(saying("ask.offer"))
    buttons = {s.n: s for s in (best, cheapest)}.values()
    options = tuple(Option(saying("button.take", n=s.n, total=s.total), saying("says.take", n=s.n)) for s in buttons)
    return Move(told=tuple(lines), options=options, keeps={"shown": front(happened.shown, trip), "asked": "offer"})


def _try_again(reason: str | None) -> tuple[Option, ...]:
    return (Option(saying("button.try_again"), saying("says.try_again")),) if reason == "airline_out_of_reach" else ()
