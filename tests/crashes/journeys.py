"""What people do while servers die: whole journeys over HTTP, each with a passenger of its own."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, timedelta

from tests.crashes.site import Json, Site

ROUTES = (
    ("Shanghai", "Tokyo"), ("Beijing", "Shanghai"), ("London", "Paris"), ("Frankfurt", "New York"), ("Singapore", "Hong Kong"),
    ("Guangzhou", "Beijing"), ("Paris", "Rome"), ("Tokyo", "Seoul"),
)  # fmt: skip
FAMILY = ("Walker", "Moreau", "Tanaka", "Silva", "Novak", "Rossi", "Khan", "Berg", "Costa", "Dubois")
GIVEN = ("Ada", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gita", "Hugo", "Ines", "Jon", "Kim", "Lea", "Max", "Nia", "Otto", "Pia")
OVER = ("booked", "cancelled", "rejected", "needs_person", "withdrawn")


@dataclass
class Journey:
    """One traveller's wish and what becomes of it. `moves` seconds of the airline's time pass while waiting."""

    site: Site
    rng: random.Random
    traveller: str = "tina"
    reviewer: str = "rita"
    moves: float = 5.0

    async def book(self) -> str:
        """Nothing held; bought on approval."""
        return await self._decided(await self._submitted(can_hold=False), "approve")

    async def pay(self) -> str:
        """Held first, paid on approval."""
        return await self._decided(await self._submitted(can_hold=True), "approve")

    async def release(self) -> str:
        """Held, then rejected."""
        return await self._decided(await self._submitted(can_hold=True), "reject")

    async def cancel(self) -> str:
        """Bought or paid, then cancelled."""
        trip_id = await self._submitted(can_hold=self.rng.random() < 0.5)
        if await self._decided(trip_id, "approve") != "booked":
            return await self._status(trip_id)
        await self.site.post(self.traveller, f"/trips/{trip_id}/cancellation", {"reason": "It is called off"})
        return await self._decided(trip_id, "approve")

    async def _submitted(self, *, can_hold: bool) -> str:
        """A trip that was searched for and chosen from; its id."""
        _, made = await self.site.post(self.traveller, "/conversations")
        chat = made["conversation_id"]
        origin, destination = self.rng.choice(ROUTES)
        day = date(2026, 12, 10) + timedelta(days=self.rng.randrange(60))
        words = f"From {origin} to {destination} on {day.day} {day:%B} {day.year}"
        _, said = await self.site.post(self.traveller, f"/conversations/{chat}/messages", {"text": words})
        assert said.get("result", {}).get("trips"), f"{words}: {said}"
        trip_id = said["result"]["trips"][0]
        trip = await self._at_rest(trip_id)
        offers = [o for o in trip["offers"] if o["can_hold"] is can_hold] or trip["offers"]
        if offers:
            option = self.rng.choice(offers)["n"]
            chosen = {"offer": option, "passengers": [await self._somebody()], "offers_hash": trip["offers_hash"]}
            await self.site.post(self.traveller, f"/trips/{trip_id}/choice", chosen)
        return trip_id

    async def _somebody(self) -> str:
        born = date(1950, 1, 1) + timedelta(days=self.rng.randrange(15000))
        person = {
            "given_name": self.rng.choice(GIVEN), "family_name": self.rng.choice(FAMILY), "title": "ms", "gender": "f",
            "born_on": born.isoformat(), "email": "somebody@example.com", "phone": "+8613800000100",
        }  # fmt: skip
        _, saved = await self.site.post(self.traveller, "/people", person)
        return saved["person_id"]

    async def _decided(self, trip_id: str, word: str) -> str:
        """The reviewer says the same as often as they are asked; the status it comes to."""
        for _ in range(4):
            trip = await self._at_rest(trip_id)
            if trip["status"] != "waiting_review":
                return trip["status"]
            review = await self.site.get(self.reviewer, f"/reviews/{trip['review_id']}")
            decision = {"type": word, "digest": review["digest"]} | ({"message": "Not this one"} if word == "reject" else {})
            await self.site.post(self.reviewer, f"/reviews/{trip['review_id']}/decision", decision)
        return await self._status(trip_id)

    async def _at_rest(self, trip_id: str) -> Json:
        """The trip once it waits for a person or is over."""
        for _ in range(400):
            trip = await self.site.get(self.traveller, f"/trips/{trip_id}")
            if trip["status"] in OVER or (trip["question"] and trip["question"]["node"] != "await_outcome"):
                return trip
            self.site.airline.advance(self.moves)
            await asyncio.sleep(0.05)
        raise AssertionError(f"trip {trip_id} came to no rest: {trip['status']}\n{self.site.log()}")

    async def _status(self, trip_id: str) -> str:
        return (await self.site.get(self.traveller, f"/trips/{trip_id}"))["status"]


KINDS: dict[str, Callable[[Journey], Awaitable[str]]] = {
    "book": Journey.book,
    "pay": Journey.pay,
    "release": Journey.release,
    "cancel": Journey.cancel,
}
