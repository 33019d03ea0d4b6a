"""Rules of reviews: what a person approves is granted here and nowhere else."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from .. import ledger
from ..domain.commands import ClaimReview, Decide
from ..domain.errors import Conflict, Forbidden, Invalid, NotFound
from ..domain.people import Role
from ..domain.plans import DROPS, SPENDS, Plan
from ..domain.value import Value
from ..persistence import documents, questions, trips
from .ground import Done, Ground, Queued, already, answer_question, needs, refuse_while_paused
from .trips import revised_selection


class Preview(Value):
    """An edit as it was shown: the plan it comes to, and what it makes of the selection."""

    plan: Plan
    selection: dict[str, Any]
    settle: str | None
    agree: bool


async def decide(ground: Ground, wanted: Decide) -> Queued:
    question = await _reviewable(ground)
    trip = await trips.find(ground.tx, question.thread_id)
    if trip is None:
        raise NotFound("not_found", what="trip")
    if wanted.type in {"reject", "respond"} and not wanted.message:
        raise Invalid("reason_needed")
    if wanted.type in {"approve", "edit"}:
        await _may_grant(ground, question, trip)
    answer = await _answer(ground, wanted, question, trip)
    won = await answer_question(ground, question, node="review", word=wanted.type)
    if wanted.type == "reject":
        await _stays(ground, question)
    message = {"message": wanted.message} if wanted.message else {}
    await trips.change(ground.tx, trip.trip_id, at=ground.at, status="settling", decided_by=ground.actor.name, **message)
    return Queued(trip.trip_id, {"question_id": won.question_id, "answer": answer})


async def _stays(ground: Ground, question: Row[Any]) -> None:
    """A late order that an operator wanted gone is not to go: it is a live booking like any other again."""
    plan = Plan.model_validate(await documents.read(ground.tx, question.body["plan_hash"]))
    for step in plan.steps:
        made = await ledger.find_operation(ground.tx, step.create_id) if step.kind in DROPS else None
        if made is not None and ledger.was_taken_in(made):
            await ledger.set_aside(ground.tx, step.create_id, aside=False, at=ground.at)


async def _reviewable(ground: Ground) -> Row[Any]:
    question = await questions.find(ground.tx, ground.command.target)
    if question is None or question.tenant_id != ground.actor.tenant_id or question.node != "review":
        raise NotFound("not_found", what="review")
    needs(ground, Role.REVIEWER)
    if question.status != "waiting":
        raise await already(ground, question.question_id)
    return question


async def _may_grant(ground: Ground, question: Row[Any], trip: Row[Any]) -> None:
    if trip.owner_id == ground.actor.user_id:
        raise Forbidden("own_trip")
    if ground.actor.user_id in (question.body.get("authors") or []):
        raise Forbidden("four_eyes")
    await refuse_while_paused(ground)


async def _answer(ground: Ground, wanted: Decide, question: Row[Any], trip: Row[Any]) -> dict[str, Any]:
    """What the run is told; an approval's grants are written here."""
    said = {"by": ground.actor.name, "message": wanted.message or None}
    plan_hash = question.body["plan_hash"]
    if wanted.type == "edit":
        return said | await _edit(ground, wanted, question, trip)
    if wanted.digest != question.digest:
        raise Conflict("stale_digest")
    if wanted.type == "approve":
        await _grant(ground, trip, Plan.model_validate(await documents.read(ground.tx, plan_hash)))
    return said | {"type": wanted.type, "plan": plan_hash}


async def _edit(ground: Ground, wanted: Decide, question: Row[Any], trip: Row[Any]) -> dict[str, Any]:
    """Bound to the plan the preview showed; one that changes nothing is no approval in disguise.

    An edit that costs more or changes the flight is not approved by its author alone.
    """
    if wanted.edits is not None and not any((wanted.edits.offer, wanted.edits.seats, wanted.edits.settle)):
        raise Invalid("nothing_edited")
    stored = await documents.read(ground.tx, preview_key(question.question_id, wanted.digest))
    if stored is None or wanted.edits is None:
        raise Conflict("stale_digest")
    preview = Preview.model_validate(stored)
    selection = await revised_selection(ground, trip, offer=wanted.edits.offer, seats=wanted.edits.seats)
    if selection.model_dump(mode="json")["seats"] != preview.selection["seats"]:
        raise Conflict("stale_digest")
    before = Plan.model_validate(await documents.read(ground.tx, question.body["plan_hash"]))
    author = ground.actor.user_id if _needs_another(before, preview.plan) else None
    if author is None:
        await _grant(ground, trip, preview.plan)
    plan_hash = await documents.keep(ground.tx, preview.plan.model_dump(mode="json"), at=ground.at)
    return {"type": "edit", "plan": plan_hash, "selection": preview.selection, "settle": preview.settle, "author": author}


async def _grant(ground: Ground, trip: Row[Any], plan: Plan) -> None:
    await ledger.grant(
        ground.tx,
        trip.trip_id,
        plan,
        plan.asked(holds_are_free=ground.policy.hold.automatic),
        granted_by=ground.command.command_id,
        actor=ground.actor,
        at=ground.at,
        tolerance=ground.policy.reprice.tolerance,
    )


def _needs_another(before: Plan, after: Plan) -> bool:
    """Whether an edit raises the price, or changes flight or passenger."""
    flights = {key for s in before.steps for key in s.itinerary.claims}
    changed = any(key not in flights for s in after.steps for key in s.itinerary.claims)
    spent = [sum(s.bound.amount for s in p.steps if s.kind in SPENDS) for p in (before, after)]
    return changed or spent[1] > spent[0]


def preview_key(question_id: str, digest: str) -> str:
    return f"preview:{question_id}:{digest}"


async def claim_review(ground: Ground, _: ClaimReview) -> Done:
    question = await _reviewable(ground)
    trip = await trips.find(ground.tx, question.thread_id)
    if trip is not None and trip.owner_id == ground.actor.user_id:
        raise Forbidden("own_trip")
    if not await questions.claim(ground.tx, question.question_id, actor=ground.actor, at=ground.at):
        now = await questions.find(ground.tx, question.question_id)
        holder: dict[str, Any] = (now.claimed_by if now else None) or {}
        if holder.get("user_id") != ground.actor.user_id:
            raise Conflict("claimed", by=holder.get("name"))
    return Done({"review_id": question.question_id, "claimed_by": ground.actor.name})


async def release_review(ground: Ground, _: ClaimReview) -> Done:
    question = await _reviewable(ground)
    await questions.release(ground.tx, question.question_id)
    return Done({"review_id": question.question_id, "claimed_by": None})
