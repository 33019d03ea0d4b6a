"""The words around a place that say which part of the trip it plays, in both languages."""

from __future__ import annotations

import re
from typing import Literal

Part = Literal["origin", "destination", "stopover"]


def _cues(filler: str, *cues: tuple[Part, str]) -> tuple[tuple[Part, re.Pattern[str]], ...]:
    """Words before a place, with what may stand between; the first that fits decides."""
    return tuple((part, re.compile(f"(?:{cue}){filler}$")) for part, cue in cues)


FILLER = r"\s*[:,]?\s*(?:(?:the|my|our|downtown|city of|beautiful|sunny|either|both|maybe|say)\s+){0,3}"
EN_LEFT = _cues(
    FILLER,
    (
        "stopover",
        r"\b(?:via|by way of|through|(?:connection|connecting|lay ?over|stop ?over|stop|stopping|transfer|transferring"
        r"|change|changing) (?:over )?(?:in|at|through))",
    ),
    (
        "destination",
        r"\b(?:leav(?:e|es|ing)|depart(?:s|ing)?|bound|head(?:ed|ing)?|off|set(?:ting)? out"
        r"|start(?:ing)?(?: out)?) (?:for|to)",
    ),
    ("origin", r"\bflights? on"),  # how "from" is often heard and typed
    (
        "origin",
        r"\b(?:departing|departure|origin|starting|home(?= (?:city|airport)))(?: city| airport| point| location"
        r"| place)?(?: is| to be| will be| should be| to|:| would be)",
    ),
    (
        "origin",
        r"\b(?:from|out of|leav(?:e|es|ing)|depart(?:s|ing)?(?: in| at)?|origin(?: city| airport)?|start(?:s"
        r"|ing)?(?: out)?(?: my \w+)? (?:in|at)|tak(?:e|ing) off (?:at|in))",
    ),
    (
        "origin",
        r"\b(?:i am|i'm|im|we are|we're|i'll be|i will be|currently|i live|we live|based|living|located) (?:staying "
        r"|currently |now |here |both |all )?(?:in|at|near)",
    ),
    (
        "destination",
        r"\b(?:destination|arrival)(?: city| airport| point)?(?: is| being| will be| would be| should be| to| of|:)?(?: now"
        r"| actually)?",
    ),
    (
        "destination",
        r"\b(?:arriv(?:e|es|ing|al)|land(?:s|ing)?|get(?:ting)?|be|touch(?:ing)? down|stay(?:ing)?|meeting|conference"
        r"|wedding|event|interview|game|family|friends?|mom|mum|grandmother|grandfather|grandma|grandpa|aunt|uncle|cousins?"
        r"|boss|clients?|customers?|colleagues?|mother|dad|father|parents|brother|sister|son|daughter"
        r"|grandma|wife|husband|girlfriend|boyfriend|vacation|holiday|trip)(?: (?:back|down|over|there))?(?: in| at"
        r"| into)",
    ),
    ("destination", r"\b(?:arriving|reach(?:es|ing)?|visit(?:ing|s)?|see|tour(?:ing)?|explor(?:e|ing))"),
    ("destination", r"\b(?:to|into|towards?|(?:flights?|tickets?|plane|airfare|seats?|trip|heading|headed|bound) for)"),
)
EN_BACK = re.compile(
    r"\b(?:return(?:ing|s)?|back)\b(?: flight| flights| ticket| trip)?(?: home| back)?(?: again)? (?P<way>to|from|in|into)\s*$"
)
EN_NOT = re.compile(
    r"\b(?:not|no longer|instead of|rather than|don't want|except|besides|anything but) (?:(?:to|from|in|for|via|go to"
    r"|fly to|go|fly|leave|leave from) )?$"
)
EN_LINK = re.compile(r"\s*(?:-+>?|=>|>|→|—|/?\s*to|2|✈)\s*(?:the\s+)?")
EN_ALSO = re.compile(r"\s*,?\s*(?:or|/|and|,|&)\s*(?:(?:maybe|even|possibly|the|then|in)\s+){0,2}(?P<cue>from\s+|to\s+)?")
EN_ONWARD = re.compile(
    r"\s*,?\s*(?:and |then )?(?:for|bound for|headed (?:for|to)|heading (?:for|to)|into|going to|on to)\s+(?:the )?"
)
EN_BETWEEN = re.compile(r"\bbetween\s+(?:the\s+)?$")
EN_THEN = re.compile(r"\bthen\b|\bafter that\b|\bnext\b")
EN_RIGHT_ORIGIN = re.compile(
    r"\s*(?:departure|is (?:where i(?:'m| am| will be)?(?: be)? (?:leav|depart|fly|start)|my (?:origin|departure|home"
    r"|starting))|as (?:my |the )?(?:origin|departure|starting))"
)
EN_RIGHT_DESTINATION = re.compile(
    r"\s*(?:is (?:my|the|our) destination|is where i(?:'m| am| want| would)? ?(?:going|headed|to go)|(?:bound|trip|vacation"
    r"|getaway|as (?:my |the )?destination)\b|(?:flights?|tickets?|airfare)\b)"
)

ZH_FILL = r"(?:一趟|趟|一次|一下|我们|的|市区|\s)*"
ZH_LEFT = _cues(
    ZH_FILL,
    ("stopover", r"经由|途经|途径|经过|中转|转机|经停|先回|先到|先去|先飞|经|(?<!机)转"),
    (
        "origin",
        r"从|自|由|离开|(?:出发地|始发地|起点|出发城市|出发机场)(?:是|改成|改为|换成|为|:)?|(?:人|我|我们|住|现在|目前)在",
    ),
    (
        "destination",
        r"(?:培训|会议|开会|会|婚礼|活动|比赛|考试|展会|演出|项目|面试|工作|参加|出席|家人|朋友|客户)在|目的地(?:是|改成|改为"
        r"|换成|为|:)?|飞往|飞到|飞去|飞回|前往|抵达|到达|到|去往|去|往|飞|至|回到|回|赴|直飞|来|降落(?:在|到)?|抵"
        r"|终点(?:是)?|玩",
    ),
)
ZH_RIGHT_ORIGIN = re.compile(r"(?:这边|那边|这里)?(?:出发|起飞|走(?!到|去)|始发|登机|动身|启程|离我)")
ZH_LINK = re.compile(r"\s*(?:市|这边)?\s*(?:飞往|飞到|飞去|飞|直飞|到|去|至|往|前往|往返|来回|-+>?|→|>|~|～|—)\s*")
ZH_RIGHT_STOP = re.compile(r"(?:转机|中转|经停|转(?!到))")
ZH_ALSO = re.compile(r"\s*(?:走?还是|或者是?|或是?|和|与|跟|、|,|，|或)\s*(?P<cue>去|到|飞|从)?\s*")
ZH_RIGHT_DESTINATION = re.compile(
    r"(?:[一二三四五六七八九十两几\d]+[日天]游|游|玩|旅游|旅行|出差|开会|度假|的?(?:机票|航班|飞机票|飞机|票(?!价)))"
)
ZH_NOT = re.compile(r"(?:不从|(?<!要)不去|不到|不飞|不想去|不要去|别去|不是去|不经过?|不在|不想从|别从|离)$")
ZH_TOO_FEW = re.compile(r"的(?:航班|机票|票|飞机|班次)(?:都|也)?(?:太|不多|没有|很少|不够|比较少|卖完|好少)")
CORRECTS = re.compile(
    r"\b(?:actually|sorry|i mean(?:t)?|make (?:that|it)|scratch that|rather|instead|wait|no)\b|不对|不是|改成|改为|换成"
    r"|算了|说错|我是说|而是"
)
SWAPS = re.compile(
    r"\bother way (?:a)?round\b|\b(?:swap|switch|reverse) (?:them|the (?:two |cities|places|airports|origin|route"
    r"|direction))|反过来|方向反了|反了|(?:出发地|起点)和(?:目的地|终点)(?:调换|对调|反)|对调|调换"
)
NO_NAME = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|june|july|august|september|october|november"
    r"|december|today|tomorrow|tonight|morning|afternoon|evening|night|noon|midnight|christmas|easter|new year|thanksgiving"
    r"|economy|business|first|premium|class|airlines?|airways|flights?|tickets?|seats?|please|thanks?|thank|sorry|okay|yeah"
    r"|hello|none|nothing|nowhere|anywhere|everywhere|somewhere|home|here|there|work|that|this|what|where|when|which|them|him"
    r"|great|excellent|perfect|good|fine|nice|awesome|wonderful|cool|sure|alright|right|correct|absolutely|exactly|lovely|hmm+"
    r"|welcome|bye|goodbye|really|well|wait|her|you|your|yours|mine|just|maybe|dunno|whatever|either|both|cancel|stop|help|same|again|never|forget|done|next|last)\b"
)
ZH_NO_NAME = re.compile(
    r"[的了吗呢吧么哪那这什几个我你他她它里儿]|时候|地方|机场|出发|附近|随便|都行|可以|不|没|算|好|谢|再见|明|今|后天|周|星期|月|号|日"
    r"|舱|票|航|飞|直飞|人|取消|改|换|是|对|嗯|还|先|等|看|查|想|要|帮"
)
