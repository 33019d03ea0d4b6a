"""Is it about flying at all? Hotels, food, trains, visas and the weather are not ours, and must not start a search."""

from __future__ import annotations

import re

from .text import Sentence, Text

_FLIGHT = re.compile(
    r"\b(?:fl(?:y|ies|ying|ight|ights|own)|fligt|plane|planes|air ?fare|airlines?|airways|air ?tickets?|plane tickets?"
    r"|air ?port|airports|one[- ]?way|round[- ]?trip|roundtrip|non-?stop|layovers?|(?:business|economy|first)[- ](?:class"
    r"|cabin)|premium economy|refundable|boarding|seat on)\b|机票|航班|飞机|航空"
    r"|\b(?:buy|book|purchase|reserve|get)(?: me| us)? (?:an? |some |the |my )?tickets? (?:leaving|departing|from|to fly)\b"
    r"|\b(?:need|want|buy|book|get)(?: me| us)? (?:\w+ )?tickets for"
    r" (?:me|us|myself|my (?:wife|husband|family|parents|kids|son|daughter))\b"
    r"|直飞|经停|转机|中转|起飞|登机|飞往|飞到|飞去|单程|往返|舱|可退|能退|(?<![双起纷])飞(?!机场地铁)"
)
_TRAVEL = re.compile(
    r"\b(?:travel(?:l?ing|s)?|trip|trips|vacation|holiday|journey|tickets?|leav(?:e|ing)|depart(?:ing|ure)?|return(?:ing)?"
    r"|book(?:ing)?|seats?|go(?:ing)? to|head(?:ing|ed) to|get to|going|visit(?:ing)?)\b|去|出发|回|票|旅行|旅游|出差|到"
)
_TRAIN = re.compile(
    r"\b(?:train|trains|amtrak|railway|bus ticket|greyhound|coach ticket|ferry)\b|火车|高铁|动车|车票|列车|大巴|汽车票|轮船|船票"
)
_ELSEWHERE = re.compile(
    r"\b(?:hotels?|motel|hostel|airbnb|place to stay|(?:book|get|find|need|reserve) (?:me )?a? ?(?:room|rooms|suite)"
    r"|room in|stay in|place booked|restaurants?|din(?:e|ing)\b|steak ?house|dinner|lunch|breakfast|table (?:for|at)"
    r"|cuisine|pizza|rental|rent a|rent an|hire a car|car hire|taxi|cab\b|uber|lyft|subway|metro line|weather|forecast"
    r"|temperature|rain(?:ing|y)?|snow(?:ing)?"
    r"|visas?\b|passport|vaccin\w*|shots before|immuni\w*|plug|socket|converter|outlet|adapter|exchange rate|currency"
    r"|time ?zone|translat\w*|how do (?:you|they|i|germans?) say|how would i say|travel (?:alert|advisor|warning|notice)\w*"
    r"|warnings? for|hazards?|safer?\b|alerts?\b|bank\b|credit card|debit|stock|shares?\b|bitcoin|dow\b"
    r"|how far\b|how many miles|by car\b|driv(?:e|ing)\b|umbrella|who (?:won|is|are|wrote|played|was|makes)\b|lights?\b"
    r"|things to do|for fun|what (?:to do|things can i do)|to see lots|sights?\b|itinerary|attractions?|museum|concert"
    r"|movies?\b(?! during)|tickets? (?:to|for) (?:the )?(?:game|concert|show|movie|match)|recipe|song|music|news|alarm"
    r"|timer|remind(?:er)? me to|calendar|(?:send|read|write|check) (?:an? |my |the )?emails?|text message|photos?"
    r"|phone number|calories|insurance|mortgage|salary|tax(?:es)?\b|irs\b|pto\b|vacation days?|suggestions on where"
    r"|recommendations for"
    r"|translate|language|mandarin|afrikaans|dutch|doctor|appointment|gas\b|tire|oil change|spell|definition|capital of"
    r"|population|joke|story|who (?:wrote|played|is|was|makes)|carpool|traffic|directions|amazon|order status)\b"
    r"|旅游城市|好玩|去哪玩|玩什么|酒店|宾馆|饭店|旅馆|民宿|客栈|房间|住宿|入住|餐馆|餐厅|饭馆|小吃|美食|推荐菜|吃饭|吃什么"
    r"|火锅|烤鸭|咖啡|景点|景区"
    r"|公园|博物馆|门票|游玩时间|地铁|公交|出租|打车|网约车|租车|包车|车型|车牌|天气|气温|下雨|签证|护照|疫苗|汇率|换汇"
    r"|时差|插座|电影|演唱会|音乐|歌|股票|基金|快递|外卖|导航|路线|菜|评分|人均|电话是|地址(?:是|在)|怎么走|攻略"
)
_GENERAL = re.compile(
    r"\bhow many (?:flights|planes|airports|airlines) (?:are|does|do|is|were)\b|(?:全国|全世界|世界上|每天|一共"
    r"|最多).{0,6}多少(?:趟|班|个|架|家)(?:航班|飞机|机场|航空)"
)
_RESERVATION = re.compile(r"\breservations?\b")
_RESTAURANT_LIKE = re.compile(
    r"\breservations?\b[^.?!]{0,40}\b(?:at|for|under|with) (?!(?:the )?(?:flight|airline|my flight|my trip))"
    r"|\b[0-9]{1,2}(?::[0-9]{2})? ?[ap]?m? reservation|reservation (?:i made|to)[^.?!]{0,20}(?:for|at)"
)


def outside(text: Text, sentence: Sentence) -> bool:
    """The sentence is about something we do not sell."""
    words = text.low[sentence.start : sentence.end]
    if _GENERAL.search(words):
        return True
    if _TRAIN.search(words) or (_ELSEWHERE.search(words) and not _flight_first(words)):
        return True
    return bool(_RESERVATION.search(words) and _RESTAURANT_LIKE.search(words) and not _FLIGHT.search(words))


def _flight_first(words: str) -> bool:
    """ "A flight to the hotel show" is ours; "the weather where my flight lands" is not: what is asked for comes first."""
    flight, elsewhere = _FLIGHT.search(words), _ELSEWHERE.search(words)
    if not flight:
        return False
    return (
        not elsewhere
        or flight.start() < elsewhere.start()
        or bool(re.search(r"\b(?:find|book|need|want|get|reserve|search|buy)\b[^.]{0,40}\bflights?\b|机票|航班", words))
    )


def trains(text: Text) -> bool:
    """Trains and coaches: not ours, but the places are worth keeping, since we can offer to fly there."""
    return bool(_TRAIN.search(text.low)) and not re.search(r"机票|航班|飞机|\bflights?\b", text.low)


def flying(text: Text) -> bool:
    return bool(_FLIGHT.search(text.low))


def travelling(text: Text) -> bool:
    return bool(_TRAVEL.search(text.low))
