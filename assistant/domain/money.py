"""Money: an exact amount in one currency. Never a float."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from .value import Value

CurrencyCode = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]


class Money(Value):
    """`amount` is an exact decimal in major units, `currency` an ISO 4217 code."""

    amount: Decimal
    currency: CurrencyCode

    def __add__(self, other: Money) -> Money:
        self._same(other)
        return Money(amount=self.amount + other.amount, currency=self.currency)

    def __sub__(self, other: Money) -> Money:
        self._same(other)
        return Money(amount=self.amount - other.amount, currency=self.currency)

    def __neg__(self) -> Money:
        return Money(amount=-self.amount, currency=self.currency)

    def __lt__(self, other: Money) -> bool:
        self._same(other)
        return self.amount < other.amount

    def __le__(self, other: Money) -> bool:
        self._same(other)
        return self.amount <= other.amount

    def at_most(self, bound: Money) -> bool:
        """Within a bound; an amount in another currency never is."""
        return self.currency == bound.currency and self.amount <= bound.amount

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"

    def _same(self, other: Money) -> None:
        if self.currency != other.currency:
            raise ValueError(f"{self.currency} and {other.currency} do not add up")


def zero(currency: str) -> Money:
    return Money(amount=Decimal(0), currency=currency)
