"""Seats are proposed from the real map, with the reason, and the nearest is shown where none fits."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.domain.flights import Cabin, Seat, SeatMap, SeatMapCabin, SeatRow
from assistant.domain.money import Money
from assistant.domain.seating import (
    SeatProposal,
    SeatReason,
    TravellerWishes,
    position_facts,
    propose,
    score_seat,
    score_seats,
)
from assistant.domain.understanding import Polarity, Position, SeatWish, Strength

WINDOW = SeatWish(position=Position.WINDOW)
AISLE = SeatWish(position=Position.AISLE)
NO_AISLE = SeatWish(position=Position.AISLE, polarity=Polarity.AVOID)
NO_MIDDLE = SeatWish(position=Position.MIDDLE, polarity=Polarity.AVOID)
EXIT = SeatWish(position=Position.EXIT)
LEGROOM = SeatWish(position=Position.EXTRA_LEGROOM)
TOGETHER = SeatWish(position=Position.TOGETHER)


def must(wish: SeatWish) -> SeatWish:
    return wish.model_copy(update={"strength": Strength.MUST})


def seat_map(*rows: str, first: int = 10, cabin: Cabin = Cabin.ECONOMY, wings: tuple[int, int] | None = None) -> SeatMap:
    """A row is its sections: a lower-case o is a free seat, x taken, $ free for a price, E at the exit, + legroom for a price,
    L a lavatory, G a galley, . nothing. Seats are lettered from A as they come, lavatories and gaps counted."""
    return SeatMap(
        segment_key="MU523:PVG-NRT:2026-12-04",
        cabins=(SeatMapCabin(cabin=cabin, wings=wings, rows=tuple(seat_row(first + i, row) for i, row in enumerate(rows))),),
    )


def seat_row(number: int, row: str) -> SeatRow:
    letters = iter("ABCDEFGHJK")
    return SeatRow(number=number, sections=tuple(tuple(seat(number, next(letters), m) for m in part) for part in row.split()))


def seat(number: int, letter: str, mark: str) -> Seat:
    if mark in "LG.":
        return Seat(designator="", available=False, kind={"L": "lavatory", "G": "galley", ".": "empty"}[mark])
    return Seat(
        designator=f"{number}{letter}",
        available=mark != "x",
        price=Money(amount=Decimal(30 if mark in "$+" else 0), currency="EUR"),
        exit_row=mark == "E",
        extra_legroom=mark in "E+",
    )


def seats_for(
    shown: SeatMap, *travellers: TravellerWishes, free_only: bool = True, mine: frozenset[str] = frozenset()
) -> SeatProposal:
    return propose(shown, cabin=Cabin.ECONOMY, travellers=travellers, free_only=free_only, mine=mine)


def someone(*wishes: SeatWish, name: str = "tina", age: int | None = None) -> TravellerWishes:
    return TravellerWishes(passenger=name, wishes=wishes, age=age)


# Facts


def test_windows_aisles_and_middles_are_read_from_the_sections() -> None:
    shown = seat_map("ooo ooo")
    sides = [position_facts(shown, f"10{letter}")[0] for letter in "ABCDEF"]
    w, a, m = SeatReason.WINDOW, SeatReason.AISLE, SeatReason.MIDDLE
    assert sides == [w, m, a, a, m, w]


def test_a_single_seat_between_wall_and_aisle_is_both() -> None:
    assert position_facts(seat_map("o o"), "10A")[:2] == (SeatReason.WINDOW, SeatReason.AISLE)


def test_a_seat_beside_a_lavatory_at_the_wall_has_no_window_but_one_beside_a_gap_has() -> None:
    shown = seat_map("Loo ooo", ".oo ooo")
    assert position_facts(shown, "10B")[0] is SeatReason.MIDDLE
    assert position_facts(shown, "11B")[0] is SeatReason.WINDOW


def test_lavatory_galley_wing_halves_and_last_row_are_facts() -> None:
    shown = seat_map("ooo ooo", "ooo ooo", "ooo ooo", "ooo ooo", "ooo ooo", "LLL GGG", wings=(2, 3))
    front, wing, back = (set(position_facts(shown, d)) for d in ("10A", "12A", "14A"))
    assert {SeatReason.FRONT_HALF, SeatReason.AWAY_FROM_LAVATORY} <= front
    assert SeatReason.OVER_WING in wing
    assert {SeatReason.BACK_HALF, SeatReason.NEAR_LAVATORY, SeatReason.NEAR_GALLEY, SeatReason.LAST_ROW} <= back


def test_the_row_behind_an_exit_of_its_own_is_an_exit_row() -> None:
    rows = (SeatRow(number=9, sections=((Seat(designator="", available=False, kind="exit_row"),), ())), seat_row(10, "oo oo"))
    shown = SeatMap(segment_key="k", cabins=(SeatMapCabin(cabin=Cabin.ECONOMY, rows=rows),))
    assert SeatReason.EXIT_ROW in position_facts(shown, "10A")


def test_a_seat_that_is_not_on_the_map_has_no_facts_and_no_score() -> None:
    assert position_facts(seat_map("oo oo"), "99Z") == ()
    assert score_seat(seat_map("oo oo"), "99Z", (WINDOW,)) is None


# Scores


def test_the_wished_fact_is_the_first_reason_and_scores_higher() -> None:
    scores = score_seats(seat_map("ooo ooo", "ooo ooo"), (AISLE,))
    assert scores["10C"].reasons[0] is SeatReason.AISLE
    assert scores["10C"].score > scores["10A"].score > scores["11B"].score >= 0
    assert scores["10C"] == score_seat(seat_map("ooo ooo", "ooo ooo"), "10C", (AISLE,))


def test_a_wish_that_must_be_met_weighs_more_than_a_preference() -> None:
    proposal = seats_for(seat_map("xox ooo", "xxo xxx"), someone(must(WINDOW), SeatWish(position=Position.BACK)))
    assert proposal.designators == {"tina": "10F"}
    assert [wish.position for _, wish in proposal.missed] == [Position.BACK]


# One traveller


def test_a_window_wisher_gets_the_window_in_front_away_from_the_lavatory() -> None:
    shown = seat_map("LLL LLL", *["ooo ooo"] * 12)
    proposal = seats_for(shown, someone(WINDOW))
    (seat,) = proposal.seats
    assert proposal.fits
    assert seat.seat is not None
    assert set(seat.seat.reasons) >= {SeatReason.WINDOW, SeatReason.FRONT_HALF}
    assert SeatReason.NEAR_LAVATORY not in seat.seat.reasons


def test_when_no_window_is_left_the_nearest_is_shown_and_said_so() -> None:
    proposal = seats_for(seat_map("xox xox", "xox xox"), someone(WINDOW))
    assert not proposal.fits
    assert proposal.designators
    assert proposal.missed == (("tina", WINDOW),)


def test_window_or_aisle_but_no_middle_is_met_by_either() -> None:
    assert seats_for(seat_map("xoo xxx"), someone(WINDOW, AISLE, NO_MIDDLE)).fits


def test_nobody_is_put_at_an_exit_who_did_not_ask_for_it() -> None:
    shown = seat_map("EEE EEE", "xxx xox")
    assert seats_for(shown, someone(WINDOW)).designators == {"tina": "11E"}
    assert seats_for(shown, someone(EXIT, WINDOW)).designators == {"tina": "10A"}
    assert seats_for(seat_map("EEE EEE"), someone(WINDOW)).designators == {}


def test_nobody_travelling_with_a_child_or_an_infant_is_put_at_an_exit() -> None:
    shown = seat_map("EEE EEE", "ooo ooo")
    for age in (0, 9):
        proposal = seats_for(shown, someone(must(EXIT)), someone(must(EXIT), name="kid", age=age))
        assert all(not d.startswith("10") for d in proposal.designators.values())
        assert not proposal.fits


def test_a_seat_that_costs_extra_is_never_proposed_unless_it_may_be() -> None:
    shown = seat_map("$oo oo$")
    assert seats_for(shown, someone(must(WINDOW))).designators["tina"] not in {"10A", "10F"}
    paid = seats_for(shown, someone(must(WINDOW)), free_only=False)
    assert paid.fits
    assert paid.seats[0].price == Money(amount=Decimal(30), currency="EUR")
    assert paid.seats[0].seat
    assert SeatReason.COSTS_EXTRA in paid.seats[0].seat.reasons


def test_a_mere_preference_is_not_paid_for_but_legroom_asked_for_is() -> None:
    shown = seat_map("$+o oo$")
    assert seats_for(shown, someone(WINDOW), free_only=False).designators["tina"] not in {"10A", "10B", "10F"}
    assert seats_for(shown, someone(LEGROOM), free_only=False).designators == {"tina": "10B"}


def test_a_free_seat_that_fits_is_taken_before_one_that_costs_extra() -> None:
    assert seats_for(seat_map("$xx xxx", "xxx xxo"), someone(must(WINDOW)), free_only=False).designators == {"tina": "11F"}


def test_a_seat_the_trip_already_has_counts_as_free() -> None:
    proposal = seats_for(seat_map("xxx xxo", "xxx xox"), someone(AISLE), mine=frozenset({"11D"}))
    assert proposal.designators == {"tina": "11D"}
    assert proposal.seats[0].price is None


def test_another_cabin_is_not_looked_at() -> None:
    shown = seat_map("oo oo", cabin=Cabin.BUSINESS)
    assert seats_for(shown, someone(WINDOW)).designators == {}
    assert not seats_for(SeatMap(segment_key="k", cabins=()), someone()).fits


# Parties


def test_two_sit_side_by_side_and_the_window_wisher_has_the_window() -> None:
    for order in ((someone(WINDOW), someone(name="tom")), (someone(name="tom"), someone(WINDOW))):
        proposal = seats_for(seat_map("oxo oxo", "xoo oox", "oxo xoo"), *order)
        assert proposal.fits
        assert proposal.together
        assert proposal.designators == {"tina": "12F", "tom": "12E"}


def test_no_aisle_between_is_better_than_an_aisle_between() -> None:
    assert seats_for(seat_map("xxo oxx", "xxx xoo"), someone(), someone(name="tom")).designators == {"tina": "11E", "tom": "11F"}
    across = seats_for(seat_map("xxo oxx", "oxx xxo"), someone(), someone(name="tom"))
    assert across.together
    assert set(across.designators.values()) == {"10C", "10D"}


def test_companions_that_cannot_sit_side_by_side_are_told_so_and_sit_close() -> None:
    proposal = seats_for(seat_map("oxx xxx", "xxx xxo", "xxx xxx", "xxo xxx", "oxx xxx"), someone(TOGETHER), someone(name="tom"))
    assert not proposal.together
    assert not proposal.fits
    assert [wish.position for _, wish in proposal.missed] == [Position.TOGETHER]
    assert all(s.seat and SeatReason.SPLIT in s.seat.reasons for s in proposal.seats)
    assert set(proposal.designators.values()) == {"13C", "14A"}


def test_a_child_sits_beside_an_adult_even_where_that_costs_a_window() -> None:
    family = (someone(WINDOW), someone(name="tom"), someone(name="kim", age=6))
    proposal = seats_for(seat_map("oxx xxx", "xxo oxx", "xoo xxx"), *family)
    assert proposal.designators["kim"] in {"12B", "12C"}


def test_a_family_of_four_has_one_row_across_the_aisle_in_a_narrow_cabin() -> None:
    family = (someone(), someone(name="tom"), someone(name="kim", age=6), someone(name="max", age=4))
    proposal = seats_for(seat_map("ooo ooo", "ooo ooo"), *family)
    assert proposal.together
    assert len({d[:2] for d in proposal.designators.values()}) == 1


def test_an_infant_travels_on_a_lap() -> None:
    proposal = seats_for(seat_map("oo oo"), someone(), someone(name="baby", age=1))
    assert proposal.fits
    assert proposal.seats[1].on_lap
    assert list(proposal.designators) == ["tina"]


def test_more_people_than_seats_leaves_the_rest_without() -> None:
    proposal = seats_for(seat_map("ox xo"), someone(), someone(name="tom"), someone(name="kim"))
    assert len(proposal.designators) == 2
    assert not proposal.fits


# What always holds

marks = st.sampled_from("oooxxxx$E+")
rows = st.lists(
    st.lists(marks, min_size=6, max_size=6).map(lambda m: "".join(m[:3]) + " " + "".join(m[3:])), min_size=1, max_size=7
)
wishes = st.lists(st.builds(SeatWish, position=st.sampled_from(Position), polarity=st.sampled_from(Polarity)), max_size=3).map(
    tuple
)
parties = st.lists(st.tuples(wishes, st.one_of(st.none(), st.integers(0, 70))), min_size=1, max_size=5).map(
    lambda people: tuple(TravellerWishes(passenger=str(i), wishes=w, age=a) for i, (w, a) in enumerate(people))
)


@settings(max_examples=150)
@given(rows, parties, st.booleans())
def test_only_open_seats_are_proposed_each_once_and_the_same_every_time(
    rows: list[str], party: tuple[TravellerWishes, ...], free_only: bool
) -> None:
    shown = seat_map(*rows)
    proposal = seats_for(shown, *party, free_only=free_only)
    seats = [shown.find(d) for d in proposal.designators.values()]
    assert all(s is not None and s.available for s in seats)
    assert len({s.designator for s in seats if s}) == len(seats)
    assert [s.passenger for s in proposal.seats] == [t.passenger for t in party]
    if free_only:
        assert all(s is not None and s.price is not None and s.price.amount == 0 for s in seats)
    if any(t.age is not None and t.age < 15 for t in party):
        assert not any(s is not None and s.exit_row for s in seats)
    assert proposal == seats_for(shown, *party, free_only=free_only)


@settings(max_examples=100)
@given(rows, st.lists(st.sampled_from([p for p in Position if p is not Position.EXIT]), max_size=2))
def test_an_avoided_aisle_is_never_proposed_while_another_free_seat_is_there(rows: list[str], others: list[Position]) -> None:
    shown = seat_map(*rows)
    wishes = (NO_AISLE, *(SeatWish(position=p) for p in others if p is not Position.AISLE))
    proposal = seats_for(shown, someone(*wishes))
    free = [s for c in shown.cabins for r in c.rows for part in r.sections for s in part if s.available and not s.exit_row]
    elsewhere = [s for s in free if s.designator[-1] not in "CD" and s.price and s.price.amount == 0]
    if elsewhere:
        assert proposal.designators["tina"][-1] not in "CD"


@pytest.mark.parametrize("count", [1, 2, 4, 9])
def test_a_wide_body_is_filled_in_whole_parties(count: int) -> None:
    proposal = seats_for(seat_map(*["oxo oooo oxo"] * 40), *(someone(WINDOW, name=str(i)) for i in range(count)))
    assert len(set(proposal.designators.values())) == count
