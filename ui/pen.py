"""A pen writes for one reader: sentences of the pages, and facts as that reader reads them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from assistant.domain.flights import Cabin, Condition, Segment
from assistant.domain.money import Money
from assistant.domain.understanding import Language
from assistant.wording import say


@dataclass(frozen=True)
class Pen:
    """`now` is aware; `sandbox`: bookings are no real tickets, and everything written says so."""

    language: Language
    timezone: str
    now: datetime
    sandbox: bool = False

    def __call__(self, key: str, **params: object) -> str:
        """A sentence of the catalogue."""
        return say(key, self.language, timezone=self.timezone, now=self.now, **params)

    def money(self, amount: Money) -> str:
        return self("ui.money", amount=amount)

    def signed(self, amount: Money) -> str:
        """With its sign, for a column of money going out and coming back."""
        if amount.amount == 0:
            return self("ui.free")
        return ("+" if amount.amount > 0 else "\N{MINUS SIGN}") + self.money(
            Money(amount=abs(amount.amount), currency=amount.currency)
        )

    def day(self, on: date) -> str:
        return self("word.day", day=on.isoformat()[:10])

    def moment(self, at: datetime) -> str:
        return self("ui.moment", at=at)

    def deadline(self, until: datetime) -> str:
        """The point in time and what is left."""
        return self("ui.deadline", at=until)

    def duration(self, minutes: int) -> str:
        return self("ui.duration", minutes=minutes)

    def since(self, at: datetime) -> str:
        """How long ago, in whole minutes."""
        minutes = max(0, int((self.now - at).total_seconds() // 60))
        return self.duration(minutes) if minutes else self("ui.just_now")

    def city(self, code: str) -> str:
        return self("word.place", place=code)

    def airport(self, code: str) -> str:
        return self("word.airport", place=code)

    def airline(self, code: str) -> str:
        return self("ui.airline", code=code)

    def cabin(self, cabin: Cabin) -> str:
        return self("ui.cabin", cabin=cabin.value)

    def stops(self, count: int) -> str:
        return self("ui.stops", count=count) if count else self("stops.none")

    def bags(self, count: int | None) -> str:
        if count is None:
            return self("ui.bags_unknown")
        return self("ui.bags", count=count) if count else self("ui.no_bags")

    def rule(self, kind: str, condition: Condition) -> str:
        """`kind` is refund or change; what the airline has not said is not a no."""
        if condition.allowed is None:
            return self(f"fact.{kind}_unknown")
        if not condition.allowed:
            return self(f"fact.{kind}_no")
        if condition.penalty is None:
            return self(f"fact.{kind}_fee_unknown")
        if condition.penalty.amount == 0:
            return self(f"fact.{kind}_free")
        return self(f"fact.{kind}_fee", penalty=condition.penalty)

    def hurries(self, until: datetime) -> bool:
        return until - self.now < timedelta(minutes=15)


def days_later(first: Segment, last: Segment) -> int:
    """Calendar days between leaving and arriving, each by its own airport's clock."""
    return (last.arrives.date() - first.departs.date()).days
