"""The seat map can be seen, clicked, walked with keys and read aloud."""

from __future__ import annotations

import re

import pytest

from assistant.views.shapes import SeatMapView, SeatRowView, SeatView
from tests.ui.scenery import DIRECT, NOW, seat_map_of
from ui.pen import Pen
from ui.seat_map import Taken, seat_map

VIEW = seat_map_of(DIRECT, 1, ("14A", "14B"))
TAKEN = Taken(seats={"14A": 0, "14B": 1}, names=("TING CHEN", "<b>WEI</b> LI"), action="seat", facts={"trip": "t1"})
PENS = {language: Pen(language, "UTC", NOW) for language in ("zh", "en")}


def one(drawn: str, designator: str) -> str:
    """The markup of one seat, without its children."""
    found = re.search(rf'<g class="seat[^>]*data-seat="{designator}"[^>]*>', drawn)
    assert found, designator
    return found[0]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_each_seat_says_what_it_is(language: str) -> None:
    drawn = seat_map(VIEW, TAKEN, PENS[language])
    window = {"zh": "靠窗", "en": "window"}[language]
    assert window in one(drawn, "20A")
    assert "TING CHEN" in one(drawn, "14A")
    assert 'aria-pressed="true"' in one(drawn, "14A")
    assert 'aria-pressed="false"' in one(drawn, "20A")


def test_names_are_text() -> None:
    assert "<b>WEI" not in seat_map(VIEW, TAKEN, PENS["en"])


def test_there_is_one_way_in_for_the_tab_key() -> None:
    drawn = seat_map(VIEW, TAKEN, PENS["en"])
    assert drawn.count('tabindex="0"') == 1
    assert 'tabindex="0"' in one(drawn, "14A")


def test_a_taken_seat_asks_for_nothing() -> None:
    taken = next(s.designator for r in VIEW.rows for section in r.sections for s in section if not s.available)
    seat = one(seat_map(VIEW, TAKEN, PENS["en"]), taken)
    assert 'aria-disabled="true"' in seat
    assert "data-do" not in seat


def test_a_map_to_look_at_has_no_buttons() -> None:
    drawn = seat_map(VIEW, Taken(seats={"14A": 0}), PENS["en"])
    assert 'role="button"' not in drawn
    assert "data-do" not in drawn


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_airline_without_a_map_is_said(language: str) -> None:
    empty = VIEW.model_copy(update={"rows": ()})
    assert "<svg" not in seat_map(empty, TAKEN, PENS[language])


@pytest.mark.parametrize("letters", [("AC", "DF"), ("ABC", "DEFG", "HJK"), ("A", "B", "C", "D")])
def test_any_cabin_is_drawn_inside_its_frame(letters: tuple[str, ...]) -> None:
    row = SeatRowView(
        number=1, sections=tuple(tuple(SeatView(designator=f"1{c}", kind="seat", available=True) for c in s) for s in letters)
    )
    door = SeatRowView(number=0, sections=tuple((SeatView(designator="", kind="exit_row", available=False),) for _ in letters))
    drawn = seat_map(
        SeatMapView(segment_key="x", segment=1, flight="X1", aircraft=None, cabin="c", rows=(row, door)),
        Taken(seats={}),
        PENS["en"],
    )
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', drawn)[1])  # pyright: ignore[reportOptionalSubscript]
    assert all(float(x) >= 0 and float(x) + 28 <= width for x in re.findall(r'<rect x="([\d.]+)"', drawn))
    assert drawn.count(">exit<") == len(letters)
