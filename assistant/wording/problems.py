"""What is wrong with a field, as a sentence of the catalogue with its facts: never the value that was sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue, ValidationError

from ..domain.understanding import Language
from .catalogue import has, sentence
from .rendering import render, saying
from .said import Said


def wrong(kind: str, context: Mapping[str, Any] | None = None) -> dict[str, JsonValue]:
    """`Said` as JSON, with no more facts than its sentence tells; a kind met seldom is told in general."""
    blanks, known = sentence(f"wrong.{kind}", "en").blanks if has(f"wrong.{kind}") else {}, context or {}
    if not has(f"wrong.{kind}") or not blanks.keys() <= known.keys():
        return Said(key="wrong.other").model_dump()
    return saying(f"wrong.{kind}", **{name: str(known[name]) for name in blanks}).model_dump()


def of_fields(failure: ValidationError, *, whole: str) -> dict[str, dict[str, JsonValue]]:
    """By the path of the field; `whole` names what is wrong as a whole."""
    errors = failure.errors(include_url=False, include_input=False)
    return {".".join(str(part) for part in e["loc"]) or whole: wrong(e["type"], e.get("ctx")) for e in errors}


def error_in_words(error: Mapping[str, Any] | None, language: Language) -> dict[str, Any] | None:
    """The error of a command as it is kept, with the problems of its fields in words."""
    if error is None or "problems" not in error:
        return dict(error) if error is not None else None
    return {**error, "problems": in_words(error["problems"], language)}


def in_words(problems: Mapping[str, Any], language: Language) -> dict[str, str]:
    """The text for each field; what was kept as text stays as it is."""
    return {
        field: each if isinstance(each, str) else render(Said.model_validate(each), language) for field, each in problems.items()
    }
