"""`layover doctor`: is this installation well? Reads only, beside a running server or without one."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from graphs.trip import ASKS, build_trip_graph

from .backup import NAME_IT, in_use
from .bootstrap import checkpoints, now_of
from .domain.errors import Refused, Unavailable
from .invariants import LONG, Books, Finding, broken
from .persistence import restores, signals, standing
from .persistence.database import Database
from .persistence.migrating import newest_revision, revision_of
from .persistence.threads import GRAPH_VERSION
from .restoring import lost_orders
from .scanning import stranded
from .settings import Settings
from .wording.pauses import why_paused

AGAIN = "Look at the airline's own list, and run layover doctor again when it answers."
RENAMED = "Start the server (layover serve) once: it asks such questions again, and names those it cannot."
MIGRATE = "Run: layover migrate"
RESTORE = "Stop the server and put the newest backup back: layover restore DIRECTORY"
FILES = ("layover.db", "checkpoints.db", "airline.db")
DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
START = "Start the server (layover serve) once: it drives such threads again from the last run that is whole."
DECIDE = "Decide it in /review with the version that asked, or go back to the choice in its Steps there."


async def examine(database: Database, settings: Settings) -> int:
    """Prints what was looked at and what was found; 0 when all is well, else 1."""
    print(f"settings    provider {settings.provider.value}, data in {settings.data_dir}, demo {'on' if settings.demo else 'off'}")
    found = [finding async for finding in findings(database, settings)]
    for finding in found:
        print(f"{finding.invariant:<11} {finding.what}\n            -> {finding.remedy}")
    print("All is well." if not found else f"{len(found)} to look at.")
    return 1 if found else 0


async def findings(database: Database, settings: Settings) -> AsyncIterator[Finding]:
    """Schema first; where that is another version's, nothing else can be told."""
    damaged = _damaged(settings.data_dir)
    for finding in damaged:
        yield finding
    if damaged:
        return
    wrong_schema = await _schema(database, settings)
    if wrong_schema is not None:
        yield wrong_schema
        return
    books = await database.read(Books.read)
    runs = in_use(settings.data_dir)
    print(f"database    {len(books.threads)} threads, {len(books.orders)} orders, {len(books.operations)} operations")
    print(f"server      {'runs' if runs else 'none runs on this directory'}")
    if (paused := await database.read(signals.paused)) is not None:
        print(f"purchases   paused by {paused.get('by')}: {why_paused(paused, 'en') or 'no reason given'} (layover resume)")
    if (mark := await database.read(restores.restored)) is not None:
        print(f"restored    {mark}: every new booking is looked for at the airline first (layover settled, once nothing is lost)")
        for finding in await _lost(database, settings):
            yield finding
    patience = LONG if runs else timedelta()  # where no server runs nothing is under way by itself
    for finding in (*waiting(books, settings.data_dir), *broken(books, now=now_of(settings), patience=patience)):
        yield finding
    for finding in await _at_missing_nodes(database, settings.data_dir):
        yield finding


async def _lost(database: Database, settings: Settings) -> list[Finding]:
    try:
        return [lost.finding() for lost in await lost_orders(database, settings)]
    except (Refused, Unavailable) as silent:
        return [Finding("lost", f"the airline does not say what was booked since the backup: {silent}", AGAIN)]


def _damaged(data_dir: Path) -> list[Finding]:
    """What SQLite itself finds wrong with its files; nothing else can be told then. Raises sqlite3.Error where it cannot say."""
    found: list[Finding] = []
    for file in (data_dir / name for name in FILES if (data_dir / name).is_file()):
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=10)) as reading:
            try:
                said = str(reading.execute("PRAGMA quick_check(1)").fetchone()[0])
            except sqlite3.DatabaseError as trouble:
                if trouble.sqlite_errorcode & 0xFF not in DAMAGE:
                    raise  # locked, or not to be read just now: no reason to put an older file in its place
                said = str(trouble)
        if said != "ok":
            found.append(Finding("files", f"{file.name} is damaged: {said.splitlines()[0]}", RESTORE))
    return found


async def _at_missing_nodes(database: Database, data_dir: Path) -> list[Finding]:
    """Threads that wait at a node of an older graph, whatever their version number says."""
    file = data_dir / "checkpoints.db"
    if not file.is_file():
        return []
    async with checkpoints(file) as saver:
        found = await stranded(database, saver, frozenset(build_trip_graph(saver).graph.nodes))
    return [
        Finding("threads", f"trip {each.question.thread_id} waits at {each.node!r}, which this version lacks", RENAMED)
        for each in found
    ]


async def _schema(database: Database, settings: Settings) -> Finding | None:
    if database.is_sqlite and not (settings.data_dir / "layover.db").is_file():
        return Finding("database", f"there is no database in {settings.data_dir.absolute()}", NAME_IT)
    there, wanted = await revision_of(database), newest_revision()
    if there == wanted:
        return None
    return Finding("database", f"the schema is {there or 'empty'}, this version needs {wanted}", MIGRATE)


def waiting(books: Books, data_dir: Path) -> list[Finding]:
    """Threads that wait for somebody at a step this version does not have, or whose checkpoint is gone."""
    found: list[Finding] = []
    asked = [question for question in books.questions if question.status == "waiting"]
    kept = standing.checkpoints_of(data_dir / "checkpoints.db", asked)
    for question in asked:
        where = f"trip {question.thread_id} waits at {question.node}"
        if standing.is_another_versions(question, asks=ASKS):
            found.append(Finding("threads", f"{where} of graph version {question.graph_version}, not {GRAPH_VERSION}", DECIDE))
        elif standing.has_lost_its_step(question, kept=kept):
            found.append(Finding("threads", f"{where}, but that checkpoint is gone", START))
    return found
