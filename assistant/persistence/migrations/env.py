"""Alembic's environment: the connection is given, never made here."""

from alembic import context

from assistant.persistence.tables import schema

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=schema, render_as_batch=connection.dialect.name == "sqlite")
with context.begin_transaction():
    context.run_migrations()
