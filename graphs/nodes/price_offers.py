"""price_offers: read each fare's price again; what has gone since the search drops out."""

from __future__ import annotations

from langgraph.runtime import Runtime

from assistant.domain.errors import Refused, Unavailable
from assistant.domain.flights import Fare
from graphs.context import TripContext
from graphs.nodes.search import searches, sought_of
from graphs.state import Json, TripState


async def searched_fares(state: TripState, context: TripContext) -> tuple[Fare, ...]:
    """The fares the search kept, in their order; their index names them in `prices` and `seat_maps`."""
    key = state.get("searched")
    return tuple(Fare.model_validate(f) for f in await context.reads.document(key)) if key else ()


async def price_offers(state: TripState, runtime: Runtime[TripContext]) -> TripState:
    by_day = {s.depart_on: s for s in searches(sought_of(state))}
    prices: Json = {}
    for index, fare in enumerate(await searched_fares(state, runtime.context)):
        try:
            priced = await runtime.context.desk.shopping.priced(fare, by_day[fare.segments[0].departs.date()])
            prices[str(index)] = priced.model_dump(mode="json")
        except Refused as refusal:
            prices[str(index)] = refusal.reason.value
        except Unavailable:
            prices[str(index)] = fare.model_dump(mode="json")  # as searched; read again before anything is bought
    return {"prices": prices}
