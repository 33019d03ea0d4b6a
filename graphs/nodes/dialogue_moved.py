"""The airline has moved a flight: old and new times, what of the journey still works, and what to do about it."""

from __future__ import annotations

from assistant.domain.flights import Fare
from assistant.domain.trips import DESK_ANSWERED, MOVED, TripFacts
from assistant.domain.understanding import Intent, Slots
from assistant.wording import Said, saying
from graphs.nodes.dialogue_flights import flights, short
from graphs.nodes.dialogue_turn import Happened, Move, Option, Turn
from graphs.state import Json

OPTIONS = (
    Option(saying("button.accept_move"), saying("says.yes")),
    Option(saying("button.replace"), saying("says.no")),
    Option(saying("button.ask_desk"), saying("says.ask_desk")),
)


def moved(happened: Happened, facts: Json) -> Move:
    """Accept, find another, or leave it to people; silence changes nothing."""
    return _asks(happened.trip, (*moved_flight(happened.trip, facts), saying("moved.ask")), moved=True)


def desk_answered(happened: Happened) -> Move:
    """What the desk said, and the same question once more."""
    said = saying("told.desk_answered", trip=short(happened.trip), by=happened.by, message=happened.message or "…")
    ask = saying("moved.ask" if happened.moved else "told.desk_answered_next")
    return _asks(happened.trip, (said, ask), moved=bool(happened.moved))


def answered_later(turn: Turn) -> Move:
    """An answer to a moved flight's question, after something else was said: done where it is clear, else asked again."""
    waits = [t for t in turn.open_trips if t.question == "choose" and t.reason in {MOVED, DESK_ANSWERED}]
    asked = turn.proposal is not None and turn.asked in {"proposal", "agree"}  # another question, or this one itself
    if not waits or asked:
        return Move()
    clear = turn.has(Intent.ASK_PERSON) or (turn.has(Intent.CONFIRM) and turn.has(Intent.KEEP))
    bare = turn.asked is None and turn.has(Intent.CONFIRM, Intent.DECLINE) and turn.heard.slots == Slots() and turn.fresh
    if not clear and not (bare and not turn.has(Intent.CANCEL, Intent.ASK_FACT, Intent.ASK_STATUS)):
        return Move()
    trip = waits[-1]
    question = _asks(trip, (saying("moved.ask_again", trip=short(trip)),), moved=trip.reason == MOVED)
    if not clear or len(waits) > 1:
        return question
    proposal = question.keeps["proposal"]
    asks = turn.has(Intent.ASK_PERSON)
    told = saying("moved.asked") if asks else Said.model_validate(proposal["done"])
    act = {"kind": proposal["kind"], "trip_id": trip.trip_id, "payload": proposal["asks"] if asks else proposal["payload"]}
    return Move(told=(told,), proposes=(act,), keeps={"proposal": None, "asked": None})


def _asks(trip: TripFacts, told: tuple[Said, ...], *, moved: bool) -> Move:
    proposal = {
        "trip_id": trip.trip_id,
        "kind": "choose",
        "payload": {"answer": "resubmit"},
        "declines": {"answer": "change"},
        "asks": {"answer": "ask"},
        "done": saying("moved.accepted" if moved else "resubmit.done").model_dump(),
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
