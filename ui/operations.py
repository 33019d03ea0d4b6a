"""The operators' part of the reviewer's page: what needs a person, what is known of it, and what can be done. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from assistant.domain.commands import Command, Kind
from assistant.domain.people import Actor
from assistant.views.case_shapes import CaseAction, CaseFact, CaseKind, CaseView
from assistant.views.shapes import OrderView

from .buttons import button
from .flights import legs
from .icons import icon
from .markup import NOTHING, tag
from .pen import Pen
from .presses import Press, command
from .timeline_link import timeline_link

KINDS = {"adopt": "primary", "not_booked": "second", "cancel": "danger"}
CALM = frozenset({CaseKind.UNWANTED, CaseKind.LOOKING})


def case_list(cases: Sequence[CaseView], current: str | None, pen: Pen) -> Markup:
    """Most pressing first."""
    if not cases:
        return tag("div", icon("check", 26), tag("p", pen("case.empty")), class_="empty")
    return tag("ul", (_row(c, c.case_id == current, pen) for c in cases), class_="reviews")


def _row(case: CaseView, current: bool, pen: Pen) -> Markup:
    return tag(
        "li",
        tag(
            "button",
            tag("span", tag("b", case.what), class_="row-head"),
            tag("span", f"{case.who} · {pen.since(case.since)}", class_="row-who"),
            tag("span", _pill(case, pen), class_="row-foot"),
            type="button",
            data_do="open",
            data_case=case.case_id,
            aria_current="true" if current else None,
        ),
    )


def _pill(case: CaseView, pen: Pen) -> Markup:
    calm = case.kind in CALM
    words = pen(f"case.kind_{case.kind}")
    return tag("span", icon("clock" if calm else "warn", 13), words, class_="pill" if calm else "pill warn")


def no_case(pen: Pen, *, empty: bool) -> Markup:
    """No case is open."""
    words = pen("case.empty" if empty else "case.pick_one")
    return tag("div", icon("check" if empty else "list", 30), tag("p", words), class_="empty tall")


def case_detail(case: CaseView, pen: Pen, *, beside: Markup = NOTHING) -> Markup:
    """One case in full, with a reason to give and a button for each thing that can be done. `beside`: what its trip asks for."""
    return tag(
        "article",
        _title(case, pen),
        beside,
        tag(
            "div",
            tag("div", _known(case.facts, pen), _order(case, pen) if case.order or not beside else None, class_="col"),
            tag("div", None if beside and not case.actions else _what_next(case, pen), _said(case.said, pen), class_="col"),
            class_="columns",
        ),
        class_="review case",
        data_case_card=case.case_id,
        data_said=len(case.said),
    )


def _title(case: CaseView, pen: Pen) -> Markup:
    return tag(
        "header",
        tag(
            "p",
            tag("span", _pill(case, pen), " ", pen("review.who"), " · ", case.who),
            timeline_link(case.trip_id, pen, "timeline.open_trip"),
            timeline_link(case.conversation_id, pen, "timeline.open_conversation"),
            class_="eyebrow with-link",
        ),
        tag("h1", case.what),
        tag("p", case.why),
        class_="review-head",
    )


def _known(facts: Sequence[CaseFact], pen: Pen) -> Markup:
    return tag("section", tag("h2", pen("case.known")), _lines(facts, pen), class_="sheet") if facts else NOTHING


def _lines(facts: Sequence[CaseFact], pen: Pen) -> Markup:
    rows = (
        tag("li", tag("span", fact.text), tag("small", pen.moment(fact.at), class_="num") if fact.at else None) for fact in facts
    )
    return tag("ol", rows, class_="manifest")


def _order(case: CaseView, pen: Pen) -> Markup:
    order = case.order
    if order is None:
        return tag(
            "section", tag("h2", pen("case.airline_order")), tag("p", pen("case.no_order"), class_="quiet"), class_="sheet"
        )
    return tag(
        "section",
        tag("h2", pen("case.airline_order")),
        legs(order.fare.segments, pen),
        tag(
            "dl", (tag("div", tag("dt", name), tag("dd", value)) for name, value in _facts_of(order, case, pen)), class_="clocks"
        ),
        class_="sheet",
    )


def _facts_of(order: OrderView, case: CaseView, pen: Pen) -> list[tuple[str, str]]:
    """Only what the airline has said."""
    given = [
        (pen("case.state"), case.order_state),
        (pen("case.reference"), order.booking_reference),
        (pen("case.order_id"), order.order_id),
        (pen("case.total"), pen.money(order.total)),
        (pen("case.passengers"), pen("ui.listed", items=list(order.passengers)) if order.passengers else None),
        (pen("case.seats"), ", ".join(order.seats)),
        (pen("case.tickets"), ", ".join(order.documents)),
        (pen("ui.hold_until"), pen.deadline(order.pay_by) if order.pay_by and order.state == "held" else None),
    ]
    return [(name, value) for name, value in given if value]


def _what_next(case: CaseView, pen: Pen) -> Markup:
    heading = tag("h2", pen("case.what_next"), id="what-next")
    if not case.actions:
        words = pen("case.own" if case.own else "case.nothing_to_do")
        return tag("section", heading, tag("p", words, class_="quiet"), class_="sheet")
    asks_order = any(action.needs_order for action in case.actions)
    return tag(
        "form",
        heading,
        _field(
            "reason",
            pen("case.reason"),
            pen("case.reason_hint"),
            tag("textarea", name="reason", rows=2, maxlength=1000, id="reason"),
        ),
        _field(
            "order-id",
            pen("case.order_id"),
            pen("case.order_id_hint"),
            tag("input", name="order_id", id="order-id", maxlength=64, autocomplete="off", spellcheck="false"),
        )
        if asks_order
        else None,
        tag("ul", (_action(case, action) for action in case.actions), class_="ways-on"),
        class_="sheet",
        aria_labelledby="what-next",
    )


def _field(name: str, label: str, hint: str, control: Markup) -> Markup:
    return tag("label", tag("span", label, tag("small", hint)), control, class_="field", for_=name)


def _action(case: CaseView, action: CaseAction) -> Markup:
    consequence = f"will-{action.resolution}"
    return tag(
        "li",
        button(
            "resolve",
            action.label,
            kind=KINDS[action.resolution],
            keyed=True,
            data_case=case.case_id,
            data_word=action.resolution,
            data_needs="reason order_id" if action.needs_order else "reason",
            aria_describedby=consequence,
        ),
        tag("p", action.consequence, class_="quiet small", id=consequence),
    )


def _said(said: Sequence[CaseFact], pen: Pen) -> Markup:
    words = _lines(said, pen) if said else tag("p", pen("case.nobody"), class_="quiet")
    return tag("section", tag("h2", pen("case.said")), words, class_="sheet", aria_live="polite")


def resolution(press: Press, actor: Actor) -> Command:
    """What a button of a case asks for. The service decides who may, and whether it still can be."""
    payload = {"resolution": press.text("word"), "reason": press.text("reason"), "order_id": press.text("order_id")}
    return command(Kind.RESOLVE_OPERATION, press.text("case") or "", payload, key=press.key, actor=actor)
