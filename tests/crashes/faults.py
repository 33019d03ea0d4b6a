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


@dataclass
class FaultPlan:
    """Each renewal plans one fault on each of the next calls; `injected` counts those that were hit, by call and fault."""

    airline: SandboxAirline
    rng: random.Random
    injected: Counter[str] = field(default_factory=Counter[str])

    async def renewed(self, until: float) -> None:
        """Every second or so, until this time; then the airline is well again."""
        while time.monotonic() < until:
            self.airline.put_faults(self._next())
            await asyncio.sleep(1.0)
            self._count()
        self.airline.put_faults([])

    def _next(self) -> list[dict[str, Any]]:
        plan: list[dict[str, Any]] = []
        for call, faults in BY_CALL.items():
            for nth in range(1, 4):
                fault = self.rng.choice(faults)
                planned = {"match": {"op": call, "nth": nth * 2 - 1}, "fault": fault.value, "applied": self.rng.random() < 0.5}
                plan.append(
                    planned | ({"seconds": self.rng.choice([0.2, 20.0])} if fault is not Fault.SLOW else {"seconds": 0.2})
                )
        return plan

    def _count(self) -> None:
        for planned in read_plan(self.airline.books()):
            if planned.match.nth is not None and planned.met >= planned.match.nth:
                self.injected[f"{planned.match.op}: {planned.fault}"] += 1
