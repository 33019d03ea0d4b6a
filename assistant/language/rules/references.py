"""What was pointed at: the second one, the cheapest, the 7:10, 同一班, seat 14A; found in the list last shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from ...domain.flights import Fare
from ...domain.understanding import Rank, Reference
from ..interpreter import Heard
from .airlines import Named
from .numbers import ZH_NUMBER, chinese_number, english_number, english_ordinal
from .text import Text
from .times import Hours

_ORDINAL = r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|1st|2nd|3rd|4th|5th|6th|7th|8th|9th|10th"
_THING = r"(?:one|option|flight|choice|offer|result|fare|ticket|item|of (?:those|these|them))s?"
_EN_NTH = re.compile(
    rf"\b(?:the |that |your )?(?P<n>{_ORDINAL}) (?:{_THING}|available flight)\b|\b(?:option|number|no\.?|choice|#"
    rf"|flight option)\s?#?(?P<k>[1-9]|one|two|three|four|five)\b|^\W*(?:ok(?:ay)?,? |yes,? |i'll take |i will take "
    rf"|let's (?:do|go with|take) |book |take |give me |i want |i choose |go with "
    rf"|i'd like )*(?:the )(?P<bare>{_ORDINAL})(?: please| then| is fine| works| looks good| sounds good)?\W*$"
)
_EN_LAST = re.compile(rf"\b(?:the )?last {_THING}\b")
_EN_DIGIT = re.compile(r"^\W*(?:#|no\.? ?)?([1-9])\W*(?:please)?\W*$")
_ZH_NTH = re.compile(
    rf"第(?P<n>{ZH_NUMBER})(?:个|张|班|趟|条|款|种|项|航班|选项|(?=[^\u4e00-\u9fff]|$|吧|就|不错|挺))|(?:选项|方案|选"
    rf"|要)(?P<k>[1-9一二三四五])(?:号)?(?:$|吧|[，。,!！])|(?:^|选|要)(?P<h>[1-9一二三四五])号(?:$|吧|航班|[，。,!！])"
)
_ZH_LAST = re.compile(r"最后(?:一)?(?:个|张|班|趟|条|款)|末尾那个")
_SUPERLATIVE: tuple[tuple[Rank, re.Pattern[str]], ...] = (
    (
        Rank.CHEAPEST,
        re.compile(
            rf"\b(?:the )?(?:cheap(?:est|er)|least expensive|lowest[- ]priced|less expensive) {_THING}\b|\b(?:take|book"
            rf"|choose|pick|go with) the cheap(?:est|er)\b|便宜(?:点|一点|一些|些)?的?那(?:个|张|班|趟)|(?:就|选|要|订|买"
            rf"|来)(?:那个)?最?便宜的(?!机票|航班|票)|最便宜的(?:吧|就行)"
        ),
    ),
    (
        Rank.FASTEST,
        re.compile(
            rf"\b(?:the )?(?:fast(?:est|er)|quick(?:est|er)|short(?:est|er)) {_THING}\b|(?:最快|快一点|最短"
            rf"|时间短)的?那(?:个|张|班|趟)|(?:就|选|要|订|买)(?:那个)?最快的"
        ),
    ),
    (
        Rank.EARLIEST,
        re.compile(
            rf"\b(?:the )?earl(?:iest|ier) {_THING}\b|(?:最早|早一点|早点|早些)的?那(?:个|张|班|趟)|(?:就|选|要|订"
            rf"|买)(?:那个)?最早的(?!航班|飞机)"
        ),
    ),
    (
        Rank.LATEST,
        re.compile(
            rf"\b(?:the )?(?:latest|later) {_THING}\b|(?:最晚|晚一点|晚点|晚些)的?那(?:个|张|班|趟)|(?:就|选|要|订"
            rf"|买)(?:那个)?最晚的(?!航班|飞机)"
        ),
    ),
    (Rank.BEST, re.compile(rf"\b(?:the )?best {_THING}\b|最好的那(?:个|张|班|趟)|你推荐的")),
)
_ONE = re.compile(r"\bone\b|那(?:个|张|班|趟)")
_SAME = re.compile(
    r"\b(?:the )?same (?:flight|one|plane|option|again)\b|\bsame as (?:before|last time|the outbound)|同一?(?:班|个航班|趟"
    r"|架)|一样的(?:航班|那班)|和(?:上次|之前)一样|原来那(?:班|个)"
)
_THAT = re.compile(
    r"\b(?:that|this|the|said) (?:flight|one|option|ticket|offer)\b|\b(?:book|take|reserve|hold|buy|choose|pick) (?:it|that"
    r"|this)\b|这(?:个|班|张|趟|一班)|那(?:个|班|张|趟|一班)|就它|就这"
)
_POINTED = re.compile(r"\b(?:one|flight|option|at)\b|那(?:个|班|张|趟)|这(?:个|班|张|趟)|的(?:航班|那|吧|$)|就|选|要")
_TRIP: tuple[tuple[Literal["return", "outbound"], re.Pattern[str]], ...] = (
    ("return", re.compile(r"\breturn(?:ing)?\b|\binbound|\bway back|返程|回程|回来的")),
    ("outbound", re.compile(r"\boutbound|\bonward|\bdeparting flight|\bway there|去程")),
)
_BOTH = re.compile(r"\b(?:both|all of them|everything)\b|两(?:个|班|张|程)都|都(?:取消|订|要)|全部")
_SEAT = re.compile(r"(?<![A-Za-z0-9])([1-9][0-9]?)([A-HJ-L])(?![A-Za-z0-9])")
_SEAT_LOW = re.compile(r"(?:\bseats?\s+|座位?\s*|and\s+|、|和)([1-9][0-9]?)([a-hj-l])(?![a-z0-9])")


def references(text: Text, heard: Heard, *, hours: list[Hours], airlines: Named, asked: frozenset[str]) -> tuple[Reference, ...]:
    """Everything pointed at; times, airlines and superlatives are looked up in the newest list shown."""
    trip = "all" if _BOTH.search(text.low) else next((name for name, pattern in _TRIP if pattern.search(text.low)), None)
    fares = heard.shown[0].fares if heard.shown else ()
    found: list[Reference] = [Reference(n=n) for n in _numbers(text, asked, bool(fares))]
    if not found and (fares or _ONE.search(text.low)):
        found += [
            Reference(superlative=kind, n=_best(fares, kind)) for kind, pattern in _SUPERLATIVE if pattern.search(text.low)
        ][:1]
    if _SAME.search(text.low):
        found.append(Reference(same=True))
    if not found and fares:
        found += _by_facts(text, fares, hours, airlines)
    seats = tuple(
        dict.fromkeys(m[1] + m[2].upper() for p, words in ((_SEAT, text.raw), (_SEAT_LOW, text.low)) for m in p.finditer(words))
    )
    if seats:
        found = [found[0].model_copy(update={"seats": seats}), *found[1:]] if found else [Reference(seats=seats)]
    if not found and trip and _THAT.search(text.low):
        found.append(Reference())
    return tuple(r.model_copy(update={"trip": trip}) for r in found) if trip else tuple(found)


def way_named(text: Text) -> tuple[Reference, ...]:
    """The one way a question is about; nothing where it names none or both."""
    named: list[Literal["return", "outbound"]] = [name for name, pattern in _TRIP if pattern.search(text.low)]
    return (Reference(trip=named[0]),) if len(named) == 1 else ()


def points_at_shown(text: Text) -> bool:
    return bool(_THAT.search(text.low))


def _numbers(text: Text, asked: frozenset[str], shown: bool) -> list[int]:
    numbers: list[tuple[int, int]] = []
    for m in _EN_NTH.finditer(text.low):
        if m["bare"] and asked & {"depart", "return"}:
            continue
        word = m["n"] or m["bare"]
        numbers.append((m.start(), _ordinal(word) if word else english_number(m["k"])))
    for m in _ZH_NTH.finditer(text.low):
        number = chinese_number(m["n"] or m["k"] or m["h"])
        if not text.low.startswith(("次", "天", "段"), m.end()):
            numbers.append((m.start(), int(number)))
    numbers += [(m.start(), -1) for p in (_EN_LAST, _ZH_LAST) for m in p.finditer(text.low)]
    if (
        not numbers
        and ("option" in asked or shown)
        and not asked & {"passengers", "depart", "return", "ages"}
        and (m := _EN_DIGIT.match(text.low))
    ):
        numbers.append((0, int(m[1])))
    return list(dict.fromkeys(n for _, n in sorted(numbers)))


def _ordinal(word: str) -> int:
    return int(word[:-2]) if word[0].isdigit() else english_ordinal(word)


def _best(fares: tuple[Fare, ...], kind: Rank) -> int | None:
    """Number of the option the superlative picks out; None when nothing is shown."""
    keys: dict[Rank, Callable[[Fare], object]] = {
        Rank.CHEAPEST: lambda f: f.total.amount,
        Rank.FASTEST: lambda f: f.segments[-1].arrives - f.segments[0].departs,
        Rank.EARLIEST: lambda f: f.segments[0].departs,
        Rank.LATEST: lambda f: -f.segments[0].departs.timestamp(),
    }
    if not fares:
        return None
    if kind not in keys:
        return 1
    return min(range(len(fares)), key=lambda i: keys[kind](fares[i])) + 1  # type: ignore[arg-type, return-value]


def _by_facts(text: Text, fares: tuple[Fare, ...], hours: list[Hours], airlines: Named) -> list[Reference]:
    """One option and no other fits the time, airline or flight number named."""
    wanted = set(range(len(fares)))
    said = False
    clocks = [h.first for h in hours if h.first and h.first == h.last and not h.part]
    if clocks:
        wanted &= {
            i
            for i, f in enumerate(fares)
            if any(f.segments[0].departs.time().replace(second=0) == c or _twelve(f, c.hour, c.minute) for c in clocks)
        }
        said = True
    if airlines.codes:
        wanted &= {i for i, f in enumerate(fares) if f.segments[0].carrier in airlines.codes}
        said = True
    names = [i for i, f in enumerate(fares) if any(s.name.lower() in text.low.replace(" ", "") for s in f.segments)]
    if names:
        return [Reference(n=names[0] + 1, flight_number=fares[names[0]].segments[0].name)]
    if said and len(wanted) == 1 and _POINTED.search(text.low):
        return [Reference(n=wanted.pop() + 1)]
    return []


def _twelve(fare: Fare, hour: int, minute: int) -> bool:
    departs = fare.segments[0].departs
    return departs.hour % 12 == hour % 12 and departs.minute == minute and hour < 13
