"""Seats as services: their ids, what a passenger may buy of them, and whether they are still free."""

from __future__ import annotations

import re
from functools import partial

from ...domain.flights import Cabin
from .aircraft import CabinPlan
from .books import Books
from .errors import AirlineError, invalid, not_found
from .offers import AirlineOffer, current_offer
from .schedule import Flight
from .seats import SeatSale, disclosures, occupied, plan_of
from .store import Json
from .wire import segment_id

_SERVICE = re.compile(r"ase_(?P<offer>[0-9a-f]+)_(?P<segment>\d+)_(?P<passenger>\d+)_(?P<seat>\d+[A-Z])")


def seat_maps(books: Books, offer_id: str) -> list[Json]:
    """One map for each segment of the offer, in its cabin."""
    offer = current_offer(books, offer_id)
    return [
        {
            "id": f"sea_{offer.offer_id[4:]}{index}",
            "slice_id": None,
            "segment_id": segment_id(offer.offer_id, index),
            "cabins": [sale(books, offer, index).cabin()],
        }
        for index in range(len(offer.flights))
    ]


def sale(books: Books, offer: AirlineOffer, index: int) -> SeatSale:
    flight, plan = offer.flights[index], _plan(offer.flights[index], offer.brand.cabin)
    sold, _ = books.taken(flight.key, offer.brand.cabin)
    return SeatSale(
        flight=flight,
        plan=plan,
        brand=offer.brand,
        money=offer.currency,
        taken=occupied(books.seed, flight.key, plan) | sold,
        passengers=tuple(t.passenger_id for t in offer.seated),
        service_id=partial(_service_id, offer, index),
    )


def seats_wanted(asked: list[Json], offer: AirlineOffer) -> list[Json]:
    """The services of an order request as the airline keeps them, prices included."""
    found = [_wanted(service, offer) for service in asked]
    if len({(s["segment"], s["passenger_id"]) for s in found}) < len(found):
        raise invalid("services", "one seat for a passenger on a segment", "validation_inclusion")
    return found


def still_free(books: Books, offer: AirlineOffer, services: list[Json]) -> None:
    """Refuse a seat somebody has by now, and an order that no longer fits into the cabin."""
    for index, flight in enumerate(offer.flights):
        plan = _plan(flight, offer.brand.cabin)
        sold, unseated = books.taken(flight.key, offer.brand.cabin)
        full = occupied(books.seed, flight.key, plan) | sold
        for service in services:
            if service["segment"] == index and service["designator"] in full:
                raise AirlineError("ancillary_service_not_available", f"Seat {service['designator']} is no longer available")
        if len(plan.seats) - len(full) - unseated < len(offer.seated):
            raise AirlineError("offer_no_longer_available", "The flight is full")


def seat_of(services: list[Json], segment: int, passenger_id: str) -> str | None:
    return next((s["designator"] for s in services if (s["segment"], s["passenger_id"]) == (segment, passenger_id)), None)


def service_json(services: list[Json], offer: AirlineOffer) -> list[Json]:
    """The seats of an order as the wire shows them."""
    return [_service_json(service, offer) for service in services]


def _service_json(service: Json, offer: AirlineOffer) -> Json:
    index, designator = int(service["segment"]), str(service["designator"])
    said = disclosures(_plan(offer.flights[index], offer.brand.cabin), int(designator[:-1]))
    return {
        "id": service["id"],
        "type": "seat",
        "quantity": 1,
        "total_amount": service["total_amount"],
        "total_currency": offer.currency,
        "segment_ids": [segment_id(offer.offer_id, index)],
        "passenger_ids": [service["passenger_id"]],
        "metadata": {"designator": designator, "name": "", "disclosures": said},
    }


def _wanted(service: Json, offer: AirlineOffer) -> Json:
    match = _SERVICE.fullmatch(str(service.get("id")))
    if match is None or match["offer"] != offer.offer_id[4:] or service.get("quantity") != 1:
        raise invalid("services", "must be services of the selected offer", "invalid_services")
    index, who = int(match["segment"]), int(match["passenger"])
    if index >= len(offer.flights) or who >= len(offer.seated):
        raise invalid("services", "must be services of the selected offer", "invalid_services")
    plan = _plan(offer.flights[index], offer.brand.cabin)
    if match["seat"] not in plan.seats:
        raise not_found("service")
    priced = SeatSale(offer.flights[index], plan, offer.brand, offer.currency, (), (), partial(_service_id, offer, index))
    return {
        "id": service["id"],
        "segment": index,
        "passenger_id": offer.seated[who].passenger_id,
        "designator": match["seat"],
        "total_amount": str(priced.price(match["seat"])),
    }


def _service_id(offer: AirlineOffer, index: int, passenger_id: str, designator: str) -> str:
    who = [t.passenger_id for t in offer.seated].index(passenger_id)
    return f"ase_{offer.offer_id[4:]}_{index}_{who}_{designator}"


def _plan(flight: Flight, cabin: Cabin) -> CabinPlan:
    plan = plan_of(flight, cabin)
    if plan is None:
        raise not_found("seat map")
    return plan
