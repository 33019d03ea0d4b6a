"""The inbox: reviews of a tenant, and one review with all that a decision needs."""

from __future__ import annotations

from typing import Any, Literal

from sqlalchemy import Row, Select, select

from ..domain.commands import Kind
from ..domain.money import Money
from ..domain.plans import Plan, Step, StepKind
from ..domain.policy import Check
from ..domain.trips import Selection, TripRequest
from ..persistence import threads, transcript, versions
from ..persistence.database import Tx
from ..persistence.tables import commands, orders, questions, trips, users
from . import texts
from .conversations import conversation_row
from .people import wishes_view
from .scope import for_reviewers, found, of_tenant
from .shapes import CheckView, Reader, ReviewRow, ReviewView
from .trips import kept_plan, option_of, plan_in_words, shown_fares, trip_of

Show = Literal["waiting", "mine", "done", "all"]
LISTED = 200
WORDS = 6  # the last things the traveller said before asking


async def review_list(tx: Tx, reader: Reader, *, show: Show = "waiting") -> tuple[ReviewRow, ...]:
    """Waiting ones by deadline, decided ones newest first. `mine`: waiting and taken by the reader. Raises Forbidden."""
    for_reviewers(reader)
    rows = (await tx.execute(_shown(_reviews(reader), show).limit(LISTED))).all()
    listed = [await _row(tx, reader, row) for row in rows]
    return tuple(row for row in listed if show != "mine" or row.claimed_by_me)


async def review(tx: Tx, reader: Reader, review_id: str) -> ReviewView:
    """Raises Forbidden and NotFound."""
    for_reviewers(reader)
    row = found((await tx.execute(_reviews(reader).where(questions.c.question_id == review_id))).one_or_none(), "review")
    of_trip = (await tx.execute(select(trips).where(trips.c.trip_id == row.thread_id))).one()
    plan = await _plan(tx, row)
    view = await trip_of(tx, reader, of_trip)
    return ReviewView(
        review_id=review_id,
        trip_id=of_trip.trip_id,
        conversation_id=of_trip.conversation_id,
        status=row.status,
        digest=row.digest or plan.digest,
        sentence=_sentence(reader, row, plan, asked_by=await _asked_by(tx, row)),
        loses=await _losses(tx, reader, plan),
        went_back=await _went_back(tx, reader, of_trip.trip_id),
        plan=await plan_in_words(tx, reader, plan, trip_id=of_trip.trip_id),
        checks=checks_view(reader, row.body.get("checks") or ()),
        total=_total(row) or plan.net,
        expires_at=row.deadline,
        held_until=view.held_until,
        price_guaranteed_until=view.price_guaranteed_until,
        claimed_by=_name(row.claimed_by),
        claimed_by_me=_is(reader, row.claimed_by),
        decided_by=_name(row.answerer),
        decided_at=row.answered_at,
        answer=row.answer,
        traveller=row.traveller or of_trip.owner_id,
        traveller_words=await _words(tx, reader, of_trip, row),
        notes=texts.notes(reader, row.body.get("notes") or ()),
        wishes=await wishes_view(tx, reader, owner_id=of_trip.owner_id, conversation_id=of_trip.conversation_id),
        trip=view,
        selected_offer=await _selected(tx, of_trip),
        mine=of_trip.owner_id == reader.user_id,
    )


def checks_view(reader: Reader, checks: Any) -> tuple[CheckView, ...]:
    """From `Check`s, as values or as JSON."""
    valid = [Check.model_validate(check) for check in checks]
    return tuple(CheckView(level=c.level, text=texts.text(reader, c.key, **c.params)) for c in valid)


def _reviews(reader: Reader) -> Select[Any]:
    return (
        select(questions, trips.c.owner_id, trips.c.request, users.c.display_name.label("traveller"))
        .join(trips, trips.c.trip_id == questions.c.thread_id)
        .outerjoin(users, users.c.user_id == trips.c.owner_id)
        .where(of_tenant(reader, questions), questions.c.node == "review")
    )


def _shown(query: Select[Any], show: Show) -> Select[Any]:
    by_deadline = (questions.c.deadline.is_(None), questions.c.deadline, questions.c.created_at)
    match show:
        case "waiting" | "mine":
            return query.where(questions.c.status == "waiting").order_by(*by_deadline)
        case "done":
            done = query.where(questions.c.status.in_(("answered", "expired")))
            return done.order_by(questions.c.answered_at.desc(), questions.c.created_at.desc())
        case "all":
            return query.order_by(questions.c.created_at.desc())


async def _row(tx: Tx, reader: Reader, row: Row[Any]) -> ReviewRow:
    plan = await _plan(tx, row)
    return ReviewRow(
        review_id=row.question_id,
        trip_id=row.thread_id,
        what=_what(reader, row, plan),
        who=row.traveller or row.owner_id,
        net=plan.net,
        since=row.created_at,
        deadline=row.deadline,
        status=row.status,
        answer=row.answer,
        decided_by=_name(row.answerer),
        decided_at=row.answered_at,
        claimed_by=_name(row.claimed_by),
        claimed_by_me=_is(reader, row.claimed_by),
        within_policy=all(check["level"] == "ok" for check in row.body.get("checks") or ()),
        mine=row.owner_id == reader.user_id,
    )


async def _plan(tx: Tx, row: Row[Any]) -> Plan:
    return await kept_plan(tx, row.body.get("plan_hash")) or Plan(steps=())


def _what(reader: Reader, row: Row[Any], plan: Plan) -> str:
    """The flight where one is to be bought, else what was asked for."""
    bought = next((s for s in plan.effects if s.kind in ("hold", "book", "pay")), None)
    return texts.read(reader, texts.flight(bought.fare) if bought else _route(row))


async def _asked_by(tx: Tx, row: Row[Any]) -> str | None:
    """Who asked for the newest cancellation of the trip before this was asked, where that was not its traveller."""
    asking = select(commands.c.actor).where(commands.c.thread_id == row.thread_id, commands.c.kind == Kind.CANCEL_TRIP)
    before = asking.where(commands.c.created_at <= row.created_at).order_by(commands.c.thread_seq.desc()).limit(1)
    actor = (await tx.execute(before)).scalar_one_or_none()
    return _name(actor) if actor is not None and actor["user_id"] != row.owner_id else None


def _sentence(reader: Reader, row: Row[Any], plan: Plan, *, asked_by: str | None) -> str:
    total = _total(row) or plan.net
    who = row.traveller or row.owner_id
    buys = any(s.kind in ("hold", "book", "pay") for s in plan.effects)
    if buys and total is not None:
        return texts.text(reader, "review.sentence", traveller=who, trip=_route(row), total=total)
    if not buys and asked_by is not None:
        return texts.text(reader, "review.sentence_cancel_by", by=asked_by, traveller=who, trip=_route(row))
    key = "review.sentence_change" if buys else "review.sentence_cancel"
    return texts.text(reader, key, traveller=who, trip=_route(row))


async def _losses(tx: Tx, reader: Reader, plan: Plan) -> tuple[str, ...]:
    """Each ticket that goes, with what was paid for it and what comes back."""
    steps = {s.create_id: s for s in plan.steps if s.kind is StepKind.CANCEL}
    paid = (await tx.execute(select(orders.c.create_id, orders.c.total).where(orders.c.create_id.in_(steps)))).all()
    totals = {row.create_id: Money.model_validate(row.total) for row in paid}
    return tuple(
        texts.text(
            reader,
            f"review.loses_{_comes_back(step)}",
            flight=texts.flight(step.fare),
            total=totals.get(step.create_id, step.fare.total),
            back=step.refund and step.refund.money,
        )
        for step in steps.values()
    )


def _comes_back(step: Step) -> str:
    if step.refund is None or step.refund.money is None:
        return "unknown"
    if step.refund.is_credit:
        return "credit"
    return "some" if step.refund.money.amount > 0 else "nothing"


async def _went_back(tx: Tx, reader: Reader, trip_id: str) -> str | None:
    """Why the line that is to be decided was begun, in the words of who began it."""
    thread = await threads.find(tx, trip_id)
    branch = await versions.branch(tx, thread.main_branch_id) if thread is not None else None
    if branch is None or branch.forked_from_version is None or branch.reason in {None, "", "withdrawn"}:
        return None
    by = _name(branch.actor) or None
    return texts.text(reader, "review.went_back", by=by, reason=branch.reason)


def _route(row: Row[Any]) -> Any:
    return texts.route(TripRequest.model_validate(row.request))


def _total(row: Row[Any]) -> Money | None:
    total = row.body.get("total")
    return Money.model_validate(total) if total else None


async def _words(tx: Tx, reader: Reader, trip: Row[Any], row: Row[Any]) -> tuple[str, ...]:
    """What the traveller said on the main line before the review was asked for."""
    conversation = await conversation_row(tx, reader, trip.conversation_id)
    line = await transcript.main_line(tx, trip.conversation_id, conversation.head_message_id, count=200)
    said = [m.body["text"] for m in line if m.role == "user" and m.created_at <= row.created_at]
    return tuple(said[-WORDS:])


async def _selected(tx: Tx, trip: Row[Any]) -> int | None:
    selection = Selection.model_validate(trip.selection) if trip.selection else None
    return option_of(selection, await shown_fares(tx, trip))


def _name(actor: Any) -> str | None:
    return actor.get("name") if actor else None


def _is(reader: Reader, actor: Any) -> bool:
    return bool(actor) and actor.get("user_id") == reader.user_id
