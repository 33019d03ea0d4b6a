"""The way into a thread's timeline, for cards, chats and approvals."""

from __future__ import annotations

from markupsafe import Markup

from .icons import icon
from .markup import tag
from .pen import Pen


def timeline_link(thread_id: str, pen: Pen, key: str = "timeline.open") -> Markup:
    """Opens the timeline over the page one is on."""
    return tag("a", icon("list", 15), pen(key), href=f"?timeline={thread_id}", class_="plain", data_timeline=thread_id)
