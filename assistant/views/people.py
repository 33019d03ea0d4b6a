"""The directory of passengers, seat wishes that count, and the counters that tell a page to look again."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import Row, select

from ..domain.people import PersonDetails
from ..persistence import people as directory
from ..persistence import signals, wishes
from ..persistence.database import Tx
from ..persistence.tables import people
from . import texts
from .scope import found, owned_by
from .shapes import ChangesView, PersonView, Reader, WishView

REQUIRED = tuple(name for name, field in PersonDetails.model_fields.items() if field.is_required())


async def people_view(tx: Tx, reader: Reader) -> tuple[PersonView, ...]:
    """The reader's own entries, themselves first."""
    rows = await directory.of_owner(tx, tenant_id=reader.tenant_id, owner_id=reader.user_id)
    return tuple(person_view(row) for row in rows)


async def person(tx: Tx, reader: Reader, person_id: str) -> PersonView:
    """Raises NotFound."""
    mine = select(people).where(people.c.person_id == person_id, owned_by(reader, people))
    return person_view(found((await tx.execute(mine)).one_or_none(), "person"))


def person_view(row: Row[Any]) -> PersonView:
    details = cast("dict[str, Any]", row.details)
    return PersonView.model_validate(
        {name: details.get(name) for name in PersonDetails.model_fields if name != "documents"}
        | {
            "documents": details.get("documents") or (),
            "person_id": row.person_id,
            "passenger_id": row.passenger_id,
            "is_self": row.is_self,
            "missing": missing(details),
        }
    )


def missing(details: dict[str, Any]) -> tuple[str, ...]:
    """Required fields still empty."""
    return tuple(name for name in REQUIRED if not details.get(name))


async def wishes_view(
    tx: Tx, reader: Reader, *, owner_id: str | None = None, conversation_id: str | None = None
) -> tuple[WishView, ...]:
    """What counts now, oldest first; of somebody else only where the caller has checked that the reader may know."""
    rows = await wishes.active(
        tx, tenant_id=reader.tenant_id, owner_id=owner_id or reader.user_id, conversation_id=conversation_id
    )
    return tuple(_wish(reader, row) for row in rows)


async def changes_view(tx: Tx, reader: Reader) -> ChangesView:
    mine, inbox = signals.of_user(reader.user_id), signals.of_inbox(reader.tenant_id)
    counters = await signals.counters(tx, *([mine, inbox] if reader.reviewer else [mine]))
    return ChangesView(user=counters.get(mine, 0), inbox=counters.get(inbox, 0) if reader.reviewer else None)


def _wish(reader: Reader, row: Row[Any]) -> WishView:
    facts = {"position": row.position, "polarity": row.polarity, "strength": row.strength, "scope": row.scope}
    return WishView.model_validate(facts | {"wish_id": row.wish_id, "text": texts.wish(reader, **facts, whose=row.person)})
