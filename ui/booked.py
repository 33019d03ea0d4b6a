"""What is booked: the itinerary on the card, a receipt to print, a file for the calendar; each says when it is no real ticket."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from markupsafe import Markup

from assistant import places
from assistant.domain.flights import Segment
from assistant.views.shapes import OrderView, TripView

from .flights import legs, strip, what
from .icons import icon
from .markup import joined, tag
from .pen import Pen
from .static_files import static

HELD = "held"
ENDED = frozenset({"cancelled", "lapsed"})


def stands(order: OrderView) -> bool:
    """Whether it has a reference that is worth something."""
    return order.booking_reference is not None and order.state not in ENDED


def ended_order(order: OrderView, pen: Pen) -> Markup:
    """What was booked once and is no longer, in a line that unfolds."""
    facts = (" + ".join(s.name for s in order.fare.segments), pen.day(order.fare.segments[0].departs))
    return tag(
        "details",
        tag("summary", f"{pen(f'order_state.{order.state}')} · {order.booking_reference}", class_="plain"),
        tag("p", " · ".join(facts), class_="small quiet"),
        _people(order, pen),
        tag("p", tag("span", what(order.fare, pen)), tag("b", pen.money(order.total), class_="num"), class_="sum-line"),
        class_="ended",
        data_keep=f"ended-{order.order_id}",
    )


def order_card(order: OrderView, trip: TripView, pen: Pen) -> Markup:
    """A booking as the airline has it."""
    reference = tag(
        "div",
        tag("div", tag("small", pen("card.reference")), tag("b", order.booking_reference, class_="mono")),
        tag("span", pen(f"order_state.{order.state}"), class_=f"pill {'ok' if order.state == 'confirmed' else 'wait'}"),
        class_="reference",
    )
    return tag(
        "section",
        tag("span", pen("page.sandbox"), class_="sandbox") if pen.sandbox else None,
        reference,
        tag("p", pen.day(order.fare.segments[0].departs), class_="eyebrow"),
        strip(order.fare.segments, pen),
        legs(order.fare.segments, pen),
        _people(order, pen),
        tag("p", tag("span", what(order.fare, pen)), tag("b", pen.money(order.total), class_="num"), class_="sum-line"),
        _files(trip, pen) if order.state != HELD else None,
        class_="sheet ticket",
    )


def _people(order: OrderView, pen: Pen) -> Markup:
    def row(i: int, name: str) -> Markup:
        seat = order.seats[i] if i < len(order.seats) else "–"
        document = (
            tag("small", pen("ui.e_ticket", number=order.documents[i]), class_="mono") if i < len(order.documents) else None
        )
        return tag("li", tag("span", name, document), tag("b", seat, class_="num"))

    return tag("ul", (row(i, name) for i, name in enumerate(order.passengers)), class_="manifest")


def _files(trip: TripView, pen: Pen) -> Markup:
    return tag(
        "div",
        tag(
            "a",
            icon("calendar", 16),
            pen("card.calendar"),
            href=f"/desk/trips/{trip.trip_id}/itinerary.ics",
            download="itinerary.ics",
        ),
        tag(
            "a",
            icon("printer", 16),
            pen("card.receipt"),
            href=f"/desk/trips/{trip.trip_id}/receipt",
            target="_blank",
            rel="noopener",
        ),
        class_="files",
    )


def receipt(trip: TripView, pen: Pen) -> Markup:
    """A page to print, complete in itself."""
    known = [o for o in trip.orders if o.booking_reference and o.state != HELD]
    orders = [o for o in known if stands(o)] or known
    sandbox = tag("p", pen("page.sandbox"), class_="sandbox") if pen.sandbox else None
    return joined(
        (
            Markup("<!doctype html>"),
            tag(
                "html",
                tag(
                    "head",
                    tag("meta", charset="utf-8"),
                    tag("meta", name="viewport", content="width=device-width,initial-scale=1"),
                    tag("title", pen("card.receipt_title"), " · Layover"),
                    tag("style", Markup(static("receipt.css"))),
                ),
                tag(
                    "body",
                    tag("main", tag("h1", pen("card.receipt_title")), sandbox, (_receipt_of(o, pen) for o in orders)),
                    tag("p", pen("ui.written", at=pen.now), " · ", pen("card.local_times"), class_="foot"),
                ),
                lang=pen.language,
            ),
        )
    )


def _receipt_of(order: OrderView, pen: Pen) -> Markup:
    rows = [
        (pen("card.reference"), order.booking_reference),
        *([] if stands(order) else [(pen("field.status"), pen(f"order_state.{order.state}"))]),
        (pen("card.passengers"), ", ".join(order.passengers)),
        (pen("card.documents"), ", ".join(order.documents) or "–"),
        (pen("card.seat"), ", ".join(order.seats) or "–"),
        (pen("ui.cabin_and_bags"), f"{what(order.fare, pen)} · {pen.bags(order.fare.checked_bags)}"),
        (pen("card.changes"), pen.rule("change", order.fare.change)),
        (pen("card.refund"), pen.rule("refund", order.fare.refund)),
        (pen("card.total"), pen.money(order.total)),
    ]
    flights = (
        tag(
            "tr",
            tag("td", s.name),
            tag("td", pen.day(s.departs)),
            tag("td", f"{s.departs:%H:%M} ", pen("ui.airport_full", code=s.origin)),
            tag("td", f"{s.arrives:%H:%M} ", pen("ui.airport_full", code=s.destination)),
        )
        for s in order.fare.segments
    )
    return tag(
        "section",
        tag("table", tag("tbody", flights), class_="flights"),
        tag("table", tag("tbody", (tag("tr", tag("th", name, scope="row"), tag("td", value)) for name, value in rows))),
    )


def calendar(trip: TripView, pen: Pen) -> str:
    """iCalendar (RFC 5545): one event a flight, in UTC, so that every calendar shows it at the airport's own time zone's hour.

    A flight that was given up says so under the name it had: who took the file before has it taken out of their calendar.
    """
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Layover//Layover//EN", "CALSCALE:GREGORIAN"]
    for order in trip.orders:
        if order.booking_reference and order.state != HELD:
            for number, segment in enumerate(order.fare.segments):
                lines += _event(order, number, segment, pen)
    return "".join(folded + "\r\n" for line in [*lines, "END:VCALENDAR"] for folded in _folded(line))


def _event(order: OrderView, number: int, segment: Segment, pen: Pen) -> list[str]:
    seats = ", ".join(order.seats)
    facts = [
        f"{pen('card.reference')} {order.booking_reference}",
        *order.passengers,
        *([f"{pen('card.seat')} {seats}"] if seats else []),
    ]
    title = f"{segment.name} {segment.origin} → {segment.destination}"
    if pen.sandbox:
        title, facts = f"{title} ({pen('page.sandbox')})", [pen("page.sandbox"), *facts]
    return [
        "BEGIN:VEVENT",
        f"UID:{order.order_id}-{number}@layover",
        f"DTSTAMP:{pen.now:%Y%m%dT%H%M%SZ}",
        f"DTSTART:{_utc(segment.departs, segment.origin)}",
        f"DTEND:{_utc(segment.arrives, segment.destination)}",
        *([] if stands(order) else ["SEQUENCE:1", "STATUS:CANCELLED"]),
        f"SUMMARY:{_text(title)}",
        f"LOCATION:{_text(pen('ui.airport_full', code=segment.origin))}",
        f"DESCRIPTION:{_text(chr(10).join(facts))}",
        "END:VEVENT",
    ]


def _utc(local: datetime, airport: str) -> str:
    known = places.airport(airport)
    zone = ZoneInfo(known.tz if known else "UTC")
    return local.replace(tzinfo=zone).astimezone(ZoneInfo("UTC")).strftime("%Y%m%dT%H%M%SZ")


def _text(value: str) -> str:
    return value.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _folded(line: str) -> list[str]:
    """At most 75 bytes a line; the rest goes on after a space."""
    parts, rest = [], line
    while len(rest.encode()) > 74:
        cut = 74
        while len(rest[:cut].encode()) > 74:
            cut -= 1
        parts.append(rest[:cut])
        rest = " " + rest[cut:]
    return [*parts, rest]
