"""Rules of operators: what became of an effect nobody could look up, and what is to become of an order nobody wants.

Their word is kept with who, when and why, and what was before. Nothing is sent from here: what is named is read at the airline
before it is believed, and what is to go is given back through the ordinary plan, with its quote and its review.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from .. import ledger
from ..desk import TICKETS_WITHIN
from ..domain.commands import Kind, ResolveOperation
from ..domain.errors import Conflict, Forbidden, Invalid, NotFound, Reason
from ..domain.people import Role
from ..domain.plans import CREATES, LIVE, OrderState
from ..domain.trips import is_wanted
from ..persistence import commands, questions, trips
from .ground import Done, Ground, needs

UNSURE = frozenset({"unknown", "needs_person"})


async def resolve_operation(ground: Ground, wanted: ResolveOperation) -> Done:
    """`adopt`, `not_booked`, `cancel`. Raises for who may not, for what is settled already, and for the same word twice."""
    needs(ground, Role.REVIEWER)
    row = await ledger.find_operation(ground.tx, ground.command.target)
    if row is None or row.tenant_id != ground.actor.tenant_id:
        raise NotFound("not_found", what="operation")
    await _not_their_own(ground, row)
    await _new_word(ground, wanted, row)
    late = await ledger.surplus_of(ground.tx, row.create_id) if row.kind in CREATES else None
    if row.state in UNSURE:
        await _unsure(ground, wanted, row)
    elif late is not None and wanted.resolution != "not_booked":
        await _nobody_was_faster(ground, row)
        await _say(ground, wanted, row, order_id=late.order_id)
    elif late is not None:
        raise Conflict("order_exists", order_id=late.order_id)
    else:
        await _of_its_order(ground, wanted, row)
    return Done({"operation_id": row.operation_id, "resolution": wanted.resolution, "was": row.state})


async def _not_their_own(ground: Ground, row: Row[Any]) -> None:
    """Whoever travels on it does not say what became of it."""
    trip = await trips.find(ground.tx, row.trip_id)
    if trip is not None and trip.owner_id == ground.actor.user_id:
        raise Forbidden("own_trip")


async def _new_word(ground: Ground, wanted: ResolveOperation, row: Row[Any]) -> None:
    """The same word is said once; one that did not hold may be said again, about another order."""
    before = await ledger.last_word(ground.tx, row.operation_id)
    if before is None or before.kind != "resolution" or before.body["resolution"] != wanted.resolution:
        return
    if wanted.resolution == "cancel" and await _came_to_its_end(ground, row, before):
        return
    if wanted.order_id in (None, before.order_id) or wanted.resolution == "not_booked":
        raise Conflict("already_decided", by=before.body["by"]["name"], at=before.created_at.isoformat())


async def _nobody_was_faster(ground: Ground, row: Row[Any]) -> None:
    """What is to become of a late order is one person's word at a time: two at once are not both followed."""
    before = await ledger.last_word(ground.tx, row.operation_id)
    if before is not None and await ledger.is_followed(ground.tx, before):
        raise Conflict("already_decided", by=before.body["by"]["name"], at=before.created_at.isoformat())


async def _came_to_its_end(ground: Ground, row: Row[Any], word: Row[Any]) -> bool:
    """Whether a cancellation was asked for, is over, and has left the order as it was: it was rejected, or did not hold."""
    order = await ledger.order_of(ground.tx, row.create_id)
    if order is None or OrderState(order.state) not in LIVE:
        return False
    given = await commands.of_word(ground.tx, row.tenant_id, *ledger.named(word, order.order_id, Kind.CANCEL_TRIP))
    asked = await questions.waiting(ground.tx, row.trip_id)
    is_open = (asked is not None and asked.node in {"agree", "review"}) or await ledger.unsettled(ground.tx, row.trip_id)
    return commands.is_over(given) and not is_open and not await commands.queued(ground.tx, row.trip_id, but="")


async def _unsure(ground: Ground, wanted: ResolveOperation, row: Row[Any]) -> None:
    match wanted.resolution:
        case "not_booked":
            await _looked_up(ground, row)
            said = await _say(ground, wanted, row, order_id=None)
            reason = Reason.NOT_CREATED if row.kind in CREATES else Reason.NOT_DONE
            await ledger.fail(ground.tx, row, reason, at=ground.at, resolved_by=said)
        case "cancel" if row.kind == "cancel":
            raise Conflict("already_cancelling")
        case "adopt" if row.kind in CREATES and wanted.order_id is None:
            raise Invalid("order_id_needed", fields=["order_id"])
        case _:
            await _nobody_elses(ground, wanted.order_id, row)
            await _say(ground, wanted, row, order_id=wanted.order_id)
            await ledger.look_now(ground.tx, row.operation_id, at=ground.at)
            if wanted.resolution == "cancel":  # what was approved after it is not to be paid any more
                await ledger.void_trip(ground.tx, row.trip_id)


async def _looked_up(ground: Ground, row: Row[Any]) -> None:
    """While it is still looked for by itself, nothing is known before the airline has answered once."""
    attempt = await ledger.last_attempt(ground.tx, row.operation_id)
    if row.state == "unknown" and (attempt is None or not await ledger.was_looked_up(ground.tx, attempt)):
        raise Conflict("not_looked_up")


async def _nobody_elses(ground: Ground, order_id: str | None, row: Row[Any]) -> None:
    """An order we know is one operation's already."""
    known = await ledger.order(ground.tx, order_id) if order_id else None
    if known is not None and (known.tenant_id != row.tenant_id or known.create_id != row.create_id):
        raise Conflict("order_taken", order_id=order_id)


async def _of_its_order(ground: Ground, wanted: ResolveOperation, row: Row[Any]) -> None:
    """Nothing is unsure any more; an order that is paid without a ticket, or that no trip wants, may still be looked at."""
    order = await ledger.order_of(ground.tx, row.create_id)
    ticketing = order is not None and order.state == OrderState.TICKETING
    unwanted = order is not None and OrderState(order.state) in LIVE and not await _is_wanted(ground, order)
    if order is not None and ticketing and not unwanted and not await _is_overdue(ground, order):
        raise Conflict("not_overdue", order_id=order.order_id)
    if row.state != "succeeded" or order is None or not (ticketing or unwanted) or wanted.resolution == "not_booked":
        said: dict[str, Any] = row.resolved_by or {"by": {}}
        raise Conflict("already_settled", state=row.state, by=said["by"].get("name"))
    if wanted.resolution == "adopt" and not ticketing and not (unwanted and ledger.was_taken_in(row)):
        raise Conflict("already_settled", state=row.state)
    await _say(ground, wanted, row, order_id=order.order_id)


async def _is_overdue(ground: Ground, order: Row[Any]) -> bool:
    """Whether its ticket is so late that somebody has to ask; before that it is on its ordinary way."""
    late = await ledger.overdue(ground.tx, paid_before=ground.at - TICKETS_WITHIN, trip_id=order.trip_id)
    return order.order_id in {each.order_id for each in late}


async def _is_wanted(ground: Ground, order: Row[Any]) -> bool:
    trip = await trips.find(ground.tx, order.trip_id)
    return trip is not None and is_wanted(order.create_id, by=trip.create_ids, state=order.state, aside=order.aside)


async def _say(ground: Ground, wanted: ResolveOperation, row: Row[Any], *, order_id: str | None) -> dict[str, Any]:
    again = await ledger.was_said(ground.tx, row.operation_id, wanted.resolution)
    said = {
        "resolution": wanted.resolution,
        "reason": wanted.reason,
        "by": ground.actor.model_dump(mode="json"),
        "was": row.state,
        "command_id": ground.command.command_id,
        "again": again,
    }
    await ledger.note(ground.tx, operation_id=row.operation_id, order_id=order_id, kind="resolution", body=said, at=ground.at)
    return said
