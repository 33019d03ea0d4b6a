"""I4, order by order: what the airline's journal says it took and gave is what our attempts say was sent and comes back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from assistant.invariants import Books

Json = dict[str, Any]
SIGNS = {"book": 1, "pay": 1, "cancel": -1}


def money(journal: list[Json], books: Books) -> Iterator[str]:
    """Orders of operations that wait for a person, and surplus ones, are left out: our books are behind, and say so."""
    open_ones = {op.create_id for op in books.operations if op.state == "needs_person"}
    open_ones |= {order.create_id for order in books.orders if order.state == "surplus"}
    took, sent = _took(journal), _sent(books)
    for create_id in (took.keys() | sent.keys()) - open_ones:
        if took[create_id] != sent[create_id]:
            yield f"I4 for {create_id} the airline took {took[create_id]}, our books say {sent[create_id]}"


def _took(journal: list[Json]) -> defaultdict[str, Decimal]:
    took: defaultdict[str, Decimal] = defaultdict(Decimal)
    for entry in (e for e in journal if e["effect"] in SIGNS):
        took[entry["operation_id"]] += SIGNS[entry["effect"]] * Decimal(entry["amount"])
    return took


def _sent(books: Books) -> defaultdict[str, Decimal]:
    """The last attempt of an operation that succeeded is the one that did it."""
    amounts = {a.operation_id: a.amount for a in sorted(books.attempts, key=lambda a: a.number)}
    sent: defaultdict[str, Decimal] = defaultdict(Decimal)
    for op in (op for op in books.operations if op.state == "succeeded" and op.kind in SIGNS):
        if amount := amounts.get(op.operation_id):
            sent[op.create_id] += SIGNS[op.kind] * Decimal(amount["amount"])
    return sent
