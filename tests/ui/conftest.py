"""A browser, and pages of a stage in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.ui.living import LEAVING, PATIENCE, Visitors, living
from tests.ui.showing import shown
from tests.ui.stage import Stage

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
Open = Callable[..., Page]
Begin = Callable[..., Visitors]


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)  # how long a page takes on a busy machine is no test
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens a page of a stage: `open_page(stage, "/desk", width=390, dark=True)`. Any error or foreign request fails the test."""
    with ExitStack() as stack:
        wrong: list[str] = []

        def opened(stage: Stage, path: str, *, width: int = 1360, height: int = 900, dark: bool = False) -> Page:
            base = stack.enter_context(shown(stage))
            scheme = "dark" if dark else "light"
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            stack.callback(context.close)
            page = context.new_page()
            page.on(
                "console", lambda m: wrong.append(m.text) if m.type == "error" and not any(w in m.text for w in LEAVING) else None
            )
            page.on("pageerror", lambda error: wrong.append(error.stack or str(error)))
            page.on("request", lambda r: None if r.url.startswith((base, "data:", "blob:")) else wrong.append(r.url))
            page.goto(base + path)
            page.wait_for_selector("body.booted", state="attached")
            return page

        yield opened
        assert wrong == []


@pytest.fixture
def begin(browser: Browser, data_dir: Path) -> Iterator[Begin]:
    """Starts the whole product and lets people in. An error in a page or a request to elsewhere fails the test."""
    with ExitStack() as stack:
        visitors: list[Visitors] = []

        def begun(**settings: Any) -> Visitors:
            visitors.append(Visitors(browser, stack.enter_context(living(data_dir, **settings))))
            return visitors[-1]

        yield begun
        for each in visitors:
            each.leave()
    assert [wrong for each in visitors for wrong in each.wrong] == []
