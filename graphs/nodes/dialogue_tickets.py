"""What a pick does to a ticket there is already: it is replaced, with what comes back, or it stays beside the new one."""

from __future__ import annotations

from assistant.domain.flights import Fare
from assistant.domain.plans import PAID, Choice
from assistant.domain.trips import OrderFacts, ShownFare, TripFacts
from assistant.domain.understanding import Intent
from assistant.wording import Said, saying
from graphs.nodes.dialogue_turn import Option, Turn
from graphs.state import Json

KEEP_BOTH = Option(saying("button.keep_both"), saying("says.keep_both"))


def settles(turn: Turn, trip: TripFacts, shown: ShownFare) -> str | None:
    """Both are kept where that was said, now or of the booking before, and no flight would be had twice."""
    old = replaced(trip, shown.fare)
    said = turn.has(Intent.KEEP) or (old and all(o.order_id in turn.keeping for o in old))
    return Choice.KEEP_BOTH.value if said and may_keep(old, shown.fare) else None


def replaced(trip: TripFacts, fare: Fare) -> list[OrderFacts]:
    """Tickets that another flight, cabin or brand takes the place of; another seat alone never does."""
    paid = [o for o in trip.orders if o.state in PAID and not o.aside]
    return [o for o in paid if o.fare and _bought(o.fare) != _bought(fare)]


def _bought(fare: Fare) -> tuple[object, ...]:
    return fare.segment_keys, fare.cabin, fare.fare_brand


def may_keep(old: list[OrderFacts], fare: Fare) -> bool:
    return bool(old) and not any(o.fare and set(o.fare.segment_keys) & set(fare.segment_keys) for o in old)


def tickets_told(turn: Turn, trip: TripFacts, shown: ShownFare, settle: str | None) -> tuple[Said, ...]:
    """Said before the yes."""
    old = replaced(trip, shown.fare)
    if settle:
        return (saying("pick.keeps_both", references=_references(old)),)
    refused = (saying("pick.not_both"),) if old and turn.has(Intent.KEEP) else ()
    goes = tuple(saying("pick.replaces", reference=o.booking_reference, back=_back(o)) for o in old)
    return (*refused, *goes, *((saying("pick.or_both"),) if may_keep(old, shown.fare) else ()))


def kept_both(proposal: Json, trip: TripFacts, shown: ShownFare | None) -> Json | None:
    """The pick said back, with both tickets kept; None where that cannot be, or there is nothing to keep."""
    if shown is None or not may_keep(replaced(trip, shown.fare), shown.fare):
        return None
    settled: Json = {**proposal, "settle": Choice.KEEP_BOTH.value}
    if "payload" in proposal:
        settled["payload"] = {**proposal["payload"], "settle": Choice.KEEP_BOTH.value}
    return settled


def _references(old: list[OrderFacts]) -> list[str] | None:
    return [o.booking_reference for o in old if o.booking_reference] or None


def _back(order: OrderFacts) -> Said:
    back = order.refund
    if back.money is None:
        return saying("back.unknown")
    if not back.money.amount:
        return saying("back.nothing")
    return saying("back.credit" if back.is_credit else "back.money", money=back.money)
