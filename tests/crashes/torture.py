"""`python -m tests.crashes.torture`: kills and faults for as long as one likes, totals by point and fault at the end.

Four lanes side by side: servers killed at each crash point of each kind of journey and at random moments under load; servers
at an airline that does everything wrong that it can; servers at such an airline in a process of its own, where either of the two
is killed; and the state machine of `tests.properties`, in a process of its own.
The exit status is 1 when an invariant was broken, a command lost, a journey stuck or ended as it must not; and when less was
shown than asked for: a point not reached, in a whole run of 50 minutes fewer than 300 kills or 2,000 faults, or not every point.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import time
from pathlib import Path

from tests.crashes.abroad import FarAway
from tests.crashes.enough import Enough
from tests.crashes.lanes import Faults, Kills, Lane
from tests.crashes.machine import Machine
from tests.crashes.totals import Totals

MINUTES, LONG = 55, 240
TELL_EVERY = 60.0


async def run(*, minutes: float, seed: int, only: list[str], spawn: bool, naive: bool) -> tuple[Totals, float]:
    """What was done and broken, and how many seconds it took. `naive` ends as soon as the naive desk is caught."""
    started, ended, totals = time.monotonic(), asyncio.Event(), Totals()
    for asks_to_end in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(asks_to_end, ended.set)
    asyncio.get_running_loop().call_later(minutes * 60, ended.set)
    opening, module = asyncio.Lock(), "tests.crashes.naive_server" if naive else "assistant"
    lanes: list[Lane | Machine] = []
    if not only or {"points", "load"} & set(only):
        lanes.append(Kills(totals, random.Random(seed), ended, only=only, spawn=spawn, opening=opening, module=module))
    if not only or "faults" in only:
        lanes.append(Faults(totals, random.Random(seed + 1), ended, only=only, spawn=spawn, opening=opening, module=module))
    if not naive and (not only or "abroad" in only):
        lanes.append(FarAway(totals, random.Random(seed + 2), ended, only=only, spawn=spawn, opening=opening))
    if not naive and (not only or "machine" in only):
        lanes.append(Machine(totals, seed, ended, minutes=minutes))
    telling = asyncio.create_task(_tell(totals, lanes, started))
    await asyncio.gather(*(lane.run() for lane in lanes))
    telling.cancel()
    seconds = time.monotonic() - started
    return totals, seconds


async def _tell(totals: Totals, lanes: list[Lane | Machine], started: float) -> None:
    while True:
        await asyncio.sleep(TELL_EVERY)
        kills = totals.kills.total() + sum(lane.now.kills for lane in lanes if isinstance(lane, Lane) and lane.now)
        faults, load = totals.faults.total(), os.getloadavg()[0]
        minutes = (time.monotonic() - started) / 60
        print(f"{minutes:5.1f} min, load {load:.1f}: {kills} kills, {faults} faults, {len(totals.wrong)} broken", flush=True)


def _command(minutes: float, seed: int, only: list[str], *, spawn: bool) -> str:
    words = ["python -m tests.crashes.torture", f"--minutes {minutes:g}", f"--seed {seed}", *(f"--only {each}" for each in only)]
    return " ".join([*words, *(["--spawn"] if spawn else [])])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crashes.torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=None, help=f"how long, {MINUTES} unless told; --long for {LONG}")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seed", type=int, default=None, help="the seed a failure printed")
    parser.add_argument(
        "--only", action="append", default=[], choices=["points", "load", "faults", "abroad", "machine"], help="may be repeated"
    )
    parser.add_argument(
        "--spawn", action="store_true", help="a fresh interpreter for each server, instead of a fork of a warm one"
    )
    parser.add_argument("--naive", action="store_true", help="a desk that sends again where no answer came, until it is caught")
    parser.add_argument("--least-kills", type=int, default=None, help="fewer are a failure; 300 in a whole run of 50 minutes")
    parser.add_argument("--least-faults", type=int, default=None, help="fewer are a failure; 2,000 in a whole run of 50 minutes")
    parser.add_argument("--markdown", type=Path, default=None, help="a file for the tables")
    asked = parser.parse_args()
    minutes = asked.minutes or (LONG if asked.long else MINUTES)
    seed = asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**6)
    totals, seconds = asyncio.run(run(minutes=minutes, seed=seed, only=asked.only, spawn=asked.spawn, naive=asked.naive))
    print(f"seed {seed}\n{totals.told(seconds)}", flush=True)
    if asked.markdown:
        asked.markdown.write_text(totals.markdown(seconds, _command(minutes, seed, asked.only, spawn=asked.spawn)), "utf-8")
    if asked.naive:
        return caught(totals)
    whole = not asked.only
    return status(totals, Enough.of(minutes=minutes, whole=whole, kills=asked.least_kills, faults=asked.least_faults))


def caught(totals: Totals) -> int:
    """Of the naive desk duplicates must be seen; anything else that is wrong with it is no proof."""
    print(f"the naive desk was caught: {totals.duplicates} duplicates" if totals.duplicates else "THE NAIVE DESK WAS NOT CAUGHT")
    return 0 if totals.duplicates else 1


def status(totals: Totals, enough: Enough) -> int:
    if enough.warning:
        print(enough.warning)
    for each in (lacks := list(enough.lacking(totals))):
        print(f"NOT ENOUGH: {each}")
    return 1 if totals.wrong or lacks else 0


if __name__ == "__main__":
    sys.exit(main())
