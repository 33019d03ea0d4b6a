"""The one door in: accept a command, run it, finish it. Graphs propose, the service disposes."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from langgraph.types import StateSnapshot
from sqlalchemy.exc import OperationalError

from . import ledger
from .accepting.door import Door, checked, error_of
from .accepting.ground import Ground, own_trip
from .accepting.reviews import Preview, preview_key
from .accepting.trips import revised_selection, seat_map_of, shown_option
from .crashpoints import point
from .desk import BookingDesk, Errand
from .dispatch.dispatcher import Dispatcher
from .domain.clock import Clock
from .domain.commands import Command, Edits, Kind, Receipt, Rewind
from .domain.errors import CommandRefused, Conflict, Forbidden, Invalid, NotFound, Reason, Refused, Unavailable
from .domain.flights import SeatMap
from .domain.people import Actor, Role
from .domain.plans import Choice, Plan, Wanted
from .domain.policy import Check, Policy, checks
from .domain.worse import differences
from .driving import Answer, AskAgain, Begin, Drive, Enter, Entry, Graph, Rest
from .finishing import Finishing, write_user_message
from .going_back import GoingBack, Way
from .history import made_since
from .language.usage import ModelRun
from .moving import MovedFlights
from .persistence import commands, documents, questions, signals, trips, versions
from .persistence.commands import Job
from .persistence.database import Database, Tx, insert_or, shielded
from .persistence.tables import documents as documents_table
from .persistence.tables import webhooks
from .replies import Replies
from .streams import Streams

log = logging.getLogger(__name__)

TRIES = 3
MOST_LIVES = 8  # runs of one command that died with their process, before it is given up
PASSING = (Unavailable, OperationalError)
Chosen = Callable[..., dict[str, Any]]


@dataclass(frozen=True)
class Graphs:
    """The compiled graphs, and what entering the trip graph as `choose` must set."""

    trip: Graph
    conversation: Graph
    chosen: Chosen


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
    contexts: Contexts
    dispatcher: Dispatcher
    streams: Streams
    replies: Replies = field(default_factory=Replies)

    # Accept

    async def accept(self, command: Command) -> Receipt:
        """One transaction; the same key again gets the first answer. Raises the CommandRefused family: then nothing was stored."""
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
        """A command of the product itself; one that comes too late is stored as failed."""
        await self.database.write(lambda tx: self.door.accept_own(tx, command, parent=None))
        self.dispatcher.wake()

    async def settled(self, tenant_id: str, command_id: str, *, wait: float) -> Receipt:
        """Where the command stands, after waiting up to `wait` seconds for its end."""
        left = wait
        while True:
            row = await self.database.read(lambda tx: commands.find(tx, tenant_id, command_id))
            if row is None:
                raise NotFound("not_found", what="command")
            receipt = commands.receipt(row)
            if receipt.ended or left <= 0:
                return receipt
            nap = min(left, 0.5)
            await self.streams.news(nap)
            left -= nap

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
        point("begin.committed", job.command.kind)
        try:
            if job.attempt > MOST_LIVES:
                raise Conflict("gave_up", attempts=job.attempt)
            leaf = await self._drive(job, replying)
            made = await made_since(self.database, self._graph(job), job.thread.thread_id, leaf) if leaf else []
            await self.database.write(lambda tx: self.finishing.succeeded(tx, job, leaf, made))
            point("finish.committed", job.command.kind)
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
        if isinstance(error, PASSING) and job.attempt < TRIES:
            after = timedelta(seconds=0.2 * 2**job.attempt)
            await self.database.write(lambda tx: commands.retry(tx, job, error=repr(error), at=self.clock(), after=after))
            return
        told = error_of(error) if isinstance(error, CommandRefused) else {"code": "failed"}
        if told["code"] != "stopped":
            log.error("command %s (%s) failed", job.command.command_id, job.command.kind, exc_info=error)
        await self.database.write(lambda tx: self.finishing.failed(tx, job, told))

    def _graph(self, job: Job) -> Graph:
        return self.graphs.trip if job.thread.kind == "trip" else self.graphs.conversation

    async def _drive(self, job: Job, replying: ModelRun) -> StateSnapshot | None:
        entry = await self._entry(job)
        command = job.command
        drive = Drive(
            self._graph(job), job.thread.thread_id, command.command_id, command.actor.user_id, await self._context(job, replying)
        )
        return await drive.to_rest(entry)

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

    async def _entry(self, job: Job) -> Entry:
        payload, head = job.payload, job.thread.head_checkpoint_id
        match job.command.kind:
            case Kind.SEND_MESSAGE:
                turn = {k: payload[k] for k in ("message_id", "text", "at", "timezone")} | {"command_id": job.command.command_id}
                return Begin({"turn": turn, "event": None}, head)
            case Kind.NOTIFY:
                return Begin({"turn": None, "event": payload}, head)
            case Kind.START_TRIP:
                return Begin({"request": payload["request"]})
            case Kind.REVISE_TRIP if payload.get("request"):
                entered = self.graphs.chosen(None) | {"request": payload["request"]}
                return Enter(head, "__start__", entered) if head else Begin(entered)
            case Kind.REVISE_TRIP:
                return Enter(head, "choose", self.graphs.chosen(payload["selection"], payload.get("settle")))
            case Kind.CANCEL_TRIP:
                return Enter(head, "choose", self.graphs.chosen(None)) if head else Rest()
            case Kind.ASK_AGAIN:
                return AskAgain(payload["checkpoint_id"])
            case Kind.REWIND | Kind.EDIT_MESSAGE | Kind.REGENERATE | Kind.PROMOTE_BRANCH:
                return await self._going_back(job)
            case Kind.WITHDRAW:
                return await self._withdrawal(job)
            case Kind.MOVED:
                values = await self.going_back.values(job.thread, head) if head else {}
                return await MovedFlights(self.database, self.desk, self.clock, self.graphs.chosen).entry(job, values)
            case _:
                return await self._answer(job)

    async def _going_back(self, job: Job) -> Entry:
        payload, actor, thread_id = job.payload, job.command.actor, job.thread.thread_id
        if job.command.kind is Kind.PROMOTE_BRANCH:
            if job.thread.kind == "conversation":
                leaf = await self.database.read(lambda tx: versions.find(tx, thread_id, payload["leaf"]))
                return Rest(leaf.checkpoint_id if leaf else None)
            return (await self.going_back.promotion(actor, thread_id, leaf=payload["leaf"], settle=payload.get("settle"))).entry
        corrections = payload.get("corrections") or ({"text": payload["text"]} if payload.get("text") else {})
        way = await self.going_back.way(
            actor, thread_id, to_version=payload["to_version"], corrections=corrections, settle=payload.get("settle")
        )
        return await self._entered_anew(job, way)

    async def _entered_anew(self, job: Job, way: Way) -> Entry:
        """A corrected list is kept as a document; a turn said anew carries this command's ids."""
        entry = way.entry
        if isinstance(entry, Enter) and entry.values is not None and way.document is not None:
            at = self.clock()
            key = await self.database.write(lambda tx: documents.keep(tx, way.document, at=at))
            return Enter(entry.checkpoint_id, entry.node, entry.values | {"offers_hash": key})
        if isinstance(entry, Enter) and entry.values is not None and entry.values.get("turn"):
            turn = entry.values["turn"] | {"message_id": job.payload["message_id"], "command_id": job.command.command_id}
            return Enter(entry.checkpoint_id, entry.node, entry.values | {"turn": turn})
        return entry

    async def _withdrawal(self, job: Job) -> Entry:
        """Judged on the trip's own thread: where something is paid or may have happened, it stays and is listed."""
        trip_id, head = job.thread.thread_id, job.thread.head_checkpoint_id
        page = await self.desk.live_orders(Errand(job.thread.tenant_id, job.thread.owner_id, trip_id, job.run_id))
        unsettled = await self.database.read(lambda tx: ledger.unsettled(tx, trip_id))
        if head is None or unsettled:
            return Rest()
        if job.payload.get("started"):
            return await self._withdrawn(trip_id, head, paid=any(o.paid for o in page.orders))
        first = await self.database.read(lambda tx: versions.of_command(tx, trip_id, job.payload["commands"][0]))
        before = await self.database.read(lambda tx: versions.find(tx, trip_id, first.parent_version or 0)) if first else None
        if first is None or before is None or await self.database.read(lambda tx: ledger.spent_since(tx, trip_id, first.created_at)):
            return Rest()
        if first.asks_checkpoint_id:
            return AskAgain(first.asks_checkpoint_id)
        values = await self.going_back.values(job.thread, before.checkpoint_id)
        if not values.get("selection"):
            return AskAgain(before.checkpoint_id)
        return Enter(before.checkpoint_id, "choose", self.graphs.chosen(values["selection"]))

    async def _withdrawn(self, trip_id: str, head: str, *, paid: bool) -> Entry:
        """Nothing is wanted any more: what is not paid is given back, what is paid stays and nothing further is asked about it."""
        if not paid:
            return Enter(head, "choose", self.graphs.chosen(None, ending="withdrawn"))
        asked = await self.database.read(lambda tx: questions.waiting(tx, trip_id))
        return Enter(head, "choose", self.graphs.chosen(None, Choice.AS_IS.value)) if asked is not None else Rest()

    async def _answer(self, job: Job) -> Answer:
        """The question as it stands now: asked anew since, it has another interrupt."""
        question = await self.database.read(lambda tx: questions.find(tx, job.payload["question_id"]))
        if question is None or question.answered_by != job.command.command_id:
            raise Conflict("not_waiting")
        value: dict[str, Any] = job.payload["answer"] | {"command_id": job.command.command_id}
        return Answer(question.asks_checkpoint_id, question.interrupt_id, value)

    # Reads that need more than a row

    async def preview_edit(self, actor: Actor, review_id: str, edits: Edits) -> tuple[Plan, bool, tuple[Check, ...]]:
        """What an edit would come to, whether the traveller is asked, and policy's checks. Changes nothing at the airline."""
        trip, before, ground_command = await self.database.read(lambda tx: self._review_of(tx, actor, review_id))
        errand = Errand(trip.tenant_id, trip.owner_id, trip.trip_id, "preview")

        async def selection_in(tx: Tx) -> Any:
            ground = Ground(tx, ground_command, self.clock(), self.policy, self.door.follow_ups)
            return await revised_selection(ground, trip, offer=edits.offer, seats=edits.seats)

        selection = await self.database.read(selection_in)
        wanted, changed = await self.desk.wanted(errand, selection)
        settle = edits.settle or (None)
        # as the run will, so that the plans agree
        await self.desk.quote_leaving(errand, wanted, Choice(settle) if settle else None)
        plan = await self.desk.preview(errand, wanted, Choice(settle) if settle else None)
        agree = before is not None and bool(differences(before, wanted))
        body = Preview(plan=plan, selection=changed.model_dump(mode="json"), settle=settle, agree=agree).model_dump(mode="json")
        await self.database.write(lambda tx: self._keep_preview(tx, preview_key(review_id, plan.digest), body))
        return plan, agree, checks(plan, self.policy)

    async def _keep_preview(self, tx: Tx, key: str, body: Any) -> None:
        row = insert_or(tx, documents_table).values(hash=key, body=body, created_at=self.clock())
        await tx.execute(row.on_conflict_do_update(["hash"], set_={"body": body}))

    async def _review_of(self, tx: Tx, actor: Actor, review_id: str) -> tuple[Any, Wanted | None, Command]:
        if not actor.can(Role.REVIEWER):
            raise Forbidden("forbidden", needs="reviewer")
        question = await questions.find(tx, review_id)
        if question is None or question.tenant_id != actor.tenant_id or question.node != "review":
            raise NotFound("not_found", what="review")
        if question.status != "waiting":
            answerer: dict[str, Any] = question.answerer or {}
            by = answerer.get("name")
            raise Conflict(
                "already_decided", by=by, at=question.answered_at and question.answered_at.isoformat(), answer=question.answer
            )
        trip = await trips.find(tx, question.thread_id)
        before = question.body.get("wanted")
        owner = Actor(tenant_id=actor.tenant_id, user_id=trip.owner_id if trip else "", name="")
        command = Command(command_id="preview", kind=Kind.DECIDE, actor=owner, target=review_id)
        return trip, Wanted.model_validate(before) if before else None, command

    async def seat_map(self, actor: Actor, trip_id: str, n: int) -> tuple[SeatMap, ...]:
        """The seat maps kept with option n, one a segment, as of the search."""

        async def read(tx: Tx) -> tuple[SeatMap, ...]:
            ground = Ground(tx, Command(command_id="read", kind=Kind.CHOOSE, actor=actor, target=trip_id), self.clock(), self.policy,
                            self.door.follow_ups)  # fmt: skip
            trip = await own_trip(ground, trip_id, or_reviewer=True)
            shown, maps = await shown_option(ground, trip, n)
            found = [await seat_map_of(ground, maps, key) for key in shown.fare.segment_keys]
            return tuple(m for m in found if m is not None)

        return await self.database.read(read)

    async def events(self, conversation_id: str, *, after: int) -> AsyncIterator[tuple[int, str, dict[str, Any]]]:
        """What happens in a conversation from event `after` on, without end; the caller has checked whose it is."""
        seen = after
        while True:
            rows = await self.database.read(lambda tx, n=seen: signals.since(tx, conversation_id, after=n))
            for row in rows:
                seen = row.n
                yield row.n, row.kind, row.body
            await self.streams.news(1.0)

    async def pieces(self, command_id: str) -> AsyncIterator[str]:
        """The words of a running reply as they come; ends with it."""
        async for piece in self.streams.pieces(command_id):
            yield piece

    async def webhook(self, headers: Mapping[str, str], body: bytes) -> None:
        """Verified, stored once whatever comes twice, and looked into by the reconciler. Raises Invalid, Forbidden."""
        try:
            event = self.desk.provider.parse_webhook(headers, body)
        except Refused as refusal:
            if refusal.reason is Reason.AUTH:
                raise Forbidden("forbidden", needs="signature") from refusal
            raise Invalid("invalid", field="body", problem="no event can be read from it") from refusal
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
