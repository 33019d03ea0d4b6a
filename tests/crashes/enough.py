"""Whether a run has shown enough to be believed: where nothing is tried nothing breaks either."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tests.crashes.points import GIVEN, points_of
from tests.crashes.promised import ENDS
from tests.crashes.totals import Totals

FULL = 50.0  # minutes; whoever asks for as many asks for the proof
LEAST_KILLS, LEAST_FAULTS = 300, 2_000
SOME, SOME_AT_FAULT = 5, 12  # journeys of a kind, of which one at least is to end as promised, whatever goes wrong


@dataclass(frozen=True)
class Enough:
    """What is asked of a run. `all_of_it`: each crash point has killed, and the state machine has reached all there is."""

    kills: int = 0
    faults: int = 0
    all_of_it: bool = False

    @classmethod
    def of(cls, *, minutes: float, whole: bool, kills: int | None = None, faults: int | None = None) -> Enough:
        """A whole run of 50 minutes is held to everything, a shorter one or a part to what its caller named."""
        full = whole and minutes >= FULL
        least_kills, least_faults = (LEAST_KILLS, LEAST_FAULTS) if full else (0, 0)
        return cls(least_kills if kills is None else kills, least_faults if faults is None else faults, full)

    @property
    def warning(self) -> str | None:
        if self.all_of_it:
            return None
        return (
            f"not a whole run of {FULL:g} minutes: not held to every point and every state; "
            f"at least {self.kills} kills and {self.faults} faults were asked for"
        )

    def lacking(self, totals: Totals) -> Iterator[str]:
        """What the run was to show and did not. A point that was tried and not reached is never enough."""
        yield from (f"not reached: {point}" for point in totals.never_reached)
        yield from in_vain(totals.calm_ends, SOME)
        yield from in_vain(totals.ends, SOME_AT_FAULT)
        if (kills := totals.kills.total()) < self.kills:
            yield f"only {kills} kills of {self.kills}"
        if (faults := totals.faults.total()) < self.faults:
            yield f"only {faults} faults of {self.faults} at the airline of real servers"
        if self.all_of_it:
            yield from (f"never tried: {point}" for point in sorted(every_point() - {*totals.kills, *totals.never_reached}))
            yield from (f"not reached by the state machine: {name}" for name in totals.unreached_inside)
            if not totals.spawned:
                yield "no server with an interpreter of its own was killed"


def in_vain(ends: Counter[str], some: int) -> Iterator[str]:
    """Each single end may be excused by a death or a fault; all of them may not."""
    made = Counter[str]()
    for end, times in ends.items():
        made[end.partition(":")[0]] += times
    for kind, times in sorted(made.items()):
        if times >= some and not ends[f"{kind}: {ENDS[kind]}"]:
            yield f"of {times} {kind} journeys none ended {ENDS[kind]}"


def every_point() -> set[str]:
    """Without which passing it is."""
    return {point.partition(":")[0] for kind in GIVEN for point in points_of(kind, random.Random(1))}
