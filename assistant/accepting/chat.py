"""Rules of the chat: conversations, messages, preferences."""

from __future__ import annotations

from typing import Any

from ..domain.commands import WAYS_BACK, Archive, CreateConversation, ForgetWish, Kind, Rename, SendMessage, Stop
from ..domain.errors import Conflict, Invalid, NotFound
from ..domain.ids import derived, new_id
from ..domain.people import Role
from ..persistence import commands, signals, threads, transcript, users, wishes
from .going_back import thread_of
from .ground import Done, Ground, Queued, needs, own_conversation

REPLIED_TO = (Kind.SEND_MESSAGE, Kind.EDIT_MESSAGE, Kind.REGENERATE)


async def create_conversation(ground: Ground, wanted: CreateConversation) -> Done:
    conversation_id = new_id()
    await threads.open_thread(ground.tx, conversation_id, kind="conversation", actor=ground.actor, at=ground.at)
    await transcript.open_conversation(
        ground.tx,
        conversation_id,
        tenant_id=ground.actor.tenant_id,
        owner_id=ground.actor.user_id,
        title=wanted.title,
        at=ground.at,
    )
    return Done({"conversation_id": conversation_id})


async def rename(ground: Ground, wanted: Rename) -> Done:
    row = await own_conversation(ground, ground.command.target)
    await transcript.change(ground.tx, row.conversation_id, title=wanted.title)
    return Done({"conversation_id": row.conversation_id, "title": wanted.title})


async def archive(ground: Ground, wanted: Archive) -> Done:
    row = await own_conversation(ground, ground.command.target)
    await transcript.change(ground.tx, row.conversation_id, archived=wanted.archived)
    return Done({"conversation_id": row.conversation_id, "archived": wanted.archived})


async def send_message(ground: Ground, message: SendMessage) -> Queued:
    row = await own_conversation(ground, ground.command.target)
    message_id = message.message_id or derived("message", ground.command.command_id)
    if await transcript.find(ground.tx, row.conversation_id, message_id):
        raise Conflict("message_known", message_id=message_id)
    payload: dict[str, Any] = {
        "text": message.text,
        "message_id": message_id,
        "timezone": message.timezone or await _zone_of(ground),
        "at": ground.at.isoformat(),
    }
    return Queued(row.conversation_id, payload)


async def _zone_of(ground: Ground) -> str:
    """The zone the traveller's pages told us, where the message says none."""
    user = await users.by_id(ground.tx, ground.actor.user_id)
    return (user.timezone if user else None) or "UTC"


async def stop(ground: Ground, _: Stop) -> Done:
    """Drops what has not begun; what has begun keeps the wish, also for a run that follows, and is stopped by the service.

    Of a trip, and by a reviewer, only going back is stopped: what buys or cancels runs to its end.
    """
    thread = await thread_of(ground, ground.command.target)
    own_chat = thread.kind == "conversation" and thread.owner_id == ground.actor.user_id
    kinds = (*REPLIED_TO, *WAYS_BACK) if own_chat else WAYS_BACK
    dropped = await commands.cancel_queued(ground.tx, thread.thread_id, kinds=kinds, at=ground.at)
    for each in dropped:
        await _keep_words(ground, thread.thread_id, each)
    stopping = await commands.ask_to_stop(ground.tx, thread.thread_id, kinds=kinds, at=ground.at)
    return Done({"stopped": [each.command_id for each in dropped], "stopping": stopping})


async def _keep_words(ground: Ground, conversation_id: str, dropped: Any) -> None:
    """A stopped message was still said; an edit that never began is another wording of what stays."""
    payload = dropped.payload
    if dropped.kind not in (Kind.SEND_MESSAGE, Kind.EDIT_MESSAGE):
        return
    edits = {"edits": payload["edits"]} if dropped.kind == Kind.EDIT_MESSAGE else {}
    conversation = await transcript.conversation(ground.tx, conversation_id)
    await transcript.append(
        ground.tx,
        conversation_id,
        message_id=payload["message_id"],
        parent_id=payload["parent_id"] if edits else conversation.head_message_id if conversation else None,
        role="user",
        body={"text": payload["text"]} | edits,
        command_id=dropped.command_id,
        at=dropped.created_at,
    )
    if not edits:
        await transcript.change(ground.tx, conversation_id, head_message_id=payload["message_id"])


async def forget_wish(ground: Ground, _: ForgetWish) -> Done:
    wish = await wishes.find(ground.tx, ground.command.target)
    if wish is None or (wish.tenant_id, wish.owner_id) != (ground.actor.tenant_id, ground.actor.user_id):
        raise NotFound("not_found", what="preference")
    if wish.forget:
        raise Invalid("wish_forgotten")
    await wishes.forget(ground.tx, wish, command_id=ground.command.command_id, at=ground.at)
    return Done({"forgotten": wish.wish_id})


async def pause(ground: Ground, wanted: Any) -> Done:
    """Stops purchases until resumed; everything else goes on. For all tenants, so it takes an operator."""
    needs(ground, Role.ADMIN)
    on = ground.command.kind is Kind.PAUSE
    value = {"on": on, "by": ground.actor.name, "reason": wanted.reason}
    await signals.switch(ground.tx, "paused", value, at=ground.at)
    await signals.tell_everybody(ground.tx)
    return Done({"paused": on})
