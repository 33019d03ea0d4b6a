"""What is known of one effect at the airline, in the reader's words: what was allowed, sent, answered, looked up and said."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from . import texts
from .case_shapes import CaseFact
from .shapes import Reader


def known(
    reader: Reader, row: Row[Any], *, granted: list[Row[Any]], tried: list[Row[Any]], noted: list[Row[Any]]
) -> tuple[CaseFact, ...]:
    """Of one operation, given what is written down of it; oldest first."""
    facts = [*_allowed(reader, row, granted), *(_attempt(reader, each) for each in tried)]
    facts += [fact for each in noted if (fact := _noted(reader, each)) is not None]
    facts.sort(key=lambda fact: fact.at or row.created_at)
    if row.looks:
        again = row.look_after if row.state in {"unknown", "needs_person"} else None
        facts.append(CaseFact(text=texts.text(reader, "case.looks", count=row.looks, next=again)))
    return tuple(facts)


def said_about(reader: Reader, noted: list[Row[Any]]) -> tuple[CaseFact, ...]:
    """Who said what became of it, and why."""
    return tuple(
        CaseFact(
            text=texts.text(
                reader,
                f"case.said_{each.body['resolution']}",
                by=each.body["by"]["name"],
                reason=each.body["reason"],
                order=each.order_id,
            ),
            at=each.created_at,
        )
        for each in noted
        if each.kind == "resolution"
    )


def _allowed(reader: Reader, row: Row[Any], granted: list[Row[Any]]) -> list[CaseFact]:
    return [
        CaseFact(
            text=texts.text(reader, f"case.allowed_{row.kind}", by=each.actor.get("name") or None, money=each.bound),
            at=each.created_at,
        )
        for each in granted
        if each.state == "consumed"
    ]


def _attempt(reader: Reader, each: Row[Any]) -> CaseFact:
    outcome: str = each.outcome or "died"
    if outcome.startswith("refused:"):
        why = texts.reason(reader, outcome.removeprefix("refused:"))
        return CaseFact(text=texts.text(reader, "case.sent_refused", why=why), at=each.started_at)
    return CaseFact(text=texts.text(reader, f"case.sent_{outcome}"), at=each.started_at)


def _noted(reader: Reader, each: Row[Any]) -> CaseFact | None:
    body: dict[str, Any] = each.body
    match each.kind:
        case "webhook":
            kind = "failed" if body.get("kind") == "order.creation_failed" else "heard"
            return CaseFact(text=texts.text(reader, f"case.{kind}"), at=each.created_at)
        case "look_up":
            reference = body.get("booking_reference")
            return CaseFact(text=texts.text(reader, "case.found", order=each.order_id, reference=reference), at=each.created_at)
        case "not_adopted":
            return CaseFact(text=texts.text(reader, f"case.not_{body['why']}", order=each.order_id), at=each.created_at)
        case "taken_in":
            return CaseFact(text=texts.text(reader, "case.taken_in", order=each.order_id), at=each.created_at)
        case _:
            return None
