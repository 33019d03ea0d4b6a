"""The airline's own records in one SQLite file: they survive a killed process, and nothing of the product is in them."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

Json = dict[str, Any]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS offer_requests (
    request_id TEXT PRIMARY KEY, created_at TEXT NOT NULL, burnt_by TEXT, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS offer_changes (offer_id TEXT PRIMARY KEY, added TEXT NOT NULL, gone INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS orders (
    order_id TEXT PRIMARY KEY, offer_id TEXT NOT NULL, created_at TEXT NOT NULL, visible_at TEXT NOT NULL,
    pay_by TEXT, paid_at TEXT, cancelled_at TEXT, lapsed_at TEXT, body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS orders_offer ON orders (offer_id);
CREATE INDEX IF NOT EXISTS orders_unpaid ON orders (pay_by) WHERE paid_at IS NULL AND cancelled_at IS NULL AND lapsed_at IS NULL;
CREATE TABLE IF NOT EXISTS taken (
    flight TEXT NOT NULL, cabin TEXT NOT NULL, passenger TEXT NOT NULL, designator TEXT, order_id TEXT NOT NULL,
    UNIQUE (flight, designator));
CREATE INDEX IF NOT EXISTS taken_order ON taken (order_id);
CREATE TABLE IF NOT EXISTS cancellations (
    cancellation_id TEXT PRIMARY KEY, order_id TEXT NOT NULL, n INTEGER NOT NULL, confirmed_at TEXT, body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS cancellations_order ON cancellations (order_id, n);
CREATE TABLE IF NOT EXISTS pending (n INTEGER PRIMARY KEY, due_at TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS events (
    n INTEGER PRIMARY KEY, event_id TEXT NOT NULL, body TEXT NOT NULL, delivered INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS journal (
    n INTEGER PRIMARY KEY, at TEXT NOT NULL, effect TEXT NOT NULL, order_id TEXT, body TEXT NOT NULL);
"""
_TABLES = ("facts", "offer_requests", "offer_changes", "orders", "taken", "cancellations", "pending", "events", "journal")


class Store:
    """One connection, one transaction at a time; every change of one request is stored together or not at all."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.RLock()
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        self._db.row_factory = sqlite3.Row
        # NORMAL with WAL: a killed process loses nothing; after a power cut the last orders of a demo may be gone
        self._db.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_SCHEMA}")

    @contextmanager
    def transaction(self) -> Generator[None]:
        with self._lock:
            if self._db.in_transaction:
                yield
                return
            self._db.execute("BEGIN IMMEDIATE")
            with self._db:  # commits at the end, rolls back whatever is raised
                yield

    @contextmanager
    def savepoint(self) -> Generator[None]:
        """Inside a transaction: take back what follows if it fails, and nothing before it."""
        self._db.execute("SAVEPOINT inner_step")
        done = False
        try:
            yield
            done = True
        finally:
            if not done:
                self._db.execute("ROLLBACK TO inner_step")
            self._db.execute("RELEASE inner_step")

    def run(self, sql: str, *values: object) -> int:
        """Change rows; how many."""
        with self._lock:
            return self._db.execute(sql, values).rowcount

    def row(self, sql: str, *values: object) -> sqlite3.Row | None:
        with self._lock:
            return self._db.execute(sql, values).fetchone()

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    def fact(self, key: str, default: str) -> str:
        found = self.row("SELECT value FROM facts WHERE key = ?", key)
        return str(found["value"]) if found else default

    def keep(self, key: str, value: object) -> None:
        self.run("INSERT INTO facts VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, str(value))

    def next_number(self, name: str) -> int:
        number = int(self.fact(f"number.{name}", "0")) + 1
        self.keep(f"number.{name}", number)
        return number

    def wipe(self) -> None:
        with self.transaction():
            for table in _TABLES:
                self.run(f"DELETE FROM {table}")

    def close(self) -> None:
        with self._lock:
            self._db.close()


def text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def wire_time(moment: datetime) -> str:
    """Sortable, as on the wire: aware UTC with microseconds and a Z."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def moment(value: str) -> datetime:
    return datetime.fromisoformat(value)
