"""Prometheus: counted in the database when asked, so that several servers say the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ..persistence.database import Tx
from ..views import commands
from ..views.commands import Counts

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True)
class _Counted:
    name: str
    help: str
    labels: tuple[str, ...]
    counts: Counts


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
            )
        )
    )
    return generate_latest(registry)
