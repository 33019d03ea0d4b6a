"""When the model is out of order: how it failed, how long it is left alone, and who has been told."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum

from ..domain.errors import LayoverError

QUIET = 300.0  # seconds between two failures that make a later one a new outage


class Fault(StrEnum):
    ABSENT = "absent"
    SLOW = "slow"
    BUSY = "busy"
    BROKEN = "broken"  # the server's own error
    MISCONFIGURED = "misconfigured"  # key or model's name
    REFUSED = "refused"  # the model would not answer
    REJECTED = "rejected"  # the server will not take the request
    TOO_LONG = "too_long"
    MALFORMED = "malformed"
    RESTING = "resting"  # not asked, because it failed a moment ago


OUT_OF_REACH = frozenset({Fault.ABSENT, Fault.SLOW, Fault.BUSY, Fault.BROKEN, Fault.MISCONFIGURED})


class ModelFailed(LayoverError):
    """The language model gave nothing that can be used."""

    def __init__(self, fault: Fault, *, detail: object = None, retry_after: float | None = None) -> None:
        super().__init__(f"{fault}: {detail}" if detail else fault)
        self.fault = fault
        self.retry_after = retry_after


class Outage:
    """One for a model server, shared by all runs. `seconds` is a monotonic clock."""

    def __init__(self, *, rest: float, longest_rest: float, seconds: Callable[[], float] = time.monotonic) -> None:
        self._rest, self._longest, self._seconds = rest, longest_rest, seconds
        self._until = self._failed_at = float("-inf")
        self._answers = True
        self._told: set[str] = set()

    @property
    def resting(self) -> bool:
        """It was out of reach a moment ago: nobody else waits for it to be so again."""
        return self._seconds() < self._until

    def failed(self, failure: ModelFailed) -> None:
        now = self._seconds()
        if self._answers and now - self._failed_at > QUIET:
            self._told.clear()
        self._answers, self._failed_at = False, now
        if failure.fault in OUT_OF_REACH:
            self._until = now + min(max(self._rest, failure.retry_after or 0), self._longest)

    def answered(self) -> None:
        self._answers = True

    def is_news_for(self, reader: str) -> bool:
        """Whether this reader has not been told yet; from here on they are. A model that fails now and then is one outage."""
        new = reader not in self._told
        self._told.add(reader)
        return new
