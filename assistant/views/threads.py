"""Timelines: a page of versions with the branches it touches, one version, two compared. Plain SELECTs by (thread, version)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Row, and_, func, literal, or_, select

from ..domain.commands import WAYS_BACK
from ..domain.errors import Gone, Invalid
from ..persistence.commands import OPEN
from ..persistence.database import Tx
from ..persistence.tables import branches, commands, conversations, threads, trips, users, versions
from . import texts
from .operations import orders_of
from .scope import found, seen_by
from .shapes import Reader
from .thread_shapes import BranchRow, Comparison, RelatedThread, Remark, VersionRow, VersionsPage, VersionView
from .version_facts import differences_between, facts_of
from .version_titles import title_of, trip_line

Corrections = Callable[[str, str], tuple[dict[str, Any] | None, str | None]]
MOST_BRANCHES = 200


async def thread_row(tx: Tx, reader: Reader, thread_id: str) -> Row[Any]:
    """The row, where the reader may see it. Raises NotFound."""
    theirs = select(threads).where(threads.c.thread_id == thread_id, seen_by(reader, threads))
    return found((await tx.execute(theirs)).one_or_none(), "thread")


async def versions_page(tx: Tx, reader: Reader, thread_id: str, *, limit: int = 50, before: int | None = None) -> VersionsPage:
    """The newest first, older than `before`. Raises NotFound."""
    thread = await thread_row(tx, reader, thread_id)
    query = select(versions).where(versions.c.thread_id == thread_id)
    if before is not None:
        query = query.where(versions.c.version < before)
    rows = list((await tx.execute(query.order_by(versions.c.version.desc()).limit(limit + 1))).all())
    page, more = rows[:limit], len(rows) > limit
    line = await _main_line(tx, thread, down_to=page[-1].version if page else 0)
    lines, under_way = await _branches(tx, thread, page), await _under_way(tx, thread_id)
    return VersionsPage(
        thread_id=thread_id,
        kind=thread.kind,
        title=await _title(tx, reader, thread),
        traveller=await _traveller(tx, thread),
        running=bool(under_way),
        going_back=any(kind in WAYS_BACK for kind in under_way),
        newest=await _newest(tx, thread_id),
        head=next((b.head_version for b in lines if b.branch_id == thread.main_branch_id), None),
        versions=tuple(version_row(reader, row, line) for row in page),
        branches=tuple(_branch(reader, row) for row in lines),
        related=await _related(tx, reader, thread),
        before=page[-1].version if page and more else None,
    )


async def version_view(tx: Tx, reader: Reader, thread_id: str, number: int, *, corrections: Corrections) -> VersionView:
    """One version and how it differs from the head. Raises NotFound, Gone.

    `corrections` gives for a thread's kind and a step the JSON Schema of what can be corrected there, and the node it enters as.
    """
    thread = await thread_row(tx, reader, thread_id)
    row = await _version(tx, thread_id, number)
    head = await _head(tx, thread)
    booked = await orders_of(tx, [thread_id]) if thread.kind == "trip" else []
    schema, enters_as = corrections(thread.kind, row.step)
    line = await _main_line(tx, thread, down_to=number)
    return VersionView(
        thread_id=thread_id,
        version=version_row(reader, row, line),
        head=head.version if head is not None else None,
        facts=facts_of(reader, row.summary, booked),
        fields=row.summary,
        differences=differences_between(reader, row.summary, head.summary, booked) if head is not None else (),
        correctable=schema,
        enters_as=enters_as,
    )


async def compare(tx: Tx, reader: Reader, thread_id: str, *, a: str, b: str) -> Comparison:
    """Two versions by number, or the heads of two branches by id. Raises NotFound, Gone, Invalid."""
    thread = await thread_row(tx, reader, thread_id)
    first, second = [await _version(tx, thread_id, await _number(tx, thread_id, name)) for name in (a, b)]
    booked = await orders_of(tx, [thread_id]) if thread.kind == "trip" else []
    line = await _main_line(tx, thread, down_to=min(first.version, second.version))
    return Comparison(
        a=version_row(reader, first, line),
        b=version_row(reader, second, line),
        differences=differences_between(reader, first.summary, second.summary, booked),
    )


def version_row(reader: Reader, row: Row[Any], line: Mapping[str, int | None]) -> VersionRow:
    """`line`: the branches of the main line, each with the last version of it that counts (None: all)."""
    bound = line.get(row.branch_id, 0)
    return VersionRow(
        version=row.version,
        parent=row.parent_version,
        branch_id=row.branch_id,
        main=bound is None or row.version <= bound,
        step=row.step,
        kind=row.kind,
        kind_text=texts.of_group(reader, "kind", row.kind),
        title=title_of(reader, row),
        actor=row.actor.get("name") or None,
        at=row.created_at,
        command_id=row.command_id,
        pruned=row.pruned,
    )


async def _main_line(tx: Tx, thread: Row[Any], *, down_to: int) -> dict[str, int | None]:
    """From the main branch to those it was forked from, as far as versions down to this one can lie on them."""
    start = select(literal(thread.main_branch_id).label("branch_id"), literal(None, versions.c.version.type).label("bound"))
    walk = start.cte("line", recursive=True)
    above = (
        select(versions.c.branch_id, branches.c.forked_from_version)
        .select_from(walk.join(branches, branches.c.branch_id == walk.c.branch_id))
        .join(versions, and_(versions.c.thread_id == thread.thread_id, versions.c.version == branches.c.forked_from_version))
        .where(branches.c.forked_from_version >= down_to)
    )
    rows = await tx.execute(select(walk.union_all(above)))
    return {row.branch_id: row.bound for row in rows.all()}


async def _branches(tx: Tx, thread: Row[Any], page: list[Row[Any]]) -> list[Row[Any]]:
    """Those with a version on the page, those that leave from one, and the main one."""
    if not page:
        return []
    touches = or_(
        branches.c.branch_id.in_({*(row.branch_id for row in page), thread.main_branch_id}),
        branches.c.forked_from_version.between(page[-1].version, page[0].version),
    )
    query = select(branches).where(branches.c.thread_id == thread.thread_id, touches)
    return list((await tx.execute(query.order_by(branches.c.created_at.desc()).limit(MOST_BRANCHES))).all())


def _branch(reader: Reader, row: Row[Any]) -> BranchRow:
    note = texts.text(reader, "version.withdrawn") if row.reason == "withdrawn" else row.reason
    return BranchRow(
        branch_id=row.branch_id,
        forked_from=row.forked_from_version,
        head=row.head_version,
        status=row.status,
        reason=row.reason,
        note=note or None,
        actor=str(row.actor["name"]) or None if row.actor else None,
        at=row.created_at,
        remark=Remark.model_validate(row.remark) if row.remark else None,
    )


async def _version(tx: Tx, thread_id: str, number: int) -> Row[Any]:
    query = select(versions).where(versions.c.thread_id == thread_id, versions.c.version == number)
    row = found((await tx.execute(query)).one_or_none(), "version")
    if row.pruned:
        raise Gone("gone", version=number)
    return row


async def _number(tx: Tx, thread_id: str, name: str) -> int:
    if name.isdecimal() and len(name) < 10:
        return int(name)
    query = select(branches.c.head_version).where(branches.c.thread_id == thread_id, branches.c.branch_id == name)
    head = found((await tx.execute(query)).one_or_none(), "branch").head_version
    if head is None:
        raise Invalid("empty_branch", branch_id=name)
    return head


async def _head(tx: Tx, thread: Row[Any]) -> Row[Any] | None:
    query = (
        select(versions)
        .join(branches, and_(branches.c.thread_id == versions.c.thread_id, branches.c.head_version == versions.c.version))
        .where(versions.c.thread_id == thread.thread_id, branches.c.branch_id == thread.main_branch_id)
    )
    return (await tx.execute(query)).one_or_none()


async def _newest(tx: Tx, thread_id: str) -> int:
    top = select(func.coalesce(func.max(versions.c.version), 0)).where(versions.c.thread_id == thread_id)
    return (await tx.execute(top)).scalar_one()


async def _under_way(tx: Tx, thread_id: str) -> set[str]:
    """The kinds of its open commands."""
    waiting = select(commands.c.kind).where(commands.c.thread_id == thread_id, commands.c.status.in_(OPEN))
    return set((await tx.execute(waiting)).scalars())


async def _traveller(tx: Tx, thread: Row[Any]) -> str:
    name = await tx.execute(select(users.c.display_name).where(users.c.user_id == thread.owner_id))
    return name.scalar_one_or_none() or thread.owner_id


async def _title(tx: Tx, reader: Reader, thread: Row[Any]) -> str:
    if thread.kind == "trip":
        trip = await tx.execute(select(trips.c.request).where(trips.c.trip_id == thread.thread_id))
        return trip_line(reader, trip.scalar_one())
    query = select(conversations.c.title).where(conversations.c.conversation_id == thread.thread_id)
    return (await tx.execute(query)).scalar_one_or_none() or texts.text(reader, "chat.untitled")


async def _related(tx: Tx, reader: Reader, thread: Row[Any]) -> tuple[RelatedThread, ...]:
    """The conversation first, then its trips in the order they were started."""
    conversation_id = thread.thread_id
    if thread.kind == "trip":
        query = select(trips.c.conversation_id).where(trips.c.trip_id == thread.thread_id)
        conversation_id = (await tx.execute(query)).scalar_one()
    titled = select(conversations.c.title).where(conversations.c.conversation_id == conversation_id)
    title = (await tx.execute(titled)).scalar_one_or_none() or texts.text(reader, "chat.untitled")
    started = select(trips.c.trip_id, trips.c.request).where(trips.c.conversation_id == conversation_id)
    rows = (await tx.execute(started.order_by(trips.c.created_at, trips.c.trip_id).limit(50))).all()
    return (
        RelatedThread(thread_id=conversation_id, kind="conversation", title=title),
        *(RelatedThread(thread_id=row.trip_id, kind="trip", title=trip_line(reader, row.request)) for row in rows),
    )
