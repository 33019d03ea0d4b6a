"""A sentence of the catalogue, taken apart.

`{name}` is filled with a fact, `{name:kind}` says how it is written (`kinds.py`), `{name:# stop|# stops}` holds one form for each
plural of the language. What stands in `[ ]` is left out where one of its facts is not known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_TOKEN = re.compile(r"\{(?P<name>[a-z_]+)(?::(?P<spec>[^}]*))?\}|(?P<open>\[)|(?P<close>\])")


@dataclass(frozen=True)
class Blank:
    """`forms` holds plural forms, else `kind` names how the fact is written; None: as it is."""

    name: str
    kind: str | None = None
    forms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Maybe:
    parts: tuple[str | Blank, ...]


@dataclass(frozen=True)
class Sentence:
    parts: tuple[str | Blank | Maybe, ...]

    @property
    def blanks(self) -> dict[str, bool]:
        """Name of each blank, and whether the sentence cannot be said without it."""
        found: dict[str, bool] = {}
        for part in self.parts:
            if isinstance(part, Maybe):
                for inner in part.parts:
                    if isinstance(inner, Blank):
                        found.setdefault(inner.name, False)
            elif isinstance(part, Blank):
                found[part.name] = True
        return found


@cache
def parsed(template: str) -> Sentence:
    """Raises ValueError where brackets do not match."""
    parts: list[str | Blank | Maybe] = []
    maybe: list[str | Blank] | None = None
    at = 0
    for token in _TOKEN.finditer(template):
        into = parts if maybe is None else maybe
        if text := template[at : token.start()]:
            into.append(text)
        at = token.end()
        if token["name"]:
            into.append(_blank(token["name"], token["spec"]))
        elif token["open"]:
            if maybe is not None:
                raise ValueError(f"[ inside [ ]: {template}")
            maybe = []
        else:
            if maybe is None:
                raise ValueError(f"] without [: {template}")
            parts.append(Maybe(tuple(maybe)))
            maybe = None
    if maybe is not None or "{" in template[at:]:
        raise ValueError(f"not closed: {template}")
    return Sentence((*parts, template[at:]) if template[at:] else tuple(parts))


def _blank(name: str, spec: str | None) -> Blank:
    if spec and ("|" in spec or "#" in spec):
        return Blank(name, forms=tuple(spec.split("|")))
    return Blank(name, kind=spec)
