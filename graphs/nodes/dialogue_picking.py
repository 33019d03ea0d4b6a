"""A pick made in words: found on the list that was shown, said back with its seats, and chosen only after a yes."""

from __future__ import annotations

from assistant.domain.trips import ShownFare, TripFacts, TripStatus
from assistant.domain.understanding import Intent, Reference, Slots
from assistant.wording import Said, saying
from graphs.nodes.dialogue_changing import alters
from graphs.nodes.dialogue_flights import flights, short
from graphs.nodes.dialogue_list import find, front, listing, numbered, ranked
from graphs.nodes.dialogue_seats import seats_named, seats_told
from graphs.nodes.dialogue_tickets import KEEP_BOTH, may_keep, replaced, settles, tickets_told
from graphs.nodes.dialogue_turn import BUSY, Move, Option, Turn

# A list is still good for another pick after it has been chosen from; what that does to what there is.
REVISABLE = {TripStatus.WAITING_REVIEW: "change.reviewed", TripStatus.BOOKED: "change.booked", TripStatus.REJECTED: None}

OTHERS = Option(saying("button.others"), saying("says.others"))


def is_pick(turn: Turn) -> bool:
    """A question about an option is no pick of it."""
    if turn.has(Intent.ASK_FACT, Intent.COMPARE, Intent.ASK_STATUS, Intent.CANCEL):
        return False
    trip = turn.listed()
    rank = turn.heard.slots.rank
    points_at_one = any(points(r) for r in turn.heard.references) or (rank and turn.heard.slots == Slots(rank=rank))
    if turn.has(Intent.CHOOSE) and not points_at_one and not rank and alters(turn):
        return False  # "I prefer Delta, and we are four" is another search
    return turn.has(Intent.CHOOSE) or (trip is not None and trip.question == "choose" and bool(points_at_one))


def picked(turn: Turn) -> Move:
    trip = turn.listed()
    if trip is None:
        waiting = next((t for t in turn.open_trips if t.status is TripStatus.SEARCHING), None)
        return Move(told=(saying("search.still", trip=short(waiting)) if waiting else saying("pick.no_list"),))
    if stale := list_changed(turn, trip):
        return stale
    if trip.question != "choose" and trip.status not in REVISABLE:
        busy = trip.status in BUSY
        told = saying("change.busy", trip=short(trip)) if busy else saying("pick.not_now", trip=short(trip), status=trip.status)
        return Move(told=(told,))
    shown, which = _meant(turn, trip)
    if shown is None:
        return Move(told=(which,), keeps={"asked": "offer"})
    named = tuple(seat for r in turn.heard.references for seat in r.seats)
    if len(named) > trip.request.passengers:
        return Move(told=(saying("pick.too_many_seats", count=len(named), passengers=trip.request.passengers),))
    return proposed(turn, trip, shown, seats_named(named, shown))


def list_changed(turn: Turn, trip: TripFacts) -> Move:
    """The list on which the pick was made is not today's: show the new one."""
    entry = next((e for e in turn.shown if e["trip_id"] == trip.trip_id), None)
    if entry is None or entry["offers_hash"] == trip.offers_hash:
        return Move()
    told = (saying("pick.list_changed"), listing(trip))
    return Move(told=told, keeps={"shown": front(turn.shown, trip), "proposal": None, "asked": "offer"})


def proposed(turn: Turn, trip: TripFacts, shown: ShownFare, seats: dict[str, dict[str, str]] | None) -> Move:
    """The pick said back: nothing is chosen yet."""
    proposal = {"trip_id": trip.trip_id, "kind": "choose", "n": shown.n, "offers_hash": trip.offers_hash, "seats": seats}
    settle = settles(turn, trip, shown)
    if settle:
        proposal["settle"] = settle
    if trip.question != "choose":
        payload = {"offer": shown.n} | ({"seats": seats} if seats else {}) | ({"settle": settle} if settle else {})
        proposal |= {"kind": "revise_trip", "payload": payload, "done": saying("pick.submitted", n=shown.n).model_dump()}
    told = [
        saying("pick.option", n=shown.n, flights=flights(shown.fare), cabin=shown.fare.cabin, total=shown.total),
        *seats_told(turn, shown, seats),
        _held(shown, seats),
    ]
    if consequence := REVISABLE.get(trip.status):
        told.append(saying(consequence))
    told += tickets_told(turn, trip, shown, settle)
    told.append(saying("pick.confirm", n=shown.n, total=shown.total))
    options = (
        Option(saying("button.submit"), saying("says.yes")),
        KEEP_BOTH if not settle and may_keep(replaced(trip, shown.fare), shown.fare) else OTHERS,
    )
    return Move(told=tuple(told), options=options, keeps={"proposal": proposal, "asked": "proposal"})


def points(reference: Reference) -> bool:
    return bool(reference.n is not None or reference.superlative or reference.flight_number or reference.seats or reference.same)


def _held(shown: ShownFare, seats: dict[str, dict[str, str]] | None) -> Said:
    fare = shown.fare
    if not fare.holdable:
        return saying("pick.no_hold")
    if (seats or shown.seats) and not fare.seats_on_hold:
        return saying("pick.hold_without_seat")
    return saying("pick.hold", until=fare.pay_by)


def _meant(turn: Turn, trip: TripFacts) -> tuple[ShownFare | None, Said]:
    """The option pointed at; else what to ask."""
    for reference in turn.heard.references:
        if (found := find(trip, reference)) or reference.n is not None:
            return found, saying("pick.no_such", count=len(trip.fares))
    if turn.heard.slots.rank:
        return ranked(trip, turn.heard.slots.rank), saying("ask.offer")
    pending = turn.proposal if turn.proposal and turn.proposal["trip_id"] == trip.trip_id else None
    if pending and pending.get("n"):
        return numbered(trip, pending["n"]), saying("ask.offer")
    return (trip.fares[0] if len(trip.fares) == 1 else None), saying("ask.offer")
