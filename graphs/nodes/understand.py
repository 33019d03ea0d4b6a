"""The newest message becomes an `Understanding`. "Now" is when the message came, so that a later run reads the same tomorrow."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from langgraph.runtime import Runtime

from assistant.domain.trips import TripFacts
from assistant.domain.understanding import Slots
from assistant.language.interpreter import Heard, KnownTrip, ShownOptions
from graphs.context import ConversationContext
from graphs.state import SCHEMA_VERSION, ConversationState, Json

RECENT = 8  # messages an interpreter may look back on


async def understand(state: ConversationState, runtime: Runtime[ConversationContext]) -> ConversationState:
    turn = state.get("turn") or {}
    reads = runtime.context.reads
    trips = await reads.trips()
    heard = Heard(
        text=turn["text"],
        recent=await reads.recent(RECENT),
        draft=Slots.model_validate(state.get("draft") or {}),
        shown=_shown(state.get("shown") or [], trips),
        trips=tuple(_known(t) for t in trips),
        now=now_of(turn),
        timezone=turn["timezone"],
    )
    understanding = await runtime.context.interpreter.interpret(heard)
    return {
        "schema_version": SCHEMA_VERSION,
        "understanding": understanding.model_dump(mode="json"),
        "language": understanding.language,
        "timezone": turn["timezone"],
        "proposes": [],
        "wishes": [],
        "told": [],
        "options": [],
        "reply": None,
    }


def now_of(turn: Json) -> datetime:
    """When the message came, on the traveller's clock."""
    return datetime.fromisoformat(turn["at"]).astimezone(ZoneInfo(turn["timezone"]))


def _shown(entries: list[Json], trips: tuple[TripFacts, ...]) -> tuple[ShownOptions, ...]:
    by_id = {t.trip_id: t for t in trips}
    found = [by_id[e["trip_id"]] for e in entries if e["trip_id"] in by_id]
    return tuple(ShownOptions(trip_id=t.trip_id, fares=tuple(s.fare for s in t.fares)) for t in found if t.fares)


def _known(trip: TripFacts) -> KnownTrip:
    request = trip.request
    return KnownTrip(
        trip_id=trip.trip_id,
        origin=request.origin,
        destination=request.destination,
        status=trip.status,
        direction=request.direction,
    )
