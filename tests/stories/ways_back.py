"""Going back in a story: what pages and REST call, by the people of the world, and what can be read afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from assistant.domain.commands import Command, Kind, Receipt
from assistant.domain.errors import CommandRefused
from assistant.domain.people import Actor
from assistant.persistence import questions, users, versions
from assistant.persistence.tables import branches, messages
from assistant.persistence.tables import orders as orders_table
from assistant.persistence.tables import versions as versions_table
from assistant.ways import Preview
from tests.stories.world import Chat, Json, Person, World

TO_TOKYO = "From Shanghai to Tokyo on 11 December"


@dataclass
class Walker:
    """Somebody who goes back, with the rights of their roles."""

    world: World
    actor: Actor

    async def gives(self, kind: Kind, target: str, *, key: str | None = None, **payload: Any) -> Receipt:
        """One command, carried out with all it gives rise to. Raises the CommandRefused family."""
        command_id = key or str(uuid4())
        command = Command(command_id=command_id, kind=kind, actor=self.actor, target=target, payload=payload)
        await self.world.whole.service.accept(command)
        await self.world.whole.dispatcher.idle()
        return await self.world.whole.service.settled(self.actor.tenant_id, command_id, wait=30)

    async def is_refused(self, kind: Kind, target: str, **payload: Any) -> str:
        """The code it is refused with."""
        try:
            receipt = await self.gives(kind, target, **payload)
        except CommandRefused as refusal:
            return refusal.code
        raise AssertionError(f"{kind} was not refused: {receipt}")

    async def goes_back(self, thread_id: str, to: int, corrections: Json | None = None, **more: Any) -> Receipt:
        """To a version, corrected or not; what it saw is the newest."""
        payload = {"to_version": to, "corrections": corrections, "reason": "It went wrong there"} | more
        payload.setdefault("seen_version", await newest(self.world, thread_id))
        return await self.gives(Kind.REWIND, thread_id, **payload)

    async def promotes(self, thread_id: str, branch_id: str, **more: Any) -> Receipt:
        seen = await newest(self.world, thread_id)
        payload = {"branch_id": branch_id, "seen_version": seen, "reason": "That was better"} | more
        return await self.gives(Kind.PROMOTE_BRANCH, thread_id, **payload)

    async def previews(self, thread_id: str, to: int, corrections: Json | None = None, settle: str | None = None) -> Preview:
        going_back = self.world.whole.service.going_back
        return await going_back.preview(self.actor, thread_id, to_version=to, corrections=corrections, settle=settle)


async def walker(world: World, name: str) -> Walker:
    found = await world.whole.database.read(lambda tx: users.by_name(tx, name))
    assert found is not None
    user = found[0]
    return Walker(world, Actor(tenant_id=user.tenant_id, user_id=user.user_id, name=user.display_name, roles=user.roles))


async def newest(world: World, thread_id: str) -> int:
    return await world.whole.database.read(lambda tx: versions.newest(tx, thread_id))


async def steps(world: World, thread_id: str, step: str) -> list[int]:
    """The versions that one step made, oldest first."""
    return sorted(row.version for row in await world.rows(versions_table, thread_id=thread_id, step=step))


async def branches_of(world: World, thread_id: str) -> list[Any]:
    """Oldest first."""
    return sorted(await world.rows(branches, thread_id=thread_id), key=lambda row: row.created_at)


async def waiting(world: World, thread_id: str) -> Any:
    return await world.whole.database.read(lambda tx: questions.waiting(tx, thread_id))


async def said_in(chat: Chat) -> list[Any]:
    """What the traveller wrote, every wording of it, oldest first."""
    rows = await chat.person.world.rows(messages, conversation_id=chat.conversation_id, role="user")
    return sorted(rows, key=lambda row: row.seq)


async def ledger_of(world: World, trip_id: str) -> list[tuple[str, list[str]]]:
    """(state, seats) of each order the ledger has for a trip, oldest first."""
    rows = sorted(await world.rows(orders_table, trip_id=trip_id), key=lambda row: row.created_at)
    return [(row.state, [seat for _, _, seat in row.itinerary["seats"]]) for row in rows]


async def booked(tina: Person, rita: Person, words: str = TO_TOKYO, **choice: Any) -> tuple[Chat, Json]:
    """A conversation whose one trip has its ticket."""
    chat = await tina.chat()
    await chat.say(words)
    return chat, await books(tina, rita, await chat.trip(), **choice)


async def books(tina: Person, rita: Person, trip: Json, *, offer: int = 1, **choice: Any) -> Json:
    """Choose an option with a seat, approve, ticket; the trip as it is then."""
    return await ticketed(tina, rita, await picks(tina, trip, offer, **choice))


async def picks(tina: Person, trip: Json, n: int = 1, **choice: Any) -> Json:
    """Choose option n with one of its cheapest seats."""
    seats = {"1": {"1": (await cheap_seats(tina, trip, n))[0]}}
    return await tina.choose(trip["trip_id"], n, **{"seats": seats, **choice})


async def ticketed(tina: Person, rita: Person, trip: Json) -> Json:
    """Approve what waits, until nothing does, and let the airline write its documents."""
    world = tina.world
    for _ in range(3):
        if (trip := await tina.trip(trip["trip_id"]))["status"] != "waiting_review":
            break
        await rita.decides(trip["review_id"], "approve")
        await world.later(5)
    return trip


async def cheap_seats(person: Person, trip: Json, n: int) -> list[str]:
    """The seats of option n that can be had at the lowest price there is."""
    maps = (await person.get(f"/trips/{trip['trip_id']}/offers/{n}/seat_map"))["seat_maps"]
    seats = [s for row in maps[0]["rows"] for section in row["sections"] for s in section if s["available"] and not s["mine"]]
    lowest = min(price(s) for s in seats)
    return [s["designator"] for s in seats if price(s) == lowest]


def price(seat: Json) -> float:
    return float((seat["price"] or {"amount": 0})["amount"])
