"""settle: carry out the next step; stop where nobody has granted it, or the airline did not do it."""

from __future__ import annotations

from datetime import datetime

from langgraph.runtime import Runtime

from assistant.domain.errors import Reason, Unavailable
from assistant.domain.plans import CREATES, EFFECTS, SPENDS, Choice, Outcome, Plan, Step, StepKind
from assistant.domain.trips import BY_HAND, Selection
from assistant.domain.worse import worse_for_traveller
from graphs.context import TripContext
from graphs.nodes.refresh import wanted_of
from graphs.state import Json, TripState

DISAGREEABLE = "disagreeable"
NO_TICKET = "no_ticket"  # paid long ago, and the airline has issued none: a person asks
CHOOSE_AGAIN = "choose_again"  # only one booking goes; what is chosen can be submitted again
UNDECIDED = "undecided"  # one booking was to go while nothing of what the trip wants was bought: let stay, it is chosen on
NOT_GIVEN_UP = "not_given_up"  # one booking was to go, and a reviewer let it stay
EXPIRED = "expired"  # carried out after its deadline only: nobody answers for the word any more
MOST_MISSES = 3
PRICE_REASONS = frozenset(
    r.value
    for r in (
        Reason.OFFER_GONE, Reason.PRICE_CHANGED, Reason.SEAT_TAKEN, Reason.HOLD_EXPIRED, Reason.REFUND_CHANGED,
        Reason.QUOTE_STALE,
        Reason.ORDER_LAPSED,
    )
)  # fmt: skip


async def plan_of(state: TripState, context: TripContext) -> Plan:
    return Plan.model_validate(await context.reads.document(str(state.get("plan"))))


async def settle(state: TripState, runtime: Runtime[TripContext]) -> TripState:
    context = runtime.context
    plan, done = await plan_of(state, context), state.get("done") or 0
    if done == len(plan.steps):
        return await _all_done(plan, state, context)
    step = plan.steps[done]
    if step.kind not in {StepKind.KEEP, StepKind.LEAVE} and worse_for_traveller(state.get("agreed"), wanted_of(state)):
        return {"stopped": DISAGREEABLE}
    if not await context.desk.may(step):
        return {"stopped": Outcome.UNGRANTED.value}
    if not await context.desk.has_begun(step) and (gone := await _check_before_paying(plan, done, state, context)):
        return _failed(gone, state)
    outcome = await context.desk.carry_out(context.errand, step)
    if step.kind in CREATES | SPENDS and any(s.kind is StepKind.CANCEL for s in plan.steps[:done]):
        withheld = outcome is Outcome.UNGRANTED and await context.desk.withheld(step.operation_id)
        if withheld or outcome is Outcome.FAILED:
            return _failed("cancelled_not_rebooked", state)
    return await _outcome(outcome, step, state, context)


async def _all_done(plan: Plan, state: TripState, context: TripContext) -> TripState:
    if plan.chosen is Choice.BY_HAND:
        return {"stopped": None, "waits_for": None, "ending": BY_HAND, "next": "conclude"}
    if await context.desk.is_ticketing(context.errand):
        if await context.desk.is_overdue(context.errand):
            return {"stopped": Outcome.NEEDS_PERSON.value, "waits_for": None, "reason": NO_TICKET}
        return {"stopped": Outcome.TICKETING.value, "waits_for": None}
    if state.get("ending") == CHOOSE_AGAIN:
        return {"stopped": Outcome.FAILED.value, "reason": "given_back", "drops": None, "decision": None}
    why = None if state.get("reason") == NO_TICKET else state.get("reason")
    return {"stopped": None, "waits_for": None, "next": "conclude", "reason": why}


async def _check_before_paying(plan: Plan, done: int, state: TripState, context: TripContext) -> str | None:
    """Before the first step that cannot be taken back, the prices of all that follow are read again.

    By then a person's word may have been given too long ago: it is asked for anew.
    """
    before = plan.steps[:done]
    if any(s.kind in EFFECTS - {StepKind.HOLD, StepKind.RELEASE} for s in before) or plan.steps[done].kind is StepKind.HOLD:
        return None
    if _is_over(state.get("decision") or {}, context):
        return EXPIRED
    selection = state.get("selection")
    try:
        gone = await context.desk.check(
            context.errand, plan.steps[done:], Selection.model_validate(selection) if selection else None
        )
    except Unavailable:
        return Reason.UNAVAILABLE.value
    return gone.value if gone else None


def _is_over(decision: Json, context: TripContext) -> bool:
    """A grant has its question's deadline; a rejection has none."""
    until = decision.get("until") if decision.get("type") in {"approve", "edit"} else None
    return until is not None and context.desk.clock() >= datetime.fromisoformat(until)


async def _outcome(outcome: Outcome, step: Step, state: TripState, context: TripContext) -> TripState:
    match outcome:
        case Outcome.SUCCEEDED:
            return {"done": (state.get("done") or 0) + 1, "stopped": None, "reason": None, "misses": 0, "waits_for": None}
        case Outcome.UNKNOWN | Outcome.NEEDS_PERSON:
            return {"stopped": outcome.value, "waits_for": step.operation_id}
        case Outcome.FAILED:
            return _failed(await context.desk.reason_of(step.operation_id), state)
        case Outcome.UNGRANTED if why := await context.desk.withheld(step.operation_id):
            return {"stopped": outcome.value, "reason": why}
        case Outcome.UNGRANTED | Outcome.TICKETING:
            return {"stopped": outcome.value}


def _failed(reason: str | None, state: TripState) -> TripState:
    """A fare that is gone at every look is not run after for ever."""
    misses = (state.get("misses") or 0) + 1
    given_up = misses >= MOST_MISSES and reason in PRICE_REASONS
    return {"stopped": Outcome.FAILED.value, "reason": "keeps_rising" if given_up else reason, "misses": misses, "decision": None}


def after_settle(state: TripState) -> str:
    match state.get("stopped"):
        case None:
            return "conclude" if state.get("next") == "conclude" else "settle"
        case "disagreeable":
            return "agree"
        case Outcome.UNGRANTED:
            return "review"
        case Outcome.FAILED if state.get("reason") in PRICE_REASONS:
            return "refresh"
        case Outcome.FAILED:
            return "choose"
        case _:
            return "await_outcome"
