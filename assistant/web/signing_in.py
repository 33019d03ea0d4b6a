"""Signing in and out at a face, the reader's language and zone, and the counters its pages poll: all under the face's own path.

The pages poll `/<face>/me/changes` here, where their cookie reaches; scripts use `/api/v1/me/changes`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit
from zoneinfo import available_timezones

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from ..domain.clock import Clock
from ..domain.errors import CommandRefused, Forbidden, Invalid, NotFound, TooMany
from ..domain.people import Role
from ..domain.understanding import Language
from ..persistence import users
from ..persistence.database import Database, Tx
from ..persistence.users import User
from ..views.people import changes_view
from ..views.shapes import ChangesView
from ..wording import say
from .attempts import Attempts
from .bodies import checked_json, whole_body
from .callers import FACES, NEEDS, TWO_WEEKS, Callers, Face, clear_cookies, page_cookie, set_cookies
from .languages import preferred
from .passwords import Passwords
from .problems import TABLE, Unauthenticated
from .sign_in_page import SignInPage
from .site import Site

MOST_BYTES = 16 * 1024
DEMO: tuple[tuple[str, Face], ...] = (("tina", "desk"), ("rita", "review"))


@dataclass(frozen=True)
class SigningIn:
    """`demo`: the demo people may continue without a password; only ever where nobody else can reach this."""

    database: Database
    callers: Callers
    passwords: Passwords
    attempts: Attempts
    site: Site
    clock: Clock
    demo: bool
    nonce: Callable[[], str] = lambda: secrets.token_urlsafe(16)

    def router(self) -> APIRouter:
        router = APIRouter(include_in_schema=False)
        for face in FACES:
            self._add(router, face)
        return router

    def _add(self, router: APIRouter, face: Face) -> None:
        @router.get(f"/{face}/sign-in")
        async def page(request: Request) -> Response:
            chosen = _language(request.query_params.get("lang"))
            return self._page(request, face, next=request.query_params.get("next", ""), chosen=chosen)

        @router.post(f"/{face}/sign-in")
        async def sign_in(request: Request) -> Response:
            form = await _form(request)
            try:
                user = await self._recognised(form, _address(request))
                return await self._signed_in(face, user, form)
            except CommandRefused as refused:
                return self._page(request, face, next=form.get("next", ""), chosen=_chosen(form), refused=refused, form=form)

        @router.post(f"/{face}/sign-in/demo")
        async def continue_as(request: Request) -> Response:
            form = await _form(request)
            return await self._signed_in(face, await self._demo_user(face, form.get("name", "")), form)

        @router.post(f"/{face}/sign-out")
        async def sign_out(request: Request) -> Response:
            secret = request.cookies.get(page_cookie(face))
            if secret:
                await self.database.write(lambda tx: users.close_sign_in(tx, secret))
            away = RedirectResponse(f"/{face}/sign-in", 303)
            clear_cookies(away, face, secure=self._secure(request))
            return away

        @router.post(f"/{face}/preferences", status_code=204)
        @router.post(f"/{face}/language", status_code=204)
        async def preferences(request: Request) -> None:
            caller = await self.callers.at(face, request)
            if caller is None:
                raise Unauthenticated("unauthenticated")
            language, timezone = _preferences(await whole_body(request.receive, announced=None, most=MOST_BYTES))
            user_id = caller.user.user_id
            await self.database.write(lambda tx: users.set_preferences(tx, user_id, language=language, timezone=timezone))

        @router.get(f"/{face}/me/changes")
        async def changes(request: Request) -> ChangesView:
            caller = await self.callers.at(face, request)
            if caller is None:
                raise Unauthenticated("unauthenticated")
            return await self.database.read(lambda tx: changes_view(tx, caller.reader))

    async def _recognised(self, form: dict[str, str], address: str) -> User:
        name, password = form.get("name", "").strip().lower(), form.get("password", "")
        self.attempts.begin(name, address)
        found = await self.database.read(lambda tx: users.by_name(tx, name))
        if not await self.passwords.fits(found[1] if found else None, password) or found is None:
            raise Unauthenticated("wrong")
        self.attempts.succeeded(name, address)
        return found[0]

    async def _demo_user(self, face: Face, name: str) -> User:
        if not (self.demo and self.site.local and (name, face) in DEMO):
            raise NotFound("not_found", what="user")
        found = await self.database.read(lambda tx: users.by_name(tx, name))
        if found is None:
            raise NotFound("not_found", what="user")
        return found[0]

    async def _signed_in(self, face: Face, user: User, form: dict[str, str]) -> Response:
        if not user.actor.can(NEEDS[face]):
            raise Forbidden("role_missing", name=user.display_name, needs=str(Role(NEEDS[face])))
        now = self.clock()

        async def work(tx: Tx) -> str:
            await users.forget_expired(tx, now)
            await users.set_preferences(tx, user.user_id, **_first_preferences(user, form))
            return await users.open_sign_in(tx, user.user_id, face=face, now=now, expires_at=now + timedelta(seconds=TWO_WEEKS))

        secret = await self.database.write(work)
        away = RedirectResponse(safe_next(face, form.get("next", "")), 303, {"Cache-Control": "no-store"})
        set_cookies(away, face, secret, secure=self.site.https)
        return away

    def _page(
        self, request: Request, face: Face, *, next: str, chosen: Language | None = None, refused: CommandRefused | None = None,
        form: dict[str, str] | None = None,
    ) -> Response:  # fmt: skip
        language = chosen or _language((form or {}).get("language")) or preferred(request.headers.get("accept-language"))
        page = SignInPage(
            face=face,
            language=language,
            nonce=self.nonce(),
            next=safe_next(face, next),
            wrong=_wrong(refused, language) if refused else None,
            name=(form or {}).get("name", ""),
            chosen=chosen is not None,
            demo=DEMO if self.demo and self.site.local else (),
        )
        headers = {"Content-Security-Policy": page.policy, "Cache-Control": "no-store"}
        if isinstance(refused, TooMany):
            headers["Retry-After"] = str(refused.facts.get("retry_after", 60))
        return HTMLResponse(page.html(), TABLE[type(refused)][0] if refused else 200, headers)

    def _secure(self, request: Request) -> bool:
        return self.site.https or request.url.scheme == "https"


def safe_next(face: Face, wanted: str) -> str:
    """Only a place under the same face; anything else leads to its start."""
    home = f"/{face}/"
    parts = urlsplit(wanted)
    plain = not parts.scheme and not parts.netloc and "\\" not in wanted and ".." not in wanted and wanted.isprintable()
    return wanted if plain and wanted.startswith(home) and not wanted.startswith(f"{home}sign-") else home


async def _form(request: Request) -> dict[str, str]:
    body = await whole_body(request.receive, announced=request.headers.get("content-length"), most=MOST_BYTES)
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=20, errors="strict"))
    except ValueError:
        raise Invalid("invalid") from None


def _preferences(body: bytes) -> tuple[str | None, str | None]:
    given = checked_json(body)
    if not isinstance(given, dict):
        raise Invalid("invalid")
    value = cast("dict[str, Any]", given)
    language, timezone = value.get("language"), value.get("timezone")
    if language is not None and _language(language) is None:
        raise Invalid("language_unknown")
    if timezone is not None and not (isinstance(timezone, str) and timezone in available_timezones()):
        raise Invalid("timezone_unknown")
    return language, timezone


def _first_preferences(user: User, form: dict[str, str]) -> dict[str, str | None]:
    """What the browser says where nothing is known yet; a language picked on the page counts always."""
    language = _chosen(form) or (_language(form.get("language")) if user.language is None else None)
    zone = form.get("timezone", "") if user.timezone is None else ""
    return {"language": language, "timezone": zone if zone in available_timezones() else None}


def _chosen(form: dict[str, str]) -> Language | None:
    return _language(form.get("language")) if form.get("chosen") else None


def _language(value: object) -> Language | None:
    return "zh" if value == "zh" else "en" if value == "en" else None


def _wrong(refused: CommandRefused, language: Language) -> str:
    match refused:
        case TooMany():
            return say("signin.too_often", language)
        case Forbidden():
            return say("signin.role_missing", language, name=refused.facts.get("name"))
        case _:
            return say("signin.wrong", language)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
