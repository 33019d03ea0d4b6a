"""What the state machine does and sees: commands as people give them, the airline's mischief, and what must hold after each."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from sqlalchemy import Row, select

from assistant.booking.duffel import HEADERS
from assistant.booking.sandbox.faults import Fault, read_plan
from assistant.booking.sandbox.store import moment
from assistant.domain.commands import Command, Edits
from assistant.domain.errors import CommandRefused, CommandReused, Refused, Unavailable
from assistant.domain.people import Actor, Role
from assistant.domain.trips import Selection
from assistant.invariants import Books
from assistant.persistence import offers, users, versions
from assistant.persistence.database import Tx
from assistant.persistence.tables import branches, conversations, messages, people, quotes, threads, trips, wishes
from assistant.views.shapes import Reader
from assistant.views.trips import trip as trip_view
from tests.properties.machine_truth import Truth, moved_back, states, wrong
from tests.stories.world import World

Json = dict[str, Any]


@dataclass
class Sight:
    """What can be seen at rest; the rules choose from it."""

    books: Books
    chats: list[Row[Any]] = field(default_factory=list[Row[Any]])
    trips: list[Row[Any]] = field(default_factory=list[Row[Any]])
    said: list[Row[Any]] = field(default_factory=list[Row[Any]])
    threads: dict[str, tuple[Row[Any], int]] = field(default_factory=dict[str, "tuple[Row[Any], int]"])
    branches: list[Row[Any]] = field(default_factory=list[Row[Any]])
    quotes: dict[str, Row[Any]] = field(default_factory=dict[str, Row[Any]])
    travellers: list[Row[Any]] = field(default_factory=list[Row[Any]])
    wishes: list[Row[Any]] = field(default_factory=list[Row[Any]])

    @property
    def settled(self) -> list[Row[Any]]:
        """Commands that were carried out and named how to settle."""
        return [c for c in self.books.commands if c.status == "succeeded" and c.payload.get("settle")]

    def waiting(self, node: str) -> list[Row[Any]]:
        return [q for q in self.books.questions if q.status == "waiting" and q.node == node]


async def look(tx: Tx) -> Sight:
    async def rows(query: Any) -> list[Row[Any]]:
        return list((await tx.execute(query)).all())

    heads = await rows(select(threads).order_by(threads.c.created_at))
    return Sight(
        books=await Books.read(tx),
        chats=await rows(select(conversations).order_by(conversations.c.created_at)),
        trips=await rows(select(trips).order_by(trips.c.created_at)),
        said=await rows(select(messages).where(messages.c.role == "user").order_by(messages.c.seq)),
        threads={row.thread_id: (row, await versions.newest(tx, row.thread_id)) for row in heads},
        branches=await rows(select(branches).where(branches.c.status == "abandoned").order_by(branches.c.created_at)),
        travellers=await rows(select(people).order_by(people.c.person_id)),
        wishes=await rows(select(wishes).where(wishes.c.forget.is_(False)).order_by(wishes.c.wish_id)),
        quotes={row.order_id: row for row in await rows(select(quotes).order_by(quotes.c.created_at))},
    )


async def people_of(world: World) -> dict[str, Actor]:
    """The demo people as they act when signed in."""
    found: dict[str, Actor] = {}
    for name in ("tina", "tom", "rita", "raj", "olga", "oscar"):
        row = await world.whole.database.read(lambda tx, n=name: users.by_name(tx, n))
        assert row is not None
        user = row[0]
        found[name] = Actor(tenant_id=user.tenant_id, user_id=user.user_id, name=user.display_name, roles=user.roles)
    found["operator"] = Actor(tenant_id="", user_id="operator", name="Operator", roles=(Role.ADMIN,))
    return found


def key(number: int) -> str:
    """Command ids that a rerun of the same example mints again."""
    return str(uuid5(NAMESPACE_URL, f"layover:machine:{number}"))


async def give(world: World, command: Command) -> str:
    """Accept it and let all come to rest that follows; what it was answered: a status, or the code of the refusal."""
    try:
        receipt = await world.whole.service.accept(command)
    except CommandReused:
        raise AssertionError(f"the same command is taken for another: {command}") from None
    except CommandRefused as refusal:
        return refusal.code
    await world.quiet()
    ended = await world.whole.service.settled(command.actor.tenant_id, receipt.command_id, wait=0)
    return ended.status.value


async def edited(world: World, actor: Actor, review_id: str, edits: Json) -> Json | None:
    """The payload of an edit as its preview showed it; None where the preview is refused."""
    try:
        plan, _, _ = await world.whole.service.preview_edit(actor, review_id, Edits.model_validate(edits))
    except (CommandRefused, Refused, Unavailable):
        return None
    return {"type": "edit", "digest": plan.digest, "edits": edits, "message": None}


async def post_webhooks(world: World, how: str) -> int:
    """Whatever the airline has ever said comes once more: in order, reversed, or twice."""
    world.airline.books().store.run("UPDATE events SET delivered = 0")
    pending = world.airline.pending_events()
    for event in reversed(pending) if how == "reversed" else pending:
        for _ in range(2 if how == "twice" else 1):
            await world.whole.service.webhook(event.headers, event.body)
        world.airline.acknowledge(event)
    return len(pending)


def spoiled_faults(world: World) -> Counter[str]:
    """The planned faults that have spoiled a call."""
    return Counter(f"{p.match.op}:{p.fault}" for p in read_plan(world.airline.books()) if p.spoiled)


def made_by(world: World, operation_id: str | None) -> list[str]:
    """The airline's orders of one operation, oldest first; all there are where none is named."""
    return [o["id"] for o in world.airline.orders() if operation_id in (None, (o["metadata"] or {}).get("operation_id"))]


async def cancelled_meanwhile(world: World, order_id: str) -> None:
    """Somebody calls the airline and cancels an order, in the moment in which our own cancellation of it is under way."""
    for _ in range(300):
        if spoiled_faults(world)[f"confirm:{Fault.SLOW}"]:
            break
        await asyncio.sleep(0.005)
    else:
        return
    async with world.airline.client() as client:
        asked = await client.post("/air/order_cancellations", json={"data": {"order_id": order_id}}, headers=HEADERS)
        quote_id = asked.json()["data"]["id"]
        await client.post(f"/air/order_cancellations/{quote_id}/actions/confirm", json={"data": {}}, headers=HEADERS)


async def free_seat(world: World, trip: Row[Any], *, offer: int | None = None) -> str | None:
    """A seat that nobody has and that comes with the fare: of this option of the list, or of the one that is chosen."""

    async def read(tx: Tx) -> str | None:
        selection = Selection.model_validate(trip.selection) if trip.selection else None
        shown = await offers.shown(tx, trip.offers_hash)
        option = next((o for o in shown if o.n == offer), None) if offer else offers.option_of(selection, shown)
        if option is None:
            return None
        maps = await offers.seat_map_hashes(tx, trip.offers_hash, option.n)
        seat_map = await offers.seat_map(tx, maps, option.fare.segment_keys[0])
        taken = {s.designator for s in selection.seats} if selection else set[str]()
        rows = (row for cabin in (seat_map.cabins if seat_map else ()) for row in cabin.rows)
        seats = (seat for row in rows for section in row.sections for seat in section)
        return next((s.designator for s in seats if s.available and s.designator not in taken), None)

    return await world.whole.database.read(read)


async def broken(world: World, sight: Sight, before: dict[str, str], *, now: datetime, calm_since: datetime) -> list[str]:
    """Every invariant that does not hold now, with nothing running."""
    truth = truth_of(world, sight, calm_since=calm_since)
    found = wrong(sight.books, truth, now=now) + moved_back(before, states(sight.books))
    return found + await world.whole.database.read(lambda tx: _shown(tx, sight))


def truth_of(world: World, sight: Sight, *, calm_since: datetime) -> Truth:
    """The airline's own word, as of now."""
    journal, orders = world.airline.journal(), world.airline.orders(live=True)
    shown = world.airline.books().store.rows("SELECT order_id, visible_at FROM orders")
    return Truth(journal, orders, sight.quotes, {str(row["order_id"]): moment(row["visible_at"]) for row in shown}, calm_since)


def spoils_look_ups(world: World) -> bool:
    """Whether the airline is going to answer a look-up wrongly."""
    return any(p.match.op in ("*", "find_orders", "get_order") for p in read_plan(world.airline.books()))


async def _shown(tx: Tx, sight: Sight) -> list[str]:
    """I6: what is live is shown once, as what the trip wants or as another live booking. I10: and to nobody else."""
    found: list[str] = []
    for trip in sight.trips:
        view = await trip_view(tx, _reader(trip.tenant_id, trip.owner_id), trip.trip_id)
        wanted, other = {o.order_id for o in view.orders}, {o.order_id for o in view.other_live_bookings}
        live = {o.order_id for o in sight.books.orders if o.trip_id == trip.trip_id and o.state not in {"cancelled", "lapsed"}}
        if not live <= wanted | other or wanted & other:
            found.append(f"I6 {trip.trip_id}: live {live}, shown {wanted} and {other}")
        if other - live:
            found.append(f"I6 {trip.trip_id}: {other - live} is shown as live")
        for tenant, user in (("other", trip.owner_id), (trip.tenant_id, "somebody-else")):
            try:
                await trip_view(tx, _reader(tenant, user), trip.trip_id)
            except CommandRefused:
                continue
            found.append(f"I10 {trip.trip_id}: {user} of {tenant} can see it")
    return found


def _reader(tenant_id: str, user_id: str) -> Reader:
    return Reader(tenant_id=tenant_id, user_id=user_id)
