"""Every refusal has words for the facts it is raised with, in both languages: nobody is told less than is known."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from assistant.domain.errors import Reason
from assistant.wording.catalogue import LANGUAGES, has, sentence

HOME = Path(__file__).parents[2]
KINDS = {"CommandRefused", "Invalid", "NotFound", "Forbidden", "Conflict", "CommandReused", "TooMany", "Gone"}
OF_REST = {"Unauthenticated", "TooLarge"}
# For programs: what is told beside the sentence, or is plain to whoever asked.
QUIET = {
    "what", "id", "status", "state", "answer", "needs", "step", "version", "branch_id", "message_id", "command_id", "run_id",
    "operation_id", "checkpoint_id", "asked_at", "attempt", "attempts", "wanted", "offers_hash", "offer", "queued", "retry_after",
    "newest", "seen", "departs", "named", "searched", "problems",
}  # fmt: skip
SAID_ELSEWHERE = {"role_missing", "name_taken", "order_id_needed"}  # by the page or the shell that asked


class Raised(NamedTuple):
    """A refusal as the code makes it; `where` is file and line."""

    where: str
    code: str
    facts: frozenset[str]


def refusals() -> Iterator[Raised]:
    for folder in ("assistant", "graphs", "ui"):
        for file in sorted((HOME / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KINDS | OF_REST:
                    yield from raised(node, f"{file.relative_to(HOME)}:{node.lineno}")


def raised(node: ast.Call, where: str) -> Iterator[Raised]:
    facts = frozenset(word.arg for word in node.keywords if word.arg)
    for code in (named for argument in node.args[:1] for named in either(argument)):
        if isinstance(code, ast.Constant):
            yield Raised(where, str(code.value), facts)
        else:  # one that is handed its code: those it is handed
            yield from (Raised(where, handed, facts) for handed in ("invalid", "passengers_incomplete"))


def either(code: ast.expr) -> tuple[ast.expr, ...]:
    return (code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,)


FOUND = sorted(refusals())


def key_of(code: str) -> str:
    """As a problem finds its sentence."""
    return next((key for key in (f"error.{code}", f"reason.{code}") if has(key)), f"no sentence for {code}")


def blanks(code: str) -> dict[str, bool]:
    return sentence(key_of(code), "zh").blanks | sentence(key_of(code), "en").blanks


@pytest.mark.parametrize("refusal", FOUND, ids=lambda refusal: f"{refusal.code}-{refusal.where}")
def test_a_refusal_can_be_said_with_what_it_knows_and_says_it(refusal: Raised) -> None:
    for language in LANGUAGES:
        needed = {name for name, must in sentence(key_of(refusal.code), language).blanks.items() if must}
        assert needed <= refusal.facts, (language, refusal)
    unsaid = refusal.facts - QUIET - blanks(refusal.code).keys()
    assert not unsaid or refusal.code in SAID_ELSEWHERE, (unsaid, refusal)


@pytest.mark.parametrize("code", sorted({refusal.code for refusal in FOUND}))
def test_what_a_sentence_has_room_for_is_given_by_somebody(code: str) -> None:
    given = frozenset[str]().union(*(refusal.facts for refusal in FOUND if refusal.code == code))
    assert blanks(code).keys() <= given, code


def test_refusals_are_found_where_they_are_made() -> None:
    assert len(FOUND) > 150
    assert {"invalid", "passengers_missing", "no_such_seat", "paused", "too_large"} <= {refusal.code for refusal in FOUND}


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_of_the_airline_and_the_desk_has_words(reason: Reason) -> None:
    assert has(f"reason.{reason.value}")
