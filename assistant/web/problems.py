"""Errors as RFC 9457 problem JSON: one table from class to status, a stable `code`, texts in the caller's language."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from pydantic_core import to_jsonable_python
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

from ..domain.errors import (
    CommandRefused,
    CommandReused,
    Conflict,
    Forbidden,
    Gone,
    Invalid,
    LayoverError,
    NotFound,
    OutcomeUnknown,
    Refused,
    TooMany,
    Unavailable,
)
from ..domain.understanding import Language
from ..persistence.storage import REMEDY, Trouble, trouble_of
from ..wording import Said, render, say, saying
from ..wording.catalogue import has
from ..wording.problems import in_words
from ..wording.problems import wrong as said_of
from .languages import language_of, timezone_of

log = logging.getLogger(__name__)


class Unauthenticated(CommandRefused):
    """Who calls is not known."""


class TooLarge(CommandRefused):
    """More was sent than is read."""


class TooSlow(CommandRefused):
    """What is sent does not come to its end."""


class Problem(BaseModel):
    """RFC 9457, with the stable `code` that scripts should look at; further members are facts."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: str


TABLE: Mapping[type[LayoverError], tuple[int, str]] = {
    Invalid: (422, "invalid"),
    Unauthenticated: (401, "unauthenticated"),
    Forbidden: (403, "forbidden"),
    NotFound: (404, "not_found"),
    Conflict: (409, "conflict"),
    Gone: (410, "gone"),
    TooLarge: (413, "too_large"),
    TooSlow: (408, "too_slow"),
    CommandReused: (422, "invalid"),
    TooMany: (429, "too_many"),
    CommandRefused: (409, "conflict"),
    Refused: (409, "conflict"),
    Unavailable: (503, "unavailable"),
    OutcomeUnknown: (503, "unavailable"),
}
MALFORMED = frozenset({"key_missing", "key_invalid", "json_invalid", "json_number", "json_deep", "text_invalid",
                       "face_needed", "host_unknown", "request_id_invalid"})  # fmt: skip
STANDARD = frozenset({"type", "title", "status", "detail", "code"})


def problem(error: LayoverError, language: Language, *, timezone: str = "UTC") -> JSONResponse:
    status, title = next(TABLE[kind] for kind in type(error).__mro__ if kind in TABLE)
    code, facts = _code_and_facts(error)
    if code in MALFORMED:
        status, title = 400, "invalid"
    return response(status, title=title, code=code, language=language, timezone=timezone, facts=facts)


def response(
    status: int,
    *,
    title: str,
    code: str,
    language: Language,
    timezone: str = "UTC",
    facts: Mapping[str, Any] | None = None,
    **more: Any,
) -> JSONResponse:
    known = {name: value for name, value in to_jsonable_python(dict(facts or {}), fallback=str).items() if name not in STANDARD}
    if "problems" in known:
        known["problems"] = in_words(known["problems"], language)
    shown = say(f"problem.{title}", language)
    body = {
        "type": f"urn:layover:problem:{code}",
        "title": shown,
        "status": status,
        "detail": detail(code, known, language, timezone=timezone) or shown,
        "code": code,
    }
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    if status == 408:
        headers["Connection"] = "close"  # the rest of the body is not waited for
    if "retry_after" in known:
        headers["Retry-After"] = str(known["retry_after"])
    return JSONResponse(body | known | more, status, headers, media_type="application/problem+json")


def detail(code: str, facts: Mapping[str, Any], language: Language, *, timezone: str = "UTC") -> str | None:
    """The sentence for a code; None where it cannot be said with these facts."""
    key = next((k for k in (f"error.{code}", f"reason.{code}") if has(k)), None)
    try:
        return render(saying(key, **facts), language, timezone=timezone) if key else None
    except (KeyError, ValueError):
        return None


def install(app: FastAPI) -> None:
    """Whatever goes wrong below answers as a problem."""

    async def refused(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, LayoverError)
        return problem(error, language_of(request), timezone=timezone_of(request))

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return _invalid(error, language_of(request))

    async def plain(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        return _plain(error, language_of(request))

    async def stored(request: Request, error: Exception) -> JSONResponse:
        """The same request with the same key may succeed the next moment, where only the disk was in the way."""
        trouble = trouble_of(error)
        if trouble is None:
            return await unexpected(request, error)
        log.warning("the storage is %s, %s %s: %s. %s", trouble, request.method, request.url.path, error, REMEDY[trouble])
        code = "unavailable" if trouble is Trouble.BUSY else "storage"
        return response(503, title="unavailable", code=code, language=language_of(request), facts={"retry_after": 1})

    async def unexpected(request: Request, error: Exception) -> JSONResponse:
        log.error("unexpected, %s %s", request.method, request.url.path, exc_info=error)
        return response(500, title="unavailable", code="failed", language=language_of(request))

    app.add_exception_handler(LayoverError, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, plain)
    for kind in (DBAPIError, PoolTimeout, sqlite3.Error):
        app.add_exception_handler(kind, stored)
    app.add_exception_handler(Exception, unexpected)


def _code_and_facts(error: LayoverError) -> tuple[str, Mapping[str, Any]]:
    match error:
        case CommandRefused():
            return error.code, error.facts
        case Refused():
            return str(error.reason), {}
        case OutcomeUnknown():
            return "confirming", {}
        case _:
            return "unavailable", {}


def _invalid(error: RequestValidationError, language: Language) -> JSONResponse:
    """Where it does not fit and why; what was sent is not repeated."""
    found = [{"at": ".".join(str(part) for part in e["loc"]), "why": _why(e, language)} for e in error.errors()]
    first = f"{found[0]['at']}: {found[0]['why']}" if found else None
    facts, fields = {"fields": [first] if first else None}, [each["at"] for each in found]
    return response(422, title="invalid", code="invalid", language=language, facts=facts, errors=found, fields=fields)


def _why(wrong: Mapping[str, Any], language: Language) -> str:
    """What is wrong with one field; what is met seldom is told in general."""
    return render(Said.model_validate(said_of(wrong["type"], wrong.get("ctx"))), language)


def _plain(error: HTTPException, language: Language) -> JSONResponse:
    names = {401: "unauthenticated", 403: "forbidden", 404: "not_found", 405: "method", 413: "too_large"}
    name = names.get(error.status_code, "invalid")
    answer = response(error.status_code, title=name, code=name, language=language)
    answer.headers.update(error.headers or {})
    return answer
