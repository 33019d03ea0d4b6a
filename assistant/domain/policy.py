"""Policy: who must say yes to what. A TOML file; by default every purchase and every paid cancellation is reviewed."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field, field_validator

from .flights import Cabin
from .money import Bounds, Money
from .plans import DROPS, SPENDS, Choice, Plan, Refund, StepKind
from .value import Value

LONGEST_PUT_OFF = timedelta(hours=1)  # of a reminder


class When(StrEnum):
    ALWAYS = "always"
    OVER_LIMIT = "over_limit"
    NEVER = "never"


class Verdict(StrEnum):
    ALLOW = "allow"
    REVIEW = "review"
    REFUSE = "refuse"


class Approval(Value):
    purchase: When = When.ALWAYS
    paid_cancellation: When = When.ALWAYS


class Limits(Value):
    total: Bounds = {}  # currency -> most a trip may cost without a word
    cabins: dict[Cabin, Verdict] = {}


class ReviewRules(Value):
    ttl: timedelta = timedelta(hours=24)
    four_eyes: bool = False  # the author of a costlier edit is not its only approver, whatever the price

    @field_validator("ttl", mode="before")
    @classmethod
    def _duration(cls, value: object) -> object:
        return duration(value) if isinstance(value, str | int) else value


class Reprice(Value):
    tolerance: Decimal = Field(default=Decimal(0), ge=0, le=Decimal("0.25"))


class RewindRules(Value):
    four_eyes_over: Bounds = {}  # currency -> net loss above which another reviewer must approve


class ReminderRules(Value):
    """When people are told again of a booking that is outside the main lines and not settled."""

    after: timedelta = timedelta(hours=24)
    before_departure: timedelta = timedelta(hours=24)

    @field_validator("after", "before_departure", mode="before")
    @classmethod
    def _duration(cls, value: object) -> object:
        return duration(value) if isinstance(value, str | int) else value


class HoldRules(Value):
    automatic: bool = True  # holding without payment needs no approval


class Policy(Value):
    approval: Approval = Approval()
    limits: Limits = Limits()
    review: ReviewRules = ReviewRules()
    reprice: Reprice = Reprice()
    rewind: RewindRules = RewindRules()
    hold: HoldRules = HoldRules()
    reminders: ReminderRules = ReminderRules()


class Check(Value):
    """One line of the review: `level` ok | warn | stop, `key` names the sentence of the wording."""

    level: Literal["ok", "warn", "stop"]
    key: str
    params: dict[str, Any] = {}


def duration(value: str | int) -> timedelta:
    """`24h`, `90m`, `30s`, `7d`, or seconds."""
    found = re.fullmatch(r"(\d+)\s*([smhd]?)", str(value).strip())
    if not found:
        raise ValueError(f"{value!r} is no duration: write 24h, 90m, 30s or seconds")
    unit = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}[found[2]]
    return timedelta(seconds=int(found[1]) * unit)


def needs_review(plan: Plan, policy: Policy) -> bool:
    """Whether the steps that are not free need a person, or policy grants them itself."""
    asked = plan.asked(holds_are_free=policy.hold.automatic)
    buys = [s for s in asked if s.kind in SPENDS]
    drops = [s for s in asked if s.kind in DROPS]
    over = any(c.level != "ok" for c in checks(plan, policy))
    holds = any(s.kind is StepKind.HOLD for s in asked)
    return (bool(buys) and _asks(policy.approval.purchase, over)) or (
        bool(drops or holds) and _asks(policy.approval.paid_cancellation, over)
    )


def refused(plan: Plan, policy: Policy) -> bool:
    return any(c.level == "stop" for c in checks(plan, policy))


def loses_too_much(plan: Plan, policy: Policy) -> bool:
    """Going back gives up what is paid for, and costs more than its author may decide alone; an unknown refund is too much."""
    limits = policy.rewind.four_eyes_over
    if not limits or not any(s.kind is StepKind.CANCEL for s in plan.steps):
        return False
    net = plan.net
    return net is None or (net.currency in limits and net.amount > limits[net.currency])


def reminder_due(policy: Policy, *, since: datetime, departs: datetime, now: datetime) -> datetime | None:
    """The next moment to tell people of a booking left outside since `since`; None: nothing more to say. All aware."""
    moments = sorted({since + policy.reminders.after, departs - policy.reminders.before_departure})
    return next((moment for moment in moments if now < moment < departs), None)


def put_off(policy: Policy, *, departs: datetime, now: datetime) -> datetime | None:
    """When to look again at a booking that a plan waiting for somebody's word is about; None: then it is too late."""
    again = now + min(policy.reminders.after, LONGEST_PUT_OFF)
    return again if again < departs else None


def checks(plan: Plan, policy: Policy) -> tuple[Check, ...]:
    """What a reviewer should know before deciding, in the order it matters."""
    found: list[Check] = []
    bought = [s for s in plan.steps if s.kind in SPENDS]
    for step in bought:
        found.append(_cabin_check(step.fare.cabin, policy))
        found.append(_total_check(step.bound, policy))
        refundable = step.fare.refund.allowed
        found.append(
            Check(level="ok" if refundable else "warn", key="check.refundable" if refundable else
                  "check.not_refundable" if refundable is False else "check.refund_unknown")
        )  # fmt: skip
    for step in (s for s in plan.steps if s.kind is StepKind.CANCEL):
        found.append(_refund_check(step.refund))
    if plan.chosen is Choice.KEEP_BOTH:
        found.append(Check(level="warn", key="check.keeps_both"))
    return tuple(found)


def review_deadline(policy: Policy, now: datetime, departs: datetime | None) -> datetime:
    """A review lives by policy, and never past two hours before departure; `departs` is aware."""
    latest = now + policy.review.ttl
    if departs is not None:
        latest = min(latest, max(departs - timedelta(hours=2), now + timedelta(minutes=1)))
    return latest


def _asks(when: When, over: bool) -> bool:
    return when is When.ALWAYS or (when is When.OVER_LIMIT and over)


def _cabin_check(cabin: Cabin, policy: Policy) -> Check:
    verdict = policy.limits.cabins.get(cabin, Verdict.ALLOW)
    level: Literal["ok", "warn", "stop"] = {Verdict.ALLOW: "ok", Verdict.REVIEW: "warn", Verdict.REFUSE: "stop"}[verdict]  # type: ignore[assignment]
    return Check(level=level, key=f"check.cabin_{verdict}", params={"cabin": cabin})


def _refund_check(refund: Refund | None) -> Check:
    if refund is None or refund.money is None:
        return Check(level="warn", key="check.refund_unknown")
    money = {"money": refund.money.model_dump(mode="json")}
    if refund.is_credit:
        return Check(level="warn", key="check.refund_credit", params=money)
    if refund.money.amount <= 0:
        return Check(level="warn", key="check.refund_nothing")
    return Check(level="ok", key="check.refund_known", params=money)


def _total_check(total: Money, policy: Policy) -> Check:
    limit = policy.limits.total.get(total.currency)
    money = total.model_dump(mode="json")
    if limit is None:
        return Check(level="ok", key="check.no_limit", params={"money": money})
    over = total.amount > limit
    bound = Money(amount=limit, currency=total.currency).model_dump(mode="json")
    return Check(level="warn" if over else "ok", key="check.over_limit" if over else "check.within_limit",
                 params={"money": money, "limit": bound})  # fmt: skip
