"""What an operator does from the shell, beside a running server or without one."""

from __future__ import annotations

from collections.abc import Iterable

from .bootstrap import database_url, policy_of
from .domain.people import Role
from .persistence.database import Database
from .persistence.migrating import migrate
from .settings import Settings
from .web.people_commands import add_user, make_token


async def migrate_now(settings: Settings) -> None:
    database = await _opened(settings)
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


async def doctor_now(settings: Settings) -> int:
    """0 when all is well. Reads only."""
    from .doctor import examine

    policy_of(settings)
    database = Database(database_url(settings))
    try:
        return await examine(database, settings)
    finally:
        await database.close()


async def _opened(settings: Settings) -> Database:
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = Database(database_url(settings))
    await migrate(database)
    return database
