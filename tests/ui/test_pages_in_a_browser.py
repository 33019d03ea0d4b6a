"""The pages in a real browser, on a stage: what a click sends, what survives a reload, what cannot be slipped in."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from assistant.domain.commands import Kind
from tests.ui.conftest import Open
from tests.ui.scenery import RITA
from tests.ui.stage import Stage

TWICE = """() => {
  const button = document.querySelector('[data-do="choose"]');
  button.click();
  button.removeAttribute('aria-busy');
  button.click();
}"""
pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=window.__ran=1> ${window.__ran=2} {{constructor.constructor('window.__ran=3')()}}"


def say(page: Page, text: str) -> None:
    page.fill("#message", text)
    page.press("#message", "Enter")


def test_a_message_is_sent_once_and_shown_as_text(open_page: Open) -> None:
    stage = Stage()
    page = open_page(stage, "/desk/")
    say(page, HOSTILE)
    expect(page.locator("#chat")).to_contain_text("onerror")
    expect(page.locator("#chat")).to_contain_text("By the window.")
    assert page.evaluate("window.__ran") is None
    assert page.locator("#chat img").count() == 0
    assert [c.payload["text"] for c in stage.accepted] == [HOSTILE]


def test_a_double_click_is_one_intent(open_page: Open) -> None:
    stage = Stage()
    page = open_page(stage, "/desk/")
    page.click('[data-do="pick"][data-value="1"]')
    page.click('[data-do="stage"][data-value="check"]')
    page.wait_for_selector('[data-do="choose"]')
    page.evaluate(TWICE)
    expect(page.locator('[data-status="waiting_review"]')).to_be_visible()
    assert [c.kind for c in stage.accepted] == [Kind.CHOOSE]


def test_the_same_words_said_again_later_are_another_message(open_page: Open) -> None:
    stage = Stage()
    page = open_page(stage, "/desk/")
    for count in (1, 2):
        say(page, "yes")
        expect(page.locator(".message.mine", has_text="yes")).to_have_count(count)
        expect(page.locator(".writing")).to_have_count(0)
        page.wait_for_function("!(sessionStorage.getItem('layover.keys') || '').includes('yes')")
    assert len({c.command_id for c in stage.accepted}) == 2


def test_a_message_that_got_lost_is_sent_again_under_its_key(open_page: Open) -> None:
    stage = Stage()
    page = open_page(stage, "/desk/")
    lost: list[str] = []

    def lose_the_first(route: Route) -> None:
        if "hello there" in (route.request.post_data or "") and not lost:
            lost.append(route.request.url)
        else:
            route.continue_()

    page.route("**/queue/join**", lose_the_first)
    say(page, "hello there")
    kept = page.evaluate("JSON.parse(sessionStorage.getItem('layover.sent')).key")
    page.reload()
    expect(page.locator("#message")).to_have_value("hello there")
    page.press("#message", "Enter")
    expect(page.locator("#chat")).to_contain_text("By the window.")
    assert [c.command_id for c in stage.accepted] == [kept]


def test_a_message_whose_answer_got_lost_is_not_offered_again(open_page: Open) -> None:
    stage = Stage()
    page = open_page(stage, "/desk/")
    say(page, "hello there")
    expect(page.locator("#chat")).to_contain_text("By the window.")
    key = stage.accepted[0].command_id
    page.evaluate(
        "key => sessionStorage.setItem('layover.sent', JSON.stringify({key, text: 'hello there', conversation: 'c1'}))", key
    )
    page.reload()
    expect(page.locator("#chat")).to_contain_text("hello there")
    page.wait_for_function("!sessionStorage.getItem('layover.sent')")
    expect(page.locator("#message")).to_have_value("")


def test_a_draft_and_picked_seats_are_there_after_a_reload(open_page: Open) -> None:
    page = open_page(Stage(), "/desk/")
    page.click('[data-do="pick"][data-value="1"]')
    page.locator('.seat[data-seat="21A"]').click()
    expect(page.locator(".seated").first).to_contain_text("21A")
    page.fill("#message", "half a sen")
    page.reload()
    expect(page.locator("#message")).to_have_value("half a sen")
    expect(page.locator(".seated").first).to_contain_text("21A")


def test_the_seat_map_works_without_a_mouse(open_page: Open) -> None:
    page = open_page(Stage(), "/desk/")
    page.click('[data-do="pick"][data-value="1"]')
    page.locator('.seat[data-seat="14A"]').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    landed = page.evaluate("document.activeElement.dataset.seat")
    assert landed == "15B"
    page.keyboard.press("Enter")
    expect(page.locator(".seated").first).to_contain_text("15B")
    assert page.evaluate("document.activeElement.dataset.seat") == "15B"


def test_enter_while_composing_chinese_sends_nothing(open_page: Open) -> None:
    stage = Stage(language="zh")
    page = open_page(stage, "/desk/")
    page.fill("#message", "上海")
    page.dispatch_event("#message", "keydown", {"key": "Enter", "isComposing": True, "bubbles": True})
    expect(page.locator("#message")).to_have_value("上海")
    assert stage.accepted == []


def test_what_changes_elsewhere_appears_and_what_is_typed_stays(open_page: Open) -> None:
    stage = Stage(scene="asked")
    page = open_page(stage, "/desk/")
    page.fill("textarea[name=message]", "because of the trade fair")
    page.fill("#message", "half a sentence")
    stage.title, stage.counter = "Another title", stage.counter + 1
    expect(page.locator(".conversations")).to_contain_text("Another title")
    expect(page.locator("textarea[name=message]")).to_have_value("because of the trade fair")
    expect(page.locator("#message")).to_have_value("half a sentence")


def test_somebody_elses_conversation_is_no_address(open_page: Open) -> None:
    page = open_page(Stage(), "/desk/?conversation=somebody-elses")
    expect(page.locator("#notice")).to_contain_text("no such thing")
    expect(page.locator("#chat h1")).to_be_visible()


def test_names_are_suggested_and_confirmed_and_sent_by_the_form(open_page: Open) -> None:
    stage = Stage(language="zh", named=False)
    page = open_page(stage, "/desk/")
    page.click(".who details.add summary")
    page.fill("[data-native]", "吕小明")
    expect(page.locator(".person input[name=family_name]")).to_have_value("LYU")
    page.select_option(".person select[name=title]", "mr")
    page.select_option(".person select[name=gender]", "m")
    page.fill(".person input[name=born_on]", "1991-02-03")
    page.fill(".person input[name=phone]", "+8613900000000")
    page.fill(".person input[name=email]", "xm@example.org")
    page.click('[data-do="save_person"]')
    assert stage.accepted == []  # not confirmed yet
    page.check(".person input[name=confirmed]")
    page.click('[data-do="save_person"]')
    expect(page.locator(".who details.add")).not_to_have_attribute("open", re.compile(".*"))
    assert stage.accepted[0].kind is Kind.SAVE_PERSON
    assert "'given_name': 'XIAOMING'" in str(stage.accepted[0].payload["details"])


def test_a_key_arms_approval_and_enter_approves_and_the_next_opens(open_page: Open) -> None:
    stage = Stage(actor=RITA)
    page = open_page(stage, "/review/")
    page.keyboard.press("j")
    expect(page.locator('[data-review-card="r1"]')).to_be_visible()
    page.keyboard.press("a")
    expect(page.locator("#approve")).to_contain_text("Enter to approve")
    assert stage.accepted == []
    page.keyboard.press("Enter")
    expect(page.locator('[data-review-card="r2"]')).to_be_visible()
    (decided,) = stage.accepted
    assert (decided.kind, decided.target) == (Kind.DECIDE, "r1")
    assert decided.payload == {"type": "approve", "digest": "d-r1"}


def test_leaving_the_armed_button_disarms_it(open_page: Open) -> None:
    stage = Stage(actor=RITA)
    page = open_page(stage, "/review/")
    page.keyboard.press("a")
    page.keyboard.press("Tab")
    expect(page.locator("#approve")).not_to_contain_text("Enter to approve")


def test_a_seat_edited_in_the_inbox_is_previewed_and_approved_as_an_edit(open_page: Open) -> None:
    stage = Stage(actor=RITA)
    page = open_page(stage, "/review/?review=r1")
    page.locator('.seat[data-seat="21A"]').click()
    expect(page.locator(".plan")).to_contain_text("21A")
    expect(page.locator("#approve")).to_contain_text("Approve edits")
    page.click("#approve")
    expect(page.locator("#notice")).to_contain_text("Approved with edits")
    (decided,) = stage.accepted
    assert decided.payload == {"type": "edit", "digest": "edited-21A", "edits": {"seats": {"1": {"1": "21A"}}}}


def test_no_rejection_without_a_reason_and_no_reason_left_under_the_next(open_page: Open) -> None:
    stage = Stage(actor=RITA)
    page = open_page(stage, "/review/?review=r1")
    page.click('[data-do="reject"]')
    expect(page.locator("#reason")).to_have_attribute("aria-invalid", "true")
    assert stage.accepted == []
    page.fill("#reason", "please take the train")
    page.click('[data-do="reject"]')
    expect(page.locator('[data-review-card="r2"]')).to_be_visible()
    expect(page.locator("#reason")).to_have_value("")
    assert stage.accepted[0].payload["message"] == "please take the train"


def test_who_was_slower_is_told_by_whom_it_was_decided(open_page: Open) -> None:
    stage = Stage(actor=RITA, refuse="already_decided")
    page = open_page(stage, "/review/?review=r1")
    page.click("#approve")
    expect(page.locator("#notice")).to_contain_text("Already decided by Raj")


def test_a_second_notice_is_seen_after_the_first_has_faded(open_page: Open) -> None:
    page = open_page(Stage(actor=RITA), "/review/?review=r1")
    for following in ("r2", "r3"):
        page.click("#approve")
        expect(page.locator(f'[data-review-card="{following}"]')).to_be_visible()
        expect(page.locator(".toast")).to_be_visible()
        page.evaluate("document.querySelector('.toast').getAnimations().forEach(each => each.finish())")
        expect(page.locator(".toast")).to_be_hidden()


def test_several_are_approved_together_after_each_was_named(open_page: Open) -> None:
    stage = Stage(actor=RITA)
    page = open_page(stage, "/review/")
    page.check('[data-tick="r1"]')
    page.check('[data-tick="r2"]')
    page.click('[data-do="together"]')
    expect(page.locator(".together-list li")).to_have_count(2)
    assert stage.accepted == []
    page.click('[data-do="approve_together"]')
    expect(page.locator("#notice")).to_contain_text("2 approved")
    assert {c.target: c.payload["digest"] for c in stage.accepted} == {"r1": "d-r1", "r2": "d-r2"}


@pytest.mark.parametrize("width", [1360, 390])
def test_however_long_an_operator_says_why_purchases_are_paused_the_switches_stay_in_reach(open_page: Open, width: int) -> None:
    page = open_page(Stage(paused="the month is being closed and nobody may buy " * 5), "/desk/", width=width)
    said = page.locator(".bar .paused")
    expect(said).to_contain_text("Purchases are paused")
    expect(said).to_be_in_viewport(ratio=1)
    box, below = said.bounding_box(), page.locator("#conversations" if width > 700 else ".panes").bounding_box()
    assert box is not None
    assert below is not None
    assert box["width"] > 300  # room for what is said, not for its first letter
    assert below["y"] >= box["y"] + box["height"]
    if width < 700:
        page.click('.panes [data-value="trips"]')
    for switch in page.locator(".switches button").all():
        expect(switch).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1360, 390])
@pytest.mark.parametrize(("path", "scene"), [("/desk/", "choosing"), ("/desk/", "booked"), ("/review/?review=r1", "waiting")])
def test_the_pages_are_accessible_and_fit(open_page: Open, path: str, scene: str, width: int, dark: bool) -> None:
    stage = Stage(scene=scene, actor=RITA if path.startswith("/review") else Stage().actor, language="zh" if dark else "en")
    page = open_page(stage, path, width=width, dark=dark)
    if width < 700:
        page.click(f'.panes [data-value="{"detail" if path.startswith("/review") else "trips"}"]')
    elif scene == "choosing":
        page.click('[data-do="pick"][data-value="1"]')
        page.wait_for_selector(".seats svg")
    found = Axe().run(page).response["violations"]
    ours = [f"{v['id']}: {n['html'][:120]}" for v in found if v["impact"] in {"serious", "critical"} for n in v["nodes"]]
    assert ours == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
