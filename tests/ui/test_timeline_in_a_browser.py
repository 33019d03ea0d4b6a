"""The timeline in a real browser: opened over a page, walked by keyboard, looked at before it is done, done once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from assistant.domain.commands import Kind
from tests.ui.conftest import Open
from tests.ui.scenery import RITA
from tests.ui.timeline_stage import Threads, TimelineStage

pytestmark = pytest.mark.browser
TWICE = """() => {
  const button = document.querySelector('#tl-way [type=submit]');
  button.click();
  button.removeAttribute('aria-busy');
  button.click();
}"""


def opened(open_page: Open, stage: TimelineStage, path: str = "/review", **screen: int | bool) -> Page:
    page = open_page(stage, f"{path}/?timeline=t1", **screen)
    page.wait_for_selector(".tl-detail")
    return page


def looked(page: Page, version: int) -> None:
    """Picks a step and asks what would happen."""
    page.click(f'.tl-row[data-version="{version}"]')
    expect(page.locator(f'[data-step="{version}"]')).to_be_visible()
    page.click('[data-do="look"]')
    page.wait_for_selector("#tl-way")


def reviewing(**threads: bool | str) -> TimelineStage:
    return TimelineStage(actor=RITA, threads=Threads(**threads))  # type: ignore[arg-type]


def test_a_link_opens_it_over_the_page_and_escape_shuts_it(open_page: Open) -> None:
    page = open_page(TimelineStage(), "/desk/")
    expect(page.locator("#timeline")).to_be_hidden()
    page.locator("#trips a[data-timeline]").first.evaluate("link => link.dataset.timeline = 't1'")
    page.locator("#trips a[data-timeline]").first.click()
    expect(page.locator(".tl-detail")).to_be_visible()
    assert "timeline=t1" in page.url
    page.keyboard.press("Escape")
    expect(page.locator("#timeline")).to_be_hidden()
    assert "timeline" not in page.url


def test_the_tree_is_walked_and_unfolded_by_keyboard(open_page: Open) -> None:
    page = opened(open_page, reviewing())
    rows = page.locator('[role="treeitem"]')
    expect(rows).to_have_count(4)
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(rows).to_have_count(7)
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator('[data-step="7"]')).to_be_visible()
    expect(rows.nth(2)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(rows).to_have_count(4)


def test_a_seat_is_corrected_on_the_map_seen_before_it_is_done_and_done_once(open_page: Open) -> None:
    stage = reviewing()
    page = opened(open_page, stage)
    page.click('.tl-row[data-version="3"]')
    expect(page.locator('[data-step="3"]')).to_be_visible()
    page.select_option("#tl-correction [name='c.offer']", "1")
    page.locator("#tl-correction .seat.free").first.click()
    expect(page.locator("#tl-correction .seat.mine")).to_have_count(2)
    page.click('[data-do="look"]')
    page.wait_for_selector("#tl-way")
    page.click('#tl-way [data-settle="rebook"]')
    expect(page.locator("#tl-way .net")).to_contain_text("900.00")
    corrections = stage.threads.asked[-1]["corrections"]
    assert corrections["offer"] == 1
    assert list(corrections["seats"]["1"]) == ["1"]
    expect(page.locator("#tl-way [type=submit]")).to_have_text("Go back to step 3 · Choice: MU523, seat 14A")
    page.fill("#tl-reason", "the front is better")
    page.evaluate(TWICE)
    expect(page.locator(".toast")).to_contain_text("Gone back to step 3.")
    assert [c.kind for c in stage.accepted] == [Kind.REWIND]
    assert stage.accepted[0].payload == {
        "to_version": 3,
        "seen_version": 9,
        "corrections": corrections,
        "settle": "rebook",
        "confirm": False,
        "reason": "the front is better",
    }


def test_another_form_needs_another_look(open_page: Open) -> None:
    page = opened(open_page, reviewing())
    looked(page, 1)
    expect(page.locator("#tl-way [type=submit]")).to_be_enabled()
    page.fill("[name='c.depart_on']", "2027-03-20")
    expect(page.locator("#tl-way [type=submit]")).to_be_disabled()
    expect(page.locator(".tl-stale")).to_be_visible()
    page.click('[data-do="look"]')
    expect(page.locator("#tl-way [type=submit]")).to_be_enabled()


def held(page: Page, do: str) -> Callable[[], None]:
    """Presses of this kind stay on their way until what is returned is called."""
    on_their_way: list[Route] = []
    gone_on: list[bool] = []

    def hold(route: Route) -> None:
        if not gone_on and f'"do":"{do}"' in (route.request.post_data or ""):
            on_their_way.append(route)
        else:
            route.continue_()

    def let_go() -> None:
        gone_on.append(True)
        for route in on_their_way:
            route.continue_()

    page.route("**/queue/join**", hold)
    return let_go


def at_the_choice(open_page: Open, stage: TimelineStage) -> Page:
    """With the seats of the first option on the map."""
    page = opened(open_page, stage)
    page.click('.tl-row[data-version="3"]')
    expect(page.locator('[data-step="3"]')).to_be_visible()
    page.select_option("#tl-correction [name='c.offer']", "1")
    page.wait_for_selector("#tl-correction .seat.free")
    return page


def test_a_look_pressed_right_after_a_seat_shows_what_that_seat_means(open_page: Open) -> None:
    stage = reviewing()
    page = at_the_choice(open_page, stage)
    let_go = held(page, "reform")
    seat = page.locator("#tl-correction .seat.free").first
    designator = seat.get_attribute("data-seat")
    with page.expect_request("**/queue/join**"):
        seat.click()
    page.click('[data-do="look"]')
    expect(page.locator('[data-do="look"]')).to_have_attribute("aria-busy", "true")
    assert stage.threads.asked == []
    let_go()
    expect(page.locator("#tl-way [type=submit]")).to_be_enabled()
    assert stage.threads.asked[-1]["corrections"]["seats"]["1"] == {"1": designator}
    expect(page.locator(".tl-stale")).to_be_hidden()


def test_a_seat_needs_another_look_from_the_moment_it_is_clicked(open_page: Open) -> None:
    page = at_the_choice(open_page, reviewing())
    page.click('[data-do="look"]')
    expect(page.locator("#tl-way [type=submit]")).to_be_enabled()
    let_go = held(page, "reform")
    page.locator("#tl-correction .seat.free").first.click()
    expect(page.locator("#tl-way [type=submit]")).to_be_disabled()
    expect(page.locator(".tl-stale")).to_be_visible()
    let_go()
    page.click('[data-do="look"]')
    expect(page.locator("#tl-way [type=submit]")).to_be_enabled()


def test_a_look_that_comes_back_after_the_form_was_changed_is_of_another_form(open_page: Open) -> None:
    page = at_the_choice(open_page, reviewing())
    let_go = held(page, "look")
    with page.expect_request("**/queue/join**"):
        page.click('[data-do="look"]')
    with page.expect_request("**/queue/join**"):
        page.locator("#tl-correction .seat.free").first.click()
    let_go()
    expect(page.locator(".tl-stale")).to_be_visible()
    expect(page.locator("#tl-way [type=submit]")).to_be_disabled()


def test_two_seats_clicked_one_after_the_other_are_both_kept(open_page: Open) -> None:
    stage = reviewing()
    page = at_the_choice(open_page, stage)
    let_go = held(page, "reform")
    free = page.locator("#tl-correction .seat.free")
    seats = [free.nth(n).get_attribute("data-seat") for n in (0, 1)]
    page.click(f'#tl-correction .seat[data-seat="{seats[0]}"]')
    page.click('#tl-correction [data-active="1"]')
    page.click(f'#tl-correction .seat[data-seat="{seats[1]}"]')
    page.click('[data-do="look"]')
    let_go()
    expect(page.locator("#tl-way [type=submit]")).to_be_enabled()
    assert stage.threads.asked[-1]["corrections"]["seats"] == {"1": {"1": seats[0]}, "2": {"1": seats[1]}}


def test_going_back_is_off_while_a_run_is_active_or_something_stands_in_the_way(open_page: Open) -> None:
    for stage, why in ((reviewing(running=True), "A run is active"), (reviewing(why="departed"), "The flight has left.")):
        page = opened(open_page, stage)
        looked(page, 1)
        expect(page.locator("#tl-way [type=submit]")).to_be_disabled()
        expect(page.locator("#timeline")).to_contain_text(why)


def test_near_departure_a_tick_is_needed(open_page: Open) -> None:
    stage = reviewing(confirm=True)
    page = opened(open_page, stage)
    looked(page, 1)
    page.fill("#tl-reason", "it has to be")
    page.click("#tl-way [type=submit]")
    assert stage.accepted == []
    page.check("#tl-way [name=confirm]")
    page.click("#tl-way [type=submit]")
    expect(page.locator(".toast")).to_be_visible()
    assert stage.accepted[0].payload["confirm"] is True


def test_a_branch_is_looked_at_and_promoted(open_page: Open) -> None:
    stage = reviewing()
    page = opened(open_page, stage)
    page.click('.tl-row[data-version="5"]')
    expect(page.locator('[data-step="5"]')).to_be_visible()
    page.click('[data-do="promote"]')
    page.wait_for_selector("#tl-way")
    expect(page.locator("#tl-way [type=submit]")).to_contain_text("Use this branch · step 7")
    page.fill("#tl-reason", "it was right")
    page.click("#tl-way [type=submit]")
    expect(page.locator(".toast")).to_be_visible()
    assert (stage.accepted[0].kind, stage.accepted[0].payload["branch_id"]) == (Kind.PROMOTE_BRANCH, "old")


def test_two_steps_are_compared_and_the_raw_state_is_shown_as_text(open_page: Open) -> None:
    page = opened(open_page, reviewing())
    page.click('.tl-row[data-version="3"]')
    expect(page.locator('[data-step="3"]')).to_be_visible()
    page.select_option("#tl-compare", "7")
    expect(page.locator(".tl-diff")).to_contain_text("business")
    page.click('[data-do="xray"]')
    page.click(".tl-xray summary >> nth=1")
    expect(page.locator(".tl-xray")).to_contain_text("<b>no</b>")
    assert page.locator(".tl-xray b").count() == 0


def test_travellers_see_no_raw_state_and_a_foreign_thread_is_not_there(open_page: Open) -> None:
    page = opened(open_page, TimelineStage(), "/desk")
    expect(page.locator('[data-do="xray"]')).to_have_count(0)
    page = open_page(TimelineStage(), "/desk/?timeline=elsewhere")
    expect(page.locator("#timeline")).to_contain_text("The link may be incomplete")
    expect(page.locator(".tl-row")).to_have_count(0)


def test_keys_pressed_in_it_do_not_reach_the_inbox_below(open_page: Open) -> None:
    page = opened(open_page, reviewing())
    page.locator('[role="treeitem"]').first.focus()
    page.keyboard.press("a")
    assert page.locator(".armed").count() == 0


@pytest.mark.parametrize("width", [1360, 390])
@pytest.mark.parametrize("dark", [False, True])
def test_it_can_be_read_by_everyone(open_page: Open, width: int, dark: bool) -> None:
    page = opened(open_page, reviewing(), width=width, dark=dark)
    looked(page, 3)
    found = Axe().run(page, context="#timeline")
    serious = [v for v in found.response["violations"] if v["impact"] in {"serious", "critical"}]
    assert serious == [], [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in serious]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.evaluate(
        "document.getElementById('timeline-side').scrollWidth <= document.getElementById('timeline-side').clientWidth + 1"
    )
