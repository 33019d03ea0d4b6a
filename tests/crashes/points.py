"""Which crash points lie on the way of which journey, and what the airline must do wrong for some of them to be reached."""

from __future__ import annotations

import random
from typing import Any

OF_CLIENTS = ("accept.stored", "accept.committed", "begin.stored", "begin.committed", "finish.stored", "finish.committed")
OF_OURS = OF_CLIENTS[2:]  # what the product tells itself is accepted with what gives rise to it
CHECKPOINTS = ("checkpoint.before_writes", "checkpoint.writes_stored", "checkpoint.before_put", "checkpoint.put")
UPDATES = ("checkpoint.before_put.update", "checkpoint.put.update")  # the graph is entered anew there, before anything runs
PASSED_OFTEN = ("plan.stored", "plan.committed", *CHECKPOINTS)
SENDING = ("send.prepared", "send.stored", "send.intended", "send.received", "outcome.stored", "outcome.committed")
UNANSWERED = ("unknown.committed", "look_up.stored", "look_up.committed")
CALLS = {"hold": "create", "book": "create", "pay": "pay", "cancel": "confirm"}

# Each command is killed on a journey that surely gives it, each kind of operation on one that surely sends it.
GIVEN: dict[str, tuple[str, ...]] = {
    "book": ("send_message", "choose"),
    "pay": ("decide",),
    "release": (),
    "calls_off": ("cancel_trip",),
    "cancel": ("cancel_trip",),
    "keeps": ("rewind",),
    "other_seat": (),
    "other_date": ("rewind",),
    "promotes": ("promote_branch",),
    "rewords": ("edit_message",),
    "expires": (),
}
FOLLOWING: dict[str, tuple[str, ...]] = {
    "book": ("start_trip", "notify"),
    "pay": ("outcome",),
    "rewords": ("withdraw",),
    "expires": ("expire",),
}
SENT = {"book": "book", "pay": "pay", "release": "hold", "cancel": "cancel", "calls_off": "cancel", "rewords": "cancel"}
APPLIED = {
    "book": "create",
    "pay": "pay",
    "release": "create",
    "cancel": "confirm",
    "other_date": "quote",
    "calls_off": "confirm",
    "rewords": "confirm",
}
# How often a journey by itself enters anew: going back, cancelling; then promoting, and withdrawing what was said before.
ENTERED = {"keeps": 1, "other_seat": 1, "other_date": 1, "promotes": 2, "cancel": 1, "calls_off": 1, "rewords": 2}
WHERE_NAIVETY_SHOWS = ("send.received.book", "airline.applied.create")  # done, and nobody was told


# What comes after what in a journey, so that one of them can die at one point of each stage.
STAGES = (
    "send_message", "start_trip", "notify", "edit_message", "withdraw", "checkpoint", "choose", "plan", "hold", "expire",
    "decide", "create", "book", "pay", "outcome", "rewind", "promote_branch", "cancel_trip", "update", "quote",
    "cancel", "confirm",
)  # fmt: skip


def points_of(kind: str, rng: random.Random) -> list[str]:
    """The crash points on the way of a journey, those that are passed often at a random passing; in passes over its stages."""
    points = _all(kind, rng)
    rng.shuffle(points)
    waiting = {stage: [point for point in points if _stage(point) == stage] for stage in STAGES}
    ordered: list[str] = []
    while any(waiting.values()):
        ordered += [left.pop() for left in waiting.values() if left]
    return ordered


def _stage(point: str) -> str:
    """The command, the kind of operation or the call; of the others the family."""
    name = point.partition(":")[0].rpartition(".")[2]
    return name if name in STAGES else point.partition(".")[0]


def _all(kind: str, rng: random.Random) -> list[str]:
    given = [f"{point}.{command}" for command in GIVEN[kind] for point in OF_CLIENTS]
    following = [f"{point}.{command}" for command in FOLLOWING.get(kind, ()) for point in OF_OURS]
    often = [f"{point}:{rng.randint(1, 30 if point in CHECKPOINTS else 2)}" for point in PASSED_OFTEN]
    entered = [f"{point}:{nth}" for point in UPDATES for nth in range(1, ENTERED.get(kind, 0) + 1)]
    sent = [f"{point}.{SENT[kind]}" for point in (*SENDING, *UNANSWERED)] if kind in SENT else []
    applied = [f"airline.applied.{APPLIED[kind]}"] if kind in APPLIED else []
    return [*given, *following, *often, *entered, *sent, *applied]


def lost_answer_for(point: str) -> dict[str, Any] | None:
    """The planned fault without which the point is never reached: the answer to the next call of that kind is lost."""
    name, _, kind = point.partition(":")[0].rpartition(".")
    if name not in UNANSWERED:
        return None
    return {"match": {"op": CALLS[kind], "nth": 1}, "fault": "timeout_after_apply"}
