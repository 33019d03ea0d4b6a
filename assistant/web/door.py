"""From HTTP to a command and back: the key, the wait, and the answer that stands for where the command stands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, TypeVar
from uuid import UUID

from fastapi import Header, Query
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from ..domain.commands import ENDED, IMMEDIATE, Command, Edits, Kind, Receipt
from ..domain.errors import Invalid
from ..domain.ids import new_id
from ..domain.people import Actor
from ..domain.plans import Plan
from ..domain.policy import Check
from ..domain.understanding import Language
from ..going_back import GoingBack
from ..persistence.database import Database, Tx
from ..views.shapes import Reader
from ..wording.problems import error_in_words
from .callers import Caller, Callers
from .schemas import CommandAnswer

T = TypeVar("T")
LONGEST_WAIT = 30.0  # seconds
UUID_FORMAT: dict[str, Any] = {"format": "uuid"}


class Travel(Protocol):
    """The service, as far as the web asks it. Every method may raise the `CommandRefused` family."""

    @property
    def going_back(self) -> GoingBack:
        """Previews of what a rewind, a promotion or a change would mean, and raw versions."""
        ...

    async def accept(self, command: Command) -> Receipt: ...

    async def settled(self, tenant_id: str, command_id: str, *, wait: float) -> Receipt:
        """Where the command stands, at the latest after `wait` seconds."""
        ...

    async def preview_edit(self, actor: Actor, review_id: str, edits: Edits) -> tuple[Plan, bool, tuple[Check, ...]]:
        """The plan an edit would lead to, whether the traveller would be asked, and policy's checks. Changes nothing."""
        ...

    async def webhook(self, headers: Mapping[str, str], body: bytes) -> None:
        """Raises Invalid where no event can be read, Forbidden where the signature is wrong."""
        ...

    def events(self, conversation_id: str, *, after: int) -> AsyncIterator[tuple[int, str, dict[str, Any]]]:
        """What happens in a conversation after event `after`, without end: number, kind, body.

        A `piece` of a reply being written has no number of its own.
        """
        ...


def _key(
    idempotency_key: Annotated[
        str | None, Header(description="One intent, one key; always needed", json_schema_extra=UUID_FORMAT)
    ] = None,
) -> str:
    """The command's id. Raises Invalid (`key_missing`, `key_invalid`)."""
    if not idempotency_key:
        raise Invalid("key_missing")
    return _uuid(idempotency_key)


def _key_or_new(
    idempotency_key: Annotated[str | None, Header(description="Made here if left out", json_schema_extra=UUID_FORMAT)] = None,
) -> str:
    return _uuid(idempotency_key) if idempotency_key else new_id()


def _uuid(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        raise Invalid("key_invalid") from None


Wait = Annotated[float, Query(ge=0, le=LONGEST_WAIT, allow_inf_nan=False, description="Seconds to wait for the result")]
key, key_or_new = _key, _key_or_new


@dataclass(frozen=True)
class Door:
    """What every route is given."""

    travel: Travel
    database: Database
    callers: Callers

    async def read(self, caller: Caller, view: Callable[[Tx, Reader], Awaitable[T]]) -> T:
        """A view for this caller, in one consistent read."""
        return await self.database.read(lambda tx: view(tx, caller.reader))

    async def accept(
        self, caller: Caller, kind: Kind, target: str, payload: BaseModel | dict[str, Any] | None, *, key: str, wait: float = 0.0
    ) -> JSONResponse:
        """200 once it has ended, else 202. The payload is what was sent, in one form: the same content is the same intent."""
        sent = payload.model_dump(mode="json", exclude_unset=True) if isinstance(payload, BaseModel) else payload or {}
        command = Command(command_id=key, kind=kind, actor=caller.actor, target=target, payload=sent)
        receipt = await self.travel.accept(command)
        if wait and not receipt.ended:
            receipt = await self.travel.settled(caller.user.tenant_id, key, wait=wait)
        return answered(receipt, caller.language)


def answered(receipt: Receipt, language: Language) -> JSONResponse:
    """What an immediate command made is named at the top as well: `{conversation_id}` of a new conversation."""
    shown = CommandAnswer.model_validate(receipt.model_dump() | {"error": error_in_words(receipt.error, language)})
    named = (receipt.result or {}) if receipt.kind in IMMEDIATE else {}
    body = {name: value for name, value in named.items() if name not in CommandAnswer.model_fields}
    return JSONResponse(body | jsonable_encoder(shown), 200 if receipt.status in ENDED else 202)
