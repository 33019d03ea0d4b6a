"""From `Said` to text: the sentence of the reader's language, its blanks filled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from pydantic_core import to_jsonable_python

from ..domain.understanding import Language
from . import catalogue, kinds
from .reader import Reader
from .said import Said
from .sentence import Blank, Maybe


def saying(key: str, /, **params: object) -> Said:
    """A `Said` whose facts may be given as they are: values, dates, enums, other `Said`s. Facts that are None are left out."""
    known = {name: value for name, value in params.items() if value is not None}
    return Said(key=key, params=to_jsonable_python(known))


def render(said: Said, language: Language, *, timezone: str = "UTC", now: datetime | None = None) -> str:
    """The text for a reader in an IANA `timezone`; with `now` (aware) deadlines tell what is left.

    Raises KeyError for an unknown key or a missing fact.
    """
    return _rendered(said.key, said.params, Reader(language, timezone, now))


def taken_apart(said: Said, language: Language, *, timezone: str = "UTC") -> tuple[tuple[str | None, str], ...]:
    """The same text in its parts: words with None, facts with their name. Raises as `render` does."""
    return tuple(_parts(said.key, said.params, Reader(language, timezone, None)))


def say(key: str, language: Language, *, timezone: str = "UTC", now: datetime | None = None, **params: object) -> str:
    """The same for a sentence that is not kept."""
    return render(saying(key, **params), language, timezone=timezone, now=now)


def _rendered(key: str, params: Mapping[str, Any], reader: Reader) -> str:
    return "".join(text for _, text in _parts(key, params, reader))


def _parts(key: str, params: Mapping[str, Any], reader: Reader) -> Iterator[tuple[str | None, str]]:
    for part in catalogue.sentence(key, reader.language).parts:
        known = not isinstance(part, Maybe) or all(params.get(p.name) is not None for p in part.parts if isinstance(p, Blank))
        for each in (part.parts if isinstance(part, Maybe) else (part,)) if known else ():
            yield (None, each) if isinstance(each, str) else (each.name, _filled(each, params, reader))


def _filled(blank: Blank, params: Mapping[str, Any], reader: Reader) -> str:
    value = params[blank.name]
    if blank.forms:
        return _plural(blank.forms, value, reader)
    return _written(value, blank.kind, reader)


def _plural(forms: Sequence[str], value: Any, reader: Reader) -> str:
    """Forms stand in the order one, other; a language without plurals has one form."""
    form = forms[0] if len(forms) == 1 or reader.locale.plural_form(value) == "one" else forms[-1]
    return form.replace("#", kinds.number(value, reader))


def _written(value: Any, kind: str | None, reader: Reader) -> str:
    match value:
        case list() | tuple():
            join, each = _joint(kind)
            return kinds.JOINS[join]([_written(item, each, reader) for item in cast("Sequence[Any]", value)], reader)
        case {"key": str(key), **rest}:
            return _rendered(key, cast("dict[str, Any]", rest.get("params", {})), reader)
        case _:
            return _alone(value, kind, reader)


def _joint(kind: str | None) -> tuple[str, str | None]:
    """How several are joined and how each is written: `or city`, `strung`, `money`."""
    first, _, rest = (kind or "").partition(" ")
    return (first, rest or None) if first in kinds.JOINS else ("list", kind)


def _alone(value: Any, kind: str | None, reader: Reader) -> str:
    if kind is None:
        return kinds.number(value, reader) if isinstance(value, int | float) else str(value)
    if kind == "deadline":
        return _deadline(value, reader)
    if kind == "duration":
        return _duration(value, reader)
    if write := kinds.KINDS.get(kind):
        return write(value, reader)
    return _of_group(kind, str(value), reader)


def _of_group(group: str, value: str, reader: Reader) -> str:
    """A word of the catalogue: `cabin` and "economy" is `cabin.economy`; a word it lacks is the group's `other`."""
    key = value if value.startswith(f"{group}.") else f"{group}.{value}"
    return _rendered(key if catalogue.has(key) else f"{group}.other", {"value": value}, reader)


def _deadline(value: Any, reader: Reader) -> str:
    left = kinds.minutes_left(value, reader)
    if left is None:
        return kinds.moment(value, reader)
    if left < 0:
        key = "clock.passed"
    else:
        key = "clock.hurry" if left < kinds.HURRY_MINUTES else "clock.left"
    return _rendered(key, {"at": value, "left": max(left, 0)}, reader)


def _duration(minutes: int, reader: Reader) -> str:
    days, rest = divmod(minutes, 24 * 60)
    hours, rest = divmod(rest, 60)
    if days:
        return _rendered("clock.days_hours", {"days": days, "hours": hours or None}, reader)
    if hours:
        return _rendered("clock.hours_minutes", {"hours": hours, "minutes": rest or None}, reader)
    return _rendered("clock.minutes", {"minutes": rest}, reader)
