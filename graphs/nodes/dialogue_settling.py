"""A yes or a no to what the last reply asked: the only way from words to a choice, a cancellation or a consent."""

from __future__ import annotations

from typing import Any

from assistant.domain.trips import TripFacts
from assistant.domain.understanding import Intent, Slots
from assistant.wording import Said, saying
from graphs.nodes.dialogue_changing import alters
from graphs.nodes.dialogue_flights import short
from graphs.nodes.dialogue_gathering import started
from graphs.nodes.dialogue_list import front, listing, numbered
from graphs.nodes.dialogue_naming import bookings_left, names_other
from graphs.nodes.dialogue_picking import list_changed, points, proposed
from graphs.nodes.dialogue_tickets import kept_both, replaced
from graphs.nodes.dialogue_turn import Move, Turn
from graphs.nodes.dialogue_ways import switched

ASKS_ABOUT_A_PICK = frozenset({"offer", "proposal"})
AWAITS_YES = frozenset({"proposal", "agree"})


def settled(turn: Turn) -> Move:
    """Nothing, unless exactly this was the last thing asked and nothing else was said in its place."""
    if asks := _asks_people(turn):
        return asks
    if turn.proposal and _answers_another(turn, turn.proposal):
        return Move()
    yes, no = _is_yes(turn), _is_no(turn)
    if turn.asked == "offer" and (turn.has(Intent.KEEP) or (turn.has(Intent.CANCEL) and bookings_left(turn))):
        return Move()  # about a booking, not about the list
    if turn.asked == "offer" and turn.has(Intent.ASK_FACT, Intent.COMPARE):
        return Move()  # "okay, and when does it arrive?" wants to know more first
    says_keep = bool(turn.has(Intent.KEEP) and turn.asked == "proposal" and turn.proposal and turn.proposal.get("n"))
    if (yes == no and not says_keep) or _says_otherwise(turn) or (no and turn.asked == "offer" and turn.has(Intent.SMALLTALK)):
        return Move()
    listed = turn.listed()
    if turn.asked == "offer" and yes and listed and listed.question == "choose":
        return proposed(turn, listed, listed.fares[0], None)  # the one suggested
    if turn.asked == "offer" and no:
        return Move(told=(saying("ask.change"),), keeps={"asked": "change"})
    if turn.asked == "search":
        return started(turn) if yes else Move(told=(saying("cancel.draft"),), keeps={"draft": {}, "unsure": [], "asked": None})
    if turn.asked not in AWAITS_YES or turn.proposal is None:
        return Move()
    trip = turn.trip(turn.proposal["trip_id"])
    if trip is None:
        return Move(told=(saying("scope.fine"),), keeps={"proposal": None, "asked": None})
    if turn.has(Intent.KEEP) and turn.proposal.get("n"):
        return _with_both(turn, trip, turn.proposal, agreed=yes)
    return _accepted(turn, trip, turn.proposal) if yes else _declined(turn, trip, turn.proposal)


def _asks_people(turn: Turn) -> Move:
    """Where a question may be left to people, asking for one is an answer to it."""
    proposal = turn.proposal or {}
    if not (turn.has(Intent.ASK_PERSON) and turn.asked in AWAITS_YES and proposal.get("asks")):
        return Move()
    act = {"kind": proposal["kind"], "trip_id": proposal["trip_id"], "payload": proposal["asks"]}
    return Move(told=(saying("moved.asked"),), proposes=(act,), keeps={"proposal": None, "asked": None})


def _answers_another(turn: Turn, proposal: dict[str, Any]) -> bool:
    """ "Cancel ZZ5NGT" is no yes to cancelling another booking."""
    about = turn.has(Intent.CANCEL, Intent.KEEP) and turn.asked in AWAITS_YES
    return about and names_other(turn, proposal["trip_id"], _order_of(proposal))


def _order_of(proposal: dict[str, Any]) -> str | None:
    payload: dict[str, Any] = proposal.get("payload") or {}
    return payload.get("order_id")


def _is_yes(turn: Turn) -> bool:
    """ "Cancel it" is a yes to "cancel it?"."""
    cancels = turn.has(Intent.CANCEL) and not turn.has(Intent.DECLINE) and _waits(turn, "cancel_trip")
    moved = turn.has(Intent.KEEP) and _waits(turn, "choose") and bool((turn.proposal or {}).get("asks"))
    return turn.has(Intent.CONFIRM) or cancels or moved


def _is_no(turn: Turn) -> bool:
    """ "Keep it" is a no to "cancel it?"."""
    if turn.has(Intent.KEEP) and turn.proposal and (turn.proposal.get("n") or turn.proposal.get("asks")):
        return False
    return turn.has(Intent.DECLINE) or (turn.has(Intent.KEEP) and _waits(turn, "cancel_trip"))


def _says_otherwise(turn: Turn) -> bool:
    """Another pick, another wish for the search, another request: that is followed, whatever the yes or no was for."""
    pointed = [r for r in turn.heard.references if points(r)]
    if turn.proposal and all(r.n == turn.proposal.get("n") and not r.seats for r in pointed):
        pointed = []
    gives_up = turn.has(Intent.CANCEL) and not turn.has(Intent.DECLINE) and not _waits(turn, "cancel_trip")
    new = turn.asked in ASKS_ABOUT_A_PICK and _new(turn)
    changes = turn.has(Intent.CHANGE) and (new or turn.heard.slots == Slots() or turn.asked not in ASKS_ABOUT_A_PICK)
    others = [changes, bool(turn.heard.unsure), gives_up, new]
    return bool(pointed) or any(others)


def _new(turn: Turn) -> bool:
    """ "Yes, for three people", "yes, as a round trip": the list made for less is not what was agreed to."""
    return alters(turn) or bool(switched(turn))


def _with_both(turn: Turn, trip: TripFacts, proposal: dict[str, Any], *, agreed: bool) -> Move:
    """ "Yes, and keep both": done where it can be; else, and without the yes, the pick is said back anew."""
    shown = numbered(trip, proposal["n"])
    both = kept_both(proposal, trip, shown)
    if shown is None or (agreed and not replaced(trip, shown.fare)):
        return _accepted(turn, trip, proposal)
    if agreed and both:
        return Move(told=(saying("pick.keeps_both", references=None),)) + _accepted(turn, trip, both)
    return proposed(turn, trip, shown, proposal.get("seats"))


def _waits(turn: Turn, kind: str) -> bool:
    return turn.asked == "proposal" and turn.proposal is not None and turn.proposal["kind"] == kind


def _accepted(turn: Turn, trip: TripFacts, proposal: dict[str, Any]) -> Move:
    if proposal["kind"] == "choose" and "n" in proposal:
        return _chosen(turn, trip, proposal)
    act = {"kind": proposal["kind"], "trip_id": trip.trip_id, "payload": proposal["payload"]}
    done = Said.model_validate(proposal["done"])
    return Move(told=(done,), proposes=(act,), keeps={"proposal": None, "asked": None})


def _chosen(turn: Turn, trip: TripFacts, proposal: dict[str, Any]) -> Move:
    if trip.offers_hash != proposal["offers_hash"]:
        return list_changed(turn, trip) or Move(told=(saying("pick.list_changed"),), keeps={"proposal": None})
    if trip.question != "choose":
        told = saying("pick.not_now", trip=short(trip), status=trip.status)
        return Move(told=(told,), keeps={"proposal": None, "asked": None})
    if trip.missing_passengers:
        return Move(told=(saying("passengers.missing", count=trip.missing_passengers),), keeps={"asked": "proposal"})
    payload = {"offer": proposal["n"], "offers_hash": proposal["offers_hash"]}
    if proposal.get("settle"):
        payload["settle"] = proposal["settle"]
    if proposal.get("seats"):
        payload["seats"] = proposal["seats"]
    act = {"kind": "choose", "trip_id": trip.trip_id, "payload": payload}
    done = Move(told=(saying("pick.submitted", n=proposal["n"]),), proposes=(act,), keeps={"proposal": None, "asked": None})
    return done + _next_of_journey(turn, trip)


def _next_of_journey(turn: Turn, chosen: TripFacts) -> Move:
    """The other direction, where it waits for a pick too."""
    other = next(
        (t for t in turn.trips if t.journey_id == chosen.journey_id and t is not chosen and t.question == "choose" and t.fares),
        None,
    )
    if other is None or other.selection is not None or other.request.direction is None:
        return Move()
    told = (
        saying("pick.next_trip", direction=other.request.direction, day=other.request.depart_on),
        listing(other),
    )
    return Move(told=told, keeps={"shown": front(turn.shown, other), "asked": "offer"})


def _declined(turn: Turn, trip: TripFacts, proposal: dict[str, Any]) -> Move:
    kept: dict[str, Any] = {"proposal": None, "asked": None}
    if declines := proposal.get("declines"):
        act = {"kind": proposal["kind"], "trip_id": trip.trip_id, "payload": declines}
        return Move(told=(Said.model_validate(proposal["dropped"]),), proposes=(act,), keeps=kept)
    if "n" in proposal:
        told = [saying("pick.dropped")]
        if len(trip.fares) > 1 and trip.question == "choose":
            told += [listing(trip, without=proposal["n"]), saying("ask.offer")]
            kept["asked"] = "offer"
        return Move(told=tuple(told), keeps=kept)
    return Move(told=(Said.model_validate(proposal["dropped"]),), keeps=kept)
