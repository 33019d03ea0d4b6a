"""Finishing a run: one transaction, guarded by the fence; messages, versions, read models, questions, follow-ups, all or none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

from langgraph.types import StateSnapshot

from . import ledger
from .accepting.door import Door
from .domain.clock import Clock
from .domain.commands import Command, Kind, Status
from .domain.ids import FollowUps, derived
from .domain.people import Actor
from .domain.plans import LIVE, SPENDS, OrderState, Plan, StepKind, Wanted
from .domain.policy import Policy, checks, review_deadline
from .domain.trips import Selection, ShownFare, TripStatus
from .domain.understanding import SeatWish
from .driving import checkpoint_of
from .going_back import branch_of, follow_ups_of, followed
from .ledger import Book
from .persistence import commands, documents, questions, signals, threads, transcript, trips, versions, wishes
from .persistence.commands import Job
from .persistence.database import Tx
from .persistence.versions import Made
from .places import airport

ASKED_STATUS = {"choose": TripStatus.CHOOSING, "agree": TripStatus.WAITING_TRAVELLER, "review": TripStatus.WAITING_REVIEW}
TITLE_LENGTH = 60
FORKS = frozenset({Kind.REWIND, Kind.EDIT_MESSAGE, Kind.REGENERATE, Kind.PROMOTE_BRANCH})


@dataclass(frozen=True)
class Finishing:
    door: Door
    policy: Policy
    follow_ups: FollowUps
    clock: Clock
    mode: str

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
            result, follow = await self._trip(tx, job, leaf, branch_id, newest, at)
        else:
            result, follow = await self._turn(tx, job, leaf, branch_id, newest, at)
        await self._accept_all(tx, job, [*taken_back, *follow])
        await commands.end(tx, job, Status.SUCCEEDED, at=at, result=result, head=checkpoint_of(leaf), branch_id=branch_id)
        await self._signal(tx, job, Status.SUCCEEDED, at)

    async def _accept_all(self, tx: Tx, job: Job, follow: list[Command]) -> None:
        """Follow-ups are accepted in the order proposed; one that came too late is told to the traveller."""
        told: list[Command] = []
        for index, command in enumerate(follow):
            refusal = await self.door.accept_own(tx, command, parent=job.command.command_id)
            if refusal is not None and command.kind is not Kind.NOTIFY:
                payload = {"trip_id": command.target, "status": "refused", "code": refusal.code}
                told.append(self._notify(job, f"refused-{index}", job.thread.thread_id, payload))
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
                actor=_owner(job),
                target=trip_id,
                payload={"commands": [r.command_id for r in rows], "started": any(r.kind == Kind.START_TRIP for r in rows)},
            )
            for trip_id, rows in by_trip.items()
        ]

    async def _stays(self, tx: Tx, job: Job, at: datetime) -> None:
        """A withdrawal that may not take back: what is paid or may have happened stays, and the traveller is told."""
        trip = await trips.find(tx, job.thread.thread_id)
        if trip is not None:
            if job.thread.head_checkpoint_id is None:
                await trips.change(tx, trip.trip_id, at=at, status=TripStatus.WITHDRAWN.value)
            event = {"trip_id": trip.trip_id, "status": "kept" if trip.create_ids else "withdrawn"}
            await self.door.accept_own(tx, self._notify(job, 0, trip.conversation_id, event), parent=job.command.command_id)
        await commands.end(tx, job, Status.SUCCEEDED, at=at, result={"kept": True})
        await self._signal(tx, job, Status.SUCCEEDED, at)

    # A trip has come to rest

    async def _trip(
        self, tx: Tx, job: Job, leaf: StateSnapshot, branch_id: str, newest: int, at: datetime
    ) -> tuple[dict[str, Any], list[Command]]:
        values, trip_id = cast(dict[str, Any], leaf.values), job.thread.thread_id
        before = await trips.find(tx, trip_id)
        asked = leaf.interrupts[0].value if leaf.interrupts else None
        question_id = await self._ask(tx, job, leaf, branch_id, at) if asked else None
        await questions.supersede(tx, trip_id, but=question_id)
        status = status_of(values, asked)
        row = await self._read_model(tx, job, values, status, question_id)
        await trips.change(tx, trip_id, at=at, **row)
        was = before.status if before else None
        event = {"trip_id": trip_id, "status": status.value, "was": was, "reason": row["reason"], "message": row.get("message")}
        trip = await trips.find(tx, trip_id)
        tell = trip is not None and (was != status.value or values.get("reason") or job.command.kind is Kind.REVISE_TRIP)
        notify = [self._notify(job, 0, trip.conversation_id, event)] if tell and trip is not None else []
        fork = {"branch_id": branch_id, "version": newest} if job.command.kind in FORKS else {}
        return fork | {
            "trip_id": trip_id,
            "status": status.value,
            "review_id": question_id if status is TripStatus.WAITING_REVIEW else None,
        }, notify

    def _notify(self, job: Job, index: int | str, conversation_id: str, event: dict[str, Any]) -> Command:
        owner = Actor(tenant_id=job.thread.tenant_id, user_id=job.thread.owner_id, name="")
        command_id = self.follow_ups(job.command.command_id, f"notify-{index}")
        return Command(command_id=command_id, kind=Kind.NOTIFY, actor=owner, target=conversation_id, payload=event)

    async def _read_model(
        self, tx: Tx, job: Job, values: dict[str, Any], status: TripStatus, question_id: str | None
    ) -> dict[str, Any]:
        wanted = Wanted.model_validate(values["wanted"]) if values.get("wanted") else None
        selection = Selection.model_validate(values["selection"]) if values.get("selection") else None
        plan = Plan.model_validate(await documents.read(tx, values["plan"])) if values.get("plan") else None
        page = await ledger.page(tx, Book(job.thread.tenant_id, self.mode), job.thread.thread_id)
        held = [o.pay_by for o in page.orders if o.state is OrderState.HELD and o.pay_by]
        chosen = wanted.fare if wanted else await self._shown_fare(tx, values, selection)
        row: dict[str, Any] = {
            "status": status.value,
            "reason": values.get("reason"),
            "request": values["request"],
            "offers_hash": values.get("offers_hash"),
            "selection": values.get("selection"),
            "chosen": chosen and chosen.model_dump(mode="json"),
            "total": wanted.total.model_dump(mode="json")
            if wanted
            else selection and selection.quoted and selection.quoted.model_dump(mode="json"),
            "plan_hash": values.get("plan") if selection or (plan and plan.steps and not values.get("concluded")) else None,
            "question_id": question_id,
            "held_until": min(held) if held else None,
            "create_ids": wanted_creates(plan)
            if plan and selection
            else [o.create_id for o in page.orders if o.state in LIVE and selection],
        }
        if selection is not None:
            row["person_ids"] = list(selection.person_ids)
        if status in {TripStatus.CHOOSING, TripStatus.BOOKED, TripStatus.WAITING_REVIEW} and values.get("reason") != "respond":
            row["message"] = None
        return row

    async def _shown_fare(self, tx: Tx, values: dict[str, Any], selection: Selection | None) -> Any:
        if selection is None or not values.get("offers_hash"):
            return None
        body = await documents.read(tx, values["offers_hash"])
        for each in (body or {"fares": []})["fares"]:
            fare = ShownFare.model_validate(each).fare
            if (fare.segment_keys, fare.cabin, fare.fare_brand) == (
                selection.segment_keys,
                selection.cabin,
                selection.fare_brand,
            ):
                return fare
        return None

    async def _ask(self, tx: Tx, job: Job, leaf: StateSnapshot, branch_id: str, at: datetime) -> str:
        """Open the question the graph waits at; asked anew it keeps its row."""
        asked = leaf.interrupts[0]
        node = asked.value["kind"]
        checkpoint = checkpoint_of(leaf) or ""
        question_id = job.payload.get("question_id") if job.command.kind is Kind.ASK_AGAIN else None
        if question_id is not None:
            await questions.reask(tx, question_id, interrupt_id=asked.id, asks_checkpoint_id=checkpoint)
            return question_id
        question_id = derived("question", job.thread.thread_id, checkpoint)
        body, deadline = await self._question_body(tx, asked.value, leaf.values, at)
        await questions.supersede(tx, job.thread.thread_id, but=question_id)
        await questions.open_one(
            tx,
            {
                "question_id": question_id,
                "tenant_id": job.thread.tenant_id,
                "thread_id": job.thread.thread_id,
                "branch_id": branch_id,
                "node": node,
                "interrupt_id": asked.id,
                "asks_checkpoint_id": checkpoint,
                "graph_version": threads.GRAPH_VERSION,
                "digest": asked.value.get("digest"),
                "body": body,
                "deadline": deadline,
                "status": "waiting",
                "created_at": at,
            },
        )
        return question_id

    async def _question_body(
        self, tx: Tx, asked: dict[str, Any], values: dict[str, Any], at: datetime
    ) -> tuple[dict[str, Any], datetime | None]:
        if asked["kind"] not in {"review", "agree"}:
            return dict(asked), None
        plan = Plan.model_validate(await documents.read(tx, asked["plan"]))
        wanted = Wanted.model_validate(values["wanted"]) if values.get("wanted") else None
        deadline = review_deadline(self.policy, at, departure(wanted))
        net = plan.net
        body = {
            "plan_hash": asked["plan"],
            "digest": asked["digest"],
            "total": net and net.model_dump(mode="json"),
            "notes": asked.get("notes") or [],
            "checks": [c.model_dump(mode="json") for c in checks(plan, self.policy)],
            "reason": asked.get("reason"),
            "authors": values.get("authors") or [],
            "wanted": asked.get("wanted"),
            "instead_of": asked.get("instead_of"),
        }
        return body, deadline

    # A conversation has answered

    async def _turn(
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
        owner = _owner(job)
        said = tuple(SeatWish.model_validate(w) for w in values.get("wishes") or [])
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
        return {
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
            made.append(Command(command_id=follow_id, kind=kind, actor=_owner(job), target=target, payload=payload))
        return made

    # It did not work

    async def failed(self, tx: Tx, job: Job, error: dict[str, Any]) -> None:
        """The thread stays where it was. A question that was being answered waits again, asked anew; nothing said vanishes."""
        at = self.clock()
        await ledger.void(tx, job.command.command_id)
        reopened = await questions.reopen(tx, job.command.command_id)
        waiting = reopened or await questions.waiting(tx, job.thread.thread_id)
        if job.thread.kind == "trip":
            await self._trip_failed(tx, job, waiting, at)
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

    async def _trip_failed(self, tx: Tx, job: Job, waiting: Any, at: datetime) -> None:
        status = {"choose": "choosing", "agree": "waiting_traveller", "review": "waiting_review", "await_outcome": "checking"}
        trip = await trips.find(tx, job.thread.thread_id)
        back = status[waiting.node] if waiting is not None else "needs_person"
        if trip is not None and trip.status in {"settling", "searching"}:
            await trips.change(tx, trip.trip_id, at=at, status=back, reason="failed")
        if trip is not None:
            event = {"trip_id": trip.trip_id, "status": "failed", "reason": "failed"}
            await self.door.accept_own(
                tx, self._notify(job, "failed", trip.conversation_id, event), parent=job.command.command_id
            )

    async def _apologise(self, tx: Tx, job: Job, error: dict[str, Any], at: datetime) -> None:
        if job.command.kind is Kind.NOTIFY:
            return
        conversation = await transcript.conversation(tx, job.thread.thread_id)
        reply_id = derived("reply", job.command.command_id)
        key = "chat.stopped" if error.get("code") == "stopped" else "chat.failed"
        body = {"said": [{"key": key, "params": {}}], "language": conversation.language if conversation else "en", "text": None}
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


def _owner(job: Job) -> Actor:
    """Whose thread it is: a reviewer's correction still acts for the traveller."""
    if job.command.actor.user_id == job.thread.owner_id:
        return job.command.actor
    return Actor(tenant_id=job.thread.tenant_id, user_id=job.thread.owner_id, name="")


def status_of(values: dict[str, Any], asked: dict[str, Any] | None) -> TripStatus:
    """What people read of where the graph rests."""
    if asked is None:
        return TripStatus(values["concluded"]["status"])
    node = asked["kind"]
    if node == "choose" and values.get("reason") == "expired":
        return TripStatus.EXPIRED
    if node == "choose" and values.get("reason") == "cancelled_not_rebooked":
        return TripStatus.NEEDS_PERSON
    if node == "await_outcome":
        word = {"ticketing": TripStatus.TICKETING, "needs_person": TripStatus.NEEDS_PERSON}
        return word.get(str(asked.get("stopped")), TripStatus.CHECKING)
    return ASKED_STATUS[node]


def wanted_creates(plan: Plan) -> list[str]:
    """The creates a main line wants: what it keeps, holds, pays or books."""
    kept = {StepKind.KEEP, StepKind.HOLD} | SPENDS
    return sorted({step.create_id for step in plan.steps if step.kind in kept})


def departure(wanted: Wanted | None) -> datetime | None:
    """When the first flight leaves, as an aware time."""
    if wanted is None:
        return None
    first = wanted.fare.segments[0]
    place = airport(first.origin)
    return first.departs.replace(tzinfo=ZoneInfo(place.tz if place else "UTC"))


def _title(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1] + "…"
