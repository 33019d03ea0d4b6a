"""Serves the pages of a stage on a free port, for browsers."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from tests.ui.stage import Stage
from ui.mount import mount_pages


@contextmanager
def shown(stage: Stage) -> Iterator[str]:
    """The address of the pages while the stage is up."""
    app = FastAPI()
    for path in ("/desk", "/review"):
        app.add_api_route(f"{path}/me/changes", lambda: {"user": stage.counter})
    mount_pages(app, stage, auth_dependency=lambda request: "somebody")
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
