"""What a trip asks its traveller: to agree to a change, to answer a reviewer, to ask for approval again."""

from __future__ import annotations

from assistant.domain.trips import OrderFacts, TripFacts
from assistant.wording import Said, saying
from graphs.nodes.dialogue_changing import YES_NO
from graphs.nodes.dialogue_flights import flights, short
from graphs.nodes.dialogue_status import standing
from graphs.nodes.dialogue_turn import Happened, Move, Option
from graphs.nodes.settle import NOT_GIVEN_UP
from graphs.state import Json

AGREES = (Option(saying("button.agree"), saying("says.yes")), Option(saying("button.decline"), saying("says.no")))
NOT_DONE = frozenset({"NOT_CREATED", "NOT_DONE", "UNAVAILABLE", "PAYMENT_DECLINED", "given_back", NOT_GIVEN_UP})
RESUBMITS = (Option(saying("button.resubmit"), saying("says.yes")), YES_NO[1])


def waiting_traveller(happened: Happened) -> Move:
    trip = happened.trip
    if happened.reason == "respond" or trip.question != "agree":
        return asked_back(happened)
    said = saying(
        "told.agree",
        trip=short(trip),
        flights=flights(trip.chosen) if trip.chosen else standing(trip),
        seats=[s.designator for s in trip.selection.seats] or None if trip.selection else None,
        total=trip.total,
        reason=happened.reason,
        message=happened.message,
    )
    proposal = _proposal(trip, "agree", {"answer": "agree"}, saying("agree.thanks"), saying("agree.declined"))
    proposal["declines"] = {"answer": "decline"}
    lost = tuple(_lost(order) for order in trip.orders if order.goes)
    return Move(told=(said, *lost, saying("told.agree_ask")), options=AGREES, keeps={"proposal": proposal, "asked": "agree"})


def _lost(order: OrderFacts) -> Said:
    """What a yes costs beside the new price."""
    back = order.refund.money
    kind = "unknown" if back is None else "credit" if order.refund.is_credit else "some" if back.amount > 0 else "nothing"
    return saying(
        f"told.agree_cancels_{kind}",
        reference=order.booking_reference,
        flights=flights(order.fare) if order.fare else None,
        total=order.total,
        back=back,
    )


def asked_back(happened: Happened) -> Move:
    trip = happened.trip
    said = saying("told.respond", trip=short(trip), by=happened.by, message=happened.message or "…")
    done, dropped = saying("respond.sent"), saying("resubmit.kept")
    proposal = _proposal(trip, "choose", {"answer": "resubmit"}, done, dropped)
    return Move(told=(said, saying("told.respond_next")), keeps={"proposal": proposal, "asked": "respond"})


def not_done(happened: Happened) -> Move:
    """The airline did not do it, or it was given back: what was chosen is still chosen, one tap submits it again."""
    trip = happened.trip
    said = saying(
        "told.not_given_up" if happened.reason == NOT_GIVEN_UP else "told.not_done",
        trip=short(trip),
        reason=happened.reason,
        by=happened.by,
        message=happened.message,
        flights=flights(trip.chosen) if trip.chosen else None,
        seats=[s.designator for s in trip.selection.seats] or None if trip.selection else None,
    )
    proposal = _proposal(trip, "choose", {"answer": "resubmit"}, saying("resubmit.done"), saying("resubmit.kept"))
    options = (Option(saying("button.submit_again"), saying("says.yes")), Option(saying("button.others"), saying("says.others")))
    return Move(told=(said,), options=options, keeps={"proposal": proposal, "asked": "proposal"})


def expired(happened: Happened) -> Move:
    trip = happened.trip
    said = saying("told.expired", trip=short(trip), until=trip.held_until)
    proposal = _proposal(trip, "choose", {"answer": "resubmit"}, saying("resubmit.done"), saying("resubmit.kept"))
    return Move(told=(said,), options=RESUBMITS, keeps={"proposal": proposal, "asked": "proposal"})


def _proposal(trip: TripFacts, kind: str, payload: Json, done: Said, dropped: Said) -> Json:
    return {
        "trip_id": trip.trip_id,
        "kind": kind,
        "payload": payload,
        "done": done.model_dump(),
        "dropped": dropped.model_dump(),
    }
