"""The writer that needs no model: the catalogue's sentences, one to a line."""

from __future__ import annotations

from collections.abc import AsyncIterator

from ..domain.understanding import Language
from ..wording import render
from .writer import Facts


class OfflineWriter:
    """A reply is kept and read later, so deadlines are written as points in time, never as what is left."""

    async def write(self, facts: Facts, language: Language) -> AsyncIterator[str]:
        for index, said in enumerate(facts.said):
            text = render(said, language, timezone=facts.timezone)
            yield text if index == 0 else f"\n{text}"
