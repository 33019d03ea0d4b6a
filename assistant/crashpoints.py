"""Named points at which the process kills itself, hit only when `LAYOVER_CRASH_AT` names one; only the crash tests set it.

`LAYOVER_CRASH_AT="send.received.book:2"` kills at the second time a booking's answer has been received; without the last
word of the name at the second answer of any kind, without the number at the first. Unset, a point costs a call of nothing.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass

VARIABLE = "LAYOVER_CRASH_AT"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class _Armed:
    """The point to die at, none when empty, at which passing of it, and what a test has put in death's place."""

    name: str = ""
    left: int = 0
    then: Callable[[], None] = die


_armed = _Armed()


def arm(spec: str, *, then: Callable[[], None] = die) -> None:
    """Die at this point, or meet what else is given; an empty one disarms."""
    name, _, nth = spec.partition(":")
    _armed.name, _armed.left, _armed.then = name, int(nth or "1"), then


def is_armed() -> bool:
    return bool(_armed.name)


def point(at: str, of: str = "") -> None:
    """Nothing, or the end of this process."""
    if _armed.name and _armed.name in (at, f"{at}.{of}"):
        _armed.left -= 1
        if _armed.left == 0:
            _armed.then()


arm(os.environ.get(VARIABLE, ""))
