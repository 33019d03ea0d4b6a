"""The operators' list in a browser: what a press asks for, what is asked first, the keyboard, both themes and widths."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from assistant.domain.commands import Kind
from tests.ui.conftest import Open
from tests.ui.scenery import RITA
from tests.ui.stage import Stage

pytestmark = pytest.mark.browser
WHY = "Their desk told us on the phone"


def opened_on(page: Page, case_id: str) -> None:
    expect(page.locator(f'[data-case-card="{case_id}"]')).to_be_visible()


def press(page: Page, word: str) -> None:
    page.click(f'[data-do="resolve"][data-word="{word}"]')


def test_the_inbox_tells_how_many_need_a_person_and_leads_there(open_page: Open) -> None:
    page = open_page(Stage(actor=RITA), "/review/")
    tab = page.locator('[data-do="filter"][data-value="operations"]')
    expect(tab).to_contain_text("Operations")
    expect(tab.locator(".count")).to_have_text("3")
    tab.click()
    opened_on(page, "op1")
    expect(page.locator(".reviews li")).to_have_count(4)
    page.click('[data-do="filter"][data-value="waiting"]')
    expect(page.locator('[data-review-card="r3"]')).to_be_visible()


def test_nothing_is_said_without_a_reason_and_no_order_adopted_without_its_id(open_page: Open) -> None:
    stage = Stage(actor=RITA)
    page = open_page(stage, "/review/?case=op1")
    press(page, "adopt")
    expect(page.locator("#reason")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#reason")).to_be_focused()
    page.fill("#reason", WHY)
    press(page, "adopt")
    expect(page.locator("#order-id")).to_have_attribute("aria-invalid", "true")
    assert stage.accepted == []
    page.fill("#order-id", "ord_0001")
    press(page, "adopt")
    expect(page.locator("#notice")).to_contain_text("Recorded: Adopt the booking")
    expect(page.locator('[data-case-card="op1"]')).to_contain_text(WHY)
    (said,) = stage.accepted
    assert (said.kind, said.target) == (Kind.RESOLVE_OPERATION, "op1")
    assert said.payload == {"resolution": "adopt", "reason": WHY, "order_id": "ord_0001"}
    expect(page.locator("#reason")).to_have_value("")


def test_marking_as_not_booked_and_cancelling_are_what_their_buttons_say(open_page: Open) -> None:
    stage = Stage(actor=RITA)
    page = open_page(stage, "/review/?case=op1")
    page.fill("#reason", WHY)
    press(page, "not_booked")
    expect(page.locator('.reviews [data-case="op1"]')).to_have_count(0)
    page.click('.reviews [data-case="op2"]')
    opened_on(page, "op2")
    expect(page.locator("#detail")).to_contain_text("QX7M2K")
    expect(page.locator("#order-id")).to_have_count(0)
    page.fill("#reason", WHY)
    press(page, "cancel")
    expect(page.locator("#notice")).to_contain_text("Recorded: Cancel the booking")
    assert [(c.target, c.payload["resolution"]) for c in stage.accepted] == [("op1", "not_booked"), ("op2", "cancel")]


def test_who_comes_second_is_told_by_whom_it_was_settled(open_page: Open) -> None:
    page = open_page(Stage(actor=RITA, refuse="already_decided"), "/review/?case=op2")
    page.fill("#reason", WHY)
    press(page, "cancel")
    expect(page.locator("#notice")).to_contain_text("Already decided by Raj")


def test_it_works_without_a_mouse(open_page: Open) -> None:
    stage = Stage(actor=RITA)
    page = open_page(stage, "/review/?case=op1")
    page.keyboard.press("j")
    opened_on(page, "op2")
    page.keyboard.press("r")
    expect(page.locator("#reason")).to_be_focused()
    page.keyboard.type(WHY)
    page.keyboard.press("Tab")
    expect(page.locator('[data-word="adopt"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("Recorded")
    assert stage.accepted[0].payload["resolution"] == "adopt"
    assert "case=op2" in page.url


def test_what_is_typed_stays_while_the_case_changes_elsewhere(open_page: Open) -> None:
    stage = Stage(actor=RITA)
    page = open_page(stage, "/review/?case=op1")
    page.fill("#reason", "half a sen")
    with page.expect_request("**/queue/join**"):  # the poll has seen it and the page is drawn anew
        stage.counter += 1
    page.wait_for_timeout(300)
    expect(page.locator("#reason")).to_have_value("half a sen")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1360, 390])
def test_the_list_and_a_case_are_accessible_and_fit(open_page: Open, width: int, dark: bool) -> None:
    page = open_page(Stage(actor=RITA, language="zh" if dark else "en"), "/review/?case=op2", width=width, dark=dark)
    for pane in ("list", "detail") if width < 700 else ("",):
        if pane:
            page.click(f'.panes [data-value="{pane}"]')
        found = Axe().run(page).response["violations"]
        ours = [f"{v['id']}: {n['html'][:120]}" for v in found if v["impact"] in {"serious", "critical"} for n in v["nodes"]]
        assert ours == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
