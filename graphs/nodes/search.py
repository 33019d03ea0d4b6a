"""search: ask the airline for the day (or days) wished for, and keep the fares that fit."""

from __future__ import annotations

from datetime import timedelta

from langgraph.runtime import Runtime

from assistant.booking.provider import SearchRequest
from assistant.domain.errors import Reason, Refused, Unavailable
from assistant.domain.flights import Fare
from assistant.domain.shortlist import candidates, nearest
from assistant.domain.trips import MOVED, TripRequest
from graphs.context import TripContext
from graphs.state import SCHEMA_VERSION, TripState

MOST_DAYS = 3


def searches(request: TripRequest) -> tuple[SearchRequest, ...]:
    """One search a day of the span, three at most."""
    days = ((request.depart_until or request.depart_on) - request.depart_on).days + 1
    return tuple(
        SearchRequest(
            origin=request.origin,
            destination=request.destination,
            depart_on=request.depart_on + timedelta(days=day),
            cabin=request.cabin,
            max_stops=request.max_stops,
            ages=passenger_ages(request),
        )
        for day in range(min(max(days, 1), MOST_DAYS))
    )


def request_of(state: TripState) -> TripRequest:
    return TripRequest.model_validate(state.get("request"))


def sought_of(state: TripState) -> TripRequest:
    """What was looked for: the request, or the nearest to it that something fits."""
    return TripRequest.model_validate(state.get("loosened") or state.get("request"))


def passenger_ages(request: TripRequest) -> tuple[int | None, ...]:
    return (None,) * request.adults + request.ages


async def search(state: TripState, runtime: Runtime[TripContext]) -> TripState:
    request = request_of(state)
    nothing: TripState = {
        "schema_version": SCHEMA_VERSION,
        "searched": None,
        "prices": {},
        "seat_maps": None,
        "offers_hash": None,
        "loosened": None,
    }
    try:
        found = await _found(request, runtime.context)
    except Unavailable:
        return nothing | {"reason": "airline_out_of_reach"}
    except Refused as refusal:
        return nothing | {"reason": "no_offers" if refusal.reason is Reason.OFFER_GONE else refusal.reason.value}
    fares, loosened = candidates(tuple(found), request), None
    if not fares and (loosened := nearest(tuple(found), request)):
        fares = candidates(tuple(found), loosened)
    if not fares:
        return nothing | {"reason": "filtered_out" if found else "no_offers"}
    hash_ = await runtime.context.reads.keep([fare.model_dump(mode="json") for fare in fares])
    moved = MOVED if state.get("reason") == MOVED else None
    reason = moved or ("nearest" if loosened else None)
    return nothing | {"searched": hash_, "reason": reason, "loosened": loosened and loosened.model_dump(mode="json")}


async def _found(request: TripRequest, context: TripContext) -> list[Fare]:
    """Every fare of the days wished for; where there is none in that cabin or with so few stops, those of any."""
    found: list[Fare] = []
    for each in searches(request):
        found.extend(o.fare for o in await context.desk.shopping.search(each))
    if found or (request.cabin is None and request.max_stops is None):
        return found
    return await _found(request.model_copy(update={"cabin": None, "max_stops": None}), context)
