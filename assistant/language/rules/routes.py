"""Which part each named place plays: origin, destination, stopover, or none of the trip's. The words around it decide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...domain.understanding import Slots
from .mentions import Mention, nearest_spelling
from .text import Text

Part = Literal["origin", "destination", "stopover"]

_FILLER = r"(?:(?:the|my|our|downtown|city of|beautiful|sunny|either|both|maybe|say)\s+){0,3}"
_EN_LEFT: tuple[tuple[Part, re.Pattern[str]], ...] = tuple(
    (part, re.compile(rf"(?:{cue})\s*[:,]?\s*{_FILLER}$"))
    for part, cue in (
        ("stopover", r"\b(?:via|by way of|through|(?:connection|connecting|lay ?over|stop ?over|stop|stopping|transfer|transferring|change|changing) (?:over )?(?:in|at|through))"),
        ("destination", r"\b(?:leav(?:e|es|ing)|depart(?:s|ing)?|bound|head(?:ed|ing)?|off|set(?:ting)? out|start(?:ing)?(?: out)?) (?:for|to)"),
        ("origin", r"\b(?:departing|departure|origin|starting|home)(?: city| airport| point| location| place)?(?: is| to be| will be| should be| to|:| would be)"),
        ("origin", r"\b(?:from|out of|leav(?:e|es|ing)|depart(?:s|ing)?(?: in| at)?|origin(?: city| airport)?|start(?:s|ing)?(?: out)?(?: my \w+)? (?:in|at)|tak(?:e|ing) off (?:at|in))"),
        ("origin", r"\b(?:i am|i'm|im|we are|we're|i'll be|i will be|currently|i live|we live|based|living|located) (?:staying |currently |now |here |both |all )?(?:in|at|near)"),
        ("destination", r"\b(?:destination)(?: city| airport| point)?(?: is| will be| would be| should be| to| of|:)?(?: now| actually)?"),
        ("destination", r"\b(?:arriv(?:e|es|ing|al)|land(?:s|ing)?|get(?:ting)?|be|touch(?:ing)? down|stay(?:ing)?|meeting|conference|wedding|event|interview|game|family|friends?|vacation|holiday|trip)(?: (?:back|down|over|there))?(?: in| at| into)"),
        ("destination", r"\b(?:arriving|reach(?:es|ing)?|visit(?:ing|s)?|see|tour(?:ing)?|explor(?:e|ing))"),
        ("destination", r"\b(?:to|into|towards?|(?:flights?|tickets?|plane|airfare|seats?|trip|heading|headed|bound) for)"),
    )
)  # fmt: skip
_EN_BACK = re.compile(
    r"\b(?:return(?:ing|s)?|back|home)\b(?: flight| flights| ticket| trip)?(?: home| back)?(?: again)? (?P<way>to|from|in|into)\s*$"
)
_EN_NOT = re.compile(
    r"\b(?:not|no longer|instead of|rather than|don't want|except|besides|anything but) (?:(?:to|from|in|for|via|go to|fly to|go|fly|leave|leave from) )?$"
)
_EN_LINK = re.compile(r"\s*(?:-+>?|=>|>|→|—|/?\s*to|2|✈)\s*(?:the\s+)?")
_EN_ALSO = re.compile(r"\s*,?\s*(?:or|/|and|,|&)\s*(?:(?:from|to|in|maybe|even|possibly|the|then)\s+){0,2}")
_EN_BETWEEN = re.compile(r"\bbetween\s+(?:the\s+)?$")
_EN_THEN = re.compile(r"\bthen\b|\bafter that\b|\bnext\b")
_EN_RIGHT_ORIGIN = re.compile(
    r"\s*(?:departure|is (?:where i(?:'m| am| will be)?(?: be)? (?:leav|depart|fly|start)|my (?:origin|departure|home|starting))|as (?:my |the )?(?:origin|departure|starting))"
)
_EN_RIGHT_DESTINATION = re.compile(
    r"\s*(?:is (?:my|the|our) destination|is where i(?:'m| am| want| would)? ?(?:going|headed|to go)|(?:bound|trip|vacation|getaway|as (?:my |the )?destination)\b|(?:flights?|tickets?|airfare)\b)"
)

_ZH_FILL = r"(?:一趟|一下|我们|的|市区|\s)*"
_ZH_LEFT: tuple[tuple[Part, re.Pattern[str]], ...] = tuple(
    (part, re.compile(rf"(?:{cue}){_ZH_FILL}$"))
    for part, cue in (
        ("stopover", r"经由|途经|途径|经过|中转|转机|经停|先回|先到|先去|先飞|经|(?<!机)转"),
        ("origin", r"从|自|由|离开|(?:出发地|始发地|起点|出发城市|出发机场)(?:是|改成|改为|换成|为|:)?|(?:人|我|我们|住|现在|目前)在"),
        ("destination", r"(?:培训|会议|开会|会|婚礼|活动|比赛|考试|展会|演出|项目|面试|工作|家人|朋友|客户)在|目的地(?:是|改成|改为|换成|为|:)?|飞往|飞到|飞去|飞回|前往|抵达|到达|到|去往|去|往|飞|至|回到|回|赴|直飞|来|降落(?:在|到)?|抵|终点(?:是)?|玩"),
    )
)  # fmt: skip
_ZH_RIGHT_ORIGIN = re.compile(r"(?:这边|那边|这里)?(?:出发|起飞|走(?!到|去)|始发|登机|动身|启程|离我)")
_ZH_LINK = re.compile(r"\s*(?:市|这边)?\s*(?:飞往|飞到|飞去|飞|直飞|到|去|至|往|前往|往返|来回|-+>?|→|>|~|～|—)\s*")
_ZH_RIGHT_STOP = re.compile(r"(?:转机|中转|经停|转(?!到))")
_ZH_ALSO = re.compile(r"\s*(?:走?还是|或者是?|或是?|和|与|跟|、|,|，|或)\s*(?:去|到|从|飞)?\s*")
_ZH_RIGHT_DESTINATION = re.compile(
    r"(?:[一二三四五六七八九十两几\d]+[日天]游|游|玩|旅游|旅行|出差|开会|度假|的?(?:机票|航班|飞机票|飞机|票(?!价)))"
)
_ZH_NOT = re.compile(r"(?:不从|不去|不到|不飞|不想去|不要去|别去|不是去|取消去|不经过?|不在|不想从|别从)$")
_ZH_TOO_FEW = re.compile(r"的(?:航班|机票|票|飞机|班次)(?:都|也)?(?:太|不多|没有|很少|不够|比较少|卖完|好少)")
_CORRECTS = re.compile(
    r"\b(?:actually|sorry|i mean(?:t)?|make (?:that|it)|scratch that|rather|instead|wait|no)\b|不对|不是|改成|改为|换成|算了|说错|我是说|而是"
)


@dataclass
class Route:
    """The places of one message by the part they play, in the order they were named."""

    origin: list[Mention] = field(default_factory=list[Mention])
    destination: list[Mention] = field(default_factory=list[Mention])
    stopover: list[Mention] = field(default_factory=list[Mention])
    loose: list[Mention] = field(default_factory=list[Mention])  # named, but no word says what for
    denied: list[Mention] = field(default_factory=list[Mention])  # "not from Boston"

    def of(self, part: Part) -> list[Mention]:
        return self.origin if part == "origin" else self.destination if part == "destination" else self.stopover

    @property
    def placed(self) -> bool:
        return bool(self.origin or self.destination or self.stopover)


def route(text: Text, mentions: Sequence[Mention], *, asked: frozenset[str], draft: Slots) -> Route:
    """Give every mention its part. `asked`: what the message before asked for, so that a bare "Boston" is an answer."""
    out, previous, previous_part = Route(), None, None
    for i, mention in enumerate(mentions):
        following = mentions[i + 1] if i + 1 < len(mentions) else None
        part = _part(text, mention, previous, previous_part, following, out)
        if part == "denied":
            out.denied.append(mention)
            part = None
        elif part and _believed(text, mention, part):
            _place(text, out, mention, part, previous)
        else:
            part = None
            if mention.strong:
                out.loose.append(mention)
        previous, previous_part = mention, part
    _replace_denied(out, draft)
    _answer(out, asked)
    return out


def _replace_denied(out: Route, draft: Slots) -> None:
    """ "Boston has too few flights, Providence?": the loose place takes the part of the one turned down."""
    for part, place in (("origin", draft.origin), ("destination", draft.destination)):
        if place and out.loose and not out.of(part) and any(place.codes and m.known and m.known[0].codes == place.codes for m in out.denied):
            out.of(part).append(out.loose.pop(0))


def _part(
    text: Text, mention: Mention, previous: Mention | None, previous_part: Part | None, following: Mention | None, out: Route
) -> Part | Literal["denied"] | None:
    left = text.before(mention.start)
    between = text.low[previous.end : mention.start] if previous else None
    if _EN_NOT.search(left) or _ZH_NOT.search(left) or (_ZH_TOO_FEW.match(text.after(mention.end)) and not re.search(r"[去到从飞]$", left)):
        return "denied"
    if between is not None and previous_part and (_EN_ALSO.fullmatch(between) or _ZH_ALSO.fullmatch(between)):
        if previous_part == "origin" and _EN_BETWEEN.search(text.before(previous.start if previous else 0)):
            return "destination"
        return previous_part
    if between is not None and previous and (_EN_LINK.fullmatch(between) or _ZH_LINK.fullmatch(between)):
        if previous_part is None and previous in out.loose:
            out.loose.remove(previous)
            out.origin.append(previous)
            return "destination"
        if previous_part == "origin":
            return "destination"
    if back := _EN_BACK.search(left):
        return "destination" if back["way"] == "from" else "origin" if not out.origin else None
    if _EN_BETWEEN.search(left):
        return "origin"
    return _by_words(text, mention, left, following)


def _by_words(text: Text, mention: Mention, left: str, following: Mention | None) -> Part | None:
    right = text.after(mention.end)
    if _ZH_RIGHT_STOP.match(right):
        return "stopover"
    if _ZH_RIGHT_ORIGIN.match(right) and not re.search(r"(?:去|到|飞)$", left):
        return "origin"
    if following and _ZH_LINK.fullmatch(text.low[mention.end : following.start]) and not re.search(r"[去到飞往]$", left):
        return "origin"
    for part, cue in _EN_LEFT + _ZH_LEFT:
        if cue.search(left):
            return part
    if _EN_RIGHT_ORIGIN.match(right):
        return "origin"
    if _EN_RIGHT_DESTINATION.match(right) or _ZH_RIGHT_DESTINATION.match(right):
        return "destination"
    return None


def _believed(text: Text, mention: Mention, part: Part) -> bool:
    """A weak name counts only where the words before it are the trip's own."""
    if mention.strong or mention.misspelt:
        return True
    if mention.word:
        return False
    return (
        part == "stopover"
        or bool(re.search(r"(?:\b(?:from|to|between|and)\s+|[从到去飞往至]|-)$", text.before(mention.start)))
        or "\u4e00" <= text.low[mention.start] <= "\u9fff"
    )


def _place(text: Text, out: Route, mention: Mention, part: Part, previous: Mention | None) -> None:
    same = out.of(part)
    if any(m.known[:1] == mention.known[:1] and m.known for m in same):
        return
    between = text.low[previous.end : mention.start] if previous else ""
    if part == "destination" and same and (_EN_THEN.search(between) or "再" in between or "然后" in between):
        out.stopover.extend(same)
        same.clear()
    elif same and _CORRECTS.search(between):
        same.clear()
    same.append(mention)


def _answer(out: Route, asked: frozenset[str]) -> None:
    """Places no word explains answer the question, in the order of the question."""
    wanted: list[Part] = [part for part in ("origin", "destination") if part in asked and not out.of(part)]
    if len(wanted) == 1 and out.loose:
        out.of(wanted[0]).extend(out.loose)
        out.loose = []
    elif len(wanted) == 2 and len(out.loose) == 2:
        out.origin, out.destination, out.loose = [out.loose[0]], [out.loose[1]], []


def corrects(text: Text) -> bool:
    """The message takes something back: "no, I meant", "改成"."""
    return bool(_CORRECTS.search(text.low))


_EN_UNKNOWN = re.compile(r"\b(from|to|in|at|for|visit|visiting) ([A-Z][a-z]{3,}(?: [A-Z][a-z]{2,})?)")
_EN_UNKNOWN_PAIR = re.compile(r"\bfrom ([a-z]{4,}(?: [a-z]{3,})?) to ([a-z]{4,})\b")
_ZH_UNKNOWN = (
    re.compile(r"从([\u4e00-\u9fff]{2,4}?)(?=到|去|飞|出发|走)"),
    re.compile(r"(?:从[\u4e00-\u9fff]{2,4})(?:到|去|飞往|飞)([\u4e00-\u9fff]{2,4}?)(?=的|，|。|,|$|出差|机票|航班)"),
)


def unknown(text: Text, taken: Iterable[tuple[int, int]], *, asked: frozenset[str]) -> list[Mention]:
    """Words that stand where a place stands but are none we know: misspelt, or unknown."""
    spans = list(taken)
    free = [(m.start(g), m.end(g)) for m in _EN_UNKNOWN.finditer(text.raw) for g in (2,)]
    free += [(m.start(g), m.end(g)) for m in _EN_UNKNOWN_PAIR.finditer(text.low) for g in (1, 2)]
    free += [(m.start(1), m.end(1)) for pattern in _ZH_UNKNOWN for m in pattern.finditer(text.low)]
    if asked & {"origin", "destination"} and 0 < len(text.low.split()) <= 3 and not text.has_han:
        free.append((0, len(text.low.rstrip(" .!,?"))))
    found: dict[int, Mention] = {}
    for start, end in free:
        if not any(start < e and s < end for s, e in spans):
            mention = _spelt_like(text, start, end)
            if mention and mention.start not in found:
                found[mention.start] = mention
    return list(found.values())


def _spelt_like(text: Text, start: int, end: int) -> Mention | None:
    words = text.raw[start:end]
    if "\u4e00" <= words[0] <= "\u9fff":
        return Mention(start, end, words, (), strong=True)
    for spelt in (words, words.split()[0], words.split()[-1]):
        if known := nearest_spelling(spelt):
            at = start + words.index(spelt)
            return Mention(at, at + len(spelt), spelt, known, strong=True, misspelt=True)
    return None
