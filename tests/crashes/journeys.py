"""What people do while servers die: whole journeys over HTTP, each with a passenger of its own."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import text

from tests.crashes.promised import wrong_answer
from tests.crashes.site import Json, Site

ROUTES = (
    ("Shanghai", "Tokyo"), ("Beijing", "Shanghai"), ("London", "Paris"), ("Frankfurt", "New York"), ("Singapore", "Hong Kong"),
    ("Guangzhou", "Beijing"), ("Paris", "Rome"), ("Tokyo", "Seoul"),
)  # fmt: skip
FAMILY = ("Walker", "Moreau", "Tanaka", "Silva", "Novak", "Rossi", "Khan", "Berg", "Costa", "Dubois")
GIVEN = ("Ada", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gita", "Hugo", "Ines", "Jon", "Kim", "Lea", "Max", "Nia", "Otto", "Pia")
OVER = ("booked", "cancelled", "rejected", "needs_person", "withdrawn")
PATIENCE = 300.0  # seconds that nothing may take, on a busy machine and with a server that is killed now and then
ANSWERS = 8  # questions of one trip that are answered before the traveller has had enough

STANDS = text(
    "SELECT t.status, q.node FROM trips t LEFT JOIN questions q ON q.thread_id = t.trip_id AND q.status = 'waiting'"
    " WHERE t.trip_id = :trip_id"
)


class Astray(AssertionError):
    """Something did not come to be as it had to."""


@dataclass
class Journey:
    """One traveller's wish and what becomes of it."""

    site: Site
    rng: random.Random
    traveller: str = "tina"
    reviewer: str = "rita"
    calm: bool = True  # the airline does nothing wrong
    option: int = 1  # that was chosen last
    passenger: str = ""  # somebody nobody else's journey takes along
    days_pass: bool = False  # what is asked may have run out in the meantime

    async def book(self) -> str:
        """Nothing held; bought on approval."""
        return await self.decided(await self.submitted(can_hold=False), "approve")

    async def pay(self) -> str:
        """Held first, paid on approval."""
        return await self.decided(await self.submitted(can_hold=True), "approve")

    async def release(self) -> str:
        """Held, then rejected."""
        return await self.decided(await self.submitted(can_hold=True), "reject")

    async def calls_off(self) -> str:
        """Held, then given up by the traveller while its review waits."""
        trip_id = await self.submitted(can_hold=True)
        await self.at_rest(trip_id)
        await self.posts(self.traveller, f"/trips/{trip_id}/cancellation", {"reason": "It is called off"})
        return await self.decided(trip_id, "approve")

    async def expires(self) -> str:
        """Submitted, and nobody decides for a day; the traveller sends it again."""
        self.days_pass = True
        trip_id = await self.submitted(can_hold=True)
        trip = await self.at_rest(trip_id)
        if trip["status"] != "waiting_review":
            return trip["status"]
        self.site.airline.advance(timedelta(hours=25).total_seconds())
        until = time.monotonic() + PATIENCE
        while (await self.at_rest(trip_id))["review_id"] == trip["review_id"]:
            if time.monotonic() > until:
                raise Astray(f"the review of trip {trip_id} does not expire")
            await asyncio.sleep(0.3)
        return await self.decided(trip_id, "approve")

    async def cancel(self) -> str:
        """Bought or paid, then cancelled."""
        trip_id, status = await self.booked()
        if status != "booked":
            return status
        await self.posts(self.traveller, f"/trips/{trip_id}/cancellation", {"reason": "It is called off"})
        return await self.decided(trip_id, "approve")

    async def booked(self) -> tuple[str, str]:
        """A trip and what it came to: its ticket, mostly."""
        trip_id = await self.submitted(can_hold=self.rng.random() < 0.5)
        return trip_id, await self.decided(trip_id, "approve")

    async def submitted(self, *, can_hold: bool) -> str:
        """A trip that was searched for and chosen from; its id."""
        _, trip_id = await self.asked_for()
        await self.chooses(trip_id, can_hold=can_hold)
        return trip_id

    async def asked_for(self) -> tuple[str, str]:
        """A new conversation in which a trip was asked for; the ids of both."""
        _, made = await self.posts(self.traveller, "/conversations")
        chat = made["conversation_id"]
        said = await self.says(f"/conversations/{chat}/messages", self.wish())
        return chat, said

    async def posts(self, who: str, path: str, body: Json | None = None) -> tuple[int, Json]:
        """Whatever is posted has succeeded, or is refused as was to be expected."""
        status, answer = await self.site.post(who, path, body)
        if wrong := wrong_answer(path, status, answer, moving=self.days_pass or not self.calm):
            raise Astray(wrong)
        return status, answer

    async def says(self, path: str, words: str) -> str:
        _, said = await self.posts(self.traveller, path, {"text": words})
        started = (said.get("result") or {}).get("trips")
        if not started:
            raise Astray(f"{words}: {said}")
        return started[-1]

    def wish(self) -> str:
        origin, destination = self.rng.choice(ROUTES)
        return f"From {origin} to {destination} on {self.some_day():%-d %B %Y}"

    def some_day(self) -> date:
        return self.site.airline.now().date() + timedelta(days=self.rng.randrange(10, 70))

    async def chooses(self, trip_id: str, *, can_hold: bool | None = None) -> None:
        """An option of the list, mostly with a seat; nothing where the list is empty."""
        trip = await self.at_rest(trip_id)
        offers = [o for o in trip["offers"] if can_hold is None or o["can_hold"] is can_hold] or trip["offers"]
        if not offers:
            return
        option = self.option = self.rng.choice(offers)["n"]
        self.passenger = self.passenger or await self._somebody()
        chosen: Json = {"offer": option, "passengers": [self.passenger], "offers_hash": trip["offers_hash"]}
        if self.rng.random() < 0.7 and (seat := await self.free_seat(trip_id, option)):
            chosen["seats"] = {"1": {"1": seat}}
        await self.posts(self.traveller, f"/trips/{trip_id}/choice", chosen)

    async def free_seat(self, trip_id: str, n: int, *, but: tuple[str, ...] = ()) -> str | None:
        maps = (await self.site.get(self.traveller, f"/trips/{trip_id}/offers/{n}/seat_map"))["seat_maps"]
        seats = [s for row in maps[0]["rows"] for section in row["sections"] for s in section] if maps else []
        free = [s["designator"] for s in seats if s["available"] and not s["mine"] and s["designator"] not in but]
        return self.rng.choice(free) if free else None

    async def _somebody(self) -> str:
        born = date(1950, 1, 1) + timedelta(days=self.rng.randrange(15000))
        person = {
            "given_name": self.rng.choice(GIVEN), "family_name": self.rng.choice(FAMILY), "title": "ms", "gender": "f",
            "born_on": born.isoformat(), "email": "somebody@example.com", "phone": "+8613800000100",
        }  # fmt: skip
        _, saved = await self.posts(self.traveller, "/people", person)
        return saved["person_id"]

    async def decided(self, trip_id: str, word: str) -> str:
        """Whoever is asked answers, the reviewer always with the same word; the status it comes to."""
        for _ in range(ANSWERS):
            trip = await self.at_rest(trip_id)
            match trip["question"]["node"] if trip["question"] else None:
                case "review":
                    await self._decides(trip["review_id"], word)
                case "agree":
                    await self.posts(self.traveller, f"/trips/{trip_id}/answer", {"answer": "agree"})
                case "choose" if trip["status"] not in OVER:
                    await self._chooses_again(trip)
                case _:
                    return trip["status"]
        return (await self.at_rest(trip_id))["status"]

    async def _decides(self, review_id: str, word: str) -> None:
        review = await self.site.get(self.reviewer, f"/reviews/{review_id}")
        decision = {"type": word, "digest": review["digest"]} | ({"message": "Not this one"} if word == "reject" else {})
        await self.posts(self.reviewer, f"/reviews/{review_id}/decision", decision)

    async def _chooses_again(self, trip: Json) -> None:
        if trip["selection"] and self.rng.random() < 0.5:
            await self.posts(self.traveller, f"/trips/{trip['trip_id']}/answer", {"answer": "resubmit"})
        else:
            await self.chooses(trip["trip_id"])

    async def at_rest(self, trip_id: str) -> Json:
        """The trip once it waits for a person or is over. Read from the book, so that waiting costs the server nothing."""
        until, pause = time.monotonic() + PATIENCE, 0.05
        while time.monotonic() < until:
            await self.site.up()
            if await self._rests(trip_id):
                return await self.site.get(self.traveller, f"/trips/{trip_id}")
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, 0.3)
        raise Astray(f"trip {trip_id} came to no rest: {await self.site.get(self.traveller, f'/trips/{trip_id}')}")

    async def _rests(self, trip_id: str) -> bool:
        async with self.site.database.reading() as tx:
            row = (await tx.execute(STANDS, {"trip_id": trip_id})).one_or_none()
        if row is None:
            return False
        if row.node == "await_outcome" and row.status != "needs_person":
            self.site.time_passes()
            return False
        return row.status in OVER or row.node is not None
