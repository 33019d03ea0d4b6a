"""What the two graphs remember: JSON-able values only, pydantic at the edges, one comment per key."""

from __future__ import annotations

from typing import Any, TypedDict

SCHEMA_VERSION = 1

Json = dict[str, Any]


class ConversationState(TypedDict, total=False):
    schema_version: int
    turn: Json | None  # input: {command_id, text, at (ISO, aware), timezone}; None for an event
    event: Json | None  # input: {trip_id, status, ...}: something happened to a trip; None for a message
    language: str  # of the last message: "zh" | "en"
    timezone: str  # of the last message: the traveller's IANA zone
    draft: Json  # Slots gathered for trips not yet started
    draft_before: Json  # this turn: the draft without this message
    shown: list[Json]  # [{trip_id, offers_hash}], newest list first
    proposal: Json | None  # said back, waits for a yes: {trip_id, kind, n, offers_hash, seats} or {.., payload, done, dropped}
    asked: str | None  # what the last reply asked for
    keeping: list[str]  # orders the traveller has said to keep, whatever is picked in their place
    replaced: list[str]  # trips that another search took the place of: they go without a word
    unsure: list[Json]  # what was said back and not yet confirmed
    understanding: Json | None  # Understanding of this turn
    proposes: list[Json]  # this turn: [{kind: start_trip|choose|revise_trip|cancel_trip, trip_id?, payload}]
    wishes: list[Json]  # this turn: SeatWish values to be stored by the finishing transaction
    told: list[Json]  # this turn: Said values the reply is made of
    options: list[Json]  # this turn: buttons under the reply, [{label: Said, says: Said}]
    reply: Json | None  # this turn: {text, language, said: [Said], options: [{label: Said, say: text}], asked}
    concluded: Json | None  # terminal marker: {command_id}


class TripState(TypedDict, total=False):
    schema_version: int
    request: Json  # TripRequest
    searched: str | None  # documents hash of the fares found
    loosened: Json | None  # the TripRequest nearest to the one asked for, where nothing fitted that
    seat_maps: str | None  # documents hash of the seat maps read
    prices: Json  # fare number -> total, read again
    offers_hash: str | None  # documents hash of the list shown: [ShownFare]
    selection: Json | None  # Selection wanted; None: nothing
    authors: list[str]  # users whose edits wait for somebody else's yes
    corrected_by: str | None  # user who went back in somebody else's trip; policy may want another to approve what it costs
    kept_selection: Json | None  # what the traveller had chosen before somebody else changed it
    choice: str | None  # how to settle where there is a choice
    drops: str | None  # the create of one other booking to give up
    nothing: bool  # nothing is wanted, on purpose: a cancellation
    ending: str | None  # what concluding without a booking means: rejected | withdrawn | by_hand; choose_again: it asks again
    agreed: Json | None  # Wanted the traveller said yes to, where somebody else has changed it since
    wanted: Json | None  # Wanted: the selection at today's price
    plan: str | None  # documents hash of the plan
    steps: int  # how many steps the plan has
    digest: str | None  # of the plan
    done: int  # steps of the plan carried out
    next: str | None  # where the last step leads, when it has a choice
    stopped: str | None  # why settling stopped: an Outcome, or "disagreeable"
    waits_for: str | None  # operation the trip is parked at
    moved: Json | None  # a flight the airline moved: {was, now: Fare, connection, other_way}
    reason: str | None  # what people are told about it: a key of the wording
    decision: Json | None  # the review's answer, with its command
    notes: list[Json]  # what was said between reviewer and traveller: [{by, text}]
    misses: int  # steps in a row the airline refused for fare or seat
    voided: int  # approvals in a row that no longer held
    concluded: Json | None  # terminal marker: {command_id, status}
