"""Finishing a run: one transaction, guarded by the fence; all that follows from it, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langgraph.types import StateSnapshot
from sqlalchemy import Row

from .. import ledger
from ..accepting.door import Door
from ..crashpoints import point
from ..domain.clock import Clock
from ..domain.commands import Command, Kind, Status
from ..domain.ids import FollowUps, derived
from ..domain.people import Actor
from ..domain.policy import Policy
from ..domain.trips import TripStatus
from ..driving import checkpoint_of
from ..left_behind import follow_ups_of, followed
from ..moving import facts_of, first_of
from ..persistence import commands, questions, signals, transcript, trips, versions
from ..persistence.commands import Job
from ..persistence.database import Tx
from ..persistence.versions import Made
from ..ways import branch_of
from .follow import FORKS, notice, owner_of
from .trip import TripAtRest
from .turn import TurnAnswered


@dataclass(frozen=True)
class Finishing:
    door: Door
    policy: Policy
    follow_ups: FollowUps
    clock: Clock
    mode: str

    @property
    def trip(self) -> TripAtRest:
        return TripAtRest(self.policy, self.follow_ups, self.mode)

    @property
    def turn(self) -> TurnAnswered:
        return TurnAnswered(self.follow_ups)

    async def succeeded(self, tx: Tx, job: Job, leaf: StateSnapshot | None, made: list[Made]) -> None:
        at = self.clock()
        if leaf is None:
            await self._stays(tx, job, at)
            return
        taken_back = await self._taken_back(tx, job)
        branch_id = await self._branch(tx, job, at)
        newest = await versions.append(
            tx, job.thread.thread_id, made, branch_id=branch_id, command_id=job.command.command_id, actor=job.command.actor
        )
        if job.thread.kind == "trip":
            result, follow = await self.trip.finished(tx, job, leaf, branch_id, newest, at)
        else:
            result, follow = await self.turn.finished(tx, job, leaf, branch_id, newest, at)
        await self._accept_all(tx, job, [*taken_back, *follow])
        await commands.end(tx, job, Status.SUCCEEDED, at=at, result=result, head=checkpoint_of(leaf), branch_id=branch_id)
        await self._signal(tx, job, Status.SUCCEEDED, at)
        point("finish.stored", job.command.kind)

    async def _accept_all(self, tx: Tx, job: Job, follow: list[Command]) -> None:
        """Follow-ups are accepted in the order proposed; one that came too late is told to the traveller."""
        told: list[Command] = []
        for index, command in enumerate(follow):
            refusal = await self.door.accept_own(tx, command, parent=job.command.command_id)
            if refusal is not None and command.kind is not Kind.NOTIFY:
                payload = {"trip_id": command.target, "status": "refused", "code": refusal.code}
                told.append(notice(self.follow_ups, job, f"refused-{index}", job.thread.thread_id, payload))
        for command in told:
            await self.door.accept_own(tx, command, parent=job.command.command_id)

    async def _branch(self, tx: Tx, job: Job, at: datetime) -> str:
        """Only here a fork becomes the main line."""
        command, payload = job.command, job.payload
        if command.kind not in FORKS and not (command.kind is Kind.WITHDRAW and not payload.get("started")):
            return job.thread.main_branch_id
        branch_id = payload["branch_id"] if command.kind is Kind.PROMOTE_BRANCH else branch_of(command.command_id)
        fork = payload.get("to_version")
        if command.kind is Kind.WITHDRAW:
            first = await versions.of_command(tx, job.thread.thread_id, payload["commands"][0])
            fork = first.parent_version if first else None
        reason = payload.get("reason") or ("withdrawn" if command.kind is Kind.WITHDRAW else None)
        await versions.open_branch(
            tx, branch_id, job.thread.thread_id, forked_from=fork, reason=reason, actor=command.actor, at=at
        )
        return branch_id

    async def _taken_back(self, tx: Tx, job: Job) -> list[Command]:
        """All follow-ups of all turns a conversation leaves behind, one withdrawal a trip."""
        if job.thread.kind != "conversation" or job.command.kind not in FORKS:
            return []
        fork = job.payload["leaf"] if job.command.kind is Kind.PROMOTE_BRANCH else job.payload["to_version"]
        left = await versions.abandoned_by(tx, job.thread.thread_id, main_branch_id=job.thread.main_branch_id, fork=fork)
        by_trip = followed(await follow_ups_of(tx, job.thread, left))
        return [
            Command(
                command_id=self.follow_ups(job.command.command_id, f"withdraw-{trip_id}"),
                kind=Kind.WITHDRAW,
                actor=owner_of(job),
                target=trip_id,
                payload={"commands": [r.command_id for r in rows], "started": any(r.kind == Kind.START_TRIP for r in rows)},
            )
            for trip_id, rows in by_trip.items()
        ]

    async def _stays(self, tx: Tx, job: Job, at: datetime) -> None:
        """A withdrawal that may not take back: what is paid or may have happened stays, and the traveller is told."""
        trip = await trips.find(tx, job.thread.thread_id)
        if trip is not None and job.command.kind is Kind.MOVED:
            await self._moved_aside(tx, job, trip)
        elif trip is not None and job.command.kind is not Kind.ASK_AGAIN:
            if job.thread.head_checkpoint_id is None:
                await trips.change(tx, trip.trip_id, at=at, status=TripStatus.WITHDRAWN.value)
            event = {"trip_id": trip.trip_id, "status": "kept" if trip.create_ids else "withdrawn"}
            await self.door.accept_own(
                tx, notice(self.follow_ups, job, 0, trip.conversation_id, event), parent=job.command.command_id
            )
        await commands.end(tx, job, Status.SUCCEEDED, at=at, result={"kept": True})
        await self._signal(tx, job, Status.SUCCEEDED, at)

    async def _moved_aside(self, tx: Tx, job: Job, trip: Row[Any]) -> None:
        """A flight was moved that the trip's main line does not want: it is told, and nothing is asked."""
        move = await ledger.last_move(tx, job.payload["order_id"])
        if move is None or move.command_id != first_of(job):
            return
        event = {"trip_id": trip.trip_id, "status": "moved", "moved": await facts_of(tx, trip.trip_id, move)}
        told = notice(self.follow_ups, job, 0, trip.conversation_id, event)
        await self.door.accept_own(tx, told, parent=job.command.command_id)

    async def failed(self, tx: Tx, job: Job, error: dict[str, Any]) -> None:
        """The thread stays where it was. A question that was being answered waits again, asked anew; nothing said vanishes."""
        at = self.clock()
        await ledger.void(tx, job.command.command_id)
        reopened = await questions.reopen(tx, job.command.command_id)
        waiting = reopened or await questions.waiting(tx, job.thread.thread_id)
        if job.thread.kind == "trip":
            await self._trip_failed(tx, job, waiting, error, at)
            if waiting is not None:
                again = self.follow_ups(job.command.command_id, "ask_again")
                owner = Actor(tenant_id=job.thread.tenant_id, user_id=job.thread.owner_id, name="")
                payload = {"question_id": waiting.question_id, "checkpoint_id": waiting.asks_checkpoint_id}
                ask = Command(command_id=again, kind=Kind.ASK_AGAIN, actor=owner, target=job.thread.thread_id, payload=payload)
                if job.command.kind is not Kind.ASK_AGAIN:
                    await self.door.accept_own(tx, ask, parent=job.command.command_id)
        else:
            await self._apologise(tx, job, error, at)
        await commands.end(tx, job, Status.FAILED, at=at, error=error)
        await self._signal(tx, job, Status.FAILED, at)

    async def given_up(self, tx: Tx, job: Job, error: dict[str, Any]) -> None:
        """The end and nothing that could fail: what was granted is void, a question that was being answered waits again.

        People see that the trip stands still; its question is asked anew by the reconciler.
        """
        at = self.clock()
        await ledger.void(tx, job.command.command_id)
        await questions.reopen(tx, job.command.command_id)
        await trips.stands_still(tx, job.thread.thread_id, at=at)
        await commands.end(tx, job, Status.FAILED, at=at, error=error)
        await signals.bump(tx, signals.of_user(job.thread.owner_id), signals.of_inbox(job.thread.tenant_id))

    async def _trip_failed(self, tx: Tx, job: Job, waiting: Any, error: dict[str, Any], at: datetime) -> None:
        status = {"choose": "choosing", "agree": "waiting_traveller", "review": "waiting_review", "await_outcome": "checking"}
        trip = await trips.find(tx, job.thread.thread_id)
        back = status[waiting.node] if waiting is not None else "needs_person"
        if trip is not None and trip.status in {"settling", "searching"}:
            await trips.change(tx, trip.trip_id, at=at, status=back, reason="failed")
        if trip is not None and error.get("code") != "stopped":  # whoever stopped it knows
            event = {"trip_id": trip.trip_id, "status": "failed", "reason": "failed", "code": error.get("code")}
            await self.door.accept_own(
                tx, notice(self.follow_ups, job, "failed", trip.conversation_id, event), parent=job.command.command_id
            )

    async def _apologise(self, tx: Tx, job: Job, error: dict[str, Any], at: datetime) -> None:
        if job.command.kind is Kind.NOTIFY:
            return
        conversation = await transcript.conversation(tx, job.thread.thread_id)
        reply_id = derived("reply", job.command.command_id)
        key = "chat.stopped" if error.get("code") == "stopped" else "chat.failed"
        language = conversation.language if conversation else "en"
        body: dict[str, Any] = {"said": [{"key": key, "params": {}}], "language": language, "text": None}
        await transcript.append(
            tx,
            job.thread.thread_id,
            message_id=reply_id,
            parent_id=conversation.head_message_id if conversation else None,
            role="assistant",
            body=body,
            command_id=job.command.command_id,
            at=at,
        )
        await transcript.change(tx, job.thread.thread_id, head_message_id=reply_id, updated_at=at)

    async def _signal(self, tx: Tx, job: Job, status: Status, at: datetime) -> None:
        await signals.bump(tx, signals.of_user(job.thread.owner_id), signals.of_inbox(job.thread.tenant_id))
        conversation_id = job.thread.thread_id
        if job.thread.kind == "trip":
            trip = await trips.find(tx, job.thread.thread_id)
            if trip is None:
                return
            conversation_id = trip.conversation_id
            await signals.emit(tx, conversation_id, kind="trip", body={"trip_id": trip.trip_id, "status": trip.status}, at=at)
        body = {"command_id": job.command.command_id, "status": status.value}
        await signals.emit(tx, conversation_id, kind="command", body=body, at=at)
