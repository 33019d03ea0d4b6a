"""Trips: the card, the seat maps, and what a traveller may do with one."""

from __future__ import annotations

from fastapi import APIRouter, Depends
from fastapi.responses import JSONResponse

from ...changing import cancellation_preview, revision_preview
from ...domain.commands import Agree, CancelTrip, Choose, Kind, NamePassengers, Reply, ReviseTrip
from ...views import seat_maps, trips
from ...views.shapes import TripView
from ...views.thread_shapes import WayBack
from ..callers import Caller
from ..door import Door, Wait, key
from ..schemas import AnswerToQuestion, CommandAnswer, SeatMapList
from .threads import worded


def routes(door: Door) -> APIRouter:
    router = APIRouter(prefix="/trips", tags=["trips"])
    me = Depends(door.callers)

    @router.get("/{trip_id}")
    async def one(trip_id: str, caller: Caller = me) -> TripView:
        """The list to choose from, the choice, what will change, what it waits for, what is booked."""
        return await door.read(caller, lambda tx, reader: trips.trip(tx, reader, trip_id))

    @router.get("/{trip_id}/offers/{n}/seat_map")
    async def seat_map(trip_id: str, n: int, caller: Caller = me) -> SeatMapList:
        """One map a flight of option `n`; seats scored against the traveller's preferences."""
        maps = await door.read(caller, lambda tx, reader: seat_maps.seat_maps(tx, reader, trip_id, n))
        return SeatMapList(seat_maps=maps)

    @router.post("/{trip_id}/choice", response_model=CommandAnswer)
    async def choose(trip_id: str, body: Choose, caller: Caller = me, key: str = Depends(key), wait: Wait = 0) -> JSONResponse:
        """Seats are by passenger, then by flight, both from 1: `{"1": {"1": "14A"}}`."""
        return await door.accept(caller, Kind.CHOOSE, trip_id, body, key=key, wait=wait)

    @router.post("/{trip_id}/answer", response_model=CommandAnswer)
    async def answer(
        trip_id: str, body: AnswerToQuestion, caller: Caller = me, key: str = Depends(key), wait: Wait = 0
    ) -> JSONResponse:
        """To what the traveller was asked (`question`)."""
        said = body.model_dump(mode="json", exclude_unset=True)
        if body.answer == "agree" or body.answer == "decline":
            return await door.accept(caller, Kind.AGREE, trip_id, Agree.model_validate(said), key=key, wait=wait)
        said.pop("digest", None)
        return await door.accept(caller, Kind.CHOOSE, trip_id, Choose.model_validate(said), key=key, wait=wait)

    @router.post("/{trip_id}/reply", response_model=CommandAnswer)
    async def reply(trip_id: str, body: Reply, caller: Caller = me, key: str = Depends(key), wait: Wait = 0) -> JSONResponse:
        """A reviewer's answer to a traveller who asked the desk (`asks`); the traveller decides then."""
        return await door.accept(caller, Kind.REPLY, trip_id, body, key=key, wait=wait)

    @router.post("/{trip_id}/passengers", response_model=CommandAnswer)
    async def name_passengers(trip_id: str, body: NamePassengers, caller: Caller = me, key: str = Depends(key)) -> JSONResponse:
        """Who travels, in order: ids of the directory."""
        return await door.accept(caller, Kind.NAME_PASSENGERS, trip_id, body, key=key)

    @router.post("/{trip_id}/revision", response_model=CommandAnswer)
    async def revise(
        trip_id: str, body: ReviseTrip, caller: Caller = me, key: str = Depends(key), wait: Wait = 0
    ) -> JSONResponse:
        """Another request, option or seats, once something was chosen."""
        return await door.accept(caller, Kind.REVISE_TRIP, trip_id, body, key=key, wait=wait)

    @router.post("/{trip_id}/revision/preview")
    async def preview_revision(trip_id: str, body: ReviseTrip, caller: Caller = me) -> WayBack:
        """What it would mean; changes nothing and needs no key. Another request has no plan yet: nothing is chosen."""
        found = await revision_preview(door.travel.going_back, caller.actor, trip_id, body)
        return await door.read(caller, lambda tx, reader: worded(tx, reader, trip_id, found))

    @router.post("/{trip_id}/cancellation/preview")
    async def preview_cancellation(trip_id: str, body: CancelTrip | None = None, caller: Caller = me) -> WayBack:
        """What would be given back; changes nothing and needs no key."""
        found = await cancellation_preview(door.travel.going_back, caller.actor, trip_id, body or CancelTrip())
        return await door.read(caller, lambda tx, reader: worded(tx, reader, trip_id, found))

    @router.post("/{trip_id}/cancellation", response_model=CommandAnswer)
    async def cancel(
        trip_id: str, body: CancelTrip | None = None, caller: Caller = me, key: str = Depends(key), wait: Wait = 0
    ) -> JSONResponse:
        """Of the whole trip, or of one `order_id` of it."""
        return await door.accept(caller, Kind.CANCEL_TRIP, trip_id, body, key=key, wait=wait)

    return router
