"""What the timeline page is given to reach the product: the views of threads and the previews of ways back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_jsonable_python

from .domain.people import Actor
from .persistence.database import Database
from .rewind import corrections_of
from .service import TravelService
from .views import lists_then, threads
from .views.shapes import OfferView, Reader, SeatMapView
from .views.thread_shapes import Comparison, VersionsPage, VersionView, WayBack
from .web.routes.threads import worded

ON_A_PAGE = 60


@dataclass(frozen=True)
class ThreadFaces:
    service: TravelService
    database: Database

    async def page(self, reader: Reader, thread_id: str, *, before: int | None = None) -> VersionsPage:
        return await self.database.read(lambda tx: threads.versions_page(tx, reader, thread_id, limit=ON_A_PAGE, before=before))

    async def version(self, reader: Reader, thread_id: str, number: int) -> VersionView:
        return await self.database.read(
            lambda tx: threads.version_view(tx, reader, thread_id, number, corrections=corrections_of)
        )

    async def raw(self, actor: Actor, thread_id: str, number: int) -> dict[str, Any]:
        found = await self.service.going_back.raw(actor, thread_id, number)
        state = {"values": found.values, "next": found.next, "metadata": found.metadata}
        return to_jsonable_python(state, fallback=str)

    async def compare(self, reader: Reader, thread_id: str, *, a: str, b: str) -> Comparison:
        return await self.database.read(lambda tx: threads.compare(tx, reader, thread_id, a=a, b=b))

    async def options_then(self, reader: Reader, trip_id: str, number: int) -> Sequence[OfferView]:
        return await self.database.read(lambda tx: lists_then.options_then(tx, reader, trip_id, number))

    async def seat_maps_then(self, reader: Reader, trip_id: str, number: int, n: int) -> Sequence[SeatMapView]:
        return await self.database.read(lambda tx: lists_then.seat_maps_then(tx, reader, trip_id, number, n))

    async def rewind_preview(
        self, actor: Actor, reader: Reader, thread_id: str, *, to: int, corrections: dict[str, Any], settle: str | None
    ) -> WayBack:
        found = await self.service.going_back.preview(actor, thread_id, to_version=to, corrections=corrections, settle=settle)
        return await self.database.read(lambda tx: worded(tx, reader, thread_id, found))

    async def promote_preview(
        self, actor: Actor, reader: Reader, thread_id: str, *, branch_id: str, settle: str | None
    ) -> WayBack:
        found = await self.service.going_back.promote_preview(actor, thread_id, branch_id=branch_id, settle=settle)
        return await self.database.read(lambda tx: worded(tx, reader, thread_id, found))
