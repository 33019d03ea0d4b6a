"""What going back costs: what nobody knows is not shown as free."""

from __future__ import annotations

import pytest

from assistant.domain.plans import Choice, StepKind
from assistant.domain.understanding import Language
from assistant.views.shapes import ChoiceView, PlanView, StepView
from assistant.views.thread_shapes import WayBack
from tests.ui.scenery import NOW
from tests.ui.timeline_stage import cny, page, way
from ui.pen import Pen
from ui.way_back import way_back


def asks_the_airline(chosen: Choice) -> WayBack:
    kept = StepView(kind=StepKind.KEEP, operation_id="k", text="Keep MU523, seat 14A", amount=None)
    choices = tuple(ChoiceView(id=c, net=cny("0"), text=c.value) for c in (Choice.KEEP, Choice.BY_HAND))
    plan = PlanView(digest="d", steps=(kept,), choices=choices, chosen=chosen, net=cny("0"))
    return way().model_copy(update={"plan": plan})


@pytest.mark.parametrize(
    ("language", "free", "unknown"), [("en", "free", "the airline says what it costs"), ("zh", "免费", "费用由航司定")]
)
def test_asking_the_airline_is_not_said_to_be_free(language: Language, free: str, unknown: str) -> None:
    pen = Pen(language, "UTC", NOW)
    shown = way_back(asks_the_airline(Choice.KEEP), "Go", page(), pen, settle=None, branch=None)
    assert (shown.count(f">{free}<"), shown.count(unknown)) == (1, 1)


def test_the_headline_says_who_names_the_price_where_the_airline_is_asked() -> None:
    pen = Pen("en", "UTC", NOW)
    shown = way_back(asks_the_airline(Choice.BY_HAND), "Go", page(), pen, settle="by_hand", branch=None)
    assert "No money moves now; the airline says what the seat costs" in shown
