"""The airline's own word against our books, after every step: what is live, what happened, what money moved."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Row

from assistant.domain.commands import Kind
from assistant.domain.plans import CREATES, OrderState
from assistant.invariants import LONG, Books, broken
from assistant.ledger import LONGEST_BACKOFF

Json = dict[str, Any]

AT_THE_AIRLINE = frozenset({OrderState.HELD, OrderState.RELEASING, OrderState.TICKETING, OrderState.CONFIRMED})
IN_MOTION = frozenset({"searching", "settling"})
FAULTS_OF_OURS = ("failed", "graph_changed", "gave_up", "question_gone", "question_moved")  # no person's and no airline's
LOOKED_FOR = timedelta(hours=23)  # the two days a closed create is looked for, less the most that passes between two rounds
RANK = {"planned": 0, "submitting": 1, "unknown": 2, "needs_person": 3, "succeeded": 4, "failed": 4}


@dataclass(frozen=True)
class Truth:
    """Every effect, oldest first, the orders that are live, and the newest cancellation quote the ledger has of each order.

    `visible` says from when on a look-up shows an order; `calm_since`, since when no look-up has gone wrong.
    """

    journal: list[Json]
    orders: list[Json]
    quotes: dict[str, Row[Any]]
    visible: dict[str, datetime]
    calm_since: datetime

    def seen_by(self, order_id: str) -> datetime:
        """When a product that looks as often as it promises has surely seen this order."""
        return max(self.visible[order_id], self.calm_since) + LONGEST_BACKOFF


def wrong(books: Books, truth: Truth, *, now: datetime) -> list[str]:
    """At rest nothing is in motion, so nobody's patience is needed: what is late in an hour is stuck already."""
    late = _came_late(books, truth)
    ours = [
        f"{f.invariant} {f.what}"
        for f in broken(books, now=now + LONG)
        if "waits for a person" not in f.what and not (f.invariant == "I1" and any(order_id in f.what for order_id in late))
    ]
    return [*_against(books, truth, now), *ours, *_at_rest(books)]


def states(books: Books) -> dict[str, str]:
    return {row.operation_id: row.state for row in books.operations}


def moved_back(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """I7, from the states of all operations at two times."""
    return [
        f"I7 {each} went from {state} back to {after.get(each)}"
        for each, state in before.items()
        if each not in after or RANK[after[each]] < RANK[state] or (RANK[state] == 4 and after[each] != state)
    ]


def _at_rest(books: Books) -> Iterator[str]:
    """I5, with nothing running: every trip is over or asks somebody."""
    busy = {c.thread_id for c in books.commands if c.status in ("accepted", "running")}
    asked = {q.thread_id for q in books.questions if q.status == "waiting"}
    for trip in books.trips:
        if trip.trip_id not in busy | asked and trip.status in IN_MOTION:
            yield f"I5 {trip.trip_id} is {trip.status} and nothing moves it"
    for c in books.commands:
        if c.error and c.error.get("code") in FAULTS_OF_OURS and c.kind != Kind.MOVED:  # given anew till the airline can be read
            yield f"I8 {c.kind} {c.command_id} failed: {c.error}"
    for o in books.operations:
        if o.state == "submitting" and o.trip_id not in busy:
            yield f"I5 {o.operation_id} is being sent by nobody"


def _against(books: Books, truth: Truth, now: datetime) -> Iterator[str]:
    ours = [o for o in truth.orders if o.get("live", True) and _operation_of(o)]
    unseen = set(_unseen(books, truth, ours, now))
    yield from _twice_on_a_flight([o for o in ours if o["id"] not in _came_late(books, truth) | unseen])
    yield from _unknown_orders(books, ours, unseen)
    yield from _gone_orders(books, truth, ours)
    yield from _effects(books, truth.journal)
    yield from _money(books, truth)


def _operation_of(order: Json) -> str | None:
    metadata: Json = order.get("metadata") or {}
    return metadata.get("operation_id")


def _twice_on_a_flight(ours: list[Json]) -> Iterator[str]:
    """I1."""
    holders: dict[tuple[str, str], list[str]] = defaultdict(list)
    for order in ours:
        for flight in order["flights"]:
            for p in order["passengers"]:
                holders[flight, f"{p['given_name']} {p['family_name']} {p['born_on']}".casefold()].append(order["id"])
    for (flight, who), held in holders.items():
        if len(held) > 1:
            yield f"I1 {flight} {who} is on it with {', '.join(held)}"


def _came_late(books: Books, truth: Truth) -> set[str]:
    """Orders nobody could know of when the same flight was bought again: a person had said that there is none.

    Once one is listed, or could be, its passenger is not booked on its flight again: then both count.
    """
    sent = {o.create_id: _sent(books, o) for o in books.orders}
    found: set[str] = set()
    for late in (o for o in books.orders if o.state == OrderState.SURPLUS):
        flights = set(late.itinerary["segment_keys"])
        again = [o for o in books.orders if o is not late and flights & set(o.itinerary["segment_keys"])]
        known = min(late.created_at, truth.seen_by(late.order_id)) if late.order_id in truth.visible else late.created_at
        if all(sent[o.create_id] <= known for o in again):
            found.add(late.order_id)
    return found


def _sent(books: Books, order: Row[Any]) -> datetime:
    return min((a.started_at for a in books.attempts if a.operation_id == order.create_id), default=order.created_at)


def _unseen(books: Books, truth: Truth, ours: list[Json], now: datetime) -> Iterator[str]:
    """Orders of creates that a person closed, which no look-up can have shown yet, or which came when nobody looked any more."""
    closed = {o.operation_id: o for o in books.operations if o.state == "failed" and o.resolved_by}
    known = {o.order_id for o in books.orders}
    for order in (o for o in ours if o["id"] not in known):
        create, seen_by = closed.get(_operation_of(order) or ""), truth.seen_by(order["id"])
        if create is not None and (now < seen_by or create.updated_at + LOOKED_FOR < seen_by):
            yield order["id"]


def _unknown_orders(books: Books, ours: list[Json], unseen: set[str]) -> Iterator[str]:
    """I2: each live order is one create's, or is listed as surplus."""
    operations = {o.operation_id: o for o in books.operations}
    ledger = {o.order_id: o for o in books.orders}
    made = Counter(_operation_of(o) for o in ours)
    for order in ours:
        operation, row = operations.get(_operation_of(order) or ""), ledger.get(order["id"])
        if operation is None or operation.kind not in CREATES:
            yield f"I2 {order['id']} the airline has it, no operation of ours made it"
        elif made[operation.operation_id] > 1 and (row is None or row.state != OrderState.SURPLUS):
            yield f"I2 {order['id']} {operation.operation_id} made more than one order"
        elif operation.state == "succeeded" and row is None:
            yield f"I2 {order['id']} its operation has succeeded and the ledger does not know the order"
        elif operation.state == "planned" or (operation.state == "failed" and row is None and order["id"] not in unseen):
            yield f"I2 {order['id']} its operation is {operation.state} and it is not listed as surplus"


def _gone_orders(books: Books, truth: Truth, ours: list[Json]) -> Iterator[str]:
    """I2 from the other side: what the ledger has paid, the airline has."""
    live = {o["id"] for o in ours}
    ended = {e["order_id"] for e in truth.journal if e["effect"] in {"cancel", "lapse"}}
    for row in books.orders:
        if row.state in AT_THE_AIRLINE and row.order_id not in live | ended:
            yield f"I2 {row.order_id} the ledger has it, the airline never had"
        if row.state in {OrderState.TICKETING, OrderState.CONFIRMED} and row.order_id in ended and not _cancelling(books, row):
            yield f"I2 {row.order_id} the airline has cancelled it, the ledger says it stands"


def _cancelling(books: Books, row: Row[Any]) -> bool:
    return any(o.create_id == row.create_id and o.kind == "cancel" and o.state != "planned" for o in books.operations)


def _effects(books: Books, journal: list[Json]) -> Iterator[str]:
    """I3: whatever truly happened was sent by an attempt, and once."""
    tried = {a.operation_id for a in books.attempts}
    seen: Counter[tuple[str, str]] = Counter()
    for entry in (e for e in journal if e["effect"] in {"hold", "book", "pay", "cancel"}):
        create_id, kind = str(entry["operation_id"]), str(entry["effect"])
        seen[create_id, "create" if kind in CREATES else kind] += 1
        sent = [o for o in books.operations if o.create_id == create_id and o.kind == kind and o.operation_id in tried]
        if not sent:
            yield f"I3 {entry['order_id']} a {kind} happened that no attempt sent"
    for (create_id, kind), times in seen.items():
        if times > 1:
            yield f"I3 {create_id} its {kind} happened {times} times"


def _money(books: Books, truth: Truth) -> Iterator[str]:
    """I4: what the ledger says was paid and given back is what the airline took and gave."""
    for entry in (e for e in truth.journal if e["effect"] in {"book", "pay", "cancel"}):
        of = [o for o in books.operations if o.create_id == entry["operation_id"] and o.kind == entry["effect"]]
        done = [o for o in of if o.state == "succeeded"]
        if len(of) == 1 and done:
            noted = _noted(books, truth, done[0], str(entry["order_id"]))
            if noted is not None and noted != Decimal(entry["amount"]):
                problem = f"the airline moved {entry['amount']} {entry['currency']}, the ledger says {noted}"
                yield f"I4 {done[0].operation_id} {problem}"


def _noted(books: Books, truth: Truth, operation: Row[Any], order_id: str) -> Decimal | None:
    if operation.kind == "cancel":
        newest = truth.quotes.get(order_id)
        if newest is None or newest.refund is None:
            return None
        return Decimal(newest.refund["amount"]) if newest.kind == "money" else Decimal(0)
    sent = [a for a in books.attempts if a.operation_id == operation.operation_id and a.outcome == "succeeded" and a.amount]
    return Decimal(sent[-1].amount["amount"]) if sent else None
