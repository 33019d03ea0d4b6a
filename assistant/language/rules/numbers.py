"""Small numbers in words, both languages: how people count days, people, options and money."""

from __future__ import annotations

import re

ZH_NUMBER = r"(?:[0-9]+(?:\.[0-9]+)?|[零〇一二两俩仨三四五六七八九十百千万]{1,9})"
EN_NUMBER = (
    r"(?:[0-9]{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty|a couple of|a couple|couple)"
)
EN_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth"
    r"|sixteenth"
    r"|seventeenth|eighteenth|nineteenth|twentieth|twenty[- ]first|twenty[- ]second|twenty[- ]third|twenty[- ]fourth"
    r"|twenty[- ]fifth"
    r"|twenty[- ]sixth|twenty[- ]seventh|twenty[- ]eighth|twenty[- ]ninth|thirtieth|thirty[- ]first)"
)

_EN = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "thirty": 30,
    "a couple of": 2,
    "a couple": 2,
    "couple": 2,
}
_EN_ORDINALS = re.findall(
    r"\S+",
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth "
    "twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first",
)
_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2, "仨": 3}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_ARABIC = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def english_number(word: str) -> int:
    return int(word) if word.isdigit() else _EN[word]


def english_ordinal(word: str) -> int:
    return _EN_ORDINALS.index(word.replace(" ", "-")) + 1


def chinese_number(text: str) -> float:
    """`十八` 18, `两` 2, `一千五` 1500, `三万` 30000, `12` 12, `1.5` 1.5."""
    if _ARABIC.fullmatch(text):
        return float(text)
    if not any(c in _UNITS or c == "万" for c in text):
        return float("".join(str(_DIGITS[c]) for c in text))
    high, _, low = text.rpartition("万")
    return (chinese_number(high) * 10_000 if high else 0) + _below_ten_thousand(low, after_wan="万" in text)


def _below_ten_thousand(text: str, *, after_wan: bool) -> float:
    total, digit, unit, zero = 0, 0, 10_000 if after_wan else 1, False
    for c in text:
        if c in _UNITS:
            unit = _UNITS[c]
            total += (digit or (1 if c == "十" else 0)) * unit
            digit, zero = 0, False
        else:
            digit, zero = _DIGITS.get(c, 0), zero or c in "零〇"
    shorthand = unit // 10 if digit and unit > 10 and not zero else 1  # 一千五 is 1500
    return total + digit * shorthand
