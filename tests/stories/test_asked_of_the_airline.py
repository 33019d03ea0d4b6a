"""A seat that the airline is to be asked for: who asks sees what for, and their answer ends it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from assistant.domain.understanding import Language
from assistant.views.shapes import TripView
from tests.stories.ways_back import booked, cheap_seats, steps, walker
from tests.stories.world import Chat, Json, Person, World
from ui.attention import about_trip
from ui.pen import Pen


async def asked(world: World, tina: Person, rita: Person) -> tuple[Chat, Json, str]:
    """A ticket, and rita having the airline asked for another seat."""
    chat, trip = await booked(tina, rita)
    other = (await cheap_seats(tina, trip, 1))[0]
    choice = (await steps(world, trip["trip_id"], "choose"))[0]
    guide = await walker(world, "rita")
    correction = {"seats": {"1": {"1": other}}}
    await guide.goes_back(trip["trip_id"], choice, correction, settle="by_hand", reason="She needs room for her leg")
    now = await tina.trip(trip["trip_id"])
    if now["status"] == "waiting_traveller":
        await tina.answer(trip["trip_id"], "agree")
    return chat, trip, other


async def test_who_asks_reads_the_booking_both_seats_why_and_who_wants_it(world: World, tina: Person, rita: Person) -> None:
    _, trip, other = await asked(world, tina, rita)
    (case,) = (await rita.get("/operations/cases"))["cases"]
    assert (case["kind"], case["trip_id"]) == ("trip", trip["trip_id"])
    now = await rita.trip(trip["trip_id"])
    assert now["asks"]["wished"] == [other]
    assert (now["asks"]["by"], now["asks"]["message"]) == ("Rita", "She needs room for her leg")


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_all_of_it_stands_beside_the_case_with_a_field_for_the_answer(
    world: World, tina: Person, rita: Person, language: Language
) -> None:
    _, trip, other = await asked(world, tina, rita)
    now = TripView.model_validate(await rita.trip(trip["trip_id"]))
    shown = about_trip(now, "Tina", Pen(language, "Asia/Shanghai", datetime(2026, 11, 30, tzinfo=UTC)))
    sits, reference = trip["orders"][0]["seats"][0], trip["orders"][0]["booking_reference"]
    for words in (sits, other, reference, "She needs room for her leg", "Rita", 'data-do="reply"'):
        assert words in shown
    assert {"zh": "想要的座位", "en": "Seat wanted"}[language] in shown


async def test_the_answer_ends_it_and_the_ticket_stays(world: World, tina: Person, rita: Person) -> None:
    chat, trip, _ = await asked(world, tina, rita)
    effects = world.effects()
    await rita.does(f"/trips/{trip['trip_id']}/reply", {"text": "They have no other seat for her"})
    await world.quiet()
    assert (await rita.get("/operations/cases"))["cases"] == []
    assert "They have no other seat for her" in (await chat.told())[-1]
    waits = await tina.trip(trip["trip_id"])
    assert (waits["status"], waits["asks"]) == ("choosing", None)
    await tina.does(f"/trips/{trip['trip_id']}/choice", {"answer": "resubmit"})
    now = await tina.trip(trip["trip_id"])
    assert (now["status"], now["orders"]) == ("booked", trip["orders"])
    assert now["selection"]["seats"] == trip["selection"]["seats"]
    assert world.effects() == effects
