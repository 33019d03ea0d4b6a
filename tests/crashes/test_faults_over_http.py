"""The whole product at an airline in a process of its own: every fault of the four calls that change something, over HTTP.

Journeys side by side, each on a route of its own, so that its faults hit nobody else. One journey meets one fault at each of
its calls, and goes on as far as the last of them lets it.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from assistant.booking.sandbox.faults import Fault, PlannedFault, read_plan
from assistant.persistence.tables import webhooks
from tests.crashes.abroad import Abroad
from tests.crashes.disasters import rows
from tests.crashes.faults import BY_CALL, CHANGING, ENDINGS
from tests.crashes.judge import drained, unsettled
from tests.crashes.lives import Forked
from tests.crashes.returns import Wanderer
from tests.crashes.site import Json

DONE, NOT_DONE = (f"{Fault.HTML_502}{how}" for how in ENDINGS[1:])
CREATED, FAILED = Fault.ACCEPTED_THEN_CREATED, Fault.ACCEPTED_THEN_FAILED
SILENT, NOT_NOW = Fault.TIMEOUT_BEFORE_APPLY, (Fault.UNAVAILABLE, Fault.TOO_MANY)
DONE_UNTOLD = (
    Fault.TIMEOUT_AFTER_APPLY, Fault.RESET_MID_BODY, Fault.HTTP_500_AFTER_APPLY, CREATED, Fault.OK_WITHOUT_BODY, DONE,
)  # fmt: skip
UNHARMED = (*DONE_UNTOLD, Fault.SLOW, *NOT_NOW)


@dataclass(frozen=True)
class Course:
    """How each call goes wrong, what it ends in, and what has then happened at the airline. Without a payment it buys at once."""

    faults: dict[str, str]
    end: str
    effects: tuple[str, ...]


COURSES = (
    *(Course(dict.fromkeys(CHANGING, fault), "cancelled", ("hold", "pay", "cancel")) for fault in UNHARMED),
    Course({"create": FAILED, "quote": FAILED, "confirm": FAILED}, "needs_person", ("create_failed", "book")),
    Course(
        {"create": Fault.VISIBILITY_LAG, "pay": Fault.PRICE_BUMP, "quote": SILENT, "confirm": Fault.CONFIRM_TIMEOUT},
        "cancelled",
        ("hold", "pay", "cancel"),
    ),
    Course({"create": Fault.SEAT_STOLEN, "quote": NOT_DONE, "confirm": SILENT}, "needs_person", ("book",)),
    Course({"create": Fault.PRICE_BUMP, "confirm": NOT_DONE}, "needs_person", ("book",)),
    Course({"pay": Fault.OFFER_GONE}, "cancelled", ("hold", "lapse", "hold", "pay", "cancel")),
    Course({"create": Fault.OFFER_GONE, "pay": FAILED}, "needs_person", ("hold",)),
    Course({"pay": SILENT}, "needs_person", ("hold",)),
    Course({"pay": NOT_DONE}, "needs_person", ("hold",)),
    Course({"create": SILENT}, "needs_person", ()),
    Course({"create": NOT_DONE}, "needs_person", ()),
)
ROUTES = (
    "PVG-NRT", "NRT-PVG", "PVG-ICN", "ICN-PVG", "LHR-FRA", "FRA-LHR", "FRA-AMS", "AMS-FRA", "SIN-HKG", "HKG-SIN",
    "HKG-PVG", "PVG-HKG", "ICN-NRT", "NRT-ICN", "FRA-JFK", "AMS-LHR", "LHR-AMS", "SIN-PVG", "PVG-SIN", "HKG-NRT",
)  # fmt: skip

# What a fault comes to: the trip's status once it rests again, and how often the airline has been called by then.
# Where the outcome was in doubt that is once: what may have happened is found out, never sent again.
GOOD = {"create": "waiting_review", "pay": "booked", "quote": "waiting_review", "confirm": "cancelled"}
PROMISED: dict[tuple[str, str], tuple[str, int]] = {
    **{(call, fault): (GOOD[call], 1) for call in CHANGING for fault in (*DONE_UNTOLD, Fault.SLOW)},
    **{(call, fault): (GOOD[call], 2) for call in CHANGING for fault in NOT_NOW},
    **{(call, fault): ("needs_person", 1) for call in ("pay", "confirm") for fault in (SILENT, FAILED, NOT_DONE)},
    # a quote binds nobody: another is asked for
    **{("quote", fault): ("waiting_review", 2) for fault in (*DONE_UNTOLD, SILENT, FAILED, NOT_DONE)},
    **{("create", fault): ("needs_person", 1) for fault in (SILENT, NOT_DONE)},
    ("create", FAILED): ("choosing", 1),
    ("create", Fault.VISIBILITY_LAG): ("waiting_review", 1),
    ("create", Fault.PRICE_BUMP): ("waiting_review", 1),
    ("create", Fault.SEAT_STOLEN): ("waiting_review", 1),
    ("create", Fault.OFFER_GONE): ("waiting_review", 2),
    ("pay", Fault.PRICE_BUMP): ("waiting_review", 1),
    ("pay", Fault.OFFER_GONE): ("waiting_review", 1),
    ("confirm", Fault.CONFIRM_TIMEOUT): ("cancelled", 1),
}


@dataclass
class Misled(Wanderer):
    """Buys and cancels at an airline that goes wrong at each call, and notes what each of them came to."""

    route: str = ""
    faults: dict[str, str] = field(default_factory=dict[str, str])
    noted: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict[tuple[str, str], tuple[str, int]])
    trip_id: str = ""

    async def goes(self) -> str:
        """From the wish to a cancelled booking, or to where a person is asked what has happened."""
        _, self.trip_id = await self.asked_for()
        await self.chooses(self.trip_id)
        await self._notes("create", self.holds)
        await self._approves()
        await self._notes("create", not self.holds)
        await self._notes("pay", self.holds)
        if await self._comes_to("booked"):
            await self.site.post(self.traveller, f"/trips/{self.trip_id}/cancellation", {"reason": "It is called off"})
            await self._notes("quote")
            await self._approves()
            await self._notes("confirm")
            await self._comes_to("cancelled")
        return (await self.at_rest(self.trip_id))["status"]

    @property
    def holds(self) -> bool:
        return "pay" in self.faults

    def wish(self) -> str:
        origin, destination = self.route.split("-")
        return f"From {origin} to {destination} on {self.some_day():%-d %B %Y}"

    async def chooses(self, trip_id: str, *, can_hold: bool | None = None) -> None:
        """Held if it is to be paid; with a seat if that is to be stolen, for it is what costs most to choose."""
        trip = await self.at_rest(trip_id)
        offers = [offer["n"] for offer in trip["offers"] if offer["can_hold"] is self.holds]
        self.passenger = self.passenger or await self._somebody()
        chosen: Json = {"offer": offers[0], "passengers": [self.passenger], "offers_hash": trip["offers_hash"]}
        if self.faults.get("create") == Fault.SEAT_STOLEN:
            seats = {n: seat for n in offers if (seat := await self.free_seat(trip_id, n))}
            chosen |= {"offer": next(iter(seats)), "seats": {"1": {"1": next(iter(seats.values()))}}}
        await self.site.post(self.traveller, f"/trips/{trip_id}/choice", chosen)

    async def _approves(self) -> None:
        if await self._comes_to("waiting_review"):
            await self._decides((await self.at_rest(self.trip_id))["review_id"], "approve")

    async def _comes_to(self, status: str) -> bool:
        """Whoever is asked for anything before that answers; not so once a person has to say what happened."""
        for _ in range(4):
            trip = await self.at_rest(self.trip_id)
            match trip["status"]:
                case "needs_person":
                    return False
                case reached if reached == status:
                    return True
                case "waiting_review":
                    await self._decides(trip["review_id"], "approve")
                case _:
                    await self.chooses(self.trip_id)
        return False

    async def _notes(self, call: str, now: bool = True) -> None:
        """What the fault of this call has come to; nothing where the airline has not spoiled a call with it."""
        trip = await self.at_rest(self.trip_id)
        if now and call in self.faults:
            mine = self.planned(call)
            met = next(p for p in read_plan(self.site.airline.books()) if (p.match, p.fault) == (mine.match, mine.fault))
            if met.spoiled == 1:
                self.noted[call, self.faults[call]] = trip["status"], met.met

    def planned(self, call: str) -> PlannedFault:
        fault = self.faults[call]
        how: dict[str, Any] = {"fault": fault.partition(",")[0], "applied": fault == DONE, "seconds": 1}
        return PlannedFault.model_validate(how | {"match": {"op": call, "nth": 1, "route": self.route}})

    async def ends(self) -> str:
        try:
            return await self.goes()
        except AssertionError as astray:
            return str(astray)

    async def happened(self) -> tuple[str, ...]:
        return tuple(effect for effect, _ in await self._at_the_airline(self.trip_id))


@dataclass
class Came:
    """What came of all journeys: their ends by number, what each fault came to, what the judge found, events that were posted."""

    ends: list[tuple[str, tuple[str, ...]]]
    noted: dict[tuple[str, str], tuple[str, int]]
    found: list[str]
    posted: int


@pytest.fixture(scope="module")
def came(tmp_path_factory: pytest.TempPathFactory) -> Came:
    async def all_of_them() -> Came:
        async with Abroad(tmp_path_factory.mktemp("abroad"), life=Forked()) as site:
            people = ("tina", "tom")
            misled = [
                Misled(site, random.Random(n), traveller=people[n % 2], calm=False, route=ROUTES[n], faults=course.faults)
                for n, course in enumerate(COURSES)
            ]
            site.airline.put_faults([each.planned(call).model_dump(mode="json") for each in misled for call in each.faults])
            ends = await asyncio.gather(*(each.ends() for each in misled))
            await drained(site)
            noted = {key: value for each in misled for key, value in each.noted.items()}
            happened = [await each.happened() for each in misled]
            return Came([*zip(ends, happened, strict=True)], noted, await unsettled(site), len(await rows(site, webhooks)))

    return asyncio.run(all_of_them())


def test_every_fault_of_the_four_calls_is_promised_something() -> None:
    either = {Fault.HTML_502: (DONE, NOT_DONE)}
    every = {(call, how) for call in CHANGING for fault in BY_CALL[call] for how in either.get(fault, (fault.value,))}
    assert every == set(PROMISED)


@pytest.mark.parametrize(("call", "fault"), PROMISED, ids=lambda word: str(word).replace(", ", "_"))
def test_a_fault_over_http_is_met_and_comes_to_what_is_promised(call: str, fault: str, came: Came) -> None:
    assert came.noted[call, fault] == PROMISED[call, fault]


@pytest.mark.parametrize("n", range(len(COURSES)))
def test_each_journey_ends_as_promised_and_the_airline_has_done_that_and_no_more(n: int, came: Came) -> None:
    assert came.ends[n] == (COURSES[n].end, COURSES[n].effects)


def test_the_judge_finds_nothing(came: Came) -> None:
    assert came.found == []


def test_what_the_airline_posted_was_taken(came: Came) -> None:
    assert came.posted >= len([effect for _, effects in came.ends for effect in effects if effect in ("hold", "book")])
