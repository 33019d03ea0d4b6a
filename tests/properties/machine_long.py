"""`python -m tests.properties.machine_long --minutes N`: the state machine for as long as wanted, and what it reached.

A failure prints its seed and its steps; `--seed S --runs 1` makes the same run again, with `--only CALL:FAULT,...` where
it says so. After half of the time it goes after the faults it has not met yet, a few in each run. Asked to end (SIGTERM, Ctrl-C)
it stops at the next step, and tells what it has reached by then.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

import tests.conftest  # noqa: F401  (the environment every test runs in)
from assistant.booking.sandbox.faults import Fault
from tests.properties import machine_life
from tests.properties.machine_everything import REACHABLE, Pair, named, unreached
from tests.properties.machine_life import Stopped
from tests.properties.state_machine import AT_ONCE, REACHED, Trips, focus_on, totals

EACH = settings(
    max_examples=2,
    stateful_step_count=20,
    deadline=None,
    database=None,
    phases=(Phase.generate,),
    suppress_health_check=tuple(HealthCheck),
    report_multiple_bugs=False,
)
SHORT = settings(EACH, max_examples=1, stateful_step_count=1)


@dataclass
class Told:
    """What the runs have come to so far; kept in a file after each, so that a killed one is not lost.

    `reached` counts the faults met by call, and the trips, operations, orders, commands, answers and ways to settle that
    came to each of their states; `unreached` names those of them that none has come to.
    """

    file: Path | None
    runs: int = 0
    broken: list[dict[str, object]] = field(default_factory=list[dict[str, object]])

    def keep(self) -> None:
        if self.file is None:
            return
        told = {
            "reached": dict(sorted(REACHED.items())),
            "unreached": unreached(REACHED),
            "runs": self.runs,
            "broken": self.broken,
        }
        fresh = self.file.with_name(f"{self.file.name}.{os.getpid()}")
        fresh.write_text(json.dumps(told, indent=1, ensure_ascii=False), "utf-8")
        fresh.replace(self.file)


def main(argv: list[str] | None = None) -> int:
    """The number of seeds that broke something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1, help="the first; one more for each run")
    parser.add_argument("--runs", type=int, default=None, help="stop after so many, whatever the time")
    parser.add_argument("--only", type=pairs_of, default=(), help="CALL:FAULT,... which alone go wrong")
    parser.add_argument("--totals", type=Path, default=None, help="a file for what was reached, written after every run")
    asked = parser.parse_args(argv)
    for asks_to_end in (signal.SIGINT, signal.SIGTERM):
        signal.signal(asks_to_end, lambda _signal, _frame: machine_life.stop())
    told = Told(asked.totals)
    half, ends = (time.monotonic() + 60 * asked.minutes * part for part in (0.5, 1))
    try:
        while time.monotonic() < ends and told.runs != asked.runs:
            number = asked.seed + told.runs
            words = run(number, only=asked.only or (not_met(number) if time.monotonic() > half else ()))
            told.runs += 1
            told.broken += [{"seed": number, "words": words}] if words else []
            told.keep()
    except Stopped:
        told.keep()
    print(f"{totals()}\nnot reached: {', '.join(unreached(REACHED)) or 'nothing'}")
    print(f"{told.runs} runs of {EACH.max_examples} examples, {len(told.broken)} of them broken", flush=True)
    return min(len(told.broken), 100)


def run(number: int, *, only: tuple[Pair, ...] = ()) -> list[str]:
    """One seed; what is said of it where something broke. Raises Stopped when it was asked to end."""
    focus_on(list(only) or focus_of(number))
    this = f"--seed {number} --runs 1" + (f" --only {','.join(f'{call}:{fault}' for call, fault in only)}" if only else "")
    try:
        run_state_machine_as_test(seed(number)(Trips), settings=SHORT if only else EACH)
    except Exception as trouble:  # noqa: BLE001  (whatever it is, the seed has to be told)
        words = [this, *said(trouble)]
        print("broke something:", *words, sep="\n", flush=True)
        return words
    print(f"held: {this}", flush=True)
    return []


def not_met(number: int) -> tuple[Pair, ...]:
    """Some of the faults that no call has met so far, as many as an example begins with."""
    missing = [pair for pair in REACHABLE if named(pair) not in REACHED]
    first = number * AT_ONCE
    return tuple({missing[(first + n) % len(missing)]: None for n in range(AT_ONCE)}) if missing else ()


def pairs_of(text: str) -> tuple[Pair, ...]:
    named_so = (each.partition(":") for each in text.split(","))
    return tuple((call, Fault(fault)) for call, _, fault in named_so)


def focus_of(number: int) -> list[Pair]:
    """Each seed begins with some of the faults; one seed after the other has them all."""
    first = number * AT_ONCE
    return [REACHABLE[(first + n) % len(REACHABLE)] for n in range(AT_ONCE)]


def said(trouble: BaseException) -> Iterator[str]:
    """Every failure in it, with the steps that led there."""
    yield f"{type(trouble).__name__}: {trouble}"
    yield from getattr(trouble, "__notes__", [])
    for inner in trouble.exceptions if isinstance(trouble, BaseExceptionGroup) else ():
        yield from said(inner)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # threads of lives that were cut short wait for ever
