"""How facts are written: money, days, clocks and lists by CLDR; flight times local to the airport, deadlines for the reader.

A fact is JSON: money is `{"amount", "currency"}`, a span of days `{"from", "to"}`, times are ISO 8601.
A time without zone is local to its airport and written as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from babel.dates import format_skeleton
from babel.lists import format_list
from babel.numbers import format_currency, format_decimal

from . import names
from .reader import Reader

HURRY_MINUTES = 15  # from here on the words change, not only the colour


def money(value: Any, reader: Reader) -> str:
    amount, currency = Decimal(str(value["amount"])), str(value["currency"])
    if reader.language == "zh":
        return format_currency(amount, currency, locale=reader.locale)
    return format_currency(amount, currency, "#,##0.00\N{NO-BREAK SPACE}¤¤", locale=reader.locale)


def day(value: Any, reader: Reader) -> str:
    """With its weekday; with the year where it is not this one."""
    on = date.fromisoformat(str(value)[:10])
    with_year = reader.today is not None and reader.today.year != on.year
    return format_skeleton("yMMMEd" if with_year else "MMMEd", on, locale=reader.locale)


def days(value: Any, reader: Reader) -> str:
    if isinstance(value, str):
        return day(value, reader)
    first, last = value["from"], value.get("to")
    return day(first, reader) if not last or last == first else f"{day(first, reader)} – {day(last, reader)}"


def clock(value: Any, reader: Reader) -> str:
    text = str(value)
    if "T" not in text and " " not in text:
        return time.fromisoformat(text).strftime("%H:%M")
    return _in_zone(text, reader).strftime("%H:%M")


def moment(value: Any, reader: Reader) -> str:
    """A point in time: the clock alone where it is today, else with the day."""
    at = _in_zone(str(value), reader)
    if reader.today and at.date() == reader.today.date():
        return at.strftime("%H:%M")
    return f"{day(at.date().isoformat(), reader)} {at:%H:%M}"


def utc(value: Any, _: Reader) -> str:
    """A point in time as operators speak of it with each other, whole and the same for every reader."""
    return f"{datetime.fromisoformat(str(value)).astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def minutes_left(value: Any, reader: Reader) -> int | None:
    """Whole minutes until then, rounded down; None where it is not known what time it is."""
    if reader.now is None:
        return None
    return int((datetime.fromisoformat(str(value)) - reader.now).total_seconds() // 60)


def number(value: Any, reader: Reader) -> str:
    return format_decimal(value, locale=reader.locale)


def city(value: Any, reader: Reader) -> str:
    return names.city(str(value), reader.language)


def airport(value: Any, reader: Reader) -> str:
    return names.airport(str(value), reader.language)


def airport_full(value: Any, reader: Reader) -> str:
    return names.airport_full(str(value), reader.language)


def airline(value: Any, reader: Reader) -> str:
    return names.airline(str(value), reader.language)


def either(texts: Sequence[str], reader: Reader) -> str:
    return format_list(list(texts), "or", locale=reader.locale)


def listed(texts: Sequence[str], reader: Reader) -> str:
    return format_list(list(texts), "standard", locale=reader.locale)


def strung(texts: Sequence[str], reader: Reader) -> str:
    return ("，" if reader.language == "zh" else ", ").join(texts)


def joined(texts: Sequence[str], reader: Reader) -> str:
    """Things said of one: Chinese sets them side by side."""
    return strung(texts, reader) if reader.language == "zh" else listed(texts, reader)


def stacked(texts: Sequence[str], reader: Reader) -> str:
    return "\n".join(texts)


JOINS: dict[str, Callable[[Sequence[str], Reader], str]] = {
    "or": either,
    "list": listed,
    "strung": strung,
    "both": joined,
    "lines": stacked,
}
KINDS: dict[str, Callable[[Any, Reader], str]] = {
    "money": money,
    "day": day,
    "days": days,
    "clock": clock,
    "moment": moment,
    "utc": utc,
    "number": number,
    "city": city,
    "airport": airport,
    "airport_full": airport_full,
    "airline": airline,
}


def _in_zone(text: str, reader: Reader) -> datetime:
    at = datetime.fromisoformat(text)
    return at.astimezone(reader.zone) if at.tzinfo else at
