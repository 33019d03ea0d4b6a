"""Small doors: an edit that edits nothing, one's own review, a signed body that calls itself text, what is unsettled."""

from __future__ import annotations

import hashlib
import hmac
import json
from uuid import uuid4

import pytest

from assistant.persistence.tables import webhooks
from tests.stories.test_decisions import submitted
from tests.stories.world import Person, World


@pytest.mark.parametrize(("language", "words"), [("zh", "请直接批准"), ("en", "approve it")])
async def test_an_edit_that_changes_nothing_is_not_an_approval(language: str, words: str, world: World, tina: Person) -> None:
    rita = await world.person("rita", language)
    _, trip, _ = await submitted(tina, can_hold=False)
    path = f"/reviews/{trip['review_id']}"
    preview = (await rita.client.post(f"/api/v1{path}/preview", json={"edits": {"seats": {}}})).json()
    answer = await rita.post(f"{path}/decision", {"type": "edit", "digest": preview["digest"], "edits": {"seats": {}}})
    assert (answer.status_code, answer.json()["code"]) == (422, "nothing_edited")
    assert words in answer.json()["detail"]
    assert (await tina.trip(trip["trip_id"]))["status"] == "waiting_review"


async def test_nobody_claims_the_review_of_their_own_trip(rita: Person) -> None:
    _, trip, _ = await submitted(rita, can_hold=False)
    answer = await rita.post(f"/reviews/{trip['review_id']}/claim")
    assert (answer.status_code, answer.json()["code"]) == (403, "own_trip")


async def test_what_is_only_planned_is_not_unsettled(tina: Person, rita: Person) -> None:
    _, trip, _ = await submitted(tina, can_hold=False)
    states = [o["state"] for o in (await rita.get("/operations"))["operations"] if o["trip_id"] == trip["trip_id"]]
    assert states == ["planned"]
    assert (await rita.get("/operations?unsettled=true"))["operations"] == []


async def test_a_signed_event_that_calls_itself_text_is_read_as_strictly_as_any(world: World, tina: Person) -> None:
    event = {"id": "wev_\u0000", "type": "order.updated", "data": {"object": {"id": "ord_1"}}, "live_mode": False}
    body = json.dumps(event).encode()
    signed = hmac.new(b"sandbox", b"1." + body, hashlib.sha256).hexdigest()
    for kind in ("application/json", "text/plain"):
        headers = {"content-type": kind, "x-duffel-signature": f"t=1,v1={signed}", "idempotency-key": str(uuid4())}
        answer = await tina.client.post("/api/v1/webhooks/duffel", content=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (400, "text_invalid")
    assert not any("\0" in row.event_id for row in await world.rows(webhooks))
