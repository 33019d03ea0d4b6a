"""What is wrong with each field of a refusal is said in the caller's language."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stories.world import World

WRONG: dict[str, tuple[Any, dict[str, str]]] = {
    "depart_on": ("2026-01-01", {"zh": "出发地的这一天已经过去", "en": "this day is over where the flight leaves"}),
    "max_stops": (9, {"zh": "不能大于3", "en": "at most 3"}),
    "cap": ({"amount": "-1", "currency": "CNY"}, {"zh": "要大于零", "en": "a fare costs more than nothing"}),
}


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_caller_reads_what_is_wrong_with_each_field(language: str, world: World) -> None:
    tina = await world.person("tina", language)
    chat = await tina.chat()
    await chat.say("From Shanghai to Tokyo on 11 December")
    trip = await chat.trip()
    for field, (value, words) in WRONG.items():
        refused = await tina.post(f"/trips/{trip['trip_id']}/revision", {"request": {field: value}})
        assert (refused.status_code, refused.json()["fields"]) == (422, [field])
        assert refused.json()["problems"] == {field: words[language]}
