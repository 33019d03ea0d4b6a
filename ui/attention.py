"""Beside a case: a moved flight, a question of the traveller, and bookings that a reviewer can settle."""

from __future__ import annotations

from markupsafe import Markup

from assistant.domain.commands import Command, Kind
from assistant.domain.people import Actor
from assistant.views.case_shapes import CaseKind
from assistant.views.shapes import TripView

from .buttons import submit
from .icons import icon
from .markup import joined, tag
from .moved import moved_card
from .other_bookings import other_bookings
from .pen import Pen
from .presses import Press, command, traveller_command

ABOUT_TRIPS = frozenset({CaseKind.MOVED, CaseKind.TRIP, CaseKind.UNWANTED})
SETTLES = frozenset({"reply", "cancel"})


def about_trip(trip: TripView, who: str, pen: Pen) -> Markup:
    """The traveller decides about times; the reviewer answers what they asked, and gives up bookings nobody wants."""
    return joined(
        (
            moved_card(trip, pen, answering=False),
            _waits(who, pen) if trip.moved and not trip.asks else None,
            _replying(trip, pen) if trip.asks else None,
            other_bookings(trip, pen),
        )
    )


def _waits(who: str, pen: Pen) -> Markup:
    return tag("p", icon("clock", 15), tag("span", pen("moved.waits", who=who)), class_="note wait")


def _replying(trip: TripView, pen: Pen) -> Markup:
    """The reviewer answers, and it is the traveller's turn again."""
    wished, by = (trip.asks.wished, trip.asks.by) if trip.asks else ((), None)
    said = trip.asks.message if trip.asks and not trip.moved else None
    words = tag("blockquote", said, tag("cite", by) if by else None) if said else tag("p", by, class_="quiet") if by else None
    hint = pen("attention.outcome_hint" if wished else "attention.reply_hint")
    return tag(
        "form",
        tag("h2", pen("attention.asks_airline" if wished else "attention.asked")),
        _wished(trip, pen) if wished else None,
        words,
        tag(
            "label",
            tag("span", pen("attention.reply"), tag("small", hint)),
            tag("textarea", name="message", rows=3, maxlength=2000, required=True, id=f"reply-{trip.trip_id}"),
            class_="field",
        ),
        tag("div", submit("reply", pen("attention.send"), data_trip=trip.trip_id), class_="acts"),
        class_="sheet reply",
    )


def _wished(trip: TripView, pen: Pen) -> Markup:
    """The ticket as it is, and what the airline is to be asked for."""
    booked = next((order for order in trip.orders if order.documents or order.booking_reference), None)
    wished = ", ".join(trip.asks.wished) if trip.asks else None
    given = (
        (pen("case.reference"), booked and booked.booking_reference),
        (pen("attention.flights"), booked and ", ".join(s.name for s in booked.fare.segments)),
        (pen("attention.booked_seats"), booked and ", ".join(booked.seats)),
        (pen("attention.wished_seats"), wished),
    )
    return tag("dl", (tag("div", tag("dt", name), tag("dd", value)) for name, value in given if value), class_="clocks")


def settlement(press: Press, actor: Actor) -> Command | None:
    """What those buttons ask for. The service decides who may."""
    if press.do == "reply":
        return command(Kind.REPLY, press.text("trip") or "", {"text": press.text("message")}, key=press.key, actor=actor)
    return traveller_command(press, actor)
