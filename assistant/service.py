"""The one door in: accept a command, run it, finish it. Graphs propose, the service disposes."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from langgraph.types import StateSnapshot

from . import ledger
from .accepting.door import Door, checked, error_of
from .crashpoints import point
from .desk import BookingDesk, Errand
from .dispatch.dispatcher import Dispatcher
from .domain.clock import Clock
from .domain.commands import Command, Edits, Kind, Receipt, Rewind
from .domain.errors import CommandRefused, Conflict, Forbidden, Invalid, NotFound, Reason, Refused, Unavailable
from .domain.people import Actor
from .domain.plans import Plan
from .domain.policy import Check, Policy
from .driving import Drive, Graph
from .edit_previews import EditPreviews
from .entering import Entering
from .finishing import FORKS, Finishing, write_user_message
from .going_back import GoingBack
from .history import made_since
from .language.usage import ModelRun
from .persistence import commands, signals, trips
from .persistence.commands import Job
from .persistence.database import Database, Tx, insert_or, shielded
from .persistence.storage import Trouble, trouble_of
from .persistence.tables import webhooks
from .replies import Replies
from .streams import Streams

log = logging.getLogger(__name__)

TRIES = 3
# Runs of one command that died with their process before it is given up: one that brings its process down every time must end
# some day, one that is only unlucky must not. Eight in a row were seen under kills every three seconds on a busy machine.
MOST_LIVES = 40
SOON, LATER = timedelta(seconds=0.2), timedelta(seconds=1)


@dataclass(frozen=True)
class Graphs:
    trip: Graph
    conversation: Graph


@dataclass(frozen=True)
class Contexts:
    """Makes the runtime context of a run; the composition root knows what goes in."""

    trip: Callable[[Job, Any, Errand], object]
    conversation: Callable[[Job, Callable[[str], Any], ModelRun], object]


@dataclass
class TravelService:
    database: Database
    desk: BookingDesk
    policy: Policy
    clock: Clock
    door: Door
    finishing: Finishing
    graphs: Graphs
    going_back: GoingBack
    entering: Entering
    edit_previews: EditPreviews
    contexts: Contexts
    dispatcher: Dispatcher
    streams: Streams
    replies: Replies = field(default_factory=Replies)
    _waited: Counter[str] = field(default_factory=Counter[str])  # times the disk kept an open command waiting, in this process
    _begun: Counter[str] = field(default_factory=Counter[str])  # runs of an open command that this process began and outlived

    # Accept

    async def accept(self, command: Command) -> Receipt:
        """One transaction; the same key again gets the first answer. Raises the CommandRefused family: nothing was stored."""
        await self._check_way_back(command)
        receipt = await self.database.write(lambda tx: self.door.accept(tx, command))
        point("accept.committed", command.kind)
        if command.kind is Kind.STOP:
            self.replies.stop((receipt.result or {}).get("stopping") or ())
        self.dispatcher.wake()
        return receipt

    async def _check_way_back(self, command: Command) -> None:
        """What a correction comes to needs the version's state, so it is tried before anything is written."""
        if command.kind is Kind.REWIND and await self._is_new(command):
            wanted = _rewind(command)
            await self.going_back.way(
                command.actor, command.target, to_version=wanted.to_version, corrections=wanted.corrections, settle=wanted.settle
            )

    async def _is_new(self, command: Command) -> bool:
        row = await self.database.read(lambda tx: commands.find(tx, command.actor.tenant_id, command.command_id))
        return row is None

    async def accept_own(self, command: Command) -> None:
        """A command of the product itself. One that does not fit now is not stored: its time comes again, or is over."""
        try:
            await self.database.write(lambda tx: self.door.accept_given(tx, command))
        except CommandRefused as refusal:
            log.info("%s is not given now: %s", command.kind, refusal.code)
            return
        self.dispatcher.wake()

    async def settled(self, tenant_id: str, command_id: str, *, wait: float) -> Receipt:
        """Where the command stands, after waiting up to `wait` seconds for its end."""
        until = time.monotonic() + wait
        while True:
            row = await self.database.read(lambda tx: commands.find(tx, tenant_id, command_id))
            if row is None:
                raise NotFound("not_found", what="command")
            receipt = commands.receipt(row)
            left = until - time.monotonic()
            if receipt.ended or left <= 0:
                return receipt
            await self.streams.news(min(left, 0.5))

    # Run: one at a time a thread, in order

    async def run(self, tenant_id: str, command_id: str) -> None:
        """Carry an accepted command out. The caller may go; the run goes on to its end."""
        await shielded(self._run(tenant_id, command_id))

    async def _run(self, tenant_id: str, command_id: str) -> None:
        with self.replies.of(command_id) as replying:  # there before a stop can see the command running
            await self._carry_out(tenant_id, command_id, replying)

    async def _carry_out(self, tenant_id: str, command_id: str, replying: ModelRun) -> None:
        job = await self.database.write(lambda tx: self._begin(tx, tenant_id, command_id))
        if job is None:
            return
        point("begin.committed", job.command.kind)
        if job.stop_asked:
            replying.stop.ask()
        self._begun[command_id] += 1
        try:
            if job.attempt - self._begun[command_id] >= MOST_LIVES:
                raise Conflict("gave_up", attempts=job.attempt)
            leaf = await self._drive(job, replying)
            made = (
                await made_since(self.database, self._graph(job), job.thread.thread_id, leaf, command_id=command_id)
                if leaf
                else []
            )
            await self.database.write(lambda tx: self.finishing.succeeded(tx, job, leaf, made))
            self._over(command_id)
            point("finish.committed", job.command.kind)
        except Exception as error:  # noqa: BLE001  (the one run boundary)
            await self._failed(job, error)
        finally:
            self.streams.end(command_id)
            await self.replies.account(self.database, job.run_id, replying, at=self.clock())

    async def _begin(self, tx: Tx, tenant_id: str, command_id: str) -> Job | None:
        job = await commands.begin(tx, tenant_id, command_id, at=self.clock())
        if job is not None:
            await write_user_message(tx, job, self.clock())
            point("begin.stored", job.command.kind)
        return job

    async def _failed(self, job: Job, error: Exception) -> None:
        if isinstance(error, Conflict) and error.code == "overtaken":
            log.warning("run %s was overtaken by a newer one", job.run_id)
            return
        trouble = trouble_of(error)
        if trouble is not None or (isinstance(error, Unavailable) and job.attempt < TRIES):
            await self._again(job, error, trouble)
            return
        told = error_of(error) if isinstance(error, CommandRefused) else {"code": "failed"}
        if told["code"] != "stopped":
            log.error("command %s (%s) failed", job.command.command_id, job.command.kind, exc_info=error)
        await self._ended(job, told)
        self._over(job.command.command_id)

    def _over(self, command_id: str) -> None:
        self._begun.pop(command_id, None)
        self._waited.pop(command_id, None)

    async def _ended(self, job: Job, told: dict[str, Any]) -> None:
        """A command ends, also where telling of its end fails again and again: then with the end alone."""
        try:
            await self.database.write(lambda tx: self.finishing.failed(tx, job, told))
            return
        except Exception as worse:
            if trouble_of(worse) is not None or self._begun[job.command.command_id] < TRIES:
                raise
            log.error("command %s is given up without a word to anybody", job.command.command_id, exc_info=worse)
        await self.database.write(lambda tx: self.finishing.given_up(tx, job, told))

    async def _again(self, job: Job, error: Exception, trouble: Trouble | None) -> None:
        """A disk's trouble is nobody's fault: such a run is not counted, and the command waits for as long as it takes."""
        after = SOON * 2**job.attempt
        if trouble is not None:
            waited = self._waited[job.command.command_id] = self._waited[job.command.command_id] + 1
            after = min(LATER * 2 ** min(waited - 1, 20), commands.LONGEST_WAIT)
            log.warning("command %s waits, the storage is %s: %r", job.command.command_id, trouble, error)
        counted = trouble is None
        await self.database.write(
            lambda tx: commands.retry(tx, job, error=repr(error), at=self.clock(), after=after, counted=counted)
        )
        self._begun[job.command.command_id] -= not counted

    def _graph(self, job: Job) -> Graph:
        return self.graphs.trip if job.thread.kind == "trip" else self.graphs.conversation

    async def _drive(self, job: Job, replying: ModelRun) -> StateSnapshot | None:
        command = job.command
        drive = Drive(
            self._graph(job),
            job.thread.thread_id,
            command.command_id,
            command.actor.user_id,
            await self._context(job, replying),
            check=replying.stop.check if await self._may_be_stopped(job) else None,
        )
        return await drive.to_rest(lambda: self.entering.entry(job))

    async def _may_be_stopped(self, job: Job) -> bool:
        """A way back, until one of its runs has sent anything: what buys or cancels runs to its end."""
        tenant_id, command_id = job.thread.tenant_id, job.command.command_id
        return job.command.kind in FORKS and not await self.database.read(lambda tx: ledger.has_sent(tx, tenant_id, command_id))

    async def _context(self, job: Job, replying: ModelRun) -> object:
        if job.thread.kind == "trip":
            trip = await self.database.read(lambda tx: trips.find(tx, job.thread.thread_id))
            errand = Errand(job.thread.tenant_id, job.thread.owner_id, job.thread.thread_id, job.run_id)
            return self.contexts.trip(job, trip, errand)
        self.streams.open(job.command.command_id)

        async def stream(piece: str) -> None:
            replying.stop.check()
            await self.streams.piece(job.command.command_id, piece)

        return self.contexts.conversation(job, stream, replying)

    # Beside commands

    async def preview_edit(self, actor: Actor, review_id: str, edits: Edits) -> tuple[Plan, bool, tuple[Check, ...]]:
        """What an edit would come to, whether the traveller is asked, and policy's checks. Changes nothing at the airline."""
        return await self.edit_previews.preview(actor, review_id, edits)

    async def events(self, conversation_id: str, *, after: int) -> AsyncIterator[tuple[int, str, dict[str, Any]]]:
        """What happens in a conversation from event `after` on, without end; the caller has checked whose it is."""
        seen = after
        while True:
            rows = await self.database.read(lambda tx, n=seen: signals.since(tx, conversation_id, after=n))
            for row in rows:
                seen = row.n
                yield row.n, row.kind, row.body
            await self.streams.news(1.0)

    async def pieces(self, actor: Actor, command_id: str) -> AsyncIterator[str]:
        """The words of a running reply as they come; ends with it. Only of what oneself has said; raises NotFound."""
        row = await self.database.read(lambda tx: commands.find(tx, actor.tenant_id, command_id))
        if row is None or row.actor["user_id"] != actor.user_id:
            raise NotFound("not_found", what="command")
        async for piece in self.streams.pieces(command_id):
            yield piece

    async def webhook(self, headers: Mapping[str, str], body: bytes) -> None:
        """Verified, stored once whatever comes twice, and looked into by the reconciler. Raises Invalid, Forbidden."""
        try:
            event = self.desk.provider.parse_webhook(headers, body)
        except Refused as refusal:
            if refusal.reason is Reason.AUTH:
                raise Forbidden("forbidden", needs="signature") from refusal
            raise Invalid("invalid", fields=["body"]) from refusal
        at = self.clock()

        async def store(tx: Tx) -> None:
            row = {"event_id": event.event_id, "kind": event.kind, "body": event.model_dump(mode="json"), "received_at": at}
            new = await tx.execute(insert_or(tx, webhooks).values(row).on_conflict_do_nothing())
            if new.rowcount == 1:
                await ledger.heard(tx, event, at=at)

        await self.database.write(store)


def _rewind(command: Command) -> Rewind:
    checked(command)
    return Rewind.model_validate(command.payload)
