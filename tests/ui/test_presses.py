"""From a press to a command: the same press is the same command, whatever else the page shows by then."""

from __future__ import annotations

import pytest

from assistant.domain.commands import Command, Kind
from assistant.domain.errors import Invalid
from assistant.domain.understanding import Language
from tests.ui.scenery import NOW, TINA
from tests.ui.stage import Stage
from ui.desk import redrafted
from ui.drafts import Draft, all_seats
from ui.page import refusal
from ui.pen import Pen
from ui.presses import Press, choose_command, command, traveller_command

KEY = "4f7f6f4e-3a9b-4a6b-9a3e-0b6c3b1f9a11"


def made(**data: object) -> Command | None:
    return traveller_command(Press.of({"key": KEY, "conversation": "c1", **data}), TINA)


def test_the_same_press_sent_again_is_the_same_intent() -> None:
    first = made(do="say", text="hello", message_id="a" * 36, search="x", drafts={})
    again = made(do="say", text="hello", message_id="a" * 36, search="other", drafts={"t": {"sort": "price"}})
    assert first is not None
    assert again is not None
    assert (first.command_id, first.fingerprint) == (again.command_id, again.fingerprint)


@pytest.mark.parametrize(
    ("data", "kind", "target"),
    [
        ({"do": "say", "text": "hi"}, Kind.SEND_MESSAGE, "c1"),
        ({"do": "edit", "message": "m1", "text": "hi"}, Kind.EDIT_MESSAGE, "c1"),
        ({"do": "regenerate", "message": "m1"}, Kind.REGENERATE, "c1"),
        ({"do": "stop"}, Kind.STOP, "c1"),
        ({"do": "rename", "title": "Tokyo"}, Kind.RENAME, "c1"),
        ({"do": "archive", "value": "1"}, Kind.ARCHIVE, "c1"),
        ({"do": "resubmit", "trip": "t1", "message": "as said"}, Kind.CHOOSE, "t1"),
        ({"do": "change", "trip": "t1"}, Kind.CHOOSE, "t1"),
        ({"do": "agree", "trip": "t1", "digest": "d"}, Kind.AGREE, "t1"),
        ({"do": "decline", "trip": "t1"}, Kind.AGREE, "t1"),
        ({"do": "withdraw", "trip": "t1"}, Kind.CANCEL_TRIP, "t1"),
        ({"do": "another", "trip": "t1"}, Kind.REVISE_TRIP, "t1"),
        ({"do": "name", "trip": "t1", "passenger": ["p1", "p2"]}, Kind.NAME_PASSENGERS, "t1"),
        ({"do": "forget", "wish": "w1"}, Kind.FORGET_WISH, "w1"),
    ],
)
def test_each_button_asks_for_its_command(data: dict[str, object], kind: Kind, target: str) -> None:
    command = made(**data)
    assert command is not None
    assert (command.kind, command.target, command.actor) == (kind, target, TINA)


def test_a_person_is_saved_with_the_fields_of_the_form_only() -> None:
    command = made(do="save_person", given_name="WEI", family_name="LI", confirmed="on", is_self="1", owner_id="x")
    assert command is not None
    assert command.payload == {"details": {"given_name": "WEI", "family_name": "LI"}}


@pytest.mark.parametrize(
    "data", [{"do": "say", "text": "  "}, {"do": "agree", "trip": None}, {"do": "name", "trip": "t1", "passenger": ""}]
)
def test_a_press_with_nothing_in_it_is_refused_with_a_reason(data: dict[str, object]) -> None:
    with pytest.raises(Invalid):
        made(**data)


@pytest.mark.parametrize(("language", "why"), [("zh", "缺这一项"), ("en", "is missing")])
def test_a_refused_press_says_what_is_wrong_with_each_field(language: Language, why: str) -> None:
    with pytest.raises(Invalid) as refused:
        command(Kind.SEND_MESSAGE, "c1", {"timezone": "UTC"}, key="k1", actor=TINA)
    assert refused.value.facts["fields"] == ("text",)
    assert why in refusal(refused.value, Pen(language, "UTC", NOW))


def test_a_press_without_key_is_no_command() -> None:
    with pytest.raises(Invalid) as refused:
        traveller_command(Press.of({"do": "say", "conversation": "c1", "text": "x"}), TINA)
    assert refused.value.code == "key_missing"


def test_a_press_that_only_shows_something_is_no_command() -> None:
    assert made(do="sort", trip="t1", value="price") is None


def test_choosing_sends_what_was_on_the_card() -> None:
    stage = Stage()
    draft = Draft(offer=1, offers_hash="h1")
    command = choose_command(Press.of({"key": KEY, "trip": "t1"}), TINA, draft, all_seats(draft, stage.offers()[0]))
    assert command.payload == {
        "answer": "choose",
        "offer": 1,
        "offers_hash": "h1",
        "seats": {"1": {"1": "14A"}, "2": {"1": "14B"}},
        "if_gone": "next_best",
    }


@pytest.mark.parametrize(
    ("press", "changed"),
    [
        ({"do": "sort", "value": "price"}, {"sort": "price"}),
        ({"do": "sort", "value": "free"}, {}),
        ({"do": "pick", "value": "9"}, {}),
        ({"do": "stage", "value": "check"}, {"stage": "check"}),
        ({"do": "if_gone", "value": "ask"}, {"if_gone": "ask"}),
        ({"do": "segment", "value": "0"}, {}),
        ({"do": "seat", "seat": "14A"}, {}),
    ],
)
def test_a_press_changes_its_own_part_of_the_draft_or_nothing(press: dict[str, str], changed: dict[str, object]) -> None:
    trip = Stage().trips()[0]
    assert redrafted(Draft(), Press.of(press), trip) == Draft().model_copy(update=changed)
