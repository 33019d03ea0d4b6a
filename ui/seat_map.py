"""The seat map of one flight as a picture that can be clicked and read aloud. Pure: a view in, SVG out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from assistant.views.shapes import SeatMapView, SeatRowView, SeatView

from .markup import joined, tag
from .pen import Pen

SIDE, GAP, AISLE, TOP, LEFT, THIN = 28, 4, 26, 30, 6, 16


@dataclass(frozen=True)
class Taken:
    """`seats`: designator -> traveller from 0 as chosen now; `active`: whom the next click moves. No `trip`: only to look at."""

    seats: Mapping[str, int]
    active: int = 0
    names: tuple[str, ...] = ()
    action: str | None = None  # what a click asks for, with `facts` as its data
    facts: Mapping[str, str] | None = None


def seat_map(view: SeatMapView, taken: Taken, pen: Pen) -> Markup:
    """Rows from the front, aisles between sections, the seats of this trip numbered by traveller."""
    if not any(section for row in view.rows for section in row.sections):
        return tag("p", pen("card.seat_map_empty"), class_="quiet")
    tops, middles = _tops(view.rows), _middles(_fullest(view))
    width, height = _width(view), tops[-1] + 4
    start = next((d for d, who in taken.seats.items() if who == taken.active), None) or _first_free(view)
    drawing = tag(
        "svg",
        _letters(view),
        (
            _row(row, y, taken, start, pen) if _seats_in(row) else _fixtures(row, middles, y, pen)
            for row, y in zip(view.rows, tops, strict=False)
        ),
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="group",
        aria_label=pen("ui.seat_map_of", flight=view.flight, aircraft=view.aircraft),
    )
    facts = {f"data_{name}": value for name, value in (taken.facts or {}).items()}
    return tag(
        "div",
        tag("div", drawing, class_="seats-scroll", tabindex=None if taken.action else "0"),
        _legend(view, taken, pen),
        class_="seats",
        data_segment=view.segment,
        **facts,
    )


def _width(view: SeatMapView) -> int:
    sections = max((row.sections for row in view.rows), key=lambda s: sum(map(len, s)))
    return (
        LEFT * 2
        + sum(len(s) for s in sections) * (SIDE + GAP)
        + max(0, len(sections) - 1) * AISLE
        + (AISLE if len(sections) < 2 else 0)
    )


def _seats_in(row: SeatRowView) -> list[SeatView]:
    return [seat for section in row.sections for seat in section if seat.designator]


def _tops(rows: Sequence[SeatRowView]) -> list[float]:
    """The y of each row and of the end; a row of doors or galleys is thin."""
    tops = [float(TOP)]
    for row in rows:
        tops.append(tops[-1] + (SIDE if _seats_in(row) else THIN) + GAP)
    return tops


def _fixtures(row: SeatRowView, middles: Sequence[float], y: float, pen: Pen) -> Markup:
    """Doors, lavatories and galleys: a word in the middle of the section they are in."""
    words: list[Markup] = []
    for section, middle in zip(row.sections, middles, strict=False):
        kinds = dict.fromkeys(seat.kind for seat in section if seat.kind not in {"empty", "seat"})
        if kinds:
            text = pen("ui.strung", items=[pen(f"seat.kind.{kind}") for kind in kinds])
            words.append(tag("text", text, x=middle, y=y + THIN - 4, class_="fixture"))
    return tag("g", words)


def _fullest(view: SeatMapView) -> SeatRowView:
    return max(view.rows, key=lambda row: len(_seats_in(row)))


def _middles(row: SeatRowView) -> list[float]:
    """The x of the middle of each section."""
    middles: list[float] = []
    x = float(LEFT)
    for section in row.sections:
        width = len(section) * (SIDE + GAP)
        middles.append(x + (width - GAP) / 2)
        x += width + AISLE
    return middles


def _letters(view: SeatMapView) -> Markup:
    return joined(
        tag("text", seat.designator.lstrip("0123456789"), x=x + SIDE / 2, y=18, class_="letter", aria_hidden="true")
        for x, seat in _places(_fullest(view))
        if seat.designator
    )


def _places(row: SeatRowView) -> list[tuple[float, SeatView]]:
    """Each seat with its x."""
    places: list[tuple[float, SeatView]] = []
    x = float(LEFT)
    for section in row.sections:
        for seat in section:
            places.append((x, seat))
            x += SIDE + GAP
        x += AISLE
    return places


def _row(row: SeatRowView, y: float, taken: Taken, start: str | None, pen: Pen) -> Markup:
    first = row.sections[0] if row.sections else ()
    number = LEFT + len(first) * (SIDE + GAP) + (AISLE - GAP) / 2
    return tag(
        "g",
        tag("text", str(row.number), x=number, y=y + SIDE / 2 + 4, class_="number", aria_hidden="true"),
        (_seat(seat, row, x, y, taken, start, pen) for x, seat in _places(row) if seat.designator),
    )


def _seat(seat: SeatView, row: SeatRowView, x: float, y: float, taken: Taken, start: str | None, pen: Pen) -> Markup:
    who = taken.seats.get(seat.designator)
    free = seat.available or who is not None
    words = described(seat, row, taken, pen)
    kind = "mine" if who is not None else "free" if free else "gone"
    paid = free and who is None and seat.price is not None and seat.price.amount > 0
    return tag(
        "g",
        tag("title", words),
        tag("rect", x=x, y=y, width=SIDE, height=SIDE, rx=7),
        tag("text", str(who + 1), x=x + SIDE / 2, y=y + SIDE / 2 + 4.5) if who is not None else None,
        tag("circle", cx=x + SIDE / 2, cy=y + SIDE / 2, r=2.5, class_="dot") if paid else None,
        tag("path", d=f"M{x + 9} {y + 9}l{SIDE - 18} {SIDE - 18}M{x + SIDE - 9} {y + 9}l{18 - SIDE} {SIDE - 18}")
        if not free
        else None,
        class_=f"seat {kind}"
        + (" active" if who is not None and who == taken.active else "")
        + (" roomy" if seat.extra_legroom else ""),
        role="button" if taken.action else "img",
        tabindex=("0" if seat.designator == start else "-1") if taken.action else None,
        data_do=taken.action if free else None,
        data_seat=seat.designator,
        aria_label=words,
        aria_pressed=("true" if who is not None else "false") if taken.action else None,
        aria_disabled="true" if taken.action and not free else None,
    )


def described(seat: SeatView, row: SeatRowView, taken: Taken, pen: Pen) -> str:
    """What a click would get: place, price, why, or who sits there."""
    who = taken.seats.get(seat.designator)
    parts = [seat.designator, *([seat.why] if seat.why else _plainly(seat, row, pen))]
    if who is not None:
        parts.append(taken.names[who] if who < len(taken.names) else pen("card.passenger_n", n=who + 1))
    elif not seat.available:
        parts.append(pen("seat.taken"))
    if seat.price is not None and (seat.available or who is not None):
        parts.append(pen.signed(seat.price))
    return pen("ui.strung", items=parts)


def _plainly(seat: SeatView, row: SeatRowView, pen: Pen) -> list[str]:
    """What the seat is, where nobody has scored it against a wish."""
    place = _place(seat, row)
    facts = ((place, place is not None), ("exit_row", seat.exit_row), ("extra_legroom", seat.extra_legroom))
    return [pen(f"seat_reason.{name}") for name, true in facts if true]


def _place(seat: SeatView, row: SeatRowView) -> str | None:
    for i, section in enumerate(row.sections):
        for j, other in enumerate(section):
            if other.designator == seat.designator:
                if (i == 0 and j == 0) or (i == len(row.sections) - 1 and j == len(section) - 1):
                    return "window"
                return "aisle" if j in {0, len(section) - 1} else "middle"
    return None


def _first_free(view: SeatMapView) -> str | None:
    return next(
        (seat.designator for row in view.rows for s in row.sections for seat in s if seat.available and seat.designator), None
    )


def _legend(view: SeatMapView, taken: Taken, pen: Pen) -> Markup:
    prices = any(seat.price is not None and seat.price.amount > 0 for row in view.rows for s in row.sections for seat in s)
    kinds = ["mine"] if taken.seats else []
    kinds += ["free", *(["paid"] if prices else []), "gone"]
    return tag("ul", (tag("li", tag("i", class_=f"swatch {kind}"), pen(f"ui.legend_{kind}")) for kind in kinds), class_="legend")
