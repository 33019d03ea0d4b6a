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
    words = tag("blockquote", trip.asks.message) if trip.asks and trip.asks.message and not trip.moved else None
    return tag(
        "form",
        tag("h2", pen("attention.asked")),
        words,
        tag(
            "label",
            tag("span", pen("attention.reply"), tag("small", pen("attention.reply_hint"))),
            tag("textarea", name="message", rows=3, maxlength=2000, required=True, id=f"reply-{trip.trip_id}"),
            class_="field",
        ),
        tag("div", submit("reply", pen("attention.send"), data_trip=trip.trip_id), class_="acts"),
        class_="sheet reply",
    )


def settlement(press: Press, actor: Actor) -> Command | None:
    """What those buttons ask for. The service decides who may."""
    if press.do == "reply":
        return command(Kind.REPLY, press.text("trip") or "", {"text": press.text("message")}, key=press.key, actor=actor)
    return traveller_command(press, actor)
