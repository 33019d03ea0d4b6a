"""The interpreter's port: words in, an `Understanding` out. Called from the node `understand` only."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from ..domain.flights import Fare
from ..domain.understanding import Slots, Understanding
from ..domain.value import Value


class HeardMessage(Value):
    role: str  # "user" | "assistant"
    text: str
    # What an assistant's message asked for: "origin", "destination", "depart", "return", "passengers", "ages", "proposal", ...
    asked: str | None = None


class ShownOptions(Value):
    """The list of options a traveller last saw for one trip, numbered as shown: option n is `fares[n - 1]`."""

    trip_id: str
    fares: tuple[Fare, ...]


class KnownTrip(Value):
    trip_id: str
    origin: str
    destination: str
    status: str
    direction: str | None = None  # "outbound" | "return"


class Heard(Value):
    """All an interpreter may use.

    `now` is aware; `timezone` is the traveller's IANA zone; `recent` is oldest first, without the message.
    """

    text: str
    recent: tuple[HeardMessage, ...] = ()
    draft: Slots = Slots()
    shown: tuple[ShownOptions, ...] = ()  # newest list first
    trips: tuple[KnownTrip, ...] = ()
    now: datetime
    timezone: str = "UTC"


class Interpreter(Protocol):
    async def interpret(self, heard: Heard) -> Understanding: ...
