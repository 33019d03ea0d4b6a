"""Who flies: picked from the directory or added beside the chat. Names and documents never pass through the chat or a model."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from assistant.domain.people import Gender, Title
from assistant.views.shapes import PersonView, TravellerOnTrip, TripView

from .buttons import submit
from .icons import icon
from .markup import joined, tag
from .pen import Pen


def who_flies(trip: TripView, people: Sequence[PersonView], pen: Pen) -> Markup:
    """A place for each traveller: pick somebody, or add somebody."""
    missing = sum(1 for p in trip.passengers if p.person_id is None)
    count = tag("span", pen("people.still_needed", count=missing), class_="count") if missing else None
    return tag(
        "section",
        tag("h3", icon("person", 18), pen("people.pick"), " ", count),
        tag(
            "form",
            (_place(trip, i, p, people, pen) for i, p in enumerate(trip.passengers)),
            submit("name", pen("people.confirm"), data_trip=trip.trip_id),
            class_="places",
            data_form="name",
        ),
        _incomplete(trip, people, pen),
        tag(
            "details",
            tag("summary", icon("plus", 16), pen("people.add"), class_="plain"),
            person_form(None, pen),
            class_="add",
            data_keep=f"add-{trip.trip_id}",
        ),
        class_="who",
    )


def _place(trip: TripView, position: int, traveller: TravellerOnTrip, people: Sequence[PersonView], pen: Pen) -> Markup:
    taken = {p.person_id for i, p in enumerate(trip.passengers) if i != position}
    chosen = traveller.person_id or next(
        (p.person_id for p in people if p.is_self and position == 0 and p.person_id not in taken), None
    )
    choices = [tag("option", pen("ui.pick_person"), value="", selected=chosen is None)]
    choices += [tag("option", _called(p, pen), value=p.person_id, selected=p.person_id == chosen) for p in people]
    label = tag("span", tag("i", str(position + 1), class_="badge"), pen("card.passenger_n", n=position + 1))
    return tag("label", label, tag("select", choices, name="passenger", required=True), class_="field")


def _called(person: PersonView, pen: Pen) -> str:
    name = f"{person.given_name} {person.family_name}"
    if person.native_name:
        name = f"{person.native_name} {name}"
    return f"{name} ({pen('people.me')})" if person.is_self else name


def _incomplete(trip: TripView, people: Sequence[PersonView], pen: Pen) -> Markup:
    """Somebody on the trip lacks what an order needs: their form, filled with what is known."""
    lacking = {p.person_id for p in trip.passengers if p.person_id and p.missing}
    return joined(
        tag(
            "details",
            tag("summary", icon("warn", 16), pen("ui.complete", name=_called(p, pen)), class_="plain"),
            person_form(p, pen),
            open=True,
            class_="add",
            data_keep=f"edit-{p.person_id}",
        )
        for p in people
        if p.person_id in lacking
    )


def person_form(person: PersonView | None, pen: Pen) -> Markup:
    """What an order needs of a passenger. Latin names are suggested from the native one and ticked off against the passport."""

    def value(name: str) -> str | None:
        return getattr(person, name) if person else None

    return tag(
        "form",
        _field("native_name", pen, value=value("native_name"), autocomplete="off", data_native=True),
        tag("p", class_="suggestion", data_suggestion=True, hidden=True, aria_live="polite"),
        tag(
            "div",
            _field(
                "family_name",
                pen,
                value=value("family_name"),
                required=True,
                pattern="[A-Za-z][A-Za-z' \\-]*",
                autocapitalize="characters",
            ),
            _field(
                "given_name",
                pen,
                value=value("given_name"),
                required=True,
                pattern="[A-Za-z][A-Za-z' \\-]*",
                autocapitalize="characters",
            ),
            class_="pair",
        ),
        tag(
            "div",
            _choice("title", [t.value for t in Title], "person_title", value("title"), pen),
            _choice("gender", [g.value for g in Gender], "gender", value("gender"), pen),
            class_="pair",
        ),
        tag(
            "div",
            _field("born_on", pen, value=value("born_on"), type="date", required=True, min="1900-01-01"),
            _field(
                "phone",
                pen,
                value=value("phone"),
                type="tel",
                required=True,
                placeholder="+8613800000000",
                pattern="\\+[1-9][0-9]{6,14}",
            ),
            class_="pair",
        ),
        _field("email", pen, value=value("email"), type="email", required=True),
        tag(
            "label",
            tag("input", type="checkbox", name="confirmed", required=True),
            tag("span", pen("ui.as_in_passport")),
            class_="tick",
        ),
        tag("p", pen("people.privacy"), class_="quiet small"),
        submit("save_person", pen("people.save"), data_person=person.person_id if person else None),
        class_="person",
        data_form="save_person",
    )


def _field(name: str, pen: Pen, **attributes: object) -> Markup:
    return tag(
        "label",
        tag("span", pen(f"person_field.{name}")),
        tag("input", name=name, **{"type": "text", **attributes}),
        class_="field",
    )


def _choice(name: str, values: Sequence[str], group: str, chosen: str | None, pen: Pen) -> Markup:
    choices = [tag("option", "–", value="", selected=not chosen)]
    choices += [tag("option", pen(f"{group}.{v}"), value=v, selected=v == chosen) for v in values]
    return tag(
        "label", tag("span", pen(f"person_field.{name}")), tag("select", choices, name=name, required=True), class_="field"
    )
