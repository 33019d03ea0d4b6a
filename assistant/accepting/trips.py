"""Rules of trips: starting, choosing, agreeing, changing, cancelling. Questions are answered here, by compare-and-set."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from .. import ledger
from ..domain.commands import Agree, CancelTrip, Choose, Reply, ReviseTrip, Seats
from ..domain.errors import Conflict, Invalid, NotFound
from ..domain.money import Money
from ..domain.people import PersonDetails, Role
from ..domain.plans import LIVE, OrderState
from ..domain.trips import BY_HAND, IfGone, SeatChoice, Selection, ShownFare, TripRequest, TripStatus
from ..persistence import commands, offers, questions, threads, trips, wishes
from ..persistence import people as directory
from ..rewind import corrected_request
from . import people
from .ground import Ground, Queued, answer_question, head_of, needs, own_trip, refuse_while_confirming, refuse_while_paused


async def start_trip(ground: Ground, payload: dict[str, Any]) -> Queued:
    """A conversation's follow-up: the trip's thread and row are made with the command that starts it."""
    trip_id = ground.command.target
    request = TripRequest.model_validate(payload["request"])
    await threads.open_thread(ground.tx, trip_id, kind="trip", actor=ground.actor, at=ground.at)
    mine = await directory.of_owner(ground.tx, tenant_id=ground.actor.tenant_id, owner_id=ground.actor.user_id)
    own = [row.person_id for row in mine if row.is_self and _is_adult(row, request)][:1]
    await trips.add(
        ground.tx,
        {
            "trip_id": trip_id,
            "tenant_id": ground.actor.tenant_id,
            "owner_id": ground.actor.user_id,
            "conversation_id": payload["conversation_id"],
            "journey_id": payload["journey_id"],
            "started_by": payload["started_by"],
            "status": "searching",
            "request": request.model_dump(mode="json"),
            "person_ids": own,
            "create_ids": [],
            "created_at": ground.at,
            "updated_at": ground.at,
        },
    )
    return Queued(trip_id, {"request": request.model_dump(mode="json")})


async def choose(ground: Ground, wanted: Choose) -> Queued:
    trip = await own_trip(ground, ground.command.target)
    question = await questions.waiting(ground.tx, trip.trip_id)
    if trip.status == TripStatus.WITHDRAWN:
        raise Conflict("not_waiting", status=trip.status)
    if wanted.answer == "choose":
        await _same_list(trip, wanted)
    if wanted.answer == "ask" and question is not None and not question.body.get("moved"):
        raise Conflict("nothing_moved")
    again = wanted.answer == "resubmit" and trip.selection
    selection = await selection_of(ground, trip, wanted) if wanted.answer == "choose" else None
    if selection is not None or again:
        await refuse_while_paused(ground)
    if again:
        selection = await people.as_named(ground, trip)
    won = await answer_question(ground, question, node="choose", word=wanted.answer)
    if selection is not None:
        await trips.change(ground.tx, trip.trip_id, at=ground.at, status="settling", person_ids=list(selection.person_ids))
    elif wanted.answer == "resubmit":
        await trips.change(ground.tx, trip.trip_id, at=ground.at, status="settling" if trip.selection else "searching")
    answer = {
        "answer": wanted.answer,
        "selection": selection and selection.model_dump(mode="json"),
        "settle": wanted.settle,
        "by": ground.actor.name,
        "message": wanted.message or None,
    }
    return Queued(trip.trip_id, {"question_id": won.question_id, "answer": answer})


async def _same_list(trip: Row[Any], wanted: Choose) -> None:
    if trip.offers_hash is None or (wanted.offers_hash and wanted.offers_hash != trip.offers_hash):
        raise Conflict("list_changed", offers_hash=trip.offers_hash)


async def selection_of(ground: Ground, trip: Row[Any], wanted: Choose) -> Selection:
    """What option, seats and people come to. Raises list_changed, passengers_missing, seat_taken and their like."""
    request = TripRequest.model_validate(trip.request)
    named = wanted.passengers if wanted.passengers is not None else tuple(trip.person_ids)
    rows = await people.travellers(ground, trip, named)
    people.complete(rows, request)
    shown, maps = await shown_option(ground, trip, wanted.offer or 0)
    passenger_ids = tuple(row.passenger_id for row in rows)
    seats = await _seats(ground, shown, maps, wanted, rows)
    total = await _total(ground, shown, maps, seats)
    own = await wishes.active(ground.tx, tenant_id=trip.tenant_id, owner_id=trip.owner_id, conversation_id=trip.conversation_id)
    return Selection(
        segment_keys=shown.fare.segment_keys,
        cabin=shown.fare.cabin,
        fare_brand=shown.fare.fare_brand,
        passenger_ids=passenger_ids,
        person_ids=tuple(row.person_id for row in rows),
        seats=seats,
        if_gone=wanted.if_gone,
        quoted=total,
        wishes=tuple(wishes.as_wish(row) for row in own if row.person is None),
    )


async def shown_option(ground: Ground, trip: Row[Any], n: int) -> tuple[ShownFare, list[str]]:
    """Option n of the list shown, and the hashes of its seat maps."""
    shown = next((fare for fare in await offers.shown(ground.tx, trip.offers_hash) if fare.n == n), None)
    if shown is None:
        raise Invalid("no_such_option", offer=n)
    return shown, await offers.seat_map_hashes(ground.tx, trip.offers_hash, n)


async def _seats(
    ground: Ground, shown: ShownFare, maps: list[str], wanted: Choose, rows: list[Row[Any]]
) -> tuple[SeatChoice, ...]:
    if wanted.seats is None:
        return tuple(
            SeatChoice(passenger_id=rows[s.position].passenger_id, segment_key=s.segment_key, designator=s.designator)
            for s in shown.seats
        )
    keys = shown.fare.segment_keys
    chosen: list[SeatChoice] = []
    for passenger, by_segment in wanted.seats.items():
        for segment, designator in by_segment.items():
            if int(passenger) > len(rows) or int(segment) > len(keys):
                raise Invalid("no_such_place", passenger=passenger, segment=segment)
            key = keys[int(segment) - 1]
            await _check_seat(ground, maps, key, designator)
            chosen.append(SeatChoice(passenger_id=rows[int(passenger) - 1].passenger_id, segment_key=key, designator=designator))
    if len({(c.segment_key, c.designator) for c in chosen}) != len(chosen):
        raise Invalid("one_seat_each")
    return tuple(sorted(chosen, key=lambda c: (c.segment_key, c.passenger_id)))


async def _check_seat(ground: Ground, maps: list[str], key: str, designator: str) -> None:
    seat_map = await offers.seat_map(ground.tx, maps, key)
    seat = seat_map and seat_map.find(designator)
    if seat is None:
        raise Invalid("no_such_seat", seat=designator)
    if not seat.available:
        raise Conflict("seat_taken", seat=designator)


async def _total(ground: Ground, shown: ShownFare, maps: list[str], seats: tuple[SeatChoice, ...]) -> Money:
    total = shown.fare.total
    for choice in seats:
        seat_map = await offers.seat_map(ground.tx, maps, choice.segment_key)
        seat = seat_map and seat_map.find(choice.designator)
        if seat and seat.price:
            total = total + seat.price
    return total


async def agree(ground: Ground, wanted: Agree) -> Queued:
    trip = await own_trip(ground, ground.command.target)
    question = await questions.waiting(ground.tx, trip.trip_id)
    if question is not None and question.node == "agree" and wanted.digest and wanted.digest != question.digest:
        raise Conflict("stale_digest")
    won = await answer_question(ground, question, node="agree", word=wanted.answer)
    await trips.change(ground.tx, trip.trip_id, at=ground.at, status="settling")
    return Queued(trip.trip_id, {"question_id": won.question_id, "answer": {"answer": wanted.answer}})


async def reply(ground: Ground, wanted: Reply) -> Queued:
    """To a traveller who asked the desk: it is their turn again, with the answer."""
    trip = await own_trip(ground, ground.command.target, or_reviewer=True)
    needs(ground, Role.REVIEWER)
    if trip.status != TripStatus.NEEDS_PERSON or trip.reason != BY_HAND:
        raise Conflict("not_waiting", status=trip.status)
    if await commands.queued(ground.tx, trip.trip_id, but=ground.command.command_id):
        raise Conflict("busy")
    await trips.change(ground.tx, trip.trip_id, at=ground.at, message=wanted.text, decided_by=ground.actor.name)
    return Queued(trip.trip_id, {"text": wanted.text, "by": ground.actor.name})


async def cancel_trip(ground: Ground, wanted: CancelTrip) -> Queued:
    """Wants nothing any more: holds are released, paid orders cancelled once that is approved."""
    trip = await own_trip(ground, ground.command.target, or_reviewer=True)
    await refuse_while_confirming(ground, trip.trip_id)
    if wanted.order_id is not None:
        return await _cancel_order(ground, trip, wanted.order_id, keep_choice=wanted.keep_choice)
    if trip.status in {"cancelled", "withdrawn", "rejected"}:
        raise Conflict("not_waiting", status=trip.status)
    await _refuse_while_starting(ground, trip)
    return Queued(trip.trip_id, {"reason": wanted.reason})


async def _cancel_order(ground: Ground, trip: Row[Any], order_id: str, *, keep_choice: bool) -> Queued:
    """One booking of the trip: the one its main line wants is the trip's cancellation, another is given up by itself."""
    order = await ledger.order(ground.tx, order_id)
    if order is None or order.trip_id != trip.trip_id:
        raise NotFound("not_found", what="order")
    if OrderState(order.state) not in LIVE:
        raise Conflict("not_waiting", status=order.state)
    page = await ledger.page(ground.tx, ledger.Book(trip.tenant_id, order.mode), trip.trip_id)
    waiting = await questions.waiting(ground.tx, trip.trip_id)
    is_over = trip.status in {"cancelled", "withdrawn", "rejected"} and waiting is None  # then it wants none of what is left
    only_one = trip.selection is None and not is_over and [o.order_id for o in page.orders] == [order_id]
    if not keep_choice and (order.create_id in trip.create_ids or only_one):
        return Queued(trip.trip_id, {"reason": None})
    if waiting is not None and waiting.node not in {"choose", "await_outcome"}:  # where it is confirming, it was refused before
        raise Conflict("busy")
    is_bought = any(o.paid and o.create_id in trip.create_ids for o in page.orders)
    undecided = waiting is not None and waiting.node == "choose" and not is_bought
    return Queued(trip.trip_id, {"drops": order.create_id, "keep_choice": keep_choice, "undecided": undecided})


async def revise_trip(ground: Ground, wanted: ReviseTrip) -> Queued:
    """Another request searches anew; another offer or seat of the list is planned at once."""
    trip = await own_trip(ground, ground.command.target)
    await refuse_while_confirming(ground, trip.trip_id)
    await _refuse_while_starting(ground, trip)
    if wanted.request is not None:
        request = corrected_request(dict(trip.request), wanted.request, at=ground.at)
        return Queued(trip.trip_id, {"request": request.model_dump(mode="json")})
    selection = await revised_selection(ground, trip, offer=wanted.offer, seats=wanted.seats)
    return Queued(trip.trip_id, {"selection": selection.model_dump(mode="json"), "settle": wanted.settle})


async def _refuse_while_starting(ground: Ground, trip: Row[Any]) -> None:
    """A start that failed left no head behind: then searching again or dropping it is all there is to do."""
    starting = await commands.queued(ground.tx, trip.trip_id, but=ground.command.command_id)
    if starting and await head_of(ground, trip.trip_id) is None:
        raise Conflict("busy")


async def revised_selection(ground: Ground, trip: Row[Any], *, offer: int | None, seats: Seats | None) -> Selection:
    """The selection there is, with another option or other seats; of the same option, seats that are not named stay."""
    now = Selection.model_validate(trip.selection) if trip.selection else None
    if offer is None:
        offer = await _option_of(ground, trip, now)
        seats = _with_kept_seats(now, seats) if now and seats else seats
    wanted = Choose(
        offer=offer,
        seats=seats,
        if_gone=now.if_gone if now else IfGone.NEXT_BEST,
    )
    return await selection_of(ground, trip, wanted)


def _with_kept_seats(now: Selection, seats: Seats) -> Seats:
    kept: Seats = {}
    for choice in now.seats:
        passenger = str(now.passenger_ids.index(choice.passenger_id) + 1)
        kept.setdefault(passenger, {})[str(now.segment_keys.index(choice.segment_key) + 1)] = choice.designator
    return kept | {passenger: kept.get(passenger, {}) | by_segment for passenger, by_segment in seats.items()}


async def _option_of(ground: Ground, trip: Row[Any], selection: Selection | None) -> int:
    option = offers.option_of(selection, await offers.shown(ground.tx, trip.offers_hash))
    if option is None:
        raise Invalid("no_such_option", offer=None)
    return option.n


async def product(ground: Ground, payload: dict[str, Any]) -> Queued:
    """`notify`, `ask_again`: the product's own words, to the thread they are about."""
    return Queued(ground.command.target, payload)


async def answer_by_product(ground: Ground, payload: dict[str, Any]) -> Queued:
    """`expire`, `outcome`: an answer no person gives."""
    question = await questions.find(ground.tx, payload["question_id"])
    if question is None:
        raise Conflict("not_waiting")
    word = ground.command.kind.value
    won = await answer_question(ground, question, node=question.node, word=word)
    if question.node == "review":
        answer: dict[str, Any] = {"type": "expire", "plan": question.body["plan_hash"], "by": ""}
    elif question.node == "agree":
        answer = {"answer": "decline"}
    elif question.node == "choose":
        answer = {"answer": "resubmit", "selection": None, "settle": None, "by": "", "message": None}
    else:
        answer = {"known": True}
    return Queued(won.thread_id, {"question_id": won.question_id, "answer": answer})


def _is_adult(row: Row[Any], request: TripRequest) -> bool:
    return PersonDetails.model_validate(row.details).age_on(request.depart_on) >= 18
