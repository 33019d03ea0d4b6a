"""A turn of a conversation: the words said, the answer, and what the traveller wants done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from langgraph.types import StateSnapshot

from ..domain.commands import Command, Kind
from ..domain.ids import FollowUps, derived
from ..domain.understanding import SeatWish
from ..persistence import signals, transcript, versions, wishes
from ..persistence.commands import Job
from ..persistence.database import Tx
from .follow import FORKS, owner_of

TITLE_LENGTH = 60


@dataclass(frozen=True)
class TurnAnswered:
    """A conversation's run is done: its reply is written, its wishes kept, what it wants done is handed on."""

    follow_ups: FollowUps

    async def finished(
        self, tx: Tx, job: Job, leaf: StateSnapshot, branch_id: str, version: int, at: datetime
    ) -> tuple[dict[str, Any], list[Command]]:
        values, command, conversation_id = cast(dict[str, Any], leaf.values), job.command, job.thread.thread_id
        conversation = await transcript.conversation(tx, conversation_id)
        if command.kind is Kind.PROMOTE_BRANCH:
            return await self._promoted(tx, job, at), []
        head = conversation.head_message_id if conversation else None
        if command.kind in FORKS:
            head = values["turn"]["message_id"]
        reply = values.get("reply")
        if reply:
            reply_id = derived("reply", command.command_id)
            await transcript.append(
                tx,
                conversation_id,
                message_id=reply_id,
                parent_id=head,
                role="assistant",
                body=reply,
                command_id=command.command_id,
                at=at,
                version=version,
            )
            await transcript.change(
                tx, conversation_id, head_message_id=reply_id, updated_at=at, language=values.get("language") or "en"
            )
            await signals.emit(tx, conversation_id, kind="message", body={"message_id": reply_id, "text": reply["text"]}, at=at)
        if conversation is not None and conversation.title is None and job.payload.get("text"):
            await transcript.change(tx, conversation_id, title=_title(job.payload["text"]))
        owner = owner_of(job)
        said = tuple(SeatWish.model_validate(w) for w in cast("list[Any]", values.get("wishes") or []))
        if said and command.kind is not Kind.NOTIFY:
            await wishes.store(
                tx,
                owner,
                said,
                command_id=command.command_id,
                conversation_id=conversation_id,
                trip_id=None,
                branch_id=branch_id,
                at=at,
            )
        follow = [] if command.kind is Kind.NOTIFY else self._proposed(job, values.get("proposes") or [])
        started = [f.target for f in follow if f.kind is Kind.START_TRIP]
        fork = {"branch_id": branch_id, "version": version} if command.kind in FORKS else {}
        return fork | {
            "reply": reply["text"] if reply else None,
            "trips": started,
            "message_id": reply and derived("reply", command.command_id),
        }, follow

    async def _promoted(self, tx: Tx, job: Job, at: datetime) -> dict[str, Any]:
        """A conversation's branch becomes the main line by moving the head: to its last answer, or to what was said."""
        leaf = await versions.find(tx, job.thread.thread_id, job.payload["leaf"])
        head = derived("reply", leaf.command_id) if leaf else ""
        if await transcript.find(tx, job.thread.thread_id, head) is None:
            head = str(leaf.summary.get("message_id")) if leaf else None
        await transcript.change(tx, job.thread.thread_id, head_message_id=head, updated_at=at)
        return {"branch_id": job.payload["branch_id"], "version": job.payload["leaf"]}

    def _proposed(self, job: Job, proposes: list[dict[str, Any]]) -> list[Command]:
        """What the conversation wants done, as commands with ids a re-run would mint again."""
        command = job.command
        journey = self.follow_ups(command.command_id, "journey")
        made: list[Command] = []
        for index, each in enumerate(proposes):
            follow_id = self.follow_ups(command.command_id, index)
            kind = Kind(each["kind"])
            payload, target = dict(each.get("payload") or {}), str(each.get("trip_id") or "")
            if kind is Kind.START_TRIP:
                target = follow_id
                payload |= {"conversation_id": job.thread.thread_id, "journey_id": journey, "started_by": command.command_id}
            made.append(Command(command_id=follow_id, kind=kind, actor=owner_of(job), target=target, payload=payload))
        return made


async def write_user_message(tx: Tx, job: Job, at: datetime) -> None:
    """The user's row is written when its command's run begins, with the main line's head as parent; a re-run finds it there."""
    if job.command.kind is not Kind.SEND_MESSAGE:
        await _write_anew(tx, job, at)
        return
    conversation = await transcript.conversation(tx, job.thread.thread_id)
    new = await transcript.append(
        tx,
        job.thread.thread_id,
        message_id=job.payload["message_id"],
        parent_id=conversation.head_message_id if conversation else None,
        role="user",
        body={"text": job.payload["text"]},
        command_id=job.command.command_id,
        at=at,
    )
    if new:
        await transcript.change(tx, job.thread.thread_id, head_message_id=job.payload["message_id"], updated_at=at)


async def _write_anew(tx: Tx, job: Job, at: datetime) -> None:
    """An edit is a new row with the edited message's parent; the head moves when the new answer is there."""
    if job.thread.kind == "conversation" and job.payload.get("edits"):
        await transcript.append(
            tx,
            job.thread.thread_id,
            message_id=job.payload["message_id"],
            parent_id=job.payload["parent_id"],
            role="user",
            body={"text": job.payload["text"], "edits": job.payload["edits"]},
            command_id=job.command.command_id,
            at=at,
        )


def _title(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1] + "…"
