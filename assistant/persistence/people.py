"""The directory of passengers: each person's own entries, within a tenant."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, insert, select, update

from ..domain.people import Person, PersonDetails, passenger_id
from .database import Tx
from .tables import people


async def add(
    tx: Tx, details: PersonDetails, *, person_id: str, tenant_id: str, owner_id: str, is_self: bool, at: datetime
) -> Person:
    row = {
        "person_id": person_id,
        "tenant_id": tenant_id,
        "owner_id": owner_id,
        "passenger_id": passenger_id(tenant_id, details),
        "is_self": is_self,
        "details": details.model_dump(mode="json"),
        "born_on": details.born_on,
        "created_at": at,
        "updated_at": at,
    }
    await tx.execute(insert(people).values(row))
    return Person(person_id=person_id, owner_id=owner_id, is_self=is_self, **details.model_dump())


async def replace(tx: Tx, row: Row[Any], details: PersonDetails, *, at: datetime) -> None:
    await tx.execute(
        update(people)
        .where(people.c.person_id == row.person_id)
        .values(
            details=details.model_dump(mode="json"),
            passenger_id=passenger_id(row.tenant_id, details),
            born_on=details.born_on,
            updated_at=at,
        )
    )


async def of_owner(tx: Tx, *, tenant_id: str, owner_id: str) -> list[Row[Any]]:
    mine = people.c.tenant_id == tenant_id, people.c.owner_id == owner_id
    return list((await tx.execute(select(people).where(*mine).order_by(people.c.is_self.desc(), people.c.created_at))).all())


async def find(tx: Tx, person_id: str) -> Row[Any] | None:
    return (await tx.execute(select(people).where(people.c.person_id == person_id))).one_or_none()


async def by_passenger(tx: Tx, *, tenant_id: str, passenger_id: str, owner_id: str) -> Row[Any] | None:
    """The owner's own entry, the newest of two; somebody else's profile of the same person is not theirs to send."""
    own = people.c.tenant_id == tenant_id, people.c.passenger_id == passenger_id, people.c.owner_id == owner_id
    return (await tx.execute(select(people).where(*own).order_by(people.c.updated_at.desc()).limit(1))).one_or_none()


def as_person(row: Row[Any]) -> Person:
    return Person(person_id=row.person_id, owner_id=row.owner_id, is_self=row.is_self, **row.details)
