"""Changing what a trip looks for: at once where nothing is held or asked, else only after a yes."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from assistant.domain.trips import SOLD_AHEAD, Direction, TripFacts, TripRequest, TripStatus
from assistant.domain.understanding import Intent, Slots, When
from assistant.wording import Said, saying
from graphs.nodes.dialogue_doubts import doubts, options_for
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
    return not new_trip and alters(turn)


def alters(turn: Turn) -> bool:
    """Something was said that makes another request of the one whose list is open."""
    if turn.has(Intent.COMPARE) and turn.heard.slots == Slots(rank=turn.heard.slots.rank):
        return False  # "which is the earliest?" asks about the list
    return any(t.status in FREE_TO_CHANGE and _change(turn, t) for t in _ways(turn))


def only_names(turn: Turn) -> bool:
    """What was said is what the trip talked about has already: it says which one is meant."""
    trip = turn.about()
    return bool(trip and turn.fresh and turn.heard.slots != Slots() and not _change(turn, trip))


def changed(turn: Turn) -> Move:
    """Every way that what was said is about; what is said of both is changed of both."""
    ways = _ways(turn)
    if not ways:
        return Move(told=(saying("scope.multi"),))
    if busy := next((t for t in ways if t.status in BUSY), None):
        return Move(told=(saying("change.busy", trip=short(busy)),), keeps={"draft": NOTHING})
    changes = [(trip, change) for trip in ways if (change := _change(turn, trip))]
    if not changes:
        told, options = doubts(turn.unsure, turn.draft, turn.heard.unsure), options_for(turn.heard.unsure, "depart")
        return Move(told=(*told, saying("ask.change")), options=options, keeps={"asked": "change"})
    moves = [_made(turn, trip, change) for trip, change in changes]
    if all(m.proposes for m in moves) and len(moves) > 1:
        return _both(moves)
    return sum(sorted(moves, key=lambda m: not m.proposes), Move())  # what asks comes last


def _both(moves: list[Move]) -> Move:
    """Two ways changed are told in one sentence."""
    revised = [s for m in moves for s in m.told if s.key == "search.revised"]
    rest = tuple(s for m in moves for s in m.told if s.key != "search.revised")
    told = saying("search.revised_both", trips=[s.params["trip"] for s in revised])
    together = sum(moves, Move())
    return Move(told=(told, *rest), proposes=together.proposes, options=together.options, keeps=together.keeps)


def _made(turn: Turn, trip: TripFacts, change: dict[str, Any]) -> Move:
    try:
        wanted = TripRequest.model_validate({**trip.request.model_dump(), "excluded": (), **change})
    except ValidationError:
        return Move(told=(saying("request.invalid"),), keeps={"draft": NOTHING, "unsure": []})
    if wanted.depart_on < turn.today:
        return Move(told=(saying("request.past", day=wanted.depart_on), saying("ask.depart")), keeps={"draft": NOTHING})
    if wanted.depart_on > turn.today + SOLD_AHEAD:
        return Move(told=(saying("request.too_far"), saying("ask.depart")), keeps={"draft": NOTHING})
    payload = {"request": {name: wanted.model_dump(mode="json")[name] for name in change}}
    return _revised(trip, wanted, payload) + Move(keeps={"draft": NOTHING, "unsure": []})


def _revised(trip: TripFacts, wanted: TripRequest, payload: dict[str, Any]) -> Move:
    if trip.status in FREE_TO_CHANGE and not trip.orders:
        act = {"kind": "revise_trip", "trip_id": trip.trip_id, "payload": payload}
        told = [saying("search.revised", trip=line(wanted))]
        if wanted.passengers > max(trip.request.passengers, 1) and wanted.direction is not Direction.RETURN:
            told.append(saying("passengers.form", count=wanted.passengers - 1))
        return Move(told=tuple(told), proposes=(act,), keeps={"proposal": None, "asked": None})
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


def _ways(turn: Turn) -> list[TripFacts]:
    """The trips a message may change: of a journey still open both ways, unless it names one."""
    about = turn.about()
    if about is None:
        return []
    if turn.direction is None:
        both = [t for t in turn.open_trips if t.journey_id == about.journey_id and t.status in FREE_TO_CHANGE and not t.orders]
        if len(both) > 1 and about in both:
            return both
    return [_of_return(turn) or about]


def _change(turn: Turn, trip: TripFacts) -> dict[str, Any]:
    """What would be another request; what is as it was, or as everything on the list is, is no change."""
    slots, both = turn.heard.slots, len(_ways(turn)) > 1
    if both and trip.request.direction is Direction.RETURN:
        slots = slots.model_copy(update={"origin": slots.destination, "destination": slots.origin})
    wanted = patch(slots, _when(slots, trip, both=both), given_up=turn.heard.given_up)
    if wanted.get("cabin") and trip.request.cabin is None and all(s.fare.cabin == wanted["cabin"] for s in trip.fares):
        wanted.pop("cabin")
    return {name: value for name, value in wanted.items() if getattr(trip.request, name) != value}


def _when(slots: Slots, trip: TripFacts, *, both: bool) -> When | None:
    if trip.request.direction is Direction.RETURN:
        return slots.return_ if both else slots.return_ or slots.depart
    return slots.depart if both else slots.depart or slots.return_


def _of_return(turn: Turn) -> TripFacts | None:
    """A message that names only a day to come back is about the way back."""
    slots = turn.heard.slots
    if slots.return_ is None or slots.depart is not None:
        return None
    return next((t for t in reversed(turn.open_trips) if t.request.direction == "return"), None)
