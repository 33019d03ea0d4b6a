"""The form of a correction, made from its JSON Schema: typed inputs, and seats on a map. Pure: values in, markup out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from assistant.views.shapes import OfferView, SeatMapView
from assistant.wording.catalogue import has

from .buttons import button
from .correction_values import MOST_ROWS, Node, Schema
from .markup import NOTHING, joined, tag
from .pen import Pen
from .seat_map import Taken, seat_map

GROUPS: Final = {
    "Cabin": "cabin",
    "Rank": "rank",
    "Position": "position",
    "Polarity": "polarity",
    "Strength": "strength",
    "Scope": "scope_of",
    "TripType": "trip_type",
    "Intent": "intent",
}
LONG: Final = frozenset({"text"})


@dataclass(frozen=True)
class Table:
    """What lay on the table at that step: options, the maps of one of them, and who travels."""

    options: Sequence[OfferView] = ()
    maps: Sequence[SeatMapView] = ()
    names: tuple[str, ...] = ()
    segment: int = 1
    active: int = 0


def form(schema: Schema, values: Mapping[str, Any], table: Table, pen: Pen) -> Markup:
    """`values` by property, as they stand in the page."""
    root = Node(schema, schema)
    ordered = sorted(root.properties, key=lambda name: root.at(name).kind == "object" and name == "slots")
    return joined(_field(root.at(name), name, name, values.get(name), table, pen) for name in ordered)


def _label(name: str, pen: Pen) -> str:
    return pen(f"correct.{name}") if has(f"correct.{name}") else pen("correct.other", value=name)


def _field(node: Node, name: str, path: str, value: Any, table: Table, pen: Pen) -> Markup:
    match name, node.kind:
        case "seats", _:
            return _seats(path, value or {}, table, pen)
        case "offer", _ if table.options:
            words = [(o.n, _option(o, pen)) for o in table.options]
            return _select(name, path, words, value, pen, redraws=True)
        case "exclude", _ if table.options:
            return _ticks(name, path, [(o.n, _option(o, pen)) for o in table.options], value or (), pen)
        case _, "object":
            return _object(node, name, path, value or {}, table, pen)
        case _, "rows":
            return _rows(node.items, name, path, value or (), table, pen)
        case _, "ticks":
            return _ticks(name, path, _words(node.items, name, pen), value or (), pen)
        case _, "enum":
            return _select(name, path, _words(node, name, pen), value, pen)
        case _, "boolean":
            return _yes_no(name, path, value, pen)
        case _:
            return _input(node, name, path, value, pen)


def _words(node: Node, name: str, pen: Pen) -> list[tuple[Any, str]]:
    group = "asking" if name == "ask" else GROUPS.get(node.title, name)
    return [(w, pen(f"{group}.{w}") if has(f"{group}.{w}") else str(w)) for w in node.schema["enum"]]


def _option(offer: OfferView, pen: Pen) -> str:
    flights = [s.name for s in offer.fare.segments]
    return pen("correct.option", n=offer.n, flights=flights, at=f"{offer.fare.segments[0].departs:%H:%M}", total=offer.total)


def _input(node: Node, name: str, path: str, value: Any, pen: Pen) -> Markup:
    kind, schema = node.kind, node.schema
    common = {"name": f"c.{path}", "id": f"c.{path}"}
    if name in LONG:
        return _labelled(name, path, tag("textarea", value or "", rows=3, maxlength=4000, **common), pen)
    hint = None
    match kind:
        case "place" | "places":
            codes = [c for p in ([value] if kind == "place" and value else value or ()) for c in (p.get("codes") or ())[:1]]
            value, hint, pattern = ", ".join(codes), "correct.iata_hint", "[A-Za-z]{3}(, *[A-Za-z]{3})*"
            shown = tag("input", type="text", value=value, pattern=pattern, **common)
        case "list":
            value, hint = ", ".join(str(v) for v in value or ()), "correct.list_hint"
            shown = tag("input", type="text", value=value, autocomplete="off", **common)
        case "integer" | "number":
            bounds = {"min": schema.get("minimum"), "max": schema.get("maximum"), "step": "any" if kind == "number" else 1}
            shown = tag("input", type="number", value="" if value is None else value, inputmode="decimal", **bounds, **common)
        case "date" | "time":
            shown = tag("input", type=kind, value=str(value or "")[: 5 if kind == "time" else 10], **common)
        case _:
            pattern = str(schema.get("pattern") or "").strip("^$") or None
            shown = tag("input", type="text", value=value or "", pattern=pattern, autocomplete="off", maxlength=200, **common)
    return _labelled(name, path, shown, pen, hint=hint)


def _labelled(name: str, path: str, shown: Markup, pen: Pen, *, hint: str | None = None) -> Markup:
    words = tag("span", _label(name, pen), tag("small", pen(hint)) if hint else None)
    return tag("label", words, shown, class_="field", for_=f"c.{path}")


def _select(name: str, path: str, words: Sequence[tuple[Any, str]], value: Any, pen: Pen, *, redraws: bool = False) -> Markup:
    empty = tag("option", pen("correct.as_is") if value is None and "." not in path else "–", value="", selected=value is None)
    options = (tag("option", text, value=word, selected=word == value) for word, text in words)
    change = "reform" if redraws else None
    return _labelled(name, path, tag("select", empty, options, name=f"c.{path}", id=f"c.{path}", data_change=change), pen)


def _yes_no(name: str, path: str, value: Any, pen: Pen) -> Markup:
    words = [("yes", pen("correct.yes")), ("no", pen("correct.no"))]
    return _select(name, path, words, None if value is None else "yes" if value else "no", pen)


def _ticks(name: str, path: str, words: Sequence[tuple[Any, str]], value: Sequence[Any], pen: Pen) -> Markup:
    def one(word: Any, text: str) -> Markup:
        tick = tag("input", type="checkbox", name=f"c.{path}", value=word, checked=word in value)
        return tag("label", tick, tag("span", text), class_="tick")

    return tag("fieldset", tag("legend", _label(name, pen)), (one(w, t) for w, t in words), class_="tl-ticks")


def _object(node: Node, name: str, path: str, value: Mapping[str, Any], table: Table, pen: Pen) -> Markup:
    inner = (_field(node.at(p), p, f"{path}.{p}", value.get(p), table, pen) for p in node.properties)
    if name == "slots":  # long, and seldom what was wrong
        shown = tag("div", inner, class_="tl-fields")
        return tag("details", tag("summary", _label(name, pen)), shown, class_="tl-group", data_keep="slots")
    return tag("fieldset", tag("legend", _label(name, pen)), tag("div", inner, class_="tl-fields"), class_="tl-group")


def _rows(node: Node, name: str, path: str, value: Sequence[Any], table: Table, pen: Pen) -> Markup:
    def one(index: int, entry: Mapping[str, Any]) -> Markup:
        at = f"{path}.{index}"
        remove = button("reform", pen("correct.remove"), kind="plain", data_remove=at)
        given = {p: node.schema["properties"][p].get("default") for p in node.properties} | dict(entry)
        fields = (_field(node.at(p), p, f"{at}.{p}", given[p], table, pen) for p in node.properties)
        return tag("div", tag("div", fields, class_="tl-fields"), remove, class_="tl-entry")

    more = button("reform", pen("correct.add"), kind="second small", data_add=path) if len(value) < MOST_ROWS else None
    count = tag("input", type="hidden", name=f"c.{path}.#", value=len(value))
    rows = (one(i, v) for i, v in enumerate(value))
    return tag("fieldset", tag("legend", _label(name, pen)), count, rows, more, class_="tl-group")


def _seats(path: str, value: Mapping[str, Mapping[str, str]], table: Table, pen: Pen) -> Markup:
    """One map at a time; what is chosen on the others is kept in hidden fields."""
    if not any(m.rows for m in table.maps):
        return NOTHING
    view = next((m for m in table.maps if m.segment == table.segment), table.maps[0])
    seats = {int(p) - 1: of[str(view.segment)] for p, of in value.items() if of.get(str(view.segment))}
    kept = (tag("input", type="hidden", name=f"c.{path}.{p}.{s}", value=d) for p, of in value.items() for s, d in of.items())
    flights = (
        button("reform", m.flight, kind="chip", aria_pressed=str(m is view).lower(), data_segment=m.segment) for m in table.maps
    )
    people = (
        button(
            "reform",
            tag("i", str(i + 1), class_="badge"),
            tag("span", tag("b", name)),
            tag("b", seats.get(i, "–"), class_="num"),
            kind="seated",
            aria_pressed=str(i == table.active).lower(),
            data_active=i,
        )
        for i, name in enumerate(table.names)
    )
    taken = Taken(seats={d: p for p, d in seats.items()}, active=table.active, names=table.names, action="reform")
    return tag(
        "fieldset",
        tag("legend", _label("seats", pen)),
        kept,
        tag("div", flights, class_="chips") if len(table.maps) > 1 else None,
        tag("div", people, class_="seating"),
        seat_map(view, taken, pen),
        class_="tl-group",
        data_seating=f"{view.segment}.{table.active}",
    )
