"""What a flight costs: fare brands with their rules, and a price that is exact once it is quoted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from ...domain.flights import Cabin
from ...places import airport
from .carriers import Carrier, HoldRule, carriers
from .chance import draw
from .schedule import Flight

CENT = Decimal("0.01")


class RefundRule(StrEnum):
    FULL = "full"
    FEE = "fee"
    NOTHING = "nothing"
    CREDITS = "credits"
    VOUCHER = "voucher"
    UNSAID = "unsaid"  # the airline tells nobody beforehand, nor when asked


@dataclass(frozen=True, slots=True)
class Brand:
    """`level` scales the fare; `bags` are checked bags a passenger."""

    name: str
    cabin: Cabin
    level: float
    refund: RefundRule
    changeable: bool
    bags: int
    light: bool = False


_FULL_SERVICE = (
    Brand("Economy Light", Cabin.ECONOMY, 1.0, RefundRule.NOTHING, changeable=False, bags=0, light=True),
    Brand("Economy Standard", Cabin.ECONOMY, 1.17, RefundRule.FEE, changeable=True, bags=1),
    Brand("Economy Flex", Cabin.ECONOMY, 1.46, RefundRule.FULL, changeable=True, bags=2),
    Brand("Premium Economy", Cabin.PREMIUM_ECONOMY, 1.75, RefundRule.FEE, changeable=True, bags=2),
    Brand("Business Saver", Cabin.BUSINESS, 2.9, RefundRule.FEE, changeable=True, bags=2),
    Brand("Business Flex", Cabin.BUSINESS, 3.6, RefundRule.FULL, changeable=True, bags=2),
    Brand("First", Cabin.FIRST, 5.4, RefundRule.FULL, changeable=True, bags=3),
)
_BUDGET = (
    Brand("Basic", Cabin.ECONOMY, 1.0, RefundRule.NOTHING, changeable=False, bags=0, light=True),
    Brand("Plus", Cabin.ECONOMY, 1.3, RefundRule.VOUCHER, changeable=True, bags=1),
)
_SILENT = frozenset({"SU", "AR", "SV"})  # carriers that do not say what a refund will be
_EURO = frozenset(
    {"AT", "BE", "CY", "DE", "EE", "ES", "FI", "FR", "GR", "HR", "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PT", "SI", "SK"}
)
_RATES = {"USD": 1.0, "EUR": 0.92, "GBP": 0.78, "CNY": 7.1}
_CHILD, _INFANT = Decimal("0.75"), Decimal("0.10")


def brands(carrier: str, cabin: Cabin) -> tuple[Brand, ...]:
    shelf = _BUDGET if carriers()[carrier].budget else _FULL_SERVICE
    return tuple(b for b in shelf if b.cabin is cabin)


def brand(carrier: str, name: str) -> Brand:
    shelf = _BUDGET if carriers()[carrier].budget else _FULL_SERVICE
    return next(b for b in shelf if b.name == name)


def refund_rule(carrier: str, brand: Brand) -> RefundRule:
    return RefundRule.UNSAID if carrier in _SILENT and brand.refund is RefundRule.FEE else brand.refund


def hold_rule(carrier: Carrier, brand: Brand) -> HoldRule:
    return HoldRule.NONE if carrier.hold is HoldRule.FARE and brand.light else carrier.hold


def currency(origin: str, destination: str) -> str:
    """The same both ways, so that outbound and return add up."""
    countries = {found.country for code in (origin, destination) if (found := airport(code))}
    if "CN" in countries:
        return "CNY"
    if countries & {"US", "CA"}:
        return "USD"
    if "GB" in countries:
        return "GBP"
    return "EUR" if countries & _EURO else "USD"


def adult_fare(seed: int, flights: Sequence[Flight], brand: Brand, *, asked: datetime, money: str) -> Decimal:
    """One adult's fare in `money`. It moves a little from day to day as the departure comes near, not from minute to minute."""
    first = flights[0]
    days = max((first.departs_utc - asked).days, 0)
    early = 1.0 if days > 20 else 1.08 if days > 6 else 1.25
    drift = 0.98 + 0.04 * draw(seed, "drift", first.key, days)
    dollars = sum(_dollars(seed, f) for f in flights) * (0.78 if len(flights) > 1 else 1.0)
    return cents(Decimal(dollars * brand.level * early * drift * _RATES[money]))


def for_age(fare: Decimal, age: int | None) -> Decimal:
    if age is None or age >= 12:
        return fare
    return cents(fare * (_CHILD if age >= 2 else _INFANT))


def penalty(total: Decimal) -> Decimal:
    """What giving a ticket back costs where there is a fee."""
    return cents(total * Decimal("0.25"))


def seat_price(flight: Flight, brand: Brand, *, row: int, first_row: int, legroom: bool, money: str) -> Decimal:
    if brand.cabin is not Cabin.ECONOMY:
        return Decimal("0.00")
    if legroom:
        return cents(Decimal((18 + flight.km / 220) * _RATES[money]))
    if brand.light:
        return cents(Decimal((7 + flight.km / 700) * _RATES[money]))
    return cents(Decimal(9 * _RATES[money])) if row < first_row + 4 and brand.refund is not RefundRule.FULL else Decimal("0.00")


def cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def _dollars(seed: int, flight: Flight) -> float:
    popular = 0.85 + 0.4 * draw(seed, "popular", flight.key)
    return (26 + 0.36 * flight.km**0.8) * carriers()[flight.carrier].level * popular
