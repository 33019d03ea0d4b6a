"""`layover users add` and `layover token`: the work behind them, as functions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta

from ..domain.clock import Clock, system_clock
from ..domain.errors import Conflict, Invalid, NotFound
from ..domain.people import Role
from ..persistence import users
from ..persistence.database import Database, Tx
from ..persistence.users import User
from .passwords import Passwords

NAME = re.compile(r"[a-z0-9][a-z0-9._@-]{0,63}")
TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 1024


async def add_user(
    database: Database,
    *,
    name: str,
    tenant: str,
    roles: Iterable[Role],
    password: str,
    display_name: str | None = None,
    passwords: Passwords | None = None,
    clock: Clock = system_clock,
) -> User:
    """Raises Invalid (`user_name`, `tenant_name`, `user_role`, `password_length`) and Conflict (`name_taken`)."""
    name = name.strip().lower()
    if not NAME.fullmatch(name):
        raise Invalid("user_name", name=name)
    if not TENANT.fullmatch(tenant):
        raise Invalid("tenant_name", tenant=tenant)
    if not (held := tuple(dict.fromkeys(roles))):
        raise Invalid("user_role")
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise Invalid("password_length", least=SHORTEST_PASSWORD, most=LONGEST_PASSWORD)
    hashed = await (passwords or Passwords()).hashed(password)

    async def work(tx: Tx) -> User:
        if await users.by_name(tx, name):
            raise Conflict("name_taken", name=name)
        shown = display_name or name.capitalize()
        return await users.add(tx, tenant_id=tenant, name=name, display_name=shown, roles=held, password_hash=hashed, now=clock())

    return await database.write(work)


async def make_token(database: Database, *, name: str, days: int | None = None, clock: Clock = system_clock) -> str:
    """A bearer token that acts as the user, told once. Raises NotFound (`user_unknown`)."""

    async def work(tx: Tx) -> str:
        if (found := await users.by_name(tx, name.strip().lower())) is None:
            raise NotFound("user_unknown", name=name)
        now = clock()
        expires_at = now + timedelta(days=days) if days else None
        return await users.open_sign_in(tx, found[0].user_id, face="api", now=now, expires_at=expires_at)

    return await database.write(work)
