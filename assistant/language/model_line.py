"""One sentence of a reply, put in a model's words: facts stand as placeholders, and a line that says more than ours is dropped.

The model never sees a fact: not a price, not a flight, not an airline's or a reviewer's text. It gets `Option {{fact:1.n}}: ...`
and gives back words around the same placeholders. What else in its line looks like an amount, a time, a date, a flight, a booking
reference, a place, an airline or a promise was made up, unless our own sentence has it too; then our own sentence is said.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from .. import places
from ..domain.understanding import Language
from ..wording import Said, taken_apart
from .rules import airlines, mentions
from .rules.text import fold, read

_PLACEHOLDER = re.compile(r"\{\{\s*fact:\s*([0-9]+\.[a-z_]+)\s*\}\}")
_LABEL = re.compile(r"\s*\[([0-9]{1,2})\]\s*(.+)")
_PUNCTUATION = frozenset(" .,;:!?'\"“”‘’()—–-…、。，；：！？（）《》·~～\N{NO-BREAK SPACE}")
_MORE_AT_MOST = 60  # characters a line may be longer than twice ours
_GAP = "\x00"  # where a fact stands

# Things said in words that must be in our own sentence, or are made up. English in whole words, Chinese as it stands; folded.
_MADE_UP = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|dozen|couple|half|quarter|double|twice|zero|nil"
    r"|first|second|third|fourth|fifth|last|next|noon|midnight|morning|afternoon|evening|night|tonight|today|tomorrow|yesterday"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|october|november"
    r"|december|(?:o'?clock|am|pm|a\.m|p\.m|hours?|minutes?|days?|weeks?|months?)|dollars?|bucks?|euros?|pounds?|yuan|rmb|yen"
    r"|cents?|usd|eur|gbp|cny|jpy|percent|terminal|gate|pnr|reference|code)\b"
    r"|[今明后昨][天日晚早]|周[日末天]|星期|礼拜|上午|下午|早上|中午|晚上|凌晨|点钟?|分钟|小时|[年月日号周天](?=[前后内里，。！？]|$)|元|块|美金|美元|欧元|英镑|日元|港币|人民币"
    r"|折|半价|航站楼|登机口|订单号|预订号|票号"
)
_CLAIMS = re.compile(
    r"\b(?:book|reserv|ticket|issu|approv|confirm|paid|pay|charg|bill|cancel|refund|reject|declin|den[iy]|submit|sent|held|hold"
    r"|guarante|secur|lock|free|cheap|dear|expensive|discount|sale|upgrad|complimentary|fast|slow|delay|late|earl|sold|full|left"
    r"|available|window|aisle|middle|front|rear|exit|legroom|nonstop|direct|stop|economy|business|premium|baggage|luggage|bag"
    r"|insur|visa|passport|card|account|password|email|phone|call|click|link|visit|transfer|send|admin|reviewer|supervisor)\w*"
    r"|预?订|预定|定好|出票|开票|批准|通过|审批|确认|支付|付款|付了|扣款|收费|取消|退[票款]?|拒绝|驳回|提交|留位|保留|锁定|保证|免费|便宜|贵|优惠|打折"
    r"|升舱|最快|延误|售罄|没票|余票|靠窗|过道|中间|前排|后排|出口|直飞|经停|中转|经济舱|商务舱|头等舱|行李|保险|签证|护照|银行卡|账号|密码|邮箱|电话|点击|链接"
    r"|转账|发送|管理员|审批人"
)
_NOT = re.compile(r"\b(?:not|no|never|none|nothing|nobody|cannot|without|unless|nor|neither)\b|n't\b|不|没|未|无|别|非|否")
_WHICH = re.compile(r"[?？]")


@dataclass(frozen=True)
class Line:
    """One `Said`: how it is shown to a model, and how it reads in our own words."""

    n: int
    parts: tuple[tuple[str | None, str], ...]

    @classmethod
    def of(cls, n: int, said: Said, language: Language, timezone: str) -> Line:
        return cls(n, taken_apart(said, language, timezone=timezone))

    @property
    def ours(self) -> str:
        return "".join(text for _, text in self.parts)

    @property
    def words(self) -> str:
        return _GAP.join(text for name, text in self.parts if name is None)

    @property
    def shown(self) -> str:
        """With placeholders, for the model."""
        return f"[{self.n}] " + "".join(text if name is None else f"{{{{fact:{self.n}.{name}}}}}" for name, text in self.parts)

    @property
    def _facts(self) -> dict[str, str]:
        return {f"{self.n}.{name}": text for name, text in self.parts if name is not None}

    def filled(self, written: str) -> str | None:
        """A model's line with the facts put in; None where it leaves one out, or says what ours does not."""
        named = _PLACEHOLDER.findall(written)
        words = _PLACEHOLDER.sub(_GAP, written)
        if sorted(set(named)) != sorted(self._facts) or len(named) > len(self._facts) + 1 or made_up(words, self.words):
            return None
        return _PLACEHOLDER.sub(lambda found: self._facts[found[1]], written).strip()


def labelled(written: str) -> tuple[int, str] | None:
    """The number and the words of a line a model wrote; None for talk around the lines."""
    found = _LABEL.fullmatch(written)
    return (int(found[1]), found[2].strip()) if found else None


def made_up(words: str, ours: str) -> bool:
    """Whether a line's words, its facts left out, say anything of substance that ours do not."""
    if len(words) > 2 * len(ours) + _MORE_AT_MOST or not any(c.isalpha() for c in words):
        return True
    if not _plainly_written(words, ours):
        return True
    said, allowed = fold(words), fold(ours)
    kept = {m.group() for pattern in (_MADE_UP, _CLAIMS, _names()) for m in pattern.finditer(said)}
    if any(each not in allowed for each in kept) or _named(words) - _named(ours):
        return True
    return bool(_NOT.search(said)) != bool(_NOT.search(allowed)) or bool(_WHICH.search(words)) != bool(_WHICH.search(ours))


def _plainly_written(words: str, ours: str) -> bool:
    """Letters of the script, plain punctuation: no digit of any alphabet, no sign, no address, no code in capitals."""
    for c in words:
        if c == _GAP or c in _PUNCTUATION:
            continue
        numeric = unicodedata.numeric(c, None) is not None
        if not c.isalpha() or (numeric and c not in ours):
            return False
    if re.search(r"[A-Z]{2,}", re.sub("|".join(map(re.escape, re.findall(r"[A-Z]{2,}", ours))) or "$^", "", words)):
        return False
    if re.search(r"\w[.:]\w", words):
        return False
    foreign = [c for c in words if c.isalpha() and not c.isascii() and not "\u4e00" <= c <= "\u9fff"]
    mixed = any("\u4e00" <= c <= "\u9fff" for c in words) and not any("\u4e00" <= c <= "\u9fff" for c in ours)
    return not foreign and not mixed


def _named(words: str) -> set[str]:
    """Airlines, also by nickname, and whatever can only be a place."""
    text = read(words)
    carriers = airlines.airlines(text, asked=frozenset({"airline"})).codes
    return {*carriers, *(m.text.lower() for m in mentions.find(text) if m.strong and m.known and not m.misspelt)}


@cache
def _names() -> re.Pattern[str]:
    """Every city and airline we know, in both languages, as a made-up line would name it."""
    known = {n for city in places.cities() for n in (city.name, city.zh, city.zh_hant)}
    known |= {n for airline in places.airlines() for n in (airline.name, airline.zh, airline.zh_hant)}
    folded = sorted((fold(n) for n in known if len(n) > 1), key=len, reverse=True)
    latin = "|".join(re.escape(n) for n in folded if n.isascii())
    han = "|".join(re.escape(n) for n in folded if not n.isascii())
    return re.compile(rf"\b(?:{latin})\b|(?:{han})")
