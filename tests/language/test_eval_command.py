"""`layover eval`: counts per slot and intent, false searches, seat talk and whole dialogues."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.language.evaluate import run_eval

ROWS: tuple[dict[str, Any], ...] = (
    {
        "id": "a",
        "text": "from Oslo to Bergen on March 3rd in business",
        "lang": "en",
        "slots": {"origin": ["Oslo"], "destination": ["Bergen"], "depart_date": ["March 3rd"]},
        "norm": {"cabin": ["business"]},
    },
    {"id": "b", "text": "hello there", "lang": "en", "slots": {"origin": ["Rome"]}, "norm": {}},
    {"id": "c", "text": "帮我订个酒店", "lang": "zh", "expect": "not a flight request"},
    {"id": "d", "text": "a window seat please", "kind": "state", "seat": ["window"], "polarity": "want"},
    {"id": "e", "text": "make it an aisle", "kind": "state", "seat": ["window"], "polarity": "want"},
    {
        "id": "f",
        "turns": [
            {
                "role": "user",
                "text": "I fly from Oslo to Bergen",
                "acts": [["INFORM", "origin", ["Oslo"]], ["INFORM", "destination", ["Bergen"]]],
                "state": {},
            },
            {"role": "assistant", "text": "When do you leave?"},
            {"role": "user", "text": "March 5th", "acts": [["INFORM", "depart_date", ["March 5th"]]], "state": {}},
        ],
    },
)


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS), encoding="utf-8")
    return path


def test_scores_for_machines(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_eval([str(rows), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)[0]
    assert report["slots"]["origin"] == {"precision": 1.0, "recall": 0.5, "f1": 0.6667, "n": 2, "false": 0}
    assert report["slots"]["cabin"]["f1"] == 1.0
    assert report["false_searches"] == {"of": 1, "rows": []}
    assert (report["seats"]["of"], len(report["seats"]["wrong"])) == (2, 1)
    assert (report["turns"]["of"], report["turns"]["wrong"]) == (2, [])


def test_a_readable_report_shows_the_misses(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_eval([str(rows.parent)]) == 0
    out = capsys.readouterr().out
    assert "origin" in out
    assert "hello there" in out


def test_a_path_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_eval([str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl" in capsys.readouterr().out
