"""What torture holds each journey to: how it may end, and what its people may be answered."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.crashes.judge import unsafe
from tests.crashes.points import GIVEN
from tests.crashes.promised import ENDS, NOT_NOW, OVERTAKEN, wrong_answer, wrong_end
from tests.crashes.returns import KINDS
from tests.crashes.site import NEARBY, Site

STOPPED_HALFWAY = ("waiting_review", "choosing", "searching", "settling", "waiting_traveller", "withdrawn")


def test_every_kind_of_journey_is_promised_one_end_and_dies_at_some_points() -> None:
    assert set(ENDS) == set(KINDS) == set(GIVEN)


@pytest.mark.parametrize("kind", ENDS)
def test_where_nothing_is_wrong_a_journey_ends_as_promised_and_in_no_other_way(kind: str) -> None:
    assert wrong_end(kind, ENDS[kind], calm=True, died=False) is None
    assert wrong_end(kind, ENDS[kind], calm=True, died=True) is None
    for end in {*STOPPED_HALFWAY, "needs_person", "booked", "cancelled", "rejected"} - {ENDS[kind]}:
        assert wrong_end(kind, end, calm=True, died=False)


@pytest.mark.parametrize("kind", ENDS)
def test_after_a_death_a_person_may_be_asked_and_nothing_else_may_be_different(kind: str) -> None:
    assert wrong_end(kind, "needs_person", calm=True, died=True) is None
    for end in STOPPED_HALFWAY:
        assert wrong_end(kind, end, calm=True, died=True)


def test_at_a_faulty_airline_a_journey_ends_with_somebody_who_is_asked() -> None:
    assert wrong_end("book", "choosing", calm=False, died=False) is None
    assert wrong_end("book", "settling", calm=False, died=False)
    assert wrong_end("book", "stuck", calm=False, died=True)


SUCCEEDED: dict[str, Any] = {"command_id": "c", "status": "succeeded", "error": None}


def test_an_answer_is_a_receipt_or_a_refusal_that_was_to_be_expected() -> None:
    assert wrong_answer("/choice", 200, SUCCEEDED, moving=False) is None
    for code in NOT_NOW:
        assert wrong_answer("/choice", 409, {"code": code}, moving=False) is None
        assert wrong_answer("/choice", 200, {"status": "failed", "error": {"code": code}}, moving=False) is None
    for code in OVERTAKEN:
        assert wrong_answer("/decision", 409, {"code": code}, moving=True) is None
        assert wrong_answer("/decision", 409, {"code": code}, moving=False)


@pytest.mark.parametrize("moving", [True, False])
@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (200, {"status": "failed", "error": {"code": "graph_changed"}}),
        (200, {"status": "failed", "error": None}),
        (200, {"status": "cancelled"}),
        (200, {}),
        (400, {"code": "key_missing"}),
        (401, {"code": "unauthenticated"}),
        (403, {"code": "forbidden"}),
        (404, {"code": "not_found"}),
        (409, {"code": "paused"}),
        (422, {"code": "busy"}),
        (503, {"code": "unavailable"}),
    ],
)
def test_any_other_answer_is_broken(status: int, answer: dict[str, Any], moving: bool) -> None:
    assert wrong_answer("/decision", status, answer, moving=moving)


async def test_a_server_that_asks_for_patience_for_no_reason_is_broken(data_dir: Path) -> None:
    told = iter([503, 503, 200])
    busy = httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(next(told), json={})))
    async with Site(data_dir) as site:
        await site.up()
        await asyncio.sleep(NEARBY)
        real, site.http = site.http, busy
        assert await site.get("tina", "/trips") == {}
        site.http = real
        assert site.heard.patience == 2
        assert any("/trips" in each and "503" in each for each in await unsafe(site))


async def test_a_server_may_ask_for_patience_after_a_death_and_where_the_airline_is_at_fault(data_dir: Path) -> None:
    told = iter([503, 200, 503, 200])
    busy = httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(next(told), json={})))
    async with Site(data_dir) as site:
        await site.up()
        await site.kill("before anything was asked")
        real, site.http = site.http, busy
        await site.get("tina", "/trips")
        site.calm = False
        await site.get("tina", "/trips")
        site.http = real
        assert site.heard.patience == 2
        assert await unsafe(site) == []
