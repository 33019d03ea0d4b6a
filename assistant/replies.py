"""Replies in the making, in this process: how one is stopped, and what it took of a model."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from .language.usage import ModelRun
from .persistence import spending
from .persistence.database import Database

log = logging.getLogger(__name__)


@dataclass
class Replies:
    """By command, while its run lasts."""

    _running: dict[str, ModelRun] = field(default_factory=dict[str, ModelRun])

    @contextmanager
    def of(self, command_id: str) -> Generator[ModelRun]:
        run = self._running[command_id] = ModelRun()
        try:
            yield run
        finally:
            self._running.pop(command_id, None)

    def stop(self, command_ids: Iterable[str]) -> None:
        """Cuts the model's work and lets the graph end after its step; a stop that comes again finds nothing running."""
        for command_id in command_ids:
            if command_id in self._running:
                log.info("command %s is stopped", command_id)
                self._running[command_id].stop.ask()

    async def account(self, database: Database, run_id: str, run: ModelRun, *, at: datetime) -> None:
        """Keeps what a run took of a model, however it ended; most take nothing."""
        if run.usage.calls == 0:
            return
        used = run.usage.record()
        log.info("run %s used a model: %s", run_id, used)
        await database.write(lambda tx: spending.keep(tx, run_id, used, at=at))
