"""What is said of a list that is open: changed both ways, a way more or less, the rest of the list, the nearest."""

from __future__ import annotations

from datetime import date

from assistant.domain.trips import TripStatus
from assistant.domain.understanding import Intent, Passengers, Slots, TripType, Unsure, When
from tests.graphs.talking import FRIDAY, SHANGHAI, TOKYO, Conversation, on, trip, understood

MONDAY = date(2026, 12, 7)


def both_ways() -> list[object]:
    there = trip(trip_id="there", request={"direction": "outbound"})
    back = trip(trip_id="back", request={"origin": "TYO", "destination": "SHA", "depart_on": MONDAY, "direction": "return"})
    return [there, back]


def listed(*trips: object) -> Conversation:
    return Conversation(trips=list(trips))  # pyright: ignore[reportArgumentType]


async def test_more_people_are_more_people_on_both_ways() -> None:
    talk = listed(*both_ways())
    await talk.happened("there", TripStatus.CHOOSING)
    said = understood(Intent.CONFIRM, Intent.SEARCH, slots=Slots(passengers=Passengers(adults=3)))
    state = await talk.say("That suits us, for three people please", said)
    assert [(p["kind"], p["trip_id"]) for p in state["proposes"]] == [("revise_trip", "there"), ("revise_trip", "back")]
    assert "form beside the chat" in state["reply"]["text"]


async def test_another_place_to_start_from_is_where_the_way_back_ends() -> None:
    talk = listed(*both_ways())
    await talk.happened("there", TripStatus.CHOOSING)
    beijing = SHANGHAI.model_copy(update={"text": "Beijing", "codes": ("PEK", "PKX"), "city": "Beijing"})
    state = await talk.say("From Beijing instead", understood(Intent.CHANGE, slots=Slots(origin=beijing)))
    there, back = (p["payload"]["request"] for p in state["proposes"])
    assert (there, back) == ({"origin": "BJS"}, {"destination": "BJS"})


async def test_a_yes_that_repeats_what_is_there_is_a_yes() -> None:
    talk = listed(trip())
    await talk.happened("trip-1", TripStatus.CHOOSING)
    await talk.say("good", understood(Intent.CONFIRM))
    same = Slots(cabin="economy", passengers=Passengers(adults=1))  # pyright: ignore[reportArgumentType]
    state = await talk.say("Yes, make it economy for one", understood(Intent.CONFIRM, Intent.CHANGE, slots=same))
    assert [p["kind"] for p in state["proposes"]] == ["choose"]


async def test_a_one_way_list_becomes_a_round_trip_once_the_day_back_is_known() -> None:
    talk = listed(trip())
    await talk.happened("trip-1", TripStatus.CHOOSING)
    state = await talk.say("Make it a round trip", understood(Intent.SEARCH, slots=Slots(trip_type=TripType.ROUND_TRIP)))
    assert state["reply"]["asked"] == "return"
    state = await talk.say("the seventh", understood(Intent.SEARCH, slots=Slots(return_=on(MONDAY))))
    assert [p["kind"] for p in state["proposes"]] == ["cancel_trip", "start_trip", "start_trip"]
    gone = trip(TripStatus.CANCELLED)
    talk.trips = [gone]
    assert (await talk.happened("trip-1", TripStatus.CANCELLED))["reply"] is None


async def test_a_round_trip_becomes_one_way() -> None:
    talk = listed(*both_ways())
    await talk.happened("there", TripStatus.CHOOSING)
    state = await talk.say("one way is enough", understood(Intent.SEARCH, slots=Slots(trip_type=TripType.ONE_WAY)))
    assert [(p["kind"], p["trip_id"]) for p in state["proposes"]] == [("cancel_trip", "back")]


async def test_what_else_there_is_is_the_rest_of_the_list_and_not_a_new_search() -> None:
    talk = listed(trip())
    await talk.happened("trip-1", TripStatus.CHOOSING)
    state = await talk.say("Anything else?", understood(Intent.SEARCH))
    assert "3. " in state["reply"]["text"]
    state = await talk.say("And others?", understood(Intent.SEARCH))
    assert "That is all 3 of them" in state["reply"]["text"]
    assert state["proposes"] == []


async def test_the_way_back_waits_until_the_way_out_is_picked() -> None:
    talk = listed(*both_ways())
    state = await talk.happened("back", TripStatus.CHOOSING)
    assert "the way out first" in state["reply"]["text"]
    assert state["shown"][0]["trip_id"] == "there"


async def test_a_limit_given_up_is_taken_off_the_search() -> None:
    talk = listed(trip(request={"airlines": ("MU",), "depart_on": FRIDAY}))
    await talk.happened("trip-1", TripStatus.CHOOSING)
    state = await talk.say("Any airline will do", understood(Intent.SEARCH, given_up=("airlines",)))
    assert state["proposes"][0]["payload"]["request"] == {"airlines": []}


async def test_where_nothing_fits_what_differs_is_said() -> None:
    talk = listed(trip(request={"airlines": ("NH",)}))
    state = await talk.happened("trip-1", TripStatus.CHOOSING, reason="nearest")
    assert "they are with other airlines" in state["reply"]["text"]


async def test_no_thanks_to_a_list_is_good_bye() -> None:
    talk = listed(trip())
    await talk.happened("trip-1", TripStatus.CHOOSING)
    state = await talk.say("No, thanks a lot", understood(Intent.DECLINE, Intent.SMALLTALK))
    assert state["reply"]["text"] == "You are welcome."


async def test_an_okay_before_a_question_submits_nothing() -> None:
    talk = listed(trip())
    await talk.happened("trip-1", TripStatus.CHOOSING)
    state = await talk.say("Okay, and the bags?", understood(Intent.CONFIRM, Intent.ASK_FACT))
    assert state["proposal"] is None if "proposal" in state else True
    assert state["proposes"] == []


async def test_a_place_named_in_a_question_starts_no_search() -> None:
    talk = listed(trip(TripStatus.WAITING_REVIEW))
    state = await talk.say(
        "When does it land in Tokyo?", understood(Intent.ASK_FACT, Intent.SEARCH, slots=Slots(destination=TOKYO))
    )
    assert state["reply"]["asked"] is None
    assert state["draft"]["destination"] is None


async def test_a_day_that_is_not_in_the_calendar_leaves_the_list_as_it_is() -> None:
    talk = listed(trip())
    await talk.happened("trip-1", TripStatus.CHOOSING)
    doubt = Unsure(slot="depart", reason="impossible_date", text="30 February", candidates=("2027-02-28", "2027-03-01"))
    said = understood(Intent.CHANGE, slots=Slots(depart=When(text="30 February")), unsure=(doubt,))
    state = await talk.say("Make it 30 February instead", said)
    assert state["proposes"] == []
    assert "There is no “30 February”" in state["reply"]["text"]
    assert len(state["reply"]["options"]) == 2
