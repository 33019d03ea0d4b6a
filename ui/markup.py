"""HTML made in Python: every text is escaped unless it is markup already."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from markupsafe import Markup, escape

NOTHING: Final = Markup("")
_VOID = frozenset({"input", "br", "hr", "img", "meta", "link", "col"})


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """`<name ...>children</name>`.

    Attribute names lose a trailing `_` and have `-` for `_` (`class_`, `data_trip`). None and False leave an attribute out, True
    leaves it bare.
    """
    opened = Markup("<{}{}>").format(Markup(name), joined(_attribute(key, value) for key, value in attributes.items()))
    return opened if name in _VOID else Markup("{}{}</{}>").format(opened, joined(children), Markup(name))


def joined(parts: Iterable[object], between: str | Markup = NOTHING) -> Markup:
    """Texts escaped, markup as it is, None left out, iterables flattened."""
    return Markup(between).join(_flat(parts)) if between else Markup("").join(_flat(parts))


def paragraphs(text: str) -> Markup:
    """Plain text as people typed it: an empty line parts paragraphs, a line break breaks the line."""
    blocks = (block.strip("\n") for block in text.replace("\r\n", "\n").split("\n\n"))
    return joined(tag("p", joined(block.split("\n"), Markup("<br>"))) for block in blocks if block.strip())


def _flat(parts: Iterable[object]) -> Iterable[Markup]:
    for part in parts:
        if part is None or part is False:
            continue
        if isinstance(part, str):
            yield escape(part)
        elif isinstance(part, Iterable):
            yield from _flat(part)
        else:
            yield escape(str(part))


def _attribute(key: str, value: object) -> Markup | None:
    if value is None or value is False:
        return None
    name = Markup(key.rstrip("_").replace("_", "-"))
    return Markup(" {}").format(name) if value is True else Markup(' {}="{}"').format(name, str(value))
