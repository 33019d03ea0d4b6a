"""What the traveller wants to happen. Several at once is usual: "Yes, book it, and what about my bag?"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...domain.understanding import Intent, Reference, Slots, Topic
from . import questions, references, scope, staying
from .seats import Seats
from .text import Text

_YES = re.compile(
    r"^\W*(?:(?:oh|well|ok(?:ay)?|great|hmm+|um+|uh|alright|all right|right|good|awesome|perfect|nice|excellent|wonderful"
    r"|thanks|thank you)[\s,.!]+){0,3}(?:yes|yeah|yep|yup|ya|yea|yah|sure|correct|right|exactly|absolutely|definitely"
    r"|of course|certainly|indeed|agreed?|ok(?:ay)?|alright|all right|fine|perfect|great|good|excellent|awesome|wonderful"
    r"|very true|true|why not|you better|go ahead|please do|do it|let's do (?:it|that)|sounds? (?:good|great|fine|perfect"
    r"|nice|wonderful|alright|okay|ok|very good|like a plan)|works for me|confirm(?:ed)?|i (?:confirm|agree|accept|approve)"
    r"|that(?!'ll)(?:'s| is| would be| sounds| seems| works| will work)?(?! all\b| it\b|'s all\b| everything| is all"
    r"| is it)(?: all)? ?(?:correct|right|good|great|fine|perfect|nice|true|ok(?:ay)?|works?|true|wonderful|very good"
    r"|alright)?(?: (?:for|with|to) me)?(?=\W|$))\b"
    r"|^\W*(?:嗯+|哦|那|那就|行吧)?[，,\s]*(?:好的?(?!吃|玩|像|贵|多|远|几)|可以(?!吗|改|退|躺|托|带|帮|给|直)|行(?!李|程"
    r"|政)|是的?(?!不是|否|什么|哪|几|怎)|对的?(?!不起|面|比)|没错|没问题|确认|确定|同意|要的|嗯+|当然|成交|OK|ok|就这样"
    r"|就这么|订吧|定吧|预订吧|下单|出票吧|就订|批准|太好了|没意见)"
)
_BEFORE_A_QUESTION = re.compile(
    r"\W*(?:(?:ok(?:ay)?|alright|all right|well|right|so|hmm+|good|fine|nice)[\s,.!]+(?!i'll|that|this|it|sounds|book|please)"
    r"|[^.?!]{0,30}\b(?:good|great|fine|nice|perfect|ok(?:ay)?)[\s,]+but\b)|\W*(?:好的?|嗯|哦|行)[，,\s]*(?!.*(?:订|提交|确认|就这|选))"
)
_DONE = re.compile(
    r"\W*(?:ok(?:ay)?|yes|good|right|alright|there)?[\s,.!]*(?:"
    r"(?:all |i'm |i am |it's |it is |we're )?(?:all )?done(?: (?:with )?(?:it|that|the form))?"
    r"|(?:(?:i|we)(?:'ve| have)?)? ?(?:just |now )?(?:filled|completed|finished|added|entered|named)"
    r"(?: (?:it|them|the (?:form|names?|passengers?|others?|travell?ers?)|everyone|everybody|all))?(?: in| out)?"
    r"(?: (?:in|on) the form)?|the form(?: is|'s) (?:done|filled|complete)(?: in| out)?|ready|go on|continue)(?: now)?\W*"
    r"|\W*(?:好了?|嗯|我)?[，,\s]*(?:(?:表单?|乘机人|信息|名字|姓名|资料)?(?:都|已经|也)?(?:填|写|加|补|选|弄)(?:好|完|上|齐|全)了?"
    r"|(?:表单?|乘机人)(?:好|完成)了|搞定了?|完成了|继续)(?:啦|了|哦)?\W*"
)
_YES_INSIDE = re.compile(
    r"\b(?:go ahead|let's (?:book|do|go with|take) (?:it|that|this)|(?:please )?(?:book|reserve|buy|purchase|schedule"
    r"|confirm|hold) (?:it|that|this|them|the (?:flight|ticket|tickets|business class seat|reservation))\b|i confirm"
    r"|that (?:sounds|works|seems|suits|flight (?:sounds|is|suits|works))|sounds? (?:good|great|fine|perfect|wonderful|okay"
    r"|alright|very good)|works for me|i(?:'ll| will) take (?:it|that|this)|i like (?:it|that)(?=\W|$)|suits? (?:me"
    r"|my needs)|that's (?:perfect|great|fine|good|it!)|that would be (?:true|great|good|fine|perfect|lovely))"
    r"|(?:帮我|给我|请)?(?:就)?(?:订|定|买|预订|下单|确认|出票|要)(?:这|那|它|吧)(?:个|张|班|趟|家)?(?:吧)?"
    r"|这个(?:就)?(?:不错|可以|行|好)|就这(?:个|样|班|趟|张)|就它"
)
_NO = re.compile(
    r"^\W*(?:(?:oh|well|hmm+|um+|uh|sorry|actually|please|ok(?:ay)?)[\s,.!]+){0,2}(?:no(?! (?:more than|later|earlier"
    r"|stops?|lay|problem|worries|idea|preference|rush|connection|matter|one))|nope|nah|not (?:yet|now|really|right now"
    r"|at this time|today|this|that|interested|at all)|no way|definitely not|absolutely not|certainly not|never"
    r"|i don't (?:think so|want (?:to|that|it)|like)|don't|do not|i (?:say no|disagree|refuse|decline)|that(?:'s| is"
    r"| has to be|isn't| is not)? ?(?:not (?:right|correct|true|it|good)|wrong|false|incorrect|inaccurate|isn't right)"
    r"|isn't right|please,? no|sorry,? (?:no|that is not|that's not)|negative"
    r"|cancel that(?! (?:booking|ticket|flight|trip|order))|forget it|wrong|stop"
    r"|please stop)\b"
    r"|^\W*(?:嗯+|哦|那)?[，,\s]*(?:不(?!带|托运|错|过|满|知道|好意思|用谢|客气|如|限|管|同|满6|多|贵|少|仅|花钱|要靠"
    r"|要过道|要中间"
    r"|要前|要后)|没有(?!.*吗)|别(?!的|忘|超)|不是|不对|不要|不用|不行|不可以|不好|算了|先不|暂时不|拒绝|不同意|不需要"
    r"|都不(?:好|太好|喜欢|合适|行|要|满意))"
)
_THANKS = re.compile(r"\b(?:thanks?|thank you|thx|appreciate|much obliged|cheers)\b|谢谢|多谢|感谢|辛苦了|麻烦了(?!.*[吗？])")
_GREETING = re.compile(
    r"^\W*(?:hi+|hello|hey+|yo|howdy|good (?:morning|afternoon|evening)|greetings|how are you|how(?:'ve| have) you been"
    r"|what's up|sup|你好|您好|嗨|哈喽|早上好|下午好|晚上好|在吗|在不在)\b|^\W*(?:你好|您好|嗨|哈喽|在吗)|how are you"
)
_BYE = re.compile(
    r"\b(?:bye|goodbye|good ?night|see you|adios|take (?:it easy|care)|outta here|have a (?:good|great|nice)|farewell"
    r"|that(?:'s| is|'ll be| will be)? (?:all|it|do it|everything)(?: for now)?|(?:will|'ll) do it|i'm (?:all set|good|fine"
    r"|done)|i am (?:all set|good|done)|nothing (?:else|for now|more))\b|再见|拜拜|回头见|没(?:有)?(?:别的|其他)?(?:事|需要"
    r"|问题)?了|就这些|没事了|不用了"
)
_CANCEL = re.compile(
    r"\b(?:cancel|call off|scrap|get rid of|drop|undo|void|annul|abort)\b[^.?!]{0,40}\b(?:flight|flights|ticket|tickets"
    r"|trip|booking|bookings|reservations?|order|itinerary|it|everything|that|this|one|them|search|return|outbound|all)\b"
    r"|\b(?:i )?(?:don't|do not|no longer) (?:want|need) (?:the|my|this|that) (?:flight|trip|booking|ticket"
    r"|reservation)s?\b(?: any ?more)?|^\W*(?:please )?cancel(?: please)?\W*$"
    r"|取消(?!.{0,4}(?:费|政策|规定|吗))(?:.{0,12}(?:航班|机票|订单|行程|预订|预定|票|搜索|那|这|它|吧|掉|了|去程|回程"
    r"|返程)|$)|退(?:掉|了)?(?:.{0,8})(?:机票|这张票|那张票|订单)|退票(?!吗|费|政策|规则|怎么|要|能)|把.{0,12}(?:取消"
    r"|退)(?:了|掉)?|不去了|不飞了|不订了|不要(?:这|那)(?:张|个|班)?(?:票|航班|订单)了"
)
_CHANGE = re.compile(
    r"(?<!may )(?<!might )(?<!could )(?<!will )(?<!plans )\b(?:change|switch|modify|move|push|postpone|reschedule|update"
    r"|swap|amend|adjust|edit|rebook)\b[^.?!]{0,60}|\bmake (?:it|that)\b(?! (?:there|to|in|on|right|happen|work|quick))"
    r"|\b(?:i )?meant?\b|\binstead\b|\bactually\b|\bgot my \w+ wrong|\bchange of plans?|\bcorrection\b|\bscratch that\b"
    r"|\bshould (?:be|have been)\b"
    r"|改(?:成|为|到|签|期|一下|下|个|时间|日期|航班|行程|去|从|飞)|换(?:成|到|个|一(?:个|班|下)|去|从|其他|别的)|更改|修改"
    r"|调整|推迟|提前|延后|不对|说错|我是说|其实|还是(?!有|没)|而不是"
)
_STATUS = re.compile(
    r"\b(?:status|progress|update)\b[^.?!]{0,40}|\b(?:where|how) (?:is|are|'s) (?:my|the|our) (?:flight|trip|booking|ticket"
    r"|order|request|reservation|plane)|\bwhere is flight|\b(?:has|have|did|is|was|are) (?:my|the|our|it|they"
    r"|you)[^.?!]{0,24}\b(?:booked|approved|confirmed|ticketed|reviewed|gone through|go through|issued|bought|done yet"
    r"|held)\b|\bany (?:news|updates?)\b(?! on (?:the )?(?:election|world))|\bis it (?:done|booked|approved|confirmed)"
    r"|\bon time\b|\bdelayed\b|\bwhen\b[^.?!]{0,24}\bflight [a-z]{0,2} ?\d{2,4}\b"
    r"|\bflight [a-z]{0,2} ?\d{2,4}\b[^.?!]{0,12}\b(?:lands?|arrives?|departs?|leaves?)\b"
    r"|\b(?:when|what time|how long)\b[^.?!]{0,40}\b(?:my|the) (?:flight|plane)\b[^.?!]{0,40}|\b(?:my|the) (?:flight"
    r"|plane)(?:'s)? (?:will|is|land|arriv|get|here|supposed|scheduled|start|begin)|\bwhen(?:'s| is| does| will) (?:my"
    r"|boarding)|\blanding time\b|\btell me when my flight|\bwhat(?:'s| is) happening with my\b|\bwhat trips do i have"
    r"|\b(?:list|show)(?: me)? my (?:trips|bookings|flights)|\bmy (?:upcoming )?(?:trips|bookings)\b\W*$"
    r"|(?:进度|状态|进展)|(?:订|定|买|出|办|批|审批|审核|处理|确认|查|搜|找)(?:好|到|完|下来|过|通过"
    r"|成功)?(?:票)?了?(?:没有?|吗|么)(?![^？?]*票)|(?:怎么样|如何|到哪一?步)了|(?:我|现在)(?:有|订了)(?:哪些|什么"
    r"|几个)(?:行程|订单|航班|票)|我的(?:行程|订单|机票|预订|航班)(?:在哪|呢|怎么样|到哪|是什么|有哪些)|批(?:准)?了(?:吗"
    r"|没)|审批(?:通过|结果)|(?:延误|准点|晚点)(?:了)?(?:吗|没)"
)
_MINE = re.compile(r"\bmy\b|\bflight [a-z]{0,2}\d|我的")
_COMPARE = re.compile(
    r"\bcompar(?:e|ison)\b|\bdifferences? between\b|\b(?:which|what)(?: one| flight| option)?(?: of (?:them|these|those"
    r"|the two))? (?:is|'s|would be|has|arrives|leaves|gets)(?: the)? (?:cheap|better|best|fast|quick|short|earli|more|less"
    r"|late)\w*|\bversus\b|\bvs\.?\b|\bbetter (?:one|deal|option)\?|比较|对比|比一比|比一下|比比看"
    r"|哪(?:个|一个|班|趟|张|家)(?:比较|更"
    r"|最)?(?:便宜|好|快|早|晚|划算|合适|舒服|方便|值|靠谱|贵)|有什么(?:不同|区别|差别)|(?:区别|差别)(?:是|在)|相比|哪个更"
)
_PERSON = re.compile(
    r"\b(?:speak|talk|chat|connect|transfer|put me through|hand me over|escalate)\b[^.?!]{0,30}\b(?:human|person|agent"
    r"|someone|somebody|representative|operator|manager|supervisor|staff|people|reviewer)\b|\b(?:real|live|actual) (?:human"
    r"|person|agent)\b|\bcustomer (?:service|support)\b|\bhuman (?:agent|please|being)\b|转?人工|真人|客服|(?:找|叫|转|联系"
    r"|换)(?:个|一下|一个)?(?:人|经理|工作人员|专员|审核员)(?:来|跟|和|帮|处理|说|聊|$)|工作人员"
)
_SEARCH = re.compile(
    r"\b(?:find|look|looking|search|searching|book|booking|buy|purchase|get|need|want|wanna|show|list|check|help|reserve"
    r"|reserving|schedule|are there|is there|any|have|take|like|plan|planning|thinking|interested)\b[^.?!]{0,80}\b(?:fl(?:y"
    r"|ying|ights?)|fligt|planes?|tickets?|airfare|one[- ]?ways?|round[- ]?trips?|roundtrip|trip|seat on|travel)\b|\b(?:fly"
    r"|flying|flights?|tickets?|travel(?:l?ing)?|trip|headed|heading)\b[^.?!]{0,40}\b(?:from|to)\b"
    r"|\bi(?:'m| am|'d like| would like| want| need| have|'ll be| will be)?\b[^.?!]{0,24}\b(?:going|to go|travel(?:l?ing)?"
    r"|to fly|flying|to get|to be|heading|leaving|headed)\b[^.?!]{0,30}\b(?:to|for|in|from|on)\b|\bwhat flights\b|(?:订|定"
    r"|买|查|找|搜|看|来|要|想|需要|安排|有没有|还有|推荐).{0,24}(?:机票|航班|飞机|票|飞)|(?:机票|航班|飞机票).{0,8}(?:有"
    r"|吗|多少|查|订|买)|(?:想|要|打算|准备|需要|得|计划).{0,16}(?:去|飞|到|出发)|从.{1,16}(?:到|去|飞)|飞往?"
)
_OTHERS = re.compile(
    r"\b(?:any(?:thing)?|something|some|are there|is there|find|what|show)\b[^.?!]{0,20}\b(?:other|others|else"
    r"|alternatives?|different|more)\b(?! (?:i can|you can|that i)| help)|\banother (?:flight|one|option)|\btry again\b"
    r"|\bget me another|(?:还有|有没有|换|看看)(?:别的|其他|其它|另外)|其他(?:的)?(?:时间|航班|选择)|还有(?:吗|没有?)|其它"
)
_PICKS = re.compile(
    r"\b(?:i'll take|i will take|i(?:'d| would) like|i(?:'ll| will)? (?:choose|pick|go with)|let's (?:take|go with|do|book)"
    r"|book|take|choose|pick|reserve|go with|select|hold|want|works?|good|great|fine|perfect)\b|选|要|订|定|买|就|不错|挺好"
    r"|可以|行|吧"
)


@dataclass(frozen=True)
class Evidence:
    """What the other readers found, for telling intents apart."""

    text: Text
    asked: frozenset[str]
    slots: Slots
    seats: Seats
    references: tuple[Reference, ...]
    topics: tuple[Topic, ...]
    outside: bool  # a sentence is about something we do not sell
    inside: bool  # a sentence is about flying
    talking: bool  # a search or an offer is going on
    picks_time: bool  # a clock time of an option on the list
    given_up: bool = False  # a limit of the search counts no longer
    gathering: bool = False  # a search is being put together


def intents(e: Evidence) -> tuple[Intent, ...]:
    found: list[Intent] = [*_answers(e), *_about_wishes(e), *_about_trips(e), *_about_options(e)]
    if Intent.CONFIRM in found and Intent.ASK_FACT in found and _BEFORE_A_QUESTION.match(e.text.low):
        found.remove(Intent.CONFIRM)
    if _searches(e, found):
        found.append(Intent.SEARCH)
    if _PERSON.search(e.text.low) or (e.talking and staying.asks_approver(e.text)):
        found.append(Intent.ASK_PERSON)
    if e.outside and not (Intent.SEARCH in found and not e.outside):
        found.append(Intent.OUT_OF_SCOPE)
    if not found or set(found) <= {Intent.CONFIRM, Intent.DECLINE}:
        found += _talk(e, bool(found))
    return tuple(dict.fromkeys(found))


def _answers(e: Evidence) -> list[Intent]:
    low = e.text.low
    if e.talking and staying.accepts(e.text):
        return [Intent.CONFIRM, Intent.KEEP]
    if _NO.search(low):
        return [Intent.DECLINE]
    if e.talking and _DONE.fullmatch(low):
        return [Intent.CONFIRM]
    yes = _YES.search(low) or (e.talking and _YES_INSIDE.search(low))
    if yes and not (low[yes.start() : yes.end()].strip() in ("right", "good", "fine") and "?" in low):
        return [Intent.CONFIRM]
    return []


def _about_wishes(e: Evidence) -> list[Intent]:
    found = [Intent.RECALL_WISH] if e.seats.recalls else []
    found += [Intent.FORGET_WISH] if e.seats.forgets else []
    return found + ([Intent.STATE_WISH] if any(not w.forget for w in e.seats.wishes) else [])


def _about_trips(e: Evidence) -> list[Intent]:
    low, found = e.text.low, list[Intent]()
    if e.outside and not e.inside:
        return []
    keeps = e.talking and staying.keeps(e.text)
    if keeps:
        found.append(Intent.KEEP)
    if _cancels(e) and not keeps and Topic.REFUND not in e.topics and not e.seats.forgets:
        found.append(Intent.CANCEL)
    if (
        _STATUS.search(low)
        and not e.seats.recalls
        and (not e.topics or _MINE.search(low))
        and (e.inside or e.talking or _MINE.search(low))
    ):
        found.append(Intent.ASK_STATUS)
    if (
        _CHANGE.search(low)
        and (
            e.slots != Slots()
            or re.search(
                r"\b(?:change|reschedule|rebook|modify)\b[^.?!]{0,24}\b(?:flight|date|trip|booking|ticket|itinerary|time)"
                r"|改签|改期|改(?:时间|日期|航班|行程)",
                low,
            )
        )
        and Topic.CHANGE not in e.topics
    ):
        found.append(Intent.CHANGE)
    return found


def _cancels(e: Evidence) -> bool:
    if _CANCEL.search(e.text.low) or (e.talking and staying.cancels(e.text)):
        return True
    return e.gathering and staying.gives_up(e.text)


def _about_options(e: Evidence) -> list[Intent]:
    low, found = e.text.low, list[Intent]()
    if _COMPARE.search(low) and not e.seats.recalls and (e.talking or e.inside):
        found.append(Intent.COMPARE)
    pointed = [r for r in e.references if r.n or r.superlative or r.same or r.flight_number or r.seats]
    if (
        (
            pointed
            and Intent.COMPARE not in found
            and (not e.topics or _PICKS.search(low))
            and not re.search(r"\b(?:does|is|are|what|when|how)\b[^.]*\?$", low.strip())
        )
        or (
            ("option" in e.asked or re.search(r"选", low))
            and (e.slots.airlines or e.picks_time)
            and not e.slots.origin
            and not e.slots.destination
            and _PICKS.search(low)
        )
        or (
            not pointed
            and e.talking
            and not e.slots.origin
            and references.points_at_shown(e.text)
            and _PICKS.search(low)
            and "?" not in low
            and not _NO.search(low)
        )
    ):
        found.append(Intent.CHOOSE)
    if e.topics and not (e.outside and not e.inside) and not e.seats.recalls and (e.talking or e.inside or _luggage(e)):
        found.append(Intent.ASK_FACT)
    return found


def _luggage(e: Evidence) -> bool:
    return bool({Topic.BAGGAGE, Topic.REFUND, Topic.HOLD, Topic.REFERENCE} & set(e.topics))


_SEARCHED = (
    "origin",
    "destination",
    "stopovers",
    "depart",
    "return_",
    "passengers",
    "cabin",
    "airlines",
    "max_stops",
    "min_stops",
    "cap",
    "rank",
    "refundable",
    "trip_type",
)


_POINTED = re.compile(r"\b(?:the|this|that|these|those|it|my)\b|[这那](?:个|班|趟|张)|第.{1,2}(?:个|班|张)|我的")
_RULES = frozenset({Topic.BAGGAGE, Topic.REFUND, Topic.CHANGE, Topic.HOLD, Topic.REFERENCE})
_LOOKS = re.compile(r"\b(?:find|book|search|looking for|need an?|want an?|get me|buy)\b|查|订|买|找")


def _searches(e: Evidence, found: list[Intent]) -> bool:
    """A flight is looked for: asked in so many words, named by its places, or the answer to a question of the search."""
    if e.outside and not e.inside:
        return False
    if {Intent.ASK_STATUS, Intent.CANCEL, Intent.RECALL_WISH} & set(found) and not (e.slots.origin and e.slots.destination):
        return False
    said = [name for name in _SEARCHED if getattr(e.slots, name) not in (None, ())]
    if Intent.ASK_FACT in found and _RULES & set(e.topics) and not _LOOKS.search(e.text.low):
        return False
    if e.slots.origin or e.slots.destination:
        return (
            bool(e.slots.origin and e.slots.destination)
            or e.inside
            or e.talking
            or scope.travelling(e.text)
            or e.slots.depart is not None
        )
    words = bool(_SEARCH.search(e.text.low))
    if Intent.COMPARE in found and set(said) <= {"rank"}:
        return False
    if e.given_up:
        return True
    if not e.inside and set(said) <= {"rank", "cap", "depart"} and questions.asks_at_length(e.text):
        return False
    if set(said) <= {"airlines", "rank"} and questions.is_general(e.text):
        return False
    if Intent.ASK_FACT in found and not said:
        return False
    if Intent.CHOOSE in found and set(said) <= {"airlines", "depart", "rank"}:
        return False
    if words and e.inside:
        return (
            not {Intent.CONFIRM, Intent.CHOOSE} & set(found)
            or bool(said)
            or bool(re.search(r"\b(?:find|search|look|need|another|round|one[- ]?way)\b|查|找|还要", e.text.low))
        )
    if said and (e.talking or e.asked or e.inside):
        return True
    return e.talking and bool(_OTHERS.search(e.text.low))


def _talk(e: Evidence, answered: bool) -> list[Intent]:
    low = e.text.low
    if _THANKS.search(low) or _GREETING.search(low) or _BYE.search(low):
        return [Intent.SMALLTALK]
    if answered or e.inside:
        if answered:
            return []
        if questions.is_general(e.text):
            return [Intent.ASK_FACT if _POINTED.search(low) else Intent.OUT_OF_SCOPE]
        if _SEARCH.search(low) or len(low) < 12:
            return [Intent.SEARCH]
        return [Intent.ASK_FACT] if "?" in low or questions.asks(e.text) else []
    short = len(low.split()) < 6 and len(low) < 30 if not e.text.has_han else len(low) < 10
    return [] if e.talking and short and "?" not in low else [Intent.OUT_OF_SCOPE]
