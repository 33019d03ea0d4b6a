"""Airlines by IATA code. Source: our own table of public names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

_TABLE = """
MU|China Eastern|中国东方航空|中國東方航空
FM|Shanghai Airlines|上海航空|
HO|Juneyao Air|吉祥航空|
9C|Spring Airlines|春秋航空|
CA|Air China|中国国际航空|中國國際航空
CZ|China Southern|中国南方航空|中國南方航空
HU|Hainan Airlines|海南航空|
3U|Sichuan Airlines|四川航空|
MF|XiamenAir|厦门航空|廈門航空
ZH|Shenzhen Airlines|深圳航空|
CX|Cathay Pacific|国泰航空|國泰航空
HX|Hong Kong Airlines|香港航空|
CI|China Airlines|中华航空|中華航空
BR|EVA Air|长荣航空|長榮航空
NX|Air Macau|澳门航空|澳門航空
JL|Japan Airlines|日本航空|
NH|All Nippon Airways|全日空|
MM|Peach|乐桃航空|樂桃航空
KE|Korean Air|大韩航空|大韓航空
OZ|Asiana Airlines|韩亚航空|韓亞航空
SQ|Singapore Airlines|新加坡航空|
TR|Scoot|酷航|
TG|Thai Airways|泰国航空|泰國航空
FD|Thai AirAsia|泰国亚洲航空|泰國亞洲航空
MH|Malaysia Airlines|马来西亚航空|馬來西亞航空
AK|AirAsia|亚洲航空|亞洲航空
GA|Garuda Indonesia|印尼鹰航|印尼鷹航
PR|Philippine Airlines|菲律宾航空|菲律賓航空
VN|Vietnam Airlines|越南航空|
AI|Air India|印度航空|
6E|IndiGo|靛蓝航空|靛藍航空
EK|Emirates|阿联酋航空|阿聯酋航空
EY|Etihad Airways|阿提哈德航空|阿提哈德航空
QR|Qatar Airways|卡塔尔航空|卡達航空
SV|Saudia|沙特航空|沙烏地航空
TK|Turkish Airlines|土耳其航空|
LY|El Al|以色列航空|
MS|Egyptair|埃及航空|
ET|Ethiopian Airlines|埃塞俄比亚航空|衣索比亞航空
KQ|Kenya Airways|肯尼亚航空|肯亞航空
SA|South African Airways|南非航空|
AT|Royal Air Maroc|摩洛哥皇家航空|
BA|British Airways|英国航空|英國航空
VS|Virgin Atlantic|维珍航空|維珍航空
U2|easyJet|易捷航空|
FR|Ryanair|瑞安航空|
EI|Aer Lingus|爱尔兰航空|愛爾蘭航空
AF|Air France|法国航空|法國航空
KL|KLM|荷兰皇家航空|荷蘭皇家航空
LH|Lufthansa|汉莎航空|漢莎航空
LX|SWISS|瑞士国际航空|瑞士國際航空
OS|Austrian Airlines|奥地利航空|奧地利航空
SN|Brussels Airlines|布鲁塞尔航空|布魯塞爾航空
SK|SAS|北欧航空|北歐航空
AY|Finnair|芬兰航空|芬蘭航空
FI|Icelandair|冰岛航空|冰島航空
LO|LOT Polish Airlines|波兰航空|波蘭航空
IB|Iberia|西班牙国家航空|西班牙國家航空
VY|Vueling|伏林航空|
TP|TAP Air Portugal|葡萄牙航空|
AZ|ITA Airways|意大利航空|義大利航空
A3|Aegean Airlines|爱琴海航空|愛琴海航空
SU|Aeroflot|俄罗斯航空|俄羅斯航空
UA|United Airlines|美国联合航空|美國聯合航空
DL|Delta Air Lines|达美航空|達美航空
AA|American Airlines|美国航空|美國航空
AS|Alaska Airlines|阿拉斯加航空|
B6|JetBlue|捷蓝航空|捷藍航空
WN|Southwest Airlines|西南航空|
F9|Frontier Airlines|边疆航空|邊疆航空
AC|Air Canada|加拿大航空|
AM|Aeromexico|墨西哥航空|
CM|Copa Airlines|巴拿马航空|巴拿馬航空
AV|Avianca|哥伦比亚航空|哥倫比亞航空
LA|LATAM Airlines|拉塔姆航空|
AR|Aerolineas Argentinas|阿根廷航空|
QF|Qantas|澳洲航空|
VA|Virgin Australia|维珍澳大利亚航空|維珍澳洲航空
NZ|Air New Zealand|新西兰航空|紐西蘭航空
"""


@dataclass(frozen=True, slots=True)
class Airline:
    iata: str
    name: str
    zh: str
    zh_hant: str


@cache
def _airlines() -> dict[str, Airline]:
    rows = (line.split("|") for line in _TABLE.strip().splitlines())
    return {code: Airline(code, name, zh, hant or zh) for code, name, zh, hant in rows}


def airline(code: str) -> Airline | None:
    return _airlines().get(code)


def airlines() -> Iterable[Airline]:
    return _airlines().values()
