"""Going back, clicked through by traveller and reviewers on a server that runs: what was misread, and what was booked."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.stories.test_going_back_in_a_chat import NOT_THE_AISLE, HearsAisle
from tests.stories.world import seats_at_airline
from tests.ui.conftest import Begin
from tests.ui.living import PATIENCE, Living, Visitors, goes, looks, opens, say

pytestmark = pytest.mark.browser
TO_TOKYO = "From Shanghai to Tokyo on 8 December"


def submits(desk: Page, seat: str | None = None) -> None:
    """Takes the first option that has that seat, and submits it for approval."""
    desk.wait_for_selector(".option")
    for option in range(desk.locator(".option").count()):
        desk.locator(".option").nth(option).click()
        desk.wait_for_selector(".seats svg")
        if seat is None or desk.locator(f'.seat.free[data-seat="{seat}"]').count():
            break
        desk.click('[data-do="stage"][data-value="offers"]')
    if seat is not None:
        desk.click(f'.seat[data-seat="{seat}"]')
        expect(desk.locator(f'.seat.mine[data-seat="{seat}"]')).to_be_visible()
    desk.click('[data-do="stage"][data-value="check"]')
    if seat is not None:
        expect(desk.locator(".check")).to_contain_text(seat, timeout=PATIENCE)
    desk.click('[data-do="choose"]')
    expect(desk.locator('[data-status="waiting_review"]')).to_be_visible(timeout=PATIENCE)


def approves(reviewer: Page) -> None:
    reviewer.wait_for_selector("#approve")
    reviewer.click("#approve")
    expect(reviewer.locator(".toast")).to_be_visible(timeout=PATIENCE)


def books_14a(visitors: Visitors) -> tuple[Page, Page]:
    """Tina at the desk and rita at her inbox, after a ticket for 14A."""
    desk = visitors.comes("Tina", "/desk/")
    say(desk, TO_TOKYO)
    submits(desk, "14A")
    reviewer = visitors.comes("Rita", "/review/")
    approves(reviewer)
    tickets(visitors.server, desk)
    expect(desk.locator(".ticket .manifest")).to_contain_text("14A")
    return desk, reviewer


def tickets(server: Living, desk: Page) -> None:
    """The airline writes its documents, some time after what was approved has reached it."""
    for _ in range(20):
        server.told(lambda world: world.later(5))
        if desk.locator('[data-status="booked"]').count():
            break
    expect(desk.locator('[data-status="booked"]')).to_be_visible(timeout=PATIENCE)


def test_a_wish_that_was_misread_is_put_right_and_the_trip_runs_to_a_new_choice_and_a_new_approval(begin: Begin) -> None:
    visitors = begin(interpreter=HearsAisle())
    desk = visitors.comes("Tina", "/desk/")
    say(desk, NOT_THE_AISLE)
    submits(desk)
    reviewer = visitors.comes("Rita", "/review/")
    expect(reviewer.locator(".review")).to_contain_text("an aisle seat")
    expect(reviewer.locator(".words")).to_contain_text("Anything but the aisle")

    reviewer.get_by_role("link", name="Steps of the conversation").click()
    opens(reviewer, "Understood: an aisle seat", turn="Said: Anything but the aisle")
    expect(reviewer.locator(".tl-facts")).to_contain_text("an aisle seat")
    reviewer.select_option('[name="c.wishes.0.polarity"]', "avoid")
    looks(reviewer)
    expect(reviewer.locator("#tl-way")).to_contain_text("Tina")
    expect(reviewer.locator("#tl-way")).to_contain_text("Flights that are taken back")
    button = reviewer.locator("#tl-way [type=submit]")
    expect(button).to_have_text("Go back to step 2 · Understood: an aisle seat")
    goes(reviewer, "She said anything but the aisle")

    expect(reviewer.locator(".tl-row", has_text="Understood: not an aisle seat")).to_contain_text(
        "She said anything but the aisle"
    )
    assert reviewer.locator(".tl-edge.left").first.evaluate("edge => getComputedStyle(edge).strokeDasharray") != "none"
    expect(desk.locator(".message.desk", has_text="options, from")).to_be_visible(timeout=PATIENCE)
    expect(desk.locator("#chat")).to_contain_text("Noted: not an aisle seat")
    expect(desk.locator("#chat")).to_contain_text("was withdrawn")
    for news in ("choosing", "withdrawn"):
        expect(reviewer.locator(".tl-row:not(.left)", has_text=f"News of a trip: {news}")).to_be_visible()
    opens(reviewer, "News of a trip: waiting for approval")
    expect(reviewer.locator(".tl-detail")).to_contain_text("off the main line")
    opens(reviewer, "Answered", turn="Said: Anything but the aisle")
    expect(reviewer.locator(".tl-detail .pill")).to_have_text("off the main line")

    submits(desk)
    reviewer.keyboard.press("Escape")
    expect(reviewer.locator("#inbox .reviews li")).to_have_count(1, timeout=PATIENCE)
    reviewer.locator("#inbox .reviews button").click()
    expect(reviewer.locator(".review")).to_contain_text("not an aisle seat")
    approves(reviewer)
    tickets(visitors.server, desk)
    assert len(visitors.server.orders()) == 1


def test_booked_14a_gone_back_and_corrected_to_3c_there_is_one_live_order(begin: Begin, data_dir: Path) -> None:
    rules = data_dir / "policy.toml"
    rules.write_text("[rewind]\nfour_eyes_over.CNY = 100\n")
    visitors = begin(policy=rules)
    server = visitors.server
    desk, rita = books_14a(visitors)
    before = server.effects()
    trip = desk.locator("[data-trip-card]").get_attribute("data-trip-card")
    rita.goto(f"{server.base}/review/?timeline={trip}")
    rita.wait_for_selector(".tl-detail")
    opens(rita, "Choice")
    rita.click('#tl-correction .seat[data-seat="3C"]')
    expect(rita.locator('#tl-correction .seat.mine[data-seat="3C"]')).to_be_visible()
    looks(rita)
    choices = rita.locator("#tl-way .chips [data-settle]")
    expect(choices).to_have_count(3)
    for nth, words in enumerate(("Keep the booking", "Have the airline asked", "Cancel and book again")):
        expect(choices.nth(nth)).to_contain_text(words)
    expect(choices.nth(0)).to_have_attribute("aria-pressed", "true")
    choices.nth(2).click()
    expect(rita.locator("#tl-way .net")).to_contain_text("CNY to pay in all")
    expect(rita.locator("#tl-way .plan li")).to_have_count(2)
    expect(rita.locator("#tl-way")).to_contain_text("Another reviewer has to approve")
    assert server.effects() == before
    goes(rita, "The front is better")

    expect(rita.locator("#tl-correction, .tl-detail").first).to_be_visible()
    if desk.locator('[data-do="agree"]').count():
        desk.click('[data-do="agree"]')
    raj = visitors.comes("Raj", "/review/")
    rita.goto(f"{server.base}/review/")
    approves_not(rita)
    assert server.effects() == before
    approves(raj)
    tickets(server, desk)
    expect(desk.locator(".ticket .manifest")).to_contain_text("3C")
    expect(desk.locator(".ended")).to_contain_text("cancelled")
    assert server.effects() == [*before, "cancel", "book"]
    assert [seats_at_airline(order) for order in server.orders()] == [{"Ting Chen": "3C"}]


def approves_not(reviewer: Page) -> None:
    """The one who went back presses it too, and reads why it is not for them to decide."""
    reviewer.wait_for_selector("#approve")
    reviewer.click("#approve")
    expect(reviewer.locator(".toast.warn")).to_be_visible(timeout=PATIENCE)


def test_gone_back_without_a_change_the_same_order_stands_and_nothing_happens_at_the_airline(begin: Begin) -> None:
    visitors = begin()
    server = visitors.server
    desk, rita = books_14a(visitors)
    before, orders = server.effects(), [order["id"] for order in server.orders()]
    trip = desk.locator("[data-trip-card]").get_attribute("data-trip-card")
    rita.goto(f"{server.base}/review/?timeline={trip}")
    rita.wait_for_selector(".tl-detail")
    opens(rita, "Choice")
    looks(rita)
    expect(rita.locator("#tl-way .net")).to_contain_text("No money moves")
    expect(rita.locator("#tl-way")).to_contain_text("Nobody has to agree first.")
    goes(rita, "To see whether it stands")
    expect(rita.locator(".tl-detail")).to_contain_text("booked")
    assert server.effects() == before
    assert [order["id"] for order in server.orders()] == orders
    rita.keyboard.press("Escape")
    expect(rita.locator("#inbox .reviews li")).to_have_count(0)
    expect(desk.locator('[data-status="booked"] .manifest')).to_contain_text("14A")
