"""`layover eval PATH... [--json]`: how well an interpreter understands labelled sentences, and what it gets wrong.

Reads JSON lines: single turns with `slots` and `norm`, whole dialogues with `turns`, sentences with an `intent`, seat talk with
`seat`, and talk that is none of ours (`expect`). A row's kind is told by its fields.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

from ..domain.drafts import merged
from ..domain.understanding import Intent, Slots, Understanding
from .interpreter import Heard, HeardMessage, Interpreter
from .rules.interpreter import RulesInterpreter
from .scoring import Count, Score, coded, same_day, same_place, score_slots

Row = dict[str, Any]
_SGD_TODAY = date(2019, 3, 1)  # its dates are relative to this day
_TODAY = date(2026, 12, 1)
_FLIGHT_INTENTS = frozenset({"book_flight", "flight_status"})
_BAGGAGE_INTENTS = frozenset({"carry_on", "lost_luggage"})  # about a flight or not: either reading is right
_ACTS = {
    "INFORM": Intent.SEARCH,
    "INFORM_INTENT": Intent.SEARCH,
    "REQUEST_ALTS": Intent.SEARCH,
    "REQUEST": Intent.ASK_FACT,
    "AFFIRM": Intent.CONFIRM,
    "SELECT": Intent.CONFIRM,
    "NEGATE": Intent.DECLINE,
    "NEGATE_INTENT": Intent.DECLINE,
    "THANK_YOU": Intent.SMALLTALK,
    "GOODBYE": Intent.SMALLTALK,
}
_SAME_INTENT = {
    Intent.CHOOSE: Intent.CONFIRM,
    Intent.CHANGE: Intent.SEARCH,
    Intent.COMPARE: Intent.ASK_FACT,
    Intent.ASK_STATUS: Intent.ASK_FACT,
}
_WORST = 25


@dataclass
class Report:
    """Of one file. `outside`: talk that must not start a search, and how often it did; `seats`: seat talk read rightly."""

    path: str
    rows: int = 0
    score: Score = field(default_factory=Score)
    outside: int = 0
    false_searches: list[str] = field(default_factory=list[str])
    seats: int = 0
    seats_wrong: list[str] = field(default_factory=list[str])
    turns: int = 0
    turns_wrong: list[str] = field(default_factory=list[str])


def run_eval(argv: list[str]) -> int:
    """The command's exit code: 0, or 2 when a path cannot be read."""
    parser = argparse.ArgumentParser(prog="layover eval", description="Measure the understanding of labelled sentences.")
    parser.add_argument("path", nargs="+", type=Path, help="JSON lines, or a folder of them")
    parser.add_argument("--json", action="store_true", help="for machines")
    arguments = parser.parse_args(argv)
    paths = [p for given in arguments.path for p in (sorted(given.glob("*.jsonl")) if given.is_dir() else [given])]
    missing = [p for p in paths if not p.is_file()]
    if missing or not paths:
        print(f"cannot read {', '.join(map(str, missing or arguments.path))}")
        return 2
    reports = asyncio.run(evaluate(paths, RulesInterpreter()))
    print(
        json.dumps([as_json(r) for r in reports], ensure_ascii=False, indent=1)
        if arguments.json
        else "\n\n".join(map(as_text, reports))
    )
    return 0


async def evaluate(paths: list[Path], interpreter: Interpreter) -> list[Report]:
    reports: list[Report] = []
    for path in paths:
        report = Report(path.name)
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                await _row(report, json.loads(line), interpreter)
        reports.append(report)
    return reports


async def _row(report: Report, row: Row, interpreter: Interpreter) -> None:
    report.rows += 1
    if "turns" in row:
        await _dialogue(report, row, interpreter)
        return
    before = (HeardMessage(role="assistant", text=row["prev_system"]),) if row.get("prev_system") else ()
    said = await interpreter.interpret(_heard(row["text"], before, _today(row)))
    kinds: tuple[tuple[bool, Callable[[Report, Row, Understanding], None]], ...] = (
        ("seat" in row and "kind" in row, _seat),
        ("slots" in row, _slots),
        ("acts" in row and row.get("source") == "SGD", _acts),
        (row.get("source", "").startswith("CLINC"), _clinc),
        ("expect" in row or row.get("label") == "Irrelevant_demand", _outside),
    )
    for applies, judge in kinds:
        if applies:
            judge(report, row, said)


def _today(row: Row) -> date:
    if "now" in row:
        return date.fromisoformat(row["now"][:10])
    return _SGD_TODAY if row.get("source") == "SGD" else _TODAY


def _heard(text: str, recent: tuple[HeardMessage, ...], today: date, draft: Slots | None = None) -> Heard:
    return Heard(text=text, recent=recent, draft=draft or Slots(), now=datetime.combine(today, time(9), UTC), timezone="UTC")


def _slots(report: Report, row: Row, said: Understanding) -> None:
    score_slots(report.score, row, said, _today(row))


def _acts(report: Report, row: Row, said: Understanding) -> None:
    wanted = {_ACTS[act[0]] for act in row["acts"] if act[0] in _ACTS}
    got = {_SAME_INTENT.get(i, i) for i in said.intents} & set(_ACTS.values())
    if "THANK_YOU" not in str(row["acts"]) and Intent.SMALLTALK in got and len(got) > 1:
        got -= {Intent.SMALLTALK}
    for intent in sorted(wanted | got):
        report.score.note(
            report.score.intents,
            row,
            intent.value,
            wanted=[intent.value] * (intent in wanted),
            got=[intent.value] * (intent in got),
            hit=int(intent in wanted & got),
            recall=True,
        )


def _clinc(report: Report, row: Row, said: Understanding) -> None:
    """Flights against the rest, and searches that nobody asked for."""
    ours = bool({Intent.SEARCH, Intent.ASK_STATUS} & set(said.intents))
    if row["intent"] not in _BAGGAGE_INTENTS:
        flight = row["intent"] in _FLIGHT_INTENTS
        report.score.note(
            report.score.intents,
            row,
            "concerns flights",
            wanted=[row["intent"]] * flight,
            got=[i.value for i in said.intents][:1] * ours,
            hit=int(flight and ours),
            recall=True,
        )
        if not flight:
            _outside(report, row, said)


def _outside(report: Report, row: Row, said: Understanding) -> None:
    report.outside += 1
    if Intent.SEARCH in said.intents:
        report.false_searches.append(f"{row.get('id', '')}: {row['text']}")


def _seat(report: Report, row: Row, said: Understanding) -> None:
    report.seats += 1
    wanted = {(position, row["polarity"]) for position in row["seat"] or ()}
    got = {(w.position.value, w.polarity.value) for w in said.wishes if not w.forget}
    if wanted != got:
        report.seats_wrong.append(f"{row.get('id', '')}: {row['text']} | wanted {sorted(wanted)} | got {sorted(got)}")


async def _dialogue(report: Report, row: Row, interpreter: Interpreter) -> None:
    """What was gathered after each turn, against what the person had said by then."""
    draft, recent, told = Slots(), list[HeardMessage](), dict[str, str]()
    today = _today(row)
    for turn in row["turns"]:
        if turn["role"] != "user":
            recent.append(HeardMessage(role="assistant", text=turn["text"]))
            continue
        said = await interpreter.interpret(_heard(turn["text"], tuple(recent[-8:]), today, draft))
        draft = merged(draft, said)
        recent.append(HeardMessage(role="user", text=turn["text"]))
        told |= {act[1]: act[2][0] for act in turn["acts"] if act[0] == "INFORM" and act[2]}
        wrong = differences(draft, told, said, today)
        report.turns += 1
        if wrong:
            report.turns_wrong.append(f"{row.get('id', '')}: {turn['text']} | {'; '.join(wrong)}")


def differences(draft: Slots, told: dict[str, str], said: Understanding, today: date) -> list[str]:
    """What is known (`draft`) against what was told, one line for each slot that is wrong; days as `said` is unsure of them."""
    wrong: list[str] = []
    for part, place in (("origin", draft.origin), ("destination", draft.destination)):
        if (part in told) != (place is not None) or (place and not same_place(told[part], place)):
            wrong.append(f"{part}: {told.get(part)} / {place.text if place else None}")
    whole = said.model_copy(update={"slots": draft})
    for name, when in (("depart_date", draft.depart), ("return_date", draft.return_)):
        has = bool(when and when.date_from)
        if (name in told) != has or (name in told and not same_day(told[name], when, whole, today)):
            wrong.append(f"{name}: {told.get(name)} / {when.date_from if when else None}")
    spelt = {
        "economy": "economy",
        "premium economy": "premium_economy",
        "business": "business",
        "dontcare": "any",
        "first class": "first",
    }
    for name in ("cabin", "passengers"):
        value = told.get(name, "").lower()
        wanted = [spelt.get(value, value)] if value else []
        if wanted != coded(draft, name):
            wrong.append(f"{name}: {wanted} / {coded(draft, name)}")
    return wrong


def _counts(counts: dict[str, Count]) -> dict[str, dict[str, float]]:
    return {
        name: {
            "precision": round(c.precision, 4),
            "recall": round(c.recall, 4),
            "f1": round(c.f1, 4),
            "n": c.tp + c.fn,
            "false": c.fp,
        }
        for name, c in sorted(counts.items())
        if c.seen
    }


def as_json(report: Report) -> dict[str, Any]:
    out: dict[str, Any] = {
        "path": report.path,
        "rows": report.rows,
        "slots": _counts(report.score.slots),
        "intents": _counts(report.score.intents),
    }
    out["false_searches"] = {"of": report.outside, "rows": report.false_searches}
    out["seats"] = {"of": report.seats, "wrong": report.seats_wrong}
    out["turns"] = {"of": report.turns, "wrong": report.turns_wrong}
    return out | {"misses": [asdict(m) for m in report.score.misses]}


def as_text(report: Report) -> str:
    lines = [f"{report.path}: {report.rows} rows"]
    for title, counts in (("slot", report.score.slots), ("intent", report.score.intents)):
        rows = _counts(counts)
        if rows:
            lines.append(f"  {title:<18}{'precision':>10}{'recall':>8}{'F1':>8}{'n':>6}{'false':>7}")
            lines += [
                f"  {n:<18}{c['precision']:>10.3f}{c['recall']:>8.3f}{c['f1']:>8.3f}{c['n']:>6}{c['false']:>7}"
                for n, c in rows.items()
            ]
    for title, of, wrong in (
        ("false searches", report.outside, report.false_searches),
        ("seat talk wrong", report.seats, report.seats_wrong),
        ("turns wrong", report.turns, report.turns_wrong),
    ):
        if of:
            lines.append(f"  {title}: {len(wrong)} of {of} ({100 * len(wrong) / of:.1f} %)")
            lines += [f"    {w}" for w in wrong[:_WORST]]
    if report.score.misses:
        lines.append("  worst misses:")
        lines += [
            f"    [{m.slot}] wanted {m.wanted} got {[g for g in m.got if g]} | {m.text}" for m in report.score.misses[:_WORST]
        ]
    return "\n".join(lines)
