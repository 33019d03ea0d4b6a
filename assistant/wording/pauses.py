"""Why purchases are paused, from what the switch holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..domain.understanding import Language
from .rendering import say


def why_paused(pause: Mapping[str, Any], language: Language) -> str | None:
    """What the operator typed, as it is, else the backup that was put back; None where nobody gave a reason.

    `pause`: `{by, reason?, restored_from?}`, the moment as ISO 8601.
    """
    if pause.get("reason"):
        return str(pause["reason"])
    if pause.get("restored_from"):
        return say("page.restored", language, restored_from=pause["restored_from"])
    return None
