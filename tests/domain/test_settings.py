"""A wrong setting stops the start with one line that names it and the remedy."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from assistant.settings import InterpreterKind, ProviderKind, Settings, SettingsError, read_settings, variable


def test_without_any_setting_it_is_offline_in_the_sandbox_on_this_machine() -> None:
    found = read_settings(env_file=None)
    assert (found.host, found.port, found.demo) == ("127.0.0.1", 7860, False)
    assert (found.interpreter, found.provider, found.live) == (InterpreterKind.OFFLINE, ProviderKind.SANDBOX, False)


def test_the_example_lists_every_setting_and_is_itself_the_default() -> None:
    example = Path(__file__).parents[2] / ".env.example"
    listed = set(re.findall(r"^([A-Z_]+)=", example.read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert listed == {variable(name) for name in Settings.model_fields}
    assert read_settings(env_file=example) == read_settings(env_file=None)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("24h", timedelta(hours=24)), ("90m", timedelta(minutes=90)), ("30s", timedelta(seconds=30)), ("45", timedelta(seconds=45))],
)
def test_a_review_may_wait_for_a_span_of_time(monkeypatch: pytest.MonkeyPatch, text: str, meant: timedelta) -> None:
    monkeypatch.setenv("LAYOVER_REVIEW_TTL", text)
    assert read_settings(env_file=None).review_ttl == meant


WRONG: list[tuple[dict[str, str], str]] = [
    ({"LAYOVER_REVIEW_TTL": "soon"}, "LAYOVER_REVIEW_TTL"),
    ({"LAYOVER_REVIEW_TTL": "0"}, "LAYOVER_REVIEW_TTL"),
    ({"LAYOVER_BODY_TIMEOUT": "0"}, "LAYOVER_BODY_TIMEOUT"),
    ({"LAYOVER_PORT": "high"}, "LAYOVER_PORT"),
    ({"LAYOVER_DEMO": "1", "LAYOVER_HOST": "0.0.0.0"}, "LAYOVER_DEMO"),
    ({"LAYOVER_DATABASE_URL": "mysql://host/name"}, "LAYOVER_DATABASE_URL"),
    ({"LAYOVER_SECRET_KEY": "short"}, "LAYOVER_SECRET_KEY"),
    ({"LAYOVER_INTERPRETER": "oracle"}, "LAYOVER_INTERPRETER"),
    ({"LAYOVER_INTERPRETER": "openai"}, "OPENAI_API_KEY"),
    ({"OPENAI_BASE_URL": "nowhere"}, "OPENAI_BASE_URL"),
    ({"LAYOVER_PROVIDER": "duffel"}, "LAYOVER_DUFFEL_TOKEN"),
    ({"LAYOVER_PROVIDER": "duffel", "LAYOVER_DUFFEL_TOKEN": "duffel_live_1"}, "LAYOVER_ALLOW_LIVE"),
    ({"LAYOVER_POLICY": "no-such-policy.toml"}, "LAYOVER_POLICY"),
    ({"LAYOVER_PROVIDER": "duffel", "LAYOVER_DUFFEL_TOKEN": "duffel_test_1", "LAYOVER_CLOCK": "sandbox"}, "LAYOVER_CLOCK"),
    ({"LAYOVER_REVIEW_TLL": "24h"}, "LAYOVER_REVIEW_TLL"),
]


@pytest.mark.parametrize(("environment", "named"), WRONG, ids=lambda value: value if isinstance(value, str) else "")
def test_a_wrong_setting_is_named_in_one_line_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], named: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as failure:
        read_settings(env_file=None)
    line = str(failure.value)
    assert line.startswith(f"{named}: ")
    assert failure.value.remedy in line
    assert "\n" not in line


def test_a_live_token_is_taken_only_when_real_money_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PROVIDER": "duffel", "DUFFEL_TOKEN": "duffel_live_1", "ALLOW_LIVE": "1"}.items():
        monkeypatch.setenv(f"LAYOVER_{name}", value)
    found = read_settings(env_file=None)
    assert found.live
    assert "duffel_live_1" not in repr(found)


def test_the_command_line_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAYOVER_PORT", "8000")
    assert read_settings({"port": 9000}, env_file=None).port == 9000
