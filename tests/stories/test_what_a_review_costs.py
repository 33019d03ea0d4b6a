"""A decision that gives a ticket up says so first: what was paid, what comes back, and why somebody went back."""

from __future__ import annotations

from datetime import UTC, datetime

from assistant.views.shapes import ReviewView
from tests.stories.ways_back import booked, picks, steps, walker
from tests.stories.world import Person, World
from ui.decision import review_detail
from ui.editing import Editing
from ui.pen import Pen


async def test_a_replacement_names_the_ticket_that_goes_and_who_went_back_and_why(
    world: World, tina: Person, rita: Person
) -> None:
    _, trip = await booked(tina, rita)
    guide, (start,) = await walker(world, "rita"), await steps(world, trip["trip_id"], "start")
    await guide.goes_back(trip["trip_id"], start, {"depart_on": "2026-12-12"}, reason="The fair is a day later")
    waits = await picks(tina, await tina.trip(trip["trip_id"]))
    view = ReviewView.model_validate(await rita.review(waits["review_id"]))
    (lost,) = view.loses
    paid = trip["orders"][0]
    assert paid["fare"]["segments"][0]["flight_number"] in lost
    assert f"{float(paid['total']['amount']):,.2f}" in lost
    assert view.went_back == "Gone back by Rita: “The fair is a day later”"
    shown = review_detail(view, Editing(), None, (), Pen("en", "Asia/Shanghai", datetime(2026, 11, 30, tzinfo=UTC)))
    assert shown.index(lost) < shown.index("</header>")
    assert "The fair is a day later" in shown


async def test_a_plain_purchase_loses_nothing(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    waits = await picks(tina, await chat.trip())
    review = await rita.review(waits["review_id"])
    assert (review["loses"], review["went_back"]) == ([], None)
