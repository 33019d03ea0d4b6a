"""Which seats of a flight are free, and its seat map as the wire shows it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from ...domain.flights import Cabin
from .aircraft import CabinPlan, aircraft
from .chance import draws
from .fares import Brand, seat_price
from .schedule import Flight

Json = dict[str, Any]


@lru_cache(maxsize=2_048)
def occupied(seed: int, flight_key: str, plan: CabinPlan) -> frozenset[str]:
    """Seats other people have. One pair at a window is left, as long as nobody books it here."""
    chance = draws(seed, "seats", flight_key, plan.cabin)
    load = 0.35 + 0.45 * chance.random()
    taken = {seat for seat in plan.seats if chance.random() < load}
    pair = plan.sections[0][:2]
    row = chance.choice([r for r in plan.rows if r not in plan.legroom_rows])
    return frozenset(taken - {f"{row}{letter}" for letter in pair})


def plan_of(flight: Flight, cabin: Cabin) -> CabinPlan | None:
    return aircraft(flight.aircraft).plan(cabin)


@dataclass(frozen=True, slots=True)
class SeatSale:
    """How a flight's seats are sold to the passengers of one offer: passenger ids, and the service id of a seat for each."""

    flight: Flight
    plan: CabinPlan
    brand: Brand
    money: str
    taken: Collection[str]
    passengers: tuple[str, ...]
    service_id: Callable[[str, str], str]  # passenger id, designator

    def price(self, designator: str) -> Decimal:
        row = int(designator[:-1])
        legroom = row in self.plan.legroom_rows
        return seat_price(self.flight, self.brand, row=row, first_row=self.plan.first_row, legroom=legroom, money=self.money)

    def cabin(self) -> Json:
        """The cabin as Duffel shows it: rows of sections of elements, with the rows over the wing by index."""
        rows: list[Json] = [_elements(self.plan, "lavatory", "galley")]
        index: dict[int, int] = {}
        for number in self.plan.rows:
            if number in self.plan.exit_rows:
                rows.append(_outer(self.plan, "exit_row"))
            index[number] = len(rows)
            rows.append({"sections": [{"elements": [self._seat(number, s) for s in section]} for section in self.plan.sections]})
        rows.append(_elements(self.plan, "galley", "lavatory"))
        wings = self.plan.wings
        return {
            "aisles": len(self.plan.sections) - 1,
            "cabin_class": str(self.plan.cabin),
            "deck": 0,
            "wings": {"first_row_index": index[wings[0]], "last_row_index": index[wings[1]]} if wings else None,
            "rows": rows,
        }

    def _seat(self, row: int, letter: str) -> Json:
        designator = f"{row}{letter}"
        price = str(self.price(designator))
        services = [
            {
                "id": self.service_id(passenger, designator),
                "passenger_id": passenger,
                "total_amount": price,
                "total_currency": self.money,
            }
            for passenger in self.passengers
            if designator not in self.taken
        ]
        return {
            "type": "seat",
            "designator": designator,
            "name": "Exit row seat" if row in self.plan.exit_rows else "",
            "disclosures": disclosures(self.plan, row),
            "available_services": services,
        }


def disclosures(plan: CabinPlan, row: int) -> list[str]:
    said: list[str] = []
    if row in plan.exit_rows:
        said.append("Exit row seat: passengers must be at least 15 years old and able to assist in an emergency")
    if row in plan.legroom_rows:
        said.append("Extra legroom")
    return said


def _elements(plan: CabinPlan, outer: str, inner: str) -> Json:
    last = len(plan.sections) - 1
    return {"sections": [{"elements": [{"type": outer if n in (0, last) else inner}]} for n in range(last + 1)]}


def _outer(plan: CabinPlan, kind: str) -> Json:
    last = len(plan.sections) - 1
    return {"sections": [{"elements": [{"type": kind}] if n in (0, last) else []} for n in range(last + 1)]}
