"""`layover backup` and `layover restore`: the data directory copied beside a running server, all of one moment.

While the business database's write lock is held nothing can be accepted, begun or finished, so no checkpoint in the copy is
of a command the copied ledger does not know, and nothing is sent to the airline. Seconds; what waits for the lock goes on.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from .domain.clock import Clock, system_clock
from .settings import SettingsError

LEDGER = "layover.db"
AIRLINE = "airline.db"
AFTERWARDS = ("checkpoints.db", AIRLINE)  # in this order: the airline's books last, as it learns last
FILES = ("secret-key", "demo-passwords.json")
WHOLE = "backup.json"  # written last
READY = ".restoring"
LONGEST_WAIT = 30.0  # seconds for the lock
NAME_IT = "Name the directory of the server; layover migrate makes a new one"
NOT_WHOLE = "Name a directory that layover backup has made"


def back_up(data_dir: Path, target: Path, *, clock: Clock = system_clock) -> list[str]:
    """The names of what was copied into `target`, which is made and must be empty. Raises SettingsError."""
    _check(data_dir, target)
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    copied = [LEDGER]
    with closing(sqlite3.connect(data_dir / LEDGER, isolation_level=None, timeout=LONGEST_WAIT)) as lock:
        lock.execute("BEGIN IMMEDIATE")
        made_at = clock()
        for name in (LEDGER, *(n for n in AFTERWARDS if (data_dir / n).is_file())):
            _copy(data_dir / name, target / name)
            copied += [name] if name != LEDGER else []
        lock.execute("ROLLBACK")
    for name in (n for n in FILES if (data_dir / n).is_file()):
        shutil.copy2(data_dir / name, target / name)
        copied.append(name)
    (target / WHOLE).write_text(json.dumps({"made_at": made_at.isoformat(timespec="seconds"), "files": copied}), "utf-8")
    return copied


def restore(source: Path, data_dir: Path, *, airline_goes_on: bool, clock: Clock = system_clock) -> Path | None:
    """Put a backup where a server will look; returns where what was there before is kept, if anything. Raises SettingsError.

    `airline_goes_on`: it is not put back and knows what came after the backup. No yes of that time counts any more, purchases
    wait until a person has compared, and from then on what is bought is looked for first, until all that was lost is settled.
    """
    made = _whole(source)
    if data_dir.resolve() in source.resolve().parents:
        raise SettingsError("DIRECTORY", f"{source} is inside {data_dir}", "Move the backup elsewhere first")
    with unused(data_dir):
        at, ready = clock(), data_dir / READY
        names = [n for n in made["files"] if not (airline_goes_on and n == AIRLINE)]
        try:
            _make_ready(source, ready, names)
            if airline_goes_on:
                _mark(ready / LEDGER, datetime.fromisoformat(str(made["made_at"])), at)
            kept = _set_aside(data_dir, but=AIRLINE if airline_goes_on else None)
        except (OSError, sqlite3.Error) as trouble:
            shutil.rmtree(ready, ignore_errors=True)
            raise SettingsError("LAYOVER_DATA_DIR", f"nothing was restored: {trouble}", "What was there is as it was") from None
        for name in sorted(names, key=LEDGER.__eq__):  # the ledger last: without it nothing is served
            os.replace(ready / name, data_dir / name)
        ready.rmdir()
    return kept


def _make_ready(source: Path, ready: Path, names: list[str]) -> None:
    """All of it on the disk of the data directory before anything there is touched."""
    shutil.rmtree(ready, ignore_errors=True)  # of one that was killed
    ready.mkdir(mode=0o700)
    for name in names:
        shutil.copy2(source / name, ready / name)


def refuse_half_restored(data_dir: Path) -> None:
    """A restore that died between taking away and putting back is no new installation. Raises SettingsError."""
    if (data_dir / READY).is_dir() and not (data_dir / LEDGER).exists():
        remedy = f"Run layover restore again; what was there is in the newest {data_dir.name}.before-restore beside it"
        raise SettingsError("LAYOVER_DATA_DIR", f"a restore into {data_dir} has not been finished", remedy)


def has_database(data_dir: Path) -> None:
    """Raises SettingsError where there is none; a mistyped directory is no new installation."""
    if not (data_dir / LEDGER).is_file():
        raise SettingsError("LAYOVER_DATA_DIR", f"there is no database in {data_dir.absolute()}", NAME_IT)


def _check(data_dir: Path, target: Path) -> None:
    has_database(data_dir)
    if data_dir.resolve() in (target.resolve(), *target.resolve().parents):
        raise SettingsError("DIRECTORY", f"{target} is inside {data_dir}, and would be lost with it", "Name one elsewhere")
    if target.exists() and any(target.iterdir()):
        raise SettingsError("DIRECTORY", f"{target} is not empty", "Name a directory that does not exist yet")


def _copy(source: Path, target: Path) -> None:
    """SQLite's own online copy; the write-ahead log is in it."""
    with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as reading, closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)
    os.chmod(target, 0o600)


def _whole(source: Path) -> dict[str, list[str]]:
    try:
        made = json.loads((source / WHOLE).read_text("utf-8"))
        for name in (n for n in made["files"] if n not in FILES):
            copy = f"file:{source / name}?mode=ro&immutable=1"  # nobody writes it, and its directory may be read-only
            with closing(sqlite3.connect(copy, uri=True)) as file:
                if file.execute("PRAGMA quick_check").fetchone() != ("ok",):
                    raise SettingsError("DIRECTORY", f"{name} in {source} is damaged", "Use another backup")
    except (OSError, ValueError, KeyError, sqlite3.DatabaseError):
        raise SettingsError("DIRECTORY", f"{source} is no whole backup", NOT_WHOLE) from None
    return made


def in_use(data_dir: Path) -> bool:
    """Whether a server runs on it. Makes nothing."""
    try:
        with (data_dir / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


@contextmanager
def unused(data_dir: Path) -> Generator[None]:
    """No server runs on it, nor can one begin. Raises SettingsError where one does."""
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (data_dir / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SettingsError("LAYOVER_DATA_DIR", f"a server uses {data_dir}", "Stop it first") from None
        yield


def _set_aside(data_dir: Path, *, but: str | None) -> Path | None:
    """Never overwritten: it may still be wanted. All of it, else OSError. A database that stays does so with its log."""
    stays = ("lock", READY, *((but, f"{but}-wal", f"{but}-shm") if but else ()))
    there = [file for file in data_dir.iterdir() if file.name not in stays]
    if not there:
        return None
    names = (data_dir.with_name(f"{data_dir.name}.before-restore{n or ''}") for n in range(1000))
    aside = next(name for name in names if not name.exists())
    aside.mkdir(mode=0o700)
    try:
        for file in there:
            os.replace(file, aside / file.name)
    except OSError:
        for file in aside.iterdir():
            os.replace(file, data_dir / file.name)
        aside.rmdir()
        raise
    return aside


def _mark(ledger: Path, made_at: datetime, at: datetime) -> None:
    """Voids, pauses, and says since when the airline may know more. A backup of a ledger not settled yet goes back further."""
    now = at.astimezone(UTC).replace(tzinfo=None).isoformat(sep=" ")
    by = "layover restore"
    with closing(sqlite3.connect(ledger)) as database, database:
        kept = database.execute("SELECT value FROM switches WHERE name = 'restored'").fetchone()
        before: dict[str, str | bool] = json.loads(kept[0]) if kept else {}
        if before.get("on"):
            made_at = min(made_at, datetime.fromisoformat(str(before["made_at"])))
        switches = {
            "paused": {"on": True, "by": by, "restored_from": made_at.astimezone(UTC).isoformat()},
            "restored": {"on": True, "by": by, "made_at": made_at.isoformat(), "at": at.isoformat()},
        }
        for name, value in switches.items():
            row = (name, json.dumps(value), now)
            database.execute("INSERT OR REPLACE INTO switches (name, value, changed_at) VALUES (?, ?, ?)", row)
        database.execute("UPDATE grants SET state = 'void' WHERE state = 'unused'")
