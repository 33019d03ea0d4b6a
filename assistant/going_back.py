"""How a rewind or a promotion enters its thread, and what it would mean: the same reading for the run and for its preview."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast

from sqlalchemy import Row

from .accepting.going_back import SOON, next_departure, thread_of, version_of
from .accepting.ground import Ground, refuse_while_confirming
from .accepting.trips import revised_selection
from .desk import BookingDesk, Errand, itinerary_of
from .domain.clock import Clock
from .domain.commands import Command, Kind
from .domain.errors import CommandRefused, Forbidden, Gone, Invalid, NotFound
from .domain.ids import FollowUps
from .domain.people import Actor, Role
from .domain.plans import Choice, Plan, Wanted
from .domain.policy import Policy, loses_too_much, needs_review
from .domain.trips import Selection, ShownFare, TripRequest
from .domain.understanding import Understanding
from .domain.worse import differences
from .driving import AskAgain, Enter, Entry, Graph
from .left_behind import follow_ups_of, followed, trips_of
from .persistence import commands, documents, offers, trips, versions
from .persistence.database import Database, Tx
from .rewind import (
    ChoiceCorrection,
    ListCorrection,
    MessageCorrection,
    UnderstandingCorrection,
    changes_of,
    checked_corrections,
    corrected_request,
    relisted,
)
from .ways import Preview, Raw, Way


@dataclass
class GoingBack:
    database: Database
    desk: BookingDesk
    policy: Policy
    clock: Clock
    follow_ups: FollowUps
    trip_graph: Graph
    conversation_graph: Graph
    chosen: Any

    # The way in

    async def way(
        self, actor: Actor, thread_id: str, *, to_version: int, corrections: dict[str, Any] | None, settle: str | None
    ) -> Way:
        """Raises the CommandRefused family for a wrong version or correction; writes nothing."""
        thread, version = await self.database.read(lambda tx: self._version(tx, actor, thread_id, to_version))
        patch = checked_corrections(thread.kind, version.step, corrections)
        values = await self.values(thread, version.checkpoint_id)
        if thread.kind == "conversation":
            return Way(self._conversation_entry(version, patch, values))
        if version.step == "start":
            request = corrected_request(values["request"], changes_of(patch), at=self.clock())
            entered = self.chosen(None, settle) | {"request": request.model_dump(mode="json"), "kept_selection": None}
            return Way(Enter(version.checkpoint_id, "__start__", entered | _led_by(actor, thread)))
        if version.step == "shortlist":
            way = await self._list_entry(version, cast(ListCorrection, patch), values, settle)
            entry = cast(Enter, way.entry)
            return replace(way, entry=replace(entry, values=(entry.values or {}) | _led_by(actor, thread)))
        return await self._choice_entry(actor, thread, version, cast(ChoiceCorrection, patch), values, settle)

    async def promotion(self, actor: Actor, thread_id: str, *, leaf: int, settle: str | None) -> Way:
        thread, version = await self.database.read(lambda tx: self._version(tx, actor, thread_id, leaf))
        state = await self._graph(thread).aget_state(self._config(thread_id, version.checkpoint_id))
        if state.metadata is None:
            raise Gone("gone", version=leaf)
        if state.next == ("choose",):
            return Way(AskAgain(version.checkpoint_id))
        selection = Selection.model_validate(state.values["selection"]) if state.values.get("selection") else None
        return await self._as_choose(actor, thread, version.checkpoint_id, selection, settle)

    def _conversation_entry(self, version: Row[Any], patch: Any, values: dict[str, Any]) -> Entry:
        if isinstance(patch, UnderstandingCorrection):
            understood = Understanding.model_validate(values["understanding"])
            changes = {
                k: v for k, v in (("slots", patch.slots), ("wishes", patch.wishes), ("intents", patch.intents)) if v is not None
            }
            corrected = understood.model_copy(update=changes).model_dump(mode="json")
            return Enter(version.checkpoint_id, "understand", {"understanding": corrected})
        text = cast(MessageCorrection, patch).text
        turn = dict(values["turn"]) | ({"text": text} if text else {})
        return Enter(version.checkpoint_id, "__start__", {"turn": turn, "event": None})

    async def _list_entry(self, version: Row[Any], patch: ListCorrection, values: dict[str, Any], settle: str | None) -> Way:
        key = values.get("offers_hash")
        body = await self.database.read(lambda tx: documents.read(tx, key)) if key else None
        if body is None:
            raise Invalid("nothing_left")
        narrowed, request = relisted(body, TripRequest.model_validate(values["request"]), patch)
        entered = self.chosen(None, settle) | {"offers_hash": None, "request": request.model_dump(mode="json")}
        return Way(Enter(version.checkpoint_id, "shortlist", entered), document=narrowed)

    async def _choice_entry(
        self,
        actor: Actor,
        thread: Row[Any],
        version: Row[Any],
        patch: ChoiceCorrection,
        values: dict[str, Any],
        settle: str | None,
    ) -> Way:
        asks_nothing = patch.ask is None and patch.offer is None and patch.seats is None
        if asks_nothing and version.step == "choose" and version.asks_checkpoint_id and not values.get("selection"):
            return Way(AskAgain(version.asks_checkpoint_id))  # nothing was chosen there: the choice is asked again
        if patch.ask == "traveller":
            if version.step != "choose" or not version.asks_checkpoint_id:
                raise Invalid("not_correctable", step=version.step)
            return Way(AskAgain(version.asks_checkpoint_id))
        selection = Selection.model_validate(values["selection"]) if values.get("selection") else None
        if patch.offer is not None or patch.seats is not None:
            selection = await self._corrected(thread, values, patch)
        return await self._as_choose(actor, thread, version.checkpoint_id, selection, settle)

    async def _corrected(self, thread: Row[Any], values: dict[str, Any], patch: ChoiceCorrection) -> Selection:
        """Another offer or seat of the list as it was shown then."""
        owner = Actor(tenant_id=thread.tenant_id, user_id=thread.owner_id, name="")

        async def read(tx: Tx) -> Selection:
            trip = await trips.find(tx, thread.thread_id)
            then = SimpleNamespace(
                trip_id=thread.thread_id,
                tenant_id=thread.tenant_id,
                owner_id=thread.owner_id,
                conversation_id=trip.conversation_id if trip else "",
                person_ids=trip.person_ids if trip else [],
                request=values["request"],
                selection=values.get("selection"),
                offers_hash=values.get("offers_hash"),
            )
            command = Command(command_id="rewind", kind=Kind.CHOOSE, actor=owner, target=thread.thread_id)
            ground = Ground(tx, command, self.clock(), self.policy, self.follow_ups)
            return await revised_selection(ground, cast(Any, then), offer=patch.offer, seats=patch.seats)

        return await self.database.read(read)

    async def _as_choose(
        self, actor: Actor, thread: Row[Any], checkpoint_id: str, selection: Selection | None, settle: str | None
    ) -> Way:
        """What a reviewer changes for the worse is asked of the traveller, against what the main line wants now."""
        head = await self.values(thread, thread.head_checkpoint_id) if thread.head_checkpoint_id else {}
        kept = head.get("kept_selection") or head.get("selection")  # what the traveller chose, before somebody changed it
        agreed = (head.get("agreed") or head.get("wanted")) if actor.user_id != thread.owner_id else None
        entered = self.chosen(selection and selection.model_dump(mode="json"), settle, agreed)
        if actor.user_id != thread.owner_id:
            entered["corrected_by"] = actor.user_id
            author = [actor.user_id] if _is_dearer_or_other(kept, selection) else []
            entered["authors"] = sorted({*(head.get("authors") or []), *author})
        entered["kept_selection"] = kept if agreed else None
        return Way(Enter(checkpoint_id, "choose", entered), selection=selection, chooses=True)

    # What it would mean

    async def preview(
        self, actor: Actor, thread_id: str, *, to_version: int, corrections: dict[str, Any] | None, settle: str | None
    ) -> Preview:
        way = await self.way(actor, thread_id, to_version=to_version, corrections=corrections, settle=settle)
        return await self.preview_of(actor, thread_id, to_version, way, settle)

    async def promote_preview(self, actor: Actor, thread_id: str, *, branch_id: str, settle: str | None) -> Preview:
        branch = await self.database.read(lambda tx: versions.branch(tx, branch_id))
        if branch is None or branch.thread_id != thread_id:
            raise NotFound("not_found", what="branch")
        leaf = branch.head_version or 0
        way = await self.promotion(actor, thread_id, leaf=leaf, settle=settle)
        shown = await self.preview_of(actor, thread_id, leaf, way, settle)
        return replace(shown, allowed=False, why="already_main") if branch.status == "main" else shown

    async def preview_of(self, actor: Actor, thread_id: str, fork: int, way: Way, settle: str | None) -> Preview:
        """What entering this way would mean, with `fork` as the last version that stays."""
        thread, left, withdrawn = await self.database.read(lambda tx: self._left(tx, actor, thread_id, fork))
        why, departs = await self.database.read(lambda tx: self._why_not(tx, actor, thread, settle))
        if thread.kind == "conversation":
            return Preview(tuple(left), tuple(withdrawn), None, False, why is None, why)
        errand = Errand(thread.tenant_id, thread.owner_id, thread_id, "preview")
        wanted = await self.wanted_as_shown(way, thread)
        choice = Choice(settle) if settle else None
        plan = await self.desk.preview(errand, wanted, choice) if way.chooses else None
        head = await self.values(thread, thread.head_checkpoint_id) if thread.head_checkpoint_id else {}
        before = Wanted.model_validate(head["wanted"]) if head.get("wanted") else None
        agree = bool(actor.user_id != thread.owner_id and before and wanted and differences(before, wanted))
        return Preview(
            tuple(left),
            tuple(withdrawn),
            plan,
            agree,
            why is None,
            why,
            review=plan is not None and needs_review(plan, self.policy),
            another=self._needs_another(way, plan),
            departs=departs,
            confirm=departs is not None and departs - self.clock() <= SOON,
        )

    def _needs_another(self, way: Way, plan: Plan | None) -> bool:
        entered = (way.entry.values if isinstance(way.entry, Enter) else None) or {}
        loses = plan is not None and bool(entered.get("corrected_by")) and loses_too_much(plan, self.policy)
        return bool(entered.get("authors")) or loses

    async def wanted_as_shown(self, way: Way, thread: Row[Any]) -> Wanted | None:
        """The selection at the price it was shown with; nothing is asked of the airline."""
        selection = way.selection
        if selection is None:
            return None
        errand = Errand(thread.tenant_id, thread.owner_id, thread.thread_id, "preview")
        itinerary = itinerary_of(selection)
        if held := (await self.desk.live_orders(errand)).order_for(itinerary):
            return Wanted(itinerary=itinerary, fare=held.fare, total=held.total, hold=False)
        shown = await self._shown(way, thread, selection)
        total = selection.quoted or shown.total
        return Wanted(itinerary=itinerary, fare=shown.fare, total=total, hold=shown.fare.holdable and shown.fare.seats_on_hold)

    async def _shown(self, way: Way, thread: Row[Any], selection: Selection) -> ShownFare:
        values = await self.values(thread, cast(Enter, way.entry).checkpoint_id)
        key = values.get("offers_hash")
        option = offers.option_of(selection, await self.database.read(lambda tx: offers.shown(tx, key)))
        if option is None:
            raise Invalid("no_such_option", offer=None)
        return option

    async def _why_not(self, tx: Tx, actor: Actor, thread: Row[Any], settle: str | None) -> tuple[str | None, datetime | None]:
        """The code of what stands in the way right now, and when the earliest live order leaves."""
        ground = Ground(tx, _reading(actor, thread.thread_id), self.clock(), self.policy, self.follow_ups)
        departs = await next_departure(ground, thread)
        if await commands.queued(tx, thread.thread_id, but=""):
            return "busy", departs
        try:
            if thread.kind == "trip":
                await refuse_while_confirming(ground, thread.thread_id)
        except CommandRefused as refusal:
            return refusal.code, departs
        return ("departed" if departs and departs <= self.clock() and settle != "keep" else None), departs

    async def _left(self, tx: Tx, actor: Actor, thread_id: str, fork: int) -> tuple[Row[Any], list[Row[Any]], list[Row[Any]]]:
        ground = Ground(tx, _reading(actor, thread_id), self.clock(), self.policy, self.follow_ups)
        thread = await thread_of(ground, thread_id)
        left = await versions.abandoned_by(tx, thread_id, main_branch_id=thread.main_branch_id, fork=fork)
        affected = [] if thread.kind == "trip" else await trips_of(tx, followed(await follow_ups_of(tx, thread, left)))
        return thread, left, affected

    # Reading one version

    async def _version(self, tx: Tx, actor: Actor, thread_id: str, number: int) -> tuple[Row[Any], Row[Any]]:
        ground = Ground(tx, _reading(actor, thread_id), self.clock(), self.policy, self.follow_ups)
        thread = await thread_of(ground, thread_id)
        return thread, await version_of(ground, thread, number)

    async def raw(self, actor: Actor, thread_id: str, number: int) -> Raw:
        """One version as the graph has it, for reviewers. Raises Forbidden, NotFound, Gone."""
        if not actor.can(Role.REVIEWER):
            raise Forbidden("forbidden", needs="reviewer")
        thread, version = await self.database.read(lambda tx: self._version(tx, actor, thread_id, number))
        state = await self._graph(thread).aget_state(self._config(thread_id, version.checkpoint_id))
        if state.metadata is None:
            raise Gone("gone", version=number)
        return Raw(cast(dict[str, Any], state.values), state.next, cast(dict[str, Any], state.metadata))

    async def values(self, thread: Row[Any], checkpoint_id: str) -> dict[str, Any]:
        """The state of one version, by its id. Raises Gone where the checkpointer no longer has it."""
        state = await self._graph(thread).aget_state(self._config(thread.thread_id, checkpoint_id))
        if state.metadata is None:
            raise Gone("gone")
        return cast(dict[str, Any], state.values)

    def _graph(self, thread: Row[Any]) -> Graph:
        return self.trip_graph if thread.kind == "trip" else self.conversation_graph

    def _config(self, thread_id: str, checkpoint_id: str) -> Any:
        return {"configurable": {"thread_id": thread_id, "checkpoint_ns": "", "checkpoint_id": checkpoint_id}}


def _led_by(actor: Actor, thread: Row[Any]) -> dict[str, Any]:
    """Policy may want somebody else to approve what the way back costs, whatever is chosen then."""
    return {"corrected_by": actor.user_id if actor.user_id != thread.owner_id else None}


def _is_dearer_or_other(before: dict[str, Any] | None, after: Selection | None) -> bool:
    """Whether a correction changes flight or passenger, or raises the price: its author is not its only approver."""
    if before is None or after is None:
        return False
    was = Selection.model_validate(before)
    if (was.segment_keys, was.cabin, was.passenger_ids) != (after.segment_keys, after.cabin, after.passenger_ids):
        return True
    return bool(was.quoted and after.quoted and was.quoted.currency == after.quoted.currency and was.quoted < after.quoted)


def _reading(actor: Actor, thread_id: str) -> Command:
    return Command(command_id="read", kind=Kind.REWIND, actor=actor, target=thread_id)
