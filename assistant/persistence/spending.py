"""What runs took of language models: a document a run, and a sum a model for the operator's instruments."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import select

from .database import Tx, insert_or
from .tables import documents

SUMS = "model-usage"  # key of the document that holds the sums, by model
COUNTED = ("calls", "failures", "input_tokens", "cached_tokens", "output_tokens")


async def keep(tx: Tx, run_id: str, used: Mapping[str, Any], *, at: datetime) -> None:
    """`used` as a run records it; a run is kept once."""
    own = insert_or(tx, documents).values(hash=_key(run_id), body=dict(used), created_at=at).on_conflict_do_nothing()
    if (await tx.execute(own)).rowcount != 1:
        return
    empty = insert_or(tx, documents).values(hash=SUMS, body={}, created_at=at).on_conflict_do_nothing()
    await tx.execute(empty)
    row = (await tx.execute(select(documents.c.body).where(documents.c.hash == SUMS).with_for_update())).scalar_one()
    body = {**row, used["model"]: _sum(row.get(used["model"], {}), used)}
    await tx.execute(documents.update().where(documents.c.hash == SUMS).values(body=body))


async def of_run(tx: Tx, run_id: str) -> dict[str, Any] | None:
    return (await tx.execute(select(documents.c.body).where(documents.c.hash == _key(run_id)))).scalar_one_or_none()


async def sums(tx: Tx) -> dict[str, dict[str, Any]]:
    """By model: calls, failures, tokens, and `cost_usd` where the price is known."""
    return (await tx.execute(select(documents.c.body).where(documents.c.hash == SUMS))).scalar_one_or_none() or {}


def _key(run_id: str) -> str:
    return f"{SUMS}:{run_id}"


def _sum(before: Mapping[str, Any], used: Mapping[str, Any]) -> dict[str, Any]:
    costs = [Decimal(each["cost_usd"]) for each in (before, used) if each.get("cost_usd") is not None]
    counted = {name: int(before.get(name, 0)) + int(used[name]) for name in COUNTED}
    return counted | {"cost_usd": f"{sum(costs, Decimal(0)):f}" if costs else None}
