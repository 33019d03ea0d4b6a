"""Times of day, both languages: an exact time or a window, before, after, around; in the clock of the airport."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import time

from . import questions
from .numbers import EN_NUMBER, chinese_number, english_number
from .text import Text

_PARTS_EN = {
    r"early (?:in the )?morning|first thing(?: in the morning)?|crack of dawn|dawn": (5, 9),
    r"late morning|mid-?morning": (9, 12),
    r"late afternoon": (15, 18),
    r"late (?:at )?night|red[- ]?eye|overnight": (21, 24),
    r"early evening": (17, 20),
    r"late evening": (20, 24),
    r"early afternoon": (12, 15),
    r"mornings?|am flight": (5, 12),
    r"noon ?time|midday|mid-day|lunch ?time": (11, 13),
    r"afternoons?": (12, 18),
    r"evenings?": (17, 22),
    r"tonight": (17, 24),
    r"night(?: ?time)?|nights?": (18, 24),
    r"day ?time|during the day": (8, 18),
    r"early (?:flight|in the day|hours)": (5, 10),
    r"in the am": (0, 12),
    r"in the pm": (12, 24),
    r"after lunch": (13, 18),
}
_PARTS_ZH = {
    "凌晨": (0, 6),
    "清晨": (5, 9),
    "一大早": (5, 9),
    "大早上": (5, 9),
    "大清早": (5, 9),
    "早晨": (5, 11),
    "早上": (5, 11),
    "早间": (5, 11),
    "上午": (6, 12),
    "中午": (11, 13),
    "正午": (11, 13),
    "午后": (12, 18),
    "下午": (12, 18),
    "傍晚": (17, 19),
    "晚上": (18, 24),
    "晚间": (18, 24),
    "夜里": (20, 24),
    "夜间": (20, 24),
    "半夜": (22, 24),
    "深夜": (22, 24),
    "午夜": (22, 24),
    "白天": (8, 18),
    "红眼": (21, 24),
}
_EN_PART = "|".join(f"(?:{words})" for words in _PARTS_EN)
_ZH_PART = "|".join(_PARTS_ZH)
_AP = r"(?:\s*(?P<ap>[ap])\.?\s?m\b\.?)"
_EN_CLOCK = re.compile(
    rf"(?P<lead>\b(?:{_EN_PART})(?: at| around)? )?(?<![0-9$€£¥:/.])\b(?:(?P<h>[0-2]?[0-9])(?:[:h](?P<m>[0-5][0-9]){_AP}?"
    rf"|\.(?P<m2>[0-5][0-9]){_AP.replace('<ap>', '<ap3>')})|(?P<h2>[01]?[0-9]){_AP.replace('<ap>', '<ap2>')}"
    rf"|(?P<h3>{EN_NUMBER})\s?o'?\"?\s?clock|(?P<word>noon|midnight))(?P<tail> (?:in the|at) (?:morning|afternoon|evening"
    rf"|night))?(?![0-9%])"
)
_EN_DAYPART = re.compile(rf"\b(?:{_EN_PART})\b(?! (?:seat|row|market|shift|dear))")
_ZH_CLOCK = re.compile(
    rf"(?P<part>{_ZH_PART}|今晚|明晚|后晚|当晚|今早|明早|早|晚)?的?(?:(?P<h>[0-2]?[0-9]):(?P<m>[0-5][0-9])"
    rf"|(?P<h2>[0-2]?[0-9]|[一二两三四五六七八九十]{{1,3}})[点时](?!间|候|刻|效|差|段|长|尚)(?P<rest>半|一刻|三刻"
    rf"|[0-5]?[0-9]分?|[一二三四五]?十[一二三四五六七八九]?分?)?)钟?"
)
_ZH_DAYPART = re.compile(
    rf"{_ZH_PART}|(?<=[今明后])[早晚](?!上)|(?<=周[一二三四五六日天])[早晚](?!上)|(?<=号)[早晚](?!上)|早班机?|晚班机?|早机"
    rf"|晚机|夜航"
)
_BEFORE = re.compile(
    r"\b(?:before|by|no later than|not later than|earlier than|prior to|until|till)(?: about| around)?(?: the)?\s*$"
)
_AFTER = re.compile(
    r"\b(?:after|no earlier than|not before|later than|past|from|any ?time after|starting(?: at)?)(?: about| around)?\s*$"
)
_NOT_BEFORE = re.compile(r"(?:\bno(?:t|thing)?|n't|n't want (?:anything|to)[a-z ]{0,24}?) (?:[a-z]+ ){0,4}before\s*$")
_AROUND = re.compile(r"(?<!how )(?<!what )\b(?:around|about|approximately|roughly|near|close to|ish)(?: the)?\s*$")
_BETWEEN = re.compile(r"\b(?:between|from)\s*$")
_EN_TO = re.compile(r"\s*(?:and|to|-|until|till)\s*")
_EN_TO_TIME = re.compile(r"\s*(?:and|to|-|until|till)\s*(?=[0-9]|noon|midnight)")
_ZH_TO = re.compile(r"\s*(?:到|至|-|~)\s*")
_ZH_BEFORE = re.compile(r"(?:钟)?(?:之前|以前|前(?!往))")
_ZH_AFTER = re.compile(r"(?:钟)?(?:之后|以后|后|过后)")
_ZH_AROUND = re.compile(r"(?:钟)?(?:左右|前后|上下|多|来钟)")
_EN_QUARTER = re.compile(
    rf"\b(?:a )?(?P<which>half past|quarter past|quarter to) (?P<h>{EN_NUMBER})\b{_AP}?(?P<tail> (?:in the|at) (?:morning"
    rf"|afternoon|evening|night))?"
)
_EN_BARE = re.compile(r"\b(?:before|after|by|around|at) (?P<h>1[0-2]|[1-9])(?=\s*(?:[.,!?;]|$|or\b|and\b|but\b|in the\b))")
_EN_FLIES = re.compile(r"\b(?:leav\w*|depart\w*|take off|fly(?:ing)?|arriv\w*|land(?:s|ing)?|get (?:in|there))\b[^.;,]{0,16}$")
_QUARTERS = {"半": 30, "一刻": 15, "三刻": 45}
_ZH_ONE = re.compile(r"钟|之?前|以前|之?后|以后|左右|到|起飞|出发|的(?:航班|飞机)")
_ZH_REFUSED = re.compile(r"选不了|赶不上|来不及|不行|太早|太晚|不要|不能|不想|不考虑|起不来")
_EN_ARRIVE = re.compile(
    r"\b(?:arriv\w*|land(?:s|ing)?|get(?:ting)? (?:there|in)|be (?:there|in)|reach\w*|touch(?:es)? down)\b[^;.]{0,40}$"
)
_ZH_ARRIVE = re.compile(r"(?:到达|抵达|落地|降落|到(?!时|[0-9一二两三四五六七八九十]|[早晚上下中凌])|抵)")


@dataclass(frozen=True, slots=True)
class Hours:
    """A window of local time; the end of the day is 23:59. `arrive_by`: about landing."""

    start: int
    end: int
    first: time | None
    last: time | None
    arrive_by: bool = False
    part: bool = False  # a part of the day, no clock time


def _clock(hour: int, minute: int = 0) -> time:
    return time(23, 59) if hour >= 24 else time(hour, minute)


def _window(start: int, end: int, hours: tuple[int, int]) -> Hours:
    return Hours(start, end, _clock(hours[0]), _clock(hours[1]), part=True)


def find(text: Text) -> list[Hours]:
    """Every time of day a message names, in order; a clock time swallows the part of day next to it."""
    found = [h for h in _chinese(text) if not _ZH_REFUSED.search(text.clause(h.start, h.end))] if text.has_han else []
    found += [h for h in _english(text) if not any(h.start < z.end and z.start < h.end for z in found)]
    found += _bare_hours(text, found)
    found = [h for h in found if not questions.is_about_facts(text, h.start)]
    return _joined(text, sorted(found, key=lambda h: h.start))


def _english(text: Text) -> list[Hours]:
    found = [_quarter(text, m) for m in _EN_QUARTER.finditer(text.low)]
    clocks = [h for m in _EN_CLOCK.finditer(text.low) if (h := _english_clock(text, m))]
    found += [h for h in clocks if not any(h.start < q.end and q.start < h.end for q in found)]
    for m in _EN_DAYPART.finditer(text.low):
        if re.search(r"\b(?:last|yesterday|the other|every|good) $", text.before(m.start(), at_most=12)):
            continue
        if not any(m.start() < h.end and h.start < m.end() for h in found):
            hours = next(window for words, window in _PARTS_EN.items() if re.fullmatch(words, m.group()))
            found.append(
                replace(_bounded(text, _window(*m.span(), hours)), arrive_by=bool(_EN_ARRIVE.search(text.before(m.start()))))
            )
    return found


def _quarter(text: Text, m: re.Match[str]) -> Hours:
    """ "Half past six in the evening", "a quarter to nine pm"."""
    hour = english_number(m["h"]) % 12
    hour += 12 if m["ap"] == "p" or re.search(r"afternoon|evening|night", m["tail"] or "") else 0
    minutes = hour * 60 + {"half past": 30, "quarter past": 15, "quarter to": -15}[m["which"]]
    at = time(minutes % 1440 // 60, minutes % 60)
    return replace(_bounded(text, Hours(m.start(), m.end(), at, at)), arrive_by=bool(_EN_ARRIVE.search(text.before(m.start()))))


def _english_clock(text: Text, m: re.Match[str]) -> Hours | None:
    if m["word"]:
        hour, minute = (12 if m["word"] == "noon" else 0), 0
    else:
        hour, minute = int(m["h"] or m["h2"] or 0) if not m["h3"] else english_number(m["h3"]), int(m["m"] or m["m2"] or 0)
    half = m["ap"] or m["ap2"] or m["ap3"]
    words = f"{m['lead'] or ''}{m['tail'] or ''}"
    if hour > 24 or (half and hour > 12 and not m["m"]):
        return None
    if half == "p" or (not half and re.search(r"afternoon|evening|night", words)):
        hour += 12 if hour < 12 else 0
    elif (half == "a" or "morning" in words) and hour == 12:
        hour = 0
    at = _clock(hour, minute)
    found = Hours(m.start(), m.end(), at, at)
    return replace(_bounded(text, found), arrive_by=bool(_EN_ARRIVE.search(text.before(m.start()))))


def _bare_hours(text: Text, found: list[Hours]) -> list[Hours]:
    """ "In the morning before 9", "leave after 6": a number is an hour where a part of the day or the words say so."""
    part = next((h for h in found if h.part), None)
    late = part.first.hour >= 12 if part and part.first else None
    out: list[Hours] = []
    for m in _EN_BARE.finditer(text.low) if not any(not h.part and h.first for h in found) else ():
        if late is None and not _EN_FLIES.search(text.before(m.start(), at_most=40)):
            continue
        evening = int(m["h"]) <= 6 if late is None else late  # who leaves "after 6" has the day behind them
        hour = int(m["h"]) + (12 if evening and int(m["h"]) < 12 else 0)
        at = Hours(m.start("h"), m.end("h"), _clock(hour), _clock(hour))
        out.append(replace(_bounded(text, at), arrive_by=bool(_EN_ARRIVE.search(text.before(at.start)))))
    return out


def bare(m: re.Match[str]) -> Hours:
    """A number alone, when a time was asked for: "around 8"."""
    at = _clock(int(m["h"]))
    found = Hours(m.start(), m.end(), at, at)
    match m["how"]:
        case "before" | "by":
            return replace(found, first=None)
        case "after":
            return replace(found, last=None)
        case "around" | "about":
            return _around(found)
        case _:
            return found


def _bounded(text: Text, found: Hours) -> Hours:
    left = text.before(found.start)
    if _NOT_BEFORE.search(left):
        return replace(found, last=None)
    if _BEFORE.search(left):
        return replace(found, first=None, last=time(23, 59) if found.first == time() else found.first)
    if _AFTER.search(left) and not _EN_TO_TIME.match(text.low, found.end):
        return replace(found, first=found.first if not found.part else found.last, last=None)
    if _AROUND.search(left) and not found.part:
        return _around(found)
    return found


def _around(found: Hours) -> Hours:
    if not found.first or not found.last:
        return found
    minutes = found.first.hour * 60 + found.first.minute
    early, late = max(minutes - 60, 0), min(minutes + 60, 24 * 60 - 1)
    return replace(found, first=time(early // 60, early % 60), last=time(late // 60, late % 60))


def _chinese(text: Text) -> list[Hours]:
    found = [h for m in _ZH_CLOCK.finditer(text.low) if (h := _chinese_clock(text, m))]
    for m in _ZH_DAYPART.finditer(text.low):
        if not any(m.start() < h.end and h.start < m.end() for h in found):
            hours = _PARTS_ZH.get(m.group()) or ((5, 11) if m.group()[0] == "早" else (18, 24))
            after = text.after(m.end(), at_most=4)
            window = _window(*m.span(), hours)
            if re.match(r"之?前|以前", after):
                window = replace(window, first=None, last=window.first)
            elif re.match(r"之后|以后|过后", after):
                window = replace(window, first=window.last if hours[1] < 24 else window.first, last=None)
            found.append(replace(window, arrive_by=_chinese_arrival(text, m.start(), m.end())))
    return found


def _minutes(rest: str) -> int:
    if rest in _QUARTERS:
        return _QUARTERS[rest]
    return int(chinese_number(rest.rstrip("分"))) if rest.rstrip("分") else 0


def _chinese_clock(text: Text, m: re.Match[str]) -> Hours | None:
    if (
        m["h2"]
        and not m["part"]
        and m["h2"] in "一几"
        and not m["rest"]
        and not _ZH_ONE.match(text.after(m.end() - m.group().endswith("钟"), at_most=4))
    ):
        return None  # 便宜一点 is no time
    loose = m["part"] in ("早", "晚") and not re.search(r"[今明后当天号一二三四五六日]$", text.before(m.start(), at_most=2))
    if m["h2"] == "一" and loose and not m["rest"]:
        return None  # 晚一点 is "a little later"
    hour = int(chinese_number(m["h"] or m["h2"]))
    if hour > 24:
        return None
    part, rest = m["part"] or "", m["rest"] or ""
    minute = int(m["m"]) if m["m"] else _minutes(rest)
    late = part.endswith("晚") or (part in _PARTS_ZH and _PARTS_ZH[part][0] >= 12) or part in ("晚上", "中午")
    if late and hour < 12 and not (part == "中午" and hour >= 10):
        hour += 12
    elif late and hour == 12 and part not in ("中午", "下午", "午后"):
        hour = 24
    if part in ("凌晨", "半夜") and hour == 12:
        hour = 0
    at = _clock(hour, minute if hour < 24 else 0)
    found = Hours(m.start(), m.end(), at, at)
    after = text.after(m.end(), at_most=6)
    if _ZH_BEFORE.match(after):
        found = replace(found, first=None)
    elif _ZH_AFTER.match(after):
        found = replace(found, last=None)
    elif _ZH_AROUND.match(after):
        found = _around(found)
    return replace(found, arrive_by=_chinese_arrival(text, m.start(), m.end()))


def _chinese_arrival(text: Text, start: int, end: int) -> bool:
    after = re.sub(r"^(?:钟|之前|以前|前|左右|能|就|要|之间|必须|得|的时候)*", "", text.after(end, at_most=10))
    return bool(_ZH_ARRIVE.match(after)) or bool(
        re.search(r"(?:到达|抵达|落地)(?:时间)?[^，。,]{0,6}$", text.before(start, at_most=12))
    )


def _joined(text: Text, found: list[Hours]) -> list[Hours]:
    """`between 8 and 10 am`, `8 点到 10 点`: two times with a "to" between them are one window."""
    out: list[Hours] = []
    for hours in found:
        link = text.low[out[-1].end : hours.start] if out else ""
        if (
            out
            and (_ZH_TO.fullmatch(link) or _EN_TO.fullmatch(link))
            and out[-1].first
            and hours.first
            and out[-1].first <= hours.first
        ):
            window = _BETWEEN.search(text.before(out[-1].start)) or _ZH_TO.fullmatch(link) or "to" in link or "-" in link
            if window:
                out[-1] = replace(out[-1], end=hours.end, last=hours.last or hours.first)
                continue
        out.append(hours)
    return out
