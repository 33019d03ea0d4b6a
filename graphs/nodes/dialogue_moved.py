"""The airline has moved a flight: old and new times, what of the journey still works, and what to do about it."""

from __future__ import annotations

from assistant.domain.flights import Fare
from assistant.domain.trips import TripFacts
from assistant.wording import Said, saying
from graphs.nodes.dialogue_flights import flights, short
from graphs.nodes.dialogue_turn import Happened, Move, Option
from graphs.state import Json

OPTIONS = (
    Option(saying("button.accept_move"), saying("says.yes")),
    Option(saying("button.replace"), saying("says.no")),
    Option(saying("button.ask_desk"), saying("says.ask_desk")),
)


def moved(happened: Happened, facts: Json) -> Move:
    """Accept, find another, or leave it to people; silence changes nothing."""
    return _asks(happened, (*moved_flight(happened.trip, facts), saying("moved.ask")))


def desk_answered(happened: Happened) -> Move:
    """What the desk said, and the same question once more."""
    said = saying("told.desk_answered", trip=short(happened.trip), by=happened.by, message=happened.message or "…")
    return _asks(happened, (said, saying("moved.ask" if happened.moved else "told.desk_answered_next")))


def _asks(happened: Happened, told: tuple[Said, ...]) -> Move:
    trip = happened.trip
    proposal = {
        "trip_id": trip.trip_id,
        "kind": "choose",
        "payload": {"answer": "resubmit"},
        "declines": {"answer": "change"},
        "asks": {"answer": "ask"},
        "done": saying("moved.accepted" if happened.moved else "resubmit.done").model_dump(),
        "dropped": saying("moved.searching").model_dump(),
    }
    return Move(told=told, options=OPTIONS, keeps={"proposal": proposal, "asked": "proposal"})


def moved_flight(trip: TripFacts, facts: Json) -> tuple[Said, ...]:
    was, now = Fare.model_validate(facts["was"]), Fare.model_validate(facts["now"])
    lines = [saying("told.moved", trip=short(trip), was=flights(was), now=flights(now))]
    if facts["connection"] is not None:
        lines.append(saying("moved.connection_works" if facts["connection"] else "moved.connection_lost"))
    if facts["other_way"] is not None:
        lines.append(saying("moved.other_way_works" if facts["other_way"] else "moved.other_way_lost"))
    return tuple(lines)
