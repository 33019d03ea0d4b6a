"""Where ids come from: minted or derived from what was intended, never from a clock, a checkpoint, an offer or a price."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from uuid import UUID, uuid5

from uuid_utils.compat import uuid7

NAMESPACE = UUID("6f2d3a52-5d39-4b86-9a53-0d6b8f3c2f10")


def new_id() -> str:
    """A UUIDv7: unique, sortable by creation, meaningless."""
    return str(uuid7())


def derived(*parts: object) -> str:
    """The same parts always give the same UUIDv5."""
    return str(uuid5(NAMESPACE, canonical(parts)))


def fingerprint(*parts: object) -> str:
    """SHA-256 of canonical JSON: equal content, equal fingerprint."""
    return hashlib.sha256(canonical(parts).encode()).hexdigest()


def canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


@dataclass(frozen=True)
class FollowUps:
    """Ids of the commands a command gives rise to; the namespace is secret, so that no client can take one first."""

    namespace: UUID

    @classmethod
    def of_secret(cls, secret_key: str) -> FollowUps:
        return cls(uuid5(NAMESPACE, hashlib.sha256(secret_key.encode()).hexdigest()))

    def __call__(self, parent: str, index: int | str) -> str:
        return str(uuid5(self.namespace, canonical([parent, index])))
