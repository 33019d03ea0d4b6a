"""Changing what a trip looks for: at once where nothing is held or asked, else only after a yes."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from assistant.domain.trips import TripFacts, TripRequest, TripStatus
from assistant.domain.understanding import Intent, Slots, When
from assistant.wording import Said, saying
from graphs.nodes.dialogue_flights import line, short
from graphs.nodes.dialogue_gathering import NOTHING
from graphs.nodes.dialogue_requests import patch
from graphs.nodes.dialogue_turn import BUSY, Move, Option, Turn

FREE_TO_CHANGE = frozenset({TripStatus.SEARCHING, TripStatus.CHOOSING, TripStatus.REJECTED, TripStatus.EXPIRED})
YES_NO = (Option(saying("button.yes"), saying("says.yes")), Option(saying("button.no"), saying("says.no")))


def is_change(turn: Turn) -> bool:
    """What was said is about a trip there is already, not about one being put together."""
    if not turn.fresh or not turn.open_trips or turn.has(Intent.CANCEL):
        return False
    slots = turn.heard.slots
    new_trip = slots.origin is not None and slots.destination is not None
    trip = turn.about()
    answers = turn.asked == "change" and slots != Slots() and not (new_trip and trip and trip.fares)
    if turn.has(Intent.CHANGE) or answers:
        return True
    return bool(not new_trip and trip and trip.status in FREE_TO_CHANGE and _change(slots, trip))


def changed(turn: Turn) -> Move:
    trip = _of_return(turn) or turn.about()
    if trip is None:
        return Move(told=(saying("scope.multi"),))
    if trip.status in BUSY:
        return Move(told=(saying("change.busy", trip=short(trip)),), keeps={"draft": NOTHING})
    change = _change(turn.heard.slots, trip)
    if not change:
        return Move(told=(saying("ask.change"),), keeps={"asked": "change"})
    try:
        wanted = TripRequest.model_validate({**trip.request.model_dump(), "excluded": (), **change})
    except ValidationError:
        return Move(told=(saying("request.invalid"),), keeps={"draft": NOTHING, "unsure": []})
    if wanted.depart_on < turn.today:
        return Move(told=(saying("request.past", day=wanted.depart_on), saying("ask.depart")), keeps={"draft": NOTHING})
    payload = {"request": {name: wanted.model_dump(mode="json")[name] for name in change}}
    return _revised(trip, wanted, payload) + Move(keeps={"draft": NOTHING, "unsure": []})


def _revised(trip: TripFacts, wanted: TripRequest, payload: dict[str, Any]) -> Move:
    if trip.status in FREE_TO_CHANGE and not trip.orders:
        act = {"kind": "revise_trip", "trip_id": trip.trip_id, "payload": payload}
        return Move(told=(saying("search.revised", trip=line(wanted)),), proposes=(act,), keeps={"proposal": None, "asked": None})
    consequence = saying("change.booked") if trip.status is TripStatus.BOOKED else None
    if trip.status is TripStatus.WAITING_REVIEW:
        consequence = saying("change.reviewed")
    ask = saying("change.confirm", trip=short(trip), wanted=line(wanted), consequence=consequence)
    done, dropped = saying("search.revised", trip=line(wanted)), saying("cancel.kept", trip=short(trip))
    return asks_first(ask, trip, "revise_trip", payload, done=done, dropped=dropped)


def asks_first(
    ask: Said,
    trip: TripFacts,
    kind: str,
    payload: dict[str, Any],
    *,
    done: Said,
    dropped: Said,
    options: tuple[Option, ...] = YES_NO,
) -> Move:
    """Said back, and done only after a yes; `done` and `dropped` are what is answered then."""
    proposal = {
        "trip_id": trip.trip_id,
        "kind": kind,
        "payload": payload,
        "done": done.model_dump(),
        "dropped": dropped.model_dump(),
    }
    return Move(told=(ask,), options=options, keeps={"proposal": proposal, "asked": "proposal"})


def _change(slots: Slots, trip: TripFacts) -> dict[str, Any]:
    """What would be another request; what is as it was is no change."""
    return {name: value for name, value in patch(slots, _when(slots, trip)).items() if getattr(trip.request, name) != value}


def _when(slots: Slots, trip: TripFacts) -> When | None:
    return slots.return_ or slots.depart if trip.request.direction == "return" else slots.depart or slots.return_


def _of_return(turn: Turn) -> TripFacts | None:
    """A message that names only a day to come back is about the way back."""
    slots = turn.heard.slots
    if slots.return_ is None or slots.depart is not None:
        return None
    return next((t for t in reversed(turn.open_trips) if t.request.direction == "return"), None)
