"""The whole product on a port, in a thread of its own: pages to click, an airline to look at, stories to set the scene."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from playwright.sync_api import Browser, Page, expect

from assistant.language.interpreter import Interpreter
from assistant.serving import web_app
from tests.stories.world import Json, World, opened

PATIENCE = 30_000  # milliseconds for what an airline has to answer first
# What Gradio itself says when a page is left while its stream is open.
LEAVING = ("AbortError: signal is aborted", "Connection errored out")
LOCALES = {"zh": "zh-CN", "en": "en-GB"}
T = TypeVar("T")


@dataclass
class Living:
    """A server that really runs; `told` runs a piece of story inside it and returns what that returns."""

    base: str
    loop: asyncio.AbstractEventLoop
    world: World

    @property
    def passwords(self) -> dict[str, str]:
        """Of the demo people."""
        return json.loads((self.world.whole.settings.data_dir / "demo-passwords.json").read_text())

    def told(self, story: Callable[[World], Awaitable[T]]) -> T:
        async def tell() -> T:
            return await story(self.world)

        return asyncio.run_coroutine_threadsafe(tell(), self.loop).result(timeout=120)

    def orders(self) -> list[Json]:
        """What the airline really has, live."""
        return self.world.orders()

    def effects(self) -> list[str]:
        """The airline's own journal: hold, book, pay, cancel ..."""
        return self.world.effects()


@contextmanager
def living(data_dir: Path, *, interpreter: Interpreter | None = None, **settings: Any) -> Iterator[Living]:
    ready: Future[tuple[Living, asyncio.Event]] = Future()

    async def run() -> None:
        over = asyncio.Event()
        async with opened(data_dir, interpreter=interpreter, **settings) as world:
            app = web_app(world.whole, pages=True)
            door = socket.create_server(("127.0.0.1", 0))  # whoever knocks before the server is up waits
            server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
            serving = asyncio.create_task(server.serve(sockets=[door]))
            base = f"http://127.0.0.1:{door.getsockname()[1]}"
            ready.set_result((Living(base, asyncio.get_running_loop(), world), over))
            await over.wait()
            server.should_exit = True
            await serving

    def whole_life() -> None:
        try:
            asyncio.run(run())
        except BaseException as trouble:
            if ready.done():
                raise
            ready.set_exception(trouble)

    thread = threading.Thread(target=whole_life, daemon=True)
    thread.start()
    server, over = ready.result(timeout=60)
    try:
        yield server
    finally:
        server.loop.call_soon_threadsafe(over.set)
        thread.join(timeout=30)


@dataclass
class Visitors:
    """People at the pages of one server, each in a browser of their own. What goes wrong in a page is kept in `wrong`."""

    browser: Browser
    server: Living
    wrong: list[str] = field(default_factory=list[str])

    def comes(
        self, name: str, path: str, *, language: str = "en", width: int = 1360, height: int = 900, dark: bool = False
    ) -> Page:
        """Somebody signs in and is at `path`."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            locale=LOCALES[language],
            timezone_id="Asia/Shanghai",
            color_scheme="dark" if dark else "light",
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda m: self._said(m.type, m.text))
        page.on("pageerror", lambda error: self.wrong.append(error.stack or str(error)))
        page.on("request", lambda r: None if r.url.startswith((self.server.base, "data:", "blob:")) else self.wrong.append(r.url))
        page.goto(self.server.base + path)
        if name in {"Tina", "Rita"}:
            page.get_by_role("button", name=re.compile(name)).click()
        else:  # by password, like anybody who is not offered on the page
            page.fill("input[name=name]", name.lower())
            page.fill("input[name=password]", self.server.passwords[name.lower()])
            page.press("input[name=password]", "Enter")
        page.wait_for_selector("body.booted", state="attached")
        return page

    def leave(self) -> None:
        """Everybody closes their browser, so that nothing of theirs is under way when the server stops."""
        for context in self.browser.contexts:
            context.close()

    def _said(self, kind: str, text: str) -> None:
        if kind == "error" and not any(words in text for words in LEAVING):
            self.wrong.append(text)


def say(page: Page, text: str) -> None:
    """Says it and waits until it is answered."""
    page.fill("#message", text)
    page.press("#message", "Enter")
    expect(page.locator(".message.mine", has_text=text)).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#chat [data-running]")).to_have_count(0, timeout=PATIENCE)
    expect(page.locator(".writing")).to_have_count(0, timeout=PATIENCE)


def opens(page: Page, words: str, *, turn: str | None = None) -> None:
    """A step of the timeline by its title, unfolded from its turn where it is a later one of it."""
    heading = page.locator(".tl-row.level-1", has_text=turn)
    if turn is not None and heading.get_attribute("aria-expanded") == "false":
        heading.locator('[data-do="fold"]').click()
    row = page.locator(".tl-row.level-2" if turn else ".tl-row.level-1", has_text=words).first
    row.click()
    expect(page.locator(f'[data-step="{row.get_attribute("data-version")}"]')).to_be_visible()


def looks(page: Page) -> None:
    """What would going back mean, with the correction as it stands?"""
    page.click('#tl-correction [data-do="look"]')
    page.wait_for_selector("#tl-way")


def goes(page: Page, why: str) -> None:
    page.fill("#tl-reason", why)
    page.click("#tl-way [type=submit]")
    expect(page.locator(".toast")).to_contain_text("Gone back to step", timeout=PATIENCE)
