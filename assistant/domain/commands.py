"""Commands: one confirmed intent each. Imperative, frozen, and the same thing whenever the same key comes again."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, JsonValue, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from .ids import fingerprint
from .people import Actor
from .trips import IfGone
from .value import Value
from .written import printable


class Kind(StrEnum):
    SEND_MESSAGE = "send_message"
    EDIT_MESSAGE = "edit_message"
    REGENERATE = "regenerate"
    START_TRIP = "start_trip"
    CHOOSE = "choose"
    AGREE = "agree"
    REVISE_TRIP = "revise_trip"
    CANCEL_TRIP = "cancel_trip"
    DECIDE = "decide"
    REPLY = "reply"
    REWIND = "rewind"
    PROMOTE_BRANCH = "promote_branch"
    # made by the product, in order
    NOTIFY = "notify"
    EXPIRE = "expire"
    OUTCOME = "outcome"
    WITHDRAW = "withdraw"
    MOVED = "moved"
    ASK_AGAIN = "ask_again"
    # carried out in the accept transaction
    CREATE_CONVERSATION = "create_conversation"
    RENAME = "rename"
    ARCHIVE = "archive"
    STOP = "stop"
    CLAIM_REVIEW = "claim_review"
    RELEASE_REVIEW = "release_review"
    FORGET_WISH = "forget_wish"
    SAVE_PERSON = "save_person"
    NAME_PASSENGERS = "name_passengers"
    RESOLVE_OPERATION = "resolve_operation"
    NOTE_BRANCH = "note_branch"
    PAUSE = "pause"
    RESUME = "resume"


IMMEDIATE = frozenset(
    {Kind.CREATE_CONVERSATION, Kind.RENAME, Kind.ARCHIVE, Kind.STOP, Kind.CLAIM_REVIEW, Kind.RELEASE_REVIEW, Kind.FORGET_WISH,
     Kind.SAVE_PERSON, Kind.NAME_PASSENGERS, Kind.RESOLVE_OPERATION, Kind.NOTE_BRANCH, Kind.PAUSE, Kind.RESUME}
)  # fmt: skip
BY_THE_PRODUCT = frozenset({Kind.START_TRIP, Kind.NOTIFY, Kind.EXPIRE, Kind.OUTCOME, Kind.WITHDRAW, Kind.MOVED, Kind.ASK_AGAIN})


class Status(StrEnum):
    ACCEPTED = "accepted"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


WAYS_BACK = (Kind.REWIND, Kind.PROMOTE_BRANCH)
ENDED = frozenset({Status.SUCCEEDED, Status.FAILED, Status.CANCELLED})


class Command(Value):
    """`target` is the id of what it is about: a conversation, trip, review (decide, claim, release), wish, person, operation."""

    command_id: str
    kind: Kind
    actor: Actor
    target: str
    payload: dict[str, JsonValue] = {}

    @property
    def fingerprint(self) -> str:
        """Equal for the same intent of the same person; a client's key may come again only with this."""
        return fingerprint(self.actor.tenant_id, self.actor.user_id, self.kind, self.target, self.payload)


class Receipt(Value):
    """Where a command stands. `error` is `{code, ...facts}`."""

    command_id: str
    kind: Kind
    status: Status
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    created_at: datetime | None = None

    @property
    def ended(self) -> bool:
        return self.status in ENDED


# What each kind carries. Unknown fields are refused; text is checked where it enters.


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000), AfterValidator(printable)]
Note = Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000), AfterValidator(printable)]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120), AfterValidator(printable)]
ProviderId = Annotated[
    str, StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9_-]{1,64}$")
]  # as airline sellers make them
Designator = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]?[A-HJ-Z]$")]
Position = Annotated[str, StringConstraints(pattern=r"^[1-9]$")]
VersionNumber = Annotated[int, Field(ge=1, le=1_000_000_000)]
Settle = Literal["replace", "keep_both", "keep", "by_hand", "rebook"]
Seats = dict[Position, dict[Position, Designator]]  # passenger (from 1) -> segment (from 1) -> seat


class CreateConversation(Value):
    title: Title | None = None


class Rename(Value):
    title: Title


class Archive(Value):
    archived: bool


class SendMessage(Value):
    """`timezone` is the traveller's IANA zone, written in by accept where the client gives none."""

    text: Text
    message_id: str | None = Field(default=None, pattern=r"^[0-9a-fA-F-]{8,64}$")
    timezone: str | None = Field(default=None, max_length=64)


class EditMessage(Value):
    message_id: str
    text: Text


class Regenerate(Value):
    message_id: str


class Choose(Value):
    """`choose` picks option `offer`; `resubmit` sends the same again; `change` goes back to the list; `ask` asks people."""

    answer: Literal["choose", "resubmit", "change", "ask"] = "choose"
    offer: int | None = Field(default=None, ge=1, le=99)
    offers_hash: str | None = None
    seats: Seats | None = None
    if_gone: IfGone = IfGone.NEXT_BEST
    passengers: tuple[str, ...] | None = None
    settle: Settle | None = None
    message: Note | None = None

    @model_validator(mode="after")
    def _names_an_offer(self) -> Choose:
        if self.answer == "choose" and self.offer is None:
            raise PydanticCustomError("which_option", "say which option: offer")
        return self


class Agree(Value):
    answer: Literal["agree", "decline"]
    digest: str | None = None
    message: Note | None = None


class Edits(Value):
    offer: int | None = Field(default=None, ge=1, le=99)
    seats: Seats | None = None
    settle: Settle | None = None


class Decide(Value):
    type: Literal["approve", "edit", "reject", "respond"]
    digest: str
    edits: Edits | None = None
    message: Note | None = None


class Reply(Value):
    """What a reviewer answers a traveller who asked the desk."""

    text: Text


class ReviseTrip(Value):
    request: dict[str, JsonValue] | None = None
    offer: int | None = Field(default=None, ge=1, le=99)
    seats: Seats | None = None
    settle: Settle | None = None


class CancelTrip(Value):
    """`keep_choice`: only the booking named goes; what the traveller chose stays chosen, and can be submitted again."""

    order_id: ProviderId | None = None
    reason: Note | None = None
    keep_choice: bool = False


class Rewind(Value):
    to_version: VersionNumber
    seen_version: VersionNumber
    corrections: dict[str, JsonValue] | None = None
    settle: Settle | None = None
    confirm: bool = False
    reason: Note


class PromoteBranch(Value):
    branch_id: str
    seen_version: VersionNumber
    settle: Settle | None = None
    confirm: bool = False
    reason: Note


class NoteBranch(Value):
    """What a reviewer notes on a branch; an empty text takes the note away."""

    branch_id: str
    text: Note


class SavePerson(Value):
    """A new person, or with `person_id` a patch of one."""

    person_id: str | None = None
    details: dict[str, JsonValue]


class NamePassengers(Value):
    """Who travels on a trip, in order; the directory's ids."""

    passengers: tuple[str, ...] = Field(min_length=1, max_length=9)


class ForgetWish(Value):
    pass


class ClaimReview(Value):
    pass


class Stop(Value):
    pass


class ResolveOperation(Value):
    resolution: Literal["adopt", "not_booked", "cancel"]
    order_id: ProviderId | None = None
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=1000), AfterValidator(printable)]


class Pause(Value):
    reason: Note | None = None


PAYLOADS: dict[Kind, type[Value]] = {
    Kind.CREATE_CONVERSATION: CreateConversation,
    Kind.RENAME: Rename,
    Kind.ARCHIVE: Archive,
    Kind.SEND_MESSAGE: SendMessage,
    Kind.EDIT_MESSAGE: EditMessage,
    Kind.REGENERATE: Regenerate,
    Kind.CHOOSE: Choose,
    Kind.AGREE: Agree,
    Kind.DECIDE: Decide,
    Kind.REPLY: Reply,
    Kind.REVISE_TRIP: ReviseTrip,
    Kind.CANCEL_TRIP: CancelTrip,
    Kind.REWIND: Rewind,
    Kind.PROMOTE_BRANCH: PromoteBranch,
    Kind.NOTE_BRANCH: NoteBranch,
    Kind.SAVE_PERSON: SavePerson,
    Kind.NAME_PASSENGERS: NamePassengers,
    Kind.FORGET_WISH: ForgetWish,
    Kind.CLAIM_REVIEW: ClaimReview,
    Kind.RELEASE_REVIEW: ClaimReview,
    Kind.STOP: Stop,
    Kind.RESOLVE_OPERATION: ResolveOperation,
    Kind.PAUSE: Pause,
    Kind.RESUME: Pause,
}
