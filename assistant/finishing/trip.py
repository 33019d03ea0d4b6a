"""A trip at rest: the question it waits at, and what people read of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

from langgraph.types import StateSnapshot
from sqlalchemy import Row

from .. import ledger
from ..domain.commands import Command, Kind
from ..domain.flights import Fare
from ..domain.ids import FollowUps, derived
from ..domain.plans import CREATES, LIVE, SPENDS, OrderState, Plan, StepKind, Wanted
from ..domain.policy import Check, Policy, checks, loses_too_much, review_deadline
from ..domain.trips import CANCELLATION_REJECTED, CANCELLED_ELSEWHERE, CHANGE_REJECTED, DESK_ANSWERED, Selection, TripStatus
from ..driving import checkpoint_of
from ..ledger import Book
from ..persistence import documents, offers, questions, threads, trips
from ..persistence.commands import Job
from ..persistence.database import Tx
from ..places import airport
from .follow import FORKS, notice
from .left import bookings_left

ASKED_STATUS = {"choose": TripStatus.CHOOSING, "agree": TripStatus.WAITING_TRAVELLER, "review": TripStatus.WAITING_REVIEW}

ASKS_THE_TRAVELLER = frozenset({TripStatus.CHOOSING, TripStatus.EXPIRED})
OWN_WAYS = frozenset({Kind.REVISE_TRIP, Kind.WITHDRAW})  # the traveller's own doing: what it leaves outside is no news to them


@dataclass(frozen=True)
class TripAtRest:
    """A trip's run has come to rest: its question is asked, its row written."""

    policy: Policy
    follow_ups: FollowUps
    mode: str

    async def finished(
        self, tx: Tx, job: Job, leaf: StateSnapshot, branch_id: str, newest: int, at: datetime
    ) -> tuple[dict[str, Any], list[Command]]:
        values, trip_id = cast(dict[str, Any], leaf.values), job.thread.thread_id
        before = await trips.find(tx, trip_id)
        asked = leaf.interrupts[0].value if leaf.interrupts else None
        question_id = await self._ask(tx, job, leaf, branch_id, at) if asked else None
        await questions.supersede(tx, trip_id, but=question_id)
        status = status_of(values, asked)
        row = await self._read_model(tx, job, values, status, question_id)
        rejection = await _rejection(tx, values, status, before)
        if rejection is not None:
            row.pop("message", None)
            row["reason"] = rejection["reason"] or row["reason"]
        if status in ASKS_THE_TRAVELLER and _named_since(before, row["selection"]):
            del row["person_ids"]
        await trips.change(tx, trip_id, at=at, **row)
        was = before.status if before else None
        event = {"trip_id": trip_id, "status": status.value, "was": was, "reason": row["reason"], "message": row.get("message")}
        event |= {k: v for k, v in (rejection or {}).items() if v}
        if job.command.kind is Kind.WITHDRAW and status is TripStatus.BOOKED:
            event["status"] = "kept"
        if row["reason"] in {"moved", DESK_ANSWERED}:
            event["moved"] = values.get("moved")
        trip = await trips.find(tx, trip_id)
        anew = values.get("reason") and status is not TripStatus.WITHDRAWN
        tell = trip is not None and (was != status.value or anew or job.command.kind is Kind.REVISE_TRIP)
        notify = [notice(self.follow_ups, job, 0, trip.conversation_id, event)] if tell and trip is not None else []
        fork = {"branch_id": branch_id, "version": newest} if job.command.kind in FORKS else {}
        left = (
            await bookings_left(tx, trip, self.policy, tell=job.command.kind not in OWN_WAYS, at=at) if trip is not None else []
        )
        notify = [
            *(notice(self.follow_ups, job, f"left-{e['order_id']}", trip.conversation_id, e) for e in left if trip is not None),
            *notify,
        ]
        return fork | {
            "trip_id": trip_id,
            "status": status.value,
            "review_id": question_id if status is TripStatus.WAITING_REVIEW else None,
        }, notify

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
        if values.get("drops") or (values.get("nothing") and not values.get("concluded")):
            del row["create_ids"]  # another booking goes, or a cancellation waits: what the main line wants is as it was
        if selection is not None:
            row["person_ids"] = list(selection.person_ids)
        if status in {TripStatus.CHOOSING, TripStatus.BOOKED, TripStatus.WAITING_REVIEW} and values.get("reason") not in {
            "respond",
            DESK_ANSWERED,
        }:
            row["message"] = None
        return row

    async def _shown_fare(self, tx: Tx, values: dict[str, Any], selection: Selection | None) -> Fare | None:
        option = offers.option_of(selection, await offers.shown(tx, values.get("offers_hash")))
        return option.fare if option else None

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
        net, authors = plan.net, _authors(values, plan, self.policy)
        eyes = [Check(level="warn", key="check.four_eyes")] if authors else []
        body = {
            "plan_hash": asked["plan"],
            "digest": asked["digest"],
            "total": net and net.model_dump(mode="json"),
            "notes": asked.get("notes") or [],
            "checks": [c.model_dump(mode="json") for c in (*checks(plan, self.policy), *eyes)],
            "reason": asked.get("reason"),
            "authors": authors,
            "wanted": asked.get("wanted"),
            "instead_of": asked.get("instead_of"),
        }
        return body, deadline


def status_of(values: dict[str, Any], asked: dict[str, Any] | None) -> TripStatus:
    """What people read of where the graph rests."""
    if asked is None:
        return TripStatus(values["concluded"]["status"])
    node = asked["kind"]
    if node == "choose" and values.get("ending") == "withdrawn" and not values.get("selection"):
        return TripStatus.WITHDRAWN  # something of it could not be given back yet; nobody is asked, it is tried again
    if node == "choose" and values.get("reason") == "expired":
        return TripStatus.EXPIRED
    if node == "choose" and values.get("reason") in {"cancelled_not_rebooked", CANCELLED_ELSEWHERE}:
        return TripStatus.NEEDS_PERSON
    if node == "await_outcome":
        word = {"ticketing": TripStatus.TICKETING, "needs_person": TripStatus.NEEDS_PERSON}
        return word.get(str(asked.get("stopped")), TripStatus.CHECKING)
    return ASKED_STATUS[node]


async def _rejection(tx: Tx, values: dict[str, Any], status: TripStatus, before: Row[Any] | None) -> dict[str, Any] | None:
    """Who rejected what was last asked for, and in which words; once.

    `reason` is of a trip that stays booked, or of one that is over and stays with what it was left with: whether a cancellation
    was rejected, or a change.
    """
    decision = cast(dict[str, Any], values.get("decision") or {})
    if decision.get("type") != "reject":
        return None
    said: dict[str, Any] = {"reason": None, "by": decision["by"], "message": decision.get("message")}
    if status is not TripStatus.BOOKED and not (status is TripStatus.CANCELLED and values.get("drops")):
        return said
    asked_for = Plan.model_validate(await documents.read(tx, decision["plan"]))
    buys = any(step.kind in CREATES | SPENDS for step in asked_for.steps)
    reason = CHANGE_REJECTED if buys else CANCELLATION_REJECTED
    return None if before is not None and before.reason == reason else said | {"reason": reason}


def _named_since(before: Row[Any] | None, selection: dict[str, Any] | None) -> bool:
    """Whom the traveller has named while a choice is kept stays named until it is submitted again."""
    if before is None or not before.selection or not selection:
        return False
    chosen_for = before.selection["person_ids"]
    return selection["person_ids"] == chosen_for != before.person_ids


def _authors(values: dict[str, Any], plan: Plan, policy: Policy) -> list[str]:
    """Who may not be the one to approve it: whoever made it dearer or other, and who went back at too great a loss."""
    named = set(values.get("authors") or [])
    if values.get("corrected_by") and loses_too_much(plan, policy):
        named.add(str(values["corrected_by"]))
    return sorted(named)


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
