"""What an operator does from the shell, beside a running server or without one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from getpass import getuser
from pathlib import Path

from .accepting.door import Door
from .backup import NAME_IT, back_up, has_database, in_use, restore, unused
from .bootstrap import database_url, now_of, policy_of, secret_key
from .domain.clock import system_clock
from .domain.commands import Command, Kind
from .domain.ids import FollowUps, new_id
from .domain.people import Actor, Role
from .persistence import restores
from .persistence.database import Database
from .persistence.migrating import migrate, newest_revision, revision_of
from .pruning import Pruned, prune
from .settings import ProviderKind, Settings, SettingsError, variable
from .web.people_commands import add_user, make_token

AFTERWARDS = (
    "Purchases are paused, and nothing that was approved and not used counts any more",
    "Now: layover doctor lists what the airline has and this ledger lacks; then layover resume, and in the end layover settled",
)


async def migrate_now(settings: Settings) -> None:
    database = await _opened(settings, new=True)
    await database.close()


async def add_user_now(settings: Settings, *, name: str, tenant: str, roles: Iterable[str], password: str) -> None:
    database = await _opened(settings)
    try:
        await add_user(database, name=name, tenant=tenant, roles=[Role(r) for r in roles], password=password)
    finally:
        await database.close()


async def token_now(settings: Settings, *, name: str) -> str:
    database = await _opened(settings)
    try:
        return await make_token(database, name=name)
    finally:
        await database.close()


async def pause_now(settings: Settings, *, kind: Kind, reason: str | None) -> str:
    """Stop purchases, or let them go on. A running server reads the switch before each effect, so it holds at once.

    Returns whose purchases they are, for the shell.
    """
    database = await _opened(settings)
    actor = Actor(tenant_id="", user_id="operator", name=getuser(), roles=(Role.ADMIN,))
    command = Command(command_id=new_id(), kind=kind, actor=actor, target="", payload={"reason": reason})
    door = Door(policy_of(settings), FollowUps.of_secret(secret_key(settings)), system_clock)
    try:
        await database.write(lambda tx: door.accept(tx, command))
    finally:
        await database.close()
    if settings.database_url:
        return "of every server on LAYOVER_DATABASE_URL"
    return f"{'of the server' if in_use(settings.data_dir) else 'where no server runs now,'} on {settings.data_dir.absolute()}"


def backup_now(settings: Settings, target: Path) -> str:
    """What was done, for the shell."""
    _on_sqlite(settings)
    copied = back_up(settings.data_dir, target, clock=lambda: now_of(settings))
    return f"{settings.data_dir} -> {target}: {', '.join(copied)}"


def restore_now(settings: Settings, source: Path, *, drill: bool = False) -> str:
    """The sandbox airline is part of a backup; any other has gone on since, as the sandbox's does in a `drill`."""
    _on_sqlite(settings)
    goes_on = drill or settings.provider is not ProviderKind.SANDBOX
    kept = restore(source, settings.data_dir, airline_goes_on=goes_on, clock=lambda: now_of(settings))
    lines = [f"{source} -> {settings.data_dir}"]
    lines += [f"What was there is kept in {kept}"] if kept is not None else []
    return "\n".join([*lines, *(AFTERWARDS if goes_on else ())])


async def restored_now(settings: Settings, *, made_at: datetime) -> str:
    """Of a database that was put back by other means: what `layover restore` does to one that it puts back itself."""
    database = await _opened(settings)
    try:
        at = now_of(settings)
        await database.write(lambda tx: restores.mark(tx, made_at=made_at, by=getuser(), at=at))
    finally:
        await database.close()
    return "\n".join(AFTERWARDS)


async def settled_now(settings: Settings) -> str:
    """What was done, for the shell. Raises SettingsError while the airline has what the ledger lacks."""
    from .restoring import settle

    database = await _opened(settings)
    try:
        return await settle(database, settings)
    finally:
        await database.close()


def _on_sqlite(settings: Settings) -> None:
    if settings.database_url:
        remedy = "Use pg_dump and pg_restore; docs/backup.md says in which order"
        raise SettingsError("LAYOVER_DATABASE_URL", "the data is in PostgreSQL", remedy)


async def doctor_now(settings: Settings) -> int:
    """0 when all is well. Reads only."""
    from .doctor import examine

    policy_of(settings)
    database = Database(database_url(settings))
    try:
        return await examine(database, settings)
    finally:
        await database.close()


async def prune_now(settings: Settings, *, older_than: timedelta, say: Callable[[str], None]) -> Pruned:
    """Beside a running server or without one. Raises SettingsError where the checkpoints are not in a file of ours."""
    file = settings.data_dir / "checkpoints.db"
    if settings.database_url or not file.is_file():
        remedy = "Name the directory of an embedded server"
        raise SettingsError("LAYOVER_DATA_DIR", f"there are no checkpoints in {settings.data_dir}", remedy)
    database = await _opened(settings)
    try:
        return await prune(database, file, before=now_of(settings) - older_than, say=say)
    finally:
        await database.close()


async def _opened(settings: Settings, *, new: bool = False) -> Database:
    """The database of the server, brought to this version's schema; made only where a `new` one is asked for.

    A word said to a database that no server reads would be lost, and look as if it held. Raises SettingsError.
    """
    if new:
        settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    elif not settings.database_url:
        has_database(settings.data_dir)
    async with AsyncExitStack() as stack:
        database = Database(database_url(settings))
        stack.push_async_callback(database.close)
        there = await revision_of(database)
        if there is None and not new:
            named = variable("database_url" if settings.database_url else "data_dir")
            raise SettingsError(named, "its database is empty", NAME_IT)
        if there != newest_revision():
            with unused(settings.data_dir):  # nobody's schema is changed while they run
                await migrate(database)
        stack.pop_all()
        return database
