"""Who reads: in which language, in which time zone, at what time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from babel import Locale

from ..domain.understanding import Language


@dataclass(frozen=True)
class Reader:
    """`now` is aware; None where the text is kept and read later, so that nothing in it grows wrong."""

    language: Language
    timezone: str = "UTC"
    now: datetime | None = None

    @property
    def locale(self) -> Locale:
        return Locale("zh", "CN", script="Hans") if self.language == "zh" else Locale("en", "GB")

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)

    @property
    def today(self) -> datetime | None:
        return self.now.astimezone(self.zone) if self.now else None
