"""Giving a trip up: at once where nothing is held or asked, else only after a yes."""

from __future__ import annotations

from typing import Any

from assistant.domain.trips import TripFacts, TripStatus
from assistant.wording import saying
from graphs.nodes.dialogue_changing import asks_first
from graphs.nodes.dialogue_flights import short
from graphs.nodes.dialogue_gathering import NOTHING
from graphs.nodes.dialogue_keeping import booking_given_up
from graphs.nodes.dialogue_naming import bookings_named, draft_named, names_places, says_booking, trips_named
from graphs.nodes.dialogue_status import MOST_TRIPS, standing
from graphs.nodes.dialogue_turn import BUSY, Move, Option, Turn, in_progress
from graphs.state import Json

CANCEL_OR_KEEP = (
    Option(saying("button.cancel"), saying("says.yes")),
    Option(saying("button.keep"), saying("says.no")),
)


def cancelled(turn: Turn) -> Move:
    """What is named comes before everything; without a name the search being put together, then the trip talked about."""
    if move := booking_given_up(turn):
        return move
    named = [t for t, o in bookings_named(turn) if o.wanted] or trips_named(turn)
    if named:
        return _all_given_up(turn, [t for t in named if turn.is_meant(t)] or named)
    if names_places(turn) and not draft_named(turn):
        return Move(told=(saying("cancel.no_such"), *(standing(t) for t in turn.open_trips[-MOST_TRIPS:])))
    if in_progress(turn.before):
        return Move(told=(saying("cancel.draft"),), keeps={"draft": NOTHING, "unsure": [], "asked": None})
    trips = [t for t in turn.open_trips if turn.is_meant(t) and (t.orders or t.status is not TripStatus.REJECTED)]
    if says_booking(turn):
        trips = [t for t in trips if t.orders] or trips
    return _all_given_up(turn, trips)


def _all_given_up(turn: Turn, trips: list[TripFacts]) -> Move:
    if any(r.trip == "all" for r in turn.heard.references) or len(trips) == 1:
        moves = [_given_up(t) for t in trips]
    else:
        moves = [_given_up(t, ask_first=True) for t in trips if t is turn.about()] or [
            _given_up(t, ask_first=True) for t in trips[-1:]
        ]
    if not moves:
        return Move(told=(saying("cancel.nothing"),))
    at_once = [m for m in moves if m.proposes]
    asked = [m for m in moves if not m.proposes][:1]  # one question at a time
    kept: Json = {"draft": turn.before.model_dump(mode="json")} if in_progress(turn.before) else {"draft": NOTHING, "unsure": []}
    return sum((*at_once, *asked), Move()) + Move(keeps=kept)


def _given_up(trip: TripFacts, *, ask_first: bool = False) -> Move:
    if trip.status in BUSY:
        return Move(told=(saying("change.busy", trip=short(trip)),))
    payload: dict[str, Any] = {"reason": None}
    done = saying("cancel.started", trip=short(trip))
    if not trip.orders and trip.status is not TripStatus.WAITING_REVIEW and not ask_first:
        act = {"kind": "cancel_trip", "trip_id": trip.trip_id, "payload": payload}
        return Move(told=(done,), proposes=(act,), keeps={"proposal": None, "asked": None})
    held = all(o.state == "held" for o in trip.orders)
    consequence = None if not trip.orders else saying("cancel.held") if held else saying("cancel.paid")
    ask = saying("cancel.confirm", trip=short(trip), consequence=consequence)
    return asks_first(
        ask, trip, "cancel_trip", payload, done=done, dropped=saying("cancel.kept", trip=short(trip)), options=CANCEL_OR_KEEP
    )
