"""The cabin chosen; a question about a cabin is not a choice, nor is a business trip."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

from ...domain.flights import Cabin
from . import questions
from .text import Text

_CABINS: tuple[tuple[Cabin, re.Pattern[str]], ...] = (
    (
        Cabin.PREMIUM_ECONOMY,
        re.compile(
            r"\bpremium[- ]economy|\beconomy[- ](?:plus|premium|comfort)|\bmain cabin extra|\bcomfort ?(?:\+|plus)"
            r"|\bpremium (?:seat|seating|cabin|class)s?\b|(?:超级|高端|优选|优悦|豪华|尊享|明珠)经济舱?|超经舱?"
        ),
    ),
    (
        Cabin.FIRST,
        re.compile(
            r"\bfirst[- ]?class|\bfirst (?:seats?|cabin)\b|\b(?:in|fly|flying|travel|sit in|go) first\b(?! (?:to|and|then"
            r"|thing|of|on|week))|头等舱?|一等舱"
        ),
    ),
    (
        Cabin.BUSINESS,
        re.compile(
            r"\bbusiness[- ](?:class(?:es)?|seats?|seating|cabin|tickets?|fares?|flights?)|\b(?:in|fly|flying|on|prefer"
            r"|want|either|or) business\b(?! (?:trip|travel|tour|meeting|reasons|matters?|purpose))|\b(?:regular"
            r"|normal) business\b|\bbusiness(?= (?:or|and|is fine|would|works|please)\b)|商务舱?(?!人士|旅行|出差|旅客|中心"
            r"|之旅)|公务舱"
        ),
    ),
    (
        Cabin.ECONOMY,
        re.compile(
            r"\bechonomy|\beconom(?:y|ic)(?:[- ](?:class|seat|cabin|ticket))?\b|\bcoach(?:es)?\b|\bmain cabin\b"
            r"|\b(?:standard|regular|normal|cattle|tourist) class\b|经济舱?(?!型|实惠|条件|学|适用)|普通舱"
        ),
    ),
)
_BARE = {
    "first": Cabin.FIRST,
    "business": Cabin.BUSINESS,
    "standard": Cabin.ECONOMY,
    "regular": Cabin.ECONOMY,
    "normal": Cabin.ECONOMY,
    "premium": Cabin.PREMIUM_ECONOMY,
    "couch": Cabin.ECONOMY,
}
_ANY = re.compile(
    r"\bany (?:ticket |seat(?:ing)? |cabin |travel )?(?:class|cabin|type)\b|\b(?:class|cabin)(?: type)? (?:does not|doesn't"
    r"|is not|isn't|won't) (?:matter|important|a concern)|\b(?:don't|do not) (?:care|mind|have (?:any"
    r"|a) preference)[a-z ]{0,30}\b(?:class|cabin|seating)"
    r"|\b(?:no|any) preference[a-z ]{0,20}\b(?:class|cabin)|(?:either|whatever|whichever) (?:class|cabin)|舱位?(?:都行"
    r"|都可以|无所谓|随便|不限|不挑)|(?:什么|哪种|任何|哪个)舱位?(?:都|也)|不限舱位"
)
_ANY_ANSWER = re.compile(
    r"\b(?:any(?:thing)?|either|no preference|doesn't matter|does not matter|don't care|whatever|whichever|don't mind"
    r"|both)\b|都行|都可以|随便|无所谓|不限|不挑|看着办"
)
_NOT = re.compile(
    r"(?:\b(?:not|no|non|except|without|anything but|rather than|instead of|other than|hate|avoid)[- ](?:in |the |a |an )?"
    r"|不要|不坐|别|不想坐|不想要|不是)$"
)
_OR = re.compile(r"(?:\b(?:or|and)\b|/|或|和|还是|、)")


def cabin(text: Text, *, asked: frozenset[str]) -> Cabin | Literal["any"] | None:
    """The cabin wanted, "any" when said that it does not matter, None when nothing was said."""
    if _ANY.search(text.low):
        return "any"
    found = _mentioned(text)
    if not found and "cabin" in asked:
        return _answer(text)
    if len({c for _, _, c in found}) > 1 and all(_OR.search(text.low[a[1] : b[0]]) for a, b in pairwise(found)):
        return "any"
    return found[-1][2] if found else None


def _mentioned(text: Text) -> list[tuple[int, int, Cabin]]:
    spans: list[tuple[int, int, Cabin]] = []
    for kind, pattern in _CABINS:
        for m in pattern.finditer(text.low):
            if any(m.start() < e and s < m.end() for s, e, _ in spans) or _NOT.search(text.before(m.start(), at_most=20)):
                continue
            if not questions.is_about_facts(text, m.start()):
                spans.append((m.start(), m.end(), kind))
    return sorted(spans, key=lambda s: s[0])


def _answer(text: Text) -> Cabin | Literal["any"] | None:
    if _ANY_ANSWER.search(text.low):
        return "any"
    return next((_BARE[word] for word in re.findall(r"[a-z]+", text.low[:60]) if word in _BARE), None)
