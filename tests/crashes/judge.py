"""The judge: the airline's own journal against our ledger. It believes nothing that the server says."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

from assistant.domain.money import Money
from assistant.domain.plans import CREATES, LIVE, OrderState
from assistant.invariants import Books, broken
from tests.crashes.site import Json, Site

OPEN = ("accepted", "running")


async def unsafe(site: Site) -> list[str]:
    """What must never be so, not even for a moment: read while servers run or right after one died."""
    orders, journal = site.airline.orders(), site.airline.journal()
    books = await site.database.read(Books.read)  # after the airline's: whatever is there was written down before it was sent
    return [*_twice(orders, journal), *_unknown_to_us(orders, books), *_more_than_sent(journal, books)]


async def unsettled(site: Site) -> list[str]:
    """What must be so once everything has come to rest."""
    books = await site.database.read(Books.read)
    now = site.airline.now() + timedelta(days=2)  # whatever is still under way by then is stuck
    found = [f"{f.invariant} {f.what}" for f in broken(books, now=now) if "waits for a person" not in f.what]
    return [*await unsafe(site), *found, *_lost(books), *_differs(site.airline.orders(), books), *_money(site, books)]


async def drained(site: Site, *, most: int = 90) -> None:
    """Let a living server finish: nothing open, nothing that may be happening."""
    for _ in range(most):
        await site.up()
        books = await site.database.read(Books.read)
        under_way = [c.command_id for c in books.commands if c.status in OPEN]
        under_way += [o.operation_id for o in books.operations if o.state in ("submitting", "unknown")]
        asked = {o.create_id for o in books.operations if o.state == "needs_person"}
        under_way += [o.order_id for o in books.orders if o.state in ("ticketing", "releasing") and o.create_id not in asked]
        under_way += [q.question_id for q in books.questions if q.node == "await_outcome" and _is_known(q, books)]
        if not under_way:
            return
        site.airline.advance(60)
        await asyncio.sleep(0.4)
    raise AssertionError(f"it does not come to rest: {under_way}\n{site.log()}")


def _is_known(question: Json, books: Books) -> bool:
    """A parked trip whose operation has ended will be woken."""
    states = {o.operation_id: o.state for o in books.operations}
    waits = question.status == "waiting" and question.body.get("stopped") != "needs_person"
    return waits and states.get(question.body.get("operation_id"), "succeeded") != "unknown"


def _twice(orders: list[Json], journal: list[Json]) -> Iterator[str]:
    seats: Counter[tuple[str, str]] = Counter()
    for order in (o for o in orders if o["live"]):
        for passenger in order["passengers"]:
            name = f"{passenger['given_name']} {passenger['family_name']} {passenger['born_on']}"
            seats.update((flight, name) for flight in order["flights"])
    yield from (f"I1 {name} has {count} live orders on {flight}" for (flight, name), count in seats.items() if count > 1)
    made = Counter(o["metadata"].get("operation_id") for o in orders)
    yield from (f"I2 operation {operation} made {count} orders" for operation, count in made.items() if count > 1)
    done = Counter((e["effect"], e["order_id"]) for e in journal if e["effect"] in ("pay", "cancel"))
    yield from (f"I1 {effect} of {order} happened {count} times" for (effect, order), count in done.items() if count > 1)


def _unknown_to_us(orders: list[Json], books: Books) -> Iterator[str]:
    states = {op.operation_id: op.state for op in books.operations if op.kind in CREATES}
    surplus = {o.order_id for o in books.orders if o.state == OrderState.SURPLUS}
    for order in (o for o in orders if o["live"]):
        state = states.get(order["metadata"].get("operation_id"))
        if state in (None, "planned") or (state == "failed" and order["id"] not in surplus):
            yield f"I2 live order {order['id']} belongs to an operation that is {state}"


def _more_than_sent(journal: list[Json], books: Books) -> Iterator[str]:
    """Every effect was sent on a grant that had been used up before: an effect without an attempt was sent by nobody."""
    sent = Counter(op.kind for op in books.operations for a in books.attempts if a.operation_id == op.operation_id)
    done = Counter(entry["effect"] for entry in journal)
    yield from (f"I3 {done[kind]} x {kind} at the airline, {sent[kind]} sent" for kind in sent if done[kind] > sent[kind])


def _lost(books: Books) -> Iterator[str]:
    asked = {q.thread_id for q in books.questions if q.status == "waiting"}
    for command in (c for c in books.commands if c.status in OPEN):
        yield f"I8 command {command.command_id} ({command.kind}) was lost"
    for trip in books.trips:
        if trip.status in ("searching", "settling") or (trip.status not in _ENDS and trip.trip_id not in asked):
            yield f"I5 trip {trip.trip_id} is {trip.status} and asks nobody"


_ENDS = ("booked", "cancelled", "rejected", "withdrawn", "needs_person")


def _differs(orders: list[Json], books: Books) -> Iterator[str]:
    """At rest the ledger has every live order, except of operations that wait for a person."""
    asked = {op.create_id for op in books.operations if op.state == "needs_person"}
    ours = {o.order_id: o for o in books.orders}
    live = {o["id"]: o for o in orders if o["live"]}
    for order_id, order in live.items():
        mine = ours.get(order_id)
        if order["metadata"].get("operation_id") not in asked and (mine is None or OrderState(mine.state) not in LIVE):
            yield f"I2 live order {order_id} is {mine.state if mine else 'nowhere'} in the ledger"
    for order_id, mine in ours.items():
        if OrderState(mine.state) in LIVE and order_id not in live and mine.create_id not in asked:
            yield f"I6 order {order_id} is {mine.state} in the ledger and over at the airline"


def _money(site: Site, books: Books) -> Iterator[str]:
    """I4: what the airline took is what our books say was paid, less what they say came back."""
    if any(op.state == "needs_person" for op in books.operations):
        return  # until somebody has said what became of it our books are behind
    spent: Counter[str] = Counter()
    kinds = {op.operation_id: op.kind for op in books.operations if op.state == "succeeded"}
    refunds = {op.create_id: op.operation_id for op in books.operations if op.kind == "cancel" and op.state == "succeeded"}
    amounts = {a.operation_id: a.amount for a in books.attempts if a.outcome == "succeeded"}
    paid = {op.create_id for op in books.operations if op.kind in ("pay", "book") and op.operation_id in kinds}
    for order in (o for o in books.orders if o.create_id in paid):
        total = Money.model_validate(order.total)
        back = amounts.get(refunds.get(order.create_id, ""))
        spent[total.currency] += total.amount - (Money.model_validate(back).amount if back else 0)  # type: ignore[assignment]
    for currency, amount in spent.items():
        took = Decimal("1000000.00") - site.airline.balance(currency)
        if took != amount:
            yield f"I4 the airline took {took} {currency}, our books say {amount}"
