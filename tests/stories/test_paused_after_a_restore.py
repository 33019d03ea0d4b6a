"""A backup was put back and purchases wait: everybody reads since when, in their own language, wherever it is said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace

import pytest

from assistant.backup import back_up, restore
from assistant.domain.commands import Kind
from assistant.domain.errors import Conflict
from assistant.domain.understanding import Language
from assistant.operating import doctor_now, pause_now, restored_now
from assistant.page_faces import Made, PageFaces
from assistant.persistence import signals, users
from assistant.web.callers import Callers, page_cookie
from assistant.web.site import Site
from assistant.wording.pauses import why_paused
from tests.stories.test_unknown_outcomes import WORDS
from tests.stories.world import Person, World, opened
from ui.faces import Preview, SignedIn
from ui.page import pen_of, refusal, top_bar

MADE_AT = datetime(2026, 11, 29, 17, 30, 45, tzinfo=timezone(timedelta(hours=8)))
WHY = {"zh": "系统已还原到 2026-11-29 09:30 UTC 的备份", "en": "restored from a backup of 2026-11-29 09:30 UTC"}
PAUSED = {"zh": f"购买暂停中：{WHY['zh']}", "en": f"Purchases are paused: {WHY['en']}"}
THEN = {"zh": "，恢复后再试。", "en": "; try again once they resume."}
BOTH = pytest.mark.parametrize("language", ["zh", "en"])


async def at_the_desk(world: World, language: Language) -> SignedIn:
    """Tina, as the pages see her."""
    whole = world.whole

    async def sign_in(tx: users.Tx) -> str:
        found = await users.by_name(tx, "tina")
        assert found is not None
        return await users.open_sign_in(tx, found[0].user_id, face="desk", now=whole.clock(), expires_at=None)

    secret = await whole.database.write(sign_in)
    callers = Callers(whole.database, clock=whole.clock, site=Site("127.0.0.1", None))
    faces = PageFaces(whole.service, whole.database, callers, whole.clock, True, Made(SignedIn, Preview))
    return await faces.who(SimpleNamespace(cookies={page_cookie("desk"): secret}, headers={"accept-language": language}))


@BOTH
async def test_why_purchases_wait_is_told_in_ones_language_everywhere(
    world: World, language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    tina = await world.person("tina", language)
    chat = await tina.chat()
    await chat.say(WORDS[language])
    await restored_now(world.whole.settings, made_at=MADE_AT)
    assert (await tina.get("/me"))["paused"] == {"reason": WHY[language]}
    who = await at_the_desk(world, language)
    assert PAUSED[language] in top_bar(who, "Desk", "/desk")
    refused = await tina.post(f"/trips/{(await chat.trip())['trip_id']}/choice", {"offer": 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "paused")
    assert refused.json()["detail"] == PAUSED[language] + THEN[language]
    assert datetime.fromisoformat(refused.json()["restored_from"]) == MADE_AT
    assert refused.json()["reason"] is None  # nobody typed one
    error = Conflict("paused", reason=None, restored_from=MADE_AT.astimezone(UTC).isoformat())
    assert refusal(error, pen_of(who)) == PAUSED[language] + THEN[language]
    await doctor_now(world.whole.settings)
    assert WHY["en"] in capsys.readouterr().out


@BOTH
async def test_what_a_restore_pauses_says_the_same(data_dir: Path, tmp_path: Path, language: Language) -> None:
    async with opened(data_dir):
        back_up(data_dir, tmp_path / "copy", clock=lambda: MADE_AT)
    restore(tmp_path / "copy", tmp_path / "again", airline_goes_on=True)
    async with opened(tmp_path / "again") as world:
        assert (await (await world.person("tina", language)).get("/me"))["paused"] == {"reason": WHY[language]}


@BOTH
async def test_what_an_operator_types_stays_as_typed_and_no_reason_is_none(
    world: World, tina: Person, language: Language
) -> None:
    await restored_now(world.whole.settings, made_at=MADE_AT)
    for typed in ("在换公司卡", None):
        await pause_now(world.whole.settings, kind=Kind.PAUSE, reason=typed)
        assert (await tina.get("/me"))["paused"] == {"reason": typed}
        assert (await at_the_desk(world, language)).paused == (typed or "")


@BOTH
async def test_the_words_of_an_earlier_version_stay_readable(world: World, language: Language) -> None:
    old = "restored from a backup of 2026-11-29 09:30 UTC"
    value = {"on": True, "by": "layover restore", "reason": old}
    await world.whole.database.write(lambda tx: signals.switch(tx, "paused", value, at=world.whole.clock()))
    assert (await (await world.person("tina", language)).get("/me"))["paused"] == {"reason": old}
    assert why_paused({"on": True, "by": "li"}, language) is None
