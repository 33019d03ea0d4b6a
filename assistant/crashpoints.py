"""Named points at which the process kills itself, hit only when `LAYOVER_CRASH_AT` names one; only the crash tests set it.

`LAYOVER_CRASH_AT="send.received.book:2"` kills at the second time a booking's answer has been received; without the last
word of the name at the second answer of any kind, without the number at the first. Unset, a point costs a call of nothing.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

VARIABLE = "LAYOVER_CRASH_AT"


def armed(spec: str) -> Callable[..., None]:
    """What `point` is when this is the point to die at."""
    name, _, nth = spec.partition(":")
    left = int(nth or "1")

    def point(at: str, of: str = "") -> None:
        nonlocal left
        if name not in (at, f"{at}.{of}"):
            return
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return point


def unarmed(at: str, of: str = "") -> None:
    """Nothing."""


_SPEC = os.environ.get(VARIABLE, "")
ARMED = bool(_SPEC)
point = armed(_SPEC) if ARMED else unarmed
