"""The dialogue policy: which parts of a message are answered, in which order, and what stays to be asked."""

from __future__ import annotations

from assistant.domain.trips import TripStatus
from assistant.domain.understanding import Intent, Slots
from assistant.wording import saying
from graphs.nodes.dialogue_cancelling import cancelled
from graphs.nodes.dialogue_changing import changed, is_change, only_names
from graphs.nodes.dialogue_facts import facts_told
from graphs.nodes.dialogue_flights import short
from graphs.nodes.dialogue_gathering import ASKS_FOR_SLOT, asks_again, gathered
from graphs.nodes.dialogue_keeping import kept, left_unanswered
from graphs.nodes.dialogue_list import numbered, others
from graphs.nodes.dialogue_moved import answered_later
from graphs.nodes.dialogue_picking import is_pick, picked
from graphs.nodes.dialogue_reseating import reseated
from graphs.nodes.dialogue_responding import responded
from graphs.nodes.dialogue_settling import settled
from graphs.nodes.dialogue_status import compared, status_told
from graphs.nodes.dialogue_turn import Move, Turn, in_progress
from graphs.nodes.dialogue_ways import switched
from graphs.nodes.dialogue_wishes import wished

STAYS_OPEN = frozenset({"offer", "change"})  # open without being said again


def answered(turn: Turn) -> Move:
    """Everything the reply says and does. Nothing is asked for that was said, and one thing is asked at a time."""
    move = wished(turn)
    answer = responded(turn) or answered_later(turn) or settled(turn)
    if turn.has(Intent.COMPARE):
        move += compared(turn)
    elif turn.has(Intent.ASK_FACT):
        move += facts_told(turn)
    if turn.has(Intent.ASK_STATUS):
        move += status_told(turn)
    if turn.has(Intent.CANCEL) and not answer:
        answer = cancelled(turn)
    if not answer:
        answer = kept(turn) or left_unanswered(turn) or reseated(turn) or _acted(turn)
    move += answer
    as_before = Move(keeps={"draft": turn.before.model_dump(mode="json")})  # unless the message was about it
    whole = as_before + _with_what_is_open(turn, move or _small(turn))
    return whole if whole.told or whole.proposes else whole + Move(told=(saying("scope.lost"),))  # nobody is met with silence


def _acted(turn: Turn) -> Move:
    if is_pick(turn):
        return picked(turn)
    if switch := switched(turn):
        return switch
    if is_change(turn):
        return changed(turn)
    if more := _others(turn):
        return more
    if turn.has(Intent.ASK_FACT, Intent.ASK_STATUS) and only_names(turn):
        return Move()
    slots_said = turn.heard.slots != Slots() or bool(turn.heard.unsure)
    wants_search = turn.has(Intent.SEARCH) or (slots_said and (in_progress(turn.draft) or turn.asked in ASKS_FOR_SLOT))
    return gathered(turn) if wants_search else Move()


def _others(turn: Turn) -> Move:
    """To look for flights and to say nothing about them, while a list is open, is to ask for the rest of it."""
    trip = turn.about()
    nothing_new = turn.heard.slots == Slots() and not turn.heard.unsure and turn.asked not in ASKS_FOR_SLOT
    if not (turn.has(Intent.SEARCH) and nothing_new and turn.fresh and trip):
        return Move()
    if trip.status is TripStatus.SEARCHING:
        return Move(told=(saying("search.still", trip=short(trip)),))
    if trip.question != "choose":
        return Move()
    if not trip.fares:
        none = saying("offers.none", trip=short(trip), reason=trip.reason or "no_offers")
        return Move(told=(none, saying("ask.change")), keeps={"asked": "change"})
    said, shown = others(turn.shown, trip)
    return Move(told=(said, saying("ask.offer")), keeps={"shown": shown, "asked": "offer"})


def _small(turn: Turn) -> Move:
    """Nothing to do with a trip."""
    if turn.has(Intent.ASK_PERSON):
        return Move(told=(saying("scope.person"),))
    if turn.has(Intent.OUT_OF_SCOPE):
        return Move(told=(saying("scope.cannot"),))
    if turn.has(Intent.SMALLTALK):
        return Move(told=(saying("scope.hello" if not turn.trips and not in_progress(turn.draft) else "scope.thanks"),))
    if in_progress(turn.draft):
        return Move()
    return Move(told=(saying("scope.fine" if turn.has(Intent.CONFIRM, Intent.DECLINE) else "scope.lost"),))


def _with_what_is_open(turn: Turn, move: Move) -> Move:
    """A question that was open and got no answer is asked once more, last."""
    if "asked" in move.keeps or move.proposes:
        return move
    pick = turn.proposal if turn.proposal and turn.proposal.get("n") else None
    asked_or_meant = turn.asked == "proposal" or turn.has(Intent.CONFIRM)
    if pick and asked_or_meant and move.keeps.get("proposal", pick):
        trip = turn.trip(pick["trip_id"])
        shown = numbered(trip, pick["n"]) if trip and trip.question == "choose" else None
        if shown:
            return move + Move(told=(saying("pick.still", n=shown.n, total=shown.total),), keeps={"asked": "proposal"})
    again = asks_again(turn)
    if not again and turn.asked in STAYS_OPEN:
        return move + Move(keeps={"asked": turn.asked})
    return move + again
