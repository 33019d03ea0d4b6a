"""A process that has imported the product once and forks one server after the other, each a process of its own to be killed.

It reads one JSON line a life, `{"module", "environment"}`, and writes `pid N`, whatever the server writes, and `ended STATUS`.
A server's first two seconds are its imports; without them a night of kills is an hour.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Mapping
from datetime import UTC, datetime

import assistant.serving  # noqa: F401  (what each server needs)
from assistant import crashpoints
from assistant.language.interpreter import Heard
from assistant.language.rules.interpreter import understood


def live(module: str, environment: Mapping[str, str]) -> None:
    """One server's life, in a child that never returns."""
    os.environ.clear()
    os.environ.update(environment)
    crashpoints.arm(environment.get(crashpoints.VARIABLE, ""))
    sys.argv = [module, "serve", "--no-pages"]
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def main() -> None:
    understood(Heard(text="From Shanghai to Tokyo tomorrow", now=datetime.now(UTC)))  # reads the tables of places once
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            live(asked["module"], asked["environment"])
            os._exit(0)
        print(f"pid {child}", flush=True)
        _, status = os.waitpid(child, 0)
        print(f"ended {os.waitstatus_to_exitcode(status)}", flush=True)


if __name__ == "__main__":
    main()
