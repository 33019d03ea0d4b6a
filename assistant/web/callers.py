"""Who calls: a bearer token, or the cookie a page got at sign-in.

Tina and Rita can be signed in side by side in one browser, so there is one sign-in a *face* (`desk`, `review`), in cookies that
the browser keeps apart by path. Each sign-in sets two with one secret: `layover_<face>` for `/<face>`, where the pages live, and
`layover_<face>_api` for `/api/v1`. Both faces' cookies reach the API, so a page says which one it is: `X-Layover-Face: desk`, or
`?face=desk` where no header can be set (event streams). With only one of them there, it need not. A request by cookie that
changes something must come from our own origin; a token needs no origin, since no browser adds it by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Request, Security
from fastapi.responses import Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection

from ..domain.clock import Clock
from ..domain.errors import Forbidden, Invalid
from ..domain.people import Actor, Role
from ..domain.understanding import Language
from ..persistence import users
from ..persistence.database import Database
from ..persistence.users import User
from ..views.shapes import Reader
from .edge import READS
from .languages import preferred
from .problems import Unauthenticated
from .site import Site

Face = Literal["desk", "review"]
FACES: tuple[Face, ...] = ("desk", "review")
NEEDS: dict[Face, Role] = {"desk": Role.TRAVELLER, "review": Role.REVIEWER}
API = "/api/v1"
TWO_WEEKS = 14 * 24 * 3600
bearer = HTTPBearer(auto_error=False, description="`layover token NAME` prints one")
Token = Annotated[HTTPAuthorizationCredentials | None, Security(bearer)]


@dataclass(frozen=True)
class Caller:
    user: User
    language: Language
    face: Face | None = None  # None: by token

    @property
    def actor(self) -> Actor:
        return self.user.actor

    @property
    def reader(self) -> Reader:
        """At the desk a reviewer reads as the traveller they also are."""
        reviews = self.face != "desk" and self.user.actor.can(Role.REVIEWER)
        return Reader(
            tenant_id=self.user.tenant_id,
            user_id=self.user.user_id,
            reviewer=reviews,
            language=self.language,
            timezone=self.user.timezone or "UTC",
        )


class Callers:
    """Call it as a dependency of a route. Raises Unauthenticated, Forbidden (`bad_origin`) and Invalid (`face_needed`)."""

    def __init__(self, database: Database, *, clock: Clock, site: Site) -> None:
        self._database = database
        self.clock = clock
        self._site = site

    async def __call__(self, request: Request, token: Token = None) -> Caller:
        caller = await self._by_token(request, token) if token else await self._by_cookie(request)
        request.state.language, request.state.timezone = caller.language, caller.user.timezone
        return caller

    async def at(self, face: Face, connection: HTTPConnection) -> Caller | None:
        """Who is signed in at a face, by the cookie of its pages; None when nobody is, or their role has gone."""
        return await self._signed_in(face, connection, connection.cookies.get(page_cookie(face)))

    async def of_page(self, cookies: Mapping[str, str], headers: Mapping[str, str]) -> Caller:
        """Who sent a request to a page: by their paths, only one face's cookie comes along. Raises Unauthenticated."""
        for face in FACES:
            user = await self._user(cookies[page_cookie(face)], face) if page_cookie(face) in cookies else None
            if user and user.actor.can(NEEDS[face]):
                return Caller(user, user.language or preferred(headers.get("accept-language")), face)
        raise Unauthenticated("unauthenticated")

    def from_own_page(self, request: HTTPConnection) -> None:
        """Raises Forbidden (`bad_origin`)."""
        if not self._site.is_own(request.headers):
            raise Forbidden("bad_origin")

    async def _by_token(self, request: Request, token: HTTPAuthorizationCredentials) -> Caller:
        if token.scheme.lower() == "bearer":
            user = await self._user(token.credentials, "api")
            if user:
                return _caller(user, request, None)
        raise Unauthenticated("token_invalid")

    async def _by_cookie(self, request: Request) -> Caller:
        face = _named_face(request)
        if request.method not in READS:
            self.from_own_page(request)
        caller = await self._signed_in(face, request, request.cookies.get(api_cookie(face)))
        if caller is None:
            raise Unauthenticated("unauthenticated")
        return caller

    async def _signed_in(self, face: Face, connection: HTTPConnection, secret: str | None) -> Caller | None:
        user = await self._user(secret, face) if secret else None
        return _caller(user, connection, face) if user and user.actor.can(NEEDS[face]) else None

    async def _user(self, secret: str, face: str) -> User | None:
        return await self._database.read(lambda tx: users.by_secret(tx, secret, face=face, now=self.clock()))


def page_cookie(face: Face) -> str:
    return f"layover_{face}"


def api_cookie(face: Face) -> str:
    return f"layover_{face}_api"


def set_cookies(response: Response, face: Face, secret: str, *, secure: bool) -> None:
    for name, path in ((page_cookie(face), f"/{face}"), (api_cookie(face), API)):
        response.set_cookie(name, secret, max_age=TWO_WEEKS, path=path, httponly=True, samesite="lax", secure=secure)


def clear_cookies(response: Response, face: Face, *, secure: bool) -> None:
    for name, path in ((page_cookie(face), f"/{face}"), (api_cookie(face), API)):
        response.delete_cookie(name, path=path, httponly=True, samesite="lax", secure=secure)


def _named_face(request: Request) -> Face:
    named = request.headers.get("x-layover-face") or request.query_params.get("face")
    if named is not None:
        if named == "desk" or named == "review":
            return named
        raise Invalid("face_needed")
    there: list[Face] = [f for f in FACES if api_cookie(f) in request.cookies]
    if len(there) > 1:
        raise Invalid("face_needed")
    if not there:
        raise Unauthenticated("unauthenticated")
    return there[0]


def _caller(user: User, connection: HTTPConnection, face: Face | None) -> Caller:
    return Caller(user, user.language or preferred(connection.headers.get("accept-language")), face)
