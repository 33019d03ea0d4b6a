"""An operator stops purchases beside a running server: nothing is bought, everybody is told why, and nothing is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from assistant.domain.people import Actor
from assistant.domain.understanding import Language
from tests.stories.world import MONDAY, Person, World
from ui.faces import SignedIn
from ui.page import top_bar

WHY = "the card is being replaced"


def layover(world: World, *words: str) -> str:
    """The command as an operator types it, in a process of its own."""
    environment = os.environ | {"LAYOVER_DATA_DIR": str(world.whole.settings.data_dir), "LAYOVER_DEMO": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "assistant", *words], capture_output=True, text=True, env=environment, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


async def test_while_purchases_are_paused_no_approval_is_taken_and_the_review_keeps_waiting(
    world: World, tina: Person, rita: Person
) -> None:
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    trip = await tina.choose((await chat.trip())["trip_id"])
    assert "layover resume" in layover(world, "pause", "--reason", WHY)
    decision = {"type": "approve", "digest": (await rita.review(trip["review_id"]))["digest"]}
    refused = await rita.post(f"/reviews/{trip['review_id']}/decision", decision)
    assert (refused.status_code, refused.json()["code"]) == (409, "paused")
    assert WHY in refused.json()["detail"]
    assert [r["review_id"] for r in await rita.inbox()] == [trip["review_id"]]
    assert "book" not in world.effects()
    assert "pay" not in world.effects()
    layover(world, "resume")
    await rita.decides(trip["review_id"], "approve")
    await world.later(5)
    assert (await tina.trip(trip["trip_id"]))["status"] == "booked"


async def test_a_rejection_is_taken_also_while_purchases_are_paused(world: World, tina: Person, rita: Person) -> None:
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    trip = await tina.choose((await chat.trip())["trip_id"])
    layover(world, "pause")
    await rita.decides(trip["review_id"], "reject", message="Not this week")
    assert (await tina.trip(trip["trip_id"]))["status"] == "rejected"


async def test_a_choice_is_not_submitted_while_purchases_are_paused_on_the_page_and_in_the_chat(
    world: World, tina: Person
) -> None:
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    trip = await chat.trip()
    layover(world, "pause", "--reason", WHY)
    refused = await tina.post(f"/trips/{trip['trip_id']}/choice", {"offer": 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "paused")
    await chat.say("the first one")
    await chat.say("yes")
    assert "aused" in (await chat.told())[-1]
    assert (await chat.trip())["status"] == "choosing"
    assert world.effects() == []
    layover(world, "resume")
    assert (await tina.choose(trip["trip_id"]))["status"] == "waiting_review"


async def test_every_page_says_that_purchases_are_paused_until_they_resume(world: World, tina: Person) -> None:
    before = (await tina.get("/me/changes"))["user"]
    layover(world, "pause", "--reason", WHY)
    assert (await tina.get("/me/changes"))["user"] > before


@pytest.mark.parametrize(("language", "words"), [("zh", "购买暂停中：" + WHY), ("en", "Purchases are paused: " + WHY)])
def test_the_bar_of_a_page_says_so_in_both_languages(language: Language, words: str) -> None:
    actor = Actor(tenant_id="demo", user_id="u", name="Tina")
    who = SignedIn(actor=actor, language=language, timezone="UTC", demo=True, now=MONDAY, paused=WHY)
    assert words in top_bar(who, "Desk", "/desk")
    assert words[:4] not in top_bar(replace(who, paused=None), "Desk", "/desk")
