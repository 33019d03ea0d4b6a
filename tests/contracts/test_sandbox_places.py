"""The places the airline flies to, with their names in both languages."""

from __future__ import annotations

from assistant.booking.sandbox.carriers import carriers
from assistant.places import airline, airlines, airport, airports, cities, codes_for, metro, metros


def test_a_metropolitan_code_stands_for_its_airports_and_an_airport_for_itself() -> None:
    assert codes_for("TYO") == ("HND", "NRT")
    assert codes_for("SHA") == ("PVG", "SHA")
    assert codes_for("LON")[0] == "LHR"
    assert codes_for("HND") == ("HND",)
    assert codes_for("QQQ") == ()
    assert metro("HND") is None
    assert {m.code for m in metros()} >= {
        "TYO",
        "LON",
        "NYC",
        "PAR",
        "BJS",
        "OSA",
        "SEL",
        "CHI",
        "WAS",
        "MIL",
        "ROM",
        "MOW",
        "SAO",
    }


def test_every_airport_of_our_cities_is_real_and_named_in_chinese_both_ways() -> None:
    assert len(list(cities())) > 150
    for city in cities():
        assert city.zh
        assert city.zh_hant
        for code in city.airports:
            found = airport(code)
            assert found is not None, code
            assert (found.city, found.city_zh) == (city.name, city.zh)
    tokyo = airport("HND")
    assert tokyo is not None
    assert (tokyo.zh, tokyo.city_zh_hant, tokyo.tz, tokyo.country) == ("羽田机场", "東京", "Asia/Tokyo", "JP")
    assert len(list(airports())) > 5_000


def test_every_carrier_has_a_name_in_both_languages_and_hubs_that_exist() -> None:
    assert airline("??") is None
    assert len({a.zh for a in airlines()}) == len(list(airlines()))
    for code, carrier in carriers().items():
        assert airline(code) is not None, code
        assert all(airport(hub) for hub in carrier.hubs), code
