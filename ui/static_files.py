"""The styles, scripts and pictures that come with the pages."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def static(name: str) -> str:
    return files("ui").joinpath("static", name).read_text("utf-8")
