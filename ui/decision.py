"""One decision in full: what will happen, why it may, what it costs, and the buttons. Pure: views in, markup out."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from assistant.domain.plans import StepKind
from assistant.views.shapes import CheckView, OfferView, PlanView, ReviewView, SeatMapView, StepView

from .buttons import button
from .drafts import seat_facts
from .editing import Editing, offer_of, seats_of
from .faces import Preview
from .flights import legs, route, strip, what
from .icons import icon
from .markup import NOTHING, joined, tag
from .pen import Pen
from .seat_map import Taken, seat_map
from .timeline_link import timeline_link

SIGNS = {
    StepKind.HOLD: ("added", "+"),
    StepKind.PAY: ("added", "+"),
    StepKind.BOOK: ("added", "+"),
    StepKind.RELEASE: ("removed", "−"),
    StepKind.CANCEL: ("removed", "−"),
    StepKind.KEEP: ("kept", "="),
    StepKind.LEAVE: ("kept", "="),
}
MARKS = {"ok": "check", "warn": "warn", "stop": "cross"}


def review_detail(
    review: ReviewView,
    editing: Editing,
    preview: Preview | None,
    maps: Sequence[SeatMapView],
    pen: Pen,
    *,
    error: str | None = None,
) -> Markup:
    """One decision in full. `preview` is the plan after `editing`; its digest is what an approval of the edits names."""
    plan = preview.plan if preview else review.plan
    checks = preview.checks if preview else review.checks
    waiting = review.status == "waiting"
    return tag(
        "article",
        _title(review, pen, edited=preview is not None),
        tag("p", icon("warn", 16), tag("span", error), class_="note warn", role="alert") if error else None,
        tag(
            "div",
            tag(
                "div",
                _plan(review, plan, preview, editing, waiting, pen),
                _checks(checks, pen),
                _words(review, pen),
                class_="col",
            ),
            tag("div", _trip(review, editing, maps, waiting, pen), class_="col"),
            class_="columns",
        ),
        _decision(review, plan, editing, preview, pen) if waiting else None,
        class_="review",
        data_review_card=review.review_id,
        data_editing=editing.model_dump_json(),
        data_digest=preview.digest if preview else review.digest,
    )


def _title(review: ReviewView, pen: Pen, *, edited: bool) -> Markup:
    clocks: list[tuple[str, str]] = []
    if review.status == "waiting":
        if review.expires_at:
            clocks.append((pen("ui.decide_until"), pen.deadline(review.expires_at)))
        if review.held_until:
            clocks.append((pen("ui.hold_until"), pen.deadline(review.held_until)))
        if review.price_guaranteed_until:
            clocks.append((pen("ui.price_until"), pen.deadline(review.price_guaranteed_until)))
        elif not review.held_until:
            clocks.append((pen("ui.hold_until"), pen("ui.nothing_held")))
    return tag(
        "header",
        tag(
            "p",
            tag("span", pen("review.who"), " · ", review.traveller),
            timeline_link(review.trip_id, pen, "timeline.open_trip"),
            timeline_link(review.conversation_id, pen, "timeline.open_conversation"),
            class_="eyebrow with-link",
        ),
        tag("h1", review.sentence),
        (tag("p", icon("warn", 16), tag("span", text), class_="note warn") for text in review.loses) if not edited else None,
        tag("p", icon("back", 16), tag("span", review.went_back), class_="note quiet") if review.went_back else None,
        _standing(review, pen),
        tag("dl", (tag("div", tag("dt", name), tag("dd", value)) for name, value in clocks), class_="clocks") if clocks else None,
        class_="review-head",
    )


def _standing(review: ReviewView, pen: Pen) -> Markup:
    """Decided, expired, overtaken, or being looked at."""
    if review.status == "answered":
        said = pen(f"decided.{review.answer}", by=review.decided_by) if review.answer and review.decided_by else ""
        at = (
            pen("review.decided_by", by=review.decided_by, at=review.decided_at)
            if review.decided_at and review.decided_by
            else said
        )
        return tag("p", icon("check", 16), tag("span", f"{said} · {at}" if said and at != said else at), class_="note quiet")
    if review.status in {"expired", "superseded"}:
        return tag("p", icon("clock", 16), tag("span", pen(f"review.{review.status}")), class_="note quiet")
    if review.claimed_by and not review.claimed_by_me:
        return tag("p", icon("person", 16), tag("span", pen("review.claimed_by", by=review.claimed_by)), class_="note wait")
    return NOTHING


def _plan(review: ReviewView, plan: PlanView, preview: Preview | None, editing: Editing, waiting: bool, pen: Pen) -> Markup:
    net = None
    if plan.net is not None:
        sign = plan.net.amount
        key = "plan.net_cost" if sign > 0 else "plan.net_refund" if sign < 0 else "plan.net_zero"
        net = tag(
            "p", tag("b", pen(key, money={"amount": str(abs(sign)), "currency": plan.net.currency}), class_="num"), class_="net"
        )
    edited = (
        tag("p", icon("pencil", 15), tag("span", pen("ui.edited_plan", before=review.total)), class_="note wait")
        if preview
        else None
    )
    return tag(
        "section",
        tag("h2", pen("plan.title")),
        edited,
        net,
        tag("ol", (_step(s, pen) for s in plan.steps), class_="plan")
        if plan.steps
        else tag("p", pen("plan.empty"), class_="quiet"),
        _choices(plan, editing, pen) if waiting and len(plan.choices) > 1 else None,
        tag("p", icon("question", 15), tag("span", pen("ui.traveller_asked_first")), class_="note wait")
        if preview and preview.agree
        else None,
        class_="sheet",
        aria_live="polite",
    )


def _step(step: StepView, pen: Pen) -> Markup:
    kind, sign = SIGNS[step.kind]
    amount = tag("b", pen.signed(step.amount), class_="num") if step.amount is not None and step.amount.amount != 0 else None
    return tag(
        "li",
        tag("i", sign, aria_hidden="true"),
        tag("span", tag("span", pen(f"plan.{kind}"), ": ", class_="sr"), step.text),
        amount,
        class_=f"{kind}{' done' if step.done else ''}",
    )


def _choices(plan: PlanView, editing: Editing, pen: Pen) -> Markup:
    chosen = editing.settle or plan.chosen
    rows = (
        button("settle", c.text, kind="chip", aria_pressed=str(c.id == chosen).lower(), data_value=c.id.value)
        for c in plan.choices
    )
    return tag("div", rows, class_="chips column", role="group", aria_label=pen("ui.how_to_settle"))


def _checks(checks: Sequence[CheckView], pen: Pen) -> Markup:
    rows = (
        tag(
            "li",
            icon(MARKS[c.level], 16),
            tag("span", pen(f"review.level_{c.level}"), ": ", class_="sr"),
            tag("span", c.text),
            class_=c.level,
        )
        for c in checks
    )
    return (
        tag("section", tag("h2", pen("review.checks")), tag("ul", rows, class_="checks"), class_="sheet") if checks else NOTHING
    )


def _trip(review: ReviewView, editing: Editing, maps: Sequence[SeatMapView], waiting: bool, pen: Pen) -> Markup:
    trip, offer = review.trip, offer_of(review, editing)
    fare = offer.fare if offer and editing.offer is not None else trip.chosen
    if fare is None:
        return NOTHING
    can_edit = waiting and not review.mine
    return tag(
        "section",
        tag("h2", route(trip.request, pen)),
        tag("p", pen.day(fare.segments[0].departs), " · ", what(fare, pen), class_="eyebrow"),
        strip(fare.segments, pen),
        legs(fare.segments, pen),
        _offer_choice(review, editing, pen) if can_edit and len(trip.offers) > 1 else None,
        _seats(review, offer, editing, maps, can_edit, pen),
        class_="sheet",
    )


def _offer_choice(review: ReviewView, editing: Editing, pen: Pen) -> Markup:
    chosen = editing.offer or review.selected_offer
    choices = [
        tag(
            "option",
            f"{o.n}. {' + '.join(s.name for s in o.fare.segments)} {o.fare.segments[0].departs:%H:%M} · {pen.money(o.total)}",
            value=o.n,
            selected=o.n == chosen,
        )
        for o in review.trip.offers
    ]
    if chosen is None:
        choices.insert(0, tag("option", pen("ui.as_chosen"), value="", selected=True))
    return tag(
        "label",
        tag("span", pen("card.change_flight")),
        tag("select", choices, data_change="offer", id="edit-offer"),
        class_="field inline",
    )


def _seats(
    review: ReviewView, offer: OfferView | None, editing: Editing, maps: Sequence[SeatMapView], can_edit: bool, pen: Pen
) -> Markup:
    view = next((m for m in maps if m.segment == editing.segment), maps[0] if maps else None)
    names = tuple(p.name or pen("card.passenger_n", n=i + 1) for i, p in enumerate(review.trip.passengers))
    if view is None:
        rows = (
            tag("li", tag("span", n), tag("b", ", ".join(p.seats.values()) or "–", class_="num"))
            for n, p in zip(names, review.trip.passengers, strict=True)
        )
        return tag("ul", rows, class_="manifest")
    seats = seats_of(review.trip, offer, editing, view.segment_key, view.segment)
    was = seats_of(review.trip, offer, Editing(offer=editing.offer), view.segment_key, view.segment)
    taken = Taken(seats={d: p for p, d in seats.items()}, active=editing.active, names=names, action="seat" if can_edit else None)
    segments = (
        button("segment", m.flight, kind="chip", aria_pressed=str(m.segment == view.segment).lower(), data_value=m.segment)
        for m in maps
    )
    return joined(
        (
            tag("div", segments, class_="chips", role="group", aria_label=pen("card.flight")) if len(maps) > 1 else None,
            tag(
                "ul",
                (_seated(p, names[p], seats.get(p), was.get(p), view, editing, can_edit, pen) for p in range(len(names))),
                class_="seating",
            ),
            _wished(review, pen),
            seat_map(view, taken, pen),
        )
    )


def _seated(
    position: int, name: str, seat: str | None, was: str | None, view: SeatMapView, editing: Editing, can_edit: bool, pen: Pen
) -> Markup:
    facts = seat_facts(view, seat) if seat else None
    shown = joined((tag("del", was), " ", tag("ins", seat))) if was != seat and was and seat else seat or "–"
    inner = (
        tag("i", str(position + 1), class_="badge"),
        tag("span", tag("b", name), tag("small", facts.why if facts else None)),
        tag("b", shown, class_="num"),
    )
    if not can_edit:
        return tag("li", tag("div", inner, class_="seated"))
    pressed = str(position == editing.active).lower()
    return tag("li", button("active", inner, kind="seated", aria_pressed=pressed, data_value=position))


def _wished(review: ReviewView, pen: Pen) -> Markup:
    if not review.wishes:
        return NOTHING
    return tag(
        "p",
        tag("b", pen("card.preferences"), ": "),
        pen("ui.listed", items=[w.text for w in review.wishes]),
        class_="quiet small",
    )


def _words(review: ReviewView, pen: Pen) -> Markup:
    if not review.traveller_words and not review.notes:
        return NOTHING
    return tag(
        "section",
        tag("h2", pen("review.words")),
        (tag("blockquote", text) for text in review.traveller_words),
        tag("ul", (tag("li", text) for text in review.notes), class_="notes") if review.notes else None,
        class_="words",
    )


def _decision(review: ReviewView, plan: PlanView, editing: Editing, preview: Preview | None, pen: Pen) -> Markup:
    """Approve names its price; a key press arms it and Enter presses it. On one's own trip it says why nothing can be pressed."""
    money = plan.net if plan.net is not None else review.total
    approve = pen("ui.approve_edits" if editing.changes else "ui.approve", total=money)
    blocked = review.mine or (editing.changes and preview is None)
    claim = "release" if review.claimed_by_me else "claim"

    def deciding(do: str, label: str, kind: str, key: str | None, **more: object) -> Markup:
        mark = tag("kbd", key, aria_hidden="true") if key else None
        why = "own-trip" if review.mine else None
        return button(
            do, tag("span", label), mark, kind=kind, keyed=True, data_review=review.review_id, aria_describedby=why, **more
        )

    return tag(
        "form",
        tag(
            "label",
            tag("span", pen("review.reason"), tag("small", pen("review.reason_hint"))),
            tag("textarea", name="message", rows=2, maxlength=1000, id="reason"),
            class_="field",
        )
        if not review.mine
        else tag("p", icon("warn", 16), tag("span", pen("check.own_trip")), class_="note warn", id="own-trip"),
        tag(
            "div",
            deciding(
                "approve",
                approve,
                "primary",
                "a",
                disabled=blocked,
                data_armed=pen("ui.armed", total=money),
                data_label=approve,
                id="approve",
            ),
            deciding("reject", pen("decision.reject"), "danger", "r", disabled=review.mine, data_needs="message"),
            deciding("respond", pen("decision.respond"), "second", None, disabled=review.mine, data_needs="message"),
            button("discard", pen("ui.discard_edits"), kind="plain") if editing.changes else None,
            deciding(claim, pen(f"review.{claim}"), "plain end", None) if not review.mine else None,
            class_="acts",
        ),
        class_="decision",
    )
