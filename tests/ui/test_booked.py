"""The receipt and the calendar file."""

from __future__ import annotations

from assistant.domain.understanding import Language
from tests.ui.scenery import NOW
from tests.ui.stage import Stage
from ui.booked import calendar, receipt
from ui.cards import trip_card
from ui.drafts import Draft
from ui.pen import Pen

TRIP = Stage(scene="booked").trips()[0]


def pen(*, sandbox: bool = True, language: Language = "en") -> Pen:
    return Pen(language, "Asia/Shanghai", NOW, sandbox)


def test_a_flight_stands_in_the_calendar_at_the_airports_own_hours() -> None:
    lines = calendar(TRIP, pen()).split("\r\n")
    assert "DTSTART:20270312T012000Z" in lines  # 09:20 in Shanghai
    assert "DTEND:20270312T040500Z" in lines  # 13:05 in Tokyo


def test_lines_of_the_calendar_are_short_and_whole() -> None:
    for language in ("zh", "en"):
        text = calendar(TRIP, pen(language=language))
        assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
        assert "QX7M2K" in text.replace("\r\n ", "")


def test_names_cannot_break_out_of_a_calendar_line() -> None:
    order = TRIP.orders[0].model_copy(update={"passengers": ("A\nDTSTART:x", "B;C,D")})
    text = calendar(TRIP.model_copy(update={"orders": (order,)}), pen()).replace("\r\n ", "")
    assert "A\\nDTSTART:x" in text
    assert "B\\;C\\,D" in text


def test_the_same_flight_is_the_same_event_when_it_is_downloaded_again() -> None:
    uids = [line for line in calendar(TRIP, pen()).split("\r\n") if line.startswith("UID:")]
    assert uids == ["UID:ord_1-0@layover"]


def test_a_booking_of_the_sandbox_says_so_on_paper_and_in_the_calendar() -> None:
    for language, words in (("zh", "不会真正出票"), ("en", "no real ticket")):
        assert words in receipt(TRIP, pen(language=language))
        assert words in calendar(TRIP, pen(language=language)).replace("\r\n ", "")
    assert "no real ticket" not in receipt(TRIP, pen(sandbox=False))
    assert "no real ticket" not in calendar(TRIP, pen(sandbox=False))


def test_a_receipt_is_complete_and_its_texts_are_text() -> None:
    order = TRIP.orders[0].model_copy(update={"passengers": ("<b>TING</b> CHEN", "WEI LI")})
    page = receipt(TRIP.model_copy(update={"orders": (order,)}), pen())
    for fact in ("QX7M2K", "781-2400511820", "14A", "MU523", "09:20", "Fri 12 Mar", "WEI LI", "2,860.00"):
        assert fact in page
    assert "<b>TING" not in page


def test_what_is_only_held_is_not_on_a_receipt() -> None:
    order = TRIP.orders[0].model_copy(update={"state": "held"})
    held = TRIP.model_copy(update={"orders": (order,)})
    assert "QX7M2K" not in receipt(held, pen())
    assert "BEGIN:VEVENT" not in calendar(held, pen())


def test_a_flight_given_up_is_taken_out_of_the_calendar_and_is_no_receipt_beside_the_new_one() -> None:
    old = TRIP.orders[0].model_copy(update={"state": "cancelled"})
    new = old.model_copy(update={"state": "confirmed", "order_id": "ord_2", "booking_reference": "NEW777"})
    both = TRIP.model_copy(update={"orders": (old, new)})
    events = calendar(both, pen()).split("BEGIN:VEVENT")[1:]
    assert ["STATUS:CANCELLED" in event for event in events] == [True, False]
    assert "QX7M2K" not in receipt(both, pen())
    assert "cancelled" in receipt(TRIP.model_copy(update={"orders": (old,)}), pen())


def test_the_card_shows_the_booking_that_stands_and_folds_the_one_that_was_given_up() -> None:
    old = TRIP.orders[0].model_copy(update={"state": "cancelled"})
    new = old.model_copy(update={"state": "confirmed", "order_id": "ord_2", "booking_reference": "NEW777"})
    card = trip_card(TRIP.model_copy(update={"orders": (old, new)}), Draft(), (), (), pen())
    assert "booked · NEW777" in card
    assert card.count('class="manifest"') == 2
    assert '<details class="ended"' in card
