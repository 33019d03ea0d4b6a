"""Signing in: side by side, without leaking, not tried out for long, and not from elsewhere."""

from __future__ import annotations

import json
import stat

import httpx
import pytest

from assistant.demo import PASSWORDS_FILE, seed_demo
from assistant.domain.errors import Conflict, Invalid, NotFound
from assistant.domain.people import PersonDetails, Role
from assistant.persistence import people
from assistant.web.app import create_app
from assistant.web.guard import Tabs
from assistant.web.people_commands import add_user, make_token
from assistant.web.signing_in import safe_next
from assistant.web.site import Site

from .conftest import World, quick


async def test_a_traveller_and_a_reviewer_are_signed_in_side_by_side_in_one_browser(world: World) -> None:
    browser = world.browser()
    for name, face in (("tina", "desk"), ("rita", "review")):
        answer = await browser.post(f"/{face}/sign-in", data={"name": name, "password": world.passwords[name]})
        assert answer.status_code == 303
        assert answer.headers["location"] == f"/{face}/"
    for name, face in (("tina", "desk"), ("rita", "review")):
        me = await browser.get("/api/v1/me", headers={"X-Layover-Face": face})
        assert me.json()["name"] == name
        assert (await browser.get(f"/{face}/me/changes")).status_code == 200
    ambiguous = await browser.get("/api/v1/me")
    assert (ambiguous.status_code, ambiguous.json()["code"]) == (400, "face_needed")


async def test_with_one_face_signed_in_no_header_is_needed(world: World) -> None:
    browser = await world.signed_in("tina", "desk")
    assert (await browser.get("/api/v1/me")).json()["name"] == "tina"


async def test_cookies_are_out_of_reach_of_scripts_and_stay_under_their_path(world: World) -> None:
    answer = await world.browser().post("/desk/sign-in", data={"name": "tina", "password": world.passwords["tina"]})
    page, api = answer.headers.get_list("set-cookie")
    assert "Path=/desk;" in page
    assert "Path=/api/v1;" in api
    for cookie in (page, api):
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie


async def test_behind_https_cookies_are_secure(world: World) -> None:
    site = Site(host="0.0.0.0", public_url="https://travel.example.org")
    app = create_app(service=world.service, database=world.database, site=site, clock=world.clock, demo=True, passwords=quick())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="https://travel.example.org") as client:
        form = {"name": "tina", "password": world.passwords["tina"]}
        answer = await client.post("/desk/sign-in", data=form, headers={"origin": "https://travel.example.org"})
        assert all("Secure" in cookie for cookie in answer.headers.get_list("set-cookie"))
        assert "continue-as" not in (await client.get("/desk/sign-in")).text
        refused = await client.post("/desk/sign-in/demo", data={"name": "tina"}, headers={"origin": "https://travel.example.org"})
        assert refused.status_code == 404


async def test_a_wrong_password_and_an_unknown_name_look_the_same(world: World) -> None:
    browser = world.browser()
    wrong = await browser.post("/desk/sign-in", data={"name": "tina", "password": "not this one"})
    unknown = await browser.post("/desk/sign-in", data={"name": "nobody", "password": "not this one"})
    assert (wrong.status_code, unknown.status_code) == (401, 401)
    assert "Name or password is wrong." in wrong.text
    assert "Name or password is wrong." in unknown.text
    assert not wrong.headers.get_list("set-cookie")


async def test_passwords_cannot_be_tried_out(world: World) -> None:
    browser = world.browser()
    for _ in range(5):
        assert (await browser.post("/desk/sign-in", data={"name": "tina", "password": "guess"})).status_code == 401
    right = {"name": "tina", "password": world.passwords["tina"]}
    stopped = await browser.post("/desk/sign-in", data=right)
    assert stopped.status_code == 429
    assert int(stopped.headers["retry-after"]) > 0
    world.clock.move(minutes=6)
    assert (await browser.post("/desk/sign-in", data=right)).status_code == 303


async def test_signing_in_right_is_never_too_often(world: World) -> None:
    for _ in range(12):
        await world.signed_in("tina", "desk")


async def test_a_traveller_cannot_sign_in_to_the_approvals(world: World) -> None:
    answer = await world.browser().post("/review/sign-in", data={"name": "tina", "password": world.passwords["tina"]})
    assert answer.status_code == 403
    assert "Tina may not open this page." in answer.text


async def test_a_desk_cookie_is_none_for_the_approvals(world: World) -> None:
    browser = await world.signed_in("tina", "desk")
    stolen = browser.cookies.get("layover_desk")
    answer = await world.browser(cookie=f"layover_review_api={stolen}").get("/api/v1/me", headers={"X-Layover-Face": "review"})
    assert answer.status_code == 401


async def test_signing_out_ends_it_everywhere(world: World) -> None:
    browser = await world.signed_in("tina", "desk")
    kept = browser.cookies.get("layover_desk")
    assert (await browser.post("/desk/sign-out")).status_code == 303
    assert not browser.cookies
    again = world.browser(cookie=f"layover_desk_api={kept}")
    assert (await again.get("/api/v1/me")).status_code == 401


async def test_a_sign_in_ends_after_two_weeks(world: World) -> None:
    browser = await world.signed_in("tina", "desk")
    world.clock.move(days=14, seconds=1)
    assert (await browser.get("/desk/me/changes")).status_code == 401


async def test_demo_people_continue_without_a_password_from_our_own_page_only(world: World) -> None:
    page = await world.browser().get("/desk/sign-in")
    assert "continue-as-tina" in page.text
    assert "continue-as-rita" in page.text
    assert (await world.browser().post("/desk/sign-in/demo", data={"name": "tina"})).status_code == 303
    assert (await world.browser().post("/review/sign-in/demo", data={"name": "rita"})).status_code == 303
    assert (await world.browser().post("/review/sign-in/demo", data={"name": "tina"})).status_code == 404
    assert (await world.browser().post("/desk/sign-in/demo", data={"name": "olga"})).status_code == 404
    elsewhere = await world.browser(origin="http://evil.example").post("/desk/sign-in/demo", data={"name": "tina"})
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (403, "bad_origin")


async def test_a_name_that_merely_points_here_is_not_answered(world: World) -> None:
    rebound = world.script(host="evil.example", origin="http://evil.example")
    answer = await rebound.post("/desk/sign-in/demo", data={"name": "tina"})
    assert (answer.status_code, answer.json()["code"]) == (400, "host_unknown")
    assert (await rebound.get("/healthz")).status_code == 200


@pytest.mark.parametrize(
    ("accept", "switch", "title"), [("zh-CN,zh;q=0.9,en;q=0.8", "en", "登录"), ("de, en;q=0.5", "zh", "Sign in")]
)
async def test_the_sign_in_page_speaks_the_browsers_language_and_switches(
    world: World, accept: str, switch: str, title: str
) -> None:
    browser = world.browser(**{"accept-language": accept})
    page = await browser.get("/desk/sign-in")
    assert f"<h1>{title}</h1>" in page.text
    other = await browser.get("/desk/sign-in", params={"lang": switch})
    assert f"<h1>{title}</h1>" not in other.text


async def test_the_sign_in_page_needs_nothing_from_outside(world: World) -> None:
    page = await world.browser().get("/desk/sign-in")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    nonce = policy.split("'nonce-")[1].split("'")[0]
    assert page.text.count(f'nonce="{nonce}"') == 2
    assert "http://" not in page.text
    assert "https://" not in page.text
    again = (await world.browser().get("/desk/sign-in")).headers["content-security-policy"]
    assert again != policy


async def test_what_was_typed_cannot_become_part_of_the_page(world: World) -> None:
    typed = '"><script>alert(1)</script>'
    page = await world.browser().post("/desk/sign-in", data={"name": typed, "password": "x", "next": typed})
    assert "<script>alert" not in page.text


@pytest.mark.parametrize(
    ("wanted", "leads_to"),
    [
        ("/desk/?conversation=1", "/desk/?conversation=1"),
        ("/review/", "/desk/"),
        ("//evil.example/desk/", "/desk/"),
        ("https://evil.example/desk/", "/desk/"),
        ("/desk/\\evil.example", "/desk/"),
        ("/desk/../review/", "/desk/"),
        ("/desk/sign-out", "/desk/"),
        ("/desk/\r\nset-cookie: a=b", "/desk/"),
        ("", "/desk/"),
    ],
)
def test_after_signing_in_one_stays_at_the_same_face(wanted: str, leads_to: str) -> None:
    assert safe_next("desk", wanted) == leads_to


async def test_the_first_sign_in_learns_language_and_zone_and_later_choices_win(world: World) -> None:
    form = {"name": "tina", "password": world.passwords["tina"], "language": "zh", "timezone": "Asia/Shanghai"}
    browser = world.browser()
    await browser.post("/desk/sign-in", data=form)
    tina = await world.user("tina")
    assert (tina.language, tina.timezone) == ("zh", "Asia/Shanghai")
    assert (await browser.post("/desk/preferences", json={"language": "en"})).status_code == 204
    await browser.post("/desk/sign-in", data=form | {"timezone": "Europe/Berlin"})
    tina = await world.user("tina")
    assert (tina.language, tina.timezone) == ("en", "Asia/Shanghai")
    assert (await browser.get("/api/v1/me")).json()["language"] == "en"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"language": "fr"}, "language_unknown"),
        ({"timezone": "Mars/Base"}, "timezone_unknown"),
        ({"timezone": {"a": 1}}, "timezone_unknown"),
        ([1], "invalid"),
    ],
)
async def test_a_choice_nobody_offers_is_refused(world: World, body: object, code: str) -> None:
    browser = await world.signed_in("tina", "desk")
    answer = await browser.post("/desk/preferences", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, code)


async def test_demo_people_are_seeded_once_with_complete_profiles(world: World) -> None:
    file = world.data_dir / PASSWORDS_FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text()) == world.passwords
    before = [await world.user(name) for name in sorted(world.passwords)]
    assert await seed_demo(world.database, world.data_dir, passwords=quick(), clock=world.clock) == world.passwords
    assert [await world.user(name) for name in sorted(world.passwords)] == before
    for user in before:
        rows = await world.database.read(
            lambda tx, user=user: people.of_owner(tx, tenant_id=user.tenant_id, owner_id=user.user_id)
        )
        assert [row.is_self for row in rows] == [True, False]
        assert all(PersonDetails.model_validate(row.details) for row in rows)


async def test_lost_demo_passwords_are_made_anew(world: World) -> None:
    (world.data_dir / PASSWORDS_FILE).unlink()
    told = await seed_demo(world.database, world.data_dir, passwords=quick(), clock=world.clock)
    assert told != world.passwords
    assert (await world.browser().post("/desk/sign-in", data={"name": "tom", "password": told["tom"]})).status_code == 303


async def test_users_are_added_once_and_tokens_act_as_them(world: World) -> None:
    facts = {"name": "Uma", "tenant": "acme", "roles": (Role.TRAVELLER,), "password": "long enough", "passwords": quick()}
    await add_user(world.database, **facts)
    with pytest.raises(Conflict, match="uma"):
        await add_user(world.database, **facts)
    with pytest.raises(Invalid):
        await add_user(world.database, **facts | {"name": "no spaces here"})
    with pytest.raises(Invalid):
        await add_user(world.database, **facts | {"name": "short", "password": "short"})
    with pytest.raises(NotFound):
        await make_token(world.database, name="nobody")
    script = await world.token("uma")
    assert (await script.get("/api/v1/me")).json()["tenant_id"] == "acme"


async def test_a_token_is_stored_as_a_hash_and_may_end(world: World) -> None:
    token = await make_token(world.database, name="tina", days=1, clock=world.clock)
    script = world.script(authorization=f"Bearer {token}")
    assert (await script.get("/api/v1/me")).status_code == 200
    stored = (world.data_dir / "layover.db").read_bytes() + (world.data_dir / "layover.db-wal").read_bytes()
    assert token.encode() not in stored
    world.clock.move(days=2)
    ended = await script.get("/api/v1/me")
    assert (ended.status_code, ended.json()["code"]) == (401, "token_invalid")
    assert ended.headers["www-authenticate"] == "Bearer"


def test_a_tab_belongs_to_the_first_who_shows_it_and_nobody_pushes_out_anothers() -> None:
    tabs = Tabs(of_one=2, of_all=5)
    assert tabs.belongs("a", "tina")
    assert not tabs.belongs("a", "tom")
    for n in range(10):
        assert tabs.belongs(f"tom-{n}", "tom")
    assert not tabs.belongs("a", "tom")
    assert tabs.belongs("a", "tina")
