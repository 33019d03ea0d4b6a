"""What a press in the timeline says about its form: the version it is about, and the values as they stand in the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant.domain.errors import Invalid
from assistant.views.shapes import OfferView, SeatMapView
from assistant.views.thread_shapes import VersionView

from .correction_form import Table
from .correction_values import MOST_ROWS, values_of
from .presses import Press

Values = dict[str, Any]


@dataclass(frozen=True)
class Form:
    """`before` is how things were at the version; `offer` the option whose seats are shown."""

    before: Values
    values: Values
    table: Table
    offer: int | None = None

    def with_maps(self, maps: Sequence[SeatMapView], names: tuple[str, ...], press: Press) -> Form:
        """With the seats as they are: chosen or proposed where nothing was clicked yet."""
        segment, active = seating(press)
        table = replace(self.table, maps=maps, names=names, segment=segment, active=active)
        proposed = _proposed(maps)
        before = self.before | ({"seats": proposed} if self.offer == self.before.get("offer") else {})
        seats: Mapping[str, Mapping[str, str]] = self.values.get("seats") or {}
        other = press.do == "reform" and press.number("was_offer") not in (None, self.offer)
        seats = proposed if other or not seats else seats
        if seat := press.text("seat"):
            seats = _reseated(seats, segment, active, seat)
        if self.offer != self.before.get("offer") and seats == proposed:
            before = before | {"seats": proposed}  # what is suggested with another option need not be said
        return Form(before, self.values | {"seats": seats}, table, self.offer)


def form_of(press: Press, view: VersionView, options: tuple[OfferView, ...]) -> Form:
    """Before the maps are known. Adding and removing rows happens here."""
    before = before_of(view, options)
    if view.correctable is None:
        return Form(before, before, Table(options))
    values = values_of(view.correctable, press.data if press.do in {"reform", "look", "settle", "go"} else {}, before)
    if press.do == "reform":
        values = _rows(values, press)
    offer = values.get("offer") or before.get("offer")
    return Form(before, values, Table(options), offer if any(o.n == offer for o in options) else None)


def before_of(view: VersionView, options: tuple[OfferView, ...]) -> Values:
    """The values of the patch's fields as they were at that version."""
    fields = view.fields
    understanding: Values = fields.get("understanding") or {}
    here = {"text": fields.get("text"), "offer": _chosen(fields, options)}
    understood = {name: understanding[name] for name in ("slots", "wishes", "intents") if name in understanding}
    return dict(fields.get("request") or {}) | here | understood


def of_version(press: Press) -> int:
    number = press.number("version")
    if number is None:
        raise Invalid("invalid")
    return number


def seating(press: Press) -> tuple[int, int]:
    """Flight from 1 and traveller from 0 that the next seat is for."""
    now = (press.text("seating") or "1.0").split(".")
    segment, active = press.number("segment") or int(now[0]), press.number("active")
    return min(max(segment, 1), 9), min(max(int(now[-1]) if active is None else active, 0), 8)


def _rows(values: Values, press: Press) -> Values:
    if (added := press.text("add")) and added in values:
        rows = list(values[added] or [])
        return values | {added: [*rows, {}][:MOST_ROWS]}
    if removed := press.text("remove"):
        name, _, index = removed.partition(".")
        if name in values and index.isdecimal():
            return values | {name: [row for i, row in enumerate(values[name] or []) if i != int(index)]}
    return values


def _chosen(fields: Values, options: tuple[OfferView, ...]) -> int | None:
    wanted = fields.get("flights"), fields.get("cabin"), fields.get("fare_brand")
    return next((o.n for o in options if ([*o.fare.segment_keys], o.fare.cabin.value, o.fare.fare_brand) == wanted), None)


def _proposed(maps: Sequence[SeatMapView]) -> dict[str, dict[str, str]]:
    seats: dict[str, dict[str, str]] = {}
    for view in maps:
        for place, designator in enumerate(view.proposed, 1):
            if designator:
                seats.setdefault(str(place), {})[str(view.segment)] = designator
    return seats


def _reseated(seats: Mapping[str, Mapping[str, str]], segment: int, active: int, seat: str) -> dict[str, dict[str, str]]:
    """Moves a traveller; who sits there gets theirs."""
    moved, mine, flight = {p: dict(of) for p, of in seats.items()}, str(active + 1), str(segment)
    before = moved.get(mine, {}).get(flight)
    for other, of in moved.items():
        if other != mine and of.get(flight) == seat and before:
            of[flight] = before
    moved.setdefault(mine, {})[flight] = seat
    return moved
