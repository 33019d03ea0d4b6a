"""Settings: read once by the composition root, from the environment and a `.env` file; `.env.example` lists them all."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import timedelta
from difflib import get_close_matches
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, AliasChoices, AnyHttpUrl, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from .domain.errors import LayoverError

PREFIX = "LAYOVER_"
TEST_TOKEN = "duffel_test_"
SPAN = re.compile(r"^\s*(\d+)\s*([smhd]?)\s*$")
SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


class SettingsError(LayoverError):
    """A setting is wrong."""

    def __init__(self, variable: str, problem: str, remedy: str) -> None:
        super().__init__(variable)
        self.variable = variable
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.variable}: {self.problem}. {self.remedy}"


class InterpreterKind(StrEnum):
    OFFLINE = "offline"
    OPENAI = "openai"


class ProviderKind(StrEnum):
    SANDBOX = "sandbox"
    DUFFEL = "duffel"


class ClockKind(StrEnum):
    SYSTEM = "system"
    SANDBOX = "sandbox"


class LogKind(StrEnum):
    TEXT = "text"
    JSON = "json"


def span(value: object) -> object:
    """A span of time from 24h, 90m, 30s, 2d or plain seconds; None from an empty text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return timedelta(seconds=value)
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    found = SPAN.match(value)
    if found is None or int(found[1]) == 0:
        raise ValueError("a span of time is needed")
    return timedelta(seconds=int(found[1]) * SECONDS[found[2]])


def _blank_is_none(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _postgresql(url: str) -> str:
    if url and not re.match(r"^postgres(ql)?(\+psycopg)?://\S+$", url):
        raise ValueError("this is no PostgreSQL address")
    return url


Span = Annotated[timedelta | None, BeforeValidator(span)]
SomeSpan = Annotated[timedelta, BeforeValidator(span)]
OptionalPath = Annotated[Path | None, BeforeValidator(_blank_is_none)]
OptionalUrl = Annotated[AnyHttpUrl | None, BeforeValidator(_blank_is_none)]
OptionalSecret = Annotated[SecretStr | None, BeforeValidator(_blank_is_none)]

REMEDIES = {
    "data_dir": "Name a directory that can be written, for example .layover",
    "database_url": "Leave it empty for SQLite in the data directory, or use postgresql://user:password@host/name",
    "host": "Use an address of this machine, for example 127.0.0.1",
    "port": "Use a number from 0 to 65535, for example 7860",
    "public_url": "Use the address people open, for example https://travel.example.org",
    "secret_key": "Use at least 32 characters, or leave it empty to have one made and kept",
    "demo": "Use 1 or 0; demo people exist on a loopback host only, for example LAYOVER_HOST=127.0.0.1",
    "interpreter": "Use offline or openai",
    "model": "Name a model of the server, for example gpt-4.1-mini",
    "openai_api_key": "Set it, or use LAYOVER_INTERPRETER=offline",
    "openai_base_url": "Use an http or https address, for example http://127.0.0.1:11434/v1, or leave it empty",
    "provider": "Use sandbox or duffel",
    "duffel_url": "Use an http or https address, for example https://api.duffel.com",
    "duffel_token": "Set the token of your Duffel account, or use LAYOVER_PROVIDER=sandbox",
    "duffel_webhook_secret": "Copy it from the webhook's page, or leave it empty",
    "allow_live": "Use a token that starts with duffel_test_, or LAYOVER_ALLOW_LIVE=1 to spend real money",
    "policy": "Name a TOML file that exists, or leave it empty for the default policy",
    "review_ttl": "Use a span such as 24h, 90m or 30s",
    "body_timeout": "Use a span such as 30s or 2m",
    "clock": "Use system or sandbox; sandbox needs LAYOVER_PROVIDER=sandbox",
    "log": "Use text or json",
}


class Settings(BaseSettings):
    """Everything an operator can choose. Spans are timedeltas; an empty text means the default."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="ignore", populate_by_name=True, env_file_encoding="utf-8"
    )

    data_dir: Path = Path(".layover")
    database_url: Annotated[str, AfterValidator(_postgresql)] = ""
    host: str = Field(default="127.0.0.1", min_length=1)
    port: int = Field(default=7860, ge=0, le=65535)  # 0: any free one
    public_url: OptionalUrl = None
    secret_key: OptionalSecret = Field(default=None, min_length=32)
    demo: bool = False
    interpreter: InterpreterKind = InterpreterKind.OFFLINE
    model: str = Field(default="gpt-4.1-mini", min_length=1)
    openai_api_key: OptionalSecret = Field(default=None, validation_alias=AliasChoices("OPENAI_API_KEY", "openai_api_key"))
    openai_base_url: OptionalUrl = Field(default=None, validation_alias=AliasChoices("OPENAI_BASE_URL", "openai_base_url"))
    provider: ProviderKind = ProviderKind.SANDBOX
    duffel_url: AnyHttpUrl = AnyHttpUrl("https://api.duffel.com")
    duffel_token: OptionalSecret = None
    duffel_webhook_secret: OptionalSecret = None
    allow_live: bool = False
    policy: OptionalPath = None
    review_ttl: Span = None  # None: as the policy says
    body_timeout: SomeSpan = timedelta(seconds=30)
    clock: ClockKind = ClockKind.SYSTEM
    log: LogKind = LogKind.TEXT

    @property
    def live(self) -> bool:
        """Whether bookings cost real money: any token but a test one, at an airline that is not on this machine."""
        token = self.duffel_token.get_secret_value() if self.duffel_token else TEST_TOKEN
        elsewhere = not loopback(self.duffel_url.host or "")
        return self.provider is ProviderKind.DUFFEL and elsewhere and not token.startswith(TEST_TOKEN)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for setting, wrong, problem in (
            ("demo", self.demo and not loopback(self.host), f"demo people are refused on {self.host}"),
            ("openai_api_key", self.interpreter is InterpreterKind.OPENAI and self._needs_key, "the model needs a key"),
            ("duffel_token", self.provider is ProviderKind.DUFFEL and self.duffel_token is None, "Duffel needs a token"),
            ("allow_live", self.live and not self.allow_live, "the Duffel token is not a test one"),
            ("policy", self.policy is not None and not self.policy.is_file(), f"there is no file {self.policy}"),
            ("clock", self._moves_clock_of_duffel, "only the sandbox airline has a clock to move"),
        ):
            if wrong:
                raise PydanticCustomError("setting", "{problem}", {"setting": setting, "problem": problem})
        return self

    @property
    def _needs_key(self) -> bool:
        return self.openai_api_key is None and self.openai_base_url is None  # a server of one's own often wants no key

    @property
    def _moves_clock_of_duffel(self) -> bool:
        return self.clock is ClockKind.SANDBOX and self.provider is not ProviderKind.SANDBOX


def read_settings(overrides: Mapping[str, object] | None = None, *, env_file: Path | None = Path(".env")) -> Settings:
    """Settings from `overrides` (by field name, as the command line gives them), the environment, then `env_file`.

    Raises `SettingsError`, one line that names the variable and what to do.
    """
    _refuse_misspelt(os.environ)
    try:
        return Settings(_env_file=env_file, **dict(overrides or {}))  # pyright: ignore[reportCallIssue, reportArgumentType]
    except ValidationError as failure:
        raise _explained(failure.errors()[0]) from None


def variable(setting: str) -> str:
    """The environment variable of a field."""
    return setting.upper() if setting.startswith("openai_") else PREFIX + setting.upper()


def loopback(host: str) -> bool:
    """Whether only this machine can reach `host`."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _explained(error: ErrorDetails) -> SettingsError:
    facts = error.get("ctx", {})
    setting = str(facts["setting"]) if "setting" in facts else str(error["loc"][0]).lower()
    message = error["msg"].removeprefix("Value error, ")
    problem = str(facts["problem"]) if "problem" in facts else message[:1].lower() + message[1:]
    return SettingsError(variable(setting), problem, REMEDIES[setting])


def _refuse_misspelt(environment: Mapping[str, str]) -> None:
    known = {variable(setting) for setting in Settings.model_fields}
    for name in sorted(n for n in environment if n.startswith(PREFIX) and n not in known):
        near = get_close_matches(name, known, n=1, cutoff=0.88)
        if near:
            raise SettingsError(name, "there is no such setting", f"Did you mean {near[0]}?")
