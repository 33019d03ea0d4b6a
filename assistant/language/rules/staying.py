"""What answers the desk's own questions: a booking is kept, a new time accepted, the approver asked, a route cancelled."""

from __future__ import annotations

import re

from .text import Text

_KEEPS = re.compile(
    r"\bkeep\b(?! (?:in mind|looking|searching|going|me|trying|it (?:under|below|cheap|short|simple)|up\b|track|on\b|at\b))"
    r"[^.?!]{0,24}\b(?:it|them|both|that|this|all|everything|one|ticket|tickets|booking|bookings|reservations?|trip|flight"
    r"|flights|seat|[a-z0-9]*[0-9][a-z0-9]*|[a-z]{6})\b|\bleave (?:it|them|both|that|this|everything) (?:as|alone|be|the way)\b"
    r"|^\W*(?:please )?keep(?: please)?\W*$|\b(?:don't|do not|not) cancel\b"
    r"|保留|(?:都|先|还是)?留着|别取消|不(?:要|用|想|必)?取消|(?:两|2)张(?:票)?都(?:要|留)"
)
_KEEPS_NOT = re.compile(
    r"\b(?:don't|do not|not|no need to|needn't) (?:want to |need to )?keep\b|(?:不|别|无需|没必要)(?:想|要|用|必|再)?保留"
)
_TO_PEOPLE = re.compile(r"\b(?:keep|leave)\b[^.?!]{0,16}\bto (?:my|the|an?) ")
_ACCEPTS = re.compile(
    r"\b(?:the |that |this )?new (?:times?|flight|schedule)(?:'s| is| are| sounds?| looks?| works?| suits?| will do)(?! not| too)"
    r"(?: (?:all )?(?:fine|ok(?:ay)?|good|great|alright|right|perfect|acceptable|for me|with me|me))*(?=\W|$)"
    r"|\b(?:accept|take|agree (?:to|with)|go with|stick with|happy with|fine with|okay with|ok with) (?:the |that |this )?"
    r"new (?:times?|flight|schedule)\b"
    r"|(?:接受|同意|认可|就按|就用)(?:这个)?新的?(?:时间|航班)|新的?(?:时间|航班)(?:我)?(?:也|都|是)?(?:可以|行|没问题|接受|同意|好|合适|ok)(?!吗|不)"
)
_NOT = re.compile(r"\b(?:not|n't|don't|doesn't|cannot|never)\b|不(?!用取消|要取消|取消|想取消)")
_ASKS_APPROVER = re.compile(
    r"\b(?:leave|give|hand|pass|send|refer|ask|let|up to|forward)\b[^.?!]{0,24}\b(?:my|the|our|an) (?:approvers?|reviewers?"
    r"|travel desk|desk|manager)\b"
    r"|(?:交给|让|由|请|问问?|找|转给|留给)(?:一下)?(?:我的)?(?:审批人|审核员|审批员|审核人|审批)(?:来|去)?(?:人)?"
)
_CANCELS_ROUTE = re.compile(
    r"^\W*(?:(?:no|yes|ok(?:ay)?|please|actually|sorry|hi|hello)[\s,.!]+){0,2}(?:(?:i|we)(?:'d| would)? (?:like|want|need) to "
    r"|can you |could you |please )*cancel (?!fees?\b|polic|charges?\b|any ?time\b|or\b|if\b|for free\b)[a-z0-9]"
    r"|^\W*(?:请|帮我|麻烦|给我|我要|我想)*(?:帮我)?取消(?!.{0,4}(?:费|政策|规定|吗|要|能|的话))(?=[\s\u4e00-\u9fffa-z0-9])"
)
_GIVES_UP = re.compile(
    r"\W*(?:(?:oh|well|ok(?:ay)?|no|ah|actually)[\s,.!]+)*(?:never ?mind|forget (?:about )?(?:it|that|this))(?: then| please)?\W*"
    r"|\W*(?:那|那就|唉|哦)?(?:还是)?(?:算了吧?|不查了|不用查了|不订了)\W*"
)


def keeps(text: Text) -> bool:
    """What there is stays: one booking, or both."""
    return bool(_KEEPS.search(text.low)) and not (_TO_PEOPLE.search(text.low) or _KEEPS_NOT.search(text.low))


def accepts(text: Text) -> bool:
    """The time the airline moved a flight to is fine."""
    found = _ACCEPTS.search(text.low)
    return bool(found) and not _NOT.search(text.low)


def asks_approver(text: Text) -> bool:
    return bool(_ASKS_APPROVER.search(text.low))


def cancels(text: Text) -> bool:
    """ "Cancel Hamburg to Munich", "cancel ZZ5NGT", 取消成都到广州: no word for a trip is needed."""
    return bool(_CANCELS_ROUTE.search(text.low) or _KEEPS_NOT.search(text.low))


def gives_up(text: Text) -> bool:
    """Nothing but that: a search that is being put together goes."""
    return bool(_GIVES_UP.fullmatch(text.low))
