"""Everything the state machine must reach, read off the product itself, so that what is new there cannot be forgotten here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import get_args

from assistant.booking.sandbox.faults import Fault
from assistant.domain.commands import Agree, Choose, Decide, Kind, Settle
from assistant.domain.plans import CREATES, DROPS, SPENDS, OrderState, StepKind
from assistant.domain.trips import TripStatus

CALLS = (
    "search", "list_offers", "get_offer", "price", "seat_map", "create", "find_orders", "get_order", "pay", "quote",
    "get_cancellation", "confirm",
)  # fmt: skip
ONLY: dict[Fault, tuple[str, ...]] = {
    Fault.VISIBILITY_LAG: ("create",),
    Fault.SEAT_STOLEN: ("create",),
    Fault.PRICE_BUMP: ("create", "price", "get_offer", "pay"),
    Fault.OFFER_GONE: ("create", "price", "get_offer", "pay"),
    Fault.CONFIRM_TIMEOUT: ("confirm",),
    Fault.WEBHOOK_DUP: ("webhook",),
    Fault.WEBHOOK_REORDER: ("webhook",),
    Fault.WEBHOOK_DROP: ("webhook",),
}
"""The calls a fault means something for, where it is not every call."""
Pair = tuple[str, Fault]
PAIRS: tuple[Pair, ...] = tuple((call, fault) for fault in Fault for call in ONLY.get(fault, CALLS))

OPERATIONS = tuple(sorted({str(StepKind.CANCEL if kind in DROPS else kind) for kind in CREATES | SPENDS | DROPS}))
ENDS = ("succeeded", "failed", "needs_person")  # a person's word ends the last
ANSWERS = {
    "choose": get_args(Choose.model_fields["answer"].annotation),
    "agree": get_args(Agree.model_fields["answer"].annotation),
    "review": (*get_args(Decide.model_fields["type"].annotation), Kind.EXPIRE.value),
    "await_outcome": (Kind.OUTCOME.value,),
}
UNREACHABLE: dict[str, str] = {
    f"trip {TripStatus.SEARCHING}": "a trip is so only while a command runs, and is looked at when none does",
    f"trip {TripStatus.SETTLING}": "a trip is so only while a command runs, and is looked at when none does",
}
"""What no run at rest can show, and why."""


def named(pair: Pair) -> str:
    return f"fault {pair[0]}:{pair[1]}"


REACHABLE: tuple[Pair, ...] = tuple(pair for pair in PAIRS if named(pair) not in UNREACHABLE)


def everything() -> list[str]:
    """The names under which it is counted, without what cannot be reached."""
    names = [named(pair) for pair in PAIRS]
    names += [f"trip {status}" for status in TripStatus]
    names += [f"operation {kind} {end}" for kind in OPERATIONS for end in ENDS]
    names += [f"order {state}" for state in OrderState]
    names += [f"command {kind}" for kind in Kind]
    names += [f"answer {node} {word}" for node, words in ANSWERS.items() for word in words]
    names += [f"settle {way}" for way in get_args(Settle)]
    return [name for name in names if name not in UNREACHABLE]


def unreached(reached: Mapping[str, int] | Iterable[str]) -> list[str]:
    return [name for name in everything() if name not in Counter(reached)]
