"""The airline has moved a flight, or given up its order: the ledger learns it, and the trip asks its traveller what now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import ledger
from .desk import BookingDesk, Errand
from .domain.clock import Clock
from .domain.flights import Fare, Segment
from .domain.ids import derived
from .domain.moves import Move, connection_works, other_way_works, selection_after
from .domain.plans import Wanted
from .domain.trips import CANCELLED_ELSEWHERE, MOVED, Selection, TripStatus
from .driving import Enter, Entry, Rest
from .persistence import trips
from .persistence.commands import Job
from .persistence.database import Database, Tx


@dataclass(frozen=True)
class MovedFlights:
    """`chosen` is what entering the trip graph after a choice must set."""

    database: Database
    desk: BookingDesk
    clock: Clock
    chosen: Any

    async def entry(self, job: Job, values: dict[str, Any]) -> Entry:
        """Enter as `shortlist` with the facts; stay where the trip is, if what it wants now was not moved."""
        order = await self.desk.read_order(job.payload["order_id"])
        at, told_by = self.clock(), first_of(job)
        if order.is_over:
            return await self._gone(job, values)
        move = await self.database.write(lambda tx: ledger.move_order(tx, order.order_id, order.segments, told_by=told_by, at=at))
        selection = Selection.model_validate(values["selection"]) if values.get("selection") else None
        kept = selection_after(selection, move) if selection and move else None
        if move is None or kept is None or job.thread.head_checkpoint_id is None:
            return Rest()
        wanted = Wanted(itinerary=move.after, fare=move.now, total=order.total, hold=False)
        entered = self.chosen(kept.model_dump(mode="json")) | {
            "wanted": wanted.model_dump(mode="json"),
            "offers_hash": None,
            "searched": None,
            "reason": MOVED,
            "moved": await self.database.read(lambda tx: facts_of(tx, job.thread.thread_id, move)),
        }
        return Enter(job.thread.head_checkpoint_id, "shortlist", entered)

    async def _gone(self, job: Job, values: dict[str, Any]) -> Entry:
        """Somebody has cancelled it beside us: where the trip was booked with it, people say what now."""
        trip = await self.database.read(lambda tx: trips.find(tx, job.thread.thread_id))
        head = job.thread.head_checkpoint_id
        if trip is None or trip.status != TripStatus.BOOKED or head is None:
            return Rest()
        page = await self.desk.live_orders(Errand(trip.tenant_id, trip.owner_id, trip.trip_id, job.run_id))
        if any(not order.aside for order in page.orders):
            return Rest()
        entered = self.chosen(values.get("selection")) | {"offers_hash": None, "searched": None}
        return Enter(head, "shortlist", entered | {"reason": CANCELLED_ELSEWHERE})


def first_of(job: Job) -> str:
    """The id under which the airline's event was first given: where that command failed, one of another id goes on with it."""
    event_id = job.payload.get("event_id")
    return derived(MOVED, event_id) if event_id else job.command.command_id


async def facts_of(tx: Tx, trip_id: str, move: Move) -> dict[str, Any]:
    """What people are told: old and new flights, whether the connection and the other way of the journey still work."""
    return {
        "order_id": move.order_id,
        "was": move.was.model_dump(mode="json"),
        "now": move.now.model_dump(mode="json"),
        "connection": connection_works(move.now.segments),
        "other_way": await _other_way(tx, trip_id, move.now.segments),
    }


async def _other_way(tx: Tx, trip_id: str, segments: tuple[Segment, ...]) -> bool | None:
    """None where the journey has no other way that is chosen."""
    trip = await trips.find(tx, trip_id)
    others = await trips.of_journey(tx, trip.journey_id) if trip else []
    fares = [Fare.model_validate(o.chosen).segments for o in others if o.trip_id != trip_id and o.chosen and o.create_ids]
    if not fares:
        return None
    first, second = sorted((segments, fares[0]), key=lambda each: each[0].departs)
    return other_way_works(first, second)
