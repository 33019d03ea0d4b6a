"""Reviews: the inbox and the decision."""

from __future__ import annotations

from fastapi import APIRouter, Depends
from fastapi.responses import JSONResponse

from ...domain.commands import Decide, Kind
from ...persistence.database import Tx
from ...views import reviews
from ...views.reviews import Show
from ...views.shapes import Reader, ReviewView
from ...views.trips import plan_in_words
from ..callers import Caller
from ..door import Door, Wait, key
from ..schemas import CommandAnswer, EditPreview, Nothing, PreviewOfEdits, ReviewList


def routes(door: Door) -> APIRouter:
    router = APIRouter(prefix="/reviews", tags=["reviews"])
    me = Depends(door.callers)

    @router.get("")
    async def listed(caller: Caller = me, status: Show = "waiting") -> ReviewList:
        """`mine` are those one has taken."""
        return ReviewList(reviews=await door.read(caller, lambda tx, reader: reviews.review_list(tx, reader, show=status)))

    @router.get("/{review_id}")
    async def one(review_id: str, caller: Caller = me) -> ReviewView:
        """All that a decision needs; its `digest` goes with the decision."""
        return await door.read(caller, lambda tx, reader: reviews.review(tx, reader, review_id))

    @router.post("/{review_id}/decision", response_model=CommandAnswer)
    async def decide(review_id: str, body: Decide, caller: Caller = me, key: str = Depends(key), wait: Wait = 0) -> JSONResponse:
        """`digest` is that of the plan shown; for an edit that of its preview."""
        return await door.accept(caller, Kind.DECIDE, review_id, body, key=key, wait=wait)

    @router.post("/{review_id}/preview")
    async def preview(review_id: str, body: PreviewOfEdits, caller: Caller = me) -> EditPreview:
        """What an edit would lead to; changes nothing and needs no key."""
        shown = await door.read(caller, lambda tx, reader: reviews.review(tx, reader, review_id))
        plan, agree, checks = await door.travel.preview_edit(caller.actor, review_id, body.edits)

        async def worded(tx: Tx, reader: Reader) -> EditPreview:
            view = await plan_in_words(tx, reader, plan, trip_id=shown.trip_id)
            return EditPreview(plan=view, digest=plan.digest, agree=agree, checks=reviews.checks_view(reader, checks))

        return await door.read(caller, worded)

    @router.post("/{review_id}/claim", response_model=CommandAnswer)
    async def claim(review_id: str, _body: Nothing | None = None, caller: Caller = me, key: str = Depends(key)) -> JSONResponse:
        """Takes it, so that others see who is at it."""
        return await door.accept(caller, Kind.CLAIM_REVIEW, review_id, None, key=key)

    @router.post("/{review_id}/release", response_model=CommandAnswer)
    async def release(review_id: str, _body: Nothing | None = None, caller: Caller = me, key: str = Depends(key)) -> JSONResponse:
        """Puts it back."""
        return await door.accept(caller, Kind.RELEASE_REVIEW, review_id, None, key=key)

    return router
