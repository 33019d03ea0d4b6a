"""Days by name: weeks that begin on Monday, the coming 18th, holidays of both calendars; counted from the traveller's own day."""

from __future__ import annotations

import calendar as months
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
    first_day, last_day = {
        "": (1, last.day),
        "start": (1, 7),
        "early": (1, 10),
        "middle": (11, 20),
        "second": (8, 14),
        "third": (15, 21),
        "late": (21, last.day),
    }.get(part, (last.day - 5, last.day))
    end = last.replace(day=last_day)
    if end < today:
        return part_of_month(today, *next_month(last), part)
    return span(max(last.replace(day=first_day), today), end, vague=True)


def week_start(today: date, weeks: int = 0) -> date:
    return today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)


def weekday(today: date, number: int, weeks: int | None = None) -> Day:
    """The coming Wednesday, or the one `weeks` weeks on. Monday is 0. Today's own name may mean a week on."""
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
