"""What must always be true of the business database, I1 to I10; reads only, and each finding says what to do about it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, Table, select

from .domain.money import Money
from .domain.plans import CREATES, LIVE, SPENDS, Itinerary, OrderState
from .persistence.commands import OPEN
from .persistence.database import Tx
from .persistence.standing import LONG, is_overdue
from .persistence.tables import attempts, claims, commands, grants, operations, orders, questions, runs, threads, trips

RESTORE = "layover restore DIRECTORY"
MAY_BE_HAPPENING = ("submitting", "unknown")
Rows = list[Row[Any]]


START_ANEW = "Start the server (layover serve), anew if it runs"
WHO_RAN_IT = "Run layover pause, and see in its trip's Steps in /review who decided it."
ONE_SERVER = "Run layover pause, stop all servers but one, and see in the thread's Steps in /review what was done."
PUT_BACK = f"Run layover pause, stop the server and put the newest backup back: {RESTORE}."


@dataclass(frozen=True)
class Finding:
    """`invariant` is I1 to I10; `what` names ids, no personal data; `remedy` a command, page or button, in a sentence or two."""

    invariant: str
    what: str
    remedy: str


@dataclass(frozen=True)
class Books:
    """One consistent read of the tables the invariants are about."""

    orders: Rows
    operations: Rows
    attempts: Rows
    grants: Rows
    claims: Rows
    commands: Rows
    runs: Rows
    questions: Rows
    trips: Rows
    threads: Rows

    @classmethod
    async def read(cls, tx: Tx) -> Books:
        async def all_of(table: Table) -> Rows:
            return list((await tx.execute(select(table))).all())

        tables = (orders, operations, attempts, grants, claims, commands, runs, questions, trips, threads)
        return cls(*[await all_of(table) for table in tables])


def broken(books: Books, *, now: datetime, patience: timedelta = LONG) -> list[Finding]:
    """Every finding, in the order of the invariants; none when all is well. `patience`: how long a thing may be under way."""
    checks = (
        _one_live_order_a_flight(books),
        _orders_have_one_create(books),
        _sent_with_a_grant(books),
        _money_as_sent(books),
        _nothing_stuck(books, now - patience),
        _nothing_hidden(books),
        _states_fit_attempts(books),
        _commands_end_once(books, now - patience),
        _in_order(books),
        _whose_is_whose(books),
    )
    return [finding for check in checks for finding in check]


def _live(books: Books) -> Rows:
    return [order for order in books.orders if OrderState(order.state) in LIVE]


def _one_live_order_a_flight(books: Books) -> Iterator[Finding]:
    """I1: no passenger holds two live orders on one flight."""
    seen: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for order in _live(books):
        for flight, passenger in Itinerary.model_validate(order.itinerary).claims:
            seen[order.tenant_id, order.mode, flight, passenger].append(order.order_id)
    for (_, _, flight, _), held in seen.items():
        if len(held) > 1:
            remedy = "Cancel the one that nobody wants in Operations of /review; a surplus order first."
            yield Finding("I1", f"one passenger has orders {', '.join(sorted(held))} on {flight}", remedy)


def _orders_have_one_create(books: Books) -> Iterator[Finding]:
    """I2: every live order maps to one create operation that succeeded, or is listed surplus."""
    made = {op.operation_id: op for op in books.operations if op.kind in CREATES}
    of_create = Counter(o.create_id for o in books.orders if o.state != OrderState.SURPLUS)
    for order in _live(books):
        create = made.get(order.create_id)
        if create is None or (order.state != OrderState.SURPLUS and create.state != "succeeded"):
            remedy = f"Cancel it in Operations or its trip's Steps in /review; where it is in neither: {RESTORE}."
            yield Finding("I2", f"order {order.order_id} has no create that succeeded", remedy)
        if of_create[order.create_id] > 1:
            remedy = "Keep one, and cancel the others in Operations of /review."
            yield Finding("I2", f"operation {order.create_id} has several orders", remedy)


def _sent_with_a_grant(books: Books) -> Iterator[Finding]:
    """I3: whatever was sent had a grant that covered it, and used it up."""
    given = {(g.operation_id, g.granted_by): g for g in books.grants}
    kinds = {op.operation_id: op.kind for op in books.operations}
    for attempt in books.attempts:
        name = f"attempt {attempt.number} of {attempt.operation_id}"
        grant = given.get((attempt.operation_id, attempt.granted_by))
        if grant is None or grant.state != "consumed":
            yield Finding("I3", f"{name} was sent without a grant", WHO_RAN_IT)
        elif attempt.amount and not _covers(grant, attempt, spends=kinds.get(attempt.operation_id) in SPENDS | CREATES):
            yield Finding("I3", f"{name} was for other money than granted", WHO_RAN_IT)


def _covers(grant: Row[Any], attempt: Row[Any], *, spends: bool) -> bool:
    bound, amount = Money.model_validate(grant.bound), Money.model_validate(attempt.amount)
    if spends:
        return amount.at_most(bound)
    return bound.amount == 0 or bound.at_most(amount)  # whatever comes back is no less than nothing


def _money_as_sent(books: Books) -> Iterator[Finding]:
    """I4, as far as our own books can tell: an order that is paid cost what was sent for it."""
    amounts = {a.operation_id: a.amount for a in books.attempts if a.amount and a.outcome == "succeeded"}
    paying = (op for op in books.operations if op.kind in SPENDS and op.state == "succeeded")
    paid = {op.create_id: amounts[op.operation_id] for op in paying if op.operation_id in amounts}
    for order in books.orders:
        sent = paid.get(order.create_id)
        if sent and order.state != OrderState.SURPLUS and Money.model_validate(sent) != Money.model_validate(order.total):
            remedy = "Compare the airline's invoice with what was sent, which GET /api/v1/operations says."
            yield Finding("I4", f"order {order.order_id} has another total than was sent", remedy)


def _nothing_stuck(books: Books, since: datetime) -> Iterator[Finding]:
    """I5: nothing stays under way for ever; it ends or asks a person."""
    for op in books.operations:
        due = op.look_after or op.updated_at
        if op.state in MAY_BE_HAPPENING and due < since:
            remedy = f"{START_ANEW}: it looks it up."
            yield Finding("I5", f"operation {op.operation_id} is {op.state} and nobody looks", remedy)
        if op.state == "needs_person":
            remedy = "Ask the airline, then say in Operations of /review what became of it: adopt, not booked, cancel."
            yield Finding("I5", f"operation {op.operation_id} waits for a person", remedy)
    states = {op.operation_id: op.state for op in books.operations}
    for question in books.questions:
        if question.node == "await_outcome" and question.status == "waiting" and question.created_at < since:
            parked = question.body.get("operation_id")
            if parked and states.get(parked) in {"succeeded", "failed"}:
                yield Finding("I5", f"trip {question.thread_id} waits for what is known", f"{START_ANEW}: it wakes it.")


def _nothing_hidden(books: Books) -> Iterator[Finding]:
    """I6: a live order belongs to a trip somebody can see; a booked trip has the order it wants."""
    by_trip = {trip.trip_id: trip for trip in books.trips}
    live = _live(books)
    for order in live:
        if order.trip_id not in by_trip:
            remedy = f"Have the airline cancel it, or put its trip back: {RESTORE}."
            yield Finding("I6", f"order {order.order_id} belongs to no trip", remedy)
    for trip in books.trips:
        # none may be wanted: what was paid before its turn was taken back stays, as another live booking
        if trip.status == "booked" and not any(o.trip_id == trip.trip_id and not o.aside for o in live):
            remedy = "Go back to the choice in its Steps in /review, or cancel it there."
            yield Finding("I6", f"trip {trip.trip_id} reads booked and has no order", remedy)


def _states_fit_attempts(books: Books) -> Iterator[Finding]:
    """I7: states only move forward, so they fit what was tried."""
    tried: dict[str, Rows] = defaultdict(list)
    for attempt in books.attempts:
        tried[attempt.operation_id].append(attempt)
    made = {o.create_id for o in books.orders}
    for op in books.operations:
        mine = tried[op.operation_id]
        wrong = (
            (op.state == "planned" and bool(mine))
            or (op.state in {"submitting", "unknown", "succeeded"} and not mine)
            or (op.state == "failed" and any(a.outcome == "succeeded" for a in mine))
            or (op.state == "succeeded" and op.kind in CREATES and op.operation_id not in made)
            or op.fence != len(mine)
        )
        if wrong:
            remedy = f"Compare what GET /api/v1/operations says of it with the airline; where they differ: {RESTORE}."
            yield Finding("I7", f"operation {op.operation_id} is {op.state} after {len(mine)} attempts", remedy)
    held = {o.create_id for o in _live(books)} | {op.operation_id for op in books.operations if op.state in _CLAIMING}
    for claim in books.claims:
        if claim.create_id not in held:
            what = f"{claim.segment_key} is claimed by {claim.create_id}, which is over"
            yield Finding("I7", what, f"{START_ANEW}: it gives the flight back.")


_CLAIMING = ("submitting", "unknown", "needs_person")


def _commands_end_once(books: Books, since: datetime) -> Iterator[Finding]:
    """I8: every accepted command ends, once."""
    ended = Counter((run.tenant_id, run.command_id) for run in books.runs if run.outcome == "succeeded")
    for command in books.commands:
        if ended[command.tenant_id, command.command_id] > 1:
            yield Finding("I8", f"command {command.command_id} ended more than once", ONE_SERVER)
        if is_overdue(command, since=since):
            remedy = f"{START_ANEW}: it runs it."
            yield Finding("I8", f"command {command.command_id} ({command.kind}) has not ended", remedy)
        if command.status not in OPEN and command.ended_at is None:
            remedy = f"See in its thread's Steps in /review what it did; where that is not whole: {RESTORE}."
            yield Finding("I8", f"command {command.command_id} ended at no time", remedy)


def _in_order(books: Books) -> Iterator[Finding]:
    """I9: the commands of a thread ran in their order."""
    place = {(c.tenant_id, c.command_id): c.thread_seq for c in books.commands}
    by_thread: dict[str, Rows] = defaultdict(list)
    for run in books.runs:
        by_thread[run.thread_id].append(run)
    for thread_id, mine in by_thread.items():
        places = [place.get((run.tenant_id, run.command_id)) or 0 for run in sorted(mine, key=lambda run: run.fence)]
        if places != sorted(places) or len({run.fence for run in mine}) != len(mine):
            yield Finding("I9", f"commands of thread {thread_id} ran out of order", ONE_SERVER)


def _whose_is_whose(books: Books) -> Iterator[Finding]:
    """I10: what belongs together has one tenant and one owner."""
    owners = {t.thread_id: (t.tenant_id, t.owner_id) for t in books.threads}
    tenants = {t.trip_id: t.tenant_id for t in books.trips}
    for trip in books.trips:
        for thread_id in (trip.trip_id, trip.conversation_id):
            if owners.get(thread_id) != (trip.tenant_id, trip.owner_id):
                yield Finding("I10", f"trip {trip.trip_id} is not of its thread's owner", PUT_BACK)
    for row in (*books.orders, *books.operations):
        if tenants.get(row.trip_id, row.tenant_id) != row.tenant_id:
            yield Finding("I10", f"{row.trip_id} has ledger rows of another tenant", PUT_BACK)
