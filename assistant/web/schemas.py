"""Bodies and answers of the REST interface that are no command's payload and no view."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, EmailStr, JsonValue

from ..domain.commands import Edits, Note, Settle, Text, VersionNumber
from ..domain.commands import Title as ConversationTitle
from ..domain.people import Documents, Gender, LatinName, NativeName, Phone, Role, Title
from ..domain.understanding import Language
from ..domain.value import Value
from ..domain.written import Day
from ..views.case_shapes import CaseView
from ..views.shapes import (
    CheckView,
    ConversationRow,
    OperationView,
    PersonView,
    PlanView,
    ReviewRow,
    SeatMapView,
    WishView,
)


class CommandAnswer(BaseModel):
    """Where a command stands: `result` once it succeeded, `error` (`{code, ...facts}`) once it failed."""

    model_config = ConfigDict(extra="ignore")

    command_id: str
    kind: str
    status: Literal["accepted", "running", "succeeded", "failed", "cancelled"]
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    created_at: datetime | None = None


class ConversationPatch(Value):
    title: ConversationTitle | None = None
    archived: bool | None = None


class NewText(Value):
    text: Text


class NewNote(Value):
    text: Note


class Nothing(Value):
    pass


class AnswerToQuestion(Value):
    """What the traveller was asked: agree or decline a change, send the same choice again, change it, or ask the desk."""

    answer: Literal["agree", "decline", "resubmit", "change", "ask"]
    message: Note | None = None
    digest: str | None = None


class PreviewOfEdits(Value):
    edits: Edits


class PreviewOfRewind(Value):
    """What to go back to, and what to correct there; nothing is changed."""

    to_version: VersionNumber
    corrections: dict[str, JsonValue] | None = None
    settle: Settle | None = None


class Promotion(Value):
    """`seen_version` is the newest version its author looked at."""

    seen_version: VersionNumber
    settle: Settle | None = None
    confirm: bool = False
    reason: Note


class PreviewOfPromotion(Value):
    settle: Settle | None = None
    seen_version: VersionNumber | None = None
    reason: Note | None = None


class PersonPatch(Value):
    """Only what changes."""

    given_name: LatinName | None = None
    family_name: LatinName | None = None
    native_name: NativeName | None = None
    title: Title | None = None
    gender: Gender | None = None
    born_on: Day | None = None
    email: EmailStr | None = None
    phone: Phone | None = None
    documents: Documents | None = None


class Paused(Value):
    """Purchases are stopped."""

    reason: str | None = None


class Me(Value):
    user_id: str
    tenant_id: str
    name: str
    display_name: str
    roles: tuple[Role, ...]
    language: Language
    timezone: str | None
    paused: Paused | None = None


class ConversationList(Value):
    conversations: tuple[ConversationRow, ...]


class ReviewList(Value):
    reviews: tuple[ReviewRow, ...]


class PersonList(Value):
    people: tuple[PersonView, ...]


class WishList(Value):
    wishes: tuple[WishView, ...]


class OperationList(Value):
    operations: tuple[OperationView, ...]


class CaseList(Value):
    cases: tuple[CaseView, ...]


class SeatMapList(Value):
    seat_maps: tuple[SeatMapView, ...]


class EditPreview(Value):
    """`agree`: the traveller would be asked first."""

    plan: PlanView
    digest: str
    agree: bool
    checks: tuple[CheckView, ...]


class Readiness(Value):
    """`paused`: an operator has stopped purchases. `waiting`: how much does not go on without people; both None if unread.

    `restored`: put back from a backup of when, and what an operator is to do; None once that is settled.
    """

    ready: bool
    checks: dict[str, bool]
    paused: bool | None = None
    restored: str | None = None
    waiting: dict[str, int] | None = None
