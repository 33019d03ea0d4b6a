"""Aircraft with their cabins and seats: who sits where, which row is an exit, what is in front of and behind a cabin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ...domain.flights import Cabin


@dataclass(frozen=True, slots=True)
class CabinPlan:
    """`layout` names the seats of a row, aisles as spaces: "ABC DEF"."""

    cabin: Cabin
    first_row: int
    last_row: int
    layout: str
    exit_rows: tuple[int, ...] = ()
    legroom_rows: tuple[int, ...] = ()
    wings: tuple[int, int] | None = None  # row numbers

    @property
    def sections(self) -> tuple[str, ...]:
        return tuple(self.layout.split())

    @property
    def rows(self) -> range:
        return range(self.first_row, self.last_row + 1)

    @property
    def seats(self) -> tuple[str, ...]:
        letters = self.layout.replace(" ", "")
        return tuple(f"{row}{letter}" for row in self.rows for letter in letters)

    @property
    def windows(self) -> tuple[str, str]:
        return self.layout[0], self.layout[-1]


@dataclass(frozen=True, slots=True)
class Aircraft:
    """`code` is IATA's aircraft type, `reach` in km."""

    code: str
    name: str
    reach: int
    cabins: tuple[CabinPlan, ...]

    def plan(self, cabin: Cabin) -> CabinPlan | None:
        return next((c for c in self.cabins if c.cabin is cabin), None)


_E190 = Aircraft(
    "E90",
    "Embraer 190",
    3_300,
    (
        CabinPlan(Cabin.BUSINESS, 1, 3, "AC DF"),
        CabinPlan(Cabin.ECONOMY, 4, 25, "AC DF", exit_rows=(13,), legroom_rows=(4, 13), wings=(10, 16)),
    ),
)
_A320 = Aircraft(
    "320",
    "Airbus A320",
    5_200,
    (
        CabinPlan(Cabin.BUSINESS, 1, 3, "AC DF"),
        CabinPlan(Cabin.ECONOMY, 6, 30, "ABC DEF", exit_rows=(12, 13), legroom_rows=(6, 12, 13), wings=(10, 18)),
    ),
)
_A321 = Aircraft(
    "321",
    "Airbus A321",
    5_600,
    (
        CabinPlan(Cabin.BUSINESS, 1, 4, "AC DF"),
        CabinPlan(Cabin.ECONOMY, 7, 37, "ABC DEF", exit_rows=(15, 26), legroom_rows=(7, 15, 26), wings=(13, 23)),
    ),
)
_A320_BUDGET = Aircraft(
    "32N",
    "Airbus A320neo",
    5_200,
    (CabinPlan(Cabin.ECONOMY, 1, 31, "ABC DEF", exit_rows=(12, 13), legroom_rows=(1, 12, 13), wings=(10, 18)),),
)
_A330 = Aircraft(
    "333",
    "Airbus A330-300",
    11_500,
    (
        CabinPlan(Cabin.BUSINESS, 1, 8, "A DG K"),
        CabinPlan(Cabin.ECONOMY, 31, 62, "AC DEFG HK", exit_rows=(46,), legroom_rows=(31, 46), wings=(38, 50)),
    ),
)
_B777 = Aircraft(
    "77W",
    "Boeing 777-300ER",
    15_300,
    (
        CabinPlan(Cabin.FIRST, 1, 2, "A DG K"),
        CabinPlan(Cabin.BUSINESS, 5, 16, "A DG K"),
        CabinPlan(Cabin.PREMIUM_ECONOMY, 20, 23, "AC DEFG HK", legroom_rows=(20,)),
        CabinPlan(Cabin.ECONOMY, 31, 63, "ABC DEFG HJK", exit_rows=(44,), legroom_rows=(31, 44), wings=(36, 50)),
    ),
)

_NARROW = (_E190, _A320, _A321)
_WIDE = (_A330, _B777)


@cache
def aircraft(code: str) -> Aircraft:
    return next(a for a in (*_NARROW, _A320_BUDGET, *_WIDE) if a.code == code)


def for_route(km: float, *, budget: bool, chance: float) -> Aircraft:
    """The type that flies this distance; `chance` in [0, 1) picks among the plausible ones."""
    if budget:
        return _A320_BUDGET if km <= _A320_BUDGET.reach else _A330
    if km > 10_500:
        return _B777
    if km > 4_800:
        return _WIDE[chance < 0.5]
    if km > 900 and chance < 0.25:
        return _A330
    if km < 1_200 and chance > 0.8:
        return _E190
    return _A320 if chance < 0.62 else _A321
