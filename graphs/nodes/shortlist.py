"""shortlist: the numbered list a traveller sees, each option with the best seats for their wishes and the reasons."""

from __future__ import annotations

from langgraph.runtime import Runtime

from assistant.domain.flights import Fare, SeatMap
from assistant.domain.money import zero
from assistant.domain.seating import SeatProposal, TravellerWishes, propose
from assistant.domain.shortlist import fits
from assistant.domain.trips import ActiveWish, SeatSuggestion, ShownFare, TripRequest
from assistant.domain.understanding import Strength
from graphs.context import TripContext
from graphs.nodes.search import passenger_ages, request_of, sought_of
from graphs.state import TripState


async def shortlist(state: TripState, runtime: Runtime[TripContext]) -> TripState:
    context = runtime.context
    request = request_of(state)
    sought = sought_of(state)
    prices = state.get("prices") or {}
    priced = {i: Fare.model_validate(p) for i, p in prices.items() if isinstance(p, dict)}
    kept = {i: fare for i, fare in sorted(priced.items(), key=lambda each: int(each[0])) if fits(fare, sought)}
    if not kept:
        gone = next((p for p in prices.values() if isinstance(p, str)), None)
        return {"offers_hash": None, "reason": state.get("reason") or gone or ("filtered_out" if priced else "no_offers")}
    key = state.get("seat_maps")
    hashes: dict[str, list[str]] = await context.reads.document(key) if key else {}
    travellers = travellers_of(request, await context.reads.wishes())
    shown: list[ShownFare] = []
    maps_by_n: dict[str, list[str]] = {}
    for n, (index, fare) in enumerate(kept.items(), start=1):
        maps_by_n[str(n)] = hashes.get(index, [])
        maps = [SeatMap.model_validate(await context.reads.document(h)) for h in maps_by_n[str(n)]]
        shown.append(shown_fare(n, fare, tuple(maps), travellers))
    body = {"fares": [s.model_dump(mode="json") for s in shown], "seat_maps": maps_by_n}
    return {"offers_hash": await context.reads.keep(body)}


def travellers_of(request: TripRequest, wishes: tuple[ActiveWish, ...]) -> tuple[TravellerWishes, ...]:
    """The speaker sits first; "she" is the second when two travel."""
    own = tuple(w for w in wishes if w.whose is None)
    others = tuple(w for w in wishes if w.whose is not None)
    ages = passenger_ages(request)
    return tuple(
        TravellerWishes(passenger=str(i), wishes=own if i == 0 else others if i == 1 and len(ages) == 2 else (), age=age)
        for i, age in enumerate(ages)
    )


def shown_fare(n: int, fare: Fare, maps: tuple[SeatMap, ...], travellers: tuple[TravellerWishes, ...]) -> ShownFare:
    """Option n with its seats; where no seat can be chosen it has none."""
    seats: list[SeatSuggestion] = []
    fit, missed, total = True, list[str](), fare.total
    for seat_map in (m for m in maps if m.cabins):
        proposal = _proposal(seat_map, fare, travellers)
        fit = fit and proposal.fits
        missed += [wish.position.value for _, wish in proposal.missed if wish.position.value not in missed]
        for each in proposal.seats:
            if each.seat is None:
                continue
            total = total + (each.price or zero(total.currency))
            seats.append(
                SeatSuggestion(
                    position=int(each.passenger),
                    segment_key=seat_map.segment_key,
                    designator=each.seat.designator,
                    price=each.price,
                    reasons=tuple(reason.value for reason in each.seat.reasons),
                )
            )
    return ShownFare(n=n, fare=fare, seats=tuple(seats), seats_fit=fit, missed=tuple(missed), total=total)


def _proposal(seat_map: SeatMap, fare: Fare, travellers: tuple[TravellerWishes, ...]) -> SeatProposal:
    """Free seats first. Where the fare has none and somebody wished for a place, seats for money, shown with their price."""
    free = propose(seat_map, cabin=fare.cabin, travellers=travellers, free_only=False)
    wished = any(t.wishes for t in travellers)
    if free.designators or not wished:
        return free
    insisting = tuple(
        t.model_copy(update={"wishes": tuple(w.model_copy(update={"strength": Strength.MUST}) for w in t.wishes)})
        for t in travellers
    )
    return propose(seat_map, cabin=fare.cabin, travellers=insisting, free_only=False)
