"""Money: an exact amount in one currency. Never a float."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from .value import Value

CurrencyCode = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]

# What is paid with, by the decimals of its minor unit (ISO 4217, list one; without funds, metals and test codes).
_BY_DECIMALS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
    2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK"
    " DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD"
    " KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP"
    " PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH"
    " USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG",
    3: "BHD IQD JOD KWD LYD OMR TND",
}
DECIMALS: Mapping[str, int] = {code: decimals for decimals, codes in _BY_DECIMALS.items() for code in codes.split()}
MOST_DIGITS = 12  # before the point: more than any trip costs in any currency


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


def exact(money: Money) -> Money:
    """The same amount in no more digits than its currency has. Raises ValueError where nobody could be asked for just that."""
    decimals = DECIMALS.get(money.currency)
    if decimals is None:
        raise PydanticCustomError("unpaid_currency", "nothing is paid in this currency")
    if money.amount < 0:
        raise PydanticCustomError("negative", "nobody pays less than nothing")
    if money.amount and money.amount.adjusted() >= MOST_DIGITS:
        raise PydanticCustomError("too_dear", "no trip costs so much")
    if (rounded := round(money.amount, decimals)) != money.amount:
        raise PydanticCustomError("decimals", "this currency has {decimals} decimals", {"decimals": decimals})
    return money if 0 <= -int(money.amount.as_tuple().exponent) <= decimals else Money(amount=rounded, currency=money.currency)


def payable(money: Money) -> Money:
    """An exact amount that a fare can cost. Raises ValueError."""
    if money.amount <= 0:
        raise PydanticCustomError("free", "a fare costs more than nothing")
    return exact(money)


def _each_exact(bounds: dict[str, Decimal]) -> dict[str, Decimal]:
    return {currency: exact(Money(amount=amount, currency=currency)).amount for currency, amount in bounds.items()}


Cap = Annotated[Money, AfterValidator(payable)]  # the most a person wants to pay
Bounds = Annotated[dict[CurrencyCode, Decimal], AfterValidator(_each_exact)]  # amounts by currency; nothing is one too


def zero(currency: str) -> Money:
    return Money(amount=Decimal(0), currency=currency)
