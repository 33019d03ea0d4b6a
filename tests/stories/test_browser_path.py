"""The main job, clicked through by a traveller and a reviewer in one browser, on a server of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

pytestmark = pytest.mark.browser
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
PATIENCE = 30_000  # milliseconds for what an airline has to answer first
SOON = date.today() + timedelta(days=11)

WORDS = {
    "zh": {
        "wish": "我想坐靠窗的位置",
        "trip": "下周五从上海去东京，两个人",
        "recall": "我刚才说想坐哪里？",
        "window": "靠窗",
        "other": f"{SOON.month}月{SOON.day}日北京到上海",
        "sandbox": "不会真正出票",
    },
    "en": {
        "wish": "I like to sit by the window",
        "trip": f"Shanghai to Tokyo on {SOON.day} {SOON:%B}, two of us",
        "recall": "Where did I say I want to sit?",
        "window": "window",
        "other": f"Beijing to Shanghai on {SOON.day} {SOON:%B}",
        "sandbox": "no real ticket",
    },
}


@dataclass
class Server:
    """`layover serve` in a process of its own, which can be killed and started again on what it left."""

    data_dir: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        settings = {"LAYOVER_DEMO": "1", "LAYOVER_DATA_DIR": str(self.data_dir), "LAYOVER_PORT": str(self.port)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "assistant", "serve"], env=os.environ | settings, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"ready at http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                return
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=30)
            if self.process.stdout is not None:
                self.process.stdout.close()
            self.process = None


@pytest.fixture
def server(data_dir: Path) -> Iterator[Server]:
    server = Server(data_dir)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)  # how long a page takes on a busy machine is no test
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def wrong() -> Iterator[list[str]]:
    """Errors of the pages and requests to other places; there are none."""
    found: list[str] = []
    yield found
    assert found == []


def context_of(browser: Browser, language: str) -> BrowserContext:
    locale = {"zh": "zh-CN", "en": "en-GB"}[language]
    return browser.new_context(viewport={"width": 1360, "height": 900}, locale=locale, timezone_id="Asia/Shanghai")


def signed_in(context: BrowserContext, server: Server, path: str, name: str, wrong: list[str]) -> Page:
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda r: None if r.url.startswith((server.base, "data:", "blob:")) else wrong.append(r.url))
    page.goto(server.base + path)
    page.get_by_role("button", name=re.compile(name)).click()
    page.wait_for_selector("body.booted", state="attached")
    return page


def say(page: Page, text: str) -> None:
    """Says it and waits until it is answered."""
    page.fill("#message", text)
    page.press("#message", "Enter")
    expect(page.locator(".message.mine", has_text=text)).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#chat [data-running]")).to_have_count(0, timeout=PATIENCE)
    expect(page.locator(".writing")).to_have_count(0, timeout=PATIENCE)


def name_the_other(page: Page) -> None:
    page.locator(".places select").nth(1).select_option(index=2)
    page.click('[data-do="name"]')
    expect(page.locator("section.who")).to_have_count(0, timeout=PATIENCE)


def pick_one_that_can_be_held(page: Page, words: str) -> None:
    page.locator(".option", has_text=words).first.click()
    page.wait_for_selector(".seats svg")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_from_the_first_word_to_the_tickets(server: Server, browser: Browser, wrong: list[str], language: str) -> None:
    words = WORDS[language]
    context = context_of(browser, language)
    desk = signed_in(context, server, "/desk/", "Tina", wrong)
    say(desk, words["wish"])
    say(desk, words["trip"])
    desk.wait_for_selector('[data-status="choosing"] .option')
    name_the_other(desk)

    pick_one_that_can_be_held(desk, {"zh": "可免费留位", "en": "can be held free"}[language])
    seated = desk.locator(".seated")
    expect(seated).to_have_count(2)
    expect(seated.first).to_contain_text(words["window"])
    seats = [seated.nth(i).locator("> b").inner_text() for i in (0, 1)]
    assert len({seat[:-1] for seat in seats}) == 1  # the same row, side by side
    for seat in seats:
        expect(desk.locator(f'.seat.mine[data-seat="{seat}"]')).to_be_visible()

    desk.click('[data-do="stage"][data-value="check"]')
    card = desk.locator(".check")
    for fact in ("Ting Chen", "Wei Li", *seats):
        expect(card).to_contain_text(fact)
    desk.click('[data-do="choose"]')
    expect(desk.locator('[data-status="waiting_review"]')).to_be_visible(timeout=PATIENCE)

    say(desk, words["recall"])
    expect(desk.locator(".message.desk").last).to_contain_text(words["window"])

    review = signed_in(context, server, "/review/", "Rita", wrong)
    review.wait_for_selector("#approve")
    expect(review.locator(".words")).to_contain_text(words["trip"])
    review.keyboard.press("a")
    review.keyboard.press("Enter")

    booked = desk.locator('[data-status="booked"]')
    expect(booked).to_be_visible(timeout=PATIENCE)
    for fact in ("Ting Chen", "Wei Li", words["sandbox"], *seats):
        expect(booked).to_contain_text(fact)
    reference = booked.locator(".reference b").inner_text()
    expect(booked).to_contain_text(re.compile(r"\d{3}-\d{10}"))

    with desk.expect_popup() as popup:
        booked.locator(".files a").nth(1).click()
    expect(popup.value.locator("main")).to_contain_text(reference)
    with desk.expect_download() as download:
        booked.locator(".files a").nth(0).click()
    assert "BEGIN:VEVENT" in Path(download.value.path()).read_text("utf-8")

    desk.click('[data-do="new"]')
    expect(desk.locator("#chat h1")).to_be_visible()
    say(desk, words["recall"])
    expect(desk.locator(".message.desk").last).to_contain_text(words["window"])
    context.close()


def test_a_killed_server_finds_everything_where_it_was(server: Server, browser: Browser) -> None:
    words = WORDS["zh"]
    wrong: list[str] = []  # lost connections are what this is about
    context = context_of(browser, "zh")
    desk = signed_in(context, server, "/desk/", "Tina", wrong)
    say(desk, words["other"])
    pick_one_that_can_be_held(desk, "可免费留位")
    desk.fill("#message", "还没写完的话")
    server.kill()
    expect(desk.locator(".reconnecting")).to_be_visible()
    server.start()
    expect(desk.locator(".reconnecting")).to_be_hidden()
    desk.reload()
    expect(desk.locator(".message.mine")).to_contain_text(words["other"])
    expect(desk.locator("#message")).to_have_value("还没写完的话")
    expect(desk.locator(".seats svg")).to_be_visible()
    desk.click('[data-do="stage"][data-value="check"]')
    desk.click('[data-do="choose"]')
    expect(desk.locator('[data-status="waiting_review"]')).to_be_visible(timeout=PATIENCE)
    server.kill()
    server.start()

    review = signed_in(context, server, "/review/", "Rita", wrong)
    review.wait_for_selector("#approve")
    expect(review.locator(".reviews li")).to_have_count(1)
    review.click("#approve")
    desk.reload()
    expect(desk.locator('[data-status="booked"]')).to_be_visible(timeout=PATIENCE)
    expect(desk.locator(".reference")).to_have_count(1)
    context.close()


def test_another_traveller_knows_nothing_of_it(server: Server, browser: Browser, wrong: list[str], data_dir: Path) -> None:
    context = context_of(browser, "en")
    desk = signed_in(context, server, "/desk/", "Tina", wrong)
    say(desk, WORDS["en"]["wish"])
    address = desk.url
    context.close()

    context = context_of(browser, "en")
    tom = context.new_page()
    tom.goto(address)
    passwords = json.loads((data_dir / "demo-passwords.json").read_text())
    tom.fill("input[name=name]", "tom")
    tom.fill("input[name=password]", passwords["tom"])
    tom.press("input[name=password]", "Enter")
    tom.wait_for_selector("body.booted", state="attached")
    expect(tom.locator("#chat h1")).to_be_visible()
    expect(tom.locator("#conversations")).not_to_contain_text("window")
    say(tom, WORDS["en"]["recall"])
    expect(tom.locator(".message.desk").last).not_to_contain_text("window")
    context.close()
