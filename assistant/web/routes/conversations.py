"""Conversations: list, transcript, messages, and what happens in one as it happens."""

from __future__ import annotations

from typing import Annotated
from zoneinfo import available_timezones

from fastapi import APIRouter, Depends, Header, Query
from fastapi.responses import JSONResponse, StreamingResponse

from ...domain.commands import Archive, CreateConversation, EditMessage, Kind, Regenerate, Rename, SendMessage
from ...domain.errors import Invalid
from ...domain.ids import derived
from ...views import conversations
from ...views.shapes import ConversationView
from ..callers import Caller
from ..door import Door, Wait, key, key_or_new
from ..event_stream import HIGHEST, streamed
from ..schemas import CommandAnswer, ConversationList, ConversationPatch, NewText, Nothing

Search = Annotated[str | None, Query(max_length=200)]


def routes(door: Door) -> APIRouter:
    router = APIRouter(prefix="/conversations", tags=["conversations"])
    me = Depends(door.callers)

    @router.post("", response_model=CommandAnswer)
    async def create(
        body: CreateConversation | None = None, caller: Caller = me, key: str = Depends(key), wait: Wait = 0
    ) -> JSONResponse:
        """Answers with the `conversation_id`."""
        return await door.accept(caller, Kind.CREATE_CONVERSATION, "", body, key=key, wait=wait)

    @router.get("")
    async def listed(caller: Caller = me, search: Search = None, archived: bool | None = False) -> ConversationList:
        """One's own, newest first."""
        rows = await door.read(
            caller, lambda tx, reader: conversations.conversation_list(tx, reader, search=search, archived=archived)
        )
        return ConversationList(conversations=rows)

    @router.get("/{conversation_id}")
    async def one(conversation_id: str, caller: Caller = me) -> ConversationView:
        """The transcript of the main line, what is still being answered, trips, and seat preferences."""
        return await door.read(caller, lambda tx, reader: conversations.conversation(tx, reader, conversation_id))

    @router.patch("/{conversation_id}", response_model=CommandAnswer)
    async def change(
        conversation_id: str, body: ConversationPatch, caller: Caller = me, key: str = Depends(key_or_new)
    ) -> JSONResponse:
        """Renames, archives or brings back."""
        answers: list[JSONResponse] = []
        if body.title is not None:
            renamed = Rename(title=body.title)
            answers.append(await door.accept(caller, Kind.RENAME, conversation_id, renamed, key=key))
        if body.archived is not None:
            second = derived("archive", key) if answers else key
            archived = Archive(archived=body.archived)
            answers.append(await door.accept(caller, Kind.ARCHIVE, conversation_id, archived, key=second))
        if not answers:
            raise Invalid("invalid", fields=["title", "archived"])
        return answers[-1]

    @router.post("/{conversation_id}/messages", response_model=CommandAnswer)
    async def say(
        conversation_id: str, body: SendMessage, caller: Caller = me, key: str = Depends(key), wait: Wait = 0
    ) -> JSONResponse:
        """The result is `{reply, trips}`."""
        if body.timezone is not None and body.timezone not in available_timezones():
            raise Invalid("timezone_unknown")
        return await door.accept(caller, Kind.SEND_MESSAGE, conversation_id, body, key=key, wait=wait)

    @router.post("/{conversation_id}/messages/{message_id}/edit", response_model=CommandAnswer)
    async def edit(
        conversation_id: str, message_id: str, body: NewText, caller: Caller = me, key: str = Depends(key), wait: Wait = 0
    ) -> JSONResponse:
        """Says it differently: a new branch from there; what followed is taken back."""
        edited = EditMessage(message_id=message_id, text=body.text)
        return await door.accept(caller, Kind.EDIT_MESSAGE, conversation_id, edited, key=key, wait=wait)

    @router.post("/{conversation_id}/messages/{message_id}/regenerate", response_model=CommandAnswer)
    async def regenerate(
        conversation_id: str,
        message_id: str,
        _body: Nothing | None = None,
        caller: Caller = me,
        key: str = Depends(key),
        wait: Wait = 0,
    ) -> JSONResponse:
        """Answers the same message anew."""
        again = Regenerate(message_id=message_id)
        return await door.accept(caller, Kind.REGENERATE, conversation_id, again, key=key, wait=wait)

    @router.post("/{conversation_id}/stop", response_model=CommandAnswer)
    async def stop(
        conversation_id: str, _body: Nothing | None = None, caller: Caller = me, key: str = Depends(key)
    ) -> JSONResponse:
        """Stops the running command."""
        return await door.accept(caller, Kind.STOP, conversation_id, None, key=key)

    @router.get("/{conversation_id}/events", response_class=StreamingResponse)
    async def events(
        conversation_id: str,
        caller: Caller = me,
        after: Annotated[int, Query(ge=0, le=HIGHEST)] = 0,
        last_event_id: Annotated[int | None, Header(ge=0, le=HIGHEST)] = None,
    ) -> StreamingResponse:
        """Server-sent events: `message`, `trip`, `command`, and `piece` of a reply being written. `Last-Event-ID` resumes."""
        await door.read(caller, lambda tx, reader: conversations.conversation_row(tx, reader, conversation_id))
        resumed = after if last_event_id is None else last_event_id
        return streamed(door.travel.events(conversation_id, after=resumed))

    return router
