"""What the timeline may ask of the product; like all faces it answers for whoever asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from assistant.domain.people import Actor
from assistant.views.shapes import OfferView, Reader, SeatMapView
from assistant.views.thread_shapes import Comparison, VersionsPage, VersionView, WayBack


class ThreadFaces(Protocol):
    """Raises `NotFound` for what is not the reader's, `Gone` for what is pruned, `CommandRefused` for what cannot be."""

    async def page(self, reader: Reader, thread_id: str, *, before: int | None = None) -> VersionsPage: ...

    async def version(self, reader: Reader, thread_id: str, number: int) -> VersionView: ...

    async def raw(self, actor: Actor, thread_id: str, number: int) -> dict[str, Any]:
        """Values, next nodes and metadata, for reviewers."""
        ...

    async def compare(self, reader: Reader, thread_id: str, *, a: str, b: str) -> Comparison: ...

    async def options_then(self, reader: Reader, trip_id: str, number: int) -> Sequence[OfferView]: ...

    async def seat_maps_then(self, reader: Reader, trip_id: str, number: int, n: int) -> Sequence[SeatMapView]: ...

    async def rewind_preview(
        self, actor: Actor, reader: Reader, thread_id: str, *, to: int, corrections: dict[str, Any], settle: str | None
    ) -> WayBack:
        """Changes nothing."""
        ...

    async def promote_preview(
        self, actor: Actor, reader: Reader, thread_id: str, *, branch_id: str, settle: str | None
    ) -> WayBack:
        """Changes nothing."""
        ...
