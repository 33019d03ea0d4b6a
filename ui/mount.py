"""Puts the pages on a web app: one `Blocks` and one mount for each role, with everything shut that they do not use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from assistant.domain.errors import NotFound

from .booked import calendar, receipt
from .desk import desk_page
from .faces import Faces
from .page import pen_of
from .review import review_page
from .static_files import static
from .theme import theme

DESK, REVIEW = "/desk", "/review"


def mount_pages(app: FastAPI, faces: Faces, *, auth_dependency: Callable[[Request], Any]) -> None:
    """Mounts /desk and /review. `auth_dependency` gives the name of who is signed in on a request's mount, or None.

    Call it after the REST routes are added: what Gradio mounts answers for everything below its path.
    """
    _add_files(app, faces)
    for path, page in ((DESK, desk_page(faces)), (REVIEW, review_page(faces))):
        page.queue(api_open=False, default_concurrency_limit=50)
        gr.mount_gradio_app(
            app,
            page,
            path,
            auth_dependency=auth_dependency,
            footer_links=[],
            run_history=False,
            show_error=False,
            ssr_mode=False,
            enable_monitoring=False,
            pwa=False,
            mcp_server=False,
            max_file_size=1,
            theme=theme(),
            css=static("layover.css") + static("timeline.css"),
            head=f"<style>{static('states.css')}</style>",
        )


def _add_files(app: FastAPI, faces: Faces) -> None:
    @app.get("/favicon.ico", include_in_schema=False)
    async def favicon() -> Response:  # pyright: ignore[reportUnusedFunction]
        return Response(static("mark.svg"), media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    @app.get(f"{DESK}/trips/{{trip_id}}/receipt", include_in_schema=False)
    async def printable(trip_id: str, request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        who = await faces.who(request)
        try:
            trip = await faces.trip(who.reader, trip_id)
        except NotFound:
            return Response(status_code=404)
        return HTMLResponse(receipt(trip, pen_of(who)))

    @app.get(f"{DESK}/trips/{{trip_id}}/itinerary.ics", include_in_schema=False)
    async def itinerary(trip_id: str, request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        who = await faces.who(request)
        try:
            trip = await faces.trip(who.reader, trip_id)
        except NotFound:
            return Response(status_code=404)
        return Response(calendar(trip, pen_of(who)), media_type="text/calendar; charset=utf-8")
