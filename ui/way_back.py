"""What going back would mean, before anybody does it: money and people first. Pure: a view in, markup out."""

from __future__ import annotations

from markupsafe import Markup

from assistant.domain.plans import Choice, StepKind
from assistant.views.shapes import ChoiceView, OrderView, PlanView, StepView
from assistant.views.thread_shapes import VersionsPage, WayBack

from .buttons import button
from .icons import icon
from .markup import NOTHING, tag
from .pen import Pen

ADDS = frozenset({StepKind.HOLD, StepKind.PAY, StepKind.BOOK})
DROPS = frozenset({StepKind.RELEASE, StepKind.CANCEL})


def way_back(
    way: WayBack,
    target: str,
    page: VersionsPage,
    pen: Pen,
    *,
    settle: str | None,
    branch: str | None,
    look: int = 0,
    form: int | None = None,
) -> Markup:
    """Money first, then people, what leaves, what is real, what will change; and the button that names its target.

    What the button says has been seen is the thread as it was on `page`: a step made since then needs another look.
    So does a form that was changed since: `form` counts its changes, as the browser told them with the press.
    """
    running = page.running
    return tag(
        "form",
        tag("h3", pen("timeline.would")),
        _money(way, pen),
        _people(way, pen),
        _blocked(way, running, pen),
        _leaving(way, pen),
        _orders(way, pen),
        _changes(way.plan, settle, pen) if way.plan else None,
        _ending(way, target, pen, settle=settle, branch=branch, running=running),
        class_="sheet tl-way",
        id="tl-way",
        data_settle=settle,
        data_branch=branch,
        data_look=look,
        data_form=form,
        data_seen=page.newest,
        data_off=running or not way.allowed,
    )


def _money(way: WayBack, pen: Pen) -> Markup:
    net = way.plan.net if way.plan else None
    if way.plan and way.plan.chosen is Choice.BY_HAND:
        return tag("p", tag("b", pen("plan.net_by_hand")), class_="net")
    if net is None:
        key = (
            "plan.net_unknown"
            if way.plan and way.plan.steps
            else "timeline.money_unknown"
            if way.plan is None
            else "plan.net_zero"
        )
        return tag("p", tag("b", pen(key)), class_="net")
    key = "plan.net_cost" if net.amount > 0 else "plan.net_refund" if net.amount < 0 else "plan.net_zero"
    return tag("p", tag("b", pen(key, money={"amount": str(abs(net.amount)), "currency": net.currency})), class_="net")


def _people(way: WayBack, pen: Pen) -> Markup:
    said = [pen("timeline.agree_first")] if way.agree else []
    if way.plan is None:
        said.append(pen("timeline.choose_first"))
    elif way.review:
        said.append(pen("timeline.another_first" if way.another else "timeline.review_first"))
    rows = (tag("li", icon("person", 15), tag("span", text)) for text in said or [pen("timeline.nobody")])
    who = tag("p", tag("b", pen("timeline.people"), ": "), pen("ui.listed", items=list(way.affected)))
    return tag("div", who, tag("ul", rows, class_="checks"), class_="tl-part")


def _blocked(way: WayBack, running: bool, pen: Pen) -> Markup:
    if way.allowed and not running:
        return NOTHING
    why = way.why_text or pen("timeline.running")
    return tag("p", icon("warn", 15), tag("span", f"{pen('timeline.blocked')}: {why}"), class_="note warn", role="alert")


def _leaving(way: WayBack, pen: Pen) -> Markup:
    rows = (tag("li", tag("span", str(v.version), class_="num"), tag("span", v.title)) for v in way.leaves)
    title = tag("summary", pen("timeline.leaves"), f" ({len(way.leaves)})")
    steps = (
        tag("details", title, tag("ol", rows, class_="tl-leaves"), open=len(way.leaves) < 9)
        if way.leaves
        else tag("p", pen("timeline.leaves_none"), class_="quiet")
    )
    return tag("div", steps, _withdrawn(way, pen), class_="tl-part")


def _withdrawn(way: WayBack, pen: Pen) -> Markup:
    if not way.withdraws:
        return NOTHING
    rows = (tag("li", tag("span", t.title), tag("span", t.status_text, class_="quiet")) for t in way.withdraws)
    title, note = tag("h4", pen("timeline.withdraws")), tag("p", pen("timeline.withdraws_note"), class_="quiet small")
    return tag("div", title, tag("ul", rows, class_="tl-leaves"), note)


def _orders(way: WayBack, pen: Pen) -> Markup:
    if not way.orders:
        return tag("p", pen("timeline.no_orders"), class_="quiet tl-part")

    def said(order: OrderView) -> str:
        return pen(
            "timeline.order",
            reference=order.booking_reference or pen("timeline.no_reference"),
            state=pen(f"order_state.{order.state}"),
            flights=[s.name for s in order.fare.segments],
            seats=list(order.seats) or None,
            total=order.total,
        )

    rows = (tag("li", icon("ticket", 15), tag("span", said(o))) for o in way.orders)
    note = tag("p", pen("timeline.orders_stay"), class_="quiet small")
    return tag("div", tag("h4", pen("timeline.orders")), tag("ul", rows, class_="checks"), note, class_="tl-part")


def _changes(plan: PlanView, settle: str | None, pen: Pen) -> Markup:
    steps = (
        tag("ol", (_step(s, pen) for s in plan.steps), class_="plan")
        if plan.steps
        else tag("p", pen("plan.empty"), class_="quiet")
    )
    chosen = settle or plan.chosen

    def choice(of: ChoiceView) -> Markup:
        if of.net is None or of.id is Choice.BY_HAND:
            unknown = pen("choice.by_hand_costs" if of.id is Choice.BY_HAND else "plan.net_unknown")
            net = tag("span", unknown, class_="quiet")
        else:
            net = tag("span", pen.signed(of.net), class_="num")
        return button(
            "settle", tag("span", of.text), net, kind="chip", aria_pressed=str(of.id == chosen).lower(), data_settle=of.id.value
        )

    choices = tag("div", map(choice, plan.choices), class_="chips column", role="group", aria_label=pen("ui.how_to_settle"))
    return tag("div", tag("h4", pen("plan.title")), choices if len(plan.choices) > 1 else None, steps, class_="tl-part")


def _step(step: StepView, pen: Pen) -> Markup:
    kind, sign = ("added", "+") if step.kind in ADDS else ("removed", "−") if step.kind in DROPS else ("kept", "=")
    amount = tag("b", pen.signed(step.amount), class_="num") if step.amount is not None and step.amount.amount else None
    words = tag("span", tag("span", pen(f"plan.{kind}"), ": ", class_="sr"), step.text)
    return tag("li", tag("i", sign, aria_hidden="true"), words, amount, class_=kind)


def _ending(way: WayBack, target: str, pen: Pen, *, settle: str | None, branch: str | None, running: bool) -> Markup:
    tick = None
    if way.confirm_needed and way.departs is not None:
        words = pen("timeline.confirm_soon", departs=way.departs)
        tick = tag(
            "label",
            tag("input", type="checkbox", name="confirm", value="1", required=True),
            tag("span", words),
            class_="tick note warn",
        )
    reason = tag(
        "label",
        tag("span", pen("timeline.reason"), tag("small", pen("timeline.reason_hint"))),
        tag("textarea", name="reason", rows=2, maxlength=1000, required=True, id="tl-reason"),
        class_="field",
    )
    do, off = ("promote_go" if branch else "go"), running or not way.allowed
    go = tag("button", target, type="submit", class_="primary", data_do=do, disabled=off)
    stale = tag("p", pen("timeline.stale"), class_="note warn tl-stale", hidden=True, role="status")
    again = button("settle", pen("timeline.look_again"), kind="second small", data_settle=settle or "", data_branch=branch)
    moved = tag("div", tag("p", pen("timeline.moved_on")), again, class_="note warn tl-moved", hidden=True, role="status")
    return tag("div", tick, reason, stale, moved, tag("div", go, class_="acts"), class_="tl-part")
