"""Which day and time belong to the way out and which to the way back, and what about them is unsure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Literal

from ...domain.understanding import Slots, TripType, Unsure, When
from . import calendar as cal
from . import dates_en, dates_zh, times
from .calendar import Day, Floating
from .text import Text
from .times import Hours

Way = Literal["depart", "return_"]

_BACK = re.compile(
    r"\b(?:return(?:s|ing|ed)?|com(?:e|ing) (?:back|home)|back|inbound|way home|(?:get|fly|flying) home|second flight)\b"
    r"|回程|返程|返回|返航|回来|回去|(?<![来下这上一])回(?!答|复|头|家住)|(?<!往)返"
)
_OUT = re.compile(
    r"\b(?:leav(?:e|es|ing)|depart\w*|outbound|onward|go(?:ing)? (?:out )?on|fly(?:ing)? out|head(?:ing)? out|start\w*"
    r"|outgoing|first flight|going there)\b|出发|去程|启程|动身|起飞"
)
_BACK_AFTER = re.compile(
    r"\s*(?:for (?:the|my) return|to return|return\b|(?:to )?(?:come|fly|get) back|(?:的)?(?:早上|上午|中午|下午|傍晚|晚上"
    r"|晚|早)?(?:[0-9一二三四五六七八九十]+点)?(?:再|就|要|坐飞机|飞)?(?:回|返)(?!答|复))"
)
_BACK_LEAVES = re.compile(
    r"\b(?:return|inbound|second|homebound) (?:flights?|trip|one|leg)\b[^.;,?!]{0,32}?\b(?:leav\w*|depart\w*|go|goes|start\w*)\b"
    r"|(?:回程|返程|回来)[^。；，？！]{0,8}?(?:出发|起飞|动身)"
)
_OUT_AFTER = re.compile(r"(?:的)?(?:早上|上午|中午|下午|傍晚|晚上|晚|早)?(?:去(?!程|哪)|出发|走|启程|动身|飞)")
_TO = re.compile(r"\s*(?:,?\s*(?:and )?(?:to|through|thru|until|till|-+|–)|~|到|至|，|,)\s*(?:the\s+|on\s+)?")
_OR = re.compile(
    r"\s*(?:,?\s*(?:or|and|/)\s*(?:maybe |on |the |even )*|(?:早上|上午|下午|晚上|中午|白天)?(?:或者是?|或是?|或|还是|、|和"
    r"|，或者)\s*)"
)
_NOT = re.compile(
    r"\b(?:not|n't|except|instead of|rather than|but not|no longer) (?:on |the |for |leave |fly |go )?$|(?:不要|不是|别"
    r"|不能|除了|而不是)$"
)
_CORRECTS = re.compile(
    r"\b(?:actually|sorry|i mean(?:t)?|make (?:that|it)|scratch that|rather|instead|wait|change|no)\b|不对|不是|改成|改为"
    r"|换成|改到|算了|说错|我是说|而是"
)
_BETWEEN = re.compile(r"\b(?:between|any ?time|anytime from|sometime between)\s+(?:the )?$")
_ONLY_NUMBER = re.compile(
    r"\W*(?:the |maybe |on |how about |what about |try |um+ |uh+ )*(?:the )?([0-3]?[0-9])(?:号|日)?\W*(?:please)?\W*"
)
_ONLY_HOUR = re.compile(r"\W*(?P<how>at|around|about|by|before|after)? ?(?P<h>1?[0-9]|2[0-3])\W*")
_ONLY_MONTH = re.compile(r"\W*(?:in |maybe |sometime in )?(march|may)\W*")


@dataclass
class Timetable:
    depart: When | None = None
    return_: When | None = None
    unsure: list[Unsure] | None = None
    spans: tuple[tuple[int, int], ...] = ()  # of the dates: no place or number is looked for inside
    shift: int | None = None


def days_in(text: Text, today: date) -> list[Day]:
    found = list(dates_zh.find(text, today))
    found += [d for d in dates_en.find(text, today) if not any(d.start < f.end and f.start < d.end for f in found)]
    return sorted(found, key=lambda d: d.start)


def timetable(text: Text, today: date, *, asked: frozenset[str], draft: Slots, round_trip: bool) -> Timetable:
    days = days_in(text, today)
    if not days and asked & {"depart", "return"} and (only := _ONLY_NUMBER.fullmatch(text.low)):
        days = [cal.day_of_month(today, int(only[1])).at(only.start(1), only.end(1))]
    if not days and asked & {"depart", "return"} and (only := _ONLY_MONTH.fullmatch(text.low)):
        days = [cal.month(today, 3 if only[1] == "march" else 5).at(only.start(1), only.end(1))]
    spans = tuple((d.start, d.end) for d in days)
    hours = times.find(text)
    if not hours and not days and "time" in asked and (only := _ONLY_HOUR.fullmatch(text.low)):
        hours = [times.bare(only)]
    if "option" in asked and not days:
        hours = [h for h in hours if h.part or not (h.first and h.last)]  # "the 8:10 one" points at the list, "after 8" does not
    out = Timetable(unsure=[], spans=spans)
    _Reader(text, today, asked, draft, round_trip, out).read(days, hours)
    return out


@dataclass
class _Reader:
    text: Text
    today: date
    asked: frozenset[str]
    draft: Slots
    round_trip: bool
    out: Timetable
    alternatives: tuple[str, ...] = ()
    floats: Floating = "fixed"  # how firmly the day put last was named
    parts: set[Way] = field(default_factory=set[Way])  # the ways of which only a part of the day is known

    def read(self, days: list[Day], hours: list[Hours]) -> None:
        ways: list[tuple[Day, Way]] = []
        for i, day in enumerate(days):
            following = days[i + 1] if i + 1 < len(days) else None
            if _NOT.search(self.text.before(day.start)):
                continue
            previous = ways[-1] if ways else None
            way, alternative = self._way(day, previous, [w for _, w in ways], following)
            if day.after_departure is not None and way == "depart" and not _OUT.search(self._since(previous, day)):
                way = "return_"
            self._put(day, way, alternative=alternative)
            ways.append((day, way))
        for h in hours:
            self._put_hours(h, ways)

    def _since(self, previous: tuple[Day, Way] | None, day: Day) -> str:
        """The words of the sentence between the day before and this one."""
        start = max(previous[0].end if previous else 0, self.text.sentence_at(day.start).start, day.start - 80)
        return self.text.low[start : day.start]

    def _way(self, day: Day, previous: tuple[Day, Way] | None, before: list[Way], following: Day | None) -> tuple[Way, bool]:
        left = self._since(previous, day)
        link = self.text.low[previous[0].end : day.start] if previous else ""
        if previous and _OR.fullmatch(link):
            return previous[1], True
        if _BACK_AFTER.match(self.text.low[day.end : day.end + 16]):
            return "return_", False
        if _OUT_AFTER.match(self.text.low[day.end : day.end + 12]):
            return "depart", False
        back, out = _last(_BACK, left), _last(_OUT, left)
        if back >= 0 or out >= 0:
            return ("return_" if back > out else "depart"), False
        if previous and _TO.fullmatch(link):
            if _BETWEEN.search(self.text.before(previous[0].start)):
                return previous[1], True
            return ("return_" if previous[1] == "depart" else previous[1]), False
        if previous and _CORRECTS.search(link):
            return previous[1], False
        if following and not before and _TO.fullmatch(self.text.low[day.end : following.start]):
            return "depart", False  # from the 5th to the 8th: there and back
        return self._by_question(before), False

    def _by_question(self, before: list[Way]) -> Way:
        if "return" in self.asked and ("depart" not in self.asked or "depart" in before):
            return "return_"
        if "depart" in before and "return_" not in before and self.round_trip:
            return "return_"
        return "depart"

    def _put(self, day: Day, way: Way, *, alternative: bool) -> None:
        words = self.text.raw[day.start : day.end].strip()
        day = self._resolved(day, way)
        said: When | None = getattr(self.out, way)
        slot = "depart" if way == "depart" else "return"
        if day.problem:
            self._doubt(slot, day, words)
        if alternative and said and said.date_from and day.first:
            both = self._several(said, said.date_from, day.first, last=day.last or day.first, words=words, floating=day.floating)
            self._unsure(Unsure(slot=slot, reason="several", text=both.text, candidates=self.alternatives))
            setattr(self.out, way, both)
            return
        self.floats = day.floating
        setattr(self.out, way, When(text=words, date_from=day.first, date_to=day.last))

    def _several(self, said: When, one: date, other: date, *, last: date, words: str, floating: Floating) -> When:
        """ "Friday or Saturday": the days between; "Tuesday or Wednesday of next week" are both of next week."""
        if floating == "weekday":
            while other < one:
                other, last = other + timedelta(days=7), last + timedelta(days=7)
        if self.floats == "weekday" and timedelta(days=6) < other - one:
            one += timedelta(days=7)
            said = said.model_copy(update={"date_to": None})
        self.alternatives = (one.isoformat(), other.isoformat())
        days = sorted({one, other, said.date_to or one, last})
        return said.model_copy(update={"text": f"{said.text}, {words}", "date_from": days[0], "date_to": days[-1]})

    def _resolved(self, day: Day, way: Way) -> Day:
        leave = self.out.depart.date_from if self.out.depart else self.draft.depart.date_from if self.draft.depart else None
        if day.shift is not None:
            base = self.draft.return_ if way == "return_" else self.draft.depart
            return (
                replace(day, first=base.date_from + timedelta(days=day.shift), last=base.date_from + timedelta(days=day.shift))
                if base and base.date_from
                else day
            )
        if day.after_departure is not None and way == "depart" and self.draft.depart and self.draft.depart.date_from:
            return self._resolved(replace(day, after_departure=None, shift=day.after_departure), way)
        if day.after_departure is not None:
            found = (leave if leave and way == "return_" else self.today) + timedelta(days=day.after_departure)
            return replace(day, first=found, last=found)
        if way == "return_" and leave and day.first and day.first < leave and day.floating != "fixed":
            return self._after(day, leave)
        return day

    def _after(self, day: Day, leave: date) -> Day:
        if day.floating == "weekday" and day.first:
            return replace(
                cal.one(day.first + timedelta(days=7 * (1 + (leave - day.first).days // 7))), start=day.start, end=day.end
            )
        if day.floating == "day" and day.first:
            return cal.day_of_month(leave, day.first.day).at(day.start, day.end)
        if day.first:
            return cal.month_day(leave, day.first.month, day.first.day).at(day.start, day.end)
        return day

    def _doubt(self, slot: str, day: Day, words: str) -> None:
        if day.problem:
            self._unsure(
                Unsure(slot=slot, reason=day.problem, text=words, candidates=tuple(d.isoformat() for d in day.candidates))
            )

    def _unsure(self, unsure: Unsure) -> None:
        if self.out.unsure is not None:
            self.out.unsure.append(unsure)

    def _put_hours(self, h: Hours, ways: list[tuple[Day, Way]]) -> None:
        way = self._way_of_hours(h, ways)
        said: When = getattr(self.out, way) or When()
        words = self.text.raw[h.start : h.end].strip()
        if said.time_from or said.time_to:
            narrows = way in self.parts and not h.part and said.arrive_by == h.arrive_by
            if not narrows:
                return
            first, last = h.first or said.time_from, h.last or said.time_to  # "in the morning before 10"
            if not (first and last and last < first):  # "in the morning after three": the hour counts
                h = replace(h, first=first, last=last)
        if h.part:
            self.parts.add(way)
        text = f"{said.text} {words}".strip() if words not in said.text else said.text
        update = {"text": text, "time_from": h.first, "time_to": h.last, "arrive_by": h.arrive_by}
        setattr(self.out, way, said.model_copy(update=update))

    def _way_of_hours(self, h: Hours, ways: list[tuple[Day, Way]]) -> Way:
        sentence = self.text.sentence_at(h.start)
        near: list[tuple[int, Way]] = [(abs(h.start - d.end), way) for d, way in ways if sentence.start <= d.start < sentence.end]
        left = self.text.low[max(sentence.start, h.start - 80) : h.start]
        back, out = _last(_BACK, left), _last(_OUT, left)
        if back > out and back >= max((d.end for d, w in ways if w == "depart" and d.start < h.start), default=-1) - max(
            sentence.start, h.start - 80
        ):
            return "return_"
        if near:
            return _nearest(near)
        if back < 0 and out < 0 and "return" in self.asked and "depart" not in self.asked and not ways:
            return "return_"
        return "depart"


def _nearest(ways: list[tuple[int, Way]]) -> Way:
    return min(ways, key=lambda pair: pair[0])[1]


def _last(pattern: re.Pattern[str], text: str) -> int:
    """Where the pattern's last match is. "The return flight to leave at three" leaves, and is the way back all the same."""
    back = [m.span() for m in _BACK_LEAVES.finditer(text)]
    if pattern is _OUT:
        return max((m.start() for m in _OUT.finditer(text) if not any(s < m.start() < e for s, e in back)), default=-1)
    return max((m.start() for m in pattern.finditer(text)), default=-1)


def is_round(trip_type: TripType | None, draft: Slots) -> bool:
    return (trip_type or draft.trip_type) is TripType.ROUND_TRIP
