"""A stage for the pages: faces that answer from memory with trips in every state. What is drawn, clicked and photographed here is invented."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from assistant.domain.commands import Command, Edits, Kind, Receipt, Status
from assistant.domain.errors import Conflict, NotFound
from assistant.domain.flights import Cabin, Condition, Fare, Segment
from assistant.domain.money import Money
from assistant.domain.people import Actor, Gender, Role, Title
from assistant.domain.plans import StepKind
from assistant.domain.trips import Direction, SeatSuggestion, Selection, TripRequest, TripStatus
from assistant.domain.understanding import Language, Polarity, Position, Scope, Strength
from assistant.views.shapes import (
    CheckView,
    ConversationRow,
    ConversationView,
    MessageView,
    OfferView,
    Option,
    OrderView,
    PersonView,
    PlanView,
    QuestionView,
    Reader,
    ReviewRow,
    ReviewView,
    SeatMapView,
    SeatRowView,
    SeatView,
    StepView,
    TravellerOnTrip,
    TripView,
    WishView,
)
from ui.faces import Asking, Preview, SignedIn

NOW = datetime(2027, 3, 2, 6, 0, tzinfo=UTC)
TINA = Actor(tenant_id="demo", user_id="tina", name="Tina Chen", roles=(Role.TRAVELLER,))
RITA = Actor(tenant_id="demo", user_id="rita", name="Rita Wang", roles=(Role.REVIEWER,))
TEXTS: dict[str, tuple[str, str]] = {
    "ask": ("下周五从上海去东京，两个人，我想坐靠窗的位置", "Shanghai to Tokyo next Friday, two of us. I would like the window."),
    "found": ("找到4个方案，最便宜的是方案1：MU523直飞，两人合计¥2,860.00。右边可以选航班和座位。", "I found 4 options. The cheapest is option 1: MU523, nonstop, 2,860.00 CNY for both. Pick a flight and seats on the right."),
    "recall": ("我刚才说想坐哪里？", "Where did I say I want to sit?"),
    "window": ("您说过想坐靠窗。", "By the window."),
    "submit": ("提交方案1去审批", "Submit option 1 for approval"),
    "others": ("看其他航班", "Show other flights"),
    "title": ("上海到东京", "Shanghai to Tokyo"),
    "window_why": ("靠窗", "window"),
    "together": ("座位相邻", "next to each other"),
    "wish": ("靠窗", "a window seat"),
    "choosing": ("待选择", "choosing"),
    "waiting_review": ("等待审批", "waiting for approval"),
    "booked": ("已预订", "booked"),
    "rejected": ("已驳回", "rejected"),
    "searching": ("正在查找航班", "searching"),
    "expired": ("审批已过期", "approval expired"),
    "waiting_traveller": ("等您答复", "waiting for you"),
    "later": ("那天有例会，请改订下午的航班。", "There is a meeting that morning, please take an afternoon flight."),
    "sentence": ("Tina Chen要订3月12日上海到东京的航班（2人），¥2,860.00", "Tina Chen wants Shanghai to Tokyo on Fri 12 Mar for two, 2,860.00 CNY"),
    "what": ("上海到东京（3月12日）", "Shanghai to Tokyo, 12 Mar"),
    "hold": ("为MU523留位，座位14A、14B，暂不付款", "Hold MU523, seats 14A and 14B, nothing paid yet"),
    "pay": ("支付MU523，最多¥2,860.00", "Pay for MU523, at most 2,860.00 CNY"),
    "within": ("总价¥2,860.00，在限额¥6,000.00以内", "Total 2,860.00 CNY, within the limit of 6,000.00 CNY"),
    "norefund": ("不可退票", "Not refundable"),
    "met": ("座位符合偏好", "The seats meet the preference"),
}  # fmt: skip


def cny(amount: str) -> Money:
    return Money(amount=Decimal(amount), currency="CNY")


def segment(carrier: str, number: str, origin: str, destination: str, departs: str, arrives: str, minutes: int) -> Segment:
    return Segment(
        carrier=carrier,
        flight_number=number,
        origin=origin,
        destination=destination,
        departs=datetime.fromisoformat(departs),
        arrives=datetime.fromisoformat(arrives),
        minutes=minutes,
        aircraft="Airbus A321neo",
    )


DIRECT = segment("MU", "523", "PVG", "NRT", "2027-03-12T09:20", "2027-03-12T13:05", 165)
LATE = segment("NH", "972", "PVG", "HND", "2027-03-12T19:45", "2027-03-13T00:10", 205)
FIRST = segment("KE", "894", "PVG", "ICN", "2027-03-12T08:15", "2027-03-12T11:15", 120)
SECOND = segment("KE", "703", "ICN", "NRT", "2027-03-12T13:40", "2027-03-12T16:10", 150)
BACK = segment("JL", "873", "NRT", "PVG", "2027-03-16T18:35", "2027-03-16T21:20", 225)


def fare(*segments: Segment, total: str, hold: bool = True) -> Fare:
    return Fare(
        segments=segments,
        cabin=Cabin.ECONOMY,
        fare_brand="Flex" if hold else "Basic",
        total=cny(total),
        passengers=2,
        refund=Condition(allowed=False),
        change=Condition(allowed=True, penalty=cny("300")),
        checked_bags=1,
        holdable=hold,
        seats_on_hold=hold,
        pay_by=NOW + timedelta(hours=20) if hold else None,
        price_guaranteed_until=NOW + timedelta(hours=2, minutes=10) if hold else None,
    )


def seat_map_of(view_segment: Segment, number: int, proposed: tuple[str, ...]) -> SeatMapView:
    def seat(row: int, letter: str) -> SeatView:
        taken = (row * 7 + ord(letter)) % 5 in {0, 3} and f"{row}{letter}" not in proposed
        price = cny("180") if row < 13 else cny("0")
        roomy = row == 12
        return SeatView(
            designator=f"{row}{letter}", kind="seat", available=not taken, price=price, extra_legroom=roomy, exit_row=row == 18
        )

    rows = tuple(
        SeatRowView(number=r, sections=(tuple(seat(r, c) for c in "ABC"), tuple(seat(r, c) for c in "DEF"))) for r in range(10, 26)
    )
    return SeatMapView(
        segment_key=view_segment.key, segment=number, flight=view_segment.name, aircraft="Airbus A321neo", cabin="economy", rows=rows,
        proposed=proposed,
    )  # fmt: skip


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
    extra: list[MessageView] = field(default_factory=list[MessageView])

    def text(self, key: str) -> str:
        zh, en = TEXTS[key]
        return zh if self.language == "zh" else en

    async def who(self, request: Asking) -> SignedIn:
        zone = "Asia/Shanghai" if self.language == "zh" else "Europe/London"
        return SignedIn(actor=self.actor, language=self.language, timezone=zone, demo=True, now=NOW)

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
                said = MessageView(message_id=str(command.payload["message_id"]), role="user", text=str(command.payload["text"]), at=NOW, command_id=command.command_id)
                self.extra += [said, MessageView(message_id=f"r-{command.command_id}", role="assistant", text=self.text("window"), at=NOW)]
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

    async def pieces(self, conversation_id: str, command_id: str) -> AsyncIterator[str]:
        for piece in (self.text("window")[:3], self.text("window")[3:]):
            await asyncio.sleep(0)
            yield piece

    async def conversations(self, reader: Reader, *, search: str | None = None, archived: bool = False) -> Sequence[ConversationRow]:
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
            return ConversationView(conversation_id=conversation_id, title=None, archived=False, owner_id="tina", messages=(), trips=(), wishes=())
        options = (Option(label=self.text("submit"), say=self.text("submit")), Option(label=self.text("others"), trip_id="t1"))
        messages = [
            MessageView(message_id="m1", role="user", text=self.text("ask"), at=NOW, command_id="k1"),
            MessageView(message_id="m2", role="assistant", text=self.text("found"), at=NOW, options=options),
        ]
        wishes = (
            WishView(wish_id="w1", position=Position.WINDOW, polarity=Polarity.WANT, strength=Strength.PREFER, scope=Scope.ALWAYS, text=self.text("wish")),
        )
        return ConversationView(
            conversation_id="c1", title=self.text("title"), archived=False, owner_id="tina", messages=(*messages, *self.extra), trips=self.trips(),
            wishes=wishes,
        )  # fmt: skip

    def offers(self) -> tuple[OfferView, ...]:
        def suggested(*of: Segment, seats: tuple[str, str] = ("14A", "14B")) -> tuple[SeatSuggestion, ...]:
            whys = ((self.text("window_why"),), (self.text("together"),))
            return tuple(
                SeatSuggestion(position=p, segment_key=s.key, designator=seats[p], price=cny("0"), reasons=whys[p]) for s in of for p in (0, 1)
            )

        return (
            OfferView(n=1, fare=fare(DIRECT, total="2860"), total=cny("2860"), seats=suggested(DIRECT), can_hold=True),
            OfferView(n=2, fare=fare(LATE, total="3420"), total=cny("3420"), seats=suggested(LATE, seats=("21A", "21B")), can_hold=True),
            OfferView(n=3, fare=fare(FIRST, SECOND, total="3980", hold=False), total=cny("3980"), seats=suggested(FIRST, SECOND), missed=(self.text("wish"),), seats_fit=False),
            OfferView(n=4, fare=fare(segment("CA", "919", "PVG", "NRT", "2027-03-12T12:00", "2027-03-12T15:50", 170), total="4310"), total=cny("4310"), can_hold=False),
        )  # fmt: skip

    def travellers(self, seats: bool) -> tuple[TravellerOnTrip, ...]:
        names = (("p1", "TING CHEN", "14A"), ("p2", "WEI LI", "14B"))
        return tuple(
            TravellerOnTrip(
                person_id=i if self.named or i == "p1" else None,
                name=n if self.named or i == "p1" else None,
                seats={DIRECT.key: s} if seats else {},
            )
            for i, n, s in names
        )

    def trips(self) -> tuple[TripView, ...]:
        outbound = self._trip("t1", self.scene)
        if self.scene in {"waiting", "booked", "decided"}:
            return outbound, self._trip("t2", "rejected")
        return (outbound,)

    def _trip(self, trip_id: str, scene: str) -> TripView:
        back = trip_id == "t2"
        request = TripRequest(
            origin="NRT" if back else "SHA",
            destination="SHA" if back else "TYO",
            depart_on=date(2027, 3, 16 if back else 12),
            adults=2,
            direction=Direction.RETURN if back else Direction.OUTBOUND,
        )
        chosen = fare(BACK, total="2510") if back else fare(DIRECT, total="2860")
        common: dict[str, Any] = {
            "trip_id": trip_id, "conversation_id": "c1", "journey_id": "j1", "updated_at": NOW, "request": request,
            "passengers": self.travellers(scene != "choosing"),
        }  # fmt: skip
        selection = Selection(
            segment_keys=chosen.segment_keys, cabin=chosen.cabin, fare_brand=chosen.fare_brand, passenger_ids=("x1", "x2"), person_ids=("p1", "p2")
        )  # fmt: skip
        held = NOW + timedelta(hours=20)
        match scene:
            case "searching":
                return TripView(status=TripStatus.SEARCHING, status_text=self.text("searching"), **common)
            case "choosing":
                return TripView(status=TripStatus.CHOOSING, status_text=self.text("choosing"), offers_hash="h1", offers=self.offers(), question=QuestionView(question_id="q1", node="choose"), **common)
            case "waiting":
                question = QuestionView(question_id="q1", node="review", since=NOW - timedelta(minutes=4), deadline=NOW + timedelta(hours=22), on="Rita Wang", digest="d1")
                return TripView(status=TripStatus.WAITING_REVIEW, status_text=self.text("waiting_review"), selection=selection, chosen=chosen, total=cny("2860"), question=question, review_id="r1", held_until=held, price_guaranteed_until=NOW + timedelta(hours=2, minutes=10), **common)
            case "asked":
                question = QuestionView(question_id="q1", node="choose", message=self.text("later"), reason=None)
                return TripView(status=TripStatus.WAITING_TRAVELLER, status_text=self.text("waiting_traveller"), selection=selection, chosen=chosen, total=cny("2860"), question=question, held_until=NOW + timedelta(minutes=9), offers_hash="h1", offers=self.offers(), decided_by="Rita Wang", **common)
            case "rejected":
                return TripView(status=TripStatus.REJECTED, status_text=self.text("rejected"), selection=selection, chosen=chosen, total=cny("2510"), message=self.text("later"), decided_by="Rita Wang", **common)
            case _:
                order = OrderView(
                    order_id="ord_1", state="confirmed", booking_reference="QX7M2K", documents=("781-2400511820", "781-2400511821"),
                    passengers=("TING CHEN", "WEI LI"), seats=("14A", "14B"), total=cny("2860"), fare=chosen, trip_id=trip_id,
                )  # fmt: skip
                return TripView(status=TripStatus.BOOKED, status_text=self.text("booked"), selection=selection, chosen=chosen, total=cny("2860"), orders=(order,), **common)

    async def trip(self, reader: Reader, trip_id: str) -> TripView:
        for trip in self.trips():
            if trip.trip_id == trip_id:
                return trip
        raise NotFound("trip")

    async def seat_maps(self, reader: Reader, trip_id: str, n: int) -> Sequence[SeatMapView]:
        offer = next(o for o in self.offers() if o.n == n)
        return [
            seat_map_of(s, i, tuple(x.designator for x in offer.seats if x.segment_key == s.key)) for i, s in enumerate(offer.fare.segments, 1)
        ]

    async def people(self, reader: Reader) -> Sequence[PersonView]:
        def person(i: str, given: str, family: str, native: str, me: bool) -> PersonView:
            return PersonView(
                person_id=i, passenger_id=f"x-{i}", is_self=me, given_name=given, family_name=family, native_name=native, title=Title.MS,
                gender=Gender.FEMALE, born_on="1990-05-01", email="a@example.org", phone="+8613800000000",
            )  # fmt: skip

        return person("p1", "TING", "CHEN", "陈婷", True), person("p2", "WEI", "LI", "李伟", False)

    def _rows(self) -> list[ReviewRow]:
        def row(i: str, who: str, what: str, net: str, minutes: int, *, within: bool = True, by: str | None = None) -> ReviewRow:
            return ReviewRow(
                review_id=i, trip_id="t1", what=what, who=who, net=cny(net), since=NOW - timedelta(minutes=minutes),
                deadline=NOW + timedelta(minutes=600 - minutes), status="waiting", within_policy=within, claimed_by=by,
            )  # fmt: skip

        return [
            row("r3", "Tom Baker", "London → Geneva", "812.40", 588, within=False),
            row("r1", "Tina Chen", self.text("what"), "2860", 4),
            row("r2", "Olga Petrova", "Paris → Berlin", "264", 40, by="Raj Patel"),
        ]

    async def reviews(self, reader: Reader, *, status: str = "waiting") -> Sequence[ReviewRow]:
        rows = self._rows()
        decided = {c.target for c in self.accepted if c.kind is Kind.DECIDE}
        if status == "done":
            return [r.model_copy(update={"status": "answered", "answer": "approve", "decided_by": "Rita Wang", "decided_at": NOW}) for r in rows if r.review_id in decided]
        return [r for r in rows if r.review_id not in decided]

    async def review(self, reader: Reader, review_id: str) -> ReviewView:
        row = next((r for r in self._rows() if r.review_id == review_id), None)
        if row is None:
            raise NotFound("review")
        return ReviewView(
            review_id=review_id, trip_id="t1", conversation_id="c1", status="waiting", digest=f"d-{review_id}", sentence=self.text("sentence") if review_id == "r1" else f"{row.who}: {row.what}",
            plan=self._plan(),
            checks=(CheckView(level="ok", text=self.text("within")), CheckView(level="ok", text=self.text("met")), CheckView(level="warn", text=self.text("norefund"))),
            total=cny("2860"), expires_at=row.deadline, held_until=NOW + timedelta(hours=20), price_guaranteed_until=NOW + timedelta(hours=2, minutes=10),
            claimed_by=row.claimed_by, claimed_by_me=False, decided_by=None, decided_at=None, answer=None, traveller=row.who,
            traveller_words=(self.text("ask"),), notes=(), wishes=(), selected_offer=1,
            trip=self._trip("t1", "waiting").model_copy(update={"offers": self.offers(), "offers_hash": "h1"}),
        )  # fmt: skip

    def _plan(self, seat: str | None = None) -> PlanView:
        steps = (
            StepView(kind=StepKind.HOLD, operation_id="o1", text=self.text("hold") if seat is None else self.text("hold").replace("14A", seat), amount=None, done=True),
            StepView(kind=StepKind.PAY, operation_id="o2", text=self.text("pay"), amount=cny("2860")),
        )  # fmt: skip
        return PlanView(digest="d1", steps=steps, net=cny("2860"))

    async def preview_edit(self, actor: Actor, review_id: str, edits: Edits) -> Preview:
        seat = (edits.seats or {}).get("1", {}).get("1")
        return Preview(plan=self._plan(seat or "14A"), digest=f"edited-{seat}", agree=bool(edits.offer), checks=(CheckView(level="ok", text=self.text("within")),))
