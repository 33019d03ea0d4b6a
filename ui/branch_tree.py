"""The branch tree: versions as a git graph, newest first; a turn is a row whose steps unfold. Pure: a page in, markup out."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from markupsafe import Markup

from assistant.views.thread_shapes import BranchRow, VersionRow, VersionsPage

from .buttons import button
from .markup import NOTHING, tag
from .pen import Pen

LANE, LEFT, TURN, STEP, NOTE, MOST_LANES = 18, 16, 50, 34, 24, 6


@dataclass(frozen=True)
class Row:
    """One line of the picture. `versions` are newest first; the heading of an unfolded turn stands for none of them."""

    turn: tuple[VersionRow, ...]
    versions: tuple[VersionRow, ...]
    level: int
    open: bool
    fork: BranchRow | None
    top: int
    height: int

    @property
    def main(self) -> bool:
        """A turn that was left half way stands on the main line."""
        return any(v.main for v in self.versions)

    @property
    def y(self) -> float:
        return self.top + (STEP if self.level == 2 else TURN) / 2


def branch_tree(page: VersionsPage, selected: int | None, unfolded: Set[str], pen: Pen) -> Markup:
    """`unfolded`: commands whose turns show their steps. Rows are tree items; the picture beside them can be clicked too."""
    if not page.versions:
        return tag("p", pen("timeline.empty"), class_="quiet pad")
    rows = rows_of(page, unfolded)
    lanes = lanes_of(rows)
    height = rows[-1].top + rows[-1].height
    width = LEFT * 2 + max(lanes.values(), default=0) * LANE
    start = next((r for r in rows if any(v.version == selected for v in r.versions)), rows[0])
    return tag(
        "div",
        _picture(rows, lanes, width, height, selected),
        tag(
            "div",
            (_row(r, page, selected, start, pen) for r in rows),
            class_="tl-rows",
            role="tree",
            aria_label=pen("timeline.tree"),
        ),
        class_="tl-graph",
    )


def rows_of(page: VersionsPage, unfolded: Set[str]) -> list[Row]:
    """Turns in the order of the page, each with its steps where it is unfolded."""
    forks = {_first_of(page.versions, b): b for b in page.branches if b.forked_from is not None}
    rows: list[Row] = []
    top = 0

    def add(turn: tuple[VersionRow, ...], versions: tuple[VersionRow, ...], level: int, open_: bool) -> None:
        nonlocal top
        fork = next((forks[v.version] for v in versions if v.version in forks), None)
        height = (STEP if level == 2 else TURN) + (NOTE if fork else 0)
        rows.append(Row(turn, versions, level, open_, fork, top, height))
        top += height

    for turn in turns_of(page.versions):
        opened = turn[0].command_id in unfolded and len(turn) > 1
        add(turn, () if opened else turn, 1, opened)
        for version in turn if opened else ():
            add(turn, (version,), 2, False)
    return rows


def turns_of(versions: Sequence[VersionRow]) -> list[tuple[VersionRow, ...]]:
    """What one command made, together."""
    turns: list[list[VersionRow]] = []
    for version in versions:
        if turns and turns[-1][0].command_id == version.command_id:
            turns[-1].append(version)
        else:
            turns.append([version])
    return [tuple(turn) for turn in turns]


def _first_of(versions: Sequence[VersionRow], branch: BranchRow) -> int | None:
    return min((v.version for v in versions if v.branch_id == branch.branch_id and v.parent == branch.forked_from), default=None)


def lanes_of(rows: Sequence[Row]) -> dict[str, int]:
    """A lane for each abandoned stretch, by branch; the main line has the first. Stretches that do not meet share one."""
    spans: dict[str, tuple[int, int]] = {}
    for index, row in enumerate(rows):
        for version in () if row.main else row.versions:
            first, _ = spans.get(version.branch_id, (index, index))
            spans[version.branch_id] = (first, _row_of(rows, version.parent) or len(rows))
    lanes: dict[str, int] = {}
    for branch_id, (first, last) in sorted(spans.items(), key=lambda item: item[1]):
        taken = {lanes[o] for o, (a, b) in spans.items() if o in lanes and a <= last and first <= b}
        lanes[branch_id] = min((n for n in range(1, MOST_LANES) if n not in taken), default=MOST_LANES)
    return lanes


def _row_of(rows: Sequence[Row], version: int | None) -> int | None:
    return next((i for i, r in enumerate(rows) if any(v.version == version for v in r.versions)), None)


def _picture(rows: Sequence[Row], lanes: dict[str, int], width: int, height: int, selected: int | None) -> Markup:
    drawn = [r for r in rows if r.versions]
    return tag(
        "svg",
        (_edge(r, rows, lanes, height) for r in drawn),
        (_node(r, lanes, selected) for r in drawn),
        class_="tl-picture",
        width=width,
        height=height,
        viewBox=f"0 0 {width} {height}",
        aria_hidden="true",
    )


def _x(row: Row, lanes: dict[str, int]) -> int:
    return LEFT + (0 if row.main else lanes.get(row.versions[0].branch_id, 1)) * LANE


def _edge(row: Row, rows: Sequence[Row], lanes: dict[str, int], height: int) -> Markup:
    """To the row of what it was made from; off the page where that is older."""
    oldest = row.versions[-1]
    if oldest.parent is None:
        return NOTHING
    x, y = _x(row, lanes), row.y
    at = _row_of(rows, oldest.parent)
    to_x, to_y = (_x(rows[at], lanes), rows[at].y) if at is not None else (x, height)
    path = f"M{x} {y}V{to_y}" if x == to_x else f"M{x} {y}V{to_y - 22}C{x} {to_y - 6} {to_x} {to_y - 16} {to_x} {to_y}"
    return tag("path", d=path, class_="tl-edge" + ("" if row.main else " left"))


def _node(row: Row, lanes: dict[str, int], selected: int | None) -> Markup:
    shown = row.versions[-1]
    x, y, size = _x(row, lanes), row.y, 6 if row.level == 1 else 4.5
    kinds = {v.kind for v in row.versions}
    kind = next((k for k in ("touched", "asked", "forked", "looked_up", "said") if k in kinds), shown.kind)
    shape = (
        tag("rect", x=x - size, y=y - size, width=2 * size, height=2 * size, rx=1.5, transform=f"rotate(45 {x} {y})")
        if kind == "asked"
        else tag("rect", x=x - size, y=y - size, width=2 * size, height=2 * size, rx=1.5)
        if kind == "touched"
        else tag("circle", cx=x, cy=y, r=size)
    )
    chosen = any(v.version == selected for v in row.versions)
    ring = tag("circle", cx=x, cy=y, r=size + 5, class_="tl-ring") if chosen else None
    left = "" if row.main else " left"
    return tag("g", ring, shape, class_=f"tl-node {kind}{left}", data_do="pick", data_version=shown.version)


def _row(row: Row, page: VersionsPage, selected: int | None, start: Row, pen: Pen) -> Markup:
    """The oldest version of a turn names it: what was said or decided, before what followed."""
    covered = row.versions or row.turn
    shown, main = covered[-1], covered[-1].main
    chosen = any(v.version == selected for v in row.versions)
    here = any(v.version == page.head for v in row.versions)
    foldable = row.level == 1 and len(row.turn) > 1
    return tag(
        "div",
        _line(row, shown, foldable, here, pen),
        _fork_note(row.fork, pen),
        class_=f"tl-row level-{row.level}"
        + ("" if main else " left")
        + (" chosen" if chosen else "")
        + (" pruned" if shown.pruned else ""),
        style=f"height:{row.height}px",
        role="treeitem",
        aria_level=row.level,
        aria_expanded=str(row.open).lower() if foldable else None,
        aria_selected=str(chosen).lower(),
        aria_label=pen("timeline.row", n=shown.version, kind=shown.kind_text, title=shown.title),
        tabindex="0" if row is start else "-1",
        data_do="pick",
        data_version=shown.version,
        data_command=shown.command_id if foldable else None,
    )


def _line(row: Row, shown: VersionRow, foldable: bool, here: bool, pen: Pen) -> Markup:
    marks = tag("span", pen("timeline.head"), class_="tl-head") if here else None
    number = tag("span", str(shown.version), class_="tl-number num")
    if row.level == 2:
        return tag("div", number, tag("span", shown.title, class_="tl-title"), marks, _kind(shown, pen), class_="tl-line")
    meta = " · ".join(p for p in (shown.actor, pen.moment(shown.at)) if p)
    return tag(
        "div",
        number,
        tag(
            "span",
            tag("b", shown.title, class_="tl-title"),
            tag("small", meta, tag("span", f" · {pen('timeline.left')}") if not shown.main else None, class_="tl-meta"),
            class_="tl-words",
        ),
        marks,
        _kind(shown, pen) if not foldable else _fold(row, pen),
        class_="tl-line",
    )


def _kind(shown: VersionRow, pen: Pen) -> Markup:
    words = pen("timeline.cleared") if shown.pruned else shown.kind_text
    return tag("span", words, class_=f"tl-kind {shown.kind}")


def _fold(row: Row, pen: Pen) -> Markup:
    return button(
        "fold",
        pen("timeline.steps", count=len(row.turn)),
        tag("span", "▾" if row.open else "▸", aria_hidden="true"),
        kind="tl-fold",
        tabindex="-1",
        title=pen("timeline.fold" if row.open else "timeline.unfold"),
        data_command=row.turn[-1].command_id,
    )


def _fork_note(fork: BranchRow | None, pen: Pen) -> Markup:
    """Who opened the branch, when, and why."""
    if fork is None:
        return NOTHING
    key = "timeline.forked" if fork.actor else "timeline.forked_plain"
    said = pen(key, by=fork.actor, at=fork.at, n=fork.forked_from, note=fork.note)
    if fork.remark is not None:
        said = f"{said} · {pen('timeline.remark_by', by=fork.remark.by, text=fork.remark.text)}"
    return tag("p", said, class_="tl-note", title=said)
