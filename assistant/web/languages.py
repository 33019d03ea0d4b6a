"""Which of the two languages somebody reads, as far as a request tells."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from ..domain.understanding import Language


def preferred(accept_language: str | None) -> Language:
    """The better liked of Chinese and English; English where neither is named."""
    liked: dict[Language, float] = {"en": 0.0, "zh": 0.0}
    for entry in (accept_language or "").lower().split(","):
        tag, _, weight = entry.strip().partition(";")
        name = tag.split("-")[0]
        if name == "zh" or name == "en":
            liked[name] = max(liked[name], _weight(weight))
    return "zh" if liked["zh"] > liked["en"] else "en"


def language_of(connection: HTTPConnection) -> Language:
    """The caller's own choice once it is known who calls, before that what the browser says."""
    chosen = getattr(connection.state, "language", None)
    return chosen or preferred(connection.headers.get("accept-language"))


def timezone_of(connection: HTTPConnection) -> str:
    """IANA; of the caller once it is known who calls."""
    return getattr(connection.state, "timezone", None) or "UTC"


def _weight(text: str) -> float:
    name, _, value = text.strip().partition("=")
    if name != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
