"""A fault plan that is renewed while journeys run, and what of it was hit."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from assistant.booking.sandbox import SandboxAirline
from assistant.booking.sandbox.faults import Fault, read_plan

ON_EFFECTS = (
    Fault.TIMEOUT_BEFORE_APPLY,
    Fault.TIMEOUT_AFTER_APPLY,
    Fault.RESET_MID_BODY,
    Fault.HTTP_500_AFTER_APPLY,
    Fault.ACCEPTED_THEN_CREATED,
    Fault.ACCEPTED_THEN_FAILED,
    Fault.OK_WITHOUT_BODY,
    Fault.UNAVAILABLE,
    Fault.TOO_MANY,
    Fault.HTML_502,
    Fault.SLOW,
)
BY_CALL: dict[str, tuple[Fault, ...]] = {
    "create": (*ON_EFFECTS, Fault.VISIBILITY_LAG, Fault.PRICE_BUMP, Fault.SEAT_STOLEN, Fault.OFFER_GONE),
    "pay": (*ON_EFFECTS, Fault.PRICE_BUMP, Fault.OFFER_GONE),
    "quote": ON_EFFECTS,
    "confirm": (*ON_EFFECTS, Fault.CONFIRM_TIMEOUT),
    "get_order": (Fault.UNAVAILABLE, Fault.RESET_MID_BODY, Fault.HTML_502),
    "find_orders": (Fault.UNAVAILABLE, Fault.TIMEOUT_BEFORE_APPLY, Fault.OK_WITHOUT_BODY),
    "price": (Fault.PRICE_BUMP, Fault.OFFER_GONE, Fault.UNAVAILABLE),
}


READS = ("get_order", "find_orders", "price")
LOOKS = 60  # a plan lives for some twenty seconds at most


@dataclass
class FaultPlan:
    """Each renewal plans faults on some of the next calls of each kind; `injected` counts the hits, by call and fault."""

    airline: SandboxAirline
    rng: random.Random
    injected: Counter[str] = field(default_factory=Counter[str])

    async def renewed(self, until: float) -> None:
        """As soon as a good part of it was hit, or after some seconds; at the end the airline is well again."""
        while time.monotonic() < until:
            self.airline.put_faults(plan := self._next())
            for _ in range(LOOKS):
                await asyncio.sleep(0.3)
                if len(self._hit()) >= len(plan) / 2:
                    break
            self.injected.update(self._hit())
        self.airline.put_faults([])

    def _next(self) -> list[dict[str, Any]]:
        plan: list[dict[str, Any]] = []
        for call, faults in BY_CALL.items():
            for nth in self.rng.sample(range(1, 6), 1 if call in READS else 3):
                fault = self.rng.choice(faults)
                seconds = 0.2 if fault is Fault.SLOW else self.rng.choice([0.2, 20.0])
                applied = self.rng.random() < 0.5
                plan.append({"match": {"op": call, "nth": nth}, "fault": fault.value, "applied": applied, "seconds": seconds})
        return plan

    def _hit(self) -> list[str]:
        plan = read_plan(self.airline.books())
        return [f"{p.match.op}: {p.fault}" for p in plan if p.match.nth is not None and p.met >= p.match.nth]
