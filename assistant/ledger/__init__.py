"""The ledger: what was intended, granted, tried and is held. It lives where no rewind reaches."""

from ..domain.plans import with_tolerance
from ..persistence.database import Tx
from .attempting import (
    Attempt,
    backoff,
    begin,
    end_attempt,
    fail,
    heard,
    is_current,
    looked,
    mark_unknown,
    needs_person,
    note,
    succeed,
)
from .granting import claim, claimed_elsewhere, grant, granted, kind_of, release_claims, void, void_trip, write_plan
from .moving import last_move, move_order, moves_heard
from .ordering import add_order, quoted, refresh_order, set_aside
from .pages import Book, in_state, last_attempt, newest_quote, operation, order, order_of, orders_in, page, spent_since, unsettled

__all__ = [
    "Attempt",
    "Book",
    "Tx",
    "add_order",
    "backoff",
    "begin",
    "claim",
    "claimed_elsewhere",
    "end_attempt",
    "fail",
    "grant",
    "granted",
    "heard",
    "in_state",
    "is_current",
    "kind_of",
    "last_attempt",
    "last_move",
    "looked",
    "mark_unknown",
    "move_order",
    "moves_heard",
    "needs_person",
    "newest_quote",
    "note",
    "operation",
    "order",
    "order_of",
    "orders_in",
    "page",
    "quoted",
    "refresh_order",
    "release_claims",
    "set_aside",
    "spent_since",
    "succeed",
    "unsettled",
    "void",
    "void_trip",
    "with_tolerance",
    "write_plan",
]
