"""The branch tree as a picture: which rows, which lines, which marks, for people who see it and people who hear it."""

from __future__ import annotations

import re

from tests.ui.scenery import NOW
from tests.ui.timeline_stage import page
from ui.branch_tree import branch_tree, lanes_of, rows_of
from ui.pen import Pen

PEN = Pen("en", "UTC", NOW)
ZH = Pen("zh", "Asia/Shanghai", NOW)


def items(markup: str) -> list[str]:
    return re.findall(r'role="treeitem"[^>]*aria-label="([^"]*)"', markup)


def test_a_turn_is_one_row_named_by_what_began_it() -> None:
    assert [n.split(": ", 1)[1] for n in items(branch_tree(page(), 9, frozenset(), PEN))] == [
        "Choice: MU523, seat 3C",
        "Approval: approved by Rita",
        "Choice: MU523, seat 14A",
        "Asked for: Shanghai to Tokyo",
    ]


def test_an_unfolded_turn_shows_its_steps_below_it() -> None:
    drawn = branch_tree(page(), 9, frozenset({"c3"}), PEN)
    assert 'aria-expanded="true"' in drawn
    assert [n.split(",")[0] for n in items(drawn)] == ["Step 8", "Step 5", "Step 7", "Step 6", "Step 5", "Step 3", "Step 1"]
    assert drawn.count('aria-level="2"') == 3


def test_the_main_line_is_solid_and_what_was_left_is_dashed_in_its_own_lane() -> None:
    rows = rows_of(page(), frozenset())
    assert [r.main for r in rows] == [True, False, False, True]
    assert lanes_of(rows) == {"old": 1}
    drawn = branch_tree(page(), 9, frozenset(), PEN)
    assert drawn.count('class="tl-edge left"') == 2
    assert drawn.count('class="tl-edge"') == 1  # the root has none


def test_a_turn_left_half_way_stands_on_the_main_line() -> None:
    half = page()
    moved = tuple(v.model_copy(update={"command_id": "c1"}) if v.version == 3 else v for v in half.versions)
    assert rows_of(half.model_copy(update={"versions": moved}), frozenset())[-1].main


def test_each_fork_says_who_went_back_when_and_why() -> None:
    assert "Rita, 06:00: went back to step 2: not the window after all" in branch_tree(page(), 9, frozenset(), PEN)
    assert "Rita于14:00从第2步重来：not the window after all" in branch_tree(page(), 9, frozenset(), ZH)


def test_the_head_is_marked_and_one_row_takes_the_keyboard() -> None:
    drawn = branch_tree(page(), 3, frozenset(), PEN)
    assert drawn.count("now here") == 1
    assert len(re.findall(r'role="treeitem"[^>]*tabindex="0"', drawn)) == 1
    assert re.search(r'aria-selected="true"[^>]*seat 14A', drawn)


def test_words_of_people_stay_words() -> None:
    drawn = branch_tree(page(note="<script>alert(1)</script>"), 9, frozenset(), PEN)
    assert "<script" not in drawn
    assert "&lt;script&gt;" in drawn


def test_rows_and_picture_agree_on_their_heights() -> None:
    rows = rows_of(page(), frozenset({"c1", "c3"}))
    drawn = branch_tree(page(), 9, frozenset({"c1", "c3"}), PEN)
    assert [int(h) for h in re.findall(r"height:(\d+)px", drawn)] == [r.height for r in rows]
    assert f'height="{sum(r.height for r in rows)}"' in drawn
