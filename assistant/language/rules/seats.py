"""Wishes for a seat: which, wanted or not, how strongly, for whom and how long. A complaint about a middle seat is no wish for one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...domain.understanding import Polarity, Position, Scope, SeatWish, Strength
from .text import Text

_POSITIONS: tuple[tuple[Position, re.Pattern[str]], ...] = (
    (Position.EXIT, re.compile(r"\b(?:emergency )?exit[- ]?(?:rows?|seats?)\b|\bemergency exit\b|\b(?:by|near|next to|at) (?:the|an) exit\b|(?:紧急|安全|应急)出口|逃生(?:门|出口)|出口排")),
    (Position.EXTRA_LEGROOM, re.compile(r"\b(?:extra|more|lots of|plenty of|enough|better|good|additional|decent|most) (?:leg[- ]?room|room for my (?:legs|knees)|space for my (?:legs|knees))|\bleg[- ]?room seats?\b|\bbulkhead|\bstretch (?:out )?(?:my|our|his|her|their) legs|腿部空间(?!怎么样|如何|好不好|吗)|伸(?:得|直|开)?腿|放腿的空间|腿能伸|宽敞(?:一点|点|些)?的(?:座|位)|空间大(?:一点|点|些)?的(?:座|位)")),
    (Position.TOGETHER, re.compile(r"\b(?:sit(?:ting)?|seated|seats?|be|placed|all|both|us|row)(?: [a-z]+){0,3} together\b|\btogether (?:on the plane|in the same row|in a row)|\bnext to (?:each other|one another|my \w+|him|her|me|us|them)\b|\bside[- ]by[- ]side|\badjacent|\bconsecutive seats|\bbeside (?:each other|my \w+|me|him|her)|\bsit(?:ting)? (?:with|by) (?:my|him|her|them|each)|\bsplit (?:us|up)|\bseparated?\b(?= (?:from|on|us|seats))|坐(?:在)?一起|坐(?:在)?一块|挨着(?!厕所|洗手间|窗|过道)|连座|连着的?(?:座|位)|连在一起|相邻|邻座|座位(?:要)?在一起|一起的(?:座|位)|别(?:把我们)?分开|不(?:要)?分开坐?")),
    (Position.WINDOW, re.compile(r"(?<!time )(?<!booking )(?<!small )(?<!narrow )(?<!cancellation )\bwindows?\b(?!s? (?:of|shopping|period|7|10|11|closes|to (?:book|change|cancel)|for (?:booking|change|cancel)))|靠?(?:着)?(?:舷窗|窗户|窗口|窗子|窗边)|(?:靠|临|挨|有)(?:着|近|个)?窗")),
    (Position.AISLE, re.compile(r"\b(?:aisles?|isle)\b(?! of)|(?:靠|挨)?(?:着|近|个)?(?:过道|走道|走廊)|靠通道")),
    (Position.MIDDLE, re.compile(r"\bmiddle\b(?! (?:of (?:the )?(?:day|week|month|night|january|february|march|april|may|june|july|august|september|october|november|december|next|this|a)|east|name|school))|\bcent(?:er|re) seats?\b|(?<!月)(?:正)?中间(?!价|转|停|人)|夹(?:在)?中")),
    (Position.FRONT, re.compile(r"\b(?:near|at|in|toward|towards|close to|by|to) (?:the )?(?:very )?front\b(?! (?:door|desk))|\b(?:up|further|more) (?:front|forward)\b|\bfront (?:row|seats?|section|half|part|of)|\bfirst row\b|前排|(?:靠|偏|往)前(?:面|部|一点|点|些|的)?(?!往)|第一排|(?:飞机|机舱|客舱|坐|坐在|坐到|要)前(?:面|部|半)|前面(?:一点|点)?的?(?:座|位)")),
    (Position.BACK, re.compile(r"\b(?:near|at|in|toward|towards|close to|to|all the way in) (?:the )?(?:very )?(?:back|rear)\b(?! (?:on|to|from|by|home))|\bback (?:row|seats?|section|half|of the (?:plane|cabin|aircraft))|\brear (?:seats?|of|row|section)|后排|(?:靠|偏|往)后(?:面|部|一点|点|些|的)?(?!天|来)|最后一排|(?:飞机|机舱|客舱|坐|坐在|坐到|要)后(?:面|部|半)|后面(?:一点|点)?的?(?:座|位)")),
)  # fmt: skip
_ANY = re.compile(
    r"\b(?:either|any|whichever|whatever|both|any seat|any of (?:them|those)|any one|anywhere)(?: seat| one| of them)?(?: you (?:have|can find|like))?(?: is|'s| are| would be| will be| works?| will do)(?: totally| perfectly| just)?(?: fine| ok(?:ay)?| good| great| alright| all right| do| for me| with me)*\b|\bany seat\b(?! (?:left|available))"
    r"|\bno (?:seat(?:ing)? )?preference\b|\b(?:don't|do not|doesn't|does not|won't) (?:really )?(?:care|mind|matter)(?: to me)?(?: about)?(?: the| my| which| what| where)?(?: i)?(?: sit| seat| seats)\b|\bseat(?:ing)? (?:doesn't|does not) matter|\bdoesn't matter where (?:i|we) sit|\bfine with (?:any|either|whatever) seat"
    r"|坐(?:哪(?:里|儿|个)?|什么(?:位置|座位)?)都(?:行|可以|好|没关系|无所谓)|随便(?:坐|哪个座|什么座|给我个座|一个座)|(?:座位|位置|位子)(?:随便|无所谓|都行|都可以|不限|没(?:有)?要求)|(?:哪个|什么|任何)(?:座位|位置|位子)都(?:行|可以|好|没关系)|靠窗(?:还是|和|或|或者|、)(?:靠)?过道都(?:行|可以|好|没关系|无所谓)|(?:靠)?过道(?:还是|和|或|或者|、)靠窗都(?:行|可以|好|没关系|无所谓)"
)
_ANY_ANSWER = re.compile(r"^\W*(?:either|any(?:where|thing)?|no preference|whatever|whichever|doesn't matter|don't care|don't mind|up to you|i'm easy|都行|都可以|随便|无所谓|没要求|都好|你定)\b|^\W*(?:都行|都可以|随便|无所谓|没要求|都好|你定)")
_SEAT_TALK = re.compile(r"\b(?:seat(?!tle)|sit\b|sitting|seats|aisle|window|middle|legroom)|座|坐(?!飞机|车|高铁|地铁|出租)|位置|位子|靠窗|过道")
_RECALL = re.compile(
    r"\b(?:where|what|which)[a-z' ]{0,40}\b(?:did i (?:say|tell|ask|want|request|pick|choose|mention)|do i (?:like|prefer|usually|want|normally)|was (?:my|the) (?:seat|preference)|have i (?:said|told|asked)|i (?:said|told you|asked|wanted|preferred|like|prefer))[^.?!]{0,60}(?:sit|seat|seats|plane|preference)"
    r"|\b(?:what|which) (?:kind of |type of |sort of )?seat(?:s|ing)? (?:did|do|was|were|have) i\b|\b(?:what|which)(?:'s| is| are| was| were) my (?:seat(?:ing)?|usual seat|favou?rite seat)(?: preferences?| choice| wish)?\b(?! number)"
    r"|\b(?:do you|can you|you) (?:still )?(?:remember|recall)[^.?!]{0,50}(?:sit|seat|preference)|\bremind me[^.?!]{0,40}(?:sit|seat|preference)|\bdid i (?:say|ask|tell|want|mention)[^.?!]{0,40}(?:window|aisle|seat|sit)"
    r"|\b(?:what (?:do|did) you (?:know|remember|have|note)[^.?!]{0,30}(?:seat|sit|preference))|\bwhat seat preferences?\b[^.?!]{0,30}(?:have|on file|saved|remember|know)"
    r"|(?:我)?(?:刚才|刚刚|之前|上次|先前|以前|前面|方才|一开始)?(?:我)?(?:说|讲|提|要求|选|告诉你|跟你说|跟你讲)(?:过|的|了)?(?:我)?(?:是|的是)?(?:想|要|喜欢|爱)?(?:要)?(?:坐|选)?(?:在)?(?:的)?(?:哪|什么(?:样的)?(?:座|位))|(?:我)?(?:喜欢|爱|想|习惯|偏好|一般|平时|通常)(?:要|是)?坐(?:在)?(?:哪|什么(?:位|座))(?!里?都|儿?都|个?都)|我(?:的)?(?:座位|坐位|位置)?(?:偏好|喜好|习惯)(?:的座位)?是(?:什么|啥|哪)|(?:还)?记(?:得|不记得)(?:我)?[^。？?]{0,14}(?:坐|座|位置|偏好)|(?:我)?想要?的(?:是)?(?:什么|哪(?:种|个))(?:座|位)|我(?:要|选)的(?:是)?(?:什么|哪(?:种|个))?(?:座位|位置)(?:是)?(?:什么|哪)"
)
_FORGET = re.compile(
    r"\b(?:forget|erase|delete|remove|clear|drop|discard|scratch|wipe|reset|don't remember|stop remembering|never ?mind|don't (?:save|store|keep)|take (?:back|off)|disregard|ignore)\b[^.?!;]{0,50}?(?:\bseat(?:ing)?s?\b|\bpreferences?\b|\bwindow\b|\baisle\b|\bmiddle\b|\blegroom\b|\bexit row\b|\btogether\b|\bfront\b|where i (?:like|want|prefer) to sit|about (?:sitting|the seat)|wish(?:es)?\b)"
    r"|\b(?:don't|do not|no longer) (?:really )?(?:need|require|care (?:about|for)|want)\b[^.?!;]{0,30}(?:window|aisle|middle|legroom|exit row|together|front|seat)[^.?!;,]{0,20}(?:any ?more|any longer|now)\b|\bno longer (?:need|require|want|care about)\b[^.?!;]{0,30}(?:window|aisle|legroom|exit row|together|front)"
    r"|(?:忘(?:了|掉|记)?|删(?:了|掉|除)?|清(?:除|掉|空)|去掉|撤销|取消|别(?:再)?记(?:着|住)?|不(?:要|用|必|需要)(?:再)?(?:记(?:着|住|录)?|保存)|抹掉)(?:吧|了)?[^。？?！!，,]{0,12}(?:座位|坐|位置|位子|偏好|喜好|靠窗|过道|前排|腿部|出口)|(?:把)?(?:我)?(?:的)?[^。？?！!，,]{0,10}(?:座位|坐哪|位置|靠窗|过道)?(?:的)?(?:偏好|喜好|要求|习惯)(?:给)?(?:忘(?:了|掉)|删(?:了|掉|除)|清(?:除|掉|空)|去掉|取消)"
    r"|(?:不用|不需要|不必|无需|不要求|不想要)(?:再)?(?:坐|选)?(?:靠窗|窗边|(?:靠)?过道|前排|靠前|坐一起|挨着|腿部空间|出口)[^。？?！!，,]{0,6}了"
)
_NEGATION = re.compile(
    r"(?:\b(?:not|no|never|nor|neither|without|avoid(?:ing)?|except(?: for)?|but|other than|besides|hate|dislike|detest|loathe|rather not|away from|far from|against|unless|steer clear of|anything besides|can't stand|cannot stand|can't bear|sick of|tired of|keep me (?:out of|off|away from)|skip)\b|n't\b|\bcant\b|\bdont\b|\bwont\b|不要|别(?!的)|不想|不坐|不喜欢|不爱|不能|不愿|讨厌|避免|避开|除了|除开|远离|受不了|最怕|怕|不希望|拒绝|不选|不用给|千万别|绝不|不可以|不是)"
)
_BUT_ONLY = re.compile(r"\b(?:anything|anywhere|any seat|everything|all|any) (?:\w+ )?but\b|\banything (?:except|besides|other than)\b|除了|只要不|什么都行就是")
_NOT_A_NEGATION = re.compile(r"\b(?:why not|not only|don't forget|do not forget|don't mind|do not mind|wouldn't mind|if (?:it's|that's) not|no problem|not sure|can't wait|no[,.!]|nothing (?:but|except)|isn't there|aren't there|don't you|don't have|couldn't you|can't (?:i|you|we) (?:get|have|find|give)|won't you|must not forget)|别忘|不好意思|能不能|可不可以|要不要|是不是|不知道|不错|不过|没问题|不介意|差不多|只(?:要|想|坐)不?了")
_DONT_MIND = re.compile(r"\b(?:don't|do not|wouldn't|would not) mind\b|不介意|也(?:行|可以|没关系|无所谓)")
_CLAUSE_BREAK = re.compile(r"[,，、;；。.!?！？\n]|\b(?:but|instead|so|then|however|although|because|while)\b|但是?|而是|而(?=要)|改(?:成|为|坐)?|换(?:成|到|个)?|那就|就要|(?<!不)(?<!不想)(?<!别)要(?!求)")
_LINK = re.compile(r"\s*(?:,?\s*(?:and|or|nor|/|&|,)\s*)(?:(?:a|an|the|in|by|even|maybe|at|on|seat|seats) ?)*\s*|(?:座位?|位|的)?\s*(?:或者?|和|跟|与|、|还有|以及|也|或是)\s*(?:不要|别|靠)?\s*|\s*(?:seats?|one)?,?\s*(?:and|or|nor)\s*(?:a|an|the|in)?\s*(?:the)?\s*")
_COMPLAINT = re.compile(
    r"\b(?:gave|put|stuck|squished|squeezed|crammed|crushed|got stuck|ended up|had to sit|was (?:in|assigned|given|put|stuck)|were (?:in|given)|last time|last flight|hated|terrible|awful|horrible|worst|miserable|nightmare|sandwiched|assigned me|sat me|always (?:get|give))\b|上次|上回|挤(?:死|得|在)?|难受|受罪|痛苦|太差|糟糕|崩溃|累死|憋|老是给我|总给我|每次都给我|又给我"
)
_PRAISE = re.compile(r"\b(?:loved|love|great|enjoyed|nice|perfect|wonderful|liked|best|same again|again please)\b|喜欢|舒服|挺好|不错|满意|很棒")
_FACT = re.compile(r"\b(?:is|was) (?:it|that|this|mine|my seat|[0-9]{1,2}[a-k])(?: seat)? (?:really |actually )?(?:a |an |the |by the |in the |at the |near the )?$|\b(?:do|did) i (?:already )?(?:have|get|got)\b[a-z ]*$|\bwhich (?:seats?|ones?) (?:is|are)[a-z ]*$|是(?:不是)?(?=靠窗|窗|过道|中间)$|(?:座|位置|[a-k])是$")
_MUST = re.compile(r"\b(?:must|need|needs|have to|has to|only|definitely|absolutely|essential|require[ds]?|insist|no matter what|under no circumstances|never|make sure|at all costs|non-?negotiable|has got to|can't (?:sit|be|have))\b|必须|一定|务必|只(?:要|坐|能|想)|非.{1,8}不(?:可|行)|千万|绝对|坚决|说什么也")
_TRIP = re.compile(r"\bthis (?:time|flight|trip|once|one|booking|journey)\b|\bfor (?:this|the|my) (?:flight|trip|one|outbound|return)\b|\bjust (?:this once|once|for (?:this|today))\b|\bon (?:this|that|the) (?:flight|trip|one)\b|\bonly for (?:this|now|today)\b|\bfor now\b|\bon the way (?:back|there|home|out)\b|这(?:一)?(?:次|趟|回|班)|本次|此次|今天这|这个航班|只是这")
_ALWAYS = re.compile(r"\b(?:always|every time|from now on|usually|in general|generally|in future|in the future|whenever|all my (?:flights|trips)|normally)\b|以后|每次|一直|总是|永远|一般|通常|平时|从来|今后")
_RELATIVE = r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?|mom|mum|mother|dad|father|brother|sister|son|daughter|kids?|child(?:ren)?|friend|colleague|boss|parents|grandmother|grandfather|grandma|grandpa|baby|companion|assistant|aunt|uncle|cousin)"
_WHOSE_BEFORE = re.compile(rf"\b(my (?:\w+ )?{_RELATIVE}|she|he|they)\b(?:'s|'d|'ll)? (?:also |really |usually |always |both |definitely |still |would |will |must |only |absolutely |does ?n[o']t |don't |can't |cannot |never |won't |should |has |have )*(?:want|need|prefer|like|love|hate|get|sit|have|take|be|ask|insist|would|require|avoid|care|mind|in\b|on\b|to\b|stand)")
_WHOSE_FOR = re.compile(rf"\b(?:for|give|put|seat|place|get) (my {_RELATIVE}|her|him|them)\b")
_WHOSE_ZH = re.compile(r"(我(?:的)?(?:老婆|老公|妻子|丈夫|太太|先生|爱人|女朋友|男朋友|女友|男友|对象|朋友|同事|妈妈|爸爸|母亲|父亲|妈|爸|父母|孩子|儿子|女儿|哥哥|姐姐|弟弟|妹妹|奶奶|爷爷|外婆|外公|老板|领导|闺蜜|家人)|她们?|他们?|老婆|老公|孩子|妈妈|爸爸)(?:们)?(?=[^，,。;；]{0,10}$)")
_CORRECTS = re.compile(r"\b(?:actually|sorry|i mean(?:t)?|make (?:that|it)|scratch that|rather|instead|wait|changed? my mind|on second thought|no,)\b|不对|改(?:成|为|坐|要)?|换(?:成|到)?|算了|说错|还是(?=要|坐|靠|过)|我是说")
_THAN = re.compile(r"\b(?:over|than|rather than|instead of|to) (?:a |an |the )?$|(?:而不是|胜过|比)$")
_APART = re.compile(r"split|separate|分开")
_EXCLUSIVE = frozenset((Position.WINDOW, Position.AISLE, Position.MIDDLE))


@dataclass(frozen=True)
class Seats:
    wishes: tuple[SeatWish, ...] = ()
    recalls: bool = False
    forgets: bool = False
    corrected: bool = False


@dataclass(frozen=True)
class _Said:
    start: int
    end: int
    position: Position


def seats(text: Text, *, asked: frozenset[str]) -> Seats:
    """Every wish the message states or takes back; asking what was said before states none."""
    said = _positions(text)
    if _RECALL.search(text.low):
        return Seats(recalls=True)
    if forgotten := _FORGET.search(text.low):
        return _forgotten(text, said, forgotten)
    if _any(text, said, asked):
        avoided = [w for w in _wishes(text, said).wishes if w.polarity is Polarity.AVOID]
        return Seats((*avoided, SeatWish(position=Position.ANY, scope=_scope(text))))
    return _wishes(text, said)


def _positions(text: Text) -> list[_Said]:
    found: list[_Said] = []
    for position, pattern in _POSITIONS:
        for m in pattern.finditer(text.low):
            if not any(m.start() < s.end and s.start < m.end() for s in found):
                found.append(_Said(m.start(), m.end(), position))
    return sorted(found, key=lambda s: s.start)


def _any(text: Text, said: list[_Said], asked: frozenset[str]) -> bool:
    if "seat" in asked and _ANY_ANSWER.search(text.low):
        return True
    return bool(_ANY.search(text.low)) and bool(_SEAT_TALK.search(text.low))


def _forgotten(text: Text, said: list[_Said], forgotten: re.Match[str]) -> Seats:
    inside = [s for s in said if forgotten.start() <= s.start < forgotten.end() + 1]
    positions = tuple(dict.fromkeys(s.position for s in inside)) or (Position.ANY,)
    later = _wishes(text, [s for s in said if s not in inside])
    return Seats((*(SeatWish(position=p, forget=True) for p in positions), *later.wishes), forgets=True)


def _wishes(text: Text, said: list[_Said]) -> Seats:
    wishes: list[tuple[_Said, SeatWish]] = []
    previous: tuple[_Said, Polarity] | None = None
    corrected = False
    for one in said:
        polarity = _polarity(text, one, previous)
        if polarity is None:
            continue
        if previous and polarity is Polarity.WANT and _replaces(text, previous[0], one):
            wishes = [w for w in wishes if w[1].position not in _EXCLUSIVE or w[1].polarity is Polarity.AVOID]
            corrected = True
        wishes.append((one, _wish(text, one, polarity)))
        previous = one, polarity
    unique = {(w.position, w.whose): w for _, w in wishes}
    starts_over = bool(said) and bool(_CORRECTS.search(text.low[: said[0].start]))
    return Seats(tuple(unique.values()), corrected=bool(unique) and (corrected or starts_over))


def _wish(text: Text, one: _Said, polarity: Polarity) -> SeatWish:
    clause = text.clause(one.start, one.end)
    sentence = text.sentence_at(one.start)
    strength = Strength.MUST if _MUST.search(clause) and not re.search(r"\bif possible\b|尽量|最好", text.low[sentence.start : sentence.end]) else Strength.PREFER
    return SeatWish(position=one.position, polarity=polarity, strength=strength, scope=_scope(text, one), whose=_whose(text, one))


def _scope(text: Text, one: _Said | None = None) -> Scope:
    sentence = text.sentence_at(one.start if one else 0)
    words = text.low[sentence.start : sentence.end]
    return Scope.TRIP if _TRIP.search(words) and not _ALWAYS.search(words) else Scope.ALWAYS


def _whose(text: Text, one: _Said) -> str | None:
    """The words for the other person; None when the speaker is meant, or both."""
    if one.position is Position.TOGETHER:
        return None
    sentence = text.sentence_at(one.start)
    left = text.low[max(sentence.start, one.start - 60) : one.start]
    left = re.split(r"[,，;；]|\bbut\b|\band (?=i\b)", left)[-1]
    if m := _last(_WHOSE_BEFORE, left):
        return m if not re.search(rf"{re.escape(m)} and i\b|\bi and {re.escape(m)}", text.low) else None
    if m := _last(_WHOSE_ZH, left):
        return m
    right = text.after(one.end, at_most=30)
    return _last(_WHOSE_FOR, left) or _last(_WHOSE_FOR, re.split(r"[,，;；.]", right)[0])


def _last(pattern: re.Pattern[str], words: str) -> str | None:
    return next((m[1] for m in reversed(list(pattern.finditer(words)))), None)


def _replaces(text: Text, earlier: _Said, later: _Said) -> bool:
    return {earlier.position, later.position} <= _EXCLUSIVE and bool(_CORRECTS.search(text.low[earlier.end : later.end + 12]))


def _polarity(text: Text, one: _Said, previous: tuple[_Said, Polarity] | None) -> Polarity | None:
    """Wanted, avoided, or None when the position is only talked about."""
    sentence = text.sentence_at(one.start)
    left, right = text.low[sentence.start : one.start], text.low[one.end : sentence.end]
    if one.position is Position.TOGETHER and _APART.search(text.low[one.start : one.end]):
        return Polarity.WANT
    if previous and (_LINK.fullmatch(text.low[previous[0].end : one.start])):
        return previous[1]
    if _THAN.search(left) and previous or _FACT.search(left):
        return None
    if _DONT_MIND.search(left[-30:]) or re.match(r"\s*(?:座位?|位置?|seats?)?\s*(?:也行|也可以|也没关系|is (?:fine|ok|okay) too)", right):
        return None
    if _denied(left) or re.match(r"\s*(?:的?座?位?(?:就)?(?:算了|不要|不行|免了|我不要|我不坐|绝对不行)|seats? (?:is|are) (?:not|out|a no)|(?:seats? )?(?:makes?|give)s? me\b)", right):
        return Polarity.AVOID
    whole = text.low[max(sentence.start - 60, 0) : sentence.end]
    if _COMPLAINT.search(whole) and not _PRAISE.search(text.low[sentence.start : sentence.end]) and not re.search(r"\b(?:so|now|this time|please|want|can i|could i)\b[^.]*$|这次|所以|想|要", left[-40:]):
        return Polarity.AVOID
    return Polarity.WANT


def _denied(left: str) -> bool:
    """A negation reaches as far as its clause: "not the aisle, a window" denies the aisle only."""
    if _BUT_ONLY.search(left) and not re.search(r"[.;。；]", left[_BUT_ONLY.search(left).end() :]):  # type: ignore[union-attr]
        return True
    clause = _NOT_A_NEGATION.sub(" ", left)
    breaks = list(_CLAUSE_BREAK.finditer(clause))
    start = breaks[-1].end() if breaks else 0
    while breaks and _NEGATION.search(breaks[-1].group()):
        breaks.pop()
        start = breaks[-1].end() if breaks else 0
    return bool(_NEGATION.search(clause[start:]))
