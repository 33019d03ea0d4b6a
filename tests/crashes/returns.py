"""Journeys that go back: to what was chosen, to another seat or date, to a line left behind, to other words."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import date, timedelta

from sqlalchemy import select

from assistant.persistence.tables import operations
from tests.crashes.journeys import PATIENCE, Astray, Journey
from tests.crashes.promised import NOT_NOW
from tests.crashes.site import Json

Page = Callable[[Json], tuple[str, Json]]  # the path and body of the way back, once its timeline is read

TRIES = 20


class Wanderer(Journey):
    """Whoever booked goes back. What that may do at the airline is held against what its people agreed to."""

    async def keeps(self) -> str:
        """Booked, back to the choice, nothing changed: the same order stands."""
        trip_id, status = await self.booked()
        if status != "booked":
            return status
        before = await self._at_the_airline(trip_id)
        await self.goes_back(trip_id, "choose")
        return await self._same(before, trip_id)

    async def other_seat(self) -> str:
        """Booked, back to the choice with another seat: kept unless somebody names another way."""
        trip_id, status = await self.booked()
        if status != "booked":
            return status
        before = await self._at_the_airline(trip_id)
        seat = await self.free_seat(trip_id, self.option)
        await self.goes_back(trip_id, "choose", {"seats": {"1": {"1": seat}}} if seat else None, settle="keep")
        return await self._same(before, trip_id)

    async def other_date(self) -> str:
        """Booked, back to the start with another date, chosen anew: the new one is bought, then the old one cancelled."""
        trip_id, status = await self.booked()
        if status != "booked":
            return status
        await self._to_another_date(trip_id)
        return await self.decided(trip_id, "approve")

    async def promotes(self) -> str:
        """Booked, back to another date, and then back to the line that was left: the order of that line stands."""
        trip_id, status = await self.booked()
        if status != "booked":
            return status
        before = await self._at_the_airline(trip_id)
        await self._to_another_date(trip_id)
        await self.at_rest(trip_id)
        await self._promotes(trip_id)
        return await self._same(before, trip_id)

    async def rewords(self) -> str:
        """Asked for, then said differently: the first trip is withdrawn, the second is booked."""
        chat, first = await self.asked_for()
        await self.chooses(first, can_hold=True)
        await self.at_rest(first)
        said = await self.site.get(self.traveller, f"/conversations/{chat}")
        message = next(m for m in reversed(said["messages"]) if m["role"] == "user")
        second = await self._reworded(f"/conversations/{chat}/messages/{message['message_id']}/edit")
        await self._withdrawn(first)
        return await self.decided(second, "approve")

    async def _withdrawn(self, trip_id: str) -> None:
        """Where the airline does nothing wrong, what was held is given back; else the traveller may be asked why not."""
        until = time.monotonic() + PATIENCE
        while (trip := await self.at_rest(trip_id))["status"] not in ("withdrawn", "needs_person"):
            if not self.calm and trip["reason"]:
                return
            if time.monotonic() > until:
                raise Astray(f"trip {trip_id} was taken back and is {trip['status']}: {trip['reason']}")
            await asyncio.sleep(0.3)

    async def _reworded(self, path: str) -> str:
        for _ in range(TRIES):
            status, answer = await self.posts(self.traveller, path, {"text": self.wish()})
            if status == 200 and (started := (answer.get("result") or {}).get("trips")):
                return started[-1]
            if answer.get("code") not in NOT_NOW:
                raise Astray(f"{path}: {answer}")
            await asyncio.sleep(0.3)
        raise Astray(f"{path} is never possible: {answer}")

    async def _to_another_date(self, trip_id: str) -> None:
        trip = await self.site.get(self.traveller, f"/trips/{trip_id}")
        day = date.fromisoformat(trip["request"]["depart_on"]) + timedelta(days=self.rng.randint(1, 5))
        await self.goes_back(trip_id, "start", {"depart_on": day.isoformat()})

    async def goes_back(self, trip_id: str, step: str, corrections: Json | None = None, settle: str | None = None) -> None:
        """To the newest version of this step, as it was or corrected."""

        def wanted(page: Json) -> tuple[str, Json]:
            to = next(v["version"] for v in page["versions"] if v["step"] == step and v["main"])
            return f"/threads/{trip_id}/rewind", {"to_version": to, "corrections": corrections}

        await self._until_possible(trip_id, wanted, settle)

    async def _promotes(self, trip_id: str) -> None:
        def wanted(page: Json) -> tuple[str, Json]:
            left = next(b["branch_id"] for b in page["branches"] if b["status"] == "abandoned")
            return f"/threads/{trip_id}/branches/{left}/promote", {}

        await self._until_possible(trip_id, wanted, None)

    async def _until_possible(self, trip_id: str, wanted: Page, settle: str | None) -> None:
        """The page is read, one goes back; whoever was overtaken reads it again."""
        for _ in range(TRIES):
            page = await self.site.get(self.reviewer, f"/threads/{trip_id}/versions?limit=200")
            path, body = wanted(page)
            more = {"seen_version": page["newest"], "reason": "It went wrong there", "confirm": True, "settle": settle}
            status, answer = await self.posts(self.reviewer, path, body | more)
            if status == 200 and answer["status"] == "succeeded":
                return
            if answer.get("code") not in NOT_NOW:
                raise Astray(f"{path} {body}: {answer}")
            await asyncio.sleep(0.3)
        raise Astray(f"{path} {body} is never possible: {answer}")

    async def _at_the_airline(self, trip_id: str) -> list[tuple[str, str]]:
        """What has truly happened for this trip, and to which order."""
        async with self.site.database.reading() as tx:
            mine = select(operations.c.create_id).where(operations.c.trip_id == trip_id)
            creates = set((await tx.execute(mine)).scalars())
        effects = [e for e in self.site.airline.journal() if e.get("operation_id") in creates]
        return [(e["effect"], e["order_id"]) for e in effects]

    async def _same(self, before: list[tuple[str, str]], trip_id: str) -> str:
        """Nothing may have happened at the airline since; and unless that is not to be reached, nothing is asked."""
        trip = await self.at_rest(trip_id)
        after = await self._at_the_airline(trip_id)
        if after != before or (self.calm and trip["status"] != "booked"):
            raise Astray(f"trip {trip_id} went back to what it was and is {trip['status']}: {before}, then {after}")
        return trip["status"]


KINDS: dict[str, Callable[[Wanderer], Awaitable[str]]] = {
    "book": Wanderer.book,
    "pay": Wanderer.pay,
    "release": Wanderer.release,
    "calls_off": Wanderer.calls_off,
    "cancel": Wanderer.cancel,
    "keeps": Wanderer.keeps,
    "other_seat": Wanderer.other_seat,
    "other_date": Wanderer.other_date,
    "promotes": Wanderer.promotes,
    "rewords": Wanderer.rewords,
    "expires": Wanderer.expires,
}
