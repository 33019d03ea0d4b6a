"""Bringing a database to this version's schema."""

from __future__ import annotations

from importlib.resources import files

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from .database import Database


async def migrate(database: Database) -> None:
    """Apply what is missing; nothing, when the schema is this version's."""
    async with database.engine.connect() as connection:
        await connection.run_sync(_upgrade)
        await connection.commit()


async def revision_of(database: Database) -> str | None:
    """The schema a database has; None for an empty one. Reads only."""
    async with database.reading() as tx:
        return await tx.run_sync(lambda connection: MigrationContext.configure(connection).get_current_revision())


def newest_revision() -> str | None:
    """The schema this version needs."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def _upgrade(connection: Connection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("assistant.persistence") / "migrations"))
    return config
