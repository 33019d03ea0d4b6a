"""What does not fit is said in the reader's language, with the field and the remedy; on the shell in one line."""

from __future__ import annotations

import io
import socket
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from assistant.__main__ import main
from tests.stories.world import World

LIMITS = {"zh": ["缺这一项", "最多4000个字符", "没有这一项"], "en": ["is missing", "4000", "no such field"]}
MISSING = {"zh": "还差1位乘机人没填", "en": "1 passenger still has to be named"}
INCOMPLETE = {"zh": "邮箱和手机", "en": "E-mail and Phone"}


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_field_that_does_not_fit(language: str, world: World) -> None:
    tina = await world.person("tina", language)
    chat = (await tina.chat()).conversation_id
    bodies: list[dict[str, Any]] = [{}, {"text": "x" * 4001}, {"text": "hello", "colour": "red"}]
    for body, words in zip(bodies, LIMITS[language], strict=True):
        answer = await tina.client.post(
            f"/api/v1/conversations/{chat}/messages", json=body, headers={"idempotency-key": str(uuid4())}
        )
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (422, "invalid")
        assert words in problem["errors"][0]["why"]
        assert words in problem["detail"]
        assert problem["fields"] == [problem["errors"][0]["at"]]


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_whoever_is_not_named_yet_and_what_is_missing_of_somebody(language: str, world: World) -> None:
    tina = await world.person("tina", language)
    chat = await tina.chat()
    await chat.say("Two of us from Shanghai to Tokyo on 11 December")
    trip = await chat.trip()
    refused = await tina.post(f"/trips/{trip['trip_id']}/choice", {"offer": 1})
    assert MISSING[language] in refused.json()["detail"]
    person, missing = await tina.companion(), {"email": None, "phone": None}
    refused = await tina.client.patch(f"/api/v1/people/{person}", json=missing, headers={"idempotency-key": str(uuid4())})
    assert (refused.status_code, INCOMPLETE[language] in refused.json()["detail"]) == (422, True), refused.text


def test_a_port_that_is_used_is_one_line_with_the_remedy(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LAYOVER_DATA_DIR", str(data_dir))
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--no-pages", "--port", str(port)]) == 2
    complained = capsys.readouterr().err
    assert complained.startswith(f"layover: LAYOVER_PORT: 127.0.0.1:{port}: Address already in use. End what listens there")
    assert complained.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("token", "nobody"), "There is no user nobody."),
        (("users", "add", "No Name", "--tenant", "demo", "--role", "traveller", "--password-stdin"), "small letters, digits"),
        (("users", "add", "wei", "--tenant", "demo", "--role", "traveller", "--password-stdin"), "A password has 8 to 1,024"),
    ],
)
def test_a_command_that_is_refused_is_one_line_that_says_why(
    words: tuple[str, ...], said: str, data_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LAYOVER_DATA_DIR", str(data_dir))
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))
    assert main(["migrate"]) == 0
    assert main(words) == 2
    complained = capsys.readouterr().err
    assert said in complained
    assert complained.count("\n") == 1
