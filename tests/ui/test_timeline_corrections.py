"""Correction forms: made from a schema, read back to the patch that the service takes, with only what a person changed."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from assistant.rewind import checked_corrections, corrections_of
from tests.ui.scenery import NOW
from ui.correction_form import Table, form
from ui.correction_values import patch_of, values_of
from ui.pen import Pen

PEN = Pen("en", "UTC", NOW)
PLACE = {"text": "Shanghai", "kind": "metro", "codes": ["SHA", "PVG"], "city": "Shanghai"}
WISH = {"position": "aisle", "polarity": "want", "strength": "prefer", "scope": "always", "whose": None, "forget": False}
BEFORE: dict[tuple[str, str], dict[str, Any]] = {
    ("conversation", "start"): {"text": "Shanghai to Tokyo, anything but the aisle"},
    ("conversation", "understand"): {
        "slots": {"origin": PLACE, "depart": {"text": "friday", "date_from": "2027-03-12", "time_from": "09:00:00"}},
        "wishes": [WISH],
        "intents": ["search", "state_wish"],
    },
    ("trip", "start"): {"origin": "SHA", "destination": "TYO", "depart_on": "2027-03-12", "adults": 1, "ages": [5]},
    ("trip", "shortlist"): {},
    ("trip", "choose"): {"offer": None},
}


class Fields(HTMLParser):
    """What a browser would send of a form."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, Any] = {}
        self._inside: tuple[str, str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        name, value = found.get("name"), found.get("value") or ""
        if tag == "input" and name and (found.get("type") != "checkbox" or "checked" in found):
            self.add(name, value)
        elif tag in {"select", "textarea"} and name:
            self._inside = (tag, name)
        elif tag == "option" and self._inside and "selected" in found:
            self.add(self._inside[1], value)

    def handle_data(self, data: str) -> None:
        if self._inside and self._inside[0] == "textarea":
            self.add(self._inside[1], data)

    def handle_endtag(self, tag: str) -> None:
        if tag in {"select", "textarea"}:
            self._inside = None

    def add(self, name: str, value: str) -> None:
        self.sent[name] = (
            value
            if name not in self.sent
            else [*([self.sent[name]] if isinstance(self.sent[name], str) else self.sent[name]), value]
        )


def filled(kind: str, step: str, **changes: Any) -> dict[str, Any]:
    """The patch of a form that a person opened, changed and sent."""
    schema, before = corrections_of(kind, step)[0], BEFORE[kind, step]
    assert schema is not None
    reader = Fields()
    reader.feed(form(schema, before, Table(), PEN))
    sent = reader.sent | {f"c.{name.replace('__', '.')}": value for name, value in changes.items()}
    patch = patch_of(schema, values_of(schema, sent, before), before)
    checked_corrections(kind, step, patch)
    return patch


@pytest.mark.parametrize(("kind", "step"), BEFORE)
def test_a_form_sent_as_it_was_changes_nothing(kind: str, step: str) -> None:
    assert filled(kind, step) == {}


def test_a_message_is_said_differently() -> None:
    assert filled("conversation", "start", text="Shanghai to Osaka") == {"text": "Shanghai to Osaka"}


def test_a_wish_that_was_misread_is_put_right_and_everything_else_stays() -> None:
    patch = filled("conversation", "understand", wishes__0__polarity="avoid")
    assert list(patch) == ["wishes"]
    assert (patch["wishes"][0]["position"], patch["wishes"][0]["polarity"]) == ("aisle", "avoid")


def test_a_wish_is_taken_away_by_leaving_no_rows() -> None:
    assert filled("conversation", "understand", **{"wishes__#": "0"}) == {"wishes": []}


def test_an_added_row_that_nobody_filled_in_counts_for_nothing() -> None:
    empty = {"wishes__#": "2", "wishes__1__polarity": "want", "wishes__1__position": ""}
    assert filled("conversation", "understand", **empty) == {}


def test_another_place_is_a_code_and_the_same_place_keeps_what_was_known_of_it() -> None:
    slots = filled("conversation", "understand", slots__destination="hnd")["slots"]
    assert slots["destination"] == {"text": "HND", "kind": "airport", "codes": ["HND"]}
    assert slots["origin"] == PLACE
    assert slots["depart"]["text"] == "friday"


def test_a_request_is_patched_with_typed_values() -> None:
    changes = {"depart_on": "2027-03-13", "max_stops": "0", "cabin": "business", "ages": "", "refundable": "yes"}
    assert filled("trip", "start", **changes) == {
        "depart_on": "2027-03-13",
        "max_stops": 0,
        "cabin": "business",
        "ages": [],
        "refundable": True,
    }


def test_a_price_limit_has_its_currency() -> None:
    patch = filled("trip", "start", cap__amount="1500", cap__currency="CNY")
    assert patch == {"cap": {"amount": "1500", "currency": "CNY"}}


def test_options_are_left_out_by_number() -> None:
    assert filled("trip", "shortlist", exclude="1, 3", time_from="10:00") == {"exclude": [1, 3], "time_from": "10:00"}


def test_seats_and_whom_to_ask() -> None:
    assert filled("trip", "choose", seats__1__2="14C", ask="reviewer") == {"seats": {"1": {"2": "14C"}}, "ask": "reviewer"}


def test_every_field_has_a_label_in_both_languages_and_its_own_input() -> None:
    for (kind, step), before in BEFORE.items():
        schema, _ = corrections_of(kind, step)
        assert schema is not None
        for pen in (PEN, Pen("zh", "Asia/Shanghai", NOW)):
            drawn = form(schema, before, Table(), pen)
            assert "None" not in drawn
            reader = Fields()
            reader.feed(drawn)
            for name in reader.sent:
                assert f'name="{name}"' in drawn
    assert 'type="date"' in form(corrections_of("trip", "start")[0] or {}, {}, Table(), PEN)
    assert 'type="time"' in form(corrections_of("trip", "shortlist")[0] or {}, {}, Table(), PEN)


def test_what_was_said_stays_words() -> None:
    drawn = form(corrections_of("conversation", "start")[0] or {}, {"text": "</textarea><img src=x>"}, Table(), PEN)
    assert "<img" not in drawn
