"""A booked flight that the airline moves: what traveller and reviewer see of it, and each answer, clicked on a running server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.stories.test_moved_flights import TO_LUTON, moved
from tests.stories.ways_back import booked, picks, steps, ticketed, walker
from tests.stories.world import Json, World
from tests.ui.conftest import Begin
from tests.ui.living import PATIENCE, Visitors

pytestmark = pytest.mark.browser
WORDS = {
    "en": (TO_LUTON, "The airline has moved this flight", "Before", "Now"),
    "zh": ("12月11日从LHR飞LTN", "航司改了航班时间", "原来", "现在"),
}


def moved_trip(visitors: Visitors, language: str = "en") -> Json:
    async def story(world: World) -> Json:
        tina, rita = await world.person("tina", language), await world.person("rita")
        return (await moved(world, tina, rita, WORDS[language][0]))[1]

    return visitors.server.told(story)


def times(visitors: Visitors) -> tuple[str, str]:
    """Old and new departure, as the airline has them."""
    change = visitors.server.orders()[0]["airline_initiated_changes"][-1]
    return change["removed"][0]["departing_at"][11:16], change["added"][0]["departing_at"][11:16]


def desk_of(visitors: Visitors, language: str = "en", **screen: int | bool) -> Page:
    desk = visitors.comes("Tina", "/desk/", language=language, **screen)  # type: ignore[arg-type]
    expect(desk.locator(".moved")).to_be_attached(timeout=PATIENCE)
    return desk


@pytest.mark.parametrize("language", ["en", "zh"])
def test_old_and_new_times_stand_on_the_card_and_accepting_keeps_the_booking(begin: Begin, language: str) -> None:
    visitors = begin()
    moved_trip(visitors, language)
    was, now = times(visitors)
    before, orders = visitors.server.effects(), visitors.server.orders()
    card = desk_of(visitors, language).locator(".moved")
    for words in WORDS[language][1:]:
        expect(card).to_contain_text(words)
    expect(card.locator(".before")).to_contain_text(was)
    expect(card.locator(".after")).to_contain_text(now)
    expect(card).to_contain_text(orders[0]["booking_reference"])
    card.locator('[data-do="resubmit"]').click()
    desk = card.page
    expect(desk.locator('[data-status="booked"]')).to_be_visible(timeout=PATIENCE)
    expect(desk.locator(".moved")).to_have_count(0)
    expect(desk.locator(".ticket")).to_contain_text(now)
    assert visitors.server.effects() == before
    assert [o["id"] for o in visitors.server.orders()] == [o["id"] for o in orders]


def test_another_flight_is_looked_for_and_the_booking_stays_until_then(begin: Begin) -> None:
    visitors = begin()
    moved_trip(visitors)
    before = visitors.server.effects()
    desk = desk_of(visitors)
    desk.click('.moved [data-do="change"]')
    expect(desk.locator(".option").first).to_be_visible(timeout=PATIENCE)
    expect(desk.locator(".moved")).to_have_count(0)
    assert visitors.server.effects() == before
    assert len(visitors.server.orders()) == 1


def test_the_desk_is_asked_in_words_and_its_answer_stands_on_the_card(begin: Begin) -> None:
    visitors = begin()
    trip = moved_trip(visitors)
    desk = desk_of(visitors)
    desk.click(".moved details summary")
    desk.fill(".moved textarea", "Is there a bus instead?")
    desk.click('.moved [data-do="ask"]')
    expect(desk.locator(".moved")).to_contain_text("The desk is looking into it", timeout=PATIENCE)
    expect(desk.locator(".moved blockquote")).to_have_text("Is there a bus instead?")
    expect(desk.locator('.moved [data-do="resubmit"]')).to_have_count(0)

    async def answered(world: World) -> None:
        rita = await world.person("rita")
        await rita.does(f"/trips/{trip['trip_id']}/reply", {"text": "No bus at that hour"})

    visitors.server.told(answered)
    expect(desk.locator(".moved blockquote")).to_contain_text("No bus at that hour", timeout=PATIENCE)
    expect(desk.locator(".moved blockquote cite")).to_have_text("Rita")
    desk.click('.moved [data-do="resubmit"]')
    expect(desk.locator('[data-status="booked"]')).to_be_visible(timeout=PATIENCE)


def test_the_reviewer_sees_the_same_card_and_answers_who_asks(begin: Begin) -> None:
    visitors = begin()
    trip = moved_trip(visitors)
    was, now = times(visitors)
    rita = visitors.comes("Rita", "/review/")
    rita.click('[data-do="filter"][data-value="operations"]')
    card = rita.locator(".moved")
    expect(card.locator(".before")).to_contain_text(was)
    expect(card.locator(".after")).to_contain_text(now)
    expect(card.locator("button")).to_have_count(0)
    expect(rita.locator(".case")).to_contain_text("Waiting for Tina to answer")

    async def asks(world: World) -> None:
        await (await world.person("tina")).answer(trip["trip_id"], "ask", message="Is there a bus instead?")

    visitors.server.told(asks)
    expect(rita.locator(".case")).to_contain_text("Is there a bus instead?", timeout=PATIENCE)
    rita.fill(".reply textarea", "No bus at that hour")
    rita.click('[data-do="reply"]')
    expect(rita.locator(".toast")).to_contain_text("the traveller's turn", timeout=PATIENCE)
    desk = desk_of(visitors)
    expect(desk.locator(".moved blockquote")).to_contain_text("No bus at that hour")


def test_a_booking_nobody_wants_is_listed_and_given_up_by_a_review(begin: Begin) -> None:
    visitors = begin()
    server = visitors.server
    trip = server.told(kept_both)
    desk = visitors.comes("Tina", "/desk/")
    others = desk.locator(".other-bookings")
    expect(others).to_contain_text("nothing is cancelled by itself")
    old = others.locator("[data-order-row]").get_attribute("data-order-row")
    others.locator("summary").click()
    others.locator('[data-do="cancel"]').click()
    rita = visitors.comes("Rita", f"/review/?timeline={trip['trip_id']}")
    expect(rita.locator("#timeline .other-bookings")).to_contain_text("The decision that is waiting settles it", timeout=PATIENCE)
    rita.keyboard.press("Escape")
    before = server.effects()
    rita.locator("#inbox .reviews button").click()
    expect(rita.locator(".plan")).to_contain_text("Cancel")
    rita.click("#approve")
    expect(desk.locator(".other-bookings")).to_have_count(0, timeout=PATIENCE)
    expect(desk.locator(".ticket")).to_have_count(1)
    assert server.effects() == [*before, "cancel"]
    assert old not in [order["id"] for order in server.orders()]
    assert len(server.orders()) == 1


async def kept_both(world: World) -> Json:
    """A ticket, and rita going back to another list; what is chosen there is booked beside it."""
    tina, rita, guide = await world.person("tina"), await world.person("rita"), await walker(world, "rita")
    _, trip = await booked(tina, rita)
    start = (await steps(world, trip["trip_id"], "start"))[0]
    await guide.goes_back(trip["trip_id"], start, {"depart_on": "2026-12-12"}, settle="keep_both")
    return await ticketed(tina, rita, await picks(tina, await tina.trip(trip["trip_id"])))
