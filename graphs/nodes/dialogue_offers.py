"""A list of options told: how many, the best one with its seats, the cheapest; or why there is none."""

from __future__ import annotations

from assistant.domain.understanding import Rank
from assistant.wording import saying
from graphs.nodes.dialogue_flights import flights, short, stops
from graphs.nodes.dialogue_list import front, ranked
from graphs.nodes.dialogue_moved import moved
from graphs.nodes.dialogue_questions import asked_back
from graphs.nodes.dialogue_seats import suggested
from graphs.nodes.dialogue_turn import Happened, Move, Option


def choosing(happened: Happened) -> Move:
    trip, reason = happened.trip, happened.reason
    if reason == "respond":
        return asked_back(happened)
    if reason == "moved" and happened.moved:
        return moved(happened, happened.moved)
    if not trip.fares:
        none = saying("offers.none", trip=short(trip), reason=reason or "no_offers")
        return Move(told=(none,), options=_try_again(reason), keeps={"asked": "change"})
    opening = [saying("offers.again", trip=short(trip), reason=reason)] if reason else []
    return Move(told=tuple(opening)) + _offers(happened)


def _offers(happened: Happened) -> Move:
    trip = happened.trip
    best, cheapest = trip.fares[0], ranked(trip, Rank.CHEAPEST) or trip.fares[0]
    lines = [
        saying("offers.found", trip=short(trip), count=len(trip.fares), cheapest=cheapest.total),
        saying("offers.best", n=best.n, flights=flights(best.fare), stops=stops(best.fare), total=best.total),
    ]
    if best.seats:
        lines.append(suggested(best))
    if not best.seats_fit and best.missed:
        lines.append(saying("pick.wish_missed", missed=list(best.missed)))
    if cheapest.n != best.n:
        said = saying(
            "offers.cheapest", n=cheapest.n, flights=flights(cheapest.fare), stops=stops(cheapest.fare), total=cheapest.total
        )
        lines.append(said)
    lines.append(saying("ask.offer"))
    buttons = {s.n: s for s in (best, cheapest)}.values()
    options = tuple(Option(saying("button.take", n=s.n, total=s.total), saying("says.take", n=s.n)) for s in buttons)
    return Move(told=tuple(lines), options=options, keeps={"shown": front(happened.shown, trip), "asked": "offer"})


def _try_again(reason: str | None) -> tuple[Option, ...]:
    return (Option(saying("button.try_again"), saying("says.try_again")),) if reason == "airline_out_of_reach" else ()
