"""Where a command enters its thread: a new turn, an answer, a correction, a question asked again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import ledger
from .accepting.ground import confirming
from .desk import BookingDesk, Errand
from .domain.clock import Clock
from .domain.commands import Kind
from .domain.errors import Conflict
from .domain.plans import Choice
from .domain.trips import DESK_ANSWERED, TripStatus
from .driving import Answer, AskAgain, Begin, Enter, Entry, Rest
from .going_back import GoingBack
from .moving import MovedFlights
from .persistence import documents, questions, versions
from .persistence.commands import Job
from .persistence.database import Database
from .recovering import entry_of
from .ways import Way

ANSWERABLE = ("authors", "corrected_by")  # who may not approve alone what comes next
LEADS_ELSEWHERE = frozenset({Kind.CANCEL_TRIP, Kind.REVISE_TRIP, Kind.MOVED})
Chosen = Callable[..., Any]  # what entering the trip graph as `choose` must set, as a dict


@dataclass(frozen=True)
class Entering:
    database: Database
    desk: BookingDesk
    clock: Clock
    going_back: GoingBack
    chosen: Chosen

    async def entry(self, job: Job) -> Entry:
        payload, head = job.payload, job.thread.head_checkpoint_id
        if job.command.kind in LEADS_ELSEWHERE:
            await self._refuse_while_confirming(job)
        match job.command.kind:
            case Kind.SEND_MESSAGE:
                turn = {k: payload[k] for k in ("message_id", "text", "at", "timezone")} | {"command_id": job.command.command_id}
                return Begin({"turn": turn, "event": None}, head)
            case Kind.NOTIFY:
                return Begin({"turn": None, "event": payload}, head)
            case Kind.START_TRIP:
                return Begin({"request": payload["request"]})
            case Kind.REVISE_TRIP if payload.get("request"):
                entered = self.chosen(None) | {"request": payload["request"]}
                return Enter(head, "__start__", entered) if head else Begin(entered)
            case Kind.REVISE_TRIP:
                return Enter(head, "choose", self.chosen(payload["selection"], payload.get("settle")))
            case Kind.CANCEL_TRIP:
                return await self._cancelled(job)
            case Kind.REPLY:
                return await self._replied(job)
            case Kind.ASK_AGAIN if payload.get("lost"):
                return entry_of(payload["lost"], self.chosen)
            case Kind.ASK_AGAIN if payload.get("enter_as"):
                return Enter(payload["checkpoint_id"], payload["enter_as"], None)
            case Kind.ASK_AGAIN:
                left = await self.database.read(lambda tx: questions.find(tx, payload["question_id"]))
                return Rest() if left is not None and left.status == "superseded" else AskAgain(payload["checkpoint_id"])
            case Kind.REWIND | Kind.EDIT_MESSAGE | Kind.REGENERATE | Kind.PROMOTE_BRANCH:
                return await self._going_back(job)
            case Kind.WITHDRAW:
                return await self._withdrawal(job)
            case Kind.MOVED:
                values = await self.going_back.values(job.thread, head) if head else {}
                return await MovedFlights(self.database, self.desk, self.clock, self.chosen).entry(job, values)
            case _:
                return await self._answer(job)

    async def _cancelled(self, job: Job) -> Entry:
        """The whole trip, or one booking of it; nothing of a trip that has not begun."""
        payload, head = job.payload, job.thread.head_checkpoint_id
        if head is None:
            return Rest()
        before = await self.going_back.values(job.thread, head)
        if payload.get("drops"):
            ending = "choose_again" if payload.get("keep_choice") else _over_without_booking(before)
            ending = "undecided" if ending is None and payload.get("undecided") else ending
            entered = self.chosen(before.get("selection"), drops=payload["drops"], ending=ending)
            pending = {} if before.get("concluded") else {key: before.get(key) for key in ANSWERABLE}
            return Enter(head, "choose", entered | pending)
        return Enter(head, "choose", self.chosen(None, nothing=True) | {"kept_selection": before.get("selection")})

    async def _replied(self, job: Job) -> Entry:
        """The traveller is asked again, with what the desk answered; what is booked and chosen is as it was."""
        head = job.thread.head_checkpoint_id
        if head is None:
            raise Conflict("not_waiting")
        before = await self.going_back.values(job.thread, head)
        said = {"by": job.payload["by"], "text": job.payload["text"]}
        kept = {key: before.get(key) for key in ("wanted", "moved", *ANSWERABLE)}
        entered = self.chosen(before.get("selection")) | kept
        return Enter(head, "shortlist", entered | {"reason": DESK_ANSWERED, "notes": [*(before.get("notes") or []), said]})

    async def _refuse_while_confirming(self, job: Job) -> None:
        """What was accepted before the send runs after it: while the airline's word is awaited it must not lead elsewhere."""

        if await self.database.read(lambda tx: confirming(tx, job.thread.thread_id)):
            raise Conflict("confirming")

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
        if (
            first is None
            or before is None
            or await self.database.read(lambda tx: ledger.spent_since(tx, trip_id, first.command_id, first.created_at))
        ):
            return Rest()
        if first.asks_checkpoint_id:
            return AskAgain(first.asks_checkpoint_id)
        values = await self.going_back.values(job.thread, before.checkpoint_id)
        if not values.get("selection"):
            return self._as_it_ended(before.checkpoint_id, values.get("concluded"))
        return Enter(before.checkpoint_id, "choose", self.chosen(values["selection"]))

    def _as_it_ended(self, checkpoint_id: str, concluded: dict[str, Any] | None) -> Entry:
        """Before, nothing was wanted: its question once more, or where nothing was asked, the same end again."""
        if concluded is None:
            return AskAgain(checkpoint_id)
        ending = concluded["status"] if concluded["status"] in ("rejected", "withdrawn") else None
        return Enter(checkpoint_id, "choose", self.chosen(None, Choice.AS_IS.value, ending=ending))

    async def _withdrawn(self, trip_id: str, head: str, *, paid: bool) -> Entry:
        """Nothing is wanted any more: what is not paid is given back, what is paid stays and is not asked about."""
        if not paid:
            return Enter(head, "choose", self.chosen(None, ending="withdrawn"))
        asked = await self.database.read(lambda tx: questions.waiting(tx, trip_id))
        return Enter(head, "choose", self.chosen(None, Choice.AS_IS.value)) if asked is not None else Rest()

    async def _answer(self, job: Job) -> Answer:
        """The question as it stands now: asked anew since, it has another interrupt."""
        question = await self.database.read(lambda tx: questions.find(tx, job.payload["question_id"]))
        if question is None or question.answered_by != job.command.command_id:
            raise Conflict("not_waiting")
        value: dict[str, Any] = job.payload["answer"] | {"command_id": job.command.command_id}
        if question.deadline is not None:
            value |= {"until": question.deadline.isoformat()}
        return Answer(question.asks_checkpoint_id, question.interrupt_id, value)


def _over_without_booking(before: dict[str, Any]) -> str | None:
    """How a trip ended that wants nothing: so it ends again, whatever becomes of a booking it was left with."""
    concluded, over = before.get("concluded"), (TripStatus.CANCELLED, TripStatus.REJECTED, TripStatus.WITHDRAWN)
    return concluded["status"] if concluded and not before.get("selection") and concluded["status"] in over else None
