"""A settlement plan in words: what will change, what it costs, what could be done instead."""

from __future__ import annotations

from collections.abc import Mapping, Set

from ..domain.money import Money
from ..domain.plans import DROPS, SPENDS, Choice, ChoiceOffered, Plan, Step, StepKind, Wanted
from ..domain.worse import differences
from ..wording import saying
from . import texts
from .shapes import ChoiceView, PlanView, Reader, StepView


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


def differences_in_words(reader: Reader, before: Wanted, after: Wanted) -> tuple[str, ...]:
    """What a traveller is asked to agree to: everything that got worse."""
    old, new = before.fare.segments, after.fare.segments
    facts: dict[str, tuple[object, object]] = {
        "date": (old[0].departs.date(), new[0].departs.date()),
        "time": (old[0].departs, new[0].departs),
        "airport": ([old[0].origin, old[-1].destination], [new[0].origin, new[-1].destination]),
        "flight": ([s.name for s in old], [s.name for s in new]),
        "cabin": (before.itinerary.cabin, after.itinerary.cabin),
        "price": (before.total, after.total),
        "seat": (None, None),
    }
    worse = differences(before, after)
    told = [key for key in facts if key in worse and not (key == "time" and "date" in worse)]
    return tuple(texts.text(reader, f"difference.{key}", before=facts[key][0], after=facts[key][1]) for key in told)


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
    if refund.money is None:
        return "step.cancel_unknown", None
    return ("step.cancel_credit" if refund.is_credit else "step.cancel"), refund.money


def _amount(step: Step) -> Money | None:
    if step.kind in SPENDS:
        return step.bound
    if step.kind in DROPS and step.refund and step.refund.money and not step.refund.is_credit:
        return -step.refund.money
    return None


def _choice(reader: Reader, offered: ChoiceOffered) -> ChoiceView:
    return ChoiceView(id=offered.id, net=offered.net, text=texts.of_group(reader, "choice", Choice(offered.id)))
