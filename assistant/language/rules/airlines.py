"""Airlines by name, nickname and code, and flight numbers. Names from `places`, nicknames from the table below."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from ... import places
from .gazetteer import plain
from .text import Text, fold, word_set

_MORE = """
G4|Allegiant Air|allegiant
NK|Spirit Airlines|spirit|精神航空
SY|Sun Country Airlines|sun country
HA|Hawaiian Airlines|hawaiian airlines|夏威夷航空
WS|WestJet|west jet
VX|Virgin America|virgin america
EW|Eurowings|eurowings
DY|Norwegian|norwegian air
W6|Wizz Air|wizz
JQ|Jetstar|jetstar|捷星航空|捷星
GF|Gulf Air|gulf air|海湾航空
WY|Oman Air|oman air|阿曼航空
SC|Shandong Airlines|山东航空|山航
8L|Lucky Air|祥鹏航空|祥鹏
KY|Kunming Airlines|昆明航空|昆航
G5|China Express|华夏航空
KN|China United Airlines|中国联合航空|联合航空|中联航|联航
Y8|Suparna Airlines|金鹏航空
A6|Hunan Airlines|Air Travel|湖南航空|红土航空
GS|Tianjin Airlines|天津航空|天航
JD|Capital Airlines|首都航空|首航
PN|West Air|西部航空
GJ|Loong Air|长龙航空
EU|Chengdu Airlines|成都航空
DR|Ruili Airlines|瑞丽航空
NS|Hebei Airlines|河北航空
UQ|Urumqi Air|乌鲁木齐航空
GX|GX Airlines|北部湾航空
QW|Qingdao Airlines|青岛航空
TV|Tibet Airlines|西藏航空|藏航
RY|Jiangxi Air|江西航空
FU|Fuzhou Airlines|福州航空
BK|Okay Airways|奥凯航空
9H|Air Changan|长安航空
DZ|Donghai Airlines|东海航空
AQ|9 Air|九元航空|九元
UO|HK Express|hong kong express|香港快运
MU|China Eastern Airlines|china eastern|东方航空|东航
CZ|China Southern Airlines|china southern|南方航空|南航
CA|Air China|国际航空|国航
FM|Shanghai Airlines|上航
HO|Juneyao Airlines|juneyao|吉祥
9C|Spring Airlines|春秋
HU|Hainan Airlines|海航
3U|Sichuan Airlines|川航
MF|Xiamen Airlines|xiamen air|厦航
ZH|Shenzhen Airlines|深航
CX|Cathay Pacific|cathay|国泰
HX|Hong Kong Airlines|港航
CI|China Airlines|华航
BR|EVA Air|eva|长荣
NH|ANA|all nippon|全日空航空
JL|JAL|日航
KE|Korean Air|大韩
OZ|Asiana|韩亚
SQ|Singapore Airlines|新航
TG|Thai Airways|thai air|泰航
MH|Malaysia Airlines|malaysian airlines|马航
AK|Air Asia|亚航
VN|Vietnam Airlines|越航
EK|Emirates|阿联酋
QR|Qatar Airways|qatar|卡航|卡塔尔
EY|Etihad|阿提哈德
TK|Turkish Airlines|turkish airways|turkish|土航
BA|British Airways|british airlines|british|英航
VS|Virgin Atlantic|virgin
AF|Air France|法航
KL|KLM|klm royal dutch|荷航
LH|Lufthansa|lufthansa airlines|汉莎
LX|Swiss|swiss airlines|swiss air|瑞航
IB|Iberia|iberia airlines
TP|TAP Portugal|tap
AZ|Alitalia|ita
SU|Aeroflot|俄航
UA|United|united airline|united airlines|美联航|联合航空公司
DL|Delta|delta airlines|delta airline|delta air|达美
AA|American|american airline|american airlines|america airlines|aa|美航
AS|Alaska Airlines|alaska airline|alaska air|alaskan airlines|alaskan
B6|JetBlue|jet blue|jet blue airlines
WN|Southwest|southwest airline|southwest airlines|south west
F9|Frontier|frontier airline
AC|Air Canada|加航
AM|Aeromexico|aero mexico
QF|Qantas|qantas airways|澳航
NZ|Air New Zealand|新西兰航空|纽航
"""
_EVERYDAY = word_set(
    "united american delta spirit frontier alaskan southwest swiss virgin british turkish tap ita eva peach scoot",
    "hawaiian norwegian qatar aa 吉祥 春秋 长荣 国泰 大韩 韩亚 阿联酋 卡塔尔",
)
_LEAN = re.compile(
    r"(?:\b(?:on|with|by|via|through|fly|flying|take|taking|prefer|like|choose|want|the|a|an|any|about|or|and|airline|using"
    r"|use|called|check|try|see|between|maybe|prefer) |^\W*|[坐乘选要飞搭])$"
)
_FLIGHTY = re.compile(
    r"\s*(?:airlines?|airways|air|flights?|tickets?|one|plane|please|\W*$|(?:or|and)\b|的?(?:航班|飞机|机票|票)|的)"
)
_NOT = re.compile(
    r"(?:\b(?:not|no|except|avoid|anything but|hate|n't (?:like|want|fly)(?: with| on)?|rather than|instead of)(?: the"
    r"| with| on)? |不要|不坐|别|不想坐|除了)$"
)
_TALK = re.compile(
    r"积分|会员|里程|旗下|什么公司|政策|规定|贵宾|vip|常旅客|frequent flyer|\bmiles\b|loyalty|carry[- ]?on|policy|luggage"
    r"|baggage|status of"
)
_ANY = re.compile(
    r"\bany (?:of the )?(?:airlines?|carriers?)\b|\bairlines?(?: used| i use)? (?:does not|doesn't|do not|don't) matter"
    r"|\b(?:don't|do not) (?:care|mind)[a-z ]{0,24}\bairlines?\b|\bno (?:airline preference|preference[a-z ]{0,12}airline)"
    r"|\b(?:what|which)(?:ever)? airline is used doesn't matter|(?:什么|哪家|哪个|任何)航空(?:公司)?都|航空公司(?:不限"
    r"|无所谓|都行|都可以|随便)|航司不限"
)
_NUMBER_CODE = re.compile(r"\b(?P<code>[a-z][a-z0-9]|[0-9][a-z])[ -]?(?P<n>[0-9]{2,4})\b(?!:)")
_NUMBER_WORD = re.compile(
    r"\b(?:flight|flt|seat on)(?: id| number| no\.?|#)?(?: is| to| was"
    r"|:)?\s*#?(?P<code>[a-z0-9]{2,3})?\s?(?P<n>[0-9]{2,4})\b|\b(?:id|it)(?: is| 's|'s|:)? (?P<n2>[0-9]{2,4})\b"
    r"|航班号?(?:是|:)?(?P<n3>[0-9]{3,4})"
)
_BARE_NUMBER = re.compile(r"(?<![0-9$€¥£.:/])\b([0-9]{2,4})\b(?![:%/0-9])")
_NOT_CODE = word_set(
    "am pm to on in at by of or no id is it my we",
)


@dataclass(frozen=True, slots=True)
class Named:
    """`codes` IATA; `names` as said; `spans` where, so that no city is read out of them; `any_will_do`: it does not matter."""

    codes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    any_will_do: bool = False


@functools.cache
def _index() -> tuple[dict[str, str], re.Pattern[str]]:
    names: dict[str, str] = {}
    for airline in places.airlines():
        for name in (airline.name, airline.zh, airline.zh_hant):
            if len(name) > 1:
                names[plain(fold(name))] = airline.iata
    for line in _MORE.strip().splitlines():
        code, *said = line.split("|")
        names |= {plain(fold(name)): code for name in said}
    latin = sorted((n for n in names if n.isascii()), key=len, reverse=True)
    han = sorted((n for n in names if not n.isascii()), key=len, reverse=True)
    pattern = rf"\b(?:{'|'.join(map(re.escape, latin))})\b(?:'s)?|(?:{'|'.join(map(re.escape, han))})"
    return names, re.compile(pattern)


def airlines(text: Text, *, asked: frozenset[str]) -> Named:
    """Airlines wanted. An everyday word ("united", "spirit") needs flying around it."""
    names, pattern = _index()
    codes: list[str] = []
    said: list[str] = []
    spans: list[tuple[int, int]] = []
    for m in pattern.finditer(text.low):
        word = m.group().removesuffix("'s")
        if word in _EVERYDAY and not _flown(text, m, asked):
            continue
        spans.append(m.span())
        if _TALK.search(text.clause(*m.span())):
            continue
        if not _NOT.search(text.before(m.start(), at_most=30)):
            codes.append(names[word])
            said.append(text.raw[m.start() : m.end()])
    if not codes and (
        _ANY.search(text.low)
        or (
            "airline" in asked
            and re.search(r"\b(?:any|no preference|doesn't matter|don't care)\b|都行|都可以|随便|无所谓", text.low)
        )
    ):
        return Named((), (), tuple(spans), any_will_do=True)
    return Named(tuple(dict.fromkeys(codes)), tuple(dict.fromkeys(said)), tuple(spans))


def _flown(text: Text, m: re.Match[str], asked: frozenset[str]) -> bool:
    if "airline" in asked:
        return True
    flighty = bool(_FLIGHTY.match(text.low, m.end()))
    return (
        bool(_LEAN.search(text.before(m.start())))
        and (flighty or text.raw[m.start()].isupper())
        and not text.low.startswith((" states", " kingdom", " food", " islands"), m.end())
    )


def flight_number(text: Text, *, asked: frozenset[str], taken: tuple[tuple[int, int], ...] = ()) -> str | None:
    """`MU5101`, `flight 632`, or the bare number when it was asked for. The last said counts ("not 479, 355").

    `taken`: spans that are dates, so that "make it 30 February" names no flight.
    """
    found: list[tuple[int, str]] = []
    for m in _NUMBER_CODE.finditer(text.low):
        code = m["code"].upper()
        if m["code"] not in _NOT_CODE and (places.airline(code) or code in _index()[0].values()):
            found.append((m.start(), code + m["n"]))
    for m in _NUMBER_WORD.finditer(text.low):
        number = m["n"] or m["n2"] or m["n3"]
        if any(m.start() < e and s < m.end() for s, e in taken):
            continue
        if not any(number in said for _, said in found) and not _NOT.search(text.before(m.start(), at_most=12)):
            found.append((m.start(), (m["code"] or "").upper() + number))
    if not found and "flight_number" in asked and (m := _BARE_NUMBER.search(text.low)):
        return m[1]
    return found[-1][1] if found else None
