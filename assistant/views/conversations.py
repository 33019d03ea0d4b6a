"""Conversations: the list with search, the transcript of the main line, what is still being answered."""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Row, exists, func, or_, select

from ..domain.commands import Kind
from ..persistence import transcript
from ..persistence.commands import OPEN
from ..persistence.database import Tx
from ..persistence.tables import commands, conversations, messages, questions, trips
from . import texts
from .people import wishes_view
from .scope import found, owned_by, seen_by
from .shapes import ConversationRow, ConversationView, MessageView, Option, Reader, Wording
from .trips import trips_of_conversation
from .wordings import wordings

SHOWN = 500  # messages of a transcript, the newest
LISTED = 200
FOR_TRAVELLERS = ("choose", "agree")


async def conversation_list(
    tx: Tx, reader: Reader, *, search: str | None = None, archived: bool | None = False
) -> tuple[ConversationRow, ...]:
    """The reader's own, newest first. `archived` None: both. `search` looks in titles and in what was said."""
    query = select(conversations, _waiting()).where(owned_by(reader, conversations))
    if archived is not None:
        query = query.where(conversations.c.archived == archived)
    if search and search.strip():
        query = query.where(_mentions(search.strip()))
    rows = await tx.execute(query.order_by(conversations.c.updated_at.desc(), conversations.c.conversation_id).limit(LISTED))
    return tuple(
        ConversationRow(
            conversation_id=row.conversation_id,
            title=row.title,
            archived=row.archived,
            updated_at=row.updated_at,
            waiting=row.waiting,
        )
        for row in rows.all()
    )


async def conversation_row(tx: Tx, reader: Reader, conversation_id: str) -> Row[Any]:
    """The row, where the reader may see it. Raises NotFound."""
    theirs = select(conversations).where(conversations.c.conversation_id == conversation_id, seen_by(reader, conversations))
    return found((await tx.execute(theirs)).one_or_none(), "conversation")


async def conversation(tx: Tx, reader: Reader, conversation_id: str, *, count: int = SHOWN) -> ConversationView:
    """With the newest `count` messages. Raises NotFound."""
    row = await conversation_row(tx, reader, conversation_id)
    said = await transcript.main_line(tx, conversation_id, row.head_message_id, count=count)
    others = await wordings(tx, conversation_id, said, partial(_text, reader))
    running = await _open_commands(tx, conversation_id)
    return ConversationView(
        conversation_id=conversation_id,
        title=row.title,
        archived=row.archived,
        owner_id=row.owner_id,
        messages=(
            *(_message(reader, m, others.get(m.message_id, ())) for m in said),
            *_pending(running, {m.message_id for m in said}),
        ),
        trips=await trips_of_conversation(tx, reader, conversation_id),
        wishes=await wishes_view(tx, reader, owner_id=row.owner_id, conversation_id=conversation_id),
        running=running[0].command_id if running else None,
    )


def _waiting() -> Any:
    asked = (
        select(func.count())
        .select_from(trips.join(questions, questions.c.thread_id == trips.c.trip_id))
        .where(trips.c.conversation_id == conversations.c.conversation_id)
        .where(questions.c.status == "waiting", questions.c.node.in_(FOR_TRAVELLERS))
    )
    return asked.scalar_subquery().label("waiting")


def _mentions(words: str) -> ColumnElement[bool]:
    said = exists().where(
        messages.c.conversation_id == conversations.c.conversation_id,
        messages.c.body["text"].as_string().icontains(words, autoescape=True),
    )
    return or_(conversations.c.title.icontains(words, autoescape=True), said)


async def _open_commands(tx: Tx, conversation_id: str) -> list[Row[Any]]:
    """In their order; the first is the one that runs, or will next."""
    waiting = select(commands).where(commands.c.thread_id == conversation_id, commands.c.status.in_(OPEN))
    return list((await tx.execute(waiting.order_by(commands.c.thread_seq))).all())


def _message(reader: Reader, row: Row[Any], others: tuple[Wording, ...]) -> MessageView:
    return MessageView(
        message_id=row.message_id,
        role=row.role,
        text=_text(reader, row.body),
        at=row.created_at,
        version=row.version,
        command_id=row.command_id,
        options=tuple(_option(reader, option) for option in row.body.get("options") or ()),
        wordings=others,
    )


def _text(reader: Reader, body: dict[str, Any]) -> str:
    """As it was said; what no writer has put into words yet, in the reader's language."""
    return body.get("text") or "\n".join(texts.read(reader, said) for said in body.get("said") or ())


def _option(reader: Reader, option: dict[str, Any]) -> Option:
    return Option(label=texts.read(reader, option["label"]), say=option.get("say"), trip_id=option.get("trip_id"))


def _pending(running: list[Row[Any]], stored: set[str]) -> list[MessageView]:
    """What was accepted and not answered yet, after everything else: it has no parent before its run begins."""
    said = [(row.payload.get("message_id") or row.command_id, row) for row in running if row.kind == Kind.SEND_MESSAGE]
    return [
        MessageView(
            message_id=message_id,
            role="user",
            text=row.payload["text"],
            at=row.created_at,
            pending=True,
            command_id=row.command_id,
        )
        for message_id, row in said
        if message_id not in stored
    ]
