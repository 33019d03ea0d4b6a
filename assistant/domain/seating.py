"""Which seats to propose, from a real seat map, for one traveller or for a party.

Hard wishes come before sitting together, that before preferences, those before comfort. The same map and wishes always
give the same seats.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

from .flights import Cabin, SeatMap
from .money import Money
from .seat_layout import SeatReason, Spot, costs_extra, spots
from .seat_scoring import (
    SeatScore,
    avoids,
    comfort,
    is_about_seat,
    is_hard,
    meets,
    position_facts,
    score_seat,
    score_seats,
    scored,
    wants,
)
from .understanding import Polarity, Position, SeatWish, Strength
from .value import Value

__all__ = [
    "ProposedSeat",
    "SeatProposal",
    "SeatReason",
    "SeatScore",
    "TravellerWishes",
    "position_facts",
    "propose",
    "score_seat",
    "score_seats",
]

LAP_AGE = 2  # younger travels on a lap
CHILD_AGE = 12  # younger sits beside somebody older
EXIT_AGE = 15  # younger may not sit at an exit, and neither may those who look after them

# What a seating costs; the sizes put hard wishes before togetherness before preferences before comfort.
FORBIDDEN = 1e9
HARD = 1_000.0
CHILD_ALONE = 900.0
PAID_UNASKED = 500.0  # a seat that costs extra, for someone who would rather not pay
SPLIT = 30.0
SOFT = 10.0
AISLE_BETWEEN = 8.0
PAID = 5.0
DISCOMFORT = 3.0
ROWS_AROUND = 2  # how far apart a party that cannot sit in one row is looked for


class TravellerWishes(Value):
    """`passenger` is any key of the caller's; `age` on the day of travel, None for an adult."""

    passenger: str
    wishes: tuple[SeatWish, ...] = ()
    age: int | None = None

    def younger_than(self, age: int) -> bool:
        return self.age is not None and self.age < age

    @property
    def would_pay(self) -> bool:
        return wants(self.wishes, Position.EXTRA_LEGROOM) or any(w.strength is Strength.MUST for w in self.wishes)


class ProposedSeat(Value):
    """A traveller's seat; None on a lap, or when none is left. `missed`: the wishes this seat does not meet."""

    passenger: str
    seat: SeatScore | None = None
    price: Money | None = None  # what it adds; None where the trip has it already or the airline has not said
    on_lap: bool = False
    missed: tuple[SeatWish, ...] = ()


class SeatProposal(Value):
    """One entry a traveller, in their order. `fits`: all sit, every wish is met, companions sit in one row, side by side."""

    seats: tuple[ProposedSeat, ...]
    together: bool
    fits: bool

    @property
    def designators(self) -> dict[str, str]:
        return {s.passenger: s.seat.designator for s in self.seats if s.seat}

    @property
    def missed(self) -> tuple[tuple[str, SeatWish], ...]:
        return tuple((s.passenger, wish) for s in self.seats for wish in s.missed)


def propose(
    seat_map: SeatMap,
    *,
    cabin: Cabin,
    travellers: tuple[TravellerWishes, ...],
    free_only: bool = True,
    mine: frozenset[str] = frozenset(),
) -> SeatProposal:
    """The best seats for a party in one cabin class, or the nearest there are.

    `mine` are seats the trip already has: available, and not paid for again. Unless `free_only`, seats that cost extra are looked
    at where free ones do not fit and someone has a wish that must be met or wants extra legroom. An exit row is for an adult who
    asked for it and travels with nobody under 15.
    """
    seated = tuple(t for t in travellers if not t.younger_than(LAP_AGE))
    youngest = min((t.age for t in travellers if t.age is not None), default=EXIT_AGE)
    open_spots = [s for s in spots(seat_map, cabin=cabin) if s.choosable or s.designator in mine]
    free = [s for s in open_spots if s.designator in mine or not costs_extra(s.seat)]
    party = _Party(seated, exits=youngest >= EXIT_AGE)
    best = party.best(free)
    if not free_only and not party.fits(best) and any(t.would_pay for t in seated):
        party = _Party(seated, exits=youngest >= EXIT_AGE, paid={s.designator for s in open_spots} - {s.designator for s in free})
        best = party.best(open_spots)
    return _shown(party, best, travellers, mine)


@dataclass(frozen=True)
class _Seating:
    """Who sits where: a spot for each traveller of the party, None where there was none left."""

    spots: tuple[Spot | None, ...]
    cost: float

    @property
    def together(self) -> bool:
        taken = [s for s in self.spots if s]
        return len(taken) == len(self.spots) and _breaks(taken) == 0


class _Party:
    """Those who need a seat, and what each seat costs them in wishes that stay unmet."""

    def __init__(self, travellers: tuple[TravellerWishes, ...], *, exits: bool, paid: Collection[str] = ()) -> None:
        self.travellers = travellers
        self._exits = exits
        self._paid = paid
        self._children = [i for i, t in enumerate(travellers) if t.younger_than(CHILD_AGE)]
        self._apart = any(avoids(t.wishes, Position.TOGETHER) for t in travellers)
        self._inseparable = any(w.position is Position.TOGETHER and is_hard(w) for t in travellers for w in t.wishes)
        self._prices: list[dict[str, float]] = []

    def best(self, available: list[Spot]) -> _Seating:
        """The cheapest of: each for themselves; side by side in a row; close together in neighbouring rows."""
        kinds = {t.wishes: t for t in self.travellers}
        prices = {wishes: {s.designator: self._price(t, s) for s in available} for wishes, t in kinds.items()}
        self._prices = [prices[t.wishes] for t in self.travellers]
        best = self._each_alone(available)
        if len(self.travellers) < 2 or None in best.spots:
            return best
        best = min((best, *map(self._seated, _runs(available, len(self.travellers)))), key=lambda seating: seating.cost)
        if best.cost < SPLIT:
            return best
        return min((best, *map(self._seated, _clusters(available, len(self.travellers)))), key=lambda seating: seating.cost)

    def missed(self, seating: _Seating, index: int) -> tuple[SeatWish, ...]:
        wishes = self.travellers[index].wishes
        return tuple(w for w in wishes if not w.forget and self._misses(seating, seating.spots[index], w, wishes))

    def fits(self, seating: _Seating) -> bool:
        met = not any(self.missed(seating, i) for i in range(len(self.travellers)))
        return met and None not in seating.spots and (seating.together or self._apart)

    def _misses(self, seating: _Seating, spot: Spot | None, wish: SeatWish, wishes: tuple[SeatWish, ...]) -> bool:
        if wish.position is Position.TOGETHER:
            return len(self.travellers) > 1 and seating.together is (wish.polarity is Polarity.AVOID)
        if spot is None:
            return wish.position is not Position.ANY
        return is_about_seat(wish) and not meets(spot, wish, wishes)

    def _price(self, traveller: TravellerWishes, spot: Spot) -> float:
        wishes = traveller.wishes
        if SeatReason.EXIT_ROW in spot.facts and not (self._exits and wants(wishes, Position.EXIT)):
            return FORBIDDEN
        missed = sum(HARD if is_hard(w) else SOFT for w in wishes if is_about_seat(w) and not meets(spot, w, wishes))
        paid = 0.0 if spot.designator not in self._paid else PAID if traveller.would_pay else PAID_UNASKED
        return missed + paid + DISCOMFORT * (1 - comfort(spot, wishes))

    def _each_alone(self, available: list[Spot]) -> _Seating:
        """One after the other takes the best seat left, those with most to lose first."""
        left = list(available)
        taken: dict[int, Spot] = {}
        for index in sorted(range(len(self.travellers)), key=lambda i: -sum(map(is_hard, self.travellers[i].wishes))):
            prices = self._prices[index]
            spot = min(left, key=lambda s: prices[s.designator], default=None)
            if spot is not None and prices[spot.designator] < FORBIDDEN:
                taken[index] = spot
                left.remove(spot)
        if len(taken) == len(self.travellers):
            return self._seated([taken[i] for i in range(len(taken))])
        return _Seating(tuple(taken.get(i) for i in range(len(self.travellers))), FORBIDDEN)

    def _seated(self, group: list[Spot]) -> _Seating:
        """The group's seats dealt out: two swap as long as that makes the party better off."""
        order = list(group)
        cost = self._total(order)
        improved = True
        while improved:
            improved = False
            for a in range(len(order)):
                for b in range(a + 1, len(order)):
                    order[a], order[b] = order[b], order[a]
                    swapped = self._total(order)
                    if swapped < cost - 1e-9:
                        cost, improved = swapped, True
                    else:
                        order[a], order[b] = order[b], order[a]
        return _Seating(tuple(order), cost + self._apart_cost(group))

    def _total(self, order: list[Spot]) -> float:
        wishes = sum(prices[spot.designator] for prices, spot in zip(self._prices, order, strict=True))
        return wishes + CHILD_ALONE * sum(self._is_alone(child, order) for child in self._children)

    def _is_alone(self, child: int, order: list[Spot]) -> bool:
        older = (s for i, s in enumerate(order) if i not in self._children)
        return not any(order[child].beside(s) for s in older)

    def _apart_cost(self, group: list[Spot]) -> float:
        if self._apart or len(group) < 2:
            return 0.0
        if not _breaks(group):
            return AISLE_BETWEEN * sum(a.across(b) for a, b in pairwise(_in_order(group)))
        rows = max(s.row for s in group) - min(s.row for s in group)
        columns = max(s.column for s in group) - min(s.column for s in group)
        return SPLIT + min(30.0, 3.0 * rows + columns) + (HARD if self._inseparable else 0.0)


def _in_order(group: Iterable[Spot]) -> list[Spot]:
    return sorted(group, key=lambda s: (s.cabin, s.row, s.column))


def _linked(a: Spot, b: Spot) -> bool:
    return a.beside(b) or a.across(b)


def _breaks(group: Iterable[Spot]) -> int:
    """How often a stranger, a gap or a row comes between neighbours; an aisle does not."""
    return sum(not _linked(a, b) for a, b in pairwise(_in_order(group)))


def _runs(available: list[Spot], count: int) -> Iterator[list[Spot]]:
    """Every `count` open seats in a row with nobody between."""
    for _, row in groupby(available, key=lambda s: (s.cabin, s.row)):
        seats = list(row)
        for start in range(len(seats) - count + 1):
            group = seats[start : start + count]
            if all(_linked(a, b) for a, b in pairwise(group)):
                yield group


def _clusters(available: list[Spot], count: int) -> Iterator[list[Spot]]:
    """Around every open seat the nearest ones, counting a row like a seat."""
    rows = {key: list(row) for key, row in groupby(available, key=lambda s: (s.cabin, s.row))}
    for anchor in available:
        around = [s for row in range(anchor.row, anchor.row + ROWS_AROUND + 1) for s in rows.get((anchor.cabin, row), ())]
        if len(around) >= count:
            yield sorted(around, key=lambda s: _distance(anchor, s))[:count]


def _distance(a: Spot, b: Spot) -> float:
    rows, columns = abs(a.row - b.row), abs(a.column - b.column)
    return max(rows, columns) + 0.1 * (rows + columns)


def _shown(party: _Party, seating: _Seating, travellers: tuple[TravellerWishes, ...], mine: Collection[str]) -> SeatProposal:
    around = () if len(seating.spots) < 2 else (SeatReason.TOGETHER if seating.together else SeatReason.SPLIT,)
    places = iter(enumerate(seating.spots))
    seats: list[ProposedSeat] = []
    for traveller in travellers:
        if traveller.younger_than(LAP_AGE):
            seats.append(ProposedSeat(passenger=traveller.passenger, on_lap=True))
            continue
        index, spot = next(places)
        seats.append(
            ProposedSeat(
                passenger=traveller.passenger,
                seat=scored(spot, traveller.wishes, party=around) if spot else None,
                price=spot.seat.price if spot and spot.designator not in mine else None,
                missed=party.missed(seating, index),
            )
        )
    return SeatProposal(seats=tuple(seats), together=seating.together, fits=party.fits(seating))
