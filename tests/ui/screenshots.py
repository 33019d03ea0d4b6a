"""`python -m tests.ui.screenshots`: every page in both languages and themes, wide and narrow, into ./screenshots/."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.ui.scenery import RITA, TINA
from tests.ui.showing import shown
from tests.ui.stage import Stage

FOLDER = Path("screenshots")
SIZES = {1360: 900, 390: 844}
Steps = Callable[[Page], None]


def _nothing(page: Page) -> None:
    """As it opens."""


def _seats(page: Page) -> None:
    page.click('[data-do="pick"][data-value="1"]')
    page.wait_for_selector(".seats svg")


def _check(page: Page) -> None:
    _seats(page)
    page.click('[data-do="stage"][data-value="check"]')
    page.wait_for_selector(".check")


def _add_a_person(page: Page) -> None:
    page.click(".who details.add summary")
    page.fill("[data-native]", "吕小明")
    page.wait_for_selector("[data-suggestion]:not([hidden])")


def _edited(page: Page) -> None:
    page.locator('.seat[data-seat="21A"]').dispatch_event("click")
    page.wait_for_selector(".seated ins")


# name, path, scene, whether everybody is named, pane on a narrow screen, what is done first
PAGES: tuple[tuple[str, str, str, bool, str, Steps], ...] = (
    ("desk-empty", "/desk/", "empty", True, "chat", _nothing),
    ("desk-chat", "/desk/", "choosing", True, "chat", _nothing),
    ("desk-people", "/desk/", "choosing", False, "trips", _add_a_person),
    ("desk-options", "/desk/", "choosing", True, "trips", _nothing),
    ("desk-seats", "/desk/", "choosing", True, "trips", _seats),
    ("desk-check", "/desk/", "choosing", True, "trips", _check),
    ("desk-waiting", "/desk/", "waiting", True, "trips", _nothing),
    ("desk-asked", "/desk/", "asked", True, "trips", _nothing),
    ("desk-booked", "/desk/", "booked", True, "trips", _nothing),
    ("review-list", "/review/", "waiting", True, "list", _nothing),
    ("review-one", "/review/?review=r1", "waiting", True, "detail", _nothing),
    ("operations-list", "/review/?case=op1", "waiting", True, "list", _nothing),
    ("operations-unsure", "/review/?case=op1", "waiting", True, "detail", _nothing),
    ("operations-late", "/review/?case=op2", "waiting", True, "detail", _nothing),
    ("review-edited", "/review/?review=r1", "waiting", True, "detail", _edited),
)


def main() -> None:
    chromium = next((p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n))), None)
    if chromium is None:
        sys.exit("no Chromium found (apt-get install chromium)")
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for language, page in product(("zh", "en"), PAGES):
            _photographed(browser, language, *page)
        browser.close()
    print(f"{len(list(FOLDER.glob('*.png')))} pictures in {FOLDER}/")


def _photographed(
    browser: Browser, language: str, name: str, path: str, scene: str, named: bool, pane: str, steps: Steps
) -> None:
    stage = Stage(scene=scene, named=named, actor=RITA if path.startswith("/review") else TINA)
    stage.language = "zh" if language == "zh" else "en"
    with shown(stage) as base:
        for width, dark in product(SIZES, (False, True)):
            context = browser.new_context(
                viewport={"width": width, "height": SIZES[width]},
                color_scheme="dark" if dark else "light",
                reduced_motion="reduce",
            )
            page = context.new_page()
            page.goto(base + path)
            page.wait_for_selector("body.booted", state="attached")
            if width < 700:
                page.click(f'.panes [data-value="{pane}"]')
            steps(page)
            page.wait_for_timeout(250)
            page.screenshot(path=FOLDER / f"{name}-{language}-{'dark' if dark else 'light'}-{width}.png")
            context.close()


if __name__ == "__main__":
    main()
