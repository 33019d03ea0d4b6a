"""What must always be true, checked from the rows and, where the airline lets us look, against its own journal. Reads only."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Row, Table, select

from .domain.plans import CREATES, DROPS, OrderState
from .persistence.database import Tx
from .persistence.tables import attempts, claims, commands, grants, messages, operations, orders, questions, quotes, runs, trips

Json = dict[str, Any]

OPEN = frozenset({"accepted", "running"})
RANK = {"planned": 0, "submitting": 1, "unknown": 2, "needs_person": 3, "succeeded": 4, "failed": 4}
AT_THE_AIRLINE = frozenset({OrderState.HELD, OrderState.RELEASING, OrderState.TICKETING, OrderState.CONFIRMED})
IN_MOTION = frozenset({"searching", "settling"})


@dataclass(frozen=True)
class Finding:
    """`rule` is I1 .. I10, `subject` an id; `problem` and `remedy` are sentences for an operator."""

    rule: str
    subject: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.rule} {self.subject}: {self.problem}. {self.remedy}"


@dataclass(frozen=True)
class Truth:
    """What the airline itself says: every effect, oldest first, and its live orders, each as the sandbox tells them."""

    journal: list[Json]
    orders: list[Json]


@dataclass(frozen=True)
class Books:
    """The rows that the rules are about."""

    commands: list[Row[Any]]
    runs: list[Row[Any]]
    messages: frozenset[str]
    trips: list[Row[Any]]
    questions: list[Row[Any]]
    operations: list[Row[Any]]
    attempts: list[Row[Any]]
    grants: list[Row[Any]]
    orders: list[Row[Any]]
    quotes: list[Row[Any]]
    claims: list[Row[Any]]

    @property
    def by_operation(self) -> dict[str, Row[Any]]:
        return {row.operation_id: row for row in self.operations}

    @property
    def by_order(self) -> dict[str, Row[Any]]:
        return {row.order_id: row for row in self.orders}


async def read_books(tx: Tx) -> Books:
    """In one transaction, so that the rows agree with each other."""

    async def rows(table: Table, *leave_out: str) -> list[Row[Any]]:
        return list((await tx.execute(select(*(c for c in table.c if c.name not in leave_out)))).all())

    said = (await tx.execute(select(messages.c.command_id).where(messages.c.role == "user"))).scalars()
    return Books(
        commands=await rows(commands, "payload", "result"),
        runs=await rows(runs),
        messages=frozenset(said),
        trips=await rows(trips, "request", "selection", "chosen"),
        questions=await rows(questions),
        operations=await rows(operations),
        attempts=await rows(attempts),
        grants=await rows(grants),
        orders=await rows(orders, "fare"),
        quotes=await rows(quotes),
        claims=await rows(claims),
    )


def findings(books: Books, *, now: datetime, patience: timedelta, truth: Truth | None = None) -> list[Finding]:
    """Everything that is not as it must be; what has been in motion for longer than `patience` counts as stuck."""
    since = now - patience
    found = [
        *_grants(books),
        *_stuck(books, since),
        *_commands(books, since),
        *_order(books),
        *_whose(books),
        *_claims(books),
    ]
    return found if truth is None else [*_against(books, truth), *found]


def moved_back(before: dict[str, str], after: dict[str, str]) -> list[Finding]:
    """I7, from the states of all operations at two times."""
    return [
        Finding("I7", each, f"went from {state} back to {after.get(each)}", "Report this with the ledger's rows")
        for each, state in before.items()
        if each not in after or RANK[after[each]] < RANK[state] or (RANK[state] == 4 and after[each] != state)
    ]


def states(books: Books) -> dict[str, str]:
    return {row.operation_id: row.state for row in books.operations}


# Against the airline's own word


def _against(books: Books, truth: Truth) -> Iterator[Finding]:
    ours = [o for o in truth.orders if o.get("live", True) and _operation_of(o)]
    yield from _twice_on_a_flight(ours)
    yield from _unknown_orders(books, ours)
    yield from _gone_orders(books, truth, ours)
    yield from _effects(books, truth.journal)
    yield from _money(books, truth.journal)


def _operation_of(order: Json) -> str | None:
    metadata: Json = order.get("metadata") or {}
    return metadata.get("operation_id")


def _twice_on_a_flight(ours: list[Json]) -> Iterator[Finding]:
    """I1."""
    holders: dict[tuple[str, str], list[str]] = defaultdict(list)
    for order in ours:
        for flight in order["flights"]:
            for p in order["passengers"]:
                holders[flight, f"{p['given_name']} {p['family_name']} {p['born_on']}".casefold()].append(order["id"])
    for (flight, who), held in holders.items():
        if len(held) > 1:
            yield Finding("I1", flight, f"{who} is on it with {', '.join(held)}", "Cancel all but one, by hand")


def _unknown_orders(books: Books, ours: list[Json]) -> Iterator[Finding]:
    """I2: each live order is one create's, or is listed as surplus."""
    ask = "Adopt it or cancel it: layover doctor lists it until then"
    made = Counter(_operation_of(o) for o in ours)
    for order in ours:
        operation, row = books.by_operation.get(_operation_of(order) or ""), books.by_order.get(order["id"])
        if operation is None or operation.kind not in CREATES:
            yield Finding("I2", order["id"], "the airline has it, no operation of ours made it", ask)
        elif made[operation.operation_id] > 1 and (row is None or row.state != OrderState.SURPLUS):
            yield Finding("I2", order["id"], f"{operation.operation_id} made more than one order", ask)
        elif operation.state == "succeeded" and row is None:
            yield Finding("I2", order["id"], "its operation has succeeded and the ledger does not know the order", ask)
        elif operation.state == "planned" or (operation.state == "failed" and row is None and _was_visible(books, operation)):
            yield Finding("I2", order["id"], f"its operation is {operation.state} and it is not listed as surplus", ask)


def _was_visible(books: Books, operation: Row[Any]) -> bool:
    """An order of a closed operation can be listed only once a look-up or a webhook has shown it."""
    return not any(a.operation_id == operation.operation_id and a.outcome == "unknown" for a in books.attempts)


def _gone_orders(books: Books, truth: Truth, ours: list[Json]) -> Iterator[Finding]:
    """I2 from the other side: what the ledger has paid, the airline has."""
    live = {o["id"] for o in ours}
    ended = {e["order_id"] for e in truth.journal if e["effect"] in {"cancel", "lapse"}}
    for row in books.orders:
        if row.state in AT_THE_AIRLINE and row.order_id not in live | ended:
            yield Finding("I2", row.order_id, "the ledger has it, the airline never had", "Report this with the order's evidence")
        if row.state in {OrderState.TICKETING, OrderState.CONFIRMED} and row.order_id in ended and not _cancelling(books, row):
            yield Finding("I2", row.order_id, "the airline has cancelled it, the ledger says it stands", "Wait for the next look")


def _cancelling(books: Books, row: Row[Any]) -> bool:
    return any(o.create_id == row.create_id and o.kind == "cancel" and o.state != "planned" for o in books.operations)


def _effects(books: Books, journal: list[Json]) -> Iterator[Finding]:
    """I3: whatever truly happened was sent by an attempt, and once."""
    tried = {a.operation_id for a in books.attempts}
    seen: Counter[tuple[str, str]] = Counter()
    for entry in (e for e in journal if e["effect"] in {"hold", "book", "pay", "cancel"}):
        create_id, kind = str(entry["operation_id"]), str(entry["effect"])
        seen[create_id, "create" if kind in CREATES else kind] += 1
        sent = [o for o in books.operations if o.create_id == create_id and o.kind == kind and o.operation_id in tried]
        if not sent:
            yield Finding("I3", str(entry["order_id"]), f"a {kind} happened that no attempt sent", "Look for another program")
    for (create_id, kind), times in seen.items():
        if times > 1:
            yield Finding("I3", create_id, f"its {kind} happened {times} times", "Cancel what is too much, by hand")


def _money(books: Books, journal: list[Json]) -> Iterator[Finding]:
    """I4: what the ledger says was paid and given back is what the airline took and gave."""
    for entry in (e for e in journal if e["effect"] in {"book", "pay", "cancel"}):
        of = [o for o in books.operations if o.create_id == entry["operation_id"] and o.kind == entry["effect"]]
        done = [o for o in of if o.state == "succeeded"]
        if len(of) == 1 and done:
            noted = _noted(books, done[0], str(entry["order_id"]))
            if noted is not None and noted != Decimal(entry["amount"]):
                problem = f"the airline moved {entry['amount']} {entry['currency']}, the ledger says {noted}"
                yield Finding("I4", done[0].operation_id, problem, "Compare with the airline's statement")


def _noted(books: Books, operation: Row[Any], order_id: str) -> Decimal | None:
    if operation.kind == "cancel":
        newest = max((q for q in books.quotes if q.order_id == order_id), key=lambda q: q.created_at, default=None)
        if newest is None or newest.refund is None:
            return None
        return Decimal(newest.refund["amount"]) if newest.kind == "money" else Decimal(0)
    sent = [a for a in books.attempts if a.operation_id == operation.operation_id and a.outcome == "succeeded" and a.amount]
    return Decimal(sent[-1].amount["amount"]) if sent else None


# From the rows alone


def _grants(books: Books) -> Iterator[Finding]:
    """I3: each attempt used up a grant, within its bound."""
    given = {(g.operation_id, g.granted_by): g for g in books.grants}
    kinds = {o.operation_id: o.kind for o in books.operations}
    for a in books.attempts:
        grant = given.get((a.operation_id, a.granted_by))
        if grant is None or grant.state != "consumed":
            yield Finding("I3", a.operation_id, f"attempt {a.number} was sent without a grant", "Stop purchases: layover pause")
        elif a.amount is not None and not _within(kinds[a.operation_id], a.amount, grant.bound):
            problem = f"attempt {a.number} sent {a.amount['amount']}, granted were {grant.bound['amount']}"
            yield Finding("I3", a.operation_id, problem, "Stop purchases: layover pause")


def _within(kind: str, amount: Json, bound: Json) -> bool:
    sent, allowed = Decimal(amount["amount"]), Decimal(bound["amount"])
    if amount["currency"] != bound["currency"]:
        return False
    return sent >= allowed if kind in DROPS else sent <= allowed


def _claims(books: Books) -> Iterator[Finding]:
    """I1 from the rows: each paid or held order has its claims, so that nobody can book beside it."""
    held = {(c.segment_key, c.passenger_id): c.create_id for c in books.claims}
    for row in (o for o in books.orders if o.state in AT_THE_AIRLINE):
        for key in row.itinerary["segment_keys"]:
            for passenger in row.itinerary["passenger_ids"]:
                if held.get((key, passenger)) != row.create_id:
                    yield Finding("I1", row.order_id, f"its claim on {key} is missing", "Report this with the ledger's rows")


def _stuck(books: Books, since: datetime) -> Iterator[Finding]:
    """I5."""
    busy = {c.thread_id for c in books.commands if c.status in OPEN}
    for o in books.operations:
        if o.state == "submitting" and o.updated_at <= since and o.trip_id not in busy:
            yield Finding("I5", o.operation_id, "is being sent by nobody", "Restart: it is looked up at start")
        if o.state == "unknown" and o.look_after is not None and o.look_after < since:
            yield Finding("I5", o.operation_id, "should have been looked up by now", "Restart, or resolve it by hand")
    asked = {q.thread_id: q for q in books.questions if q.status == "waiting"}
    for t in books.trips:
        if t.trip_id not in busy and t.trip_id not in asked and t.status in IN_MOTION and t.updated_at <= since:
            yield Finding("I5", t.trip_id, f"is {t.status} and nothing moves it", "Cancel it, or go back in it")
    known = books.by_operation
    for q in asked.values():
        waits_for = known.get(str(q.body.get("operation_id"))) if q.node == "await_outcome" else None
        done = waits_for is not None and waits_for.state in {"succeeded", "failed"}
        if done and q.thread_id not in busy and waits_for is not None and waits_for.updated_at < since:
            yield Finding("I5", q.thread_id, "waits for what is known", "Restart: the reconciler wakes it")
        if q.deadline is not None and q.deadline < since and q.thread_id not in busy:
            yield Finding("I5", q.question_id, "is past its deadline and still waits", "Restart: the reconciler lets it expire")


def _commands(books: Books, since: datetime) -> Iterator[Finding]:
    """I8: each accepted command ends once, and what was said is kept."""
    ends = Counter((r.tenant_id, r.command_id) for r in books.runs if r.outcome in {"succeeded", "failed"})
    for c in books.commands:
        if ends[c.tenant_id, c.command_id] > 1:
            yield Finding("I8", c.command_id, "ended more than once", "Report this with its runs")
        if c.status in OPEN and c.created_at <= since and (c.not_before is None or c.not_before <= since):
            yield Finding("I8", c.command_id, f"is {c.status} since {c.created_at:%Y-%m-%d %H:%M} UTC", "Restart")
        if c.status not in OPEN and c.ended_at is None:
            yield Finding("I8", c.command_id, "has ended without a time", "Report this with its runs")
        if c.kind == "send_message" and c.status not in OPEN and c.command_id not in books.messages and c.attempts:
            yield Finding("I8", c.command_id, "its message is not in the transcript", "Report this with its runs")


def _order(books: Books) -> Iterator[Finding]:
    """I9: the fence counts a thread's runs, so that the runs of a later command have higher ones."""
    fences: dict[tuple[str, str], list[int]] = defaultdict(list)
    for run in books.runs:
        fences[run.tenant_id, run.command_id].append(run.fence)
    last: dict[str, tuple[int, int]] = {}
    for c in sorted((c for c in books.commands if c.thread_seq is not None), key=lambda c: c.thread_seq):
        mine = fences.get((c.tenant_id, c.command_id))
        if mine is None:
            continue
        seq, fence = last.get(c.thread_id, (0, 0))
        if min(mine) <= fence:
            yield Finding("I9", c.command_id, f"ran before command {seq} of its thread had ended", "Report this with its runs")
        last[c.thread_id] = (c.thread_seq, max(mine))


def _whose(books: Books) -> Iterator[Finding]:
    """I10: rows that hang together belong to one tenant."""
    tenants = {t.trip_id: t.tenant_id for t in books.trips}
    rows: Iterable[tuple[str, str, str]] = (
        *((o.order_id, o.trip_id, o.tenant_id) for o in books.orders),
        *((o.operation_id, o.trip_id, o.tenant_id) for o in books.operations),
        *((q.question_id, q.thread_id, q.tenant_id) for q in books.questions),
        *((c.create_id, c.trip_id, c.tenant_id) for c in books.claims),
    )
    for subject, trip_id, tenant_id in rows:
        if tenants.get(trip_id, tenant_id) != tenant_id:
            yield Finding("I10", subject, "belongs to another tenant than its trip", "Stop the server and report this")
