"""A flight that the airline has moved: before and now, what of the journey still works, and what can be done. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from assistant.domain.flights import Segment
from assistant.views.shapes import MovedView, TripView

from .buttons import button
from .flights import legs, strip
from .icons import icon
from .markup import NOTHING, tag
from .pen import Pen


def moved_card(trip: TripView, pen: Pen, *, answering: bool) -> Markup:
    """`answering`: the reader is the traveller, whose word it is; what the desk answered them stands above the buttons."""
    moved = trip.moved
    if moved is None:
        return NOTHING
    reply = trip.question and (trip.question.message or trip.message)
    reference = tag("span", moved.booking_reference, class_="mono") if moved.booking_reference else None
    return tag(
        "section",
        tag("h3", icon("clock", 18), tag("span", pen("moved.title")), reference),
        _times(moved.was.segments, pen("moved.before"), "before", pen),
        _times(moved.now.segments, pen("moved.after"), "after", pen),
        tag("ul", _works(moved, pen), class_="checks"),
        tag("blockquote", reply, tag("cite", trip.decided_by) if trip.decided_by else None) if reply else None,
        _asked(trip, pen) if trip.asks else _answers(moved.answers, trip.trip_id, pen) if answering else None,
        class_="banner act moved",
        data_moved=trip.trip_id,
        aria_label=pen("moved.title"),
    )


def _times(segments: Sequence[Segment], label: str, when: str, pen: Pen) -> Markup:
    head = tag("p", tag("b", label), tag("span", pen.day(segments[0].departs)), class_="when-head")
    return tag("div", head, strip(segments, pen), legs(segments, pen) if len(segments) > 1 else None, class_=f"times {when}")


def _works(moved: MovedView, pen: Pen) -> list[Markup]:
    """The shift, then each thing that could break; a flight that stands alone says only the first."""
    said: list[tuple[bool | None, str]] = [(None, shift_of(moved, pen))]
    if moved.connection is not None:
        said.append((moved.connection, pen("moved.connection_works" if moved.connection else "moved.connection_lost")))
    if moved.other_way is not None:
        said.append((moved.other_way, pen("moved.other_way_works" if moved.other_way else "moved.other_way_lost")))
    tones = {None: ("wait", "clock"), True: ("ok", "check"), False: ("stop", "cross")}
    return [tag("li", icon(tones[works][1], 15), tag("span", text), class_=tones[works][0]) for works, text in said]


def shift_of(moved: MovedView, pen: Pen) -> str:
    """By how much it leaves earlier or later, local to the airport it leaves from."""
    minutes = int((moved.now.segments[0].departs - moved.was.segments[0].departs).total_seconds() // 60)
    if minutes == 0:
        return pen("moved.same_departure")
    return pen("moved.later" if minutes > 0 else "moved.earlier", minutes=abs(minutes))


def _asked(trip: TripView, pen: Pen) -> Markup:
    """The traveller's question to the desk, while nobody has answered it."""
    words = tag("blockquote", trip.asks.message) if trip.asks and trip.asks.message else None
    note = tag("p", icon("person", 15), tag("span", pen("moved.asked_people")), class_="note wait")
    return tag("div", words, note, class_="col")


def _answers(answers: Sequence[str], trip_id: str, pen: Pen) -> Markup:
    kinds = {"resubmit": "primary", "change": "second"}
    direct = (
        button(answer, pen(f"moved.do_{answer}"), kind=kind, keyed=True, data_trip=trip_id)
        for answer, kind in kinds.items()
        if answer in answers
    )
    return tag("div", tag("div", direct, class_="acts"), _asking(trip_id, pen) if "ask" in answers else None, class_="answers")


def _asking(trip_id: str, pen: Pen) -> Markup:
    words = tag("span", pen("moved.say"), tag("small", pen("moved.say_hint")))
    field = tag("label", words, tag("textarea", name="message", rows=2, maxlength=1000), class_="field")
    ask = button("ask", pen("moved.do_ask"), kind="second", keyed=True, data_trip=trip_id)
    shut = tag("summary", pen("moved.do_ask"), class_="plain")
    return tag("details", shut, tag("form", field, ask), class_="sure", data_keep=f"ask-{trip_id}")
