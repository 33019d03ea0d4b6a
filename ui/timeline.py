"""The timeline beside its tree: one version's facts, what differs, and what can be corrected. Pure: views in, markup out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from assistant.views.thread_shapes import Comparison, Difference, VersionsPage, VersionView

from .buttons import button
from .correction_form import Table, form
from .icons import icon
from .markup import NOTHING, tag
from .pen import Pen

CORRECTED = {"start": "start", "understand": "understand", "shortlist": "shortlist"}


def heading(page: VersionsPage, pen: Pen) -> Markup:
    """Whose thread it is, and the conversation's others as tabs."""
    tabs = (
        button(
            "open",
            pen("timeline.conversation") if t.kind == "conversation" else t.title,
            kind="chip",
            aria_pressed=str(t.thread_id == page.thread_id).lower(),
            data_thread=t.thread_id,
        )
        for t in page.related
    )
    return tag(
        "header",
        button("close", icon("back", 17), pen("timeline.close"), kind="plain"),
        tag(
            "div",
            tag("p", pen("timeline.title"), " · ", page.traveller, class_="eyebrow"),
            tag("h1", page.title),
            class_="tl-name",
        ),
        tag("nav", tabs, class_="chips", aria_label=pen("timeline.threads")) if len(page.related) > 1 else None,
        tag("p", icon("clock", 15), tag("span", pen("timeline.running")), class_="note wait", role="status")
        if page.running
        else None,
        button("halt", pen("timeline.halt"), kind="second", data_thread=page.thread_id) if page.going_back else None,
        class_="tl-top",
    )


def around(
    tree: Markup, page: VersionsPage, selected: int | None, before: int | None, unfolded: Sequence[str], pen: Pen
) -> Markup:
    """The tree with the ways to older and newer steps; carries what the next press has to tell."""
    return tag(
        "section",
        tag("p", pen("timeline.legend"), class_="quiet small tl-legend"),
        button("older", pen("timeline.newer"), kind="plain", data_before="") if before else None,
        tree,
        button("older", pen("timeline.older"), kind="plain", data_before=page.before) if page.before else None,
        data_thread=page.thread_id,
        data_version=selected,
        data_before=before,
        data_newest=page.newest,
        data_unfolded=json.dumps(list(unfolded)),
        data_running=page.running,
    )


def not_there(pen: Pen) -> tuple[Markup, Markup]:
    """Where the thread is not the reader's or does not exist, which are told alike: the heading, and what can be done."""
    head = tag(
        "header",
        button("close", icon("back", 17), pen("timeline.close"), kind="plain"),
        tag("div", tag("p", pen("timeline.title"), class_="eyebrow"), tag("h1", pen("timeline.no_thread")), class_="tl-name"),
        class_="tl-top",
    )
    advice = tag(
        "div",
        icon("warn", 28),
        tag("p", pen("timeline.no_thread_why")),
        button("close", pen("timeline.no_thread_way"), kind="second"),
        class_="empty tall",
        role="alert",
    )
    return head, advice


def no_step(asked: str, page: VersionsPage, pen: Pen, *, cleared: bool) -> Markup:
    """Where a thread has no such step, or no longer its content: which, why, and the steps nearest to it."""
    number = int(asked) if asked.isdecimal() and len(asked) < 10 else None
    readable = [v for v in page.versions if not v.pruned]
    near = sorted(readable, key=lambda v: abs(v.version - (number or page.newest)))[:2]
    head = next((v for v in readable if v.version == page.head), None)
    links = [*([head] if head else []), *(v for v in near if v is not head)]
    key = "cleared" if cleared else "no_step"
    return tag(
        "article",
        tag("h2", pen(f"timeline.{key}_title", n=asked[:12])),
        tag("p", pen(f"timeline.{key}_why", newest=page.newest)),
        tag("p", pen("timeline.no_step_way"), class_="quiet") if links else None,
        tag(
            "div",
            (button("pick", f"{v.version} · {v.title}", kind="chip", data_version=v.version) for v in links),
            class_="chips",
        ),
        class_="tl-detail sheet tl-none",
        role="alert",
    )


def nothing_picked(pen: Pen) -> Markup:
    return tag("div", icon("list", 28), tag("p", pen("timeline.pick")), class_="empty tall")


def version_detail(
    view: VersionView,
    page: VersionsPage,
    values: Mapping[str, Any],
    table: Table,
    pen: Pen,
    *,
    compared: Comparison | None = None,
    reviewer: bool = False,
) -> Markup:
    """Everything about one version. `values`: of the correction form, as they stand in the page."""
    version = view.version
    by = " · ".join(p for p in (version.actor, pen.moment(version.at), version.kind_text) if p)
    return tag(
        "article",
        tag(
            "header",
            tag("p", f"{pen('timeline.version', n=version.version)} · {by}", class_="eyebrow"),
            tag("h2", version.title),
            _standing(view, pen),
            class_="tl-head-of",
        ),
        _facts(view, pen),
        _differences(view, page, compared, pen),
        _xray(view, pen) if reviewer else None,
        _branch(view, page, pen, notes=reviewer),
        _promotion(view, page, pen),
        _correction(view, page, values, table, pen),
        class_="tl-detail",
        data_step=version.version,
        data_head=view.head,
        data_with=compared.b.version if compared else None,
        data_xray=view.raw is not None,
    )


def _standing(view: VersionView, pen: Pen) -> Markup:
    if view.version.version == view.head:
        return tag("p", pen("timeline.is_head"), class_="pill ok")
    return NOTHING if view.version.main else tag("p", pen("timeline.left"), class_="pill")


def _facts(view: VersionView, pen: Pen) -> Markup:
    rows = (tag("div", tag("dt", f.label), tag("dd", f.text)) for f in view.facts)
    shown = tag("dl", rows, class_="tl-facts") if view.facts else tag("p", pen("timeline.no_facts"), class_="quiet")
    return tag("section", tag("h3", pen("timeline.facts")), shown, class_="sheet")


def _differences(view: VersionView, page: VersionsPage, compared: Comparison | None, pen: Pen) -> Markup:
    """To the head, or to another step or branch."""
    if view.version.version == view.head and compared is None:
        shown = tag("p", pen("timeline.is_head"), class_="quiet")
    else:
        other = pen("timeline.then", n=compared.b.version) if compared else pen("timeline.now", n=view.head)
        found = compared.differences if compared else view.differences
        shown = _table(found, view.version.version, other, pen, same="timeline.compare_same" if compared else "timeline.same")
    return tag(
        "section",
        tag("h3", pen("timeline.differences") if compared is None else pen("timeline.compare")),
        shown,
        _compare_with(view, page, compared, pen),
        class_="sheet",
    )


def _table(found: Sequence[Difference], number: int, other: str, pen: Pen, *, same: str) -> Markup:
    if not found:
        return tag("p", pen(same), class_="quiet")
    none = tag("span", pen("timeline.nothing"), class_="quiet")
    head = tag("tr", tag("td"), tag("th", pen("timeline.then", n=number), scope="col"), tag("th", other, scope="col"))
    rows = (tag("tr", tag("th", d.label, scope="row"), tag("td", d.a or none), tag("td", d.b or none)) for d in found)
    return tag("table", tag("thead", head), tag("tbody", rows), class_="tl-diff")


def _compare_with(view: VersionView, page: VersionsPage, compared: Comparison | None, pen: Pen) -> Markup:
    chosen = compared.b.version if compared else None
    heads = {b.head for b in page.branches if b.status == "abandoned" and b.head}
    now = tag("option", pen("timeline.now", n=view.head), value="", selected=chosen is None)
    steps = (
        tag(
            "option",
            pen("timeline.branch_head", n=v.version, title=v.title) if v.version in heads else f"{v.version} · {v.title}",
            value=v.version,
            selected=v.version == chosen,
        )
        for v in sorted(page.versions, key=lambda v: (v.version not in heads, -v.version))
        if v.version != view.version.version and not v.pruned
    )
    return tag(
        "label",
        tag("span", pen("timeline.compare_with")),
        tag("select", now, steps, data_change="compare", id="tl-compare"),
        class_="field",
    )


def _branch(view: VersionView, page: VersionsPage, pen: Pen, *, notes: bool) -> Markup:
    """Why the branch of this step was opened, and what a reviewer has noted on it since."""
    branch = next((b for b in page.branches if b.branch_id == view.version.branch_id), None)
    if branch is None or (branch.forked_from is None and branch.remark is None and not notes):
        return NOTHING
    key = "timeline.forked" if branch.actor else "timeline.forked_plain"
    why = pen(key, by=branch.actor, at=branch.at, n=branch.forked_from, note=branch.note) if branch.forked_from else None
    remark = branch.remark
    said = tag("blockquote", remark.text, tag("cite", f"{remark.by}, {pen.moment(remark.at)}")) if remark else None
    if why is None and said is None and len(page.branches) < 2:
        return NOTHING
    field = tag(
        "label",
        tag("span", pen("timeline.remark"), tag("small", pen("timeline.remark_hint"))),
        tag("textarea", remark.text if remark else "", name="text", rows=2, maxlength=1000, id=f"remark-{branch.branch_id}"),
        class_="field",
    )
    note = tag("button", pen("timeline.remark_keep"), type="submit", class_="second small", data_do="remark")
    return tag(
        "form",
        tag("h3", pen("timeline.branch")),
        tag("p", why, class_="small") if why else None,
        said,
        (field, note) if notes else None,
        class_="sheet",
        id="tl-remark",
        data_branch=branch.branch_id,
    )


def _promotion(view: VersionView, page: VersionsPage, pen: Pen) -> Markup:
    branch = next((b for b in page.branches if b.branch_id == view.version.branch_id and b.status == "abandoned"), None)
    if branch is None or view.version.main:
        return NOTHING
    return tag(
        "section",
        tag("p", pen("timeline.promote_note"), class_="quiet small"),
        button("promote", pen("timeline.promote"), kind="second", data_branch=branch.branch_id, disabled=page.running),
        class_="sheet",
    )


def _correction(view: VersionView, page: VersionsPage, values: Mapping[str, Any], table: Table, pen: Pen) -> Markup:
    schema = view.correctable
    if schema is None:
        return tag("section", tag("h3", pen("timeline.correct")), _not_here(view, page, pen), class_="sheet")
    message = view.version.step == "start" and page.kind == "conversation"
    why = "message" if message else CORRECTED.get(view.version.step, "choose")
    return tag(
        "form",
        tag("h3", pen("timeline.correct")),
        tag("p", pen(f"timeline.correct_{why}"), class_="quiet small"),
        form(schema, values, table, pen),
        tag("div", tag("button", pen("timeline.look"), type="submit", class_="second", data_do="look"), class_="acts"),
        class_="sheet",
        id="tl-correction",
    )


def _not_here(view: VersionView, page: VersionsPage, pen: Pen) -> Markup:
    """Nothing to correct; the nearest steps where there is."""
    near = [
        v for v in page.versions if v.command_id == view.version.command_id and v.step in {"start", "understand", "shortlist"}
    ]
    if not near:
        return tag("p", pen("timeline.not_here_plain"), class_="quiet")
    named = [pen("timeline.step_n", n=v.version) for v in reversed(near)]
    links = (button("pick", f"{v.version} · {v.title}", kind="chip", data_version=v.version) for v in reversed(near))
    return tag(
        "div", tag("p", pen("timeline.not_here", steps=", ".join(named)), class_="quiet"), tag("div", links, class_="chips")
    )


def _xray(view: VersionView, pen: Pen) -> Markup:
    if view.raw is None:
        return tag("section", button("xray", pen("timeline.xray"), kind="plain"), class_="tl-xray")

    def part(name: str, key: str) -> Markup:
        text = json.dumps((view.raw or {}).get(name), ensure_ascii=False, indent=1)
        return tag("details", tag("summary", pen(key)), tag("pre", text, tabindex="0"), open=name == "next")

    parts = (
        part("next", "timeline.xray_next"),
        part("values", "timeline.xray_values"),
        part("metadata", "timeline.xray_metadata"),
    )
    note = tag("p", pen("timeline.xray_note"), class_="quiet small")
    return tag("section", tag("h3", pen("timeline.xray")), note, parts, class_="sheet tl-xray")
