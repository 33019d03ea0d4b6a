"""Holidays of both calendars: when they are, and what they are called."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from . import calendar as cal
from .calendar import Day

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
            last = cal.last_of_month(year, number)
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
    "new_year": _solar(1, 1),
    "new_years_eve": _solar(12, 31),
    "christmas": _solar(12, 25),
    "christmas_eve": _solar(12, 24),
    "valentine": _solar(2, 14),
    "halloween": _solar(10, 31),
    "independence_day": _solar(7, 4),
    "thanksgiving": _nth_weekday(11, 3, 4),
    "labor_day": _nth_weekday(9, 0, 1),
    "memorial_day": _nth_weekday(5, 0, -1),
    "easter": _easter,
    "may_day": _solar(5, 1, 5),
    "national_day": _solar(10, 1, 7),
    "spring_festival": _lunar(0, -1, 6),
    "lunar_new_year": _lunar(0),
    "lunar_eve": _lunar(0, -1, -1),
    "lantern": _lunar(0, 14, 14),
    "qingming": _lunar(1),
    "dragon_boat": _lunar(2),
    "mid_autumn": _lunar(3),
    "children": _solar(6, 1),
    "women": _solar(3, 8),
    "summer_holidays": _solar(7, 1, 62),
    "winter_holidays": _solar(1, 15, 31),
}


def holiday(today: date, name: str, *, year: int | None = None, plus: int = 0) -> Day:
    """The coming one; a holiday of several days is a span. `plus` days on: 大年初三 is two after the lunar new year."""
    for y in [year] if year else [today.year, today.year + 1]:
        days = HOLIDAYS[name](y)
        if days and days[1] + timedelta(days=plus) >= today:
            first, last = days[0] + timedelta(days=plus), days[1] + timedelta(days=plus)
            return cal.span(max(first, today), last, vague=(last - first).days > 7)
    return Day(0, 0, problem="partial")


# What a message calls them, as patterns.
ENGLISH = {
    r"new year'?s? eve|nye": "new_years_eve",
    r"christmas eve|xmas eve": "christmas_eve",
    r"christmas(?: day)?|xmas": "christmas",
    r"thanksgiving(?: day)?": "thanksgiving",
    r"(?:chinese|lunar) new year|spring festival|cny": "spring_festival",
    r"new year'?s?(?: day)?": "new_year",
    r"valentine'?s?(?: day)?": "valentine",
    r"halloween": "halloween",
    r"independence day|fourth of july|4th of july": "independence_day",
    r"labor day": "labor_day",
    r"memorial day": "memorial_day",
    r"easter(?: sunday)?": "easter",
    r"golden week|national day": "national_day",
    r"may day|labou?r day holiday": "may_day",
    r"dragon boat(?: festival)?": "dragon_boat",
    r"mid-?autumn(?: festival)?|moon festival": "mid_autumn",
    r"qingming|tomb[- ]sweeping(?: day)?": "qingming",
    r"lantern festival": "lantern",
}
CHINESE = {
    r"元旦|新年第一天": "new_year",
    r"跨年夜?": "new_years_eve",
    r"大年三十|年三十|除夕": "lunar_eve",
    r"春节(?:期间|假期|长假)?|过年(?:期间|的时候)?|新春": "spring_festival",
    r"元宵节?": "lantern",
    r"清明节?(?:假期|小长假|期间)?": "qingming",
    r"五一(?!号)(?:节|假期|长假|小长假|黄金周|期间|劳动节)?|劳动节": "may_day",
    r"端午节?(?:假期|小长假|期间)?": "dragon_boat",
    r"中秋节?(?:假期|小长假|期间)?": "mid_autumn",
    r"国庆节?(?:假期|长假|黄金周|期间)?|十一(?:假期|长假|黄金周|期间)": "national_day",
    r"圣诞节?(?!夜|前夜)": "christmas",
    r"平安夜|圣诞前夜": "christmas_eve",
    r"情人节": "valentine",
    r"儿童节|六一(?!号)": "children",
    r"三八妇女节|妇女节": "women",
    r"暑假(?:期间)?": "summer_holidays",
    r"寒假(?:期间)?": "winter_holidays",
    r"感恩节": "thanksgiving",
    r"万圣节": "halloween",
}
