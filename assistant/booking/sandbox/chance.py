"""Chance that repeats: the same seed and the same facts always draw the same number, in every run and on every machine."""

from __future__ import annotations

import hashlib
from random import Random


def draw(*facts: object) -> float:
    """A number in [0, 1) that belongs to these facts."""
    return int.from_bytes(_digest(facts)[:6]) / 2**48


def draws(*facts: object) -> Random:
    """A generator that belongs to these facts; not for secrets."""
    return Random(int.from_bytes(_digest(facts)[:8]))


def token(*facts: object) -> str:
    """Twenty letters and digits that belong to these facts, for ids."""
    return _digest(facts).hex()[:20]


def _digest(facts: tuple[object, ...]) -> bytes:
    return hashlib.blake2b("\x1f".join(map(str, facts)).encode(), digest_size=16).digest()
