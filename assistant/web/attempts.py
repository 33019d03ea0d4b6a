"""Failed sign-ins are counted, by name and by address, so that passwords cannot be tried out. In memory, of bounded size."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from ..domain.errors import TooMany

WINDOW = 300.0  # seconds
REMEMBERED = 10_000


@dataclass
class Attempts:
    """`seconds` is a monotonic clock. An attempt counts when it begins, so that many at once count;
    a success takes it back.
    """

    seconds: Callable[[], float]
    by_name_and_address: int = 5
    by_name: int = 50
    by_address: int = 30
    _tried: OrderedDict[str, deque[float]] = field(default_factory=OrderedDict[str, deque[float]])

    def begin(self, name: str, address: str) -> None:
        """Raises TooMany (`too_often`, with `retry_after` in seconds)."""
        now = self.seconds()
        wait = max(self._wait(key, most, now) for key, most in self._keys(name, address))
        if wait > 0:
            raise TooMany("too_often", retry_after=int(wait) + 1)
        for key, _ in self._keys(name, address):
            self._tried.setdefault(key, deque()).append(now)
            self._tried.move_to_end(key)
        while len(self._tried) > REMEMBERED:
            self._tried.popitem(last=False)

    def succeeded(self, name: str, address: str) -> None:
        for key, _ in self._keys(name, address):
            if tried := self._tried.get(key):
                tried.pop()

    def _keys(self, name: str, address: str) -> tuple[tuple[str, int], ...]:
        return (
            (f"both:{name}\0{address}", self.by_name_and_address),
            (f"name:{name}", self.by_name),
            (f"address:{address}", self.by_address),
        )

    def _wait(self, key: str, most: int, now: float) -> float:
        tried = self._tried.get(key)
        if tried is None:
            return 0.0
        while tried and tried[0] <= now - WINDOW:
            tried.popleft()
        return tried[0] + WINDOW - now if len(tried) >= most else 0.0
