"""Small pictures, drawn inline: no font, no request, the colour of the text around them. Words always say the same."""

from __future__ import annotations

from markupsafe import Markup

from .markup import tag

_PATHS = {
    "mark": "M3 17.5h18M5 13l3.2.6 3.4-2-5-5.8 2-.6 7.6 4 4-2.2c1-.5 2.2-.2 2.6.6.4.8-.1 1.9-1.1 2.4L8.5 16.6 5.6 16z",
    "search": "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5",
    "plus": "M12 5v14M5 12h14",
    "pencil": "M4 20l1-4L16.5 4.5l3 3L8 19zM14 7l3 3",
    "archive": "M4 5h16v4H4zM6 9v10h12V9M10 13h4",
    "again": "M19 12a7 7 0 1 1-2.1-5M19 4v4h-4",
    "send": "M12 19V5M6 11l6-6 6 6",
    "stop": "M7 7h10v10H7z",
    "clock": "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2",
    "check": "M5 12.5l4.5 4.5L19 7.5",
    "warn": "M12 4l9 15.5H3zM12 10v4M12 16.6v.4",
    "cross": "M6 6l12 12M18 6L6 18",
    "person": "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20c.8-4 4-6 7.5-6s6.700 2 7.5 6",
    "calendar": "M4 6h16v14H4zM4 10h16M8 3v5M16 3v5",
    "printer": "M7 8V4h10v4M5 8h14v8h-3M8 16H5M8 13h8v7H8z",
    "seat": "M8 4v9h8M8 13l-1 4h9l1 3M16 13v4",
    "moon": "M19 14.500A8 8 0 1 1 9.500 5a6.500 6.500 0 0 0 9.500 9.500z",
    "language": "M4 6h9M8.500 4v2M11 6c-.8 4-3.300 6.500-6.500 8M6 9c1 2.200 3 4 5.500 5M12.500 20l4-9.500 4 9.500M14 17h5",
    "list": "M4 7h16M4 12h16M4 17h10",
    "ticket": "M4 7h16v3.500a1.500 1.500 0 0 0 0 3V17H4v-3.500a1.500 1.500 0 0 0 0-3zM14 7v10",
    "back": "M14 6l-6 6 6 6",
    "question": "M9 9.500a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400"
    "M12 17.600v.4M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z",
    "out": "M10 5H5v14h5M14 8l4 4-4 4M18 12H9",
}  # fmt: skip


def icon(name: str, size: int = 18) -> Markup:
    return tag(
        "svg",
        tag("path", d=_PATHS[name]),
        class_=f"icon icon-{name}",
        viewBox="0 0 24 24",
        width=size,
        height=size,
        fill="none",
        stroke="currentColor",
        stroke_width="1.7",
        stroke_linecap="round",
        stroke_linejoin="round",
        aria_hidden="true",
    )
