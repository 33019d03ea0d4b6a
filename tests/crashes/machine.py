"""The state machine of `tests.properties` as a lane: a process of its own, whose totals are read at the end.

It gives way to the servers: nothing in it waits for a clock on the wall, and they are what there must be enough kills of.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.crashes.totals import Totals

PREFIX = "fault "
LAST_WORDS = 45.0  # seconds a step of it may take to notice that it is asked to end


@dataclass
class Machine:
    """Its deaths are no kills: what dies there is a loop, not a process. What it breaks is broken."""

    totals: Totals
    seed: int
    ended: asyncio.Event
    minutes: float

    async def run(self) -> None:
        with TemporaryDirectory() as place:
            file = Path(place) / "totals.json"
            arguments = ["--minutes", str(self.minutes), "--seed", str(self.seed), "--totals", str(file)]
            command = ["nice", "-n", "5", sys.executable, "-m", "tests.properties.machine_long", *arguments]
            pipe = asyncio.subprocess.PIPE
            child = await asyncio.create_subprocess_exec(
                *command, stdout=pipe, stderr=asyncio.subprocess.STDOUT, start_new_session=True
            )
            words = asyncio.create_task(child.communicate())
            await asyncio.wait([words, ending := asyncio.create_task(self.ended.wait())], return_when=asyncio.FIRST_COMPLETED)
            ending.cancel()
            if child.returncode is None:
                child.send_signal(signal.SIGTERM)
            done, _ = await asyncio.wait([words], timeout=LAST_WORDS)
            if not done:
                child.kill()
            self._count(file, (await words)[0].decode("utf-8", "replace"), child.returncode)

    def _count(self, file: Path, words: str, status: int | None) -> None:
        if not file.exists():
            self.totals.broke([f"the state machine ended with {status} and told nothing: {words[-2000:]}"])
            return
        told = json.loads(file.read_text("utf-8"))
        self.totals.machine_runs = told["runs"]
        for name, times in told["reached"].items():
            if name.startswith(PREFIX):
                call, _, fault = name.removeprefix(PREFIX).partition(":")
                self.totals.inside[f"{call}: {fault.strip()}"] += times
            else:
                self.totals.states[name] += times
        self.totals.unreached_inside = told["unreached"]
        self.totals.broke([f"state machine, seed {each['seed']}: {' '.join(each['words'])[:1500]}" for each in told["broken"]])
