"""What a reviewer can decide, what comes of it at the airline, and what the traveller is told."""

from __future__ import annotations

from assistant.persistence.tables import orders
from tests.stories.world import Chat, Json, Person, World, offer, proposed, seats_at_airline

TO_TOKYO = "From Shanghai to Tokyo on 11 December"


async def submitted(person: Person, *, can_hold: bool, wish: str | None = None) -> tuple[Chat, Json, Json]:
    """A conversation with one trip that waits for review, the trip, and the option chosen."""
    chat = await person.chat()
    if wish:
        await chat.say(wish)
    await chat.say(TO_TOKYO)
    trip = await chat.trip()
    chosen = offer(trip, can_hold=can_hold)
    return chat, await person.choose(trip["trip_id"], chosen["n"], offers_hash=trip["offers_hash"]), chosen


async def free_seat(person: Person, trip: Json, option: Json, why: str) -> str:
    """Another seat of this option that is free, is what `why` says and costs no more than the one proposed."""
    maps = (await person.get(f"/trips/{trip['trip_id']}/offers/{option['n']}/seat_map"))["seat_maps"]
    seats = {seat["designator"]: seat for row in maps[0]["rows"] for section in row["sections"] for seat in section}
    most = _price(seats[proposed(option)[0]])
    others = (s for s in seats.values() if s["available"] and why in s["why"] and _price(s) <= most)
    return next(s["designator"] for s in others if s["designator"] not in proposed(option))


def _price(seat: Json) -> float:
    return float(seat["price"]["amount"]) if seat["price"] else 0.0


async def test_a_round_trip_in_one_sentence_is_two_trips_decided_one_by_one(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December, back on 18 December")
    out, back = await chat.trips()
    assert out["journey_id"] == back["journey_id"]
    assert (out["request"]["direction"], back["request"]["direction"]) == ("outbound", "return")
    out, back = await tina.choose(out["trip_id"]), await tina.choose(back["trip_id"])
    await rita.decides(out["review_id"], "approve")
    await rita.decides(back["review_id"], "reject", message="Take the train back to the hotel first")
    await world.later(5)
    out, back = await tina.trip(out["trip_id"]), await tina.trip(back["trip_id"])
    assert (out["status"], back["status"]) == ("booked", "rejected")
    assert back["message"] == "Take the train back to the hotel first"
    told = "\n".join(await chat.told())
    assert "Take the train back to the hotel first" in told
    assert "Rita" in told
    assert len(world.orders()) == 1


async def test_a_rejection_releases_the_hold_at_the_airline(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    assert trip["held_until"]
    assert len(world.orders()) == 1
    await rita.decides(trip["review_id"], "reject", message="Too dear")
    await world.quiet()
    trip = await tina.trip(trip["trip_id"])
    assert trip["status"] == "rejected"
    assert world.orders() == []
    assert world.effects() == ["hold", "cancel"]
    assert [order.state for order in await world.rows(orders, trip_id=trip["trip_id"])] == ["cancelled"]


async def test_a_rejection_needs_a_reason(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=True)
    review = await rita.review(trip["review_id"])
    answer = await rita.post(f"/reviews/{trip['review_id']}/decision", {"type": "reject", "digest": review["digest"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "reason_needed")


async def test_an_expired_review_says_so_and_one_tap_asks_again(world: World, tina: Person, rita: Person) -> None:
    chat, trip, _ = await submitted(tina, can_hold=False)
    await world.later(25 * 3600)
    expired = await tina.trip(trip["trip_id"])
    assert expired["status"] == "expired"
    assert await rita.inbox() == []
    assert expired["selection"] == trip["selection"]
    assert "expired" in (await chat.told())[-1] or "in time" in (await chat.told())[-1]
    again = await tina.answer(trip["trip_id"], "resubmit")
    assert again["status"] == "waiting_review"
    assert again["review_id"] != trip["review_id"]
    assert [row["review_id"] for row in await rita.inbox()] == [again["review_id"]]
    await rita.decides(again["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"


async def test_a_decision_after_the_review_expired_comes_too_late(world: World, tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    digest = (await rita.review(trip["review_id"]))["digest"]
    await world.later(25 * 3600)
    answer = await rita.post(f"/reviews/{trip['review_id']}/decision", {"type": "approve", "digest": digest})
    assert answer.status_code == 409
    assert world.effects() == []


async def test_a_seat_edited_in_the_inbox_is_the_seat_on_the_order(world: World, tina: Person, rita: Person) -> None:
    _, trip, chosen = await submitted(tina, can_hold=False, wish="I would like an aisle seat")
    other = await free_seat(tina, trip, chosen, "aisle")
    preview = await rita.edits(trip["review_id"], {"seats": {"1": {"1": other}}})
    assert preview["agree"] is False
    await world.later(5)
    trip = await tina.trip(trip["trip_id"])
    assert trip["status"] == "booked"
    assert seats_at_airline(world.orders()[0]) == {"Ting Chen": other}
    assert trip["orders"][0]["seats"] == [other]


async def test_an_edit_that_loses_the_wish_waits_for_the_travellers_yes(world: World, tina: Person, rita: Person) -> None:
    _, trip, chosen = await submitted(tina, can_hold=False, wish="I would like a window seat")
    other = await free_seat(tina, trip, chosen, "aisle")
    preview = await rita.edits(trip["review_id"], {"seats": {"1": {"1": other}}})
    assert preview["agree"] is True
    asked = await tina.trip(trip["trip_id"])
    assert asked["status"] == "waiting_traveller"
    assert asked["question"]["differences"]
    assert world.effects() == []
    agreed = await tina.answer(trip["trip_id"], "agree", digest=asked["question"]["digest"])
    assert agreed["status"] == "ticketing"
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert seats_at_airline(world.orders()[0]) == {"Ting Chen": other}


async def test_an_edit_the_traveller_declines_leaves_their_own_choice(world: World, tina: Person, rita: Person) -> None:
    _, trip, chosen = await submitted(tina, can_hold=False, wish="I would like a window seat")
    other = await free_seat(tina, trip, chosen, "aisle")
    await rita.edits(trip["review_id"], {"seats": {"1": {"1": other}}})
    declined = await tina.answer(trip["trip_id"], "decline")
    assert declined["status"] == "waiting_review"
    assert [s["designator"] for s in declined["selection"]["seats"]] == proposed(chosen)
    assert world.effects() == []


async def test_a_question_back_comes_to_the_traveller_with_the_choice_kept(world: World, tina: Person, rita: Person) -> None:
    chat, trip, _ = await submitted(tina, can_hold=True)
    await rita.decides(trip["review_id"], "respond", message="Could you fly a day later?")
    asked = await tina.trip(trip["trip_id"])
    assert asked["status"] == "choosing"
    assert asked["question"]["message"] == "Rita: Could you fly a day later?"
    assert asked["selection"] == trip["selection"]
    assert asked["held_until"] == trip["held_until"]
    assert "Could you fly a day later?" in (await chat.told())[-1]
    again = await tina.answer(trip["trip_id"], "resubmit", message="No, the meeting is on Saturday")
    assert again["status"] == "waiting_review"
    assert any("the meeting is on Saturday" in note for note in (await rita.review(again["review_id"]))["notes"])
    assert world.effects() == ["hold"]
    await rita.decides(again["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"
    assert world.effects() == ["hold", "pay"]
