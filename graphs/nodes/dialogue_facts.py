"""Questions answered from the facts of a trip, and from nothing else. What the airline has not said is told as that."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.domain.flights import Fare
from assistant.domain.trips import ShownFare, TripFacts
from assistant.domain.understanding import Topic
from assistant.wording import Said, saying
from graphs.nodes.dialogue_fares import ABOUT
from graphs.nodes.dialogue_flights import party, short
from graphs.nodes.dialogue_list import find, numbered
from graphs.nodes.dialogue_turn import Move, Turn

MOST_OPTIONS = 3


def facts_told(turn: Turn) -> Move:
    trip = turn.about()
    if trip is None:
        return Move(told=(saying("fact.none_yet"),))
    topics = turn.heard.topics or (Topic.PRICE,)
    told = [said for topic in topics for said in _of_topic(turn, trip, topic)]
    return Move(told=tuple(told) or (saying("fact.none_yet"),))


def _of_topic(turn: Turn, trip: TripFacts, topic: Topic) -> Iterable[Said]:
    if topic is Topic.REFERENCE:
        booked = [t for t in turn.trips if turn.is_meant(t) and t.orders]
        if len(booked) > 1:
            return [saying("fact.of_trip", trip=short(t), fact=_reference(t)) for t in booked]
        return [_reference(booked[0] if booked else trip)]
    if topic is Topic.PASSENGERS:
        return [saying("fact.passengers", party=party(trip.request))]
    if topic is Topic.HOLD and trip.held_until:
        return [saying("fact.held", until=trip.held_until)]
    if topic is Topic.SEAT and (sitting := [seat for o in trip.bookings for seat in o.seats]):
        return [saying("fact.seats", seats=sitting)]
    answer = ABOUT[topic]
    asked = _asked_for(turn, trip)
    if len(asked) == 1 or trip.chosen is not None:
        return [answer(asked[0])] if asked else []
    answers = [answer(s) for s in asked]
    if all(a == answers[0] for a in answers[1:]) and answers:
        return [saying("fact.of_all", fact=answers[0])]
    return [saying("fact.of_option", n=s.n, fact=a) for s, a in zip(asked, answers, strict=True)]


def _asked_for(turn: Turn, trip: TripFacts) -> list[ShownFare]:
    """The options pointed at; else what is said back, or chosen; else the first few."""
    pointed = [s for r in turn.heard.references if (s := find(trip, r))]
    if pointed:
        return pointed
    pending = turn.proposal if turn.proposal and turn.proposal["trip_id"] == trip.trip_id else None
    if pending and (shown := numbered(trip, pending.get("n") or 0)):
        return [shown]
    if trip.chosen is not None:
        return [_chosen(trip, trip.chosen)]
    return list(trip.fares[:MOST_OPTIONS])


def _chosen(trip: TripFacts, fare: Fare) -> ShownFare:
    total = trip.total or fare.total
    same = next((s for s in trip.fares if s.fare.segment_keys == fare.segment_keys), None)
    return ShownFare(n=same.n if same else 1, fare=fare, seats=same.seats if same else (), total=total)


def _reference(trip: TripFacts) -> Said:
    references = [o.booking_reference for o in trip.bookings if o.booking_reference]
    if references:
        documents = [d for o in trip.bookings for d in o.documents]
        return saying("fact.reference", references=references, documents=documents or None)
    return saying("fact.reference_unknown") if trip.orders else saying("fact.reference_none", status=trip.status)
