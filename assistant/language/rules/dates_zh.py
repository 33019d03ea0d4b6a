"""Chinese dates: finds every day or span of days a message names. Weeks begin on Monday: 下周五 is the Friday of next week."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta

from . import calendar as cal
from . import holidays
from .calendar import Day
from .numbers import ZH_NUMBER, chinese_number
from .text import Text

_N = r"(?:[0-9]{1,2}|[一二三四五六七八九十廿卅两]{1,3})"
_WEEK = r"(?:周|星期|礼拜)"
_NUMBER_OF_DAY = {**dict(zip("一二三四五六日", range(7), strict=True)), "天": 6, "末": 5, **{str(i): i - 1 for i in range(1, 8)}}
_PART = {
    "初": "start",
    "头": "start",
    "上旬": "early",
    "中旬": "middle",
    "中": "middle",
    "下旬": "late",
    "底": "end",
    "末": "end",
    "尾": "end",
}

_Build = Callable[[re.Match[str], date], Day | None]


def _int(words: str) -> int:
    return int(chinese_number(words.replace("廿", "二十").replace("卅", "三十")))


def _full(m: re.Match[str], today: date) -> Day:
    year = int(m[1]) if m[1] else {"今": 0, "明": 1, "后": 2}[m[2]] + today.year if m[2] else None
    return cal.month_day(today, _int(m[3]), _int(m[4]), year=year)


def _dotted(m: re.Match[str], today: date) -> Day | None:
    return cal.month_day(today, int(m[1]), int(m[2])) if 1 <= int(m[1]) <= 12 and 1 <= int(m[2]) <= 31 else None


def _iso(m: re.Match[str], today: date) -> Day:
    return cal.month_day(today, int(m[2]), int(m[3]), year=int(m[1]))


def _of_month(m: re.Match[str], today: date) -> Day:
    return cal.day_of_month(today, _int(m[2]), months_on=0 if m[1][0] in "这本当" else 2 if m[1].startswith("下下") else 1)


def _day(m: re.Match[str], today: date) -> Day:
    return cal.day_of_month(today, _int(m[1]))


def _two_days(m: re.Match[str], today: date) -> Day | None:
    one = cal.day_of_month(today, _int(m[1]))
    other = cal.day_of_month(one.first or today, _int(m[3]))
    if not one.first or not other.first or m[2] in "到至-":
        return None  # from one to the other: two days, each with its own part
    return Day(0, 0, one.first, other.first, problem="several", candidates=(one.first, other.first))


def _near(m: re.Match[str], today: date) -> Day:
    ahead = {"今": 0, "当天": 0, "明": 1, "后": 2, "大后": 3, "大大后": 4, "昨": -1, "前": -2}
    days = next(ahead[k] for k in ("大大后", "大后", "后", "明", "今", "当天", "昨", "前") if m.group().startswith(k))
    if days < 0:
        gone = today + timedelta(days=days)
        return Day(0, 0, gone, gone, problem="past_date", candidates=(today,))
    return cal.one(today + timedelta(days=days))


def _weekday(m: re.Match[str], today: date) -> Day:
    weeks = _weeks(m["which"])
    numbers = [_NUMBER_OF_DAY[c] for c in m["days"]]
    if m["days"][0] == "末":
        return cal.weekend(today, weeks)
    found = [cal.weekday(today, n, weeks) for n in numbers]
    days = [d.first for d in found if d.first]
    if len(days) > 1:
        return Day(0, 0, min(days), max(days), problem="several", candidates=tuple(days))
    return found[0]


def _weeks(which: str | None) -> int | None:
    if not which:
        return None
    return which.count("下") if "下" in which else -1 if "上" in which else 0


def _weekend(m: re.Match[str], today: date) -> Day:
    return cal.weekend(today, _weeks(m["which"]))


def _week(m: re.Match[str], today: date) -> Day:
    return cal.week(today, _weeks(m["which"]) or 0)


def _named_month(m: re.Match[str], today: date) -> Day | None:
    number = _int(m[1])
    return cal.month(today, number, _PART.get(m[2] or "", "")) if 1 <= number <= 12 else None


def _relative_month(m: re.Match[str], today: date) -> Day:
    by = (m["which"] or "").count("下")
    return cal.part_of_month(today, *cal.next_month(today, by), _PART.get(m["part"] or "", ""))


def _year_end(m: re.Match[str], today: date) -> Day:
    year = today.year + (1 if m[1] == "明" else 0)
    if m[2] == "初":
        return cal.span(max(date(year + (not m[1]), 1, 1), today), date(year + (not m[1]), 1, 31), vague=True)
    return cal.span(max(date(year, 12, 15), today), date(year, 12, 31), vague=True)


def _lunar_day(m: re.Match[str], today: date) -> Day:
    return holidays.holiday(today, "lunar_new_year", plus=_int(m[1]) - 1)


def _holiday(name: str) -> _Build:
    return lambda m, today: holidays.holiday(today, name, year=today.year + 1 if m.group().startswith("明年") else None)


def _days(m: re.Match[str], today: date) -> int:
    count = min(int(chinese_number(m["n"])), _FARTHEST) if m["n"] != "半" else 0
    if "月" in m["unit"]:
        return (cal.shifted_months(today, count) - today).days if count else 15
    return count * (7 if m["unit"].strip("个") in ("周", "星期", "礼拜") else 1)


def _in_days(m: re.Match[str], today: date) -> Day:
    return cal.one(today + timedelta(days=_days(m, today)))


def _stay(m: re.Match[str], today: date) -> Day:
    return Day(0, 0, after_departure=_days(m, today))


def _shift(m: re.Match[str], today: date) -> Day:
    days = _days(m, today)
    return Day(0, 0, shift=-days if m["way"] in ("早", "提前", "往前", "提早") else days)


def _vague(m: re.Match[str], today: date) -> Day:
    return Day(0, 0, problem="partial")


_FARTHEST = 1000  # no timetable reaches further, whatever the unit
_BEFORE = re.compile(r"之前|以前|前(?!往|后|台|一[天晚]|夕)")
_AFTER = re.compile(r"之后|以后|后(?!天|来)")
_UNIT = r"(?P<unit>天|日|晚|周|个?星期|个?礼拜|个月)"
_GRAMMAR: tuple[tuple[re.Pattern[str], _Build], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (r"(?<![0-9])([1-9][0-9]{3})[-/.]([01]?[0-9])[-/.]([0-3]?[0-9])(?![0-9])", _iso),
        (rf"(?:([1-9][0-9]{{3}})年|([今明后])年)?({_N})月份?的?({_N})[号日]?(?![0-9号]|个|点|张)", _full),
        (rf"大年初({_N})", _lunar_day),
        *((rf"(?:明年|今年)?(?:{words})", _holiday(name)) for words, name in holidays.CHINESE.items()),
        (rf"(这个月|本月|当月|下下个?月|下个?月)的?({_N})[号日]?(?!初|底|中|个|张|点|人)", _of_month),
        (
            rf"(?P<which>下下下|下下个?|下个?|这个?|本|上个?)?{_WEEK}(?P<days>[一二三四五六日天末1-7]{{1,3}})(?![0-9]|个|点"
            rf"|张|天后|年)",
            _weekday,
        ),
        (r"(?P<which>下下个?|下个?|这个?|本)周末", _weekend),
        (rf"(?<![0-9一二三四五六七八九十])({_N})[号日]?(、|和|或者?|到|至|-)({_N})[号日](?!线|楼|航站|登机|门|口)", _two_days),
        (rf"(?<![0-9一二三四五六七八九十])({_N})[号日](?!线|楼|航站|登机|门|口|座|游|元)", _day),
        (r"(?:大大后|大后|后|明|今|昨|前)(?:天|日|早|晚)|当天|今儿|明儿|后儿", _near),
        (rf"(?P<way>早|提前|提早|往前|晚|推迟|推后|往后|延后|延迟)(?P<n>{ZH_NUMBER}){_UNIT.replace('|晚', '')}", _shift),
        (rf"(?:再过|过)?(?P<n>{ZH_NUMBER}){_UNIT.replace('|晚', '')}(?:之后|以后|后)", _in_days),
        (rf"过(?P<n>{ZH_NUMBER}){_UNIT}", _in_days),
        (rf"(?:玩|待|呆|住|停留|逗留|去|共|一共|游|行程)(?:个|上|它|大概|大约|差不多)?(?P<n>{ZH_NUMBER}|半){_UNIT}", _stay),
        (rf"(?P<which>下下个?|下个?|这个?|本){_WEEK}(?!一|二|三|四|五|六|日|天|末|[0-9])", _week),
        (rf"({_N})月(?:份)?的?(初|头|上旬|中旬|下旬|底|末|中)?(?!亮|票|饼|[0-9])", _named_month),
        (r"(?P<which>下下个?|下个?|这个?|本)?月(?P<part>初|头|上旬|中旬|下旬|底|末|尾|中(?!文|国|间))", _relative_month),
        (r"(?P<which>下下个|下个|这个|本|下)月(?P<part>)", _relative_month),
        (r"([明今])?年(底|末|初)", _year_end),
        (r"(?<![0-9.:])(1[0-2]|0?[1-9])[./](3[01]|[12][0-9]|0?[1-9])(?![0-9./]|折|分|小时|元|万|块|米|公里|星)", _dotted),
        (r"假期(?:期间)?|放假(?:期间|的时候)?|节假日", _vague),
    )
)


def _bounded(text: Text, day: Day, today: date) -> Day:
    """周五之前, 20 号以后: any of the days up to it, or of the week from it."""
    if not day.first or day.problem or day.first < today:
        return day
    after = text.after(day.end, at_most=3)
    if _BEFORE.match(after):
        return replace(day, first=today, last=day.first, problem="partial")
    if _AFTER.match(after):
        return replace(day, last=day.first + timedelta(days=6), problem="partial")
    return day


def find(text: Text, today: date) -> Iterator[Day]:
    """Every day a message names; spans never overlap."""
    if not text.has_han:
        return
    taken: list[tuple[int, int]] = []
    for pattern, build in _GRAMMAR:
        for m in pattern.finditer(text.low):
            if any(m.start() < e and s < m.end() for s, e in taken):
                continue
            if day := build(m, today):
                taken.append(m.span())
                yield _bounded(text, day.at(*m.span()), today)
