"""`layover`: serve | migrate | sandbox | users | token | pause | resume | backup | restore | restored | settled | doctor
| prune | eval."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from .domain.errors import CommandRefused, LayoverError
from .persistence.storage import REMEDY, trouble_of
from .settings import LogKind, Settings, read_settings


def main(argv: Sequence[str] | None = None) -> int:
    """The exit status; a wrong setting or command is one line on stderr, never a stack trace."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["sandbox"]:
        from .booking.sandbox_command import run_sandbox

        return run_sandbox(arguments[1:])
    if arguments[:1] == ["eval"]:
        from .language.evaluate import run_eval

        return run_eval(arguments[1:])
    asked = _parser().parse_args(arguments)
    try:
        settings = read_settings({k: v for k in ("host", "port") if (v := getattr(asked, k, None)) is not None})
        _log(settings)
        with suppress(KeyboardInterrupt):
            return COMMANDS[asked.command](settings, asked)
        return 0
    except CommandRefused as refusal:
        from .web.problems import detail

        print(f"layover: {detail(refusal.code, refusal.facts, 'en') or refusal}", file=sys.stderr)
        return 2
    except LayoverError as trouble:
        print(f"layover: {trouble}", file=sys.stderr)
        return 2
    except (DBAPIError, sqlite3.Error) as error:
        if (ails := trouble_of(error)) is None:
            raise
        print(f"layover: the storage is {ails}: {_cause(error)}. {REMEDY[ails]}", file=sys.stderr)
        return 2


def _cause(error: DBAPIError | sqlite3.Error) -> object:
    return error.orig if isinstance(error, DBAPIError) else error


def _serve(settings: Settings, asked: argparse.Namespace) -> int:
    from .serving import serve

    asyncio.run(serve(settings, pages=not asked.no_pages))
    return 0


def _migrate(settings: Settings, _: argparse.Namespace) -> int:
    from .operating import migrate_now

    asyncio.run(migrate_now(settings))
    return 0


def _users(settings: Settings, asked: argparse.Namespace) -> int:
    from .operating import add_user_now

    password = sys.stdin.readline().rstrip("\n") if asked.password_stdin else ""
    asyncio.run(add_user_now(settings, name=asked.name, tenant=asked.tenant, roles=asked.role, password=password))
    return 0


def _token(settings: Settings, asked: argparse.Namespace) -> int:
    from .operating import token_now

    print(asyncio.run(token_now(settings, name=asked.name)))
    return 0


def _pause(settings: Settings, asked: argparse.Namespace) -> int:
    from .domain.commands import Kind
    from .operating import pause_now

    kind = Kind(asked.command)
    whose = asyncio.run(pause_now(settings, kind=kind, reason=getattr(asked, "reason", None)))
    print(f"Purchases are paused {whose}: layover resume" if kind is Kind.PAUSE else f"Purchases go on {whose}")
    return 0


def _backup(settings: Settings, asked: argparse.Namespace) -> int:
    from .operating import backup_now

    print(backup_now(settings, asked.directory))
    return 0


def _restore(settings: Settings, asked: argparse.Namespace) -> int:
    from .operating import restore_now

    print(restore_now(settings, asked.directory, drill=asked.drill))
    return 0


def _restored(settings: Settings, asked: argparse.Namespace) -> int:
    from .operating import restored_now

    print(asyncio.run(restored_now(settings, made_at=asked.made_at)))
    return 0


def _settled(settings: Settings, _: argparse.Namespace) -> int:
    from .operating import settled_now

    print(asyncio.run(settled_now(settings)))
    return 0


def _doctor(settings: Settings, _: argparse.Namespace) -> int:
    from .operating import doctor_now

    return asyncio.run(doctor_now(settings))


def _prune(settings: Settings, asked: argparse.Namespace) -> int:
    from .operating import prune_now

    days = timedelta(days=asked.older_than)
    gone = asyncio.run(prune_now(settings, older_than=days, say=lambda line: print(line, file=sys.stderr)))
    print(f"{gone.versions} steps cannot be gone back to now; {gone.checkpoints} checkpoints, {gone.bytes / 1e6:.1f} MB gone")
    return 0


COMMANDS: dict[str, Callable[[Settings, argparse.Namespace], int]] = {
    "serve": _serve,
    "migrate": _migrate,
    "users": _users,
    "token": _token,
    "pause": _pause,
    "resume": _pause,
    "backup": _backup,
    "restore": _restore,
    "restored": _restored,
    "settled": _settled,
    "doctor": _doctor,
    "prune": _prune,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="layover", description="A travel desk that asks a person before it buys.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="run the server")
    serve.add_argument("--host", default=None, help="address to listen on (LAYOVER_HOST)")
    serve.add_argument("--port", type=int, default=None, help="port to listen on, 0 for any (LAYOVER_PORT)")
    serve.add_argument("--no-pages", action="store_true", help="REST only")
    pause = commands.add_parser("pause", help="stop purchases, also of a running server; everything else goes on")
    pause.add_argument("--reason", default=None, help="what people read")
    commands.add_parser("resume", help="let purchases go on")
    commands.add_parser("migrate", help="bring the database to this version's schema")
    backup = commands.add_parser("backup", help="copy the data directory, server running or not")
    backup.add_argument("directory", type=Path, help="one that does not exist yet")
    restore = commands.add_parser("restore", help="put a backup back; what was there is kept beside it")
    restore.add_argument("directory", type=Path, help="one that layover backup has made")
    restore.add_argument("--drill", action="store_true", help="leave the sandbox airline as it is, as a real one would be")
    restored = commands.add_parser("restored", help="say that the database was put back by other means, as with pg_restore")
    restored.add_argument("made_at", type=_moment, metavar="TIME", help="when the backup was begun, as 2026-11-30T09:00+00:00")
    commands.add_parser("settled", help="after a restore: nothing is left at the airline that the ledger lacks")
    commands.add_parser("doctor", help="check settings, database, provider, waiting threads and what must always be true")
    prune = commands.add_parser("prune", help="delete old checkpoints; the timeline stays, what is open stays whole")
    prune.add_argument("--older-than", type=float, default=90, metavar="DAYS", help="default 90")
    commands.add_parser("sandbox", help="run the sandbox airline on a port", add_help=False)
    commands.add_parser("eval", help="measure the understanding on files of sentences", add_help=False)
    users = commands.add_parser("users", help="people who sign in").add_subparsers(dest="action", required=True)
    add = users.add_parser("add", help="add one; the password comes on stdin")
    add.add_argument("name")
    add.add_argument("--tenant", required=True)
    add.add_argument("--role", action="append", required=True, choices=["traveller", "reviewer", "admin"])
    add.add_argument("--password-stdin", action="store_true", required=True)
    token = commands.add_parser("token", help="print a bearer token for somebody")
    token.add_argument("name")
    return parser


def _moment(value: str) -> datetime:
    """UTC where no zone is named."""
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is no time, as 2026-11-30T09:00+00:00") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _log(settings: Settings) -> None:
    shape = (
        '{"at":"%(asctime)s","level":"%(levelname)s","logger":"%(name)s","message":"%(message)s"}'
        if settings.log is LogKind.JSON
        else "%(asctime)s %(levelname)-7s %(name)s: %(message)s"
    )
    logging.basicConfig(level=logging.WARNING, format=shape)
    logging.getLogger("assistant").setLevel(logging.INFO)


if __name__ == "__main__":
    sys.exit(main())
