"""Putting a search together: one question at a time, never for what was said."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from assistant.domain.trips import TripStatus
from assistant.domain.understanding import Intent, Passengers, Place, Rank, Slots, TripType, Unsure
from tests.graphs.talking import FRIDAY, NOW, SHANGHAI, TOKYO, Conversation, on, trip, understood

ALL_SAID = Slots(origin=SHANGHAI, destination=TOKYO, depart=on(FRIDAY))


async def test_a_complete_request_starts_the_search_and_says_what_is_looked_for() -> None:
    talk = Conversation()
    state = await talk.say("下周五从上海去东京", understood(Intent.SEARCH, language="zh", slots=ALL_SAID))
    (started,) = state["proposes"]
    assert started["kind"] == "start_trip"
    assert started["payload"]["request"]["origin"] == "SHA"
    assert started["payload"]["request"]["destination"] == "TYO"
    assert started["payload"]["request"]["depart_on"] == "2026-12-04"
    assert state["reply"]["text"] == "正在查：上海到东京，12月4日周五。"
    assert state["reply"]["asked"] is None


async def test_one_missing_thing_is_asked_at_a_time_and_nothing_twice() -> None:
    talk = Conversation()
    first = await talk.say("I need a flight to Tokyo", understood(Intent.SEARCH, slots=Slots(destination=TOKYO)))
    assert first["reply"]["text"] == "Where are you flying from?"
    second = await talk.say("Shanghai", understood(slots=Slots(origin=SHANGHAI)))
    assert second["reply"]["asked"] == "depart"
    third = await talk.say("Friday", understood(slots=Slots(depart=on(FRIDAY))))
    assert [p["kind"] for p in third["proposes"]] == ["start_trip"]


async def test_a_round_trip_in_one_sentence_starts_two_trips() -> None:
    slots = ALL_SAID.model_copy(update={"trip_type": TripType.ROUND_TRIP, "return_": on(FRIDAY + timedelta(days=3))})
    state = await Conversation().say("there and back", understood(Intent.SEARCH, slots=slots))
    there, back = (p["payload"]["request"] for p in state["proposes"])
    assert (there["direction"], there["origin"], there["depart_on"]) == ("outbound", "SHA", "2026-12-04")
    assert (back["direction"], back["origin"], back["depart_on"]) == ("return", "TYO", "2026-12-07")


async def test_a_round_trip_without_a_way_back_asks_for_its_day() -> None:
    slots = ALL_SAID.model_copy(update={"trip_type": TripType.ROUND_TRIP})
    state = await Conversation().say("round trip", understood(Intent.SEARCH, slots=slots))
    assert state["reply"]["asked"] == "return"
    assert state["proposes"] == []


async def test_the_ages_of_children_are_asked_before_the_search() -> None:
    talk = Conversation()
    slots = ALL_SAID.model_copy(update={"passengers": Passengers(adults=2, children=1)})
    state = await talk.say("two adults and a child", understood(Intent.SEARCH, slots=slots))
    assert state["reply"]["text"] == "How old is the child?"
    state = await talk.say("five", understood(slots=Slots(passengers=Passengers(ages=(5,)))))
    request = state["proposes"][0]["payload"]["request"]
    assert (request["adults"], request["ages"]) == (2, [5])
    assert "form beside the chat" in state["reply"]["text"]


async def test_what_was_unsure_is_said_back_and_searched_only_after_a_yes() -> None:
    talk = Conversation()
    slots = ALL_SAID.model_copy(update={"origin": SHANGHAI.model_copy(update={"text": "Shangai"})})
    doubt = Unsure(slot="origin", reason="misspelt", text="Shangai", candidates=("SHA",))
    state = await talk.say("from Shangai to Tokyo on Friday", understood(Intent.SEARCH, slots=slots, unsure=(doubt,)))
    assert state["proposes"] == []
    assert state["reply"]["text"] == ("I took “Shangai” as Shanghai.\nSo that is: Shanghai to Tokyo, Fri 4 Dec. Shall I search?")
    state = await talk.say("yes", understood(Intent.CONFIRM))
    assert [p["kind"] for p in state["proposes"]] == ["start_trip"]


async def test_a_correction_of_what_was_unsure_searches_without_another_question() -> None:
    talk = Conversation()
    doubt = Unsure(slot="origin", reason="misspelt", text="Shangai", candidates=("SHA",))
    await talk.say("from Shangai", understood(Intent.SEARCH, slots=ALL_SAID, unsure=(doubt,)))
    beijing = Place(text="Beijing", kind="city", codes=("PEK", "PKX"))
    state = await talk.say("no, Beijing", understood(Intent.CHANGE, slots=Slots(origin=beijing), corrected=("origin",)))
    assert state["proposes"][0]["payload"]["request"]["origin"] == "BJS"


async def test_an_unknown_place_is_told_and_asked_again() -> None:
    doubt = Unsure(slot="destination", reason="unknown_place", text="Nowhereville")
    state = await Conversation().say("Nowhereville", understood(Intent.SEARCH, slots=Slots(origin=SHANGHAI), unsure=(doubt,)))
    assert state["reply"]["text"].startswith("I do not know a place called “Nowhereville”.")
    assert state["reply"]["asked"] == "destination"


async def test_a_day_in_the_past_is_refused_and_asked_again() -> None:
    slots = ALL_SAID.model_copy(update={"depart": on(date(2026, 11, 2))})
    state = await Conversation().say("2 November", understood(Intent.SEARCH, slots=slots))
    assert state["reply"]["text"] == "Mon 2 Nov is already past.\nWhich day would you like to leave?"
    assert state["proposes"] == []


@pytest.mark.parametrize("name", ["depart", "return_"])
async def test_a_day_no_airline_sells_yet_is_refused_and_asked_again(name: str) -> None:
    slots = ALL_SAID.model_copy(update={name: on(date(2099, 12, 31))})
    state = await Conversation().say("31 December 2099", understood(Intent.SEARCH, slots=slots))
    assert state["reply"]["text"].startswith("That day is too far ahead")
    assert state["reply"]["asked"] == name.strip("_")
    assert state["proposes"] == []


async def test_a_trip_is_not_moved_to_a_day_no_airline_sells_yet() -> None:
    talk = Conversation(trips=[trip()])
    state = await talk.say("make it 2099", understood(Intent.CHANGE, slots=Slots(depart=on(date(2099, 12, 31)))))
    assert state["reply"]["text"].startswith("That day is too far ahead")
    assert state["proposes"] == []


async def test_today_is_the_travellers_today() -> None:
    talk = Conversation(at=NOW.replace(hour=20), timezone="Asia/Shanghai")  # already Tuesday there
    slots = ALL_SAID.model_copy(update={"depart": on(date(2026, 11, 30))})
    assert (await talk.say("today", understood(Intent.SEARCH, slots=slots)))["proposes"] == []


async def test_an_infant_needs_an_adult() -> None:
    slots = ALL_SAID.model_copy(update={"passengers": Passengers(adults=1, infants=2)})
    state = await Conversation().say("me and two babies", understood(Intent.SEARCH, slots=slots))
    assert state["reply"]["text"].startswith("Each infant needs an adult.")


async def test_small_talk_starts_nothing_and_keeps_the_open_question() -> None:
    talk = Conversation()
    await talk.say("去东京", understood(Intent.SEARCH, language="zh", slots=Slots(destination=TOKYO)))
    state = await talk.say("今天天气真好", understood(Intent.SMALLTALK, language="zh"))
    assert state["reply"]["text"].endswith("从哪里出发？")
    assert state["reply"]["asked"] == "origin"
    assert state["proposes"] == []


async def test_what_the_product_cannot_do_is_said_plainly() -> None:
    state = await Conversation().say("book me a hotel", understood(Intent.OUT_OF_SCOPE))
    assert state["proposes"] == []
    assert state["reply"]["text"].startswith("That is beyond me")


async def test_a_reply_is_streamed_as_it_is_written() -> None:
    talk = Conversation()
    state = await talk.say("hello", understood(Intent.SMALLTALK))
    assert "".join(talk.streamed) == state["reply"]["text"]


async def test_the_draft_is_gone_once_its_search_has_started() -> None:
    talk = Conversation()
    await talk.say("all of it", understood(Intent.SEARCH, slots=ALL_SAID))
    state = await talk.say("and to Tokyo again", understood(Intent.SEARCH, slots=Slots(destination=TOKYO)))
    assert state["reply"]["asked"] == "origin"


async def test_two_airports_of_one_city_are_told_apart() -> None:
    heathrow, stansted = (Place(text=code, kind="airport", codes=(code,)) for code in ("LHR", "STN"))
    slots = Slots(origin=heathrow, destination=stansted, depart=on(FRIDAY))
    state = await Conversation().say("from LHR to STN on Friday", understood(Intent.SEARCH, slots=slots))
    assert state["reply"]["text"] == "Searching: London LHR to London STN, Fri 4 Dec."


async def test_what_is_said_about_a_list_does_not_leak_into_the_next_search() -> None:
    talk = Conversation(trips=[trip()])
    await talk.happened("trip-1", TripStatus.CHOOSING)
    await talk.say("the cheapest", understood(Intent.CHOOSE, slots=Slots(rank=Rank.CHEAPEST, depart=on(FRIDAY))))
    state = await talk.say("how much?", understood(Intent.ASK_FACT))
    assert state["reply"]["asked"] == "proposal"
    other = ALL_SAID.model_copy(update={"destination": Place(text="Osaka", kind="airport", codes=("KIX",))})
    state = await talk.say("and Shanghai to Osaka on Friday", understood(Intent.SEARCH, slots=other))
    assert state["proposes"][0]["payload"]["request"]["rank"] is None
