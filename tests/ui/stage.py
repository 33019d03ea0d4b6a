"""A stage for the pages: faces that answer from memory, with trips in every state."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from assistant.domain.commands import Command, Edits, Kind, Receipt, Status
from assistant.domain.errors import Conflict, NotFound
from assistant.domain.people import Actor, Gender, Title
from assistant.domain.plans import StepKind
from assistant.domain.understanding import Language, Polarity, Position, Scope, Strength
from assistant.views.case_shapes import CaseFact, CaseView
from assistant.views.shapes import (
    CheckView,
    ConversationRow,
    ConversationView,
    MessageView,
    OfferView,
    Option,
    PersonView,
    PlanView,
    Reader,
    ReviewRow,
    ReviewView,
    SeatMapView,
    StepView,
    TripView,
    WishView,
)
from tests.ui import cases, scenes
from tests.ui.scenery import NOW, TINA, cny, seat_map_of, text
from ui.faces import Asking, Preview, SignedIn


@dataclass
class Stage:
    """Faces that answer from memory; `accepted` keeps what was sent, and a key sent again is answered as before."""

    language: Language = "en"
    actor: Actor = TINA
    scene: str = "choosing"
    named: bool = True
    accepted: list[Command] = field(default_factory=list[Command])
    refuse: str | None = None
    counter: int = 0
    title: str | None = None
    paused: str | None = None
    extra: list[MessageView] = field(default_factory=list[MessageView])

    def text(self, key: str) -> str:
        return text(key, self.language)

    async def who(self, request: Asking) -> SignedIn:
        zone = "Asia/Shanghai" if self.language == "zh" else "Europe/London"
        return SignedIn(actor=self.actor, language=self.language, timezone=zone, demo=True, now=NOW, paused=self.paused)

    async def accept(self, command: Command) -> Receipt:
        if self.refuse:
            raise Conflict(self.refuse, by="Raj")
        if command not in self.accepted:
            self.accepted.append(command)
            self._carry_out(command)
        result = {"conversation_id": "c1"} if command.kind is Kind.CREATE_CONVERSATION else {}
        return Receipt(command_id=command.command_id, kind=command.kind, status=Status.SUCCEEDED, result=result)

    def _carry_out(self, command: Command) -> None:
        self.counter += 1
        match command.kind:
            case Kind.SEND_MESSAGE:
                said = MessageView(
                    message_id=str(command.payload["message_id"]),
                    role="user",
                    text=str(command.payload["text"]),
                    at=NOW,
                    command_id=command.command_id,
                )
                self.extra += [
                    said,
                    MessageView(message_id=f"r-{command.command_id}", role="assistant", text=self.text("window"), at=NOW),
                ]
            case Kind.CHOOSE:
                self.scene = "waiting"
            case Kind.NAME_PASSENGERS:
                self.named = True
            case Kind.DECIDE:
                self.scene = "decided"
            case Kind.RENAME:
                self.title = str(command.payload["title"])
            case _:
                pass

    async def settled(self, tenant_id: str, command_id: str, *, wait: float) -> Receipt:
        return Receipt(command_id=command_id, kind=Kind.SEND_MESSAGE, status=Status.SUCCEEDED, result={})

    async def pieces(self, actor: Actor, command_id: str) -> AsyncIterator[str]:
        for piece in (self.text("window")[:3], self.text("window")[3:]):
            await asyncio.sleep(0)
            yield piece

    async def conversations(
        self, reader: Reader, *, search: str | None = None, archived: bool = False
    ) -> Sequence[ConversationRow]:
        if archived or self.scene == "empty":
            return ()
        titles = [("c1", self.title or self.text("title"), 1), ("c2", "Paris → Berlin", 0), ("c3", None, 0)]
        return [
            ConversationRow(conversation_id=i, title=t, archived=False, updated_at=NOW, waiting=n)
            for i, t, n in titles
            if not search or search.lower() in (t or "").lower()
        ]

    async def conversation(self, reader: Reader, conversation_id: str) -> ConversationView:
        if conversation_id not in {"c1", "c2", "c3"}:
            raise NotFound("conversation")
        if conversation_id != "c1" or self.scene == "empty":
            return ConversationView(
                conversation_id=conversation_id, title=None, archived=False, owner_id="tina", messages=(), trips=(), wishes=()
            )
        options = (Option(label=self.text("submit"), say=self.text("submit")), Option(label=self.text("others"), trip_id="t1"))
        messages = [
            MessageView(message_id="m1", role="user", text=self.text("ask"), at=NOW, command_id="k1"),
            MessageView(message_id="m2", role="assistant", text=self.text("found"), at=NOW, options=options),
        ]
        wishes = (
            WishView(
                wish_id="w1",
                position=Position.WINDOW,
                polarity=Polarity.WANT,
                strength=Strength.PREFER,
                scope=Scope.ALWAYS,
                text=self.text("wish"),
            ),
        )
        return ConversationView(
            conversation_id="c1",
            title=self.text("title"),
            archived=False,
            owner_id="tina",
            messages=(*messages, *self.extra),
            trips=self.trips(),
            wishes=wishes,
        )

    def offers(self) -> tuple[OfferView, ...]:
        return scenes.offers(self.language)

    def trips(self) -> tuple[TripView, ...]:
        return scenes.trips(self.language, self.scene, named=self.named)

    async def trip(self, reader: Reader, trip_id: str) -> TripView:
        for trip in self.trips():
            if trip.trip_id == trip_id:
                return trip
        raise NotFound("trip")

    async def seat_maps(self, reader: Reader, trip_id: str, n: int) -> Sequence[SeatMapView]:
        offer = next(o for o in self.offers() if o.n == n)
        return [
            seat_map_of(s, i, tuple(x.designator for x in offer.seats if x.segment_key == s.key))
            for i, s in enumerate(offer.fare.segments, 1)
        ]

    async def people(self, reader: Reader) -> Sequence[PersonView]:
        def person(i: str, given: str, family: str, native: str, me: bool) -> PersonView:
            return PersonView(
                person_id=i,
                passenger_id=f"x-{i}",
                is_self=me,
                given_name=given,
                family_name=family,
                native_name=native,
                title=Title.MS,
                gender=Gender.FEMALE,
                born_on="1990-05-01",
                email="a@example.org",
                phone="+8613800000000",
            )

        return person("p1", "TING", "CHEN", "陈婷", True), person("p2", "WEI", "LI", "李伟", False)

    def _rows(self) -> list[ReviewRow]:
        def row(i: str, who: str, what: str, net: str, minutes: int, *, within: bool = True, by: str | None = None) -> ReviewRow:
            return ReviewRow(
                review_id=i,
                trip_id="t1",
                what=what,
                who=who,
                net=cny(net),
                since=NOW - timedelta(minutes=minutes),
                deadline=NOW + timedelta(minutes=600 - minutes),
                status="waiting",
                within_policy=within,
                claimed_by=by,
            )

        return [
            row("r3", "Tom Baker", "London → Geneva", "812.40", 588, within=False),
            row("r1", "Tina Chen", self.text("what"), "2860", 4),
            row("r2", "Olga Petrova", "Paris → Berlin", "264", 40, by="Raj Patel"),
        ]

    async def reviews(self, reader: Reader, *, status: str = "waiting") -> Sequence[ReviewRow]:
        rows = self._rows()
        decided = {c.target for c in self.accepted if c.kind is Kind.DECIDE}
        if status == "done":
            return [
                r.model_copy(update={"status": "answered", "answer": "approve", "decided_by": "Rita Wang", "decided_at": NOW})
                for r in rows
                if r.review_id in decided
            ]
        return [r for r in rows if r.review_id not in decided]

    async def cases(self, reader: Reader) -> Sequence[CaseView]:
        """A word once said stands in the record; what was settled by it has left the list."""
        said = {c.target: c for c in self.accepted if c.kind is Kind.RESOLVE_OPERATION}
        settled = {target for target, c in said.items() if c.payload["resolution"] == "not_booked"}
        return [
            self._spoken_for(case, said.get(case.case_id)) for case in cases.cases(self.language) if case.case_id not in settled
        ]

    async def case(self, reader: Reader, case_id: str) -> CaseView:
        found = next((c for c in await self.cases(reader) if c.case_id == case_id), None)
        if found is None:
            raise NotFound("not_found", what="case")
        return found

    async def need_a_person(self, reader: Reader) -> int:
        return sum(1 for c in await self.cases(reader) if c.needs_person)

    def _spoken_for(self, case: CaseView, command: Command | None) -> CaseView:
        if command is None:
            return case
        words = CaseFact(text=f"Rita: {command.payload['resolution']}, {command.payload['reason']}", at=NOW)
        return case.model_copy(update={"said": (*case.said, words)})

    async def review(self, reader: Reader, review_id: str) -> ReviewView:
        row = next((r for r in self._rows() if r.review_id == review_id), None)
        if row is None:
            raise NotFound("review")
        return ReviewView(
            review_id=review_id,
            trip_id="t1",
            conversation_id="c1",
            status="waiting",
            digest=f"d-{review_id}",
            sentence=self.text("sentence") if review_id == "r1" else f"{row.who}: {row.what}",
            plan=self._plan(),
            checks=(
                CheckView(level="ok", text=self.text("within")),
                CheckView(level="ok", text=self.text("met")),
                CheckView(level="warn", text=self.text("norefund")),
            ),
            total=cny("2860"),
            expires_at=row.deadline,
            held_until=NOW + timedelta(hours=20),
            price_guaranteed_until=NOW + timedelta(hours=2, minutes=10),
            claimed_by=row.claimed_by,
            claimed_by_me=False,
            decided_by=None,
            decided_at=None,
            answer=None,
            traveller=row.who,
            traveller_words=(self.text("ask"),),
            notes=(),
            wishes=(),
            selected_offer=1,
            trip=scenes.trip("t1", self.language, "waiting", named=True).model_copy(
                update={"offers": self.offers(), "offers_hash": "h1"}
            ),
        )

    def _plan(self, seat: str | None = None) -> PlanView:
        steps = (
            StepView(
                kind=StepKind.HOLD,
                operation_id="o1",
                text=self.text("hold") if seat is None else self.text("hold").replace("14A", seat),
                amount=None,
                done=True,
            ),
            StepView(kind=StepKind.PAY, operation_id="o2", text=self.text("pay"), amount=cny("2860")),
        )
        return PlanView(digest="d1", steps=steps, net=cny("2860"))

    async def preview_edit(self, actor: Actor, review_id: str, edits: Edits) -> Preview:
        seat = (edits.seats or {}).get("1", {}).get("1")
        return Preview(
            plan=self._plan(seat or "14A"),
            digest=f"edited-{seat}",
            agree=bool(edits.offer),
            checks=(CheckView(level="ok", text=self.text("within")),),
        )
