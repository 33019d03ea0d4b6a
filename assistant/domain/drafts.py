"""A draft grows message by message: what is said now joins what was said, and replaces it where it is said again."""

from __future__ import annotations

from typing import Any

from .understanding import Passengers, Slots, Understanding, When


def merged(draft: Slots, understanding: Understanding) -> Slots:
    """The draft with this message's slots in it."""
    said = understanding.slots
    changed: dict[str, Any] = {}
    for name in Slots.model_fields:
        value = getattr(said, name)
        if value is None or value == ():
            continue
        changed[name] = _joined(getattr(draft, name), value)
    return draft.model_copy(update=changed)


def _joined(before: Any, now: Any) -> Any:
    """A day keeps its hours and hours their day; of the passengers only those named change."""
    if isinstance(before, When) and isinstance(now, When):
        return _when(before, now)
    if isinstance(before, Passengers) and isinstance(now, Passengers):
        return before.model_copy(update={n: v for n in Passengers.model_fields if (v := getattr(now, n)) not in (None, ())})
    return now


def _when(before: When, now: When) -> When:
    if now.date_from is None:
        return now.model_copy(update={"date_from": before.date_from, "date_to": before.date_to})
    if now.time_from is None and now.time_to is None:
        return now.model_copy(update={"time_from": before.time_from, "time_to": before.time_to, "arrive_by": before.arrive_by})
    return now
