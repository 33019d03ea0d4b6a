"""Gathering what a search needs: one question at a time, what was unsure said back, then the trips are started."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from assistant.domain.trips import SOLD_AHEAD, TripFacts, TripRequest, TripStatus
from assistant.domain.understanding import Intent, Slots, TripType
from assistant.wording import Said, saying
from graphs.nodes.dialogue_doubts import doubts, options_for, otherwise
from graphs.nodes.dialogue_flights import line
from graphs.nodes.dialogue_requests import ages_missing, party, requests, wants_return
from graphs.nodes.dialogue_turn import Move, Option, Turn, in_progress

NOTHING = Slots().model_dump(mode="json")
ASKS_FOR_SLOT = frozenset({"origin", "destination", "depart", "return", "passengers", "ages"})


def gathered(turn: Turn) -> Move:
    """What comes next for the search being put together: a question, a check of what was unsure, or its start."""
    return Move(keeps={"draft": turn.draft.model_dump(mode="json")}) + _next(turn)


def _next(turn: Turn) -> Move:
    problem = _problem(turn)
    if problem:
        return problem
    asks = _missing(turn.draft)
    if asks:
        told = doubts(turn.unsure, turn.draft, turn.heard.unsure)
        return Move(told=(*told, *_notes(turn), asks[1]), options=options_for(turn.unsure, asks[0]), keeps={"asked": asks[0]})
    try:
        wanted = requests(turn.draft, turn.heard.language)
    except ValidationError:
        return Move(told=(saying("request.invalid"),), keeps={"asked": None})
    if turn.unsure:
        told = doubts(turn.unsure, turn.draft, turn.heard.unsure)
        check = saying("unsure.confirm" if len(wanted) == 1 else "unsure.confirm_both", trips=[line(r) for r in wanted])
        yes = Option(saying("button.search"), saying("says.yes"))
        return Move(told=(*told, check), options=(yes, *otherwise(turn.unsure, turn.draft)), keeps={"asked": "search"})
    return _started(wanted, turn)


def started(turn: Turn) -> Move:
    """The traveller has said yes to what was said back: nothing is unsure any more."""
    return Move(keeps={"unsure": []}) + gathered(replace(turn, unsure=()))


def asks_again(turn: Turn) -> Move:
    """The open question once more, after something else was answered."""
    asks = _missing(turn.draft)
    if turn.fresh or not in_progress(turn.draft):
        return Move()
    if not asks:
        return _next(turn) if turn.unsure else _unsearchable(turn)
    return Move(told=(asks[1],), keeps={"asked": asks[0]})


def _unsearchable(turn: Turn) -> Move:
    """Everything is said and still nothing can be searched for, as with no adult: that is said again, never nothing."""
    try:
        requests(turn.draft, turn.heard.language)
    except ValidationError:
        return Move(told=(saying("request.invalid"),))
    return Move()


def _started(wanted: tuple[TripRequest, ...], turn: Turn) -> Move:
    trips = [line(request) for request in wanted]
    told = [saying("search.started", trip=trips[0]) if len(trips) == 1 else saying("search.started_both", trips=trips)]
    if wanted[0].passengers > 1:
        told.append(saying("passengers.form", count=wanted[0].passengers - 1))
    starts = [{"kind": "start_trip", "payload": {"request": r.model_dump(mode="json")}} for r in wanted]
    replaced = [t.trip_id for t in _replaced(wanted, turn)]
    return Move(
        told=(*_notes(turn), *told),
        proposes=(*map(put_away, replaced), *starts),
        keeps={"draft": NOTHING, "unsure": [], "asked": None, "replaced": replaced},
    )


def _replaced(wanted: tuple[TripRequest, ...], turn: Turn) -> list[TripFacts]:
    """Open lists of the same way on the same day: the new search stands in their place."""
    ways = {(r.origin, r.destination, r.depart_on) for r in wanted}
    open_lists = [t for t in turn.open_trips if t.status in (TripStatus.SEARCHING, TripStatus.CHOOSING) and not t.orders]
    return [t for t in open_lists if (t.request.origin, t.request.destination, t.request.depart_on) in ways]


def put_away(trip_id: str) -> dict[str, Any]:
    """A trip given up before anything was chosen of it."""
    return {"kind": "cancel_trip", "trip_id": trip_id, "payload": {"reason": None}}


def _missing(draft: Slots) -> tuple[str, Said] | None:
    """The one thing to ask next."""
    if not (draft.origin and draft.origin.codes):
        return "origin", saying("ask.origin")
    if not (draft.destination and draft.destination.codes):
        return "destination", saying("ask.destination")
    if not (draft.depart and draft.depart.date_from):
        return "depart", saying("ask.depart")
    if wants_return(draft) and not (draft.return_ and draft.return_.date_from):
        return "return", saying("ask.return")
    if count := ages_missing(draft.passengers):
        return "ages", saying("ask.ages", count=count)
    return None


def _problem(turn: Turn) -> Move:
    """What was said cannot be; the part of it that has to be said anew is dropped."""
    draft = turn.draft
    if draft.origin and draft.destination and draft.origin.codes and draft.origin.codes == draft.destination.codes:
        told = saying("request.same_place", place=draft.origin.codes[0])
        return _anew(turn, told, "destination", destination=None)
    there = draft.depart and (draft.depart.date_to or draft.depart.date_from)
    if there and there < turn.today:
        return _anew(turn, saying("request.past", day=there), "depart", depart=None)
    if there and there > turn.today + SOLD_AHEAD:
        return _anew(turn, saying("request.too_far"), "depart", depart=None)
    back = draft.return_ and (draft.return_.date_to or draft.return_.date_from)
    if back and draft.depart and draft.depart.date_from and back < draft.depart.date_from:
        return _anew(turn, saying("request.return_before", day=draft.depart.date_from), "return", return_=None)
    if back and back > turn.today + SOLD_AHEAD:
        return _anew(turn, saying("request.too_far"), "return", return_=None)
    adults, ages = party(draft.passengers)
    if adults + len(ages) > 9:
        return _anew(turn, saying("request.too_many"), "passengers", passengers=None)
    if not adults and ages:
        return _anew(turn, saying("request.children_alone"), "passengers", passengers=None)
    if sum(age < 2 for age in ages) > adults:
        return _anew(turn, saying("request.infants"), "passengers", passengers=None)
    return Move()


def _anew(turn: Turn, told: Said, slot: str, **cleared: None) -> Move:
    draft = turn.draft.model_copy(update=cleared)
    return Move(told=(told, saying(f"ask.{slot}")), keeps={"draft": draft.model_dump(mode="json"), "asked": slot, "unsure": []})


def _notes(turn: Turn) -> tuple[Said, ...]:
    """What this message asked for that a search cannot do."""
    slots, notes = turn.heard.slots, list[Said]()
    if slots.trip_type is TripType.MULTI_CITY or slots.stopovers:
        notes.append(saying("request.one_leg"))
    if slots.airline_names and not slots.airlines:
        notes.append(saying("request.airline_unknown", names="、".join(slots.airline_names)))
    if turn.has(Intent.OUT_OF_SCOPE):
        notes.append(saying("scope.only_flights"))
    return tuple(notes)
