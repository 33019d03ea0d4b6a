"""What is wrong with a field has words in both languages, for every kind the code raises, and with the facts it gives."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.rewind import BACKWARDS, LAST_FIRST, WITH_OFFSET
from assistant.wording import Said, render
from assistant.wording.catalogue import LANGUAGES, has
from assistant.wording.problems import wrong

ASSISTANT = Path(__file__).parents[2] / "assistant"
NAMED = {"LAST_FIRST": LAST_FIRST, "BACKWARDS": BACKWARDS, "WITH_OFFSET": WITH_OFFSET}


def raised() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Kind and names of its facts."""
    for file in (*sorted((ASSISTANT / "domain").glob("*.py")), ASSISTANT / "rewind.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in {"PydanticCustomError", "wrong"}
            ):
                kind, *rest = node.args
                facts = [str(k.value) for d in rest if isinstance(d, ast.Dict) for k in d.keys if isinstance(k, ast.Constant)]
                if isinstance(kind, ast.Constant | ast.Name):
                    yield str(kind.value) if isinstance(kind, ast.Constant) else NAMED[kind.id], tuple(facts)


@pytest.mark.parametrize(("kind", "facts"), sorted(set(raised())))
def test_every_problem_can_be_said_with_the_facts_it_is_raised_with(kind: str, facts: tuple[str, ...]) -> None:
    assert has(f"wrong.{kind}")
    said = Said.model_validate(wrong(kind, dict.fromkeys(facts, "7")))
    assert said.key == f"wrong.{kind}", "the sentence needs facts that nobody gives"
    zh, en = (render(said, language) for language in LANGUAGES)
    assert zh != en


def test_a_kind_nobody_has_words_for_is_told_in_general_and_tells_no_value() -> None:
    assert wrong("value_error", {"error": "secret"}) == {"key": "wrong.other", "params": {}}
