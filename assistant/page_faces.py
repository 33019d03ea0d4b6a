"""What the pages are given to reach the product: the service and the views, for whoever the guard has found."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .domain.clock import Clock
from .domain.commands import Command, Edits, Receipt
from .domain.errors import NotFound
from .domain.people import Actor
from .persistence import signals, users
from .persistence.database import Database
from .service import TravelService
from .thread_faces import ThreadFaces
from .views import cases, conversations, people, reviews, seat_maps, trips
from .views.case_shapes import CaseView
from .views.shapes import (
    CheckView,
    ConversationRow,
    ConversationView,
    PersonView,
    PlanView,
    Reader,
    ReviewRow,
    ReviewView,
    SeatMapView,
    TripView,
)
from .web.callers import Callers
from .wording.pauses import why_paused


class Asking(Protocol):
    """A request of a signed-in person; Gradio's and Starlette's both are."""

    @property
    def headers(self) -> Mapping[str, str]: ...

    @property
    def cookies(self) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class Made:
    """The classes of `ui` that this hands back; the composition root names them, so that nothing here imports the pages."""

    signed_in: Any
    preview: Any


@dataclass(frozen=True)
class PageFaces:
    service: TravelService
    database: Database
    callers: Callers
    clock: Clock
    sandbox: bool
    made: Made

    async def who(self, request: Asking) -> Any:
        caller = await self.callers.of_page(request.cookies, request.headers)
        zone = caller.user.timezone or "UTC"
        pause = await self.database.read(signals.paused)
        return self.made.signed_in(
            actor=caller.actor,
            language=caller.language,
            timezone=zone,
            demo=self.sandbox,
            now=self.clock(),
            paused=None if pause is None else why_paused(pause, caller.language) or "",
        )

    @property
    def threads(self) -> ThreadFaces:
        return ThreadFaces(self.service, self.database)

    async def accept(self, command: Command) -> Receipt:
        return await self.service.accept(command)

    async def settled(self, tenant_id: str, command_id: str, *, wait: float) -> Receipt:
        return await self.service.settled(tenant_id, command_id, wait=wait)

    def pieces(self, actor: Actor, command_id: str) -> AsyncIterator[str]:
        return self.service.pieces(actor, command_id)

    async def cases(self, reader: Reader) -> Sequence[CaseView]:
        now = self.clock()
        return await self.database.read(lambda tx: cases.cases(tx, reader, now=now))

    async def case(self, reader: Reader, case_id: str) -> CaseView:
        now = self.clock()
        found = await self.database.read(lambda tx: cases.cases(tx, reader, now=now, only=case_id))
        if not found:
            raise NotFound("not_found", what="case")
        return found[0]

    async def need_a_person(self, reader: Reader) -> int:
        now = self.clock()
        return await self.database.read(lambda tx: cases.needing_a_person(tx, reader, now=now))

    async def conversations(
        self, reader: Reader, *, search: str | None = None, archived: bool = False
    ) -> Sequence[ConversationRow]:
        return await self.database.read(lambda tx: conversations.conversation_list(tx, reader, search=search, archived=archived))

    async def conversation(self, reader: Reader, conversation_id: str) -> ConversationView:
        return await self.database.read(lambda tx: conversations.conversation(tx, reader, conversation_id))

    async def trip(self, reader: Reader, trip_id: str) -> TripView:
        return await self.database.read(lambda tx: trips.trip(tx, reader, trip_id))

    async def seat_maps(self, reader: Reader, trip_id: str, n: int) -> Sequence[SeatMapView]:
        return await self.database.read(lambda tx: seat_maps.seat_maps(tx, reader, trip_id, n))

    async def people(self, reader: Reader) -> Sequence[PersonView]:
        return await self.database.read(lambda tx: people.people_view(tx, reader))

    async def reviews(self, reader: Reader, *, status: str = "waiting") -> Sequence[ReviewRow]:
        show: Any = status
        return await self.database.read(lambda tx: reviews.review_list(tx, reader, show=show))

    async def review(self, reader: Reader, review_id: str) -> ReviewView:
        return await self.database.read(lambda tx: reviews.review(tx, reader, review_id))

    async def preview_edit(self, actor: Actor, review_id: str, edits: Edits) -> Any:
        user = await self.database.read(lambda tx: users.by_id(tx, actor.user_id))
        language, zone = (user.language or "en", user.timezone or "UTC") if user else ("en", "UTC")
        reader = Reader(tenant_id=actor.tenant_id, user_id=actor.user_id, reviewer=True, language=language, timezone=zone)
        shown = await self.review(reader, review_id)
        plan, agree, checks = await self.service.preview_edit(actor, review_id, edits)
        words: PlanView = await self.database.read(lambda tx: trips.plan_in_words(tx, reader, plan, trip_id=shown.trip_id))
        listed: tuple[CheckView, ...] = reviews.checks_view(reader, checks)
        return self.made.preview(plan=words, digest=plan.digest, agree=agree, checks=listed)
