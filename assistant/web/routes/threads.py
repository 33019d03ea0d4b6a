"""Threads: the timeline of a conversation or trip, and the ways back."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import JSONResponse
from pydantic_core import to_jsonable_python

from ...domain.commands import Kind, NoteBranch, PromoteBranch, Rewind, VersionNumber
from ...persistence.database import Tx
from ...rewind import corrections_of
from ...views import threads
from ...views.shapes import Reader
from ...views.thread_shapes import Comparison, VersionsPage, VersionView, WayBack
from ...views.ways_back import way_back
from ...ways import Preview
from ..callers import Caller
from ..door import Door, Wait, key
from ..schemas import CommandAnswer, NewNote, Nothing, PreviewOfPromotion, PreviewOfRewind, Promotion

Limit = Annotated[int, Query(ge=1, le=200)]
Before = Annotated[VersionNumber | None, Query(description="Older than this version")]
Side = Annotated[str, Query(min_length=1, max_length=64, description="A version's number, or a branch's id for its newest")]


def routes(door: Door) -> APIRouter:
    router = APIRouter(prefix="/threads", tags=["threads"])
    me = Depends(door.callers)

    @router.get("/{thread_id}/versions")
    async def page(thread_id: str, caller: Caller = me, limit: Limit = 50, before: Before = None) -> VersionsPage:
        """The newest first. `thread_id` is a conversation's or a trip's id; `newest` is what a rewind names as seen."""
        return await door.read(
            caller, lambda tx, reader: threads.versions_page(tx, reader, thread_id, limit=limit, before=before)
        )

    @router.get("/{thread_id}/versions/{version}")
    async def one(thread_id: str, version: VersionNumber, caller: Caller = me, raw: bool = False) -> VersionView:
        """Its facts, how it differs from now, and what can be corrected there. `raw`, for reviewers: as the graph has it."""
        shown = await door.read(
            caller, lambda tx, reader: threads.version_view(tx, reader, thread_id, version, corrections=corrections_of)
        )
        if not raw:
            return shown
        found = await door.travel.going_back.raw(caller.actor, thread_id, version)
        state = {"values": found.values, "next": found.next, "metadata": found.metadata}
        return shown.model_copy(update={"raw": to_jsonable_python(state, fallback=str)})

    @router.get("/{thread_id}/compare")
    async def compare(thread_id: str, a: Side, b: Side, caller: Caller = me) -> Comparison:
        """In domain fields: flight, seat, fare, total, decision, booking."""
        return await door.read(caller, lambda tx, reader: threads.compare(tx, reader, thread_id, a=a, b=b))

    @router.post("/{thread_id}/rewind/preview")
    async def preview(thread_id: str, body: PreviewOfRewind, caller: Caller = me) -> WayBack:
        """What it would mean; changes nothing and needs no key."""
        found = await door.travel.going_back.preview(
            caller.actor, thread_id, to_version=body.to_version, corrections=_plain(body.corrections), settle=body.settle
        )
        return await door.read(caller, lambda tx, reader: worded(tx, reader, thread_id, found))

    @router.post("/{thread_id}/rewind", response_model=CommandAnswer)
    async def rewind(thread_id: str, body: Rewind, caller: Caller = me, key: str = Depends(key), wait: Wait = 0) -> JSONResponse:
        """The result is `{branch_id, version}`. `seen_version` is the `newest` one looked at."""
        return await door.accept(caller, Kind.REWIND, thread_id, body, key=key, wait=wait)

    @router.post("/{thread_id}/stop", response_model=CommandAnswer)
    async def stop(thread_id: str, _body: Nothing | None = None, caller: Caller = me, key: str = Depends(key)) -> JSONResponse:
        """Stops going back while it still looks; the line there was stays. What buys or cancels runs to its end."""
        return await door.accept(caller, Kind.STOP, thread_id, None, key=key)

    @router.post("/{thread_id}/branches/{branch_id}/promote/preview")
    async def preview_promotion(
        thread_id: str, branch_id: str, body: PreviewOfPromotion | None = None, caller: Caller = me
    ) -> WayBack:
        """What making an abandoned branch the main line would mean; changes nothing and needs no key."""
        settle = body.settle if body else None
        found = await door.travel.going_back.promote_preview(caller.actor, thread_id, branch_id=branch_id, settle=settle)
        return await door.read(caller, lambda tx, reader: worded(tx, reader, thread_id, found))

    @router.post("/{thread_id}/branches/{branch_id}/promote", response_model=CommandAnswer)
    async def promote(
        thread_id: str, branch_id: str, body: Promotion, caller: Caller = me, key: str = Depends(key), wait: Wait = 0
    ) -> JSONResponse:
        """Makes an abandoned branch the main line."""
        said = PromoteBranch(branch_id=branch_id, **body.model_dump(exclude_unset=True))
        return await door.accept(caller, Kind.PROMOTE_BRANCH, thread_id, said, key=key, wait=wait)

    @router.post("/{thread_id}/branches/{branch_id}/note", response_model=CommandAnswer)
    async def note(
        thread_id: str, branch_id: str, body: NewNote, caller: Caller = me, key: str = Depends(key), wait: Wait = 0
    ) -> JSONResponse:
        """A reviewer's note on a branch, instead of the one there was; an empty text takes it away."""
        said = NoteBranch(branch_id=branch_id, text=body.text)
        return await door.accept(caller, Kind.NOTE_BRANCH, thread_id, said, key=key, wait=wait)

    return router


async def worded(tx: Tx, reader: Reader, thread_id: str, found: Preview) -> WayBack:
    """A preview in the reader's words."""
    return await way_back(
        tx,
        reader,
        thread_id,
        leaves=found.leaves,
        withdraws=found.withdraws,
        plan=found.plan,
        agree=found.agree,
        review=found.review,
        another=found.another,
        allowed=found.allowed,
        why=found.why,
        departs=found.departs,
        confirm=found.confirm,
    )


def _plain(corrections: Any) -> dict[str, Any] | None:
    return dict(corrections) if corrections is not None else None
