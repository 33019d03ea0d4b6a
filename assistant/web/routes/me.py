"""Oneself: who one is, what has changed, seat wishes, and the passengers one books for."""

from __future__ import annotations

from fastapi import APIRouter, Depends
from fastapi.responses import JSONResponse

from ...domain.commands import Kind
from ...domain.people import GivenDetails
from ...persistence import signals
from ...views import people
from ...views.shapes import ChangesView, PersonView
from ...wording.pauses import why_paused
from ..callers import Caller
from ..door import Door, key, key_or_new
from ..schemas import CommandAnswer, Me, Paused, PersonList, PersonPatch, WishList


def routes(door: Door) -> APIRouter:
    router = APIRouter(tags=["me"])
    me = Depends(door.callers)

    @router.get("/me")
    async def who(caller: Caller = me) -> Me:
        """Who is calling; and whether purchases are paused, and why."""
        user = caller.user
        pause = await door.read(caller, lambda tx, _: signals.paused(tx))
        return Me(
            user_id=user.user_id,
            tenant_id=user.tenant_id,
            name=user.name,
            display_name=user.display_name,
            roles=user.roles,
            language=caller.language,
            timezone=user.timezone,
            paused=None if pause is None else Paused(reason=why_paused(pause, caller.language)),
        )

    @router.get("/me/changes")
    async def changes(caller: Caller = me) -> ChangesView:
        """Counters that only rise; read again what one of them is about when it has."""
        return await door.read(caller, people.changes_view)

    @router.get("/me/preferences")
    async def preferences(caller: Caller = me) -> WishList:
        """Seat preferences that count now."""
        return WishList(wishes=await door.read(caller, people.wishes_view))

    @router.delete("/me/preferences/{wish_id}", response_model=CommandAnswer)
    async def forget(wish_id: str, caller: Caller = me, key: str = Depends(key_or_new)) -> JSONResponse:
        """Forgets a preference."""
        return await door.accept(caller, Kind.FORGET_WISH, wish_id, None, key=key)

    @router.get("/people")
    async def listed(caller: Caller = me) -> PersonList:
        """The passengers one books for, oneself first."""
        return PersonList(people=await door.read(caller, people.people_view))

    @router.get("/people/{person_id}")
    async def one(person_id: str, caller: Caller = me) -> PersonView:
        """A passenger, with what is still missing for an order."""
        return await door.read(caller, lambda tx, reader: people.person(tx, reader, person_id))

    @router.post("/people", response_model=CommandAnswer)
    async def add(body: GivenDetails, caller: Caller = me, key: str = Depends(key)) -> JSONResponse:
        """Answers with the `person_id`."""
        details = body.model_dump(mode="json", exclude_unset=True)
        return await door.accept(caller, Kind.SAVE_PERSON, "", {"details": details}, key=key)

    @router.patch("/people/{person_id}", response_model=CommandAnswer)
    async def change(person_id: str, body: PersonPatch, caller: Caller = me, key: str = Depends(key_or_new)) -> JSONResponse:
        """Only what is sent changes."""
        details = body.model_dump(mode="json", exclude_unset=True)
        patch = {"person_id": person_id, "details": details}
        return await door.accept(caller, Kind.SAVE_PERSON, person_id, patch, key=key)

    return router
