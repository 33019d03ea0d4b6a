"""Checkpoints that have become history: from a thread's leaf back to what is already numbered, told in domain fields."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot

from .domain.plans import Wanted
from .domain.trips import Selection
from .driving import Graph, checkpoint_of
from .persistence import documents, versions
from .persistence.database import Database
from .persistence.versions import Made
from .wording.said import Said

KINDS = {
    "start": "said",
    "event": "told",
    "understand": "understood",
    "remember": "understood",
    "propose": "understood",
    "reply": "told",
    "search": "looked_up",
    "price_offers+read_seat_maps": "looked_up",
    "shortlist": "looked_up",
    "refresh": "looked_up",
    "plan": "understood",
    "settle": "touched",
    "choose": "asked",
    "agree": "asked",
    "review": "asked",
    "await_outcome": "asked",
    "conclude": "told",
}
ASKS = frozenset({"choose", "agree", "review", "await_outcome"})
MOST = 400


async def made_since(database: Database, graph: Graph, thread_id: str, leaf: StateSnapshot, *, command_id: str) -> list[Made]:
    """The unnumbered checkpoints up to the leaf, oldest first; a run that died left gaps, which are filled here too.

    What the running command made is not numbered before it ends, so nobody is asked about it.
    """
    found: list[Made] = []
    snapshot: StateSnapshot | None = leaf
    while snapshot is not None and len(found) < MOST:
        if (snapshot.metadata or {}).get("command_id") != command_id and await _is_known(database, thread_id, snapshot):
            break
        parent = await graph.aget_state(snapshot.parent_config) if snapshot.parent_config else None
        if (snapshot.metadata or {}).get("source") != "input":  # the bare input; the step after it says the same
            found.append(await _made(database, graph, snapshot, parent))
        snapshot = parent
    return found[::-1]


async def _is_known(database: Database, thread_id: str, snapshot: StateSnapshot) -> bool:
    checkpoint = checkpoint_of(snapshot) or ""
    return bool(await database.read(lambda tx: versions.known(tx, thread_id, [checkpoint])))


async def _made(database: Database, graph: Graph, snapshot: StateSnapshot, parent: StateSnapshot | None) -> Made:
    step, forked = await _step(graph, snapshot, parent)
    did = await _did(database, snapshot.values) if step == "settle" else None
    asks = checkpoint_of(parent) if parent else None
    bare = parent is not None and (parent.metadata or {}).get("source") == "input"
    above = _checkpoint_in(parent.parent_config) if bare and parent is not None else asks
    return Made(
        checkpoint_id=checkpoint_of(snapshot) or "",
        asks_checkpoint_id=asks if step in ASKS and not forked else None,  # a correction asked nobody
        parent_checkpoint_id=above,
        step=step,
        kind="forked" if forked else _kind(step, snapshot.values, did),
        title=Said(key=f"version.{step.split('+')[0]}", params=_params(snapshot) | ({"did": did} if did else {})),
        summary=summary_of(snapshot.values),
        at=datetime.fromisoformat(str(snapshot.created_at)),
    )


def _kind(step: str, values: dict[str, Any], did: str | None) -> str:
    """Where the next step is not granted, none is left, or one was only to keep, nothing was touched."""
    idle = values.get("stopped") in {"ungranted", "disagreeable"} or did in {"nothing", "keep", "leave"}
    return "understood" if step == "settle" and idle else KINDS.get(step, "understood")


async def _did(database: Database, values: dict[str, Any]) -> str | None:
    """The kind of the plan's step that was carried out last; None where one was tried and stopped."""
    if values.get("stopped") or not values.get("plan"):
        return None
    if values.get("next") == "conclude":
        return "nothing"
    plan = await database.read(lambda tx: documents.read(tx, values["plan"]))
    done: int = values.get("done") or 0
    return str(plan["steps"][done - 1]["kind"]) if plan and 0 < done <= len(plan["steps"]) else None


def _checkpoint_in(config: RunnableConfig | None) -> str | None:
    here: dict[str, Any] = (config.get("configurable") if config else None) or {}
    return here.get("checkpoint_id")


async def _step(graph: Graph, snapshot: StateSnapshot, parent: StateSnapshot | None) -> tuple[str, bool]:
    """The node that made it, and whether by a correction."""
    metadata: Any = snapshot.metadata or {}
    match metadata.get("source"):
        case "update":
            node = str(metadata.get("entered_as"))
            return ("start" if node == "__start__" else node), True
        case "fork" if parent is not None:  # a copy of its parent, made to ask again
            before = await graph.aget_state(parent.parent_config) if parent.parent_config else None
            return (await _step(graph, parent, before))[0], True
        case _:
            step = "+".join(sorted(parent.next)) if parent is not None else "__start__"
            beginning = "event" if snapshot.values.get("event") else "start"
            return (beginning if step in {"__start__", ""} else step), False


def summary_of(values: dict[str, Any]) -> dict[str, Any]:
    """Domain fields as of one version: what a timeline compares."""
    summary: dict[str, Any] = {}
    if request := values.get("request"):
        summary["request"] = {
            k: request.get(k) for k in ("origin", "destination", "depart_on", "adults", "ages", "cabin", "max_stops")
        }
    if selection := values.get("selection"):
        chosen = Selection.model_validate(selection)
        summary["flights"] = list(chosen.segment_keys)
        summary["cabin"] = chosen.cabin.value
        summary["fare_brand"] = chosen.fare_brand
        summary["seats"] = [s.designator for s in chosen.seats]
        summary["places"] = [[s.segment_key, chosen.passenger_ids.index(s.passenger_id), s.designator] for s in chosen.seats]
        summary["passengers"] = len(chosen.passenger_ids)
    if wanted := values.get("wanted"):
        summary["total"] = Wanted.model_validate(wanted).total.model_dump(mode="json")
    if decision := values.get("decision"):
        summary["decision"] = {"type": decision.get("type"), "by": decision.get("by")}
    if concluded := values.get("concluded"):
        summary["status"] = concluded.get("status")
    for key in ("reason", "digest", "choice", "done", "steps", "stopped", "offers_hash"):
        if values.get(key) is not None:
            summary[key] = values[key]
    if event := values.get("event"):
        summary["event"] = event.get("status")
    if values.get("understanding"):
        summary["understanding"] = values["understanding"]
    if turn := values.get("turn"):
        summary["text"] = turn["text"][:200]
        summary["message_id"] = turn["message_id"]
    return summary


def _params(snapshot: StateSnapshot) -> dict[str, Any]:
    summary = summary_of(snapshot.values)
    params: dict[str, Any] = {}
    if summary.get("seats"):
        params["seats"] = summary["seats"]
    if summary.get("flights"):
        params["flights"] = [key.split(":")[0] for key in summary["flights"]]
    return params
