"""Text is text, wherever it comes from."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from ui.markup import joined, paragraphs, tag

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    "&lt;b&gt;",
    "</textarea><b>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_between_tags_is_never_markup(text: str) -> None:
    made = tag("p", text)
    assert "<" not in made.removeprefix("<p>").removesuffix("</p>")
    assert Markup(made).striptags() == " ".join(text.split())


@pytest.mark.parametrize("text", HOSTILE)
def test_text_in_an_attribute_never_leaves_it(text: str) -> None:
    made = tag("a", "x", title=text)
    assert made.count('"') == 2
    assert made.count("<") == 2


@pytest.mark.parametrize("text", HOSTILE)
def test_paragraphs_of_a_message_are_text(text: str) -> None:
    assert "<img" not in paragraphs(text)
    assert "<script" not in paragraphs(text)
    assert "<b>" not in paragraphs(text)


def test_braces_and_dollars_pass_as_they_are() -> None:
    assert "${alert(1)} {{x}}" in tag("p", "${alert(1)} {{x}}")


def test_markup_is_kept_and_nothing_is_left_out_but_nothing() -> None:
    assert tag("ul", (tag("li", n) for n in (0, 1)), None, False) == "<ul><li>0</li><li>1</li></ul>"


def test_attributes_without_value_are_left_out_or_bare() -> None:
    assert tag("input", required=True, value=None, disabled=False, data_do="x") == '<input required data-do="x">'


def test_an_empty_line_parts_paragraphs_and_a_line_break_breaks() -> None:
    assert paragraphs("a\nb\n\nc") == "<p>a<br>b</p><p>c</p>"


def test_shapes_of_a_drawing_are_closed() -> None:
    assert tag("g", tag("rect", x=1), tag("text", "A")) == '<g><rect x="1"></rect><text>A</text></g>'


def test_nothing_joined_is_nothing() -> None:
    assert joined(()) == ""
