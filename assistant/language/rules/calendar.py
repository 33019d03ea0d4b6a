"""Days by name: weeks that begin on Monday, the coming 18th, holidays of both calendars. Everything is counted from the traveller's own day."""

from __future__ import annotations

import calendar as months
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

Problem = Literal["ambiguous", "impossible_date", "past_date", "partial", "several"]
Floating = Literal["day", "month_day", "weekday", "fixed"]

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Day:
    """A day or span of days somewhere in a message. `first` is None when it names no day that exists.

    `after_departure`: counted in days from the departure ("three days later"), resolved once that is known.
    `floating`: which part may roll on ("the 5th" of a later month) when it has to come after another day.
    """

    start: int
    end: int
    first: date | None = None
    last: date | None = None
    problem: Problem | None = None
    candidates: tuple[date, ...] = ()
    floating: Floating = "fixed"
    after_departure: int | None = None
    shift: int | None = None  # days earlier or later than what was said before

    def at(self, start: int, end: int) -> Day:
        return replace(self, start=start, end=end)


def one(day: date, *, floating: Floating = "fixed") -> Day:
    return Day(0, 0, day, day, floating=floating)


def span(first: date, last: date, *, vague: bool = False) -> Day:
    return Day(0, 0, first, last, problem="partial" if vague else None)


def impossible(*candidates: date) -> Day:
    return Day(0, 0, problem="impossible_date", candidates=candidates)


def last_of_month(year: int, month: int) -> date:
    return date(year, month, months.monthrange(year, month)[1])


def next_month(day: date, by: int = 1) -> tuple[int, int]:
    index = day.year * 12 + day.month - 1 + by
    return index // 12, index % 12 + 1


def day_of_month(today: date, day: int, *, months_on: int | None = None) -> Day:
    """The coming 18th; with `months_on` the 18th of this month (0) or a later one."""
    if not 1 <= day <= 31:
        return impossible()
    if months_on is not None:
        return month_day(today, next_month(today, months_on)[1], day, year=next_month(today, months_on)[0])
    for by in range(4):
        year, month = next_month(today, by)
        if day <= last_of_month(year, month).day and (found := date(year, month, day)) >= today:
            return one(found, floating="day")
    return impossible()


def month_day(today: date, month: int, day: int, *, year: int | None = None) -> Day:
    """12 月 24 日; without a year the coming one. The 30th of February names two days it might have been."""
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        return impossible()
    years = [year] if year else [today.year, today.year + 1]
    if month == 2 and day == 29 and not year:
        years = [y for y in range(today.year, today.year + 9) if months.isleap(y)][:2]
    for y in years:
        last = last_of_month(y, month)
        if day > last.day:
            if last >= today or year:
                return impossible(last, last + _DAY)
        elif date(y, month, day) >= today:
            return one(date(y, month, day), floating="fixed" if year else "month_day")
    return Day(0, 0, date(years[-1], month, day), date(years[-1], month, day), problem="past_date")


def month(today: date, number: int, part: str = "") -> Day:
    """A whole month or its beginning, middle, end: the coming one."""
    year = today.year if last_of_month(today.year, number) >= today else today.year + 1
    return part_of_month(today, year, number, part)


def part_of_month(today: date, year: int, number: int, part: str = "") -> Day:
    last = last_of_month(year, number)
    first_day, last_day = {"": (1, last.day), "start": (1, 7), "early": (1, 10), "middle": (11, 20), "second": (8, 14), "third": (15, 21), "late": (21, last.day)}.get(
        part, (last.day - 5, last.day)
    )
    end = last.replace(day=last_day)
    if end < today:
        return part_of_month(today, *next_month(last), part)
    return span(max(last.replace(day=first_day), today), end, vague=True)


def week_start(today: date, weeks: int = 0) -> date:
    return today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)


def weekday(today: date, number: int, weeks: int | None = None) -> Day:
    """The coming Wednesday, or the Wednesday `weeks` weeks after this one. Monday is 0. Today's own name means a week on, or today."""
    if weeks is None:
        ahead = (number - today.weekday()) % 7
        if ahead == 0:
            later = today + timedelta(days=7)
            return Day(0, 0, today, today, "ambiguous", (today, later), "weekday")
        return one(today + timedelta(days=ahead), floating="weekday")
    found = week_start(today, weeks) + timedelta(days=number)
    if weeks == 0 and found < today:
        return one(found + timedelta(days=7), floating="weekday")
    return one(found)


def next_weekday(today: date, number: int) -> Day:
    """English "next Friday": the Friday of next week. When this week's Friday is still to come, that may have been meant."""
    found = week_start(today, 1) + timedelta(days=number)
    coming = found - timedelta(days=7)
    if coming > today:
        return Day(0, 0, found, found, "ambiguous", (coming, found))
    return one(found)


def weekend(today: date, weeks: int | None = None) -> Day:
    saturday = week_start(today, weeks or 0) + timedelta(days=5)
    sunday = saturday + _DAY
    if sunday < today:
        return weekend(today, 1)
    return span(max(saturday, today), sunday)


def week(today: date, weeks: int) -> Day:
    monday = week_start(today, weeks)
    return span(max(monday, today), monday + timedelta(days=6), vague=True)


def shifted_months(today: date, by: int) -> date:
    year, number = next_month(today, by)
    return date(year, number, min(today.day, last_of_month(year, number).day))


# Lunar new year, Qingming, Dragon Boat, Mid-Autumn: month and day by the Hong Kong Observatory's calendar conversion tables.
_LUNAR: dict[int, tuple[tuple[int, int], tuple[int, int], tuple[int, int], tuple[int, int]]] = {
    2019: ((2, 5), (4, 5), (6, 7), (9, 13)),
    2025: ((1, 29), (4, 4), (5, 31), (10, 6)),
    2026: ((2, 17), (4, 5), (6, 19), (9, 25)),
    2027: ((2, 6), (4, 5), (6, 9), (9, 15)),
    2028: ((1, 26), (4, 4), (5, 28), (10, 3)),
    2029: ((2, 13), (4, 4), (6, 16), (9, 22)),
    2030: ((2, 3), (4, 5), (6, 5), (9, 12)),
    2031: ((1, 23), (4, 5), (6, 24), (10, 1)),
    2032: ((2, 11), (4, 4), (6, 12), (9, 19)),
    2033: ((1, 31), (4, 4), (6, 1), (9, 8)),
    2034: ((2, 19), (4, 5), (6, 20), (9, 27)),
    2035: ((2, 8), (4, 5), (6, 10), (9, 16)),
}


def _lunar(which: int, first: int = 0, last: int = 0) -> Callable[[int], tuple[date, date] | None]:
    def days(year: int) -> tuple[date, date] | None:
        if year not in _LUNAR:
            return None
        day = date(year, *_LUNAR[year][which])
        return day + timedelta(days=first), day + timedelta(days=last)

    return days


def _solar(number: int, day: int, days: int = 1) -> Callable[[int], tuple[date, date] | None]:
    return lambda year: (date(year, number, day), date(year, number, day) + timedelta(days=days - 1))


def _nth_weekday(number: int, which: int, nth: int) -> Callable[[int], tuple[date, date] | None]:
    def day(year: int) -> tuple[date, date]:
        if nth < 0:
            last = last_of_month(year, number)
            found = last - timedelta(days=(last.weekday() - which) % 7)
        else:
            first = date(year, number, 1)
            found = first + timedelta(days=(which - first.weekday()) % 7 + 7 * (nth - 1))
        return found, found

    return day


def _easter(year: int) -> tuple[date, date]:
    """Sunday by the anonymous Gregorian computus."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    day = date(year, f // 31, f % 31 + 1)
    return day, day


HOLIDAYS: dict[str, Callable[[int], tuple[date, date] | None]] = {
    "new_year": _solar(1, 1), "new_years_eve": _solar(12, 31), "christmas": _solar(12, 25), "christmas_eve": _solar(12, 24), "valentine": _solar(2, 14),
    "halloween": _solar(10, 31), "independence_day": _solar(7, 4), "thanksgiving": _nth_weekday(11, 3, 4), "labor_day": _nth_weekday(9, 0, 1),
    "memorial_day": _nth_weekday(5, 0, -1), "easter": _easter, "may_day": _solar(5, 1, 5), "national_day": _solar(10, 1, 7), "spring_festival": _lunar(0, -1, 6),
    "lunar_new_year": _lunar(0), "lunar_eve": _lunar(0, -1, -1), "lantern": _lunar(0, 14, 14), "qingming": _lunar(1), "dragon_boat": _lunar(2), "mid_autumn": _lunar(3),
    "children": _solar(6, 1), "women": _solar(3, 8), "summer_holidays": _solar(7, 1, 62), "winter_holidays": _solar(1, 15, 31),
}  # fmt: skip


def holiday(today: date, name: str, *, year: int | None = None, plus: int = 0) -> Day:
    """The coming one; a holiday of several days is a span. `plus` days on: 大年初三 is two after the lunar new year."""
    for y in [year] if year else [today.year, today.year + 1]:
        days = HOLIDAYS[name](y)
        if days and days[1] + timedelta(days=plus) >= today:
            first, last = days[0] + timedelta(days=plus), days[1] + timedelta(days=plus)
            return span(max(first, today), last, vague=(last - first).days > 7)
    return Day(0, 0, problem="partial")
