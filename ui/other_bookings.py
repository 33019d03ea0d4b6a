"""Bookings that live at the airline and belong to no flight any more: what they are, and the way to settle them. Pure."""

from __future__ import annotations

from markupsafe import Markup

from assistant.views.shapes import OrderView, TripView

from .buttons import button
from .icons import icon
from .markup import NOTHING, tag
from .pen import Pen

DECIDED_ELSEWHERE = frozenset({"agree", "review"})


def other_bookings(trip: TripView, pen: Pen) -> Markup:
    """Each with its price and its seats. Giving one up is asked for here and decided in the inbox."""
    orders = trip.other_live_bookings
    if not orders:
        return NOTHING
    waits = trip.question is not None and trip.question.node in DECIDED_ELSEWHERE
    return tag(
        "section",
        tag("h3", icon("warn", 16), pen("card.other_bookings")),
        tag("p", pen("card.other_bookings_wait" if waits else "card.other_bookings_note"), class_="small"),
        tag("ul", (_booking(o, trip, pen, settles=not waits) for o in orders), class_="others"),
        class_="banner warn other-bookings",
        aria_label=pen("card.other_bookings"),
    )


def _booking(order: OrderView, trip: TripView, pen: Pen, *, settles: bool) -> Markup:
    reference = order.booking_reference or pen("timeline.no_reference")
    return tag(
        "li",
        tag(
            "div",
            tag("b", reference, class_="mono"),
            tag("span", pen(f"order_state.{order.state}") if not order.aside else pen("card.kept_on_purpose"), class_="pill"),
            tag("b", pen.money(order.total), class_="num"),
            class_="other-head",
        ),
        tag("p", other_line(order, pen), class_="small"),
        giving_up(order, trip, reference, pen) if settles else None,
        data_order_row=order.order_id,
    )


def other_line(order: OrderView, pen: Pen) -> str:
    """The flights, the day, the seats and who flies."""
    parts = (
        " + ".join(s.name for s in order.fare.segments),
        pen.day(order.fare.segments[0].departs),
        pen("ui.listed", items=list(order.seats)) if order.seats else "",
        pen("ui.listed", items=list(order.passengers)) if order.passengers else "",
    )
    return " · ".join(part for part in parts if part)


def giving_up(order: OrderView, trip: TripView, reference: str, pen: Pen) -> Markup:
    """A second press asks for it; the first says what it means. What the traveller has chosen since stays chosen."""
    chosen = trip.question is not None and trip.question.node == "choose" and trip.selection is not None
    return tag(
        "details",
        tag("summary", pen("card.give_up", reference=reference), class_="plain"),
        tag("p", pen("ui.cancel_note"), class_="small"),
        button(
            "cancel",
            pen("card.give_up", reference=reference),
            kind="danger",
            keyed=True,
            data_trip=trip.trip_id,
            data_order=order.order_id,
            data_value="1" if chosen else None,
        ),
        class_="sure",
        data_keep=f"other-{order.order_id}",
    )
