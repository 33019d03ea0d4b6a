"""The catalogue: TOML files by noun, each sentence in both languages side by side, read once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import cast

from ..domain.understanding import Language
from .sentence import Sentence, parsed

LANGUAGES: tuple[Language, ...] = ("zh", "en")


def template(key: str, language: Language) -> str:
    """The sentence as written in the catalogue. Raises KeyError for a key it does not have."""
    return _catalogue()[key][language]


def sentence(key: str, language: Language) -> Sentence:
    return parsed(template(key, language))


def keys(prefix: str = "") -> tuple[str, ...]:
    """All keys, or those of one group (`keys("status.")`)."""
    return tuple(key for key in _catalogue() if key.startswith(prefix))


def has(key: str) -> bool:
    return key in _catalogue()


@cache
def _catalogue() -> Mapping[str, Mapping[Language, str]]:
    found: dict[str, Mapping[Language, str]] = {}
    for file in sorted(files("assistant.wording").joinpath("catalogue").iterdir(), key=lambda f: f.name):
        if file.name.endswith(".toml"):
            for key, texts in _sentences(tomllib.loads(file.read_text("utf-8")), ""):
                if key in found:
                    raise ValueError(f"{key} is in the catalogue twice")
                found[key] = texts
    return found


def _sentences(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, Mapping[Language, str]]]:
    for name, entry in table.items():
        inner = cast(Mapping[str, object], entry)
        if set(inner) == set(LANGUAGES):
            yield prefix + name, cast(Mapping[Language, str], entry)
        else:
            yield from _sentences(inner, f"{prefix}{name}.")
