"""What the message before asked for, and what a traveller's question is about."""

from __future__ import annotations

import re

from ...domain.understanding import Topic
from ..interpreter import Heard
from .text import Text, fold, read

_WHERE = r"(?:where|(?:which|what) (?:city|airport|location|place|destination))(?:(?!\band\b|\bwhat\b|\bwhen\b)[^.?!,]){0,50}"
_ASKED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        (
            "origin",
            rf"{_WHERE}(?:from|leaving|leave|depart\w*|starting|out of|origin|traveling from)|(?:depart\w*|leaving|flying"
            rf"|travell?ing|coming|going|fly)(?: out)? from\b|departure (?:city|airport|location)|your origin|from (?:where"
            rf"|what|which)|what cit(?:y|ies) and|where and when|出发地|始发地|从哪|哪里出发|哪儿出发|出发城市|行程安排",
        ),
        (
            "destination",
            rf"{_WHERE}(?:\bto(?=[?.,! ]*$)|\bto\?|\btoo\b|going|destination|visit|arriv\w*|headed|heading|land(?:ing)?\b"
            rf"|(?:like|want|wish|plan\w*|looking|need) to (?:go|fly|travel|be)(?! from| out| on))|your destination"
            rf"|a destination|destination (?:city|airport|in mind)|the destination\?|arriv\w+ (?:at|to|city)|arrival city"
            rf"|what cit(?:y|ies) and|where to\b|目的地|去哪|到哪|飞哪|想去|抵达城市|行程安排",
        ),
        (
            "return",
            r"(?:when|what|which|date|day|plan)[^.?!]{0,80}(?:return|back|come home)|return(?:ing)? (?:date|flight|day)"
            r"|date of (?:your )?return|返程|回程|返回|回来|哪天回|什么时候回",
        ),
        (
            "depart",
            r"\bwhen\b[^.?!]{0,50}\b(?:leav\w*|depart\w*|go|going|travel\w*|fly|flying|start\w*|head\w*|visit\w*)\b"
            r"|\bwhen\b(?![^.?!]{0,50}(?:return\w*|back)\b)|(?:what|which) (?:\w+ )?(?:day|date)(?![^.?!]{0,40}(?:return\w*"
            r"|back)\b)|departure (?:date|day)|\bdate\b(?![^.?!]{0,30}(?:return\w*|back)\b)|what days|出发时间|出发日期"
            r"|什么时候(?!回|返)|几号(?!回|返)|哪天(?!回|返)|日期(?!.{0,4}返)|何时|行程安排",
        ),
        (
            "passengers",
            r"how many (?:people|passengers|tickets|travell?ers|seats|adults|of you|persons)|number of (?:people|passengers"
            r"|tickets|travell?ers)|who(?:'s| is| else)? (?:travell?ing|flying|going)|几位|几个人|多少人|几人|乘客人数"
            r"|乘机人数|多少张|几张",
        ),
        ("ages", r"how old|\bages?\b|多大|几岁|年龄"),
        (
            "cabin",
            r"(?:what|which|any|preferred|prefer\w*)[^.?!]{0,30}(?:class|cabin|seating)|(?:class|cabin)[^.?!]{0,20}prefer"
            r"|economy or|seating class|舱位|什么舱|哪种舱|坐什么舱",
        ),
        (
            "stops",
            r"non-?stop or|layovers?\?|direct or|prefer (?:a )?(?:non-?stop|direct)|stops?\?|直飞还是|中转吗|接受中转|经停吗",
        ),
        (
            "airline",
            r"(?:what|which|any|preferred|prefer\w*|certain)[^.?!]{0,30}(?:airlines?|carrier)|airline (?:in mind|prefer)"
            r"|哪家航空|什么航空|航空公司",
        ),
        ("cap", r"how much[^.?!]{0,40}(?:spend|pay|budget)|budget|up to how much|price range|maximum price|预算|价位|价格范围"),
        ("time", r"what time|time (?:of day|frame|do you|would you)|morning or|时间段|几点"),
        ("flight_number", r"flight (?:id|number)|航班号"),
        ("name", r"(?:your|last|first|full|passenger) name|姓名|乘机人是|怎么称呼"),
        (
            "seat",
            r"(?:which|what|any|prefer\w*)[^.?!]{0,30}\bseats?\b(?!ing class)|window or aisle|aisle or window|座位|靠窗还是"
            r"|靠过道还是",
        ),
        ("option", r"which (?:one|flight|option)|which of|choose|pick one|哪个|哪一张|哪一趟|哪一个|哪趟|选择哪|选哪"),
    )
)
_OURS = {
    "proposal": "yes_no",
    "search": "yes_no",
    "agree": "yes_no",
    "offer": "option",
}  # our own questions, by what answers them
_YES_NO = re.compile(
    r"\b(?:correct|right|okay|ok|confirm|would you like|do you want|shall i|should i|is that|does that|sound good"
    r"|sounds good|how about|do you like|are you interested|is this|works? for you|want me|anything else)\b[^?]*\?|"
    r"please (?:do )?confirm|(?:吗|是否|对吗|可以吗|好吗|要不要|是不是)[^？?]*[？?]?$"
)
_YOURS = re.compile(r"[^.?!。？！]*[?？]|[^.?!。？！]+$|[^.?!。]*(?:confirm|let me know|tell me|请)[^.?!。]*")

_FACTS_EN = {
    Topic.PRICE: r"how much|what(?:'s| is) the (?:price|cost|fare|total)|\bcosts?\b|price of|total price|fees?\b|how expensive",
    Topic.BAGGAGE: r"\bbag(?:s|gage)?\b|luggage|carry[- ]?ons?|suitcases?|checked",
    Topic.REFUND: r"refund(?:able|s|ed)?|money back|cancell?ation (?:policy|fee)",
    Topic.CHANGE: r"(?:can|could|may) i (?:still )?change|change fee|changeable|rebook\w*|how do i change",
    Topic.HOLD: (
        r"\bhold\b|price (?:guarante|lock)|how long (?:is|will|can) (?:it|the (?:price|seat|booking))|pay by"
        r"|payment deadline"
    ),
    Topic.SEAT: r"which seat|what seat|seat map|seats? (?:available|left)|is (?:it|that) (?:a |an )?(?:window|aisle)",
    Topic.TIME: (
        r"what time|when (?:does|do|will|would|is|are)|arriv\w* time|departure time|red-?eye|same day|next day|day after"
        r"|time does"
    ),
    Topic.DURATION: r"how long (?:is|does|will|would) (?:the|this|that|it)|duration|flight time|flying time",
    Topic.STOPS: (
        r"how many stops|does (?:it|that|this|the flight)[a-z ]* (?:have|only have) [a-z0-9 ]*(?:stops?|layovers?)|is (?:it"
        r"|this|that) (?:a )?(?:direct|nonstop|non-stop)|any (?:stops|layovers)|have (?:1|one|any) stop|where (?:is"
        r"|are) the (?:stop|layover)"
    ),
    Topic.AIRPORT: (
        r"(?:which|what)(?: is the| is)? airport|where (?:does|do|will|is)[a-z ]*(?:flight|it|i|they)[a-z ]*(?:leave|depart"
        r"|arriv|land)|where will i|where does it|where is it landing|where does"
    ),
    Topic.AIRCRAFT: r"(?:what|which) (?:kind of |type of )?(?:plane|aircraft)|type of (?:plane|aircraft)|airbus|boeing",
    Topic.AIRLINE: r"(?:which|what)(?: is the)? (?:airline|carrier)|who operates|operated by",
    Topic.CABIN: (
        r"(?:which|what) (?:class|cabin)|is (?:it|this|that|the ticket)[a-z ]*(?:business|economy|first)|it is (?:business"
        r"|economy)[^?]*\?|(?:business|economy|first)[- ]class (?:or|ticket|seat)[^?]*\?|lie[- ]flat"
    ),
    Topic.PASSENGERS: (
        r"for how many|is (?:it|this|that|for)[a-z ]*(?:people|passengers?|persons?)|how many (?:people|passengers|tickets)"
    ),
    Topic.REFERENCE: r"(?:booking|confirmation) (?:reference|number|code)|\bpnr\b|record locator",
}
_FACTS_ZH = {
    Topic.PRICE: r"多少钱|价格(?:是|多少|怎么|如何|呢|还|有|会)|什么价|价位(?:是|多少|怎么|呢)|票价|费用|几钱|贵不贵|优惠|折扣",
    Topic.BAGGAGE: r"行李|托运|随身|手提",
    Topic.REFUND: r"退票|能退|可以退|退款|退改",
    Topic.CHANGE: r"能改|可以改|改签(?:费|吗|要|政策)|改期",
    Topic.HOLD: r"保留多久|留多久|保留到|锁价|锁定价格|付款期限|什么时候付",
    Topic.SEAT: r"哪个座|什么座位|座位图|还有(?:什么|哪些)?座|空座",
    Topic.TIME: r"几点|什么时候(?:到|起飞|出发|落地)|到达时间|起飞时间|什么时间",
    Topic.DURATION: r"飞多久|多长时间|要多久|几个小时|飞行时间|多久",
    Topic.STOPS: r"经停吗|要转机吗|直飞吗|几次转机|中转几次|在哪(?:里|儿)?转",
    Topic.AIRPORT: r"哪个机场|什么机场|几号航站楼|航站楼",
    Topic.AIRCRAFT: r"什么机型|机型|什么飞机|大飞机",
    Topic.AIRLINE: r"哪家航空|哪个航空|什么航空|什么公司",
    Topic.CABIN: r"什么舱|哪种舱|舱.{0,8}区别|区别.{0,8}舱|升舱|躺平|舱位",
    Topic.PASSENGERS: r"几个人的|几位",
    Topic.REFERENCE: r"订座编号|预订编号|订单号|预定号|票号|记录编号|确认号",
}
_FACTS = tuple((topic, re.compile(f"{_FACTS_EN[topic]}|{_FACTS_ZH[topic]}")) for topic in _FACTS_EN)
_ASKS_EN = re.compile(
    r"^\W*(?:(?:and|so|but|also|ok(?:ay)?|yes|yeah|yep|no|great|good|thanks|hi|hello|hey|well|now|perfect|sure|that's good"
    r"|th(?:at|is) (?:sounds|seems|looks|is) (?:good|great|fine|nice|okay|perfect|wonderful))(?: (?:but|and))?[\s,.!]+){0,4}"
    r"(?:is|are|was|were|does|do (?:i|they|these|the)|did|will|would (?:it|this|that|the)|when|what(?! about)|which|where"
    r"|who|why|how(?! about)|can you tell me|could you tell me|tell me|i(?:'d| would) like to know|i want to know|it is"
    r"|can i (?:get a refund|change|hold|bring|carry|take|choose))\b"
)
_QUESTION_EN = re.compile(
    r"^\W*(?:(?:and|so|but|also|ok(?:ay)?|yes|no|hi|hello|hey|well|now)[\s,.!]+){0,3}"
    r"(?:can|could|may|should|do|does|did|is|are|was|why|how|what|which|who|where|when|will|would|tell me|explain)\b"
)
_REQUEST_EN = re.compile(
    r"\b(?:find|book|booking|search|look(?:ing)? for|show|list|get (?:me|us|a)|give me|need an?|want|wanna|would like|i'd like"
    r"|any (?:\w+ ){0,2}(?:flights?|tickets?|seats?|thing)|anything|something|are there|is there|do you have|have any"
    r"|others?|another|else"
    r"|help me|can you|could you|please|how much (?:is|are|would|does) (?:an?|the)?|check|(?:cheapest|earliest|next|first|last"
    r"|fastest|best)"
    r"|(?:what|how) about|prefer|fly (?:from|to))\b"
)
_QUESTION_ZH = re.compile(
    r"[吗呢么?？]|什么|怎么|为什么|哪|多少|多久|几(?!个人|张)|是否|会不会|能不能|可不可以|有没有|需不需要|要不要|注意"
)
_REQUEST_ZH = re.compile(
    r"帮(?:我|忙)|给我|替我|我们?(?:要|想|需要|打算|得|准备)(?:要|再|先)?(?:订|定|买|查|去|飞|看|找|一张|张)|麻烦|请(?:帮"
    r"|给|查|订|问(?:有|还有))"
    r"|(?<!延误)(?:有没有|还有|有)[^，。？?]{0,14}(?:航班|机票|飞机|直飞|班机|票|便宜|别的|其他|选择)|(?:航班|机票|飞机|票"
    r"|直飞)[^，。？?]{0,6}(?:有(?:吗|没有?[？?吗]*$|么)|还有)"
    r"|查|最(?:早|晚|便宜|快)|便宜(?:点|一点|些|一些)|多少钱"
)
_ASKS_ZH = re.compile(
    r"吗|呢|多少|几|什么|哪|是不是|有没有|能不能|可不可以|会不会|怎么|如何|多久|是否|区别|想知道|请问|告诉我|政策|规定"
)
_OFTEN_WISHED = frozenset({Topic.CABIN, Topic.SEAT, Topic.STOPS, Topic.PASSENGERS, Topic.AIRLINE, Topic.HOLD})
_LOOKS_FOR = re.compile(
    r"\b(?:find|look(?:ing)?|search|book|want|need|get me|would like|i'd like|prefer|show|any other|other|are there"
    r"|is there|another|else|something|alternatives?|make sure)\b|查|找|订|买|想要|还有"
)


def asked_before(heard: Heard) -> frozenset[str]:
    """The names of what the last message of ours asked for; from its `asked`, else read from its words."""
    last = next((m for m in reversed(heard.recent) if m.role != "user"), None)
    if not last:
        return frozenset()
    if last.asked:
        return frozenset(_OURS.get(part.strip(), part.strip()) for part in last.asked.split(","))
    words = fold(last.text[-600:])
    questions = " ".join(m.group() for m in _YOURS.finditer(words)) or words
    asked = {name for name, pattern in _ASKED if pattern.search(questions)}
    if _YES_NO.search(words):
        asked.add("yes_no")
    return frozenset(asked)


def is_about_facts(text: Text, offset: int) -> bool:
    """Is the sentence around an offset a question about what was offered, rather than a wish for something?"""
    sentence = text.sentence_at(offset)
    words = text.low[sentence.start : sentence.end]
    if re.search(r"是不是|区别|差别|不同|正常吗|积分|里程|升舱|升级|什么是|会不会|需要买票|要不要买票|旗下|什么公司", words):
        return True
    if words.strip().startswith("it is") and not sentence.question:
        return False
    return (
        bool(_ASKS_EN.search(words))
        and not _LOOKS_FOR.search(words)
        and bool(re.search(r"\b(?:is|are|was|does|will|it)\b", words[:40]))
    )


def is_general(text: Text) -> bool:
    """Every sentence is a question that asks for no flight: "may I bring my dog on board?", 坐飞机可以带充电宝吗."""
    asked = [text.low[s.start : s.end] for s in text.sentences]
    return bool(asked) and all(_is_general(words) for words in asked if len(words.strip()) > 3)


def _is_general(words: str) -> bool:
    if re.search(r"[\u4e00-\u9fff]", words):
        return bool(_QUESTION_ZH.search(words)) and not _REQUEST_ZH.search(words)
    return bool(_QUESTION_EN.search(words)) and not _REQUEST_EN.search(words)


def asks(text: Text) -> bool:
    return bool(_ASKS_EN.search(text.low)) or bool(re.search(r"[吗呢?？]", text.low))


def asks_at_length(text: Text) -> bool:
    """A whole question, not "what about Friday?"."""
    return bool(_ASKS_EN.search(text.low)) and len(text.low.split()) > 5


def topics(text: Text) -> tuple[Topic, ...]:
    """What questions of the message are about, in the order asked."""
    found: list[tuple[int, Topic]] = []
    for sentence in text.sentences:
        words = text.low[sentence.start : sentence.end]
        asks = sentence.question or _ASKS_EN.search(words) or _ASKS_ZH.search(words) or re.search(r"\b(?:tell me|know)\b", words)
        if not asks:
            continue
        looks = bool(_LOOKS_FOR.search(words)) and not _ASKS_EN.search(words)
        for topic, pattern in _FACTS:
            if (m := pattern.search(words)) and not (looks and topic in _OFTEN_WISHED):
                found.append((sentence.start + m.start(), topic))
    return tuple(dict.fromkeys(topic for _, topic in sorted(found, key=lambda f: f[0])))


def words_asked(text: str) -> frozenset[str]:
    """For tests and measurements: what a sentence of ours asks for."""
    return frozenset(name for name, pattern in _ASKED if pattern.search(read(text).low))
