"""The fault plan: which call goes wrong and how. It is kept with the airline's records, so a restart does not forget it."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Self

import httpx
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from .books import Books
from .store import text


class Fault(StrEnum):
    TIMEOUT_BEFORE_APPLY = "timeout_before_apply"
    TIMEOUT_AFTER_APPLY = "timeout_after_apply"
    RESET_MID_BODY = "reset_mid_body"
    HTTP_500_AFTER_APPLY = "http_500_after_apply"
    ACCEPTED_THEN_CREATED = "accepted_202_then_created"
    ACCEPTED_THEN_FAILED = "accepted_202_then_failed"
    OK_WITHOUT_BODY = "ok_without_body"
    VISIBILITY_LAG = "visibility_lag"
    UNAVAILABLE = "503"
    TOO_MANY = "429"
    PRICE_BUMP = "price_bump"
    SEAT_STOLEN = "seat_stolen"
    OFFER_GONE = "offer_gone"
    HTML_502 = "html_502"
    SLOW = "slow"
    CONFIRM_TIMEOUT = "confirm_cancel_timeout_after_apply"
    WEBHOOK_DUP = "webhook_dup"
    WEBHOOK_REORDER = "webhook_reorder"
    WEBHOOK_DROP = "webhook_drop"


class Match(BaseModel):
    """`op` is a call (search, get_offer, price, seat_map, create, pay, quote, confirm, get_order, find_orders, webhook) or `*`.

    `nth` counts the calls that fit from 1; without it every one is hit. `route` is "PVG-NRT" as searched.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    op: str = "*"
    nth: Annotated[int, Field(ge=1)] | None = None
    route: str | None = None


class PlannedFault(BaseModel):
    """`seconds` is how long a slow answer, a visibility lag or an accepted order takes.

    `applied` says whether the effect behind a 502 page happened; `amount` is what a price bump adds.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    match: Match = Match()
    fault: Fault
    seconds: Annotated[float, Field(ge=0)] | None = None
    applied: bool = False
    amount: Annotated[str, Field(pattern=r"^\d+\.\d\d$")] = "10.00"
    met: int = 0  # calls that fitted so far
    spoiled: int = 0  # of those it hit, those that were not refused for another reason first

    @model_validator(mode="after")
    def _known_op(self) -> Self:
        if self.fault is Fault.CONFIRM_TIMEOUT and self.match.op == "*":
            object.__setattr__(self, "match", self.match.model_copy(update={"op": "confirm"}))
        return self


class LostAnswer(httpx.ReadTimeout):
    """The caller waits for nothing. In-process it sees this as it would see its own time-out."""


class BrokenWire(httpx.ReadError):
    """The connection breaks in the middle of the body; `body` and `status` are what was being sent."""

    def __init__(self, message: str, *, status: int, body: bytes) -> None:
        super().__init__(message)
        self.status, self.body = status, body


_PLAN = TypeAdapter(list[PlannedFault])


def put_plan(books: Books, plan: object) -> list[PlannedFault]:
    """Replace the plan; counting starts again."""
    faults = [f.model_copy(update={"met": 0, "spoiled": 0}) for f in _PLAN.validate_python(plan)]
    _keep(books, faults)
    return faults


def pick(books: Books, op: str, route: Callable[[], str | None]) -> PlannedFault | None:
    """The first fault that hits this call; the call is counted."""
    plan = read_plan(books)
    hit: PlannedFault | None = None
    for index, planned in enumerate(plan):
        if planned.match.op not in ("*", op) or (planned.match.route and planned.match.route != route()):
            continue
        met = planned.met + 1
        plan[index] = planned.model_copy(update={"met": met})
        if hit is None and planned.match.nth in (None, met):
            hit = planned
    if plan:
        _keep(books, plan)
    return hit


def spoiled(books: Books, hit: PlannedFault) -> None:
    """The call that was picked has truly gone wrong."""
    plan = read_plan(books)
    for index, planned in enumerate(plan):
        if (planned.match, planned.fault, planned.applied) == (hit.match, hit.fault, hit.applied):
            plan[index] = planned.model_copy(update={"spoiled": planned.spoiled + 1})
            _keep(books, plan)
            return


def read_plan(books: Books) -> list[PlannedFault]:
    stored = books.store.fact("faults", "")
    return _PLAN.validate_python(json.loads(stored)) if stored else []


def _keep(books: Books, plan: list[PlannedFault]) -> None:
    books.store.keep("faults", text([f.model_dump(mode="json") for f in plan]) if plan else "")
