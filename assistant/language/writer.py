"""The writer's port: facts in, the words of a reply out, piece by piece. Called from the node `reply` only."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from ..domain.understanding import Language
from ..domain.value import Value
from ..wording.said import Said


class Facts(Value):
    """What is to be said, in order; `message` is what the traveller wrote, for tone only; deadlines are told in `timezone`."""

    said: tuple[Said, ...]
    message: str | None = None
    timezone: str = "UTC"  # IANA, the reader's


class Writer(Protocol):
    def write(self, facts: Facts, language: Language) -> AsyncIterator[str]: ...
