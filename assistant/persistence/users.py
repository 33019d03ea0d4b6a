"""Who signs in: users, their sign-ins and tokens. Secrets and passwords are stored as hashes only."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update

from ..domain.ids import new_id
from ..domain.people import Actor, Role
from ..domain.understanding import Language
from ..domain.value import Value
from .database import Tx
from .tables import sign_ins, users


class User(Value):
    """Somebody who signs in. `language` and `timezone` (IANA) are None until chosen or seen at the first sign-in."""

    user_id: str
    tenant_id: str
    name: str
    display_name: str
    roles: tuple[Role, ...]
    language: Language | None = None
    timezone: str | None = None

    @property
    def actor(self) -> Actor:
        return Actor(tenant_id=self.tenant_id, user_id=self.user_id, name=self.display_name, roles=self.roles)


async def add(
    tx: Tx, *, tenant_id: str, name: str, display_name: str, roles: tuple[Role, ...], password_hash: str, now: datetime
) -> User:
    """A new user; the name must be free."""
    user = User(user_id=new_id(), tenant_id=tenant_id, name=name, display_name=display_name, roles=roles)
    row = user.model_dump(mode="json") | {"password_hash": password_hash, "created_at": now}
    await tx.execute(insert(users).values(row))
    return user


async def by_id(tx: Tx, user_id: str) -> User | None:
    found = (await tx.execute(select(users).where(users.c.user_id == user_id))).mappings().one_or_none()
    return _user(found) if found else None


async def by_name(tx: Tx, name: str) -> tuple[User, str] | None:
    """The user and the hash of their password."""
    found = (await tx.execute(select(users).where(users.c.name == name))).mappings().one_or_none()
    return (_user(found), found["password_hash"]) if found else None


async def by_secret(tx: Tx, secret: str, *, face: str, now: datetime) -> User | None:
    """Whose cookie (`face` desk or review) or token (`face` api) this is, if it still counts."""
    signed_in = select(users).join(sign_ins).where(sign_ins.c.secret_hash == _hashed(secret), sign_ins.c.face == face)
    still = signed_in.where((sign_ins.c.expires_at.is_(None)) | (sign_ins.c.expires_at > now))
    found = (await tx.execute(still)).mappings().one_or_none()
    return _user(found) if found else None


async def open_sign_in(tx: Tx, user_id: str, *, face: str, now: datetime, expires_at: datetime | None) -> str:
    """A new secret, told once; `face` desk and review make a cookie's, api a token's."""
    secret = secrets.token_urlsafe(32)
    kind = "token" if face == "api" else "cookie"
    row = {"secret_hash": _hashed(secret), "user_id": user_id, "kind": kind, "face": face}
    await tx.execute(insert(sign_ins).values(row | {"created_at": now, "expires_at": expires_at}))
    return secret


async def close_sign_in(tx: Tx, secret: str) -> None:
    await tx.execute(delete(sign_ins).where(sign_ins.c.secret_hash == _hashed(secret)))


async def forget_expired(tx: Tx, now: datetime) -> None:
    await tx.execute(delete(sign_ins).where(sign_ins.c.expires_at <= now))


async def set_preferences(tx: Tx, user_id: str, *, language: str | None = None, timezone: str | None = None) -> None:
    """Only what is given is changed."""
    chosen = {name: value for name, value in (("language", language), ("timezone", timezone)) if value is not None}
    if chosen:
        await tx.execute(update(users).where(users.c.user_id == user_id).values(chosen))


async def set_password(tx: Tx, user_id: str, password_hash: str) -> None:
    """Whoever is signed in as them has to sign in again."""
    await tx.execute(update(users).where(users.c.user_id == user_id).values(password_hash=password_hash))
    await tx.execute(delete(sign_ins).where(sign_ins.c.user_id == user_id, sign_ins.c.kind == "cookie"))


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _user(row: Any) -> User:
    return User.model_validate({name: row[name] for name in User.model_fields})
