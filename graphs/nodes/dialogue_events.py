"""What is told when something happened to a trip: one message, from the trip's facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assistant.domain.trips import TripFacts, TripStatus
from assistant.domain.understanding import Rank
from assistant.wording import Said, saying
from graphs.nodes.dialogue_changing import YES_NO
from graphs.nodes.dialogue_flights import flights, short, stops
from graphs.nodes.dialogue_picking import front, ranked
from graphs.nodes.dialogue_seats import suggested
from graphs.nodes.dialogue_turn import Move, Option

AGREES = (Option(saying("button.agree"), saying("says.yes")), Option(saying("button.decline"), saying("says.no")))
RESUBMITS = (Option(saying("button.resubmit"), saying("says.yes")), YES_NO[1])


@dataclass(frozen=True)
class Happened:
    """`trip` as it is now; `reason`, `message` and `by` as they were when it happened."""

    status: TripStatus
    trip: TripFacts
    shown: tuple[dict[str, Any], ...] = ()
    reason: str | None = None
    message: str | None = None
    by: str | None = None


def told(event: dict[str, Any], trip: TripFacts, shown: tuple[dict[str, Any], ...]) -> Move:
    happened = Happened(
        status=TripStatus(event["status"]),
        trip=trip,
        shown=shown,
        reason=(event.get("reason") or trip.reason or "").removeprefix("reason.") or None,
        message=event.get("message") or trip.message,
        by=event.get("by") or trip.decided_by,
    )
    return TELLS[happened.status](happened)


def _choosing(happened: Happened) -> Move:
    trip, reason = happened.trip, happened.reason
    if reason == "respond":
        return _asked_back(happened)
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
        lines.append(saying("pick.seats", seats=list(suggested(best))))
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


def _waiting_review(happened: Happened) -> Move:
    trip = happened.trip
    if trip.held_until:
        held = saying("told.held", until=trip.held_until)
    else:
        seats_lost = trip.chosen and trip.chosen.holdable and not trip.chosen.seats_on_hold
        held = saying("told.seat_not_held" if seats_lost else "told.not_held")
    lines = [saying("told.waiting_review", trip=short(trip), until=trip.review_until, held=held)]
    if happened.reason == "PRICE_CHANGED" and trip.total:
        lines.insert(0, saying("told.price_changed", trip=short(trip), total=trip.total))
    return Move(told=tuple(lines))


def _waiting_traveller(happened: Happened) -> Move:
    trip = happened.trip
    if happened.reason == "respond" or trip.question != "agree":
        return _asked_back(happened)
    said = saying(
        "told.agree",
        trip=short(trip),
        flights=flights(trip.chosen) if trip.chosen else standing_status(trip),
        seats=[s.designator for s in trip.selection.seats] or None if trip.selection else None,
        total=trip.total,
        reason=happened.reason,
        message=happened.message,
    )
    proposal = _proposal(trip, "agree", {"answer": "agree"}, saying("agree.thanks"), saying("agree.declined"))
    proposal["declines"] = {"answer": "decline"}
    return Move(told=(said, saying("told.agree_ask")), options=AGREES, keeps={"proposal": proposal, "asked": "agree"})


def standing_status(trip: TripFacts) -> Said:
    return saying("standing.other", trip=short(trip), status=trip.status)


def _asked_back(happened: Happened) -> Move:
    trip = happened.trip
    said = saying("told.respond", trip=short(trip), by=happened.by, message=happened.message or "…")
    done, dropped = saying("respond.sent"), saying("resubmit.kept")
    proposal = _proposal(trip, "choose", {"answer": "resubmit"}, done, dropped)
    return Move(told=(said, saying("told.respond_next")), keeps={"proposal": proposal, "asked": "respond"})


def _expired(happened: Happened) -> Move:
    trip = happened.trip
    said = saying("told.expired", trip=short(trip), until=trip.held_until)
    proposal = _proposal(trip, "choose", {"answer": "resubmit"}, saying("resubmit.done"), saying("resubmit.kept"))
    return Move(told=(said,), options=RESUBMITS, keeps={"proposal": proposal, "asked": "proposal"})


def _rejected(happened: Happened) -> Move:
    said = saying("told.rejected", trip=short(happened.trip), by=happened.by, message=happened.message)
    return Move(told=(said, saying("told.rejected_next")), keeps={"asked": "change"})


def _settling(happened: Happened) -> Move:
    return Move(told=(saying("told.settling", trip=short(happened.trip), by=happened.by),))


def _ticketing(happened: Happened) -> Move:
    references = [o.booking_reference for o in happened.trip.orders if o.booking_reference]
    return Move(told=(saying("told.ticketing", trip=short(happened.trip), reference=references[0] if references else None),))


def _booked(happened: Happened) -> Move:
    trip = happened.trip
    references = [o.booking_reference for o in trip.orders if o.booking_reference]
    total = trip.orders[-1].total if trip.orders else trip.total
    if not (trip.chosen and references and total):
        return Move(told=(saying("told.booked_plain", trip=short(trip), references=references or None),))
    said = saying(
        "told.booked",
        trip=short(trip),
        flights=flights(trip.chosen),
        seats=[s for o in trip.orders for s in o.seats] or None,
        references=references,
        documents=[d for o in trip.orders for d in o.documents] or None,
        total=total,
    )
    return Move(told=(said,))


def _plain(key: str) -> Callable[[Happened], Move]:
    return lambda happened: Move(told=(saying(key, trip=short(happened.trip)),))


def _with_reason(key: str) -> Callable[[Happened], Move]:
    return lambda happened: Move(told=(saying(key, trip=short(happened.trip), reason=happened.reason),))


def _proposal(trip: TripFacts, kind: str, payload: dict[str, Any], done: Said, dropped: Said) -> dict[str, Any]:
    return {
        "trip_id": trip.trip_id,
        "kind": kind,
        "payload": payload,
        "done": done.model_dump(),
        "dropped": dropped.model_dump(),
    }


TELLS: dict[TripStatus, Callable[[Happened], Move]] = {
    TripStatus.SEARCHING: _plain("told.searching"),
    TripStatus.CHOOSING: _choosing,
    TripStatus.WAITING_TRAVELLER: _waiting_traveller,
    TripStatus.WAITING_REVIEW: _waiting_review,
    TripStatus.SETTLING: _settling,
    TripStatus.CHECKING: _plain("told.checking"),
    TripStatus.TICKETING: _ticketing,
    TripStatus.BOOKED: _booked,
    TripStatus.REJECTED: _rejected,
    TripStatus.EXPIRED: _expired,
    TripStatus.CANCELLED: _with_reason("told.cancelled"),
    TripStatus.WITHDRAWN: _plain("told.withdrawn"),
    TripStatus.NEEDS_PERSON: _with_reason("told.needs_person"),
}
