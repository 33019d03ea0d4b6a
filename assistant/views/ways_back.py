"""What going back would mean, in the reader's words: the money and the people first, then what leaves the main line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select

from ..domain.plans import Plan
from ..persistence.database import Tx
from ..persistence.tables import people, users
from ..wording.catalogue import has
from . import texts
from .operations import is_live, order_view, orders_of
from .shapes import Reader
from .thread_shapes import WayBack, WithdrawnTrip
from .threads import thread_row, version_row
from .trips import plan_in_words, trip_row
from .version_titles import trip_line


async def way_back(
    tx: Tx,
    reader: Reader,
    thread_id: str,
    *,
    leaves: Sequence[Row[Any]],
    withdraws: Sequence[Row[Any]],
    plan: Plan | None,
    agree: bool,
    review: bool,
    another: bool,
    allowed: bool,
    why: str | None,
    departs: datetime | None,
    confirm: bool,
) -> WayBack:
    """Raises NotFound where the thread is not the reader's."""
    thread = await thread_row(tx, reader, thread_id)
    concerned = [thread_id] if thread.kind == "trip" else [row.trip_id for row in withdraws]
    booked = [row for row in await orders_of(tx, concerned) if is_live(row)]
    return WayBack(
        leaves=tuple(version_row(reader, row, {thread.main_branch_id: None, row.branch_id: None}) for row in leaves),
        withdraws=tuple(_withdrawn(reader, row) for row in withdraws),
        orders=tuple(order_view(row) for row in booked),
        plan=await plan_in_words(tx, reader, plan, trip_id=thread_id) if plan is not None else None,
        agree=agree,
        review=review,
        another=another,
        affected=await _affected(tx, reader, thread),
        allowed=allowed,
        why=why,
        why_text=_why(reader, why),
        departs=departs,
        confirm_needed=confirm,
    )


def _withdrawn(reader: Reader, row: Row[Any]) -> WithdrawnTrip:
    title = trip_line(reader, row.request)
    return WithdrawnTrip(trip_id=row.trip_id, title=title, status_text=texts.of_group(reader, "status", row.status))


async def _affected(tx: Tx, reader: Reader, thread: Row[Any]) -> tuple[str, ...]:
    """Whose thread it is, and who else travels."""
    owner = await tx.execute(select(users.c.display_name).where(users.c.user_id == thread.owner_id))
    names = [owner.scalar_one_or_none() or thread.owner_id]
    if thread.kind == "trip":
        trip = await trip_row(tx, reader, thread.thread_id)
        query = select(people).where(people.c.person_id.in_(trip.person_ids), people.c.is_self.is_(False))
        names += [f"{row.details['given_name']} {row.details['family_name']}" for row in (await tx.execute(query)).all()]
    return tuple(names)


def _why(reader: Reader, code: str | None) -> str | None:
    if code is None:
        return None
    return texts.text(reader, f"error.{code}") if has(f"error.{code}") else texts.text(reader, "error.refused")
