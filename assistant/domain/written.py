"""What people write into fields: text that can be shown as it is, and days that are written as days."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

TURNING = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"  # the direction of what follows them


def printable(text: str) -> str:
    """Raises ValueError naming the character that cannot be stored, sent or shown; lines and tabs are text."""
    text.encode()  # a lone surrogate cannot be stored or sent
    bad = next((c for c in text if (ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0 or c in TURNING), None)
    if bad is not None:
        raise PydanticCustomError("character", "the character {code} cannot be used here", {"code": f"U+{ord(bad):04X}"})
    return text


def one_line(text: str) -> str:
    """As `printable`; a name has no lines."""
    if any(c in "\n\t\u2028\u2029" for c in text):
        raise PydanticCustomError("one_line", "one line is needed")
    return printable(text)


def _day(value: object) -> object:
    """A number would be read as seconds since 1970."""
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or value.strip().lstrip("+-").replace(".", "").isdigit():
        raise PydanticCustomError("day", "a day is written YYYY-MM-DD")
    return value


Day = Annotated[date, BeforeValidator(_day)]
