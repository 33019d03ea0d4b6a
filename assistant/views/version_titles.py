"""A version's title: what its step did, with the facts that tell it from others of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from sqlalchemy import Row

from ..wording.catalogue import has
from . import texts
from .shapes import Reader
from .version_facts import told

SHORT = 80  # characters of what was said


def title_of(reader: Reader, row: Row[Any]) -> str:
    key, summary = str(row.title["key"]), cast("dict[str, Any]", row.summary)
    if not has(key):
        return texts.text(reader, "version.other", value=row.step)
    facts = dict(row.title.get("params") or {}) | _facts(reader, row.step, summary)
    if row.step == "settle":
        outcome = f"settled.{facts.get('did') or summary.get('stopped')}"
        return texts.text(reader, outcome if has(outcome) else key, **facts)
    if row.step == "start" and summary.get("text"):
        return texts.text(reader, "version.message", text=_short(summary["text"]))
    return texts.text(reader, key, **facts)


def trip_line(reader: Reader, request: Mapping[str, Any]) -> str:
    """From, to and when."""
    days: object = request["depart_on"]
    if request.get("depart_until") and request["depart_until"] != request["depart_on"]:
        days = {"from": request["depart_on"], "to": request["depart_until"]}
    return texts.text(reader, "trip.short", origin=request["origin"], destination=request["destination"], days=days)


def _facts(reader: Reader, step: str, summary: Mapping[str, Any]) -> dict[str, object]:
    match step:
        case "start" if summary.get("request"):
            return {"trip": trip_line(reader, summary["request"])}
        case "event":
            key = next((k for k in (f"status.{summary.get('event')}", f"news.{summary.get('event')}") if has(k)), None)
            return {"what": texts.text(reader, key) if key else None}
        case "understand":
            said = told(reader, {"understanding": summary.get("understanding")}, ())
            return {"what": said.get("wishes") or said.get("asked") or said.get("intents")}
        case "refresh" | "plan":
            return {"total": summary.get("total")}
        case "review":
            return {"decision": told(reader, {"decision": summary.get("decision")}, ()).get("decision")}
        case "conclude":
            return {"status": summary.get("status")}
        case _:
            return {}


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHORT else line[: SHORT - 1] + "…"
