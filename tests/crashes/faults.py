"""A fault plan that is renewed while journeys run, and what of it was hit."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from assistant.booking.sandbox import SandboxAirline
from assistant.booking.sandbox.faults import Fault, PlannedFault, read_plan

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
ON_READS = (
    Fault.UNAVAILABLE,
    Fault.TOO_MANY,
    Fault.TIMEOUT_BEFORE_APPLY,
    Fault.RESET_MID_BODY,
    Fault.OK_WITHOUT_BODY,
    Fault.HTML_502,
)
BY_CALL: dict[str, tuple[Fault, ...]] = {
    "create": (*ON_EFFECTS, Fault.VISIBILITY_LAG, Fault.PRICE_BUMP, Fault.SEAT_STOLEN, Fault.OFFER_GONE),
    "pay": (*ON_EFFECTS, Fault.PRICE_BUMP, Fault.OFFER_GONE),
    "quote": ON_EFFECTS,
    "confirm": (*ON_EFFECTS, Fault.CONFIRM_TIMEOUT),
    "get_order": ON_READS,
    "find_orders": ON_READS,
    "search": (Fault.UNAVAILABLE, Fault.TOO_MANY, Fault.HTML_502),
    "get_offer": (Fault.PRICE_BUMP, Fault.OFFER_GONE, Fault.UNAVAILABLE),
    "price": (Fault.PRICE_BUMP, Fault.OFFER_GONE, Fault.UNAVAILABLE, Fault.TOO_MANY),
    "webhook": (Fault.WEBHOOK_DUP, Fault.WEBHOOK_REORDER, Fault.WEBHOOK_DROP),
}
# how many of its calls go wrong
SHARE = {"create": 0.65, "pay": 0.7, "quote": 0.6, "confirm": 0.7, "webhook": 0.3}
OF_READS = 0.08  # fewer, or nobody comes as far as a purchase
CHANGING = ("create", "pay", "quote", "confirm")
ENDINGS = ("", ", done", ", not done")  # a 502 page says nothing of what was done
AHEAD = 12  # calls of one kind that are planned at once


def told(planned: PlannedFault) -> str:
    """As it is counted: `create: html_502, done`."""
    either = planned.fault is Fault.HTML_502 and planned.match.op in CHANGING
    done = ENDINGS[1 if planned.applied else 2] if either else ""
    return f"{planned.match.op}: {planned.fault}{done}"


def hit(airline: SandboxAirline) -> list[str]:
    """What of the plan has spoiled a call; a call that was refused for another reason first is not counted."""
    return [told(p) for p in read_plan(airline.books()) for _ in range(p.spoiled)]


@dataclass
class FaultPlan:
    """Each renewal plans faults on the next calls of each kind, the rarest so far first; `injected` counts the hits."""

    airline: SandboxAirline
    rng: random.Random
    injected: Counter[str] = field(default_factory=Counter[str])

    async def renewed(self, until: float) -> None:
        """As soon as a kind of call has met half of what was planned for it, or after a while; at the end all is well again."""
        planned_at = 0.0
        try:
            while (now := time.monotonic()) < until:
                if now > planned_at + 15 or self._used_up():
                    self._renew(self._next())
                    planned_at = now
                await asyncio.sleep(0.25)
        finally:
            self._renew([])

    def _renew(self, plan: list[dict[str, Any]]) -> None:
        self.injected.update(hit(self.airline))
        self.airline.put_faults(plan)

    def _used_up(self) -> bool:
        return any(p.met >= AHEAD / 2 for p in read_plan(self.airline.books()))

    def _next(self) -> list[dict[str, Any]]:
        plan: list[dict[str, Any]] = []
        for call, faults in BY_CALL.items():
            for nth in range(1, AHEAD + 1):
                if self.rng.random() < SHARE.get(call, OF_READS):
                    plan.append(self._one(call, nth, faults))
        return plan

    def _one(self, call: str, nth: int, faults: tuple[Fault, ...]) -> dict[str, Any]:
        applied = self.rng.random() < 0.5
        rare = min(faults, key=lambda f: (sum(self.injected[f"{call}: {f}{how}"] for how in ENDINGS), self.rng.random()))
        fault = rare if self.rng.random() < 0.3 else self.rng.choice(faults)
        seconds = 0.2 if fault is Fault.SLOW else self.rng.choice([0.2, 20.0])
        return {"match": {"op": call, "nth": nth}, "fault": fault.value, "applied": applied, "seconds": seconds}
