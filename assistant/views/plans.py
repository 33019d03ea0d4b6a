"""A settlement plan in words: what will change, what it costs, what could be done instead."""

from __future__ import annotations

from collections.abc import Mapping, Set
from datetime import timedelta

from ..domain.flights import Fare
from ..domain.money import Money
from ..domain.plans import DROPS, SPENDS, Choice, ChoiceOffered, Plan, Step, StepKind, Wanted
from ..wording import saying
from . import texts
from .shapes import ChoiceView, PlanView, Reader, StepView

SHIFT = timedelta(minutes=30)  # a flight that leaves this much earlier or later is worse


def plan_view(
    reader: Reader, plan: Plan, *, done: Set[str] = frozenset(), references: Mapping[str, str] | None = None
) -> PlanView:
    """`done`: operations that succeeded; `references`: booking reference by create id."""
    return PlanView(
        digest=plan.digest,
        steps=tuple(_step(reader, step, done=done, references=references or {}) for step in plan.steps),
        choices=tuple(_choice(reader, choice) for choice in plan.choices),
        chosen=plan.chosen,
        net=plan.net if plan.steps else None,
    )


def differences(reader: Reader, before: Wanted, after: Wanted) -> tuple[str, ...]:
    """What a traveller is asked to agree to: everything that got worse, the weightiest first."""
    old, new = before.fare, after.fare
    found = [
        *_other_flight(reader, old, new),
        *([texts.text(reader, "difference.cabin", before=old.cabin, after=new.cabin)] if old.cabin != new.cabin else []),
        *_dearer(reader, before.total, after.total),
        *([texts.text(reader, "difference.seat")] if after.misses_wish and not before.misses_wish else []),
    ]
    return tuple(found)


def _step(reader: Reader, step: Step, *, done: Set[str], references: Mapping[str, str]) -> StepView:
    facts = {
        "flight": texts.flight(step.fare),
        "seats": sorted({designator for _, _, designator in step.itinerary.seats}) or None,
        "reference": references.get(step.create_id),
        "money": step.bound,
    }
    key = f"step.{step.kind}"
    if step.kind is StepKind.CANCEL:
        key, facts["money"] = _cancelling(step)
    carried_out = step.operation_id in done
    said = saying(key, **facts)
    worded = texts.text(reader, "step.done", step=said) if carried_out else texts.read(reader, said)
    return StepView(kind=step.kind, operation_id=step.operation_id, text=worded, amount=_amount(step), done=carried_out)


def _cancelling(step: Step) -> tuple[str, Money | None]:
    refund = step.refund
    if refund is None or not refund.quoted:
        return "step.cancel_by_rules", None
    return ("step.cancel", refund.money) if refund.money else ("step.cancel_unknown", None)


def _amount(step: Step) -> Money | None:
    if step.kind in SPENDS:
        return step.bound
    if step.kind in DROPS and step.refund and step.refund.money:
        return -step.refund.money
    return None


def _choice(reader: Reader, offered: ChoiceOffered) -> ChoiceView:
    return ChoiceView(id=offered.id, net=offered.net, text=texts.of_group(reader, "choice", Choice(offered.id)))


def _other_flight(reader: Reader, old: Fare, new: Fare) -> list[str]:
    if old.segment_keys == new.segment_keys:
        return []
    found: list[str] = []
    first, last, now, then = old.segments[0], old.segments[-1], new.segments[0], new.segments[-1]
    if first.departs.date() != now.departs.date():
        found.append(
            texts.text(reader, "difference.day", before=first.departs.date().isoformat(), after=now.departs.date().isoformat())
        )
    elif max(abs(now.departs - first.departs), abs(then.arrives - last.arrives)) > SHIFT:
        found.append(texts.text(reader, "difference.time", before=first.departs.isoformat(), after=now.departs.isoformat()))
    for before, after in ((first.origin, now.origin), (last.destination, then.destination)):
        if before != after:
            found.append(texts.text(reader, "difference.airport", before=before, after=after))
    flights = [" + ".join(s.name for s in fare.segments) for fare in (old, new)]
    if flights[0] != flights[1]:
        found.append(texts.text(reader, "difference.flight", before=flights[0], after=flights[1]))
    return found


def _dearer(reader: Reader, before: Money, after: Money) -> list[str]:
    if before.currency != after.currency or before < after:
        return [texts.text(reader, "difference.total", before=before, after=after)]
    return []
