"""The words people use of seats, in both languages."""

from __future__ import annotations

import re

from ...domain.understanding import Position

POSITIONS: tuple[tuple[Position, re.Pattern[str]], ...] = (
    (
        Position.EXIT,
        re.compile(
            r"\b(?:emergency )?exit[- ]?(?:rows?|seats?)\b|\bemergency exit\b|\b(?:by|near|next to|at) (?:the|an) exit\b"
            r"|(?:紧急|安全|应急)出口|逃生(?:门|出口)|出口排"
        ),
    ),
    (
        Position.EXTRA_LEGROOM,
        re.compile(
            r"\b(?:extra|more|lots of|plenty of|enough|better|good|additional|decent|most) (?:leg[- ]?room"
            r"|room for my (?:legs|knees)|space for my (?:legs|knees))|\bleg[- ]?room seats?\b|\bbulkhead"
            r"|\bstretch (?:out )?(?:my|our|his|her|their) legs|腿部空间(?!怎么样|如何|好不好|吗)|伸(?:得|直|开)?腿"
            r"|放腿的空间|腿能伸|宽敞(?:一点|点|些)?的(?:座|位)|空间大(?:一点|点|些)?的(?:座|位)"
        ),
    ),
    (
        Position.TOGETHER,
        re.compile(
            r"\b(?:sit(?:ting)?|seated|seats?|be|placed|all|both|us|row)(?: [a-z]+){0,3} together\b"
            r"|\btogether (?:on the plane|in the same row|in a row)|\bnext to (?:each other|one another|my \w+|him|her|me"
            r"|us|them)\b|\bside[- ]by[- ]side|\badjacent|\bconsecutive seats|\bbeside (?:each other|my \w+|me|him|her)"
            r"|\bsit(?:ting)? (?:with|by) (?:my|him|her|them|each)|\bsplit (?:us|up)|\bseparated?\b(?= (?:from|on|us"
            r"|seats))|坐(?:在)?一起|坐(?:在)?一块|挨着(?!厕所|洗手间|窗|过道)|连座|连着的?(?:座|位)|连在一起|相邻|邻座"
            r"|座位(?:要)?在一起|一起的(?:座|位)|别(?:把我们)?分开|不(?:要)?分开坐?"
        ),
    ),
    (
        Position.WINDOW,
        re.compile(
            r"(?<!time )(?<!booking )(?<!small )(?<!narrow )(?<!cancellation )\bwindows?\b(?!s? (?:of|shopping|period|7|10"
            r"|11|closes|to (?:book|change|cancel)|for (?:booking|change|cancel)))|靠?(?:着)?(?:舷窗|窗户|窗口|窗子|窗边)"
            r"|(?:靠|临|挨|有)(?:着|近|个)?窗"
        ),
    ),
    (Position.AISLE, re.compile(r"\b(?:aisles?|isle)\b(?! of)|(?:靠|挨)?(?:着|近|个)?(?:过道|走道|走廊)|靠通道")),
    (
        Position.MIDDLE,
        re.compile(
            r"\bmiddle\b(?! (?:of (?:the )?(?:day|week|month|night|january|february|march|april|may|june|july|august"
            r"|september|october|november|december|next|this|a)|east|name|school))|\bcent(?:er|re) seats?\b"
            r"|(?<!月)(?:正)?中间(?!价|转|停|人)|夹(?:在)?中"
        ),
    ),
    (
        Position.FRONT,
        re.compile(
            r"\b(?:near|at|in|toward|towards|close to|by|to) (?:the )?(?:very )?front\b(?! (?:door|desk))|\b(?:up|further"
            r"|more) (?:front|forward)\b|\bfront (?:row|seats?|section|half|part|of)|\bfirst row\b|前排|(?:靠|偏|往)前(?:面"
            r"|部|一点|点|些|的)?(?!往)|第一排|(?:飞机|机舱|客舱|坐|坐在|坐到|要)前(?:面|部|半)|前面(?:一点|点)?的?(?:座"
            r"|位)"
        ),
    ),
    (
        Position.BACK,
        re.compile(
            r"\b(?:near|at|in|toward|towards|close to|to|all the way in) (?:the )?(?:very )?(?:back|rear)\b(?! (?:on|to"
            r"|from|by|home))|\bback (?:row|seats?|section|half|of the (?:plane|cabin|aircraft))|\brear (?:seats?|of|row"
            r"|section)|后排|(?:靠|偏|往)后(?:面|部|一点|点|些|的)?(?!天|来)|最后一排|(?:飞机|机舱|客舱|坐|坐在|坐到"
            r"|要)后(?:面|部|半)|后面(?:一点|点)?的?(?:座|位)"
        ),
    ),
)
ANY = re.compile(
    r"\b(?:either|any|whichever|whatever|both|any seat|any of (?:them|those)|any one|anywhere)(?: seat| one"
    r"| of them)?(?: you (?:have|can find|like))?(?: is|'s| are| would be| will be| works?| will do)(?: totally| perfectly"
    r"| just)?(?: fine| ok(?:ay)?| good| great| alright| all right| do| for me| with me)*\b|\bany seat\b(?! (?:except|but"
    r"|other|besides|left"
    r"|available))"
    r"|\bno (?:seat(?:ing)? )?preference\b|\b(?:don't|do not|doesn't|does not|won't) (?:really )?(?:care|mind"
    r"|matter)(?: to me)?(?: about)?(?: the| my| which| what| where)?(?: i)?(?: sit| seat| seats)\b"
    r"|\bseat(?:ing)? (?:doesn't|does not) matter|\bdoesn't matter where (?:i|we) sit|\bfine with (?:any|either"
    r"|whatever) seat"
    r"|坐(?:哪(?:里|儿|个)?|什么(?:位置|座位)?)都(?:行|可以|好|没关系|无所谓)|随便(?:坐|哪个座|什么座|给我个座|一个座)"
    r"|(?:座位|位置|位子)(?:随便|无所谓|都行|都可以|不限|没(?:有)?要求)|(?:哪个|什么|任何)(?:座位|位置|位子)都(?:行|可以|好"
    r"|没关系)|靠窗(?:还是|和|或|或者|、)(?:靠)?过道都(?:行|可以|好|没关系|无所谓)|(?:靠)?过道(?:还是|和|或|或者"
    r"|、)靠窗都(?:行|可以|好|没关系|无所谓)"
)
ANY_ANSWER = re.compile(
    r"^\W*(?:either|any(?:where|thing)?|no preference|whatever|whichever|doesn't matter|don't care|don't mind|up to you"
    r"|i'm easy|都行|都可以|随便|无所谓|没要求|都好|你定)\b|^\W*(?:都行|都可以|随便|无所谓|没要求|都好|你定)"
)
SEAT_TALK = re.compile(
    r"\b(?:seat(?!tle)|sit\b|sitting|seats|aisle|window|middle|legroom)|座|坐(?!飞机|车|高铁|地铁|出租)|位置|位子|靠窗|过道"
)
RECALL = re.compile(
    r"\b(?:where|what|which)[a-z' ]{0,40}\b(?:did i (?:say|tell|ask|want|request|pick|choose|mention)|do i (?:like|prefer"
    r"|usually|want|normally)|was (?:my|the) (?:seat|preference)|have i (?:said|told|asked)|i (?:said|told you|asked|wanted"
    r"|preferred|like|prefer))[^.?!]{0,60}(?:sit|seat|seats|plane|preference)"
    r"|\b(?:what|which) (?:kind of |type of |sort of )?seat(?:s|ing)? (?:did|do|was|were|have) i\b|\b(?:what|which)(?:'s"
    r"| is| are| was| were) my (?:seat(?:ing)?|usual seat|favou?rite seat)(?: preferences?| choice| wish)?\b(?! number)"
    r"|\b(?:do you|can you|you) (?:still )?(?:remember|recall)[^.?!]{0,50}(?:sit|seat|preference)"
    r"|\bremind me[^.?!]{0,40}(?:sit|seat|preference)|\bdid i (?:say|ask|tell|want|mention)[^.?!]{0,40}(?:window|aisle|seat"
    r"|sit)"
    r"|\b(?:what (?:do|did) you (?:know|remember|have|note)[^.?!]{0,30}(?:seat|sit|preference))"
    r"|\bwhat seat preferences?\b[^.?!]{0,30}(?:have|on file|saved|remember|know)"
    r"|(?:我)?(?:刚才|刚刚|之前|上次|先前|以前|前面|方才|一开始)?(?:我)?(?:说|讲|提|要求|选|告诉你|跟你说|跟你讲)(?:过|的"
    r"|了)?(?:我)?(?:是|的是)?(?:想|要|喜欢|爱)?(?:要)?(?:坐|选)?(?:在)?(?:的)?(?:哪|什么(?:样的)?(?:座|位))|(?:我)?(?:喜欢"
    r"|爱|想|习惯|偏好|一般|平时|通常)(?:要|是)?坐(?:在)?(?:哪|什么(?:位|座))(?!里?都|儿?都|个?都)|我(?:的)?(?:座位|坐位"
    r"|位置)?(?:偏好|喜好|习惯)(?:的座位)?是(?:什么|啥|哪)|(?:还)?记(?:得|不记得)(?:我)?[^。？?]{0,14}(?:坐|座|位置|偏好)"
    r"|(?:我)?(?:想)?要?的(?:是)?(?:什么|哪(?:种|个))(?:样的)?(?:座|位)|我(?:要|选)的(?:是)?(?:什么|哪(?:种|个))?(?:座位"
    r"|位置)(?:是)?(?:什么|哪)"
)
FORGET = re.compile(
    r"\b(?:forget|erase|delete|remove|clear|drop|discard|scratch|wipe|reset|don't remember|stop remembering|never ?mind"
    r"|don't (?:save|store|keep)|take (?:back|off)|disregard|ignore)\b[^.?!;,]{0,50}?(?:\bseat(?:ing)?s?\b|\bpreferences?\b"
    r"|\bwindow\b|\baisle\b|\bmiddle\b|\blegroom\b|\bexit row\b|\btogether\b|\bfront\b|where i (?:like|want|prefer) to sit"
    r"|about (?:sitting|the seat)|wish(?:es)?\b)"
    r"|\b(?:don't|do not|no longer) (?:really )?(?:need|require|care (?:about|for)|want)\b[^.?!;]{0,30}(?:window|aisle"
    r"|middle|legroom|exit row|together|front|seat)[^.?!;,]{0,20}(?:any ?more|any longer|now)\b|\bno longer (?:need|require"
    r"|want|care about)\b[^.?!;]{0,30}(?:window|aisle|legroom|exit row|together|front)"
    r"|(?:忘(?:了|掉|记)?|删(?:了|掉|除)?|清(?:除|掉|空)|去掉|撤销|取消|别(?:再)?记(?:着|住)?|不(?:要|用|必"
    r"|需要)(?:再)?(?:记(?:着|住|录)?|保存)|抹掉)(?:吧|了)?[^。？?！!，,]{0,12}(?:座位|坐|位置|位子|偏好|喜好|靠窗|过道"
    r"|前排|腿部|出口)|(?:把)?(?:我)?(?:的)?[^。？?！!，,]{0,10}(?:座位|坐哪|位置|靠窗|过道)?(?:的)?(?:偏好|喜好|要求"
    r"|习惯)(?:给)?(?:忘(?:了|掉)|删(?:了|掉|除)|清(?:除|掉|空)|去掉|取消)"
    r"|(?:不用|不需要|不必|无需|不要求|不想要)(?:再)?(?:坐|选)?(?:靠窗|窗边|(?:靠)?过道|前排|靠前|坐一起|挨着|腿部空间"
    r"|出口)[^。？?！!，,]{0,6}了"
)
NEGATION = re.compile(
    r"(?:\b(?:not|no|never|nor|neither|without|avoid(?:ing)?|except(?: for)?|but|other than|besides|hates?|dislikes?|detest"
    r"|loathe|rather not|away from|far from|against|unless|steer clear of|anything besides|can't stand|cannot stand"
    r"|can't bear|sick of|tired of|keep me (?:out of|off|away from)|skip)\b|n't\b|\bcant\b|\bdont\b|\bwont\b|不要|别(?!的)"
    r"|不想|不坐|不喜欢|不爱|不能|不愿|讨厌|避免|避开|除了|除开|远离|受不了|最怕|怕|不希望|拒绝|不选|不用给|千万别|绝不"
    r"|不可以|不是)"
)
BUT_ONLY = re.compile(
    r"\b(?:anything|anywhere|any seat|everything|all|any) (?:\w+ )?but\b|\banything (?:except|besides|other than)\b|除了"
    r"|只要不|什么都行就是"
)
NOT_A_NEGATION = re.compile(
    r"\b(?:why not|not only|don't forget|do not forget|don't mind|do not mind|wouldn't mind|if (?:it's|that's) not"
    r"|no problem|not sure|can't wait|no[,.!]|nothing (?:but|except)|isn't there|aren't there|don't you|don't have"
    r"|couldn't you|can't (?:i|you|we) (?:get|have|find|give)|won't you|must not forget)|别忘|不好意思|能不能|可不可以"
    r"|要不要|是不是|不知道|不错|不过|没问题|不介意|差不多|只(?:要|想|坐)不?了"
)
DONT_MIND = re.compile(
    r"\b(?:don't|do not|wouldn't|would not) mind (?:(?:a|an|the|sitting|being|in|on) )*$|不介意(?:坐|靠)?$|也(?:行|可以"
    r"|没关系|无所谓)"
)
CLAUSE_BREAK = re.compile(
    r"[,，、;；。.!?！？\n]|\b(?:but|instead|so|then|however|although|because|while)\b|但是?|而是|而(?=要)|改(?:成|为|坐)?"
    r"|换(?:成|到|个)?|那就|就要|(?<!不)(?<!不想)(?<!别)要(?!求)"
)
LINK = re.compile(
    r"\s*(?:,?\s*(?:and|or|nor|/|&|,)\s*)(?:(?:a|an|the|in|by|even|maybe|at|on|seat|seats) ?)*\s*|(?:座位?|位"
    r"|的)?\s*(?:或者?|和|跟|与|、|还有|以及|也|或是)\s*(?:不要|别|靠)?\s*|\s*(?:seats?|one)?,?\s*(?:and|or|nor)\s*(?:a|an"
    r"|the|in)?\s*(?:the)?\s*"
)
COMPLAINT = re.compile(
    r"\b(?:gave|(?:you|they|he|she|it) put|stuck|squished|squeezed|crammed|crushed|got stuck|ended up|had to sit|was (?:in"
    r"|assigned|given|put"
    r"|stuck)|were (?:in|given)|last time|last flight|hated|terrible|awful|horrible|worst|miserable|nightmare|sandwiched"
    r"|assigned me|sat me|always (?:get|give))\b|上次|上回|挤(?:死|得|在)?|难受|受罪|痛苦|太差|糟糕|崩溃|累死|憋|老是给我"
    r"|总给我|每次都给我|又给我"
)
PRAISE = re.compile(
    r"\b(?:loved|love|great|enjoyed|nice|perfect|wonderful|liked|best|same again|again please)\b|喜欢|舒服|挺好|不错|满意|很棒"
)
FACT = re.compile(
    r"\b(?:is|was) (?:it|that|this|mine|my seat|[0-9]{1,2}[a-k])(?: seat)? (?:really |actually )?(?:a |an |the |by the "
    r"|in the |at the |near the )?$|\b(?:do|did) i (?:already )?(?:have|get|got)\b[a-z ]*$|\bwhich (?:seats?|ones?) (?:is"
    r"|are)[a-z ]*$|是(?:不是)?(?=靠窗|窗|过道|中间)$|(?:座|位置|[a-k])是$"
)
MUST = re.compile(
    r"\b(?:must|need|needs|have to|has to|only|definitely|absolutely|essential|require[ds]?|insist|no matter what"
    r"|under no circumstances|never|make sure|at all costs|non-?negotiable|has got to|can't (?:sit|be|have))\b|必须|一定"
    r"|务必|只(?:要|坐|能|想)|非.{1,8}不(?:可|行)|千万|绝对|坚决|说什么也"
)
TRIP = re.compile(
    r"\bthis (?:time|flight|trip|once|one|booking|journey)\b|\bfor (?:this|the|my) (?:flight|trip|one|outbound|return)\b"
    r"|\bjust (?:this once|once|for (?:this|today))\b|\bon (?:this|that|the) (?:flight|trip|one)\b|\bonly for (?:this|now"
    r"|today)\b|\bfor now\b|\bon the way (?:back|there|home|out)\b|这(?:一)?(?:次|趟|回|班)|本次|此次|今天这|这个航班"
    r"|只是这"
)
ALWAYS = re.compile(
    r"\b(?:always|every time|from now on|usually|in general|generally|in future|in the future|whenever|all my (?:flights"
    r"|trips)|normally)\b|以后|每次|一直|总是|永远|一般|通常|平时|从来|今后"
)
RELATIVE = (
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?|mom|mum|mother|dad|father|brother|sister|son|daughter"
    r"|kids?|child(?:ren)?|friend|colleague|boss|parents|grandmother|grandfather|grandma|grandpa|baby|companion|assistant"
    r"|aunt|uncle|cousin)"
)
WHOSE_BEFORE = re.compile(
    rf"\b(my (?:\w+ )?{RELATIVE}|she|he|they)\b(?:'s|'d|'ll)? (?:also |really |usually |always |both |definitely |still "
    rf"|would |will |must |only |absolutely |does ?n[o']t |don't |can't |cannot |never |won't |should |has |have )*(?:want"
    rf"|need|prefer|like|love|hate|get|sit|have|take|be|ask|insist|would|require|avoid|care|mind|in\b|on\b|to\b|stand)"
)
WHOSE_FOR = re.compile(rf"\b(?:for|give|put|seat|place|get) (my {RELATIVE}|her|him|them)\b")
WHOSE_ZH = re.compile(
    r"(我(?:的)?(?:老婆|老公|妻子|丈夫|太太|先生|爱人|女朋友|男朋友|女友|男友|对象|朋友|同事|妈妈|爸爸|母亲|父亲|妈|爸|父母"
    r"|孩子|儿子|女儿|哥哥|姐姐|弟弟|妹妹|奶奶|爷爷|外婆|外公|老板|领导|闺蜜|家人)|她们?|他们?|老婆|老公|孩子|妈妈"
    r"|爸爸)(?:们)?(?=[^，,。;；]{0,10}$)"
)
CORRECTS = re.compile(
    r"\b(?:actually|sorry|i mean(?:t)?|make (?:that|it)|scratch that|rather|instead|wait|changed? my mind|on second thought"
    r"|no,)\b|不对|改(?:成|为|坐|要)?|换(?:成|到)?|算了|说错|还是(?=要|坐|靠|过)|我是说"
)
THAN = re.compile(r"\b(?:over|than|rather than|instead of|to) (?:a |an |the )?$|(?:而不是|胜过|比)$")
APART = re.compile(r"split|separate|分开")
MOST_POSITIONS = 12  # of one message
REACH = 160  # characters of the sentence around a position that say how it was meant
EXCLUSIVE = frozenset((Position.WINDOW, Position.AISLE, Position.MIDDLE))
