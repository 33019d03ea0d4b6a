"""Prometheus: counted in the database when asked, so that several servers say the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ..persistence import spending
from ..persistence.database import Tx
from ..views import commands

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True)
class _Counted:
    name: str
    help: str
    labels: tuple[str, ...]
    counts: Mapping[tuple[str, ...], float]


class _Snapshot(Collector):
    def __init__(self, counted: Iterable[_Counted]) -> None:
        self._counted = tuple(counted)

    def collect(self) -> Iterator[Metric]:
        for counted in self._counted:
            family = GaugeMetricFamily(counted.name, counted.help, labels=counted.labels)
            for labels, count in sorted(counted.counts.items()):
                family.add_metric(labels, count)
            yield family


async def metrics_text(tx: Tx) -> bytes:
    """In Prometheus' text format; names no person and no tenant."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(
        _Snapshot(
            (
                _Counted("layover_commands", "Commands", ("kind", "status"), await commands.command_counts(tx)),
                _Counted("layover_runs", "Runs; no outcome: running or died", ("outcome",), await commands.run_counts(tx)),
                _Counted("layover_open_questions", "Waiting on people", ("node",), await commands.open_question_counts(tx)),
                _Counted("layover_operations", "At the airline", ("kind", "state"), await commands.operation_counts(tx)),
                _Counted("layover_orders", "At the airline", ("state",), await commands.order_counts(tx)),
                *_of_models(await spending.sums(tx)),
            )
        )
    )
    return generate_latest(registry)


def _of_models(sums: Mapping[str, Mapping[str, Any]]) -> tuple[_Counted, ...]:
    """What language models did; none where none was used. A cost only where the price is known."""
    answers = {(m, "failed"): s["failures"] for m, s in sums.items()} | {
        (m, "answered"): s["calls"] - s["failures"] for m, s in sums.items()
    }
    tokens = {(m, kind): s[f"{kind}_tokens"] for m, s in sums.items() for kind in ("input", "cached", "output")}
    costs = {(m,): float(s["cost_usd"]) for m, s in sums.items() if s["cost_usd"] is not None}
    return (
        _Counted("layover_model_calls", "Of language models", ("model", "outcome"), answers),
        _Counted("layover_model_tokens", "Of language models; cached is a part of input", ("model", "kind"), tokens),
        _Counted("layover_model_cost_usd", "At list price", ("model",), costs),
    )
