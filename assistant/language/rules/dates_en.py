"""English dates: finds every day or span of days a message names."""

from __future__ import annotations

import calendar as months
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from . import calendar as cal
from . import holidays
from .calendar import Day
from .numbers import EN_NUMBER, EN_ORDINAL, english_number, english_ordinal
from .text import Text

_MONTHS = tuple(months.month_name[n].lower() for n in range(1, 13))
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:r?uary|urary|uray)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WD = r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday|s)?|thu(?:rs(?:day)?|r)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)s?\b\.?"
_NTH = r"(?:[0-3]?[0-9](?:st|nd|rd|th)?|" + EN_ORDINAL + r")\b(?!:|\s*(?:a\.?m|p\.?m)\b|/|\.[0-9])"
_NOT_COUNTED = (
    r"(?!\s*(?:people|persons?|passengers?|adults?|kids?|child(?:ren)?|tickets?|seats?|stops?|layovers?|bags?|hours?|days?"
    r"|weeks?|o'?clock|dollars|one\b|option|flight|class|row|time|street|avenue|floor))"
)
_UNIT = r"(days?|nights?|weeks?|months?|fortnight)"

_Build = Callable[[re.Match[str], date], Day | None]


def _number_of_month(word: str) -> int:
    return next(i for i, name in enumerate(_MONTHS, 1) if name.startswith(word[:3]))


def _number_of_day(word: str) -> int:
    return next(i for i, name in enumerate(_DAYS) if word.startswith(name))


def _nth(word: str) -> int:
    digits = word.rstrip("stndrh")
    return int(digits) if digits.isdigit() else english_ordinal(word)


def _iso(m: re.Match[str], today: date) -> Day:
    return cal.month_day(today, int(m[2]), int(m[3]), year=int(m[1]))


def _slashed(m: re.Match[str], today: date) -> Day | None:
    number, day = int(m[1]), int(m[2])
    if number > 12 >= day:
        number, day = day, number
    if number > 12 or day > 31:
        return None
    year = (int(m[3]) + (2000 if len(m[3]) == 2 else 0)) if m[3] else None
    return cal.month_day(today, number, day, year=year)


def _month_first(m: re.Match[str], today: date) -> Day:
    return cal.month_day(today, _number_of_month(m[1]), _nth(m[2]), year=int(m[3]) if m[3] else None)


def _day_first(m: re.Match[str], today: date) -> Day:
    return cal.month_day(today, _number_of_month(m[2]), _nth(m[1]), year=int(m[3]) if m[3] else None)


def _of_month(m: re.Match[str], today: date) -> Day:
    return cal.day_of_month(today, _nth(m[1]), months_on=1 if m[2] in ("next", "the following") else 0)


def _weekday(m: re.Match[str], today: date) -> Day:
    number, which = _number_of_day(m["wd"]), " ".join((m["which"] or "").split())
    if m["week"]:
        return cal.weekday(today, number, {"this": 0, "next": 1, "the following": 1}[m["week"]])
    if m["after"]:
        return cal.weekday(today, number, 2 if "next" in m["after"] else None)
    if which in ("last", "this past"):
        gone = cal.week_start(today, 0 if number < today.weekday() else -1) + timedelta(days=number)
        return Day(0, 0, gone, gone, problem="past_date")
    if which in ("next", "the following", "following", "nxt"):
        return cal.next_weekday(today, number)
    if which in ("this", "this coming", "coming", "the coming", "this upcoming", "upcoming"):
        day = cal.weekday(today, number, 0)
        return cal.one(day.first) if day.first else day
    return cal.weekday(today, number)


def _dated_weekday(m: re.Match[str], today: date) -> Day:
    return cal.day_of_month(today, _nth(m[1]))


def _near(m: re.Match[str], today: date) -> Day | None:
    words = m[1]
    if words.startswith("yesterday"):
        return Day(0, 0, today - timedelta(days=1), today - timedelta(days=1), problem="past_date", candidates=(today,))
    ahead = (
        2
        if words.startswith(("day after", "the day after", "overmorrow"))
        else 1
        if words.startswith(("tom", "tmr", "tmw"))
        else 0
    )
    return cal.one(today + timedelta(days=ahead))


def _ahead(today: date, count: int, unit: str) -> date:
    if unit.startswith("month"):
        return cal.shifted_months(today, count)
    return today + timedelta(days=count * (7 if unit.startswith("week") else 14 if unit.startswith("fortnight") else 1))


def _count(word: str) -> int:
    return 1 if word in ("a", "an", "one", "the") else min(english_number(word), 1000)


def _in_days(m: re.Match[str], today: date) -> Day:
    start = today + timedelta(days=1) if m["base"] == "tomorrow" else today
    return cal.one(_ahead(start, _count(m["n"]), m["unit"]))


def _from_weekday(m: re.Match[str], today: date) -> Day | None:
    day = cal.weekday(today, _number_of_day(m["wd"]))
    return cal.one(_ahead(day.first, _count(m["n"]), "week")) if day.first else None


def _later(m: re.Match[str], today: date) -> Day:
    days = (_ahead(today, _count(m["n"]), m["unit"]) - today).days
    return Day(0, 0, after_departure=days)


def _same_day(m: re.Match[str], today: date) -> Day:
    return Day(0, 0, after_departure=0)


def _within(m: re.Match[str], today: date) -> Day:
    return cal.span(today, _ahead(today, _count(m["n"]), m["unit"]), vague=True)


def _next_day(m: re.Match[str], today: date) -> Day:
    return Day(0, 0, after_departure=1)


def _shifted(m: re.Match[str], today: date) -> Day:
    days = (_ahead(today, _count(m["n"]), m["unit"]) - today).days
    return Day(0, 0, shift=-days if m["way"] in ("earlier", "before", "sooner") else days)


def _weekend(m: re.Match[str], today: date) -> Day:
    return cal.weekend(today, 1 if m[1] and "next" in m[1] else None)


def _week(m: re.Match[str], today: date) -> Day:
    return cal.week(today, 0 if m[1] == "this" else 1)


def _month_span(m: re.Match[str], today: date) -> Day:
    parts = {
        "early": "early",
        "beginning": "start",
        "start": "start",
        "mid": "middle",
        "middle": "middle",
        "late": "late",
        "end": "end",
        "first week": "start",
        "last week": "end",
    }
    part = next((p for words, p in parts.items() if m["part"] and m["part"].startswith(words)), "")
    which = m["which"]
    if which in ("this month", "the month", "the current month"):
        return cal.part_of_month(today, today.year, today.month, part)
    if which in ("next month", "the following month"):
        return cal.part_of_month(today, *cal.next_month(today), part)
    return cal.month(today, _number_of_month(which.removeprefix("next ").removeprefix("this ")), part)


def _only_month(m: re.Match[str], today: date) -> Day:
    return cal.month(today, _number_of_month(m[1]))


def _ordinal(m: re.Match[str], today: date) -> Day:
    return cal.day_of_month(today, _nth(m[1]))


def _holiday(name: str) -> _Build:
    return lambda m, today: holidays.holiday(today, name)


_YEAR = r"(20[0-9]{2}|2[4-9][0-9]{2}|[3-9][0-9]{3})"  # 1900 and 2130 behind a day are times
_UNTIL = rf"(?:,? {_YEAR}\b)?"
_GRAMMAR: tuple[tuple[re.Pattern[str], _Build], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (r"\b([1-9][0-9]{3})[-/.]([01]?[0-9])[-/.]([0-3]?[0-9])\b", _iso),
        (r"(?<![0-9/$])([0-3]?[0-9])/([0-3]?[0-9])(?:/([0-9]{4}|[0-9]{2}))?(?![0-9/])", _slashed),
        *((rf"\b(?:{words})\b", _holiday(name)) for words, name in holidays.ENGLISH.items()),
        (rf"\b(?:{_WD},? (?:the )?)?({_MONTH})(?: on)?(?: the)? ?\"?({_NTH})\"?{_NOT_COUNTED}{_UNTIL}", _month_first),
        (rf"\b(?:{_WD},? )?(?:the )?({_NTH})(?: day)?(?: of)? ({_MONTH})(?![a-z]){_UNTIL}", _day_first),
        (rf"\b(?:the )?({_NTH})(?: day)?(?: of)? (this|next|the|the following) month\b", _of_month),
        (rf"\b(?P<n>a|one|two|{EN_NUMBER}) weeks? from (?P<wd>{_WD})", _from_weekday),
        (
            rf"\b(?:in |within |after )?(?P<n>a|an|{EN_NUMBER}) {_UNIT.replace('(', '(?P<unit>', 1)} from (?P<base>now"
            rf"|today|tomorrow)\b",
            _in_days,
        ),
        (rf"\b{_WD},? (?:the )({_NTH}){_NOT_COUNTED}", _dated_weekday),
        (
            rf"\b(?:(?P<which>this coming|this upcoming|the following|following|this|next|nxt|the coming|coming|upcoming"
            rf"|last|this past) )?(?P<wd>{_WD})(?P<after> after next| week after next)?(?: of)?(?: (?P<week>this|next"
            rf"|the following) week)?",
            _weekday,
        ),
        (
            r"\b(the day after tomorrow|day after tomorrow|overmorrow|later today|today|tonight|this (?:morning|afternoon"
            r"|evening)|tomorrow|tommorow|tommorrow|tomorow|tmrw|tmr|yesterday)\b",
            _near,
        ),
        (rf"\b(?P<n>a|an|one|{EN_NUMBER}) {_UNIT.replace('(', '(?P<unit>', 1)} (?P<way>earlier|sooner|before that)\b", _shifted),
        (rf"\b(?P<n>a|an|one|{EN_NUMBER}) {_UNIT.replace('(', '(?P<unit>', 1)} (?:later|after(?:wards?| that)?)\b", _later),
        (
            rf"\b(?:stay(?:ing)?|there|be there|gone|away|last(?:ing)?|spend(?:ing)?|trip|it|vacation"
            rf"|return)(?: there)?(?: is)?(?: for)?(?: about| around)? (?P<n>a|an|one"
            rf"|{EN_NUMBER}) (?:full )?{_UNIT.replace('(', '(?P<unit>', 1)}\b",
            _later,
        ),
        (rf"\bfor (?:about )?(?P<n>a|an|one|{EN_NUMBER}) (?:full )?{_UNIT.replace('(', '(?P<unit>', 1)}\b", _later),
        (rf"\bafter (?:exactly |about )?(?P<n>a|an|one|{EN_NUMBER}) {_UNIT.replace('(', '(?P<unit>', 1)}\b", _later),
        (rf"\bexactly (?P<n>a|an|one|{EN_NUMBER}) {_UNIT.replace('(', '(?P<unit>', 1)}\b", _later),
        (r"\b(?:the )?(?P<n>next|following) (?P<unit>day)\b", _next_day),
        (r"(?<=return )(?:on )?(?:the )?same day\b|(?<=back )(?:on )?(?:the )?same day\b", _same_day),
        (rf"\b(?:in|within|over|during) the next (?P<n>{EN_NUMBER}) (?P<unit>days|weeks)\b", _within),
        (
            rf"\b(?:in|within) (?:about |exactly |around )?(?P<n>a|an"
            rf"|{EN_NUMBER}) {_UNIT.replace('(', '(?P<unit>', 1)}(?P<base>)\b",
            _in_days,
        ),
        (r"\b(?:(this|this coming|next|the) )?weekend\b", _weekend),
        (
            rf"\b(?:(?P<part>early|beginning of|start of|mid|middle of|late|end of|first week (?:of|in)|second week (?:of"
            rf"|in)|third week (?:of|in)|last week (?:of|in))[ -])(?P<which>this month|next month|the month"
            rf"|the following month|(?:next |this )?{_MONTH})(?![a-z])",
            _month_span,
        ),
        (r"\b(?P<part>)(?P<which>this month|next month)\b", _month_span),
        (r"\b(this|next) week\b", _week),
        (r"\b(january|february|april|june|july|august|september|october|november|december)\b", _only_month),
        (
            r"\b(?:in|during|for|next|this|sometime in|around|until|till|early|mid|late)[ -](march|may)\b(?! (?:i|we|you|be"
            r"|have)\b)",
            _only_month,
        ),
        (
            rf"(?:\b(?:on|by|until|till|through|thru|for|to|from|and|or|returns?|returning|before|around|date|day|is|about"
            rf"|try|about) )(?:the )?({EN_ORDINAL})\b{_NOT_COUNTED}(?! (?:available|half|leg|part|time|thing|of all))",
            _ordinal,
        ),
        (rf"\b(?:the )?([0-3]?[0-9](?:st|nd|rd|th))\b{_NOT_COUNTED}", _ordinal),
        (
            rf"\b(?:on|for|about|try|is|by|until|(?:morning|afternoon|evening|night) of) the ([0-3]?[0-9])\b(?!:"
            rf"|\s*(?:a\.?m|p\.?m|%))(?![0-9/]){_NOT_COUNTED}",
            _ordinal,
        ),
    )
)
_SECOND_DAY = re.compile(
    rf"\s*(?:-|to|through|thru|until|till|and|or)\s*(?:the )?([0-3]?[0-9](?:st|nd|rd|th)?)\b(?!:|/|[0-9]|\s*(?:a\.?m|p\.?m"
    rf"|{_MONTH})){_NOT_COUNTED}"
)


def find(text: Text, today: date) -> Iterator[Day]:
    """Every day in the order of the grammar; spans never overlap."""
    taken: list[tuple[int, int]] = []
    for pattern, build in _GRAMMAR:
        for m in pattern.finditer(text.low):
            if any(m.start() < e and s < m.end() for s, e in taken):
                continue
            day = build(m, today)
            if day:
                taken.append(m.span())
                yield day.at(*m.span())
                if second := _second(text, m, day, today):
                    taken.append((second.start, second.end))
                    yield second


def _second(text: Text, m: re.Match[str], day: Day, today: date) -> Day | None:
    """`March 2-10`, `May 7th through the 20th`: the second number is a day of the same month, or the next."""
    if (
        day.floating not in ("month_day", "fixed", "day")
        or not day.first
        or day.first != day.last
        or not any(c.isdigit() for c in m.group())
    ):
        return None
    after = _SECOND_DAY.match(text.low, m.end())
    if not after or "week" in m.group():
        return None
    number = _nth(after[1])
    found = cal.day_of_month(day.first, number)
    return found.at(after.start(1), after.end(1)) if found.first else None
