"""A conversation to drive by hand: the real graph on a real saver, an interpreter that was told what each message means."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from assistant.domain.flights import Cabin, Condition, Fare, Segment
from assistant.domain.money import Money
from assistant.domain.people import Person
from assistant.domain.trips import ActiveWish, SeatSuggestion, ShownFare, TripFacts, TripRequest, TripStatus
from assistant.domain.understanding import Intent, Language, Place, Slots, Understanding, When
from assistant.language.interpreter import Heard, HeardMessage
from assistant.language.offline_writer import OfflineWriter
from graphs.context import ConversationContext
from graphs.conversation import build_conversation_graph

NOW = datetime(2026, 11, 30, 1, 0, tzinfo=UTC)  # Monday morning in Shanghai
FRIDAY = date(2026, 12, 4)
SHANGHAI = Place(text="上海", kind="city", codes=("PVG", "SHA"), city="Shanghai")
TOKYO = Place(text="东京", kind="city", codes=("HND", "NRT"), city="Tokyo")


def on(day: date, **more: Any) -> When:
    return When(text=day.isoformat(), date_from=day, date_to=day, **more)


def yuan(amount: str) -> Money:
    return Money(amount=Decimal(amount), currency="CNY")


def understood(*intents: Intent, language: Language = "en", slots: Slots | None = None, **more: Any) -> Understanding:
    return Understanding(language=language, intents=intents, slots=slots or Slots(), **more)


def segment(number: str = "523", hour: int = 9, day: date = FRIDAY, origin: str = "PVG", destination: str = "NRT") -> Segment:
    departs = datetime(day.year, day.month, day.day, hour)
    return Segment(
        carrier="MU",
        flight_number=number,
        origin=origin,
        destination=destination,
        departs=departs,
        arrives=departs + timedelta(hours=4),
        minutes=180,
        aircraft="Airbus A320",
    )


def shown(n: int, total: str, *, number: str = "523", hour: int = 9, seats: str = "14A", **more: Any) -> ShownFare:
    flight = segment(number, hour)
    fare = Fare(
        segments=(flight,),
        cabin=Cabin.ECONOMY,
        fare_brand="Basic",
        total=yuan(total),
        passengers=more.pop("passengers", 1),
        refund=more.pop("refund", Condition()),
        checked_bags=more.pop("bags", None),
        holdable=more.pop("holdable", True),
        seats_on_hold=more.pop("seats_on_hold", True),
        pay_by=NOW + timedelta(days=1),
    )
    seat = SeatSuggestion(position=0, segment_key=flight.key, designator=seats, reasons=("window", "front_half"))
    return ShownFare(n=n, fare=fare, seats=(seat,) if seats else (), total=yuan(total), **more)


def trip(status: TripStatus = TripStatus.CHOOSING, *, trip_id: str = "trip-1", **more: Any) -> TripFacts:
    request: dict[str, Any] = {"origin": "SHA", "destination": "TYO", "depart_on": FRIDAY} | more.pop("request", {})
    facts: dict[str, Any] = {
        "trip_id": trip_id,
        "journey_id": "journey-1",
        "status": status,
        "request": TripRequest(**request),
        "fares": (shown(1, "2100"), shown(2, "1800", number="525", hour=15), shown(3, "2400", number="527", hour=19)),
        "offers_hash": "list-1",
        "question": "choose" if status in (TripStatus.CHOOSING, TripStatus.REJECTED, TripStatus.EXPIRED) else None,
    }
    return TripFacts(**{**facts, **more})


@dataclass
class Conversation:
    """Says messages and tells events, and keeps the business facts that a graph would read."""

    trips: list[TripFacts] = field(default_factory=list)
    wishes: list[ActiveWish] = field(default_factory=list)
    streamed: list[str] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    at: datetime = NOW
    timezone: str = "Asia/Shanghai"

    def __post_init__(self) -> None:
        self._graph = build_conversation_graph(InMemorySaver())
        self._log: list[HeardMessage] = []
        self._next: Understanding | None = None
        self._commands = 0

    async def say(self, text: str, means: Understanding) -> dict[str, Any]:
        self._next = means
        turn = {"command_id": f"c{self._commands}", "text": text, "at": self.at.isoformat(), "timezone": self.timezone}
        state = await self._run({"turn": turn, "event": None})
        self._log.append(HeardMessage(role="user", text=text))
        return self._kept(state)

    async def happened(self, trip_id: str, status: str, **more: Any) -> dict[str, Any]:
        state = await self._run({"turn": None, "event": {"trip_id": trip_id, "status": str(status), **more}})
        return self._kept(state)

    def _kept(self, state: dict[str, Any]) -> dict[str, Any]:
        assert state["concluded"] == {"command_id": f"c{self._commands}"}
        if state["reply"]:
            self._log.append(HeardMessage(role="assistant", text=state["reply"]["text"], asked=state["reply"]["asked"]))
        self._commands += 1
        return state

    async def _run(self, given: dict[str, Any]) -> dict[str, Any]:
        context = ConversationContext(
            command_id=f"c{self._commands}",
            conversation_id="conversation-1",
            interpreter=self,
            writer=OfflineWriter(),
            reads=_Reads(self),
            stream=self._hear,
        )
        return await self._graph.ainvoke(given, {"configurable": {"thread_id": "conversation-1"}}, context=context)

    async def _hear(self, piece: str) -> None:
        self.streamed.append(piece)

    async def interpret(self, heard: Heard) -> Understanding:
        self.heard.append(heard)
        assert self._next is not None
        return self._next

    @property
    def log(self) -> tuple[HeardMessage, ...]:
        return tuple(self._log)


@dataclass(frozen=True)
class _Reads:
    of: Conversation

    async def recent(self, count: int) -> tuple[HeardMessage, ...]:
        return self.of.log[-count:]

    async def trips(self) -> tuple[TripFacts, ...]:
        return tuple(self.of.trips)

    async def wishes(self) -> tuple[ActiveWish, ...]:
        return tuple(self.of.wishes)

    async def people(self) -> tuple[Person, ...]:
        return ()
