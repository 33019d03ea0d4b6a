"""Price caps: "under $500", "2000元以下", "不超过三千"; the currency said, else the one of the language."""

from __future__ import annotations

import re
from decimal import ROUND_DOWN, Decimal

from ...domain.money import DECIMALS, Money, payable
from .numbers import ZH_NUMBER, chinese_number, english_number
from .text import Text

_SYMBOLS = {
    "us$": "USD",
    "hk$": "HKD",
    "a$": "AUD",
    "c$": "CAD",
    "s$": "SGD",
    "nt$": "TWD",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "CNY",
    "￥": "CNY",
    "₩": "KRW",
    "₹": "INR",
    "฿": "THB",
}
_WORDS = {
    "dollars": "USD",
    "dollar": "USD",
    "bucks": "USD",
    "usd": "USD",
    "euros": "EUR",
    "euro": "EUR",
    "eur": "EUR",
    "pounds": "GBP",
    "pound": "GBP",
    "quid": "GBP",
    "gbp": "GBP",
    "yuan": "CNY",
    "rmb": "CNY",
    "cny": "CNY",
    "kuai": "CNY",
    "yen": "JPY",
    "jpy": "JPY",
    "hkd": "HKD",
    "sgd": "SGD",
    "aud": "AUD",
    "cad": "CAD",
    "twd": "TWD",
    "krw": "KRW",
    "won": "KRW",
    "rupees": "INR",
    "inr": "INR",
    "baht": "THB",
    "chf": "CHF",
    "francs": "CHF",
    "人民币": "CNY",
    "元": "CNY",
    "块钱": "CNY",
    "块": "CNY",
    "美元": "USD",
    "美金": "USD",
    "美刀": "USD",
    "刀": "USD",
    "欧元": "EUR",
    "欧": "EUR",
    "英镑": "GBP",
    "镑": "GBP",
    "日元": "JPY",
    "日币": "JPY",
    "港币": "HKD",
    "港元": "HKD",
    "港纸": "HKD",
    "新币": "SGD",
    "澳元": "AUD",
    "澳币": "AUD",
    "加元": "CAD",
    "加币": "CAD",
    "台币": "TWD",
    "新台币": "TWD",
    "韩元": "KRW",
    "韩币": "KRW",
    "泰铢": "THB",
    "卢比": "INR",
    "瑞郎": "CHF",
}
_SYMBOL = "|".join(re.escape(s) for s in sorted(_SYMBOLS, key=len, reverse=True))
_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
_AMOUNT = (
    rf"(?P<sym>{_SYMBOL})?\s?(?P<n>[0-9]{{1,3}}(?:,[0-9]{{3}})+|[0-9]{{1,7}}(?:\.[0-9]{{1,2}})?|{ZH_NUMBER}|(?:a|one|two"
    rf"|three|four|five|six|seven|eight|nine)(?= (?:grand|thousand|hundred)))\s?(?P<k>k\b|grand\b|thousand|hundred|千|百"
    rf"|万)?\s?(?P<word>{_WORD})?"
)
_BEFORE = re.compile(
    r"(?:\b(?:under|below|less than|lower than|cheaper than|no more than|not more than|more than|up to|at most"
    r"|max(?:imum)?(?: of| price)?(?: is)?|within|spend(?: up to| only)?|budget (?:is|of|around|about|under)|my budget is"
    r"|budget|limit (?:is|of)|around|about|for|over|exceed|pay(?: up to)?|costs? (?:less than|under)|than) (?:like |about "
    r"|around |only |the )?"
    r"|不超过|不高于|不要超过|别超过|低于|少于|最多|最高|预算(?:是|在|大概|大约|只有)?|控制在|价格(?:在|是)?|上限(?:是)?"
    r"|不到|便宜过|小于)\s*$"
)
_AFTER = re.compile(
    r"\s*(?:or (?:less|under|cheaper|below)|max(?:imum)?\b|tops|at most|and under|is (?:my|the) (?:max|limit|budget)"
    r"|per (?:ticket|person)|左右|上下|以内|之内|内(?!地|部)|以下|之下|封顶|左右的预算|的预算)"
)
_STRICT_AFTER = re.compile(r"以内|之内|以下|之下|封顶")
_STRICT_BEFORE = re.compile(
    r"\b(?:under|below|less than|cheaper than|no more than|not more than|up to|at most|max(?:imum)?(?: of)?|within"
    r"|budget(?: is| of)?|spend(?: up to)?|costs? no more than) (?:like |about |around |the )?$|(?:不超过|别超过|不要超过"
    r"|低于|最多"
    r"|预算(?:是|大概|大约)?|控制在|不到)$"
)
_FIND = re.compile(_AMOUNT)
_NOT_MONEY = re.compile(
    r"\s*(?:stops?|layovers?|people|persons?|passengers?|tickets?|adults?|kids?|hours?|minutes?|days?|weeks?|bags?|seats?"
    r"|am\b|pm\b|o'?clock|:|/|岁|点|个|人|天|小时|分|号|月|次|张|位|折|公里|周|晚|th\b|st\b|nd\b|rd\b)"
)


def cap(text: Text, *, asked: frozenset[str], taken: tuple[tuple[int, int], ...] = ()) -> Money | None:
    """The most that may be paid; a bare number needs words of price around it. `taken`: spans that are dates."""
    for m in _FIND.finditer(text.low):
        currency = _currency(m, text)
        if (
            any(m.start() < e and s < m.end() for s, e in taken)
            or _NOT_MONEY.match(text.low, m.end())
            or (m.start() and text.low[m.start() - 1] in ".:/-0123456789")
        ):
            continue
        left = text.before(m.start("sym") if m["sym"] else m.start("n"), at_most=30)
        bounded = bool(_BEFORE.search(left)) or bool(_AFTER.match(text.low, m.end()))
        asked_for = "cap" in asked and len(text.low) < 60
        said = bool(m["sym"] or m["word"])
        if (said and (bounded or asked_for)) or (
            not said and (_STRICT_BEFORE.search(left) or _STRICT_AFTER.match(text.low, m.end()) or asked_for) and _value(m) >= 50
        ):
            return _as_payable(_value(m), currency)
    return None


def _as_payable(amount: Decimal, currency: str) -> Money | None:
    """Down to what there are coins for; None where no fare can cost so much, or so little."""
    coins = amount.quantize(Decimal(1).scaleb(-DECIMALS[currency]), ROUND_DOWN)
    try:
        return payable(Money(amount=amount if amount == coins else coins, currency=currency))
    except ValueError:
        return None


def _value(m: re.Match[str]) -> Decimal:
    number = m["n"].replace(",", "")
    if number.isalpha() and number.isascii():
        value = Decimal(1 if number == "a" else english_number(number))
    else:
        value = Decimal(str(chinese_number(number))) if not number.isascii() else Decimal(number)
    value *= {None: 1, "k": 1000, "grand": 1000, "thousand": 1000, "千": 1000, "hundred": 100, "百": 100, "万": 10_000}[m["k"]]
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value


def _currency(m: re.Match[str], text: Text) -> str:
    if m["word"]:
        return _WORDS[m["word"]]
    if m["sym"]:
        return _SYMBOLS[m["sym"]]
    return "CNY" if text.language == "zh" else "USD"
