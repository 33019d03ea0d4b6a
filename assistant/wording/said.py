"""`Said`: what is to be said, as a key and facts. It becomes text at the edge, in the reader's language."""

from __future__ import annotations

from pydantic import JsonValue

from ..domain.value import Value


class Said(Value):
    """`key` names a sentence of the catalogue; `params` are JSON-able facts the sentence formats (money, dates, names)."""

    key: str
    params: dict[str, JsonValue] = {}
