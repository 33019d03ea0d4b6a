"""What is picked on the page before it is sent."""

from __future__ import annotations

import pytest

from tests.ui.scenery import DIRECT, cny, seat_map_of
from tests.ui.stage import Stage
from ui.drafts import Draft, all_seats, draft_of, drafts_of, seats_now, total_of

STAGE = Stage()
OFFER = STAGE.offers()[0]
PICKED = Draft(stage="seats", offer=1, offers_hash="h1")


def now(draft: Draft) -> dict[int, str]:
    return seats_now(draft, OFFER, DIRECT.key, 1)


def test_the_proposal_stands_until_a_seat_is_clicked() -> None:
    assert now(PICKED) == {0: "14A", 1: "14B"}
    assert now(PICKED.with_seat(now(PICKED), 0, "20F")) == {0: "20F", 1: "14B"}


def test_clicking_the_seat_of_the_other_traveller_changes_the_two() -> None:
    assert now(PICKED.with_seat(now(PICKED), 0, "14B")) == {0: "14B", 1: "14A"}


def test_after_one_traveller_the_next_one_is_seated() -> None:
    assert PICKED.with_seat(now(PICKED), 0, "20F").active == 1
    assert PICKED.with_seat(now(PICKED), 1, "20F").active == 1


def test_everybody_is_sent_with_their_seat() -> None:
    assert all_seats(PICKED.with_seat(now(PICKED), 1, "14D"), OFFER) == {"1": {"1": "14A"}, "2": {"1": "14D"}}


def test_a_seat_that_costs_is_in_the_total() -> None:
    maps = [seat_map_of(DIRECT, 1, ("14A", "14B"))]
    assert total_of(PICKED, OFFER, maps) == OFFER.total
    assert total_of(PICKED.with_seat(now(PICKED), 0, "12A"), OFFER, maps) == OFFER.fare.total + cny("180")


def test_a_pick_from_another_list_is_no_pick() -> None:
    trip = STAGE.trips()[0]
    assert PICKED.picked(trip) == OFFER
    assert Draft(offer=1, offers_hash="another").picked(trip) is None


@pytest.mark.parametrize(
    "sent",
    [None, 7, "x", [], {"offer": "<b>"}, {"stage": "paid"}, {"seats": {"1": {"1": "<script>"}}}, {"total": 1}, {"active": 99}],
)
def test_what_does_not_fit_counts_as_not_picked(sent: object) -> None:
    assert draft_of(sent) == Draft()
    assert drafts_of({"t1": sent}) == {"t1": Draft()}
    assert drafts_of(sent if not isinstance(sent, dict) else None) == {}
