"""plan: the difference between what is wanted and what there is; the only place that derives operation ids."""

from __future__ import annotations

from langgraph.runtime import Runtime

from assistant.domain.errors import Reason, Refused
from assistant.domain.plans import Plan
from assistant.domain.policy import refused
from assistant.domain.trips import GIVING_BACK
from graphs.context import TripContext
from graphs.nodes.refresh import choice_of, wanted_of
from graphs.state import TripState

MOST_VOIDED = 2


async def plan(state: TripState, runtime: Runtime[TripContext]) -> TripState:
    context = runtime.context
    decision = state.get("decision") or {}
    grants = decision.get("type") in {"approve", "edit"}
    decided = Plan.model_validate(await context.reads.document(decision["plan"])) if grants else None
    try:
        settled = await context.desk.plan(
            context.errand,
            wanted_of(state),
            choice_of(state),
            decided=decided,
            decided_by=decision.get("command_id"),
            drops=state.get("drops"),
        )
    except Refused as refusal:
        if refusal.reason is Reason.BEING_GIVEN_BACK:  # by another trip of the traveller's: its flight will be free again
            waits_for = str(refusal.subject)
            return {"next": "await_outcome", "stopped": GIVING_BACK, "waits_for": waits_for, "reason": refusal.reason.value}
        return {"next": "choose", "reason": refusal.reason.value, "decision": None}
    if refused(settled.plan, context.policy):
        return {"next": "choose", "reason": Reason.NOT_ALLOWED.value, "decision": None}
    fresh = decided is None or settled.stood
    voided = 0 if fresh else (state.get("voided") or 0) + 1
    if voided >= MOST_VOIDED:
        return {"next": "choose", "reason": "keeps_rising", "decision": None, "voided": 0}
    return {
        "plan": await context.reads.keep(settled.plan.model_dump(mode="json")),
        "steps": len(settled.plan.steps),
        "digest": settled.plan.digest,
        "done": 0,
        "stopped": None,
        "waits_for": None,
        "voided": voided,
        "decision": decision if fresh and decision else None,
        "reason": state.get("reason") if fresh else _changed(decided, settled.plan),
        "next": "settle",
        "concluded": None,
    }


def _changed(decided: Plan | None, now: Plan) -> str:
    """Why an approval no longer holds: the same steps for more money, or other steps."""
    dearer = decided is not None and decided.left_before(now).digest == now.digest
    return Reason.PRICE_CHANGED.value if dearer else "changed_since_approval"


def after_plan(state: TripState) -> str:
    return state.get("next") or "settle"
