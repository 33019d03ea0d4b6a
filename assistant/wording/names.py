"""What places and airlines are called in the reader's language; a code we have no name for stands as it is."""

from __future__ import annotations

import re

from .. import places
from ..domain.understanding import Language


def city(code: str, language: Language) -> str:
    """Of a metropolitan code or an airport's."""
    if area := places.metro(code) or places.city_of(code):
        return area.zh if language == "zh" else area.name
    known = places.airport(code)
    return known.city if known else code


def airport(code: str, language: Language) -> str:
    """City and airport, short enough for a line of flights: 上海浦东, London LHR."""
    area = places.city_of(code)
    if area is None or len(area.airports) == 1:
        return city(code, language)
    known = places.airport(code)
    if language == "zh":
        return area.zh + (known.zh.removesuffix("机场") if known and known.zh else f" {code}")
    return f"{area.name} {code}"


def airport_full(code: str, language: Language) -> str:
    """The whole name and the code: 上海浦东机场（PVG）, London Heathrow Airport (LHR)."""
    known, area = places.airport(code), places.city_of(code)
    if known is None:
        return city(code, language)
    if language == "zh":
        named = f"{area.zh}{known.zh or '机场'}" if area else known.name
        return f"{named}（{code}）"
    named = known.name if re.search(rf"\b{re.escape(known.city)}\b", known.name) else f"{known.city} {known.name}"
    return f"{named} ({code})"


def airline(code: str, language: Language) -> str:
    known = places.airline(code)
    if known is None:
        return code
    return known.zh if language == "zh" else known.name
