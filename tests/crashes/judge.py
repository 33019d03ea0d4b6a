"""The judge: the airline's own journal, and what clients were told, against our books. It believes nothing the server says."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from sqlalchemy import select

from assistant.domain.ids import derived
from assistant.domain.plans import CREATES, LIVE, OrderState
from assistant.domain.trips import is_wanted
from assistant.invariants import Books, broken
from assistant.persistence.tables import reminders
from tests.crashes.listed import unlisted
from tests.crashes.money import money
from tests.crashes.site import Json, Site

OPEN = ("accepted", "running")
EFFECTS = ("hold", "book", "pay", "cancel")
ENDS = ("booked", "cancelled", "rejected", "withdrawn", "needs_person")
MOVING = ("searching", "settling")
OURS = ("failed", "graph_changed", "gave_up", "question_gone", "question_moved")  # failures that are no person's, no airline's
FORWARD = {"planned": 0, "submitting": 1, "unknown": 2, "needs_person": 3, "succeeded": 4, "failed": 4}
OVER = (OrderState.CANCELLED, OrderState.LAPSED)


@dataclass(frozen=True)
class Evidence:
    """The airline's orders and journal, read first; then our books: whatever is there was written down before it was sent."""

    orders: list[Json]
    journal: list[Json]
    books: Books
    commands: Mapping[str, str] = field(default_factory=dict[str, str])  # key -> the last status a client was told
    refused: frozenset[str] = frozenset()
    troubles: tuple[str, ...] = ()
    reminded: frozenset[str] = frozenset()  # orders their travellers will be told of


async def gathered(site: Site) -> Evidence:
    told, refused = dict(site.heard.commands), frozenset(site.heard.refused)  # before the books: they may only know more
    orders, journal = site.airline.orders(), site.airline.journal()
    books = await site.database.read(Books.read)
    due = select(reminders.c.order_id).where(reminders.c.due.is_not(None))
    reminded = await site.database.read(lambda tx: tx.execute(due))
    return Evidence(orders, journal, books, told, refused, tuple(site.heard.troubles), frozenset(reminded.scalars()))


async def unsafe(site: Site) -> list[str]:
    """What must never be so, not even for a moment: read while servers run or right after one died."""
    return list(never(await gathered(site)))


async def unsettled(site: Site) -> list[str]:
    """What must not be so once everything has come to rest. The server is up and is asked what it shows."""
    seen = await gathered(site)
    later = site.airline.now() + timedelta(days=2)  # whatever is still under way by then is stuck
    return [*never(seen), *at_rest(seen, now=later), *await unlisted(site, seen.books)]


async def drained(site: Site, *, most: float = 120) -> None:
    """Let a living server finish: nothing open, nothing that may be happening, nothing the airline could tell."""
    until = asyncio.get_running_loop().time() + most
    while under_way := [*_under_way(seen := await gathered(site)), *findable(seen)]:
        if asyncio.get_running_loop().time() > until:
            raise AssertionError(f"it does not come to rest: {under_way}\n{site.log()}")
        await site.up()
        site.airline.advance(60)
        await asyncio.sleep(0.3)


def never(seen: Evidence) -> Iterator[str]:
    yield from twice(seen)
    yield from unknown_to_us(seen)
    yield from more_than_sent(seen)
    yield from forgotten(seen)
    yield from seen.troubles


def at_rest(seen: Evidence, *, now: datetime) -> Iterator[str]:
    """I1 to I10 as the doctor sees them, and what only the airline or a client can tell."""
    yield from (f"{f.invariant} {f.what}" for f in broken(seen.books, now=now) if "waits for a person" not in f.what)
    yield from lost(seen)
    yield from asks_nobody(seen.books)
    yield from findable(seen)
    yield from side_by_side(seen.books)
    yield from unclaimed(seen.books)
    yield from differs(seen)
    yield from untold(seen)
    yield from money(seen.journal, seen.books)


def _under_way(seen: Evidence) -> Iterator[str]:
    books = seen.books
    yield from (c.command_id for c in books.commands if c.status in OPEN)
    yield from (o.operation_id for o in books.operations if o.state in ("submitting", "unknown"))
    asked = {o.create_id for o in books.operations if o.state == "needs_person"}
    yield from (o.order_id for o in books.orders if o.state in ("ticketing", "releasing") and o.create_id not in asked)
    yield from (q.question_id for q in books.questions if q.node == "await_outcome" and _is_known(q, books))


def _is_known(question: Any, books: Books) -> bool:
    """A parked trip whose operation has ended will be woken."""
    if question.status != "waiting":
        return False
    states = {o.operation_id: o.state for o in books.operations}
    if question.body.get("stopped") == "needs_person":  # until what it asks a person about is found after all
        return states.get(question.body.get("operation_id")) in ("succeeded", "failed")
    return states.get(question.body.get("operation_id"), "succeeded") != "unknown"


# Never


def twice(seen: Evidence) -> Iterator[str]:
    """I1, I2: a passenger on a flight once; an operation's effect once."""
    seats: Counter[tuple[str, str]] = Counter()
    for order in (o for o in seen.orders if o["live"]):
        for passenger in order["passengers"]:
            name = f"{passenger['given_name']} {passenger['family_name']} {passenger['born_on']}"
            seats.update((flight, name) for flight in order["flights"])
    yield from (f"I1 {name} has {count} live orders on {flight}" for (flight, name), count in seats.items() if count > 1)
    made = Counter(o["metadata"].get("operation_id") for o in seen.orders)
    yield from (f"I2 operation {operation} made {count} orders" for operation, count in made.items() if count > 1)
    done = Counter((e["effect"], e["order_id"]) for e in seen.journal if e["effect"] in ("pay", "cancel"))
    yield from (f"I1 {effect} of {order} happened {count} times" for (effect, order), count in done.items() if count > 1)


def unknown_to_us(seen: Evidence) -> Iterator[str]:
    """I2: each live order is one create's that may have made it, or is listed as surplus."""
    states = {op.operation_id: op.state for op in seen.books.operations if op.kind in CREATES}
    surplus = {o.order_id for o in seen.books.orders if o.state == OrderState.SURPLUS}
    for order in (o for o in seen.orders if o["live"]):
        state = states.get(order["metadata"].get("operation_id"))
        if state in (None, "planned") or (state == "failed" and order["id"] not in surplus):
            yield f"I2 live order {order['id']} belongs to an operation that is {state}"


def more_than_sent(seen: Evidence) -> Iterator[str]:
    """I3, effect by effect: each was sent by an attempt of an operation of this kind, on a grant that was used up for it."""
    used = {(g.operation_id, g.granted_by) for g in seen.books.grants if g.state == "consumed"}
    granted = {a.operation_id for a in seen.books.attempts if (a.operation_id, a.granted_by) in used}
    sent = {(op.create_id, op.kind) for op in seen.books.operations if op.operation_id in granted}
    for entry in (e for e in seen.journal if e["effect"] in EFFECTS):
        if (entry["operation_id"], entry["effect"]) not in sent:
            yield f"I3 {entry['effect']} of {entry['order_id']} happened and nobody sent it on a grant"


def forgotten(seen: Evidence) -> Iterator[str]:
    """I8, from the clients' side: what was accepted is stored, what was told stays so, what was refused is not there."""
    stored = {c.command_id: c.status for c in seen.books.commands}
    for key, told in seen.commands.items():
        if key not in stored:
            yield f"I8 command {key} was {told} and is gone"
        elif told not in OPEN and stored[key] != told:
            yield f"I8 command {key} was told {told} and is {stored[key]}"
    yield from (f"I8 command {key} was refused and is stored" for key in seen.refused if key in stored)


def backward(before: Books, after: Books) -> Iterator[str]:
    """I7: operations, orders and commands between two looks."""
    now = {o.operation_id: o.state for o in after.operations}
    for old in before.operations:
        state = now.get(old.operation_id, "gone")
        ended = old.state in ("succeeded", "failed") and state != old.state
        if ended or FORWARD.get(state, -1) < FORWARD[old.state]:
            yield f"I7 operation {old.operation_id} went from {old.state} to {state}"
    orders = {o.order_id: o.state for o in after.orders}
    for old in (o for o in before.orders if o.state in OVER):
        if orders.get(old.order_id) not in OVER:
            yield f"I7 order {old.order_id} was {old.state} and is {orders.get(old.order_id, 'gone')}"
    commands = {c.command_id: c.status for c in after.commands}
    for old in (c for c in before.commands if c.status not in OPEN):
        if commands.get(old.command_id) != old.status:
            yield f"I8 command {old.command_id} was {old.status} and is {commands.get(old.command_id, 'gone')}"


# At rest


def lost(seen: Evidence) -> Iterator[str]:
    """I8: every command has ended, by one run at most, and not by a failure of ours."""
    for command in seen.books.commands:
        if command.status in OPEN:
            yield f"I8 command {command.command_id} ({command.kind}) was lost"
        if command.error and command.error.get("code") in OURS:
            yield f"I8 command {command.command_id} ({command.kind}) failed: {command.error}"


def asks_nobody(books: Books) -> Iterator[str]:
    """I5: a trip is over or somebody is asked; an operation that waits for a person is one of a trip that says so."""
    asked = {q.thread_id for q in books.questions if q.status == "waiting"}
    for trip in books.trips:
        if trip.status in MOVING or (trip.status not in ENDS and trip.trip_id not in asked):
            yield f"I5 trip {trip.trip_id} is {trip.status} and asks nobody"


def findable(seen: Evidence) -> Iterator[str]:
    """I5: what the airline has done and shows is not left to a person, and not in doubt."""
    done = {(e["operation_id"], e["effect"]) for e in seen.journal if e["effect"] in EFFECTS}
    for op in seen.books.operations:
        if op.state in ("unknown", "needs_person") and (op.create_id, op.kind) in done:
            yield f"I5 {op.kind} {op.operation_id} is {op.state}, and the airline has done it"


def side_by_side(books: Books) -> Iterator[str]:
    """I9: of one thread one run at a time. A run that died has no end; its successor may begin whenever."""
    threads: dict[str, list[Any]] = {}
    for run in sorted(books.runs, key=lambda run: run.fence):
        threads.setdefault(run.thread_id, []).append(run)
    for thread_id, runs in threads.items():
        for first, then in pairwise(runs):
            if then.started_at < (first.ended_at or first.started_at):
                yield f"I9 thread {thread_id} has run {then.run_id} begun before {first.run_id} ended"


def unclaimed(books: Books) -> Iterator[str]:
    """I1 before it happens: each live order claims its flights for its passengers, so that nobody buys them again."""
    claimed = {(c.tenant_id, c.mode, c.segment_key, c.passenger_id) for c in books.claims}
    for order in (o for o in books.orders if OrderState(o.state) in LIVE):
        for flight in order.itinerary["segment_keys"]:
            for passenger in order.itinerary["passenger_ids"]:
                if (order.tenant_id, order.mode, flight, passenger) not in claimed:
                    yield f"I1 order {order.order_id} is {order.state} and does not claim {flight}"


def untold(seen: Evidence) -> Iterator[str]:
    """I6: of a live order no main line wants its traveller was told or will be, unless somebody is asked about that trip."""
    books, trips = seen.books, {t.trip_id: t for t in seen.books.trips}
    asked = {q.thread_id for q in books.questions if q.status == "waiting" and q.body.get("plan_hash")}
    asked |= {op.trip_id for op in books.operations if op.state in ("submitting", "unknown", "needs_person")}
    notices = [c for c in books.commands if c.kind == "notify"]
    told = {c.payload.get("order_id") for c in notices if c.payload.get("status") == "left_outside"} | seen.reminded
    late = {c.command_id for c in notices}
    for order in (o for o in books.orders if OrderState(o.state) in LIVE and not o.aside and o.trip_id not in asked):
        trip = trips.get(order.trip_id)
        wanted = trip is None or is_wanted(order.create_id, by=trip.create_ids, state=order.state, aside=order.aside)
        if not wanted and order.order_id not in told and derived("late_order", order.order_id) not in late:
            yield f"I6 live order {order.order_id} is outside of its trip, and its traveller is not told"


def differs(seen: Evidence) -> Iterator[str]:
    """I2, I6: what is live at the airline is live in the ledger, and the other way round, but for what a person has to say."""
    ours = {o.order_id: o for o in seen.books.orders}
    asked = {op.create_id for op in seen.books.operations if op.state == "needs_person"}
    live = {o["id"]: o for o in seen.orders if o["live"]}
    for order_id, order in live.items():
        mine = ours.get(order_id)
        if order["metadata"].get("operation_id") not in asked and (mine is None or OrderState(mine.state) not in LIVE):
            yield f"I2 live order {order_id} is {mine.state if mine else 'nowhere'} in the ledger"
    for order_id, mine in ours.items():
        if OrderState(mine.state) in LIVE and order_id not in live and mine.create_id not in asked:
            yield f"I6 order {order_id} is {mine.state} in the ledger and over at the airline"
