"""Airports by IATA code. Source: the `airportsdata` package (MIT); cities and Chinese names from our own tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import airportsdata

from .cities import city_of, metro

# code | simplified | traditional where it differs: what people call an airport in a city that has several
_NAMES = """
PVG|浦东机场|浦東機場
SHA|虹桥机场|虹橋機場
PEK|首都机场|首都機場
PKX|大兴机场|大興機場
TFU|天府机场|天府機場
CTU|双流机场|雙流機場
HND|羽田机场|羽田機場
NRT|成田机场|成田機場
KIX|关西机场|關西機場
ITM|伊丹机场|伊丹機場
CTS|新千岁机场|新千歲機場
ICN|仁川机场|仁川機場
GMP|金浦机场|金浦機場
TPE|桃园机场|桃園機場
TSA|松山机场|松山機場
CAN|白云机场|白雲機場
SZX|宝安机场|寶安機場
HGH|萧山机场|蕭山機場
SIN|樟宜机场|樟宜機場
LHR|希思罗机场|希斯洛機場
LGW|盖特威克机场|蓋威克機場
STN|斯坦斯特德机场|史丹斯特機場
LTN|卢顿机场|盧頓機場
LCY|伦敦城市机场|倫敦城市機場
CDG|戴高乐机场|戴高樂機場
ORY|奥利机场|奧利機場
JFK|肯尼迪机场|甘迺迪機場
LGA|拉瓜迪亚机场|拉瓜迪亞機場
EWR|纽瓦克机场|紐華克機場
ORD|奥黑尔机场|歐海爾機場
MDW|中途机场|中途機場
IAD|杜勒斯机场|杜勒斯機場
DCA|里根机场|雷根機場
FCO|菲乌米奇诺机场|菲烏米奇諾機場
MXP|马尔彭萨机场|馬爾彭薩機場
LIN|利纳特机场|利納特機場
SVO|谢列梅捷沃机场|謝列梅捷沃機場
DME|多莫杰多沃机场|多莫傑多沃機場
"""


@dataclass(frozen=True, slots=True)
class Airport:
    """`latitude`, `longitude` in degrees, `tz` an IANA zone, `country` ISO 3166 alpha-2; a Chinese name we lack is empty."""

    iata: str
    name: str
    city: str
    country: str
    latitude: float
    longitude: float
    tz: str
    zh: str = ""
    zh_hant: str = ""
    city_zh: str = ""
    city_zh_hant: str = ""


@cache
def _names() -> dict[str, tuple[str, str]]:
    rows = (line.split("|") for line in _NAMES.strip().splitlines())
    return {code: (zh, hant) for code, zh, hant in rows}


@cache
def _airports() -> dict[str, Airport]:
    # what has no zone cannot have a timetable
    return {code: _airport(code, row) for code, row in airportsdata.load("IATA").items() if row["tz"]}


def _airport(code: str, row: airportsdata.Airport) -> Airport:
    city = city_of(code)
    zh, hant = _names().get(code, ("", ""))
    return Airport(
        iata=code,
        name=row["name"],
        city=city.name if city else row["city"] or row["name"],
        country=row["country"],
        latitude=row["lat"],
        longitude=row["lon"],
        tz=row["tz"],
        zh=zh,
        zh_hant=hant,
        city_zh=city.zh if city else "",
        city_zh_hant=city.zh_hant if city else "",
    )


def airport(code: str) -> Airport | None:
    """The airport with this IATA code; None for a metropolitan code or an unknown one."""
    return _airports().get(code)


def airports() -> Iterable[Airport]:
    return _airports().values()


def codes_for(code: str) -> tuple[str, ...]:
    """The airports a code stands for: a metropolitan area's, or the one airport itself; empty for an unknown code."""
    if area := metro(code):
        return area.airports
    return (code,) if code in _airports() else ()
