"""The demo people: two tenants, six users, each with a passenger profile and a companion. Seeded once, found again after."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from .domain.clock import Clock, system_clock
from .domain.ids import new_id
from .domain.people import Gender, PersonDetails, Role, Title
from .persistence import people, users
from .persistence.database import Database, Tx
from .web.passwords import Passwords

PASSWORDS_FILE = "demo-passwords.json"


@dataclass(frozen=True)
class DemoUser:
    name: str
    tenant_id: str
    role: Role
    profile: PersonDetails
    companion: PersonDetails


def _person(given: str, family: str, native: str | None, title: Title, born_on: date, phone: str) -> PersonDetails:
    return PersonDetails(
        given_name=given,
        family_name=family,
        native_name=native,
        title=title,
        gender=Gender.MALE if title is Title.MR else Gender.FEMALE,
        born_on=born_on,
        email=f"{given}.{family}@example.com".lower(),
        phone=phone,
    )


MR, MS = Title.MR, Title.MS
TRAVELLER, REVIEWER = Role.TRAVELLER, Role.REVIEWER
DEMO_USERS = (
    DemoUser("tina", "demo", TRAVELLER,
             _person("Ting", "Chen", "陈婷", MS, date(1991, 4, 12), "+8613800000101"),
             _person("Wei", "Li", "李伟", MR, date(1989, 9, 3), "+8613800000102")),
    DemoUser("tom", "demo", TRAVELLER,
             _person("Tom", "Becker", None, MR, date(1985, 1, 30), "+4915100000103"),
             _person("Anna", "Becker", None, MS, date(1987, 6, 21), "+4915100000104")),
    DemoUser("rita", "demo", REVIEWER,
             _person("Rita", "Moreau", None, MS, date(1979, 11, 8), "+33600000105"),
             _person("Luc", "Moreau", None, MR, date(1977, 2, 17), "+33600000106")),
    DemoUser("raj", "demo", REVIEWER,
             _person("Raj", "Patel", None, MR, date(1983, 7, 25), "+447700900107"),
             _person("Meera", "Patel", None, MS, date(1984, 12, 2), "+447700900108")),
    DemoUser("olga", "other", TRAVELLER,
             _person("Olga", "Nowak", None, MS, date(1990, 3, 14), "+48600000109"),
             _person("Piotr", "Nowak", None, MR, date(1988, 10, 19), "+48600000110")),
    DemoUser("oscar", "other", REVIEWER,
             _person("Oscar", "Lind", None, MR, date(1975, 5, 5), "+46700000111"),
             _person("Maja", "Lind", None, MS, date(1978, 8, 28), "+46700000112")),
)  # fmt: skip


async def seed_demo(
    database: Database, data_dir: Path, *, passwords: Passwords | None = None, clock: Clock = system_clock
) -> dict[str, str]:
    """The demo users' passwords by name, made once and kept in `data_dir` with mode 0600."""
    file = data_dir / PASSWORDS_FILE
    known = _read(file)
    told = known or {user.name: secrets.token_urlsafe(9) for user in DEMO_USERS}
    if not known:
        _write(file, told)
    hasher = passwords or Passwords()
    for user in DEMO_USERS:
        await _seed(database, user, told[user.name], hasher, clock(), renew=not known)
    return told


async def _seed(database: Database, demo: DemoUser, password: str, hasher: Passwords, now: datetime, *, renew: bool) -> None:
    found = await database.read(lambda tx: users.by_name(tx, demo.name))
    if found and not renew:
        return
    hashed = await hasher.hashed(password)

    async def work(tx: Tx) -> None:
        if there := await users.by_name(tx, demo.name):
            await users.set_password(tx, there[0].user_id, hashed)
            return
        user = await users.add(
            tx,
            tenant_id=demo.tenant_id,
            name=demo.name,
            display_name=demo.name.capitalize(),
            roles=(demo.role,),
            password_hash=hashed,
            now=now,
        )
        for details, is_self in ((demo.profile, True), (demo.companion, False)):
            await people.add(
                tx, details, person_id=new_id(), tenant_id=user.tenant_id, owner_id=user.user_id, is_self=is_self, at=now
            )

    await database.write(work)


def _read(file: Path) -> dict[str, str]:
    """Nothing, where the file is not there or does not name everybody."""
    try:
        told = json.loads(file.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    complete = isinstance(told, dict) and all(isinstance(told.get(user.name), str) for user in DEMO_USERS)  # pyright: ignore[reportUnknownMemberType]
    return told if complete else {}  # pyright: ignore[reportUnknownVariableType]


def _write(file: Path, told: dict[str, str]) -> None:
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        json.dump(told, out, indent=1)
