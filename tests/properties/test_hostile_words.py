"""Any words at all, to the offline interpreter and to the chat: always an understanding, always an answer."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from assistant.domain.commands import Text
from assistant.domain.errors import Invalid
from assistant.language.interpreter import Heard, HeardMessage
from assistant.language.rules.interpreter import RulesInterpreter
from assistant.rewind import checked_corrections
from tests.stories.world import World, opened

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ASKED = (None, "origin", "destination", "depart", "return", "passengers", "ages", "proposal", "no such question")
# what makes readers of dates, money and names stumble, beside anything at all
PIECES = (
    "from Shanghai to Tokyo", "从上海飞东京", "30 February", "2月30号", "31/31/31", "on 29 Feb 2027", "99999999999", "1e999",
    "seat 99Z", "座位99Z", "-1 adults", "200 passengers", "两百个婴儿", "0 people", "under $0.123456789", "不超过负五块",
    "at 25:61", "二〇二六年十三月四十五日", "\u202egnol", "\u200b", "\ufeff", "\U0001f469\u200d\U0001f467", "Ⅻ", "１２月１１日",
    "under 5 XQQ", "under 1.123456789 yen", "seat I0", "½", "٣", "to to to", "from from", "，，，", "?" * 50,
)  # fmt: skip
HUGE = "x" * 400_000
LONE = st.characters(categories=["Cs"])  # half a character: JSON can write it, nothing can store it
words = st.one_of(
    st.text(max_size=300),
    st.text(LONE | st.characters(), min_size=1, max_size=20),
    st.just(HUGE),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map(" ".join),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=8).map("".join),
)


def sayable(text: str) -> str | None:
    """As the chat takes it; None where it is refused at the door."""
    try:
        return TypeAdapter(Text).validate_python(text)
    except ValidationError:
        return None


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(text=words, asked=st.sampled_from(ASKED), timezone=st.sampled_from(("UTC", "Asia/Shanghai", "Pacific/Kiritimati")))
def test_whatever_is_said_is_understood_somehow(text: str, asked: str | None, timezone: str) -> None:
    if (said := sayable(text)) is None:
        return
    before = (HeardMessage(role="assistant", text="?", asked=asked),) if asked else ()
    understanding = asyncio.run(RulesInterpreter().interpret(Heard(text=said, recent=before, now=NOW, timezone=timezone)))
    assert understanding.model_validate(understanding.model_dump(mode="json")) == understanding


SHARP = (
    "1.123456789", "XQQ", "99Z", "NaN", "1e999", "-0", "9999-12-31", "0000-00-00", "24:00", "10:00Z", "\ud800", "a\0b", HUGE,
    {"amount": "1.123456789", "currency": "CNY"}, {"amount": "1.00", "currency": "XQQ"}, {"1": {"1": "99Z"}},
)  # fmt: skip
json_like = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(LONE | st.characters(), max_size=20)
    | st.sampled_from(SHARP),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ("text", "slots", "wishes", "intents", "exclude", "max_stops", "time_from", "offer", "seats", "ask", "origin",
          "depart_on", "cap", "ages", "adults", "airlines", "cabin", "rank", "no such field")  # fmt: skip
STEPS = (("conversation", "start"), ("conversation", "understand"), ("trip", "start"), ("trip", "shortlist"), ("trip", "choose"))


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(where=st.sampled_from(STEPS), corrections=st.dictionaries(st.sampled_from(FIELDS), json_like, max_size=4))
def test_a_correction_is_taken_or_its_wrong_fields_are_named(where: tuple[str, str], corrections: dict[str, object]) -> None:
    try:
        checked_corrections(*where, corrections)
    except Invalid as refusal:
        named = refusal.facts["fields"]
    else:
        named = True
    assert named


@pytest.mark.parametrize("text", ["a\x07b", "a\ud800b", HUGE, "a\u202eb", "", "x" * 4001])
def test_words_written_anew_are_held_to_what_words_are_held_to(text: str) -> None:
    with pytest.raises(Invalid):
        checked_corrections("conversation", "start", {"text": text})


async def test_everything_that_can_be_stored_is_answered_in_the_chat(data_dir: Path) -> None:
    async with opened(data_dir) as world:
        assert await unanswered(world) == []


async def unanswered(world: World) -> list[str]:
    tina = await world.person("tina")
    chat = await tina.chat()
    silent: list[str] = []
    for text in PIECES:
        answer = await tina.post(f"/conversations/{chat.conversation_id}/messages", {"text": text})
        refused = answer.status_code == 422 and answer.json()["detail"]
        if not refused and (answer.status_code != 200 or not answer.json()["result"]["reply"]):
            silent.append(f"{text}: {answer.status_code} {answer.text[:200]}")
    return silent
