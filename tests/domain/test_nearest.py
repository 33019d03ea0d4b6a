"""Where nothing fits, as little as possible is given up."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal

from assistant.domain.flights import Cabin, Fare, Segment
from assistant.domain.money import Money
from assistant.domain.shortlist import missed, nearest
from assistant.domain.trips import TripRequest

DAY = date(2026, 12, 4)


def fare(carrier: str, hour: int, total: str = "900") -> Fare:
    departs = datetime(DAY.year, DAY.month, DAY.day, hour)
    flight = Segment(
        carrier=carrier,
        flight_number="523",
        origin="PVG",
        destination="NRT",
        departs=departs,
        arrives=departs + timedelta(hours=4),
        minutes=180,
        aircraft="Airbus A320",
    )
    price = Money(amount=Decimal(total), currency="CNY")
    return Fare(segments=(flight,), cabin=Cabin.ECONOMY, fare_brand="Basic", total=price, passengers=1)


FARES = (fare("MU", 9), fare("NH", 15))


def request(**more: object) -> TripRequest:
    return TripRequest.model_validate({"origin": "SHA", "destination": "TYO", "depart_on": DAY, **more})


def test_hours_are_given_up_before_the_airline() -> None:
    found = nearest(FARES, request(airlines=("NH",), time_from=time(9), time_to=time(10)))
    assert found is not None
    assert found.airlines == ("NH",)
    assert missed(FARES[1], found) == ()


def test_the_nearest_hours_come_first() -> None:
    found = nearest(FARES, request(time_from=time(7), time_to=time(8)))
    assert found is not None
    assert [missed(f, found) for f in FARES] == [(), ("times",)]


def test_a_flight_turned_down_never_comes_back() -> None:
    turned_down = tuple("+".join(f.segment_keys) for f in FARES)
    assert nearest(FARES, request(excluded=turned_down)) is None


def test_a_cabin_nobody_sells_is_the_next_best_one() -> None:
    found = nearest(FARES, request(cabin="business"))
    assert found is not None
    assert found.cabin is None
