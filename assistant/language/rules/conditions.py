"""What a flight has to be: stops, one way or return, refundable, and how options are to be ranked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ...domain.understanding import Rank, TripType
from . import questions
from .numbers import EN_NUMBER, ZH_NUMBER, chinese_number, english_number
from .text import Text

GivenUp = Literal["airlines", "times", "max_stops", "cap", "refundable", "cabin"]

_NONSTOP = re.compile(
    r"\bnon[- ]?stops?\b|\bdirect(?:ly)?\b(?! (?:message|deposit|debit|contact|me|line|number|to my))|\b(?:no|zero|0"
    r"|without(?: any)?) (?:lay ?overs?|lay-overs?|stops?|stop ?overs?|connections?|transfers?)\b|\b(?:not|n't"
    r"|avoid(?:ing)?)\b(?: [a-z]+){0,4} (?:lay ?overs?|lay-overs?|stops|stop ?overs?|connections?)\b|直飞|直达|不(?:要|用"
    r"|想"
    r"|能|接受|希望)?(?:中途)?(?:经停|转机|中转|停)|无(?:经停|中转)|别(?:中转|转机|经停)|non-?stop"
)
_AT_MOST = re.compile(
    rf"\b(?:(?:no|not|n't[a-z ]{0, 16}) more than|at most|up to|max(?:imum)?(?: of)?|fewer than|less than|under) (?P<n>a"
    rf"|{EN_NUMBER}|1|2"
    rf"|3) (?:lay ?over|lay-over|stop|connection|transfer)s?"
    rf"|\b(?P<n2>{EN_NUMBER})[- ](?:lay ?over|lay-over|stop|connection)s? (?:or (?:less|fewer)|max(?:imum)?|at most|tops)"
    rf"|\b(?P<n3>one or two|1 or 2) (?:stops?|layovers?)|最多(?P<n4>{ZH_NUMBER})次?(?:个)?(?:经停|中转|转机|转)|(?:不超过"
    rf"|至多)(?P<n5>{ZH_NUMBER})次(?:经停|中转|转机)"
)
_EXACTLY = re.compile(
    rf"\b(?:with |has |have |only )?(?P<n>a|single|{EN_NUMBER})[- ](?:lay ?over|lay-over|stop ?over|stop|connection)s?\b"
    rf"|(?:转|中转|经停)(?P<n2>{ZH_NUMBER})次"
)
_SOME = re.compile(
    r"\b(?:with (?:a |some )?|prefer (?:a )?|want (?:a )?)(?:lay ?overs?|stop ?overs?|stops?|connections?)\b"
    r"|\bconnect(?:ing|ed|ion) (?:flights?|is|in)\b|(?:想|要|可以|愿意|接受)(?:中转|转机|经停)|(?:中转|转机|经停)(?:的|也行"
    r"|也可以|没关系|都行|一次)"
)
_ONE_WAY = re.compile(r"\bone[- ]?ways?\b|\bsingle (?:trip|fare)|单程|不用回程|不需要返程|不回来")
_ROUND = re.compile(
    r"\bround[- ]?(?:trips?|way)\b|\broundtrips?\b|\breturn (?:tickets?|trip|fare)s?\b|\bboth ways\b|\bthere and back\b"
    r"|往返|来回|双程"
)
_MULTI = re.compile(r"\bmulti[- ]?(?:city|leg|stop trip|destination)|\bopen[- ]jaw|多程|多段|联程行程|缺口程")
_NOT = re.compile(r"(?:\b(?:not|no|n't(?: want| need)?(?: a)?|don't have to be|isn't)|不是|不要|不用|不必|不一定要|别)\s*$")
_REFUNDABLE = re.compile(r"\b(?:fully )?refundable\b|可退(?!吗|么|嘛)|能退的|可以退的|全额退|退改(?:灵活|自由|方便)")
_NOT_REFUNDABLE = re.compile(r"non-?refundable|not refundable|不可退|不能退")
_ANY_REFUND = re.compile(
    r"(?:doesn't|does not|don't|need not|needn't) (?:need to |have to |matter if it(?:'s| is) )?be refundable|refundable or not"
)
_RANKS: tuple[tuple[Rank, re.Pattern[str]], ...] = (
    (
        Rank.CHEAPEST,
        re.compile(
            r"\bcheap(?:er|est|ly)?\b|\bleast expensive|\b(?:the )?lowest(?: (?:price|fare|cost|available|rate)s?)?\b"
            r"|\blow[- ]cost|\bcost[- ]efficient|\breasonabl[ey] price[sd]?|\bpriced reasonably|\b(?:not|n't"
            r"|nothing) (?:be )?too (?:expensive|pricey)|\bas low as possible|\bleast amount of money|\bspend the least"
            r"|\binexpensive|\bless expensive|\bmost affordable|\baffordable|\bbest (?:price|deal|fare)|\bbudget (?:flight"
            r"|option|airline)|便宜|特价|打折|最低价|低价|省钱|实惠|划算|性价比|价格(?:低|合适|优惠)|不要太贵|别太贵"
        ),
    ),
    (
        Rank.FASTEST,
        re.compile(
            r"\bfast(?:est|er)\b|\bquickest|\bshortest|\bleast (?:amount of )?time|\bshorter|最快|最短|时间短"
            r"|用时(?:最)?(?:少|短)|飞得快"
        ),
    ),
    (
        Rank.EARLIEST,
        re.compile(
            r"\bearliest|\bas early as|\bsoonest|\bfirst (?:available )?flight (?:out|of the day|available)"
            r"|\bnext (?:available )?flight|\bas soon as possible|\basap\b|最早|早(?:一)?[点些]的|早班机|首班|第一班"
            r"|越早越好|尽早|尽快"
        ),
    ),
    (Rank.LATEST, re.compile(r"\blatest|\bas late as|\blast flight|最晚|晚(?:一)?[点些]的|末班|最后一班|越晚越好")),
    (Rank.BEST, re.compile(r"\bbest (?:flight|option|one|value)|最好的(?:航班|选择)|推荐(?:哪|一)")),
)
_MOST = re.compile(r"(?:est|least.*|asap|possible)$|最|第一班|末班|首班")


_ANY = (
    r"(?:\bany {0}\b(?=[^.?!,]{{0,24}}\b(?:fine|ok(?:ay)?|good|works?|will do|is all ?right)\b|\W*$)"
    r"|\b(?:{0})s? (?:doesn't|does not|don't|do not) (?:really )?matter\b"
    r"|\b(?:don't|do not) (?:mind|care)(?: about)?(?: which| what| the| any)? (?:{0})s?\b"
    r"|\bno (?:preference|preferred)[^.?!,]{{0,16}}\b(?:{0})s?\b)"
)
_GIVEN_UP_WORDS: tuple[tuple[GivenUp, str], ...] = (
    (
        "airlines",
        _ANY.format("(?:airline|carrier|company)") + r"|(?:航司|航空公司)(?:都行|都可以|不限|随便|无所谓|没要求|没关系)"
        r"|不限(?:航司|航空公司)|(?:哪家|哪个)(?:航司|航空公司|航空)?都(?:行|可以)",
    ),
    (
        "times",
        _ANY.format("(?:time|hour)(?: of (?:the )?day)?") + r"|(?:几点|什么时间|时间)(?:都行|都可以|不限|随便|无所谓)|不限时间",
    ),
    (
        "max_stops",
        r"\b(?:lay ?overs?|stops?|connections?|connecting|transfers?) (?:is|are|would be|will be)"
        r" (?:fine|ok(?:ay)?|all ?right|no problem)\b"
        r"|\b(?:don't|do not) mind (?:a |an |any |the )?(?:lay ?overs?|stops?|connections?|changing)\b"
        r"|(?:转机|中转|经停)(?:也行|也可以|都行|没关系|无所谓)|不(?:一定)?非?要?直飞也(?:行|可以)",
    ),
    (
        "cap",
        _ANY.format("(?:price|cost|budget)") + r"|(?:价格|价钱|预算)(?:不限|随便|无所谓|不是问题|没关系)|不限(?:预算|价格)",
    ),
    (
        "refundable",
        r"(?:doesn't|does not|needn't|don't) (?:need to |have to )?be refundable|refundable or not"
        r"|不用可?退|能不能退(?:都行|无所谓)",
    ),
)
_GIVEN_UP: tuple[tuple[GivenUp, re.Pattern[str]], ...] = tuple((name, re.compile(pattern)) for name, pattern in _GIVEN_UP_WORDS)


@dataclass(frozen=True, slots=True)
class Stops:
    most: int | None = None
    least: int | None = None


def stops(text: Text, *, asked: frozenset[str]) -> Stops:
    """Stops wanted. A question whether a flight has one says nothing about wishes; 直飞 and nonstop mean none at all."""
    for pattern in (_AT_MOST, _NONSTOP, _EXACTLY, _SOME):
        for m in pattern.finditer(text.low):
            if questions.is_about_facts(text, m.start()) or re.match(r"\s*(?:吗|么|嘛)", text.low[m.end() :]):
                continue
            if pattern is _NONSTOP:
                return Stops() if _NOT.search(text.before(m.start(), at_most=18)) else Stops(most=0)
            if pattern is _SOME:
                return (
                    Stops(least=1)
                    if not re.match(r"可以|愿意|接受", m.group()) and "也" not in m.group() and "没关系" not in m.group()
                    else Stops()
                )
            number = _number(m)
            if pattern is _AT_MOST:
                return Stops(most=number - 1 if re.match(r"fewer|less|under", m.group()) else number)
            if not re.match(r"\s*(?:hour|minute|at most|or)", text.low[m.end() :]):
                return Stops(most=number, least=number)
    if "stops" in asked and re.search(r"\blay ?over|\bstop|\bconnect(?:ing|ion|ed)\b|中转|转机|经停", text.low):
        return Stops(least=1)
    return Stops()


def _number(m: re.Match[str]) -> int:
    word = next((g for g in m.groups() if g), "1")
    if word in ("a", "single"):
        return 1
    if " or " in word:
        return 2
    return int(chinese_number(word)) if not word.isascii() else english_number(word)


def trip_type(text: Text) -> TripType | None:
    """One way, return or several cities; the last said counts ("not one way, a round trip")."""
    found: list[tuple[int, TripType]] = []
    for kind, pattern in ((TripType.ONE_WAY, _ONE_WAY), (TripType.ROUND_TRIP, _ROUND), (TripType.MULTI_CITY, _MULTI)):
        found += [
            (m.start(), kind)
            for m in pattern.finditer(text.low)
            if not _NOT.search(text.before(m.start(), at_most=18)) and not questions.is_about_facts(text, m.start())
        ]
    return max(found)[1] if found else None


def refundable(text: Text) -> bool | None:
    if _ANY_REFUND.search(text.low) or _NOT_REFUNDABLE.search(text.low):
        return None
    said = _REFUNDABLE.search(text.low)
    if not said or _asks_refund(text, said.start()):
        return None
    return True


def _asks_refund(text: Text, offset: int) -> bool:
    sentence = text.sentence_at(offset)
    words = text.low[sentence.start : sentence.end]
    return questions.is_about_facts(text, offset) or bool(
        re.search(r"\b(?:tell me|know|check|see) (?:if|whether)\b|\bare (?:they|the tickets?|these)\b|是否|是不是", words)
    )


def given_up(text: Text) -> tuple[GivenUp, ...]:
    """Limits that count no longer: "any airline is fine", 转机也行."""
    found: list[GivenUp] = [name for name, pattern in _GIVEN_UP if pattern.search(text.low)]
    return tuple(found)


def rank(text: Text, *, asked_for: bool = False) -> Rank | None:
    """The wish said most strongly: "the earliest" before "something cheap"; of two alike the first.

    `asked_for`: also of a question, "which one is the earliest?".
    """
    found = [
        (not _MOST.search(m.group()), m.start(), kind)
        for kind, pattern in _RANKS
        for m in pattern.finditer(text.low)
        if not _NOT.search(text.before(m.start(), at_most=12)) and (asked_for or not questions.is_about_facts(text, m.start()))
    ]
    return min(found)[2] if found else None
