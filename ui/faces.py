"""What the pages may ask of the product. They have no authority of their own: every answer is made for the reader who asks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from assistant.domain.commands import Command, Edits, Receipt
from assistant.domain.people import Actor, Role
from assistant.domain.understanding import Language
from assistant.views.case_shapes import CaseView
from assistant.views.shapes import (
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

from .thread_faces import ThreadFaces


class Asking(Protocol):
    """A request of a signed-in person; Gradio's and Starlette's both are."""

    @property
    def headers(self) -> Mapping[str, str]: ...

    @property
    def cookies(self) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class SignedIn:
    """`now` is aware UTC; `demo`: the airline is the sandbox, so that nothing is a real ticket.

    `paused`: an operator has stopped purchases, and why ("" without a reason); None while they go on.
    """

    actor: Actor
    language: Language
    timezone: str
    demo: bool
    now: datetime
    paused: str | None = None

    @property
    def reader(self) -> Reader:
        return Reader(
            tenant_id=self.actor.tenant_id,
            user_id=self.actor.user_id,
            reviewer=self.actor.can(Role.REVIEWER),
            language=self.language,
            timezone=self.timezone,
        )


@dataclass(frozen=True)
class Preview:
    """A plan as it would be after a reviewer's edits; `agree`: the traveller would be asked first."""

    plan: PlanView
    digest: str
    agree: bool
    checks: tuple[CheckView, ...]


class Faces(Protocol):
    """Views raise `NotFound` for what is not the reader's; `accept` raises `CommandRefused`."""

    async def who(self, request: Asking) -> SignedIn: ...

    @property
    def threads(self) -> ThreadFaces:
        """The timeline's."""
        ...

    async def accept(self, command: Command) -> Receipt: ...

    async def settled(self, tenant_id: str, command_id: str, *, wait: float) -> Receipt:
        """Where a command stands, at the latest after `wait` seconds."""
        ...

    def pieces(self, actor: Actor, command_id: str) -> AsyncIterator[str]:
        """The reply of a running command of theirs as it is written; ends with it."""
        ...

    async def cases(self, reader: Reader) -> Sequence[CaseView]:
        """What needs an operator, 200 at most. Raises `Forbidden` for who is no reviewer."""
        ...

    async def case(self, reader: Reader, case_id: str) -> CaseView:
        """Raises `Forbidden`, or `NotFound` where it is settled by now."""
        ...

    async def need_a_person(self, reader: Reader) -> int:
        """How many cases do. Raises `Forbidden`."""
        ...

    async def conversations(
        self, reader: Reader, *, search: str | None = None, archived: bool = False
    ) -> Sequence[ConversationRow]: ...

    async def conversation(self, reader: Reader, conversation_id: str) -> ConversationView: ...

    async def trip(self, reader: Reader, trip_id: str) -> TripView: ...

    async def seat_maps(self, reader: Reader, trip_id: str, n: int) -> Sequence[SeatMapView]:
        """The maps of option `n` of a trip, one for each flight of it; empty where seats cannot be chosen."""
        ...

    async def people(self, reader: Reader) -> Sequence[PersonView]: ...

    async def reviews(self, reader: Reader, *, status: str = "waiting") -> Sequence[ReviewRow]:
        """`status` is waiting or done."""
        ...

    async def review(self, reader: Reader, review_id: str) -> ReviewView: ...

    async def preview_edit(self, actor: Actor, review_id: str, edits: Edits) -> Preview:
        """What an edit would lead to. Changes nothing; raises `CommandRefused` where it cannot be."""
        ...
