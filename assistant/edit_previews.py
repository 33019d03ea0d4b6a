"""What a reviewer's edit would come to, kept so that the decision can name it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .accepting.ground import Ground
from .accepting.reviews import Preview, preview_key
from .accepting.trips import revised_selection
from .desk import BookingDesk, Errand
from .domain.clock import Clock
from .domain.commands import Command, Edits, Kind
from .domain.errors import Conflict, Forbidden, NotFound
from .domain.ids import FollowUps
from .domain.people import Actor, Role
from .domain.plans import Choice, Plan, Wanted
from .domain.policy import Check, Policy, checks
from .domain.worse import differences
from .persistence import questions, trips
from .persistence.database import Database, Tx, insert_or
from .persistence.tables import documents as documents_table


@dataclass(frozen=True)
class EditPreviews:
    database: Database
    desk: BookingDesk
    policy: Policy
    clock: Clock
    follow_ups: FollowUps

    async def preview(self, actor: Actor, review_id: str, edits: Edits) -> tuple[Plan, bool, tuple[Check, ...]]:
        """What an edit would come to, whether the traveller is asked, and policy's checks. Changes nothing at the airline."""
        trip, before, ground_command = await self.database.read(lambda tx: self._review_of(tx, actor, review_id))
        errand = Errand(trip.tenant_id, trip.owner_id, trip.trip_id, "preview")

        async def selection_in(tx: Tx) -> Any:
            ground = Ground(tx, ground_command, self.clock(), self.policy, self.follow_ups)
            return await revised_selection(ground, trip, offer=edits.offer, seats=edits.seats)

        selection = await self.database.read(selection_in)
        wanted, changed = await self.desk.wanted(errand, selection)
        settle = edits.settle
        # as the run will, so that the plans agree
        await self.desk.quote_leaving(errand, wanted, Choice(settle) if settle else None)
        plan = await self.desk.preview(errand, wanted, Choice(settle) if settle else None)
        agree = before is not None and bool(differences(before, wanted))
        body = Preview(plan=plan, selection=changed.model_dump(mode="json"), settle=settle, agree=agree).model_dump(mode="json")
        await self.database.write(lambda tx: self._keep_preview(tx, preview_key(review_id, plan.digest), body))
        return plan, agree, checks(plan, self.policy)

    async def _keep_preview(self, tx: Tx, key: str, body: Any) -> None:
        row = insert_or(tx, documents_table).values(hash=key, body=body, created_at=self.clock())
        await tx.execute(row.on_conflict_do_update(index_elements=["hash"], set_={"body": body}))

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
