"""Who travels: counts, ages, family words. An article is no number: "a ticket" says nothing about how many."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...domain.understanding import Passengers
from . import questions
from .numbers import EN_NUMBER, ZH_NUMBER, chinese_number, english_number
from .text import Text

MOST_SAID = 1000  # more is a price or a distance; too many for one trip is said by who asks for the trip

_ADJECTIVE = (
    r"(?:(?:economy|business|first|coach|premium|class|one[- ]?way|round[- ]?trip|roundtrip|return|refundable|fully|plane"
    r"|airline|air|flight|more|other|direct|non-?stop|cheap|adult|window|aisle|available|delta|united|american|southwest"
    r"|alaska|airlines) ){0,5}"
)
_EN_COUNT = re.compile(
    rf"(?<!option )(?<!number )(?<![$€£¥.,:0-9])\b(?P<n>{EN_NUMBER})(?![- ]?(?:way|stop|layover"
    rf"|class))[ -]{_ADJECTIVE}(?P<what>people|persons?|passengers?|pax|travell?ers?|tickets?|seats?|individuals?|of us"
    rf"|of them are|adults?|grown[- ]?ups?|seniors?|kids?|child(?:ren)?|toddlers?|infants?|bab(?:y|ies)|lap (?:infants?"
    rf"|child(?:ren)?)|members)\b"
)
_EN_GROUP = re.compile(
    rf"\b(?:(?:group|party|family) of|(?:flight|ticket|tickets|flights|seats|table|it's|its|is|just|book|booking"
    rf"|reservation)(?: is)? for) (?P<n>{EN_NUMBER})\b(?! (?:days?|weeks?|nights?|hours?|month|flight|ticket|dollars))"
)
_EN_FOR = re.compile(
    r"(?<!under )(?<!reservation )(?<!\$)\bfor (?P<n>[1-9]|one|two|three|four|five|six|seven|eight|nine)(?=\s*(?:[.,!?;]|$"
    r"|please\b|and\b|on\b|from\b|to\b|in\b))"
)
_NOT_COUNTED = re.compile(r"\b(?:these|those|the|no|if|all|between|other|not for) $")
_MORE = re.compile(
    rf"\badd (?P<n>an?|another|{EN_NUMBER}) (?:more )?(?:person|people|passengers?|adults?|child(?:ren)?|kids?|infants?"
    rf"|baby|tickets?|seats?)\b"
    rf"|\b(?P<n2>{EN_NUMBER}) more (?:person|people|passengers?|adults?|child(?:ren)?|kids?|tickets?)\b"
    rf"|(?:再|多)?(?:加|多)(?:上|了)?(?P<n3>{ZH_NUMBER})?(?:个|位|张|名)(?:人|大人|成人|小孩|孩子|儿童|婴儿|宝宝|票)"
)
_EN_OTHERS = re.compile(
    rf"\bwith (?P<n>{EN_NUMBER}) (?:others?|other (?:people|persons?|passengers?|travell?ers|friends)|more people|friends"
    rf"|colleagues|co-?workers)\b"
)
_EN_BABY = re.compile(
    r"\b(?:an?|my|our) (?:\w+[- ]month[- ]old |little |new ?born )?(?:baby|infant|newborn|lap child)\b(?! (?:crying|seat|food))"
)
_EN_CHILD = re.compile(
    r"(?:\band|\bplus|\bwith|,) an? (?:\w+[- ]years?[- ]old |small |young |little )?(?:child|kid|toddler|boy|girl)\b"
)
_EN_ALONE = re.compile(
    r"\b(?:just|only) (?:me|myself|one of us|for me|one person|1 person)\b|\bby myself\b|\b(?:travell?ing|flying"
    r"|going) (?:alone|solo)\b|^\W*(?:alone|solo|myself|me|single seat)\W*$|\bjust one for\b|\ba single (?:seat|ticket"
    r"|person|passenger)\b|\bme only\b|\bflying solo\b|\bi'm alone\b|\bfor myself\b"
)
_ADULT_RELATION = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?|mom|mum|mother|dad|father|brother|sister|friend"
    r"|colleague|co-?worker|boss|grandmother|grandfather|grandma|grandpa|aunt|uncle|cousin|roommate|assistant)"
)
_CHILD_RELATION = r"(?:son|daughter|kid|child|toddler)"
_RELATIVE = (
    rf"(?:(?:my|our) (?:{EN_NUMBER} )?|{EN_NUMBER} (?:of my )?|an? )(?:{_ADULT_RELATION}|{_CHILD_RELATION}|parents|children"
    rf"|baby|babies|infant)s?\b"
)
_AND = r"(?:,? and|,| &| plus|,? with)"
_EN_WITH_ME = re.compile(
    rf"\b(?:me|myself|i|with|bringing|taking)\b{_AND}?(?P<who> {_RELATIVE}(?:{_AND} {_RELATIVE}){{0,3}})"
    rf"|(?P<who2>\bmy (?:{_ADULT_RELATION}|{_CHILD_RELATION}|parents)(?:{_AND} my (?:{_ADULT_RELATION}|{_CHILD_RELATION})){{0,3}}"
    rf",? and (?:i|me|myself)\b(?P<who3>(?:{_AND} {_RELATIVE}){{0,2}}))"
)
_EN_SELF = re.compile(r"\b(?:me|myself|i)\b")
_EN_BESIDE = re.compile(rf"\bmy {_ADULT_RELATION}(?=,| and|\W*$)")
_EN_AGE = re.compile(
    r"\b(?P<n>[0-9]{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[- ](?P<unit>years?|months?|yrs?|yo"
    r"|y/o)[- ]?olds?\b|\b(?:of|aged|is|who is|who's) (?P<n2>[0-9]{1,2}) (?P<unit2>months?|years?)\b|\b(?:aged?"
    r"|ages) (?P<list>[0-9]{1,2}(?:(?:,| and|, and) [0-9]{1,2}){0,5})"
)
_EN_KIDS_AGES = re.compile(r"\b(?:kids|children),? \(?([0-9]{1,2}(?:(?:,| and|, and) [0-9]{1,2})+)(?! (?:and|adults?))")
_ZH_COUNT = re.compile(
    rf"(?<!第)(?P<n>{ZH_NUMBER})(?:个|位|名)?(?P<what>大人|成人|成年人|老人|乘客|旅客|乘机人|小孩儿?|孩子|儿童|小朋友|娃"
    rf"|婴儿|宝宝|婴幼儿|人(?!均|民|次|数|山))"
)
_ZH_BIG_SMALL = re.compile(rf"(?P<big>{ZH_NUMBER})大(?P<small>{ZH_NUMBER})小(?:(?P<baby>{ZH_NUMBER})婴)?")
_ZH_TICKETS = re.compile(rf"(?P<n>{ZH_NUMBER})张(?:[^，。,]{{0,8}}票)?|(?P<n2>{ZH_NUMBER})个(?:座位|位子|位置)")
_ZH_FAMILY = re.compile(rf"一家(?P<n>{ZH_NUMBER})口")
_ZH_US = re.compile(r"我们(?P<n>俩|仨|两|三|四|五|六|七|八|九)(?:个)?")
_ZH_ALONE = re.compile(r"就我(?:一个|自己|一人)?(?!们)|我一个人|我自己(?:一个人)?(?:去|飞|走|坐|出)|单独出行|独自|只有我|一个人")
_ZH_RELATION = re.compile(
    r"(?:我)?(?:和|跟|与|带着?|同|陪|还有|、)(?:我)?的?(?P<adult>老婆|老公|妻子|丈夫|太太|先生|爱人|女朋友|男朋友|女友|男友"
    r"|对象|朋友|同事|妈妈|爸爸|母亲|父亲|妈|爸|哥哥|姐姐|弟弟|妹妹|闺蜜|奶奶|爷爷|领导|同学)|(?:和|跟|带着?|还有"
    r"|、)(?:我)?(?P<parents>父母|爸妈|爸爸妈妈)|(?:和|跟|带着?|还有"
    r"|、)(?:我)?(?:的)?(?:一个)?(?:[0-9一二三四五六七八九十]{1,2}岁大?的?)?(?P<child>孩子|儿子|女儿"
    r"|小孩|娃)|(?:和|跟|带着?|还有|、|抱着)(?:我)?(?:的)?(?:一个)?(?:[0-9一二三四五六七八九十]{1,2}(?:个月"
    r"|岁)大?的?)?(?P<baby>宝宝|婴儿)"
)
_ZH_AGE = re.compile(rf"(?P<n>{ZH_NUMBER})(?P<half>个半|岁半)?(?P<unit>周?岁|个月大?|个月的(?=宝|婴|娃|孩))(?!以[上下])")
_INCLUDING = re.compile(r"\bincluding\b|\bof (?:them|us|whom|which)\b|其中|包括|含")
_ANSWER = re.compile(
    rf"\W*(?:just|only|it's|there(?:'s| are| will be)|we are|we're|for|about|um+|uh+|就|一共|总共"
    rf"|共)?\s*(?:(?P<en>{EN_NUMBER})|(?P<zh>{ZH_NUMBER})(?:个|位|人|张)?)(?: of us| please)?\W*"
)


@dataclass
class _Count:
    total: int | None = None
    adults: int | None = None
    children: int | None = None
    infants: int | None = None
    ages: list[int] = field(default_factory=list[int])

    def add(self, what: str, number: int) -> None:
        if re.match(r"kid|child|toddler|小孩|孩子|儿童|小朋友|娃", what):
            self.children = (self.children or 0) + number
        elif re.match(r"infant|bab|lap|婴|宝宝", what):
            self.infants = (self.infants or 0) + number
        elif re.match(r"adult|grown|senior|大人|成人|成年人|老人", what):
            self.adults = (self.adults or 0) + number
        elif self.total is None or number > self.total:
            self.total = number


def passengers(
    text: Text, *, asked: frozenset[str], taken: tuple[tuple[int, int], ...] = (), before: Passengers | None = None
) -> Passengers | None:
    """Counts and ages said in this message; None when nothing was said. `taken`: spans that are dates."""
    if more := _MORE.search(text.low):
        return _added(more, before or Passengers(adults=1))
    count = _Count()
    _english(text, count, taken)
    if text.has_han:
        _chinese(text, count, taken)
    _ages(text, count, asked)
    if (
        count.total is None
        and count.adults is None
        and count.children is None
        and count.infants is None
        and "passengers" in asked
    ):
        answer = _ANSWER.fullmatch(text.low)
        if answer:
            count.total = english_number(answer["en"]) if answer["en"] else int(chinese_number(answer["zh"]))
    return _settled(text, count)


def _added(more: re.Match[str], before: Passengers) -> Passengers:
    """ "One more person", 再加一个小孩: counted on top of those said before."""
    said = more["n"] or more["n2"] or more["n3"]
    number = (
        1 if not said or said in ("another", "a", "an") else english_number(said) if said.isascii() else int(chinese_number(said))
    )
    if re.search(r"child|kid|小孩|孩子|儿童", more.group()):
        return before.model_copy(update={"children": (before.children or 0) + number})
    if re.search(r"baby|infant|婴|宝宝", more.group()):
        return before.model_copy(update={"infants": (before.infants or 0) + number})
    return before.model_copy(update={"adults": (before.adults or 0) + number})


def _free(text: Text, m: re.Match[str], taken: tuple[tuple[int, int], ...]) -> bool:
    return not any(m.start() < e and s < m.end() for s, e in taken) and not questions.is_about_facts(text, m.start())


def _english(text: Text, count: _Count, taken: tuple[tuple[int, int], ...]) -> None:
    for m in _EN_COUNT.finditer(text.low):
        if (
            _free(text, m, taken)
            and english_number(m["n"]) < MOST_SAID
            and (m["what"] == "of us" or not _NOT_COUNTED.search(text.before(m.start(), at_most=9)))
        ):
            count.add(m["what"], english_number(m["n"]))
    for m in (*_EN_GROUP.finditer(text.low), *_EN_FOR.finditer(text.low)):
        if _free(text, m, taken) and english_number(m["n"]) < 30:
            count.add("people", english_number(m["n"]))
    if others := _EN_OTHERS.search(text.low):
        count.total = 1 + english_number(others["n"])
    if count.infants is None and (babies := len(_EN_BABY.findall(text.low))):
        count.infants = babies
    if count.children is None and (children := len(_EN_CHILD.findall(text.low))):
        count.children = children
    if count.total is None and count.adults is None and _EN_ALONE.search(text.low):
        count.total = 1
    for m in _EN_WITH_ME.finditer(text.low):
        if count.total is None and count.adults is None and _travels_along(text, m):
            _relations(m["who"] or m["who2"] + (m["who3"] or ""), count)
    if count.children and count.total is None and (count.adults or 1) == 1 and _EN_SELF.search(text.low):
        count.adults = 1 + len(_EN_BESIDE.findall(text.low)) or count.adults


def _travels_along(text: Text, m: re.Match[str]) -> bool:
    """ "I and my wife" travel together; "my wife and I" too; "I want my wife to sit" says nothing about how many."""
    if re.match(r"with|bringing|taking", m.group()):
        return bool(
            re.search(
                r"\b(?:fly|flying|go|going|travel\w*|trip|ticket|tickets|flight|flights|me|i'm|i am|book\w*)\b[^.]{0,40}$",
                text.before(m.start()),
            )
        )
    return bool(m["who2"]) or bool(re.match(r"(?:me|myself|i),?(?: and| &| plus| with|,)", m.group()))


def _relations(words: str, count: _Count) -> None:
    """Everybody named beside the speaker: "my boss and two coworkers" are four with me."""
    count.adults = 1 + _named(words, _ADULT_RELATION) + 2 * len(re.findall(r"\bparents\b", words))
    if not count.children:
        count.children = _named(words, rf"(?:{_CHILD_RELATION}|children)", several=2) or None
    if not count.infants:
        count.infants = _named(words, r"(?:baby|babies|infant)") or None


def _named(words: str, relation: str, *, several: int = 1) -> int:
    total = 0
    for m in re.finditer(rf"(?:\b({EN_NUMBER}) (?:of my )?)?\b({relation})(s?)\b", words):
        total += english_number(m[1]) if m[1] else several if m[3] or m[2] == "children" else 1
    return total


def _chinese(text: Text, count: _Count, taken: tuple[tuple[int, int], ...]) -> None:
    if m := _ZH_BIG_SMALL.search(text.low):
        count.adults, count.children = int(chinese_number(m["big"])), int(chinese_number(m["small"]))
        count.infants = int(chinese_number(m["baby"])) if m["baby"] else None
        return
    for m in _ZH_COUNT.finditer(text.low):
        if _free(text, m, taken) and chinese_number(m["n"]) < MOST_SAID:
            count.add(m["what"], int(chinese_number(m["n"])))
    for pattern in (_ZH_FAMILY, _ZH_US):
        if (m := pattern.search(text.low)) and count.total is None:
            count.total = int(chinese_number(m["n"]))
    for m in _ZH_TICKETS.finditer(text.low):
        number = int(chinese_number(m["n"] or m["n2"]))
        if (
            1 < number < 50
            and count.total is None
            and count.adults is None
            and _free(text, m, taken)
            and not text.low.startswith("第", m.start() - 1)
        ):
            count.total = number
    if count.total is None and count.adults is None:
        _chinese_relations(text, count)


def _chinese_relations(text: Text, count: _Count) -> None:
    for m in _ZH_RELATION.finditer(text.low):
        if "座" in text.low[m.end() : m.end() + 2]:
            continue
        adults = 1 if m["adult"] else 2 if m["parents"] else 0
        count.adults = (count.adults or 1) + adults
        if m["child"] and not count.children:
            count.children = 1
        if m["baby"] and not count.infants:
            count.infants = 1
    if count.adults is None and count.children is None and _ZH_ALONE.search(text.low):
        count.total = 1


def _ages(text: Text, count: _Count, asked: frozenset[str]) -> None:
    for m in _EN_KIDS_AGES.finditer(text.low):
        count.ages += [int(a) for a in re.findall(r"[0-9]+", m[1])]
    for m in _EN_AGE.finditer(text.low):
        if listed := m["list"]:
            count.ages += [int(a) for a in re.findall(r"[0-9]+", listed)]
        else:
            number, unit = english_number(m["n"] or m["n2"]), m["unit"] or m["unit2"]
            count.ages.append(number // 12 if unit.startswith("month") else number)
    for m in _ZH_AGE.finditer(text.low) if text.has_han else ():
        if questions.is_about_facts(text, m.start()):
            continue
        number = int(chinese_number(m["n"]))
        count.ages.append(number // 12 if "月" in m["unit"] else number)
    if "ages" in asked and not count.ages:
        count.ages += [int(a) for a in re.findall(r"\b[0-9]{1,2}\b", text.low)]


def _settled(text: Text, count: _Count) -> Passengers | None:
    """Young ages count as children and babies where nobody else did; a total that includes children leaves the rest as adults."""
    babies, young = sum(a < 2 for a in count.ages), sum(2 <= a < 12 for a in count.ages)
    if count.ages and not count.children and young and (count.infants or 0) <= babies:
        count.children = young
    if babies and not count.infants:
        count.infants = babies
        if count.children and not young and count.children <= babies:
            count.children = None
    adults = count.adults
    if adults is None and count.total is not None:
        inside = (
            (count.children or 0) + (count.infants or 0)
            if _INCLUDING.search(text.low) or (count.children or count.infants)
            else 0
        )
        adults = max(count.total - inside, 0) if inside < count.total else count.total
    if adults is None and count.children is None and count.infants is None and not count.ages:
        return None
    return Passengers(adults=adults, children=count.children, infants=count.infants, ages=tuple(count.ages))
