"""Bringing a database to this version's schema."""

from __future__ import annotations

from importlib.resources import files

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from .database import Database


async def migrate(database: Database) -> None:
    """Apply what is missing; nothing, when the schema is this version's."""
    async with database.engine.connect() as connection:
        await connection.run_sync(_upgrade)
        await connection.commit()


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(files("assistant.persistence") / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
