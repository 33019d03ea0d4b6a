"""The inbox: what waits for a decision, oldest deadline first. Pure: views in, markup out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from markupsafe import Markup

from assistant.views.shapes import ReviewRow, ReviewView

from .buttons import button
from .icons import icon
from .markup import tag
from .pen import Pen

Filter = Literal["waiting", "mine", "done", "operations"]
FILTERS: tuple[Filter, ...] = ("waiting", "mine", "done", "operations")


def review_list(
    rows: Sequence[ReviewRow],
    current: str | None,
    chosen: Filter,
    counts: dict[Filter, int],
    pen: Pen,
    *,
    instead: Markup | None = None,
) -> Markup:
    """Oldest deadline first. Rows within policy can be ticked and approved together. `instead` is a list of other things."""
    tabs = (
        button(
            "filter",
            pen(f"review.{name}"),
            tag("span", str(counts[name]), class_="count") if counts.get(name) else None,
            title=pen("case.count", count=counts[name]) if name == "operations" and counts.get(name) else None,
            kind="chip",
            aria_pressed=str(name == chosen).lower(),
            data_value=name,
        )
        for name in FILTERS
    )
    several = sum(1 for r in rows if _together(r)) > 1
    body = instead or (
        tag("ul", (_row(r, r.review_id == current, several, pen) for r in rows), class_="reviews")
        if rows
        else tag("div", icon("check", 26), tag("p", pen("review.empty")), class_="empty")
    )
    together = button("together", pen("ui.approve_together"), kind="primary wide together") if several else None
    return tag(
        "nav",
        tag("div", tabs, class_="chips list-head", role="group"),
        body,
        together,
        tag("p", pen("case.keys" if chosen == "operations" else "review.keys"), class_="quiet small keys"),
        class_="inbox",
        aria_label=pen("review.title"),
        data_filter=chosen,
    )


def _together(row: ReviewRow) -> bool:
    return row.status == "waiting" and row.within_policy and not row.mine


def _row(row: ReviewRow, current: bool, several: bool, pen: Pen) -> Markup:
    tick = None
    if several:
        tick = tag(
            "input",
            type="checkbox",
            data_tick=row.review_id,
            aria_label=pen("ui.tick", what=row.what),
            disabled=not _together(row),
            title=pen("check.own_trip") if row.mine else None,
        )
    who = [row.who, pen.since(row.since) if row.status == "waiting" else _done(row, pen)]
    if row.claimed_by and row.status == "waiting":
        who.append(pen("ui.claimed_by_me") if row.claimed_by_me else pen("review.claimed_by", by=row.claimed_by))
    hurry = row.deadline is not None and row.status == "waiting" and pen.hurries(row.deadline)
    deadline = (
        tag("span", pen.deadline(row.deadline), class_="hurry" if hurry else None)
        if row.deadline and row.status == "waiting"
        else None
    )
    doubtful = row.status == "waiting" and not row.within_policy
    risk = tag("span", icon("warn", 13), pen("review.level_warn"), class_="pill warn") if doubtful else None
    return tag(
        "li",
        tick,
        tag(
            "button",
            tag("span", tag("b", row.what), tag("b", pen.money(row.net), class_="num") if row.net else None, class_="row-head"),
            tag("span", " · ".join(who), class_="row-who"),
            tag("span", deadline, risk, class_="row-foot") if deadline or risk else None,
            type="button",
            data_do="open",
            data_review=row.review_id,
            aria_current="true" if current else None,
        ),
    )


def _done(row: ReviewRow, pen: Pen) -> str:
    if row.status == "answered" and row.answer and row.decided_by:
        return pen(f"decided.{row.answer}", by=row.decided_by)
    return pen("review.expired" if row.status == "expired" else "review.superseded")


def nothing_open(pen: Pen, *, empty: bool) -> Markup:
    """No review is open."""
    return tag(
        "div",
        icon("check" if empty else "list", 30),
        tag("p", pen("review.empty" if empty else "review.pick_one")),
        class_="empty tall",
    )


def together(reviews: Sequence[ReviewView], pen: Pen) -> Markup:
    """Several at once, each named with its price before anything is approved."""

    def row(review: ReviewView) -> Markup:
        money = review.plan.net or review.total
        price = tag("b", pen.money(money), class_="num") if money else None
        return tag("li", tag("span", review.sentence), price, data_item=review.review_id, data_item_digest=review.digest)

    return tag(
        "article",
        tag(
            "header",
            tag("h1", pen("review.approve_selected", count=len(reviews))),
            tag("p", pen("ui.together_note"), class_="quiet"),
            class_="review-head",
        ),
        tag("ul", map(row, reviews), class_="plan together-list"),
        tag(
            "div",
            button("approve_together", pen("review.approve_selected", count=len(reviews)), kind="primary", keyed=True),
            button("back", pen("card.back"), kind="second"),
            class_="acts",
        ),
        class_="review",
        data_together=True,
    )
