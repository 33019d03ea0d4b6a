"""read_seat_maps: the seats of each fare's flights; a map that cannot be read leaves the seats to the airline."""

from __future__ import annotations

from langgraph.runtime import Runtime

from assistant.domain.errors import Refused, Unavailable
from graphs.context import TripContext
from graphs.nodes.price_offers import searched_fares
from graphs.nodes.search import searches, sought_of
from graphs.state import TripState


async def read_seat_maps(state: TripState, runtime: Runtime[TripContext]) -> TripState:
    context = runtime.context
    by_day = {s.depart_on: s for s in searches(sought_of(state))}
    hashes: dict[str, list[str]] = {}
    for index, fare in enumerate(await searched_fares(state, context)):
        try:
            maps = await context.desk.shopping.seat_maps(fare, by_day[fare.segments[0].departs.date()])
        except (Refused, Unavailable):
            maps = ()
        hashes[str(index)] = [await context.reads.keep(m.model_dump(mode="json")) for m in maps]
    return {"seat_maps": await context.reads.keep(hashes)}
