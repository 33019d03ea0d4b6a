"""From the list to the submitted choice: a pick is said back, and only a yes to exactly that chooses."""

from __future__ import annotations

from assistant.domain.flights import Condition
from assistant.domain.trips import ActiveWish, SeatSuggestion, TripStatus
from assistant.domain.understanding import Intent, Position, Rank, Reference, SeatWish, Slots
from tests.graphs.talking import FRIDAY, TOKYO, Conversation, on, shown, trip, understood

SECOND = understood(Intent.CHOOSE, references=(Reference(n=2),))
SATURDAY = FRIDAY.replace(day=5)
YES, NO = understood(Intent.CONFIRM), understood(Intent.DECLINE)


async def with_list(**facts: object) -> Conversation:
    talk = Conversation(trips=[trip(**facts)])
    await talk.happened("trip-1", TripStatus.CHOOSING)
    return talk


async def test_found_options_are_told_with_the_cheapest_and_the_best_and_two_buttons() -> None:
    talk = Conversation(trips=[trip()])
    state = await talk.happened("trip-1", TripStatus.CHOOSING)
    text = state["reply"]["text"]
    assert text.startswith("Shanghai to Tokyo (Fri 4 Dec): 3 options, from 1,800.00\N{NO-BREAK SPACE}CNY.")
    assert "I suggest option 1: MU523 Shanghai PVG 09:00 → Tokyo NRT 13:00, nonstop" in text
    assert "Seats: 14A (window, front half)." in text
    assert [o["say"] for o in state["reply"]["options"]] == ["option 1", "option 2"]
    assert state["shown"] == [{"trip_id": "trip-1", "offers_hash": "list-1"}]
    assert state["reply"]["asked"] == "offer"


async def test_a_pick_is_said_back_with_seat_price_and_hold_and_chooses_nothing_yet() -> None:
    talk = await with_list()
    state = await talk.say("the second one", SECOND)
    assert state["proposes"] == []
    text = state["reply"]["text"]
    assert (
        "Option 2: Fri 4 Dec, MU525 Shanghai PVG 15:00 → Tokyo NRT 19:00, economy, 1,800.00\N{NO-BREAK SPACE}CNY in all." in text
    )
    assert "the fare is held free of charge until Tue 1 Dec 09:00" in text
    assert text.endswith("Submit option 2 (1,800.00\N{NO-BREAK SPACE}CNY) for approval?")


async def test_only_a_yes_chooses_what_was_said_back() -> None:
    talk = await with_list()
    await talk.say("the second one", SECOND)
    state = await talk.say("yes", YES)
    assert state["proposes"] == [{"kind": "choose", "trip_id": "trip-1", "payload": {"offer": 2, "offers_hash": "list-1"}}]
    assert state["proposal"] is None
    assert (await talk.say("yes", YES))["proposes"] == []


async def test_a_yes_out_of_the_blue_chooses_nothing() -> None:
    talk = await with_list()
    assert (await talk.say("yes", YES))["proposes"] == []


async def test_a_no_submits_nothing_and_shows_the_others() -> None:
    talk = await with_list()
    await talk.say("the second one", SECOND)
    state = await talk.say("no", NO)
    assert state["proposes"] == []
    assert "nothing is submitted" in state["reply"]["text"]
    assert "1. " in state["reply"]["text"]
    assert "2. " not in state["reply"]["text"]


async def test_the_cheapest_the_latest_and_the_last_are_found() -> None:
    talk = await with_list()
    for reference, n in (
        (Reference(superlative=Rank.CHEAPEST), 2),
        (Reference(superlative=Rank.LATEST), 3),
        (Reference(n=-1), 3),
        (Reference(flight_number="MU527"), 3),
    ):
        state = await talk.say("that one", understood(Intent.CHOOSE, references=(reference,)))
        assert state["proposal"]["n"] == n


async def test_a_seat_named_in_words_goes_along() -> None:
    talk = await with_list()
    await talk.say("the second one, 20C", understood(Intent.CHOOSE, references=(Reference(n=2, seats=("20C",)),)))
    state = await talk.say("yes", YES)
    assert state["proposes"][0]["payload"]["seats"] == {"1": {"1": "20C"}}


async def test_another_seat_for_the_option_said_back_keeps_the_option() -> None:
    talk = await with_list()
    await talk.say("the second one", SECOND)
    state = await talk.say("rather 20C", understood(Intent.CHOOSE, references=(Reference(seats=("20C",)),)))
    assert (state["proposal"]["n"], state["proposal"]["seats"]) == (2, {"1": {"1": "20C"}})


async def test_more_seats_than_passengers_are_asked_about() -> None:
    talk = await with_list()
    state = await talk.say("14A and 14B", understood(Intent.CHOOSE, references=(Reference(n=1, seats=("14A", "14B")),)))
    assert state["reply"]["text"] == "You named 2 seats for 1 passenger."


async def test_nothing_is_submitted_while_a_passenger_has_no_name() -> None:
    talk = await with_list(request={"adults": 2}, missing_passengers=1)
    await talk.say("the second one", SECOND)
    state = await talk.say("yes", YES)
    assert state["proposes"] == []
    assert "form beside the chat" in state["reply"]["text"]
    talk.trips = [trip(request={"adults": 2})]
    assert [p["kind"] for p in (await talk.say("yes", YES))["proposes"]] == ["choose"]


async def test_a_pick_from_a_list_that_has_changed_shows_the_new_one() -> None:
    talk = await with_list()
    talk.trips = [trip(offers_hash="list-2")]
    state = await talk.say("the second one", SECOND)
    assert state["reply"]["text"].startswith("The list has changed")
    assert state["shown"][0]["offers_hash"] == "list-2"
    assert (await talk.say("the second one", SECOND))["proposal"]["offers_hash"] == "list-2"


async def test_a_list_that_changes_between_pick_and_yes_is_not_chosen_from() -> None:
    talk = await with_list()
    await talk.say("the second one", SECOND)
    talk.trips = [trip(offers_hash="list-2")]
    state = await talk.say("yes", YES)
    assert state["proposes"] == []
    assert state["reply"]["text"].startswith("The list has changed")


async def test_an_option_that_does_not_exist_is_said_so() -> None:
    talk = await with_list()
    state = await talk.say("the ninth", understood(Intent.CHOOSE, references=(Reference(n=9),)))
    assert state["reply"]["text"] == "There is no such option; the list has 3."


async def test_a_pick_without_any_list_says_what_to_do() -> None:
    state = await Conversation().say("the second one", SECOND)
    assert state["reply"]["text"].startswith("There is nothing to pick from yet.")


async def test_a_question_between_pick_and_yes_is_answered_and_the_pick_kept_open() -> None:
    talk = await with_list()
    await talk.say("the second one", SECOND)
    state = await talk.say("hm, what a day", understood(Intent.SMALLTALK))
    assert state["reply"]["text"].endswith("is not submitted yet. Submit it for approval?")
    assert [p["kind"] for p in (await talk.say("yes", YES))["proposes"]] == ["choose"]


async def test_a_carrier_that_cannot_hold_seats_is_said_before_the_yes() -> None:
    talk = await with_list(fares=(shown(1, "2100", seats_on_hold=False),))
    state = await talk.say("that one", understood(Intent.CHOOSE))
    assert "bought at once on approval" in state["reply"]["text"]


async def test_the_nearest_seat_is_shown_where_no_seat_fits_the_wish() -> None:
    talk = await with_list(fares=(shown(1, "2100", seats="14B", seats_fit=False, missed=("window",)),))
    state = await talk.say("that one", understood(Intent.CHOOSE))
    assert "Not available: a window seat; this is the nearest to it." in state["reply"]["text"]


async def test_the_others_keep_their_suggested_seats_when_one_seat_is_named() -> None:
    both = shown(1, "4200", seats="")
    key = both.fare.segment_keys[0]
    seats = tuple(SeatSuggestion(position=i, segment_key=key, designator=d) for i, d in enumerate(("14A", "14B")))
    talk = await with_list(request={"adults": 2}, fares=(both.model_copy(update={"seats": seats}),))
    await talk.say("14B for me", understood(Intent.CHOOSE, references=(Reference(n=1, seats=("14B",)),)))
    state = await talk.say("yes", YES)
    assert state["proposes"][0]["payload"]["seats"] == {"1": {"1": "14B"}, "2": {"1": "14A"}}


async def test_no_but_the_third_is_a_new_pick_and_not_only_a_no() -> None:
    talk = await with_list()
    await talk.say("the second one", SECOND)
    state = await talk.say("no, the third", understood(Intent.DECLINE, Intent.CHOOSE, references=(Reference(n=3),)))
    assert state["proposal"]["n"] == 3
    assert state["proposes"] == []


async def test_yes_but_another_seat_is_said_back_again() -> None:
    talk = await with_list()
    await talk.say("the second one", SECOND)
    means = understood(Intent.CONFIRM, Intent.CHOOSE, references=(Reference(seats=("20C",)),))
    state = await talk.say("yes, but 20C", means)
    assert state["proposes"] == []
    assert state["proposal"]["seats"] == {"1": {"1": "20C"}}


async def test_yes_to_the_very_option_said_back_is_a_yes() -> None:
    talk = await with_list()
    await talk.say("the second one", SECOND)
    state = await talk.say("yes, number two", understood(Intent.CONFIRM, Intent.CHOOSE, references=(Reference(n=2),)))
    assert [p["kind"] for p in state["proposes"]] == ["choose"]


async def test_none_of_the_list_asks_what_to_change_and_takes_the_answer() -> None:
    talk = await with_list()
    state = await talk.say("none of these", NO)
    assert state["reply"]["asked"] == "change"
    state = await talk.say("Saturday", understood(slots=Slots(depart=on(SATURDAY))))
    assert [p["kind"] for p in state["proposes"]] == ["revise_trip"]


async def test_news_of_another_trip_leaves_the_pick_open_and_says_so() -> None:
    talk = Conversation(trips=[trip(), trip(TripStatus.BOOKED, trip_id="trip-2")])
    await talk.happened("trip-1", TripStatus.CHOOSING)
    await talk.say("the second one", SECOND)
    state = await talk.happened("trip-2", TripStatus.BOOKED)
    assert state["reply"]["text"].endswith("for approval?")
    assert [p["kind"] for p in (await talk.say("yes", YES))["proposes"]] == ["choose"]


async def test_a_wish_for_the_cheapest_picks_from_the_open_list_instead_of_searching_again() -> None:
    talk = await with_list()
    state = await talk.say("the cheapest", understood(Intent.SEARCH, slots=Slots(rank=Rank.CHEAPEST)))
    assert (state["proposes"], state["proposal"]["n"]) == ([], 2)


async def test_which_is_the_earliest_is_answered_with_that_one() -> None:
    talk = await with_list()
    state = await talk.say("which is earliest?", understood(Intent.COMPARE, slots=Slots(rank=Rank.EARLIEST)))
    assert state["reply"]["text"].splitlines()[0].startswith("That is option 1: MU523")
    assert "525" not in state["reply"]["text"]


async def test_yes_to_which_one_takes_the_one_suggested_and_still_says_it_back() -> None:
    talk = await with_list()
    state = await talk.say("yes", YES)
    assert (state["proposes"], state["proposal"]["n"]) == ([], 1)


async def test_another_option_after_a_rejection_is_a_change_of_that_trip() -> None:
    talk = await with_list()
    talk.trips = [trip(TripStatus.REJECTED, question=None)]
    await talk.say("then the second", SECOND)
    state = await talk.say("yes", YES)
    assert state["proposes"] == [{"kind": "revise_trip", "trip_id": "trip-1", "payload": {"offer": 2}}]


async def test_the_list_that_waits_for_a_pick_comes_before_one_already_chosen_from() -> None:
    talk = Conversation(trips=[trip(), trip(TripStatus.BOOKED, trip_id="trip-2", question=None)])
    await talk.happened("trip-1", TripStatus.CHOOSING)
    await talk.happened("trip-2", TripStatus.CHOOSING)
    assert (await talk.say("the second one", SECOND))["proposal"]["trip_id"] == "trip-1"


async def test_a_long_list_says_how_much_of_it_is_shown() -> None:
    fares = tuple(shown(n, str(2000 + n), number=str(500 + n)) for n in range(1, 9))
    talk = await with_list(fares=fares)
    await talk.say("the first", understood(Intent.CHOOSE, references=(Reference(n=1),)))
    state = await talk.say("no", NO)
    assert "The first 5 of 7 options:" in state["reply"]["text"]


async def test_after_the_way_out_the_way_back_is_picked() -> None:
    out = trip(request={"direction": "outbound"})
    back = trip(trip_id="trip-2", request={"direction": "return", "origin": "TYO", "destination": "SHA"})
    talk = Conversation(trips=[out, back])
    await talk.happened("trip-2", TripStatus.CHOOSING)
    await talk.happened("trip-1", TripStatus.CHOOSING)
    await talk.say("the second one", SECOND)
    state = await talk.say("yes", YES)
    assert state["proposes"][0]["trip_id"] == "trip-1"
    assert "Next, the return trip on" in state["reply"]["text"]
    assert (await talk.say("the second one", SECOND))["proposal"]["trip_id"] == "trip-2"


async def test_the_way_named_decides_which_list_is_meant() -> None:
    out = trip(request={"direction": "outbound"})
    back = trip(trip_id="trip-2", request={"direction": "return", "origin": "TYO", "destination": "SHA"})
    talk = Conversation(trips=[out, back])
    await talk.happened("trip-1", TripStatus.CHOOSING)
    await talk.happened("trip-2", TripStatus.CHOOSING)
    state = await talk.say("outbound: the second", understood(Intent.CHOOSE, references=(Reference(trip="outbound", n=2),)))
    assert state["proposal"]["trip_id"] == "trip-1"


async def test_two_options_are_compared_in_a_few_lines() -> None:
    refundable = shown(2, "1800", number="525", hour=15, refund=Condition(allowed=True))
    talk = await with_list(fares=(shown(1, "2100", refund=Condition(allowed=False)), refundable))
    state = await talk.say("compare 1 and 2", understood(Intent.COMPARE, references=(Reference(n=1), Reference(n=2))))
    assert state["reply"]["text"].endswith("Option 2 costs 300.00\N{NO-BREAK SPACE}CNY less and is refundable.")
    assert state["proposes"] == []


async def test_a_new_day_for_a_trip_still_choosing_searches_again() -> None:
    talk = await with_list()
    state = await talk.say("what about Saturday", understood(Intent.CHANGE, slots=Slots(depart=on(SATURDAY))))
    assert state["proposes"] == [
        {
            "kind": "revise_trip",
            "trip_id": "trip-1",
            "payload": {"request": {"depart_on": "2026-12-05"}},
        }
    ]


async def test_a_change_of_a_waiting_trip_is_said_back_first() -> None:
    talk = Conversation(trips=[trip(TripStatus.WAITING_REVIEW, question="review")])
    state = await talk.say("make it Saturday", understood(Intent.CHANGE, slots=Slots(depart=on(SATURDAY))))
    assert state["proposes"] == []
    assert "The present approval request lapses" in state["reply"]["text"]
    state = await talk.say("yes", YES)
    assert state["proposes"][0]["kind"] == "revise_trip"


async def test_another_destination_in_a_new_request_is_a_new_trip() -> None:
    talk = await with_list()
    slots = Slots(origin=TOKYO, destination=TOKYO.model_copy(update={"text": "Osaka", "codes": ("KIX",)}), depart=on(SATURDAY))
    state = await talk.say("and Tokyo to Osaka on Saturday", understood(Intent.SEARCH, slots=slots))
    assert state["proposes"][0]["kind"] == "start_trip"


async def test_a_remembered_wish_that_was_used_is_named() -> None:
    talk = await with_list()
    talk.wishes = [_wish(Position.WINDOW)]
    state = await talk.say("the second one", SECOND)
    assert "This uses what you told me before: a window seat." in state["reply"]["text"]


def _wish(position: Position) -> ActiveWish:
    return ActiveWish(**SeatWish(position=position).model_dump(), wish_id="w1", conversation_id="another")
