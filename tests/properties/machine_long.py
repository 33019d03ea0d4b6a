"""`python -m tests.properties.machine_long --minutes N`: the state machine for as long as wanted, and what it reached.

A failure prints its seed and its steps; `--seed S --runs 1` makes the same run again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

import tests.conftest  # noqa: F401  (the environment every test runs in)
from tests.properties.state_machine import Trips, totals

EACH = settings(
    max_examples=5,
    stateful_step_count=30,
    deadline=None,
    database=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
    report_multiple_bugs=False,
)


def main(argv: list[str] | None = None) -> int:
    """The number of seeds that broke something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1, help="the first; one more for each run")
    parser.add_argument("--runs", type=int, default=None, help="stop after so many, whatever the time")
    asked = parser.parse_args(argv)
    ends, runs, broken = time.monotonic() + 60 * asked.minutes, 0, 0
    while time.monotonic() < ends and runs != asked.runs:
        number = asked.seed + runs
        runs += 1
        if not run(number):
            broken += 1
    print(f"{totals()}\n{runs} runs of {EACH.max_examples} examples, {broken} of them broken", flush=True)
    return min(broken, 100)


def run(number: int) -> bool:
    """One seed; False where something broke, which is then said."""
    try:
        run_state_machine_as_test(seed(number)(Trips), settings=EACH)
    except Exception as trouble:  # noqa: BLE001  (whatever it is, the seed has to be told)
        print(f"seed {number} broke something:", *told(trouble), sep="\n", flush=True)
        return False
    print(f"seed {number} held", flush=True)
    return True


def told(trouble: BaseException) -> Iterator[str]:
    """Every failure in it, with the steps that led there."""
    yield f"{type(trouble).__name__}: {trouble}"
    yield from getattr(trouble, "__notes__", [])
    for inner in trouble.exceptions if isinstance(trouble, BaseExceptionGroup) else ():
        yield from told(inner)


if __name__ == "__main__":
    sys.exit(main())
