"""The timeline of a running server, clicked: links that lead nowhere, long threads, branches, and words said anew."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from assistant.pruning import prune
from tests.stories.ways_back import booked, steps, walker
from tests.stories.world import Json, Person, World
from tests.ui.conftest import Begin
from tests.ui.living import PATIENCE, goes, looks, opens, say

pytestmark = pytest.mark.browser


async def people(world: World) -> tuple[Person, Person]:
    return await world.person("tina"), await world.person("rita")


async def a_ticket(world: World) -> Json:
    """A trip with its ticket."""
    return (await booked(*await people(world)))[1]


async def narrowed(world: World) -> Json:
    """A ticket, and rita going back to the list without its first option."""
    trip = await a_ticket(world)
    listed = (await steps(world, trip["trip_id"], "shortlist"))[0]
    await (await walker(world, "rita")).goes_back(trip["trip_id"], listed, {"exclude": [1]}, reason="not that one")
    return trip


async def of_another_tenant(world: World) -> str:
    """A conversation of olga's."""
    return (await (await world.person("olga")).chat()).conversation_id


def serious(page: Page) -> list[str]:
    found = Axe().run(page, context="#timeline").response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:140]}" for v in found if v["impact"] in {"serious", "critical"}]


def test_a_link_that_leads_nowhere_says_what_is_wrong_and_what_can_be_done(begin: Begin) -> None:
    visitors = begin()
    trip, foreign = visitors.server.told(a_ticket)["trip_id"], visitors.server.told(of_another_tenant)
    rita = visitors.comes("Rita", f"/review/?timeline={trip}&version=unknown")
    for version, said in (("unknown", "There is no step “unknown” here"), ("999", "There is no step “999” here"), ("0", "“0”")):
        rita.goto(f"{visitors.server.base}/review/?timeline={trip}&version={version}")
        expect(rita.locator(".tl-none")).to_contain_text(said)
        expect(rita.locator(".tl-none")).to_contain_text("The newest step here is 16")
        expect(rita.locator(".tl-row")).to_have_count(4)
    rita.locator(".tl-none .chip").first.click()
    expect(rita.locator(".tl-detail h2")).to_have_text("Ended: booked")
    for thread in ("nothing-like-it", foreign, "x" * 3000):
        rita.goto(f"{visitors.server.base}/review/?timeline={thread}")
        expect(rita.locator("#timeline h1")).to_have_text("No steps to show here")
        expect(rita.locator("#timeline-tree")).to_contain_text("Check the link")
        assert serious(rita) == []
    rita.locator("#timeline-tree button").click()
    expect(rita.locator("#timeline")).to_be_hidden()
    assert "timeline" not in rita.url


def test_a_step_whose_content_was_cleared_says_so_and_names_others(begin: Begin) -> None:
    visitors = begin()
    trip = visitors.server.told(a_ticket)["trip_id"]
    rita = visitors.comes("Rita", f"/review/?timeline={trip}")
    rita.wait_for_selector(".tl-detail")

    async def tidied(world: World) -> None:
        file = world.whole.settings.data_dir / "checkpoints.db"
        await prune(world.whole.database, file, before=datetime.now(UTC) + timedelta(days=1), say=lambda _: None)

    visitors.server.told(tidied)
    for name, language, words in (("Rita", "en", "has been cleared"), ("Raj", "zh", "内容已清理")):
        reader = visitors.comes(name, f"/review/?timeline={trip}&version=2", language=language)
        expect(reader.locator(".tl-none")).to_contain_text(words)
        expect(reader.locator(".tl-none .chip").first).to_be_visible()
        assert serious(reader) == []


def test_a_long_thread_is_read_page_by_page_and_a_link_to_an_old_step_opens_at_it(begin: Begin) -> None:
    visitors = begin()

    async def long(world: World) -> str:
        chat = await (await world.person("tina")).chat()
        for n in range(16):
            await chat.say(f"I would like a window seat, for the {n}. time")
        return chat.conversation_id

    thread = visitors.server.told(long)
    rita = visitors.comes("Rita", f"/review/?timeline={thread}")
    rows = rita.locator(".tl-row")
    expect(rows.first).to_contain_text("for the 15. time")
    newest = rita.locator("[data-newest]").get_attribute("data-newest")
    earlier = rita.get_by_role("button", name="Earlier steps")
    earlier.click()
    expect(rows.last).to_contain_text("for the 0. time")
    expect(rows.first).to_be_focused()
    rita.get_by_role("button", name="Newest steps").click()
    expect(rows.first).to_contain_text("for the 15. time")
    rita.goto(f"{visitors.server.base}/review/?timeline={thread}&version=2")
    expect(rita.locator('[data-step="2"]')).to_be_visible()
    expect(rita.locator('.tl-row[aria-selected="true"]')).to_be_visible()
    assert newest == "80"


def test_branches_are_compared_looked_into_and_promoted(begin: Begin) -> None:
    visitors = begin()
    server = visitors.server
    trip = server.told(narrowed)["trip_id"]
    before = server.effects()
    rita = visitors.comes("Rita", f"/review/?timeline={trip}")
    rita.fill("#tl-remark textarea", "asked the traveller first")
    rita.click('#tl-remark [data-do="remark"]')
    expect(rita.locator("#tl-remark blockquote")).to_contain_text("asked the traveller first", timeout=PATIENCE)
    expect(rita.locator(".tl-note")).to_contain_text("note by Rita: asked the traveller first")
    expect(rita.locator(".tl-note")).to_contain_text("went back to step 4: not that one")
    opens(rita, "Outcome from the airline")
    expect(rita.locator(".tl-detail .pill")).to_have_text("off the main line")
    rita.select_option("#tl-compare", "5")
    expect(rita.locator(".tl-diff")).to_contain_text("Decision")
    expect(rita.locator(".tl-diff")).to_contain_text("approved by Rita")
    rita.click('[data-do="xray"]')
    rita.locator(".tl-xray summary", has_text="Values").click()
    expect(rita.locator(".tl-xray pre").nth(1)).to_contain_text('"selection"')
    rita.click('[data-do="promote"]')
    expect(rita.locator("#tl-way .net")).to_contain_text("No money moves")
    rita.fill("#tl-reason", "the ticket was right")
    button = rita.locator("#tl-way [type=submit]")
    expect(button).to_contain_text("Use this branch")
    assert serious(rita) == []
    button.click()
    expect(rita.locator(".toast")).to_contain_text("main line now", timeout=PATIENCE)
    expect(rita.locator(".tl-detail")).to_contain_text("booked")
    assert server.effects() == before


def test_what_was_looked_at_before_something_happened_is_looked_at_again(begin: Begin) -> None:
    visitors = begin()
    trip = visitors.server.told(a_ticket)
    rita = visitors.comes("Rita", f"/review/?timeline={trip['trip_id']}")
    rita.wait_for_selector(".tl-detail")
    opens(rita, "Choice")
    looks(rita)
    button = rita.locator("#tl-way [type=submit]")
    expect(button).to_be_enabled()

    async def elsewhere(world: World) -> None:
        listed = (await steps(world, trip["trip_id"], "shortlist"))[0]
        await (await walker(world, "raj")).goes_back(trip["trip_id"], listed, {"exclude": [1]}, reason="in the meantime")

    visitors.server.told(elsewhere)
    expect(rita.locator(".tl-moved")).to_be_visible(timeout=PATIENCE)
    expect(button).to_be_disabled()
    rita.get_by_role("button", name="Look again").click()
    expect(button).to_be_enabled()
    goes(rita, "as it was")


def test_a_message_said_anew_is_marked_and_its_older_wording_is_a_press_away(begin: Begin) -> None:
    visitors = begin()
    desk = visitors.comes("Tina", "/desk/")
    say(desk, "I would like a window seat. From Shanghai to Tokyo on 11 December")
    desk.wait_for_selector(".option")
    desk.locator(".message.mine").hover()
    desk.locator(".message.mine .edit summary").click()
    form = desk.locator(".message.mine .edit form")
    expect(form).to_contain_text("taken back")
    form.locator("textarea").fill("I would like an aisle seat. From Shanghai to Osaka on 11 December")
    form.locator("button").click()
    mine = desk.locator(".message.mine")
    expect(mine.locator(".bubble")).to_have_text(
        "I would like an aisle seat. From Shanghai to Osaka on 11 December", timeout=PATIENCE
    )
    count = mine.locator(".wordings summary")
    expect(count).to_have_text("2/2")
    expect(count).to_have_attribute("aria-label", "Wording 2 of 2")
    count.click()
    expect(mine.locator(".wordings ul")).to_contain_text("I would like a window seat. From Shanghai to Tokyo")
    expect(desk.locator("#chat")).to_contain_text("Shanghai to Tokyo (Fri 11 Dec) was withdrawn", timeout=PATIENCE)
    expect(desk.locator('[data-status="withdrawn"]')).to_contain_text("Tokyo")
    expect(desk.locator('[data-status="choosing"]')).to_contain_text("Osaka", timeout=PATIENCE)


def test_a_way_back_that_takes_long_is_stopped_and_the_review_still_stands(begin: Begin) -> None:
    visitors = begin()

    async def waiting(world: World) -> tuple[Json, int]:
        tina, _ = await people(world)
        chat = await tina.chat()
        await chat.say("From Shanghai to Tokyo on 11 December")
        trip = await tina.choose((await chat.trip())["trip_id"])
        world.airline.put_faults([{"match": {"op": "search"}, "fault": "slow", "seconds": 6}])
        return trip, (await steps(world, trip["trip_id"], "choose"))[-1]

    trip, chosen = visitors.server.told(waiting)
    rita = visitors.comes("Rita", f"/review/?timeline={trip['trip_id']}&version={chosen}")
    looks(rita)
    rita.fill("#tl-way textarea", "the wrong one")
    rita.locator("#tl-way [data-do=go]").click()
    rita.locator("[data-do=halt]").click()
    expect(rita.locator("#notice")).to_contain_text("Stopping. Everything stays as it was.")
    expect(rita.locator("[data-do=halt]")).to_have_count(0, timeout=PATIENCE)
    assert not visitors.wrong

    async def now(world: World) -> Json:
        return await (await world.person("tina")).trip(trip["trip_id"])

    after = visitors.server.told(now)
    assert (after["status"], after["review_id"]) == ("waiting_review", trip["review_id"])
