"""Flights, carriers and fare rules as Duffel's JSON shows them, shared by offers and orders."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from ...places import airline, airport, city_of
from .aircraft import aircraft
from .chance import token
from .fares import Brand, RefundRule, penalty, refund_rule
from .schedule import Flight
from .store import Json


def flight_row(flight: Flight) -> list[object]:
    """A flight as the airline keeps it."""
    return [
        flight.carrier,
        flight.number,
        flight.origin,
        flight.destination,
        flight.departs.isoformat(),
        flight.arrives.isoformat(),
        flight.minutes,
        flight.km,
        flight.aircraft,
    ]


def flight_of(row: Sequence[Any]) -> Flight:
    carrier, number, origin, destination, departs, arrives, minutes, km, type_ = row
    times = datetime.fromisoformat(departs), datetime.fromisoformat(arrives)
    return Flight(carrier, number, origin, destination, *times, minutes, km, type_)


def place(code: str) -> Json:
    found, city = airport(code), city_of(code)
    if found is None:
        return {"iata_code": code, "type": "city"}
    return {
        "type": "airport",
        "id": f"arp_{code.lower()}_{found.country.lower()}",
        "iata_code": code,
        "iata_city_code": city.code if city else code,
        "iata_country_code": found.country,
        "name": found.name,
        "city_name": found.city,
        "latitude": found.latitude,
        "longitude": found.longitude,
        "time_zone": found.tz,
    }


def carrier(code: str) -> Json:
    found = airline(code)
    return {"id": f"arl_{token('airline', code)}", "iata_code": code, "name": found.name if found else code}


def duration(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    return f"PT{hours}H{rest}M" if hours else f"PT{rest}M"


def segment_id(offer_id: str, index: int) -> str:
    return f"seg_{token(offer_id, 'segment', index)}"


def segment(offer_id: str, index: int, flight: Flight, passengers: Sequence[Json]) -> Json:
    plane = aircraft(flight.aircraft)
    return {
        "id": segment_id(offer_id, index),
        "origin": place(flight.origin),
        "destination": place(flight.destination),
        "departing_at": flight.departs.isoformat(),
        "arriving_at": flight.arrives.isoformat(),
        "duration": duration(flight.minutes),
        "distance": f"{flight.km}.0",
        "marketing_carrier": carrier(flight.carrier),
        "marketing_carrier_flight_number": flight.number,
        "operating_carrier": carrier(flight.carrier),
        "operating_carrier_flight_number": flight.number,
        "aircraft": {"id": f"arc_{token('aircraft', plane.code)}", "iata_code": plane.code, "name": plane.name},
        "stops": [],
        "passengers": list(passengers),
    }


def passenger_on_segment(passenger_id: str, brand: Brand) -> Json:
    return {
        "passenger_id": passenger_id,
        "cabin_class": str(brand.cabin),
        "cabin_class_marketing_name": str(brand.cabin).replace("_", " ").title(),
        "fare_basis_code": f"{brand.name[0]}{len(brand.name):02d}LX",
        "baggages": [{"type": "carry_on", "quantity": 1}, {"type": "checked", "quantity": brand.bags}],
    }


def slice_(offer_id: str, flights: Sequence[Flight], brand: Brand, segments: list[Json]) -> Json:
    total = int((flights[-1].arrives_utc - flights[0].departs_utc).total_seconds() // 60)
    return {
        "id": f"sli_{token(offer_id, 'slice')}",
        "origin": place(flights[0].origin),
        "origin_type": "airport",
        "destination": place(flights[-1].destination),
        "destination_type": "airport",
        "duration": duration(total),
        "fare_brand_name": brand.name,
        "segments": segments,
    }


def conditions(owner: str, brand: Brand, total: Decimal, currency: str) -> Json:
    """Refund and change before departure; null where the airline does not say."""
    rule = refund_rule(owner, brand)
    fee = {"penalty_amount": str(penalty(total)), "penalty_currency": currency}
    free = {"penalty_amount": "0.00", "penalty_currency": currency}
    no = {"allowed": False, "penalty_amount": None, "penalty_currency": None}
    refund: Json | None
    match rule:
        case RefundRule.FULL:
            refund = {"allowed": True, **free}
        case RefundRule.FEE:
            refund = {"allowed": True, **fee}
        case RefundRule.NOTHING:
            refund = no
        case RefundRule.CREDITS | RefundRule.VOUCHER:
            refund = {"allowed": True, "penalty_amount": None, "penalty_currency": None}
        case RefundRule.UNSAID:
            refund = None
    change: Json = {"allowed": True, **(free if rule is RefundRule.FULL else fee)} if brand.changeable else no
    return {"refund_before_departure": refund, "change_before_departure": change}
