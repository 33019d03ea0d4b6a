"""The guard before a real Gradio page on a real server: every attack that once worked."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from itertools import product
from typing import Any

import gradio as gr
import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from assistant.web.app import create_app
from assistant.web.callers import Callers
from assistant.web.guard import signed_in
from assistant.web.site import Site

from .conftest import World, quick

PAGES = ["/desk/", "/desk/config", "/desk/gradio_api/queue/data?session_hash=x", "/desk/anything"]
CLOSED = [
    "openapi.json", "docs", "redoc", "monitoring", "monitoring/summary", "login", "login_check/", "logout", "robots.txt",
    "gradio_api/info", "gradio_api/info?all_endpoints=true", "gradio_api/openapi.json", "gradio_api/token", "gradio_api/user",
    "gradio_api/runs", "gradio_api/run-history/buckets", "gradio_api/deep_link", "gradio_api/proxy=http://127.0.0.1:1/",
    "gradio_api/file=/etc/passwd", "gradio_api/file/etc/passwd", "gradio_api/stream/x/1/2/a.m3u8", "gradio_api/dev/reload",
    "gradio_api/call/handler/e", "gradio_api/upload_progress?upload_id=x", "gradio_api/profiling/traces", "pwa_icon",
    "custom_component/a/b/c/d", "gradio_api/heartbeat/%2e%2e/%2e%2e/config", "trips/%2e%2e/receipt", "Config", "a.b",
]  # fmt: skip
CLOSED_TO_POST = [
    "gradio_api/run/handler", "gradio_api/api/handler", "gradio_api/call/handler", "gradio_api/upload",
    "gradio_api/component_server", "gradio_api/process_recording", "gradio_api/vibe-edit/", "login", "", "config",
]  # fmt: skip
UNREADABLE = [
    (b"{}", 422), (b"[]", 422), (b'{"session_hash": 7}', 422), (b"not json", 400), (b'{"session_hash": NaN}', 400),
    (b"[" * 50_000, 400), (b'{"session_hash": "' + b"x" * 1_100_000 + b'"}', 413), (b'{"session_hash": "\\ud800"}', 400),
]  # fmt: skip


def pages(app: FastAPI, _callers: Callers) -> None:
    for path, secret in (("/desk", "for travellers"), ("/review", "for reviewers")):
        with gr.Blocks(analytics_enabled=False) as page:
            box, out = gr.Textbox(), gr.Textbox()

            def handler(text: str, request: gr.Request, secret: str = secret) -> str:
                return f"{secret}: {text} by {request.username}"

            box.submit(handler, box, out, api_visibility="private")
        page.queue(api_open=False)
        gr.mount_gradio_app(
            app, page, path, auth_dependency=signed_in, footer_links=[], show_error=False, ssr_mode=False, run_history=False,
            mcp_server=False,
        )  # fmt: skip


@pytest.fixture
async def server(world: World) -> AsyncIterator[str]:
    """The address of a running server with pages."""
    app = create_app(
        service=world.service,
        database=world.database,
        site=Site(),
        clock=world.clock,
        demo=True,
        passwords=quick(),
        seconds=world.clock.seconds,
        pages=pages,
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        config = uvicorn.Config(app, log_level="warning", lifespan="on", access_log=False, ws="none")
        serving = uvicorn.Server(config)
        running = asyncio.ensure_future(serving.serve([listening]))
        yield address
        serving.should_exit = True
        await running


@pytest.fixture
async def browsers(world: World, server: str) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    """Tina and Tom at the desk, Rita at the approvals, and somebody who has not signed in."""
    made = {name: httpx.AsyncClient(base_url=server, headers={"origin": server}) for name in ("tina", "tom", "rita", "nobody")}
    for name, face in (("tina", "desk"), ("tom", "desk"), ("rita", "review")):
        form = {"name": name, "password": world.passwords[name], "language": "zh"}
        assert (await made[name].post(f"/{face}/sign-in", data=form)).status_code == 303
    yield made
    await asyncio.gather(*(browser.aclose() for browser in made.values()))


async def submit(browser: httpx.AsyncClient, face: str, tab: str, **more: Any) -> httpx.Response:
    join = {"data": ["hello"], "fn_index": 0, "session_hash": tab} | more
    return await browser.post(f"/{face}/gradio_api/queue/join", json=join)


async def heard(browser: httpx.AsyncClient, face: str, tab: str) -> list[Any]:
    """What the page's handler answered."""
    async with browser.stream("GET", f"/{face}/gradio_api/queue/data", params={"session_hash": tab}) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data:"):
                message = json.loads(line[5:])
                if message["msg"] == "process_completed":
                    return message["output"]["data"]
    raise AssertionError("the page never answered")


async def test_a_page_works_for_who_may_use_it_and_knows_them(world: World, browsers: dict[str, httpx.AsyncClient]) -> None:
    tina = browsers["tina"]
    page = await tina.get("/desk/", headers={"accept": "text/html"})
    assert page.status_code == 200
    assert (await submit(tina, "desk", "tab1")).status_code == 200
    assert await heard(tina, "desk", "tab1") == [f"for travellers: hello by {(await world.user('tina')).user_id}"]


async def test_our_script_is_the_first_thing_of_a_page(browsers: dict[str, httpx.AsyncClient]) -> None:
    page = await browsers["tina"].get("/desk/", headers={"accept": "text/html", "accept-encoding": "gzip, br"})
    first = page.text.split("<head>")[1]
    assert first.startswith('<script>(function(){\nvar language="zh-CN"')
    assert int(page.headers["content-length"]) == len(page.content)


async def test_pages_keep_everything_at_home(browsers: dict[str, httpx.AsyncClient]) -> None:
    for path in ("/desk/", "/desk/config", "/desk/theme.css"):
        answer = await browsers["tina"].get(path, headers={"origin": "http://evil.example"})
        assert answer.status_code == 200
        policy = answer.headers["content-security-policy"]
        assert "img-src 'self' data: blob:" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["referrer-policy"] == "same-origin"
        assert not [name for name in answer.headers if name.startswith("access-control-")]


async def test_a_stranger_sees_no_page(browsers: dict[str, httpx.AsyncClient]) -> None:
    for path in PAGES:
        assert (await browsers["nobody"].get(path)).status_code == 401, path
        led = await browsers["nobody"].get(path, headers={"accept": "text/html"})
        assert led.status_code == 303, path
        assert led.headers["location"].startswith("/desk/sign-in?next=/desk/"), path


async def test_a_traveller_cannot_run_a_reviewers_handler(browsers: dict[str, httpx.AsyncClient]) -> None:
    assert (await submit(browsers["tina"], "review", "tab2")).status_code == 401
    assert (await submit(browsers["nobody"], "desk", "tab2")).status_code == 401
    assert (await browsers["tina"].get("/review/config")).status_code == 401


async def test_a_tab_of_another_is_closed(browsers: dict[str, httpx.AsyncClient]) -> None:
    assert (await submit(browsers["tina"], "desk", "tinas")).status_code == 200
    assert (await submit(browsers["tom"], "desk", "tinas")).status_code == 403
    listening = await browsers["tom"].get("/desk/gradio_api/queue/data", params={"session_hash": "tinas"})
    assert listening.status_code == 403
    assert (await browsers["tom"].get("/desk/gradio_api/heartbeat/tinas")).status_code == 403
    stop = {"session_hash": "tinas", "fn_index": 0, "event_id": "e"}
    assert (await browsers["tom"].post("/desk/gradio_api/cancel", json=stop)).status_code == 403
    assert await heard(browsers["tina"], "desk", "tinas")


async def test_what_the_pages_do_not_use_is_closed(browsers: dict[str, httpx.AsyncClient]) -> None:
    for path in CLOSED:
        answer = await browsers["tina"].get(f"/desk/{path}")
        assert answer.status_code == 404, path
        assert answer.headers["content-type"] == "application/problem+json", path


async def test_handlers_are_reached_by_the_queue_only(browsers: dict[str, httpx.AsyncClient]) -> None:
    for path in CLOSED_TO_POST:
        answer = await browsers["tina"].post(f"/desk/{path}", json={"data": ["x"], "session_hash": "t", "fn_index": 0})
        assert answer.status_code == 404, path


async def test_another_sites_page_cannot_press_our_buttons(browsers: dict[str, httpx.AsyncClient]) -> None:
    tina = browsers["tina"]
    del tina.headers["origin"]
    body = json.dumps({"data": ["x"], "fn_index": 0, "session_hash": "forged"})
    for origin, content_type in product(
        ("http://evil.example", "null", "http://127.0.0.1:1", None), ("application/json", "text/plain", "")
    ):
        headers = {"content-type": content_type} | ({"origin": origin} if origin else {})
        answer = await tina.post("/desk/gradio_api/queue/join", content=body, headers=headers)
        assert answer.status_code == 403, (origin, content_type)


async def test_a_press_that_cannot_be_read_is_refused(browsers: dict[str, httpx.AsyncClient]) -> None:
    for body, status in UNREADABLE:
        headers = {"content-type": "application/json"}
        answer = await browsers["tina"].post("/desk/gradio_api/queue/join", content=body, headers=headers)
        assert answer.status_code == status, body[:20]


async def test_signed_out_means_out_at_once(browsers: dict[str, httpx.AsyncClient]) -> None:
    tina = browsers["tina"]
    kept = dict(tina.cookies)
    assert (await submit(tina, "desk", "tab3")).status_code == 200
    await tina.post("/desk/sign-out")
    tina.cookies.update(kept)
    assert (await submit(tina, "desk", "tab3")).status_code == 401
