"""The accept transaction: insert the command or find it known, apply its kind's rule, give it its place. All or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from ..crashpoints import point
from ..domain.clock import Clock
from ..domain.commands import BY_THE_PRODUCT, PAYLOADS, Command, Kind, Receipt, Status
from ..domain.errors import CommandRefused, Invalid, TooMany
from ..domain.ids import FollowUps
from ..domain.policy import Policy
from ..domain.value import Value
from ..persistence import commands, signals
from ..persistence.database import Tx
from . import chat, going_back, people, resolving, reviews, trips
from .ground import MOST_QUEUED, Done, Ground, Queued, Rule
from .people import invalid

RULES: dict[Kind, Rule] = {
    Kind.CREATE_CONVERSATION: chat.create_conversation,
    Kind.RENAME: chat.rename,
    Kind.ARCHIVE: chat.archive,
    Kind.SEND_MESSAGE: chat.send_message,
    Kind.STOP: chat.stop,
    Kind.FORGET_WISH: chat.forget_wish,
    Kind.PAUSE: chat.pause,
    Kind.RESUME: chat.pause,
    Kind.SAVE_PERSON: people.save_person,
    Kind.NAME_PASSENGERS: people.name_passengers,
    Kind.START_TRIP: trips.start_trip,
    Kind.CHOOSE: trips.choose,
    Kind.AGREE: trips.agree,
    Kind.CANCEL_TRIP: trips.cancel_trip,
    Kind.REVISE_TRIP: trips.revise_trip,
    Kind.REWIND: going_back.rewind,
    Kind.PROMOTE_BRANCH: going_back.promote_branch,
    Kind.NOTE_BRANCH: going_back.note_branch,
    Kind.EDIT_MESSAGE: going_back.edit_message,
    Kind.REGENERATE: going_back.regenerate,
    Kind.WITHDRAW: going_back.withdraw,
    Kind.MOVED: going_back.moved,
    Kind.NOTIFY: trips.product,
    Kind.ASK_AGAIN: trips.product,
    Kind.EXPIRE: trips.answer_by_product,
    Kind.OUTCOME: trips.answer_by_product,
    Kind.DECIDE: reviews.decide,
    Kind.REPLY: trips.reply,
    Kind.RESOLVE_OPERATION: resolving.resolve_operation,
    Kind.CLAIM_REVIEW: reviews.claim_review,
    Kind.RELEASE_REVIEW: reviews.release_review,
}


@dataclass(frozen=True)
class Door:
    policy: Policy
    follow_ups: FollowUps
    clock: Clock

    async def accept(self, tx: Tx, command: Command) -> Receipt:
        """Raises the CommandRefused family; then nothing is stored."""
        if command.kind in BY_THE_PRODUCT:
            raise Invalid("invalid", fields=["kind"])
        payload = checked(command)
        at = self.clock()
        if not await commands.insert_new(tx, command, thread_id=None, parent=None, at=at):
            return await commands.repeated(tx, command)
        receipt = await self._apply(tx, command, payload, at)
        point("accept.stored", command.kind)
        return receipt

    async def accept_own(self, tx: Tx, command: Command, *, parent: str | None) -> CommandRefused | None:
        """A follow-up, or the product's own command. One that comes too late is stored as failed, and its refusal returned."""
        at = self.clock()
        if not await commands.insert_new(tx, command, thread_id=None, parent=parent, at=at):
            await commands.repeated(tx, command)
            return None
        try:
            async with tx.begin_nested():
                await self._apply(tx, command, checked(command), at)
        except CommandRefused as refusal:
            await commands.refuse(tx, command, error=error_of(refusal), at=at)
            return refusal
        return None

    async def accept_given(self, tx: Tx, command: Command) -> None:
        """The product's own word to a thread. Raises the CommandRefused family; then nothing is stored."""
        at = self.clock()
        if await commands.insert_new(tx, command, thread_id=None, parent=None, at=at):
            await self._apply(tx, command, checked(command), at)

    async def _apply(self, tx: Tx, command: Command, payload: Any, at: datetime) -> Receipt:
        ground = Ground(tx, command, at, self.policy, self.follow_ups)
        accepted = await RULES[command.kind](ground, payload)
        await signals.bump(tx, signals.of_user(command.actor.user_id), signals.of_inbox(command.actor.tenant_id))
        match accepted:
            case Done(result):
                return await commands.finish_at_once(tx, command, result=result, at=ground.at)
            case Queued(thread_id, stored):
                await self._not_too_many(ground, thread_id)
                await commands.enqueue(tx, command, thread_id=thread_id, payload=stored)
                return Receipt(command_id=command.command_id, kind=command.kind, status=Status.ACCEPTED, created_at=ground.at)

    async def _not_too_many(self, ground: Ground, thread_id: str) -> None:
        if ground.command.kind in BY_THE_PRODUCT:
            return
        queued = await commands.queued(ground.tx, thread_id, but=ground.command.command_id)
        if len(queued) >= MOST_QUEUED:
            raise TooMany("too_many", queued=len(queued))


def checked(command: Command) -> Value | dict[str, Any]:
    """The payload as its kind's model. Raises Invalid naming each wrong field."""
    model = PAYLOADS.get(command.kind)
    if model is None:
        if command.kind in BY_THE_PRODUCT:
            return dict(command.payload)
        raise Invalid("invalid", fields=["kind"])
    if command.kind not in RULES:
        raise Invalid("invalid", fields=["kind"])
    try:
        return model.model_validate(command.payload)
    except ValidationError as wrong:
        raise invalid(wrong) from wrong


def error_of(refusal: CommandRefused) -> dict[str, Any]:
    return {"code": refusal.code} | {k: v for k, v in refusal.facts.items() if v is not None}
