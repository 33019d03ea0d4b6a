"""Rules of going back: rewind, promote, edit, regenerate; and the product's own withdrawals and moved flights."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Row

from .. import ledger
from ..domain.commands import EditMessage, Kind, NoteBranch, PromoteBranch, Regenerate, Rewind
from ..domain.errors import Conflict, Gone, Invalid, NotFound
from ..domain.flights import Segment
from ..domain.ids import derived
from ..domain.people import Role
from ..persistence import commands, questions, threads, transcript, trips, versions
from ..places import airport
from ..rewind import checked_corrections
from .ground import Done, Ground, Queued, needs, own_conversation, own_trip, refuse_while_confirming

SOON = timedelta(hours=24)


async def thread_of(ground: Ground, thread_id: str) -> Row[Any]:
    """The actor's own thread, or one of a reviewer's tenant."""
    thread = await threads.find(ground.tx, thread_id, lock=True)
    if thread is None or thread.tenant_id != ground.actor.tenant_id:
        raise NotFound("not_found", what="thread")
    if thread.owner_id != ground.actor.user_id and not ground.actor.can(Role.REVIEWER):
        raise NotFound("not_found", what="thread")
    return thread


async def rewind(ground: Ground, wanted: Rewind) -> Queued:
    thread = await thread_of(ground, ground.command.target)
    version = await version_of(ground, thread, wanted.to_version)
    checked_corrections(thread.kind, version.step, wanted.corrections)
    await _idle_as_seen(ground, thread, wanted.seen_version)
    await _not_too_late(ground, thread, settle=wanted.settle, confirm=wanted.confirm)
    payload: dict[str, Any] = wanted.model_dump(mode="json")
    if thread.kind == "conversation":
        payload |= await _turn_again(ground, thread, version, (wanted.corrections or {}).get("text"))
    return Queued(thread.thread_id, payload)


async def _turn_again(ground: Ground, thread: Row[Any], version: Row[Any], text: Any) -> dict[str, Any]:
    """The message of that turn: its words are kept, or written anew beside the old ones."""
    row = await transcript.find(ground.tx, thread.thread_id, str(version.summary.get("message_id")))
    if row is None:
        raise Invalid("not_correctable", step=version.step)
    return _edit(ground, row, text) if text else {"message_id": row.message_id, "parent_id": row.parent_id}


def _edit(ground: Ground, row: Row[Any], text: str) -> dict[str, Any]:
    message_id = derived("message", ground.command.command_id)
    return {"message_id": message_id, "parent_id": row.parent_id, "edits": row.message_id, "text": text}


async def version_of(ground: Ground, thread: Row[Any], number: int) -> Row[Any]:
    version = await versions.find(ground.tx, thread.thread_id, number)
    if version is None:
        raise NotFound("not_found", what="version", version=number)
    if version.pruned:
        raise Gone("gone", version=number)
    return version


async def _idle_as_seen(ground: Ground, thread: Row[Any], seen: int) -> None:
    """Going back needs an idle thread, and the history its author looked at."""
    if await commands.queued(ground.tx, thread.thread_id, but=ground.command.command_id):
        raise Conflict("busy")
    newest = await versions.newest(ground.tx, thread.thread_id)
    if newest != seen:
        raise Conflict("version_moved", seen=seen, newest=newest)
    if thread.kind == "trip":
        await refuse_while_confirming(ground, thread.thread_id)


async def _not_too_late(ground: Ground, thread: Row[Any], *, settle: str | None, confirm: bool) -> None:
    """Near departure an explicit yes is needed; after it nothing but keeping is left."""
    departs = await next_departure(ground, thread)
    if departs is None:
        return
    if departs <= ground.at and settle != "keep":
        raise Conflict("departed")
    if departs - ground.at <= SOON and not confirm:
        raise Conflict("confirm_needed", departs=departs.isoformat())


async def next_departure(ground: Ground, thread: Row[Any]) -> datetime | None:
    """When the earliest live order of a trip leaves, aware; None for a conversation or a trip without one."""
    if thread.kind != "trip":
        return None
    page = await ledger.page(ground.tx, ledger.Book(thread.tenant_id, "any"), thread.thread_id)
    times = [departs_at(o.fare.segments[0]) for o in page.orders if o.paid]
    return min(times) if times else None


def departs_at(segment: Segment) -> datetime:
    """When a flight leaves, aware."""
    place = airport(segment.origin)
    return segment.departs.replace(tzinfo=ZoneInfo(place.tz if place else "UTC"))


async def promote_branch(ground: Ground, wanted: PromoteBranch) -> Queued:
    thread = await thread_of(ground, ground.command.target)
    branch = await versions.branch(ground.tx, wanted.branch_id)
    if branch is None or branch.thread_id != thread.thread_id:
        raise NotFound("not_found", what="branch")
    if branch.status == "main":
        raise Conflict("already_main")
    await version_of(ground, thread, branch.head_version or 0)
    await _idle_as_seen(ground, thread, wanted.seen_version)
    await _not_too_late(ground, thread, settle=wanted.settle, confirm=wanted.confirm)
    payload = wanted.model_dump(mode="json") | {"leaf": branch.head_version}
    return Queued(thread.thread_id, payload)


async def note_branch(ground: Ground, wanted: NoteBranch) -> Done:
    thread = await thread_of(ground, ground.command.target)
    needs(ground, Role.REVIEWER)
    branch = await versions.branch(ground.tx, wanted.branch_id)
    if branch is None or branch.thread_id != thread.thread_id:
        raise NotFound("not_found", what="branch")
    said = {"text": wanted.text, "by": ground.actor.name, "at": ground.at.isoformat()} if wanted.text else None
    await versions.remark(ground.tx, branch.branch_id, said)
    return Done({"branch_id": branch.branch_id, "remark": said})


async def edit_message(ground: Ground, wanted: EditMessage) -> Queued:
    row, version = await _turn_of(ground, wanted.message_id)
    return Queued(ground.command.target, {"to_version": version.version} | _edit(ground, row, wanted.text))


async def regenerate(ground: Ground, wanted: Regenerate) -> Queued:
    row, version = await _turn_of(ground, wanted.message_id)
    again = {"to_version": version.version, "message_id": row.message_id, "parent_id": row.parent_id}
    return Queued(ground.command.target, again)


async def _turn_of(ground: Ground, message_id: str) -> tuple[Row[Any], Row[Any]]:
    """A message and the version in which it was said. An answer's id names its question."""
    conversation = await own_conversation(ground, ground.command.target)
    row = await transcript.find(ground.tx, conversation.conversation_id, message_id)
    if row is not None and row.role == "assistant" and row.parent_id:
        row = await transcript.find(ground.tx, conversation.conversation_id, row.parent_id)
    if row is None or row.role != "user":
        raise NotFound("not_found", what="message")
    if await commands.queued(ground.tx, conversation.conversation_id, but=ground.command.command_id):
        raise Conflict("busy")
    version = await versions.of_command(ground.tx, conversation.conversation_id, row.command_id, step="start")
    if version is None:
        raise Invalid("not_correctable", message_id=message_id)
    if version.pruned:
        raise Gone("gone", version=version.version)
    return row, version


async def withdraw(ground: Ground, payload: dict[str, Any]) -> Queued:
    """A turn that asked for this was taken back. What waits in the trip's queue is dropped; the rest is judged in its run."""
    trip = await own_trip(ground, ground.command.target)
    kinds = (Kind.CHOOSE, Kind.AGREE, Kind.REVISE_TRIP, Kind.START_TRIP)
    only = None if payload.get("started") else tuple(payload["commands"])
    for dropped in await commands.cancel_queued(ground.tx, trip.trip_id, kinds=kinds, at=ground.at, only=only):
        await ledger.void(ground.tx, dropped.command_id)
        asked = await questions.reopen(ground.tx, dropped.command_id)  # what it answered waits again
        if asked is not None:
            status = "choosing" if asked.node == "choose" else "waiting_traveller"
            await trips.change(ground.tx, trip.trip_id, at=ground.at, status=status)
    return Queued(trip.trip_id, payload)


async def moved(ground: Ground, payload: dict[str, Any]) -> Queued:
    """The airline moved a flight of an order: the order and its claims are rewritten, the traveller is asked."""
    trip = await trips.find(ground.tx, ground.command.target)
    if trip is None or trip.tenant_id != ground.actor.tenant_id:
        raise NotFound("not_found", what="trip")
    await refuse_while_confirming(ground, trip.trip_id)
    return Queued(trip.trip_id, payload)
