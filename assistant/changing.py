"""Previews of changes that are no mistakes: revising and cancelling are going back to where one is."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from .accepting.ground import Ground, own_trip
from .accepting.trips import revised_selection
from .domain.commands import CancelTrip, Command, Kind, ReviseTrip
from .domain.errors import Conflict
from .domain.people import Actor
from .domain.trips import Selection
from .driving import Enter
from .going_back import GoingBack
from .persistence import threads, versions
from .persistence.database import Tx
from .rewind import checked_corrections, corrected_request
from .ways import Preview, Way


async def revision_preview(back: GoingBack, actor: Actor, trip_id: str, wanted: ReviseTrip) -> Preview:
    """Another request shows the orders and no plan, since nothing is chosen yet; another option or seat shows the plan."""

    async def read(tx: Tx) -> tuple[Row[Any], int, Selection | None]:
        ground = _ground(back, tx, actor, Kind.REVISE_TRIP, trip_id)
        trip = await own_trip(ground, trip_id)
        if wanted.request is not None:
            checked_corrections("trip", "start", dict(wanted.request))
            corrected_request(dict(trip.request), dict(wanted.request), at=back.clock())
            return *await _head(tx, trip_id), None
        return *await _head(tx, trip_id), await revised_selection(ground, trip, offer=wanted.offer, seats=wanted.seats)

    thread, head, selection = await back.database.read(read)
    way = Way(Enter(thread.head_checkpoint_id, "choose", {}), selection=selection, chooses=selection is not None)
    return await back.preview_of(actor, trip_id, head, way, wanted.settle)


async def cancellation_preview(back: GoingBack, actor: Actor, trip_id: str, wanted: CancelTrip) -> Preview:
    """What is given back, at the newest quote or as the fare's rules say."""

    async def read(tx: Tx) -> tuple[Row[Any], int]:
        await own_trip(_ground(back, tx, actor, Kind.CANCEL_TRIP, trip_id), trip_id, or_reviewer=True)
        return await _head(tx, trip_id)

    thread, head = await back.database.read(read)
    return await back.preview_of(actor, trip_id, head, Way(Enter(thread.head_checkpoint_id, "choose", {}), chooses=True), None)


def _ground(back: GoingBack, tx: Tx, actor: Actor, kind: Kind, trip_id: str) -> Ground:
    command = Command(command_id="preview", kind=kind, actor=actor, target=trip_id)
    return Ground(tx, command, back.clock(), back.policy, back.follow_ups)


async def _head(tx: Tx, trip_id: str) -> tuple[Row[Any], int]:
    """Raises Conflict (`busy`) while the trip has not come to rest once."""
    thread = await threads.find(tx, trip_id)
    if thread is None or thread.head_checkpoint_id is None:
        raise Conflict("busy")
    return thread, await versions.leaf_of(tx, thread.main_branch_id) or 0
