"""What one request at the airline works with: the records, the terms of business and what time it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from ...domain.flights import Cabin
from .chance import token
from .schedule import Timetable
from .store import Json, Store, text, wire_time


@dataclass(frozen=True, slots=True)
class Terms:
    """How this airline does business. `duplicate_detection` off: it will sell one passenger the same flight twice."""

    offer_life: timedelta = timedelta(minutes=30)
    quote_life: timedelta = timedelta(hours=1)
    ticketing: timedelta = timedelta(seconds=3)
    visibility_lag: timedelta = timedelta(seconds=2)
    search_timeout: timedelta = timedelta(seconds=1)
    moves_after: timedelta = timedelta(seconds=5)  # the flight of the magic route LHR-LTN
    duplicate_detection: bool = False
    balance: Decimal = Decimal("1000000.00")  # in every currency, at the start


@dataclass(frozen=True, slots=True)
class Books:
    store: Store
    seed: int
    terms: Terms
    now: datetime

    @property
    def timetable(self) -> Timetable:
        return Timetable(self.seed)

    def new_id(self, prefix: str) -> str:
        return f"{prefix}_{token(self.seed, prefix, self.store.next_number(prefix))}"

    def record(self, effect: str, order_id: str | None, **facts: object) -> None:
        """Append what truly happened."""
        self.store.run(
            "INSERT INTO journal (at, effect, order_id, body) VALUES (?, ?, ?, ?)",
            wire_time(self.now),
            effect,
            order_id,
            text(facts),
        )

    def later(self, due: datetime, kind: str, body: Json) -> None:
        self.store.run("INSERT INTO pending (due_at, kind, body) VALUES (?, ?, ?)", wire_time(due), kind, text(body))

    def balance(self, currency: str) -> Decimal:
        return Decimal(self.store.fact(f"balance.{currency}", str(self.terms.balance)))

    def move_money(self, amount: Decimal, currency: str) -> None:
        """Into the buyer's balance, or with a negative amount out of it."""
        self.store.keep(f"balance.{currency}", self.balance(currency) + amount)

    def taken(self, flight_key: str, cabin: Cabin) -> tuple[frozenset[str], int]:
        """Seats sold on a flight by this airline, and how many passengers have none yet."""
        rows = self.store.rows("SELECT designator FROM taken WHERE flight = ? AND cabin = ?", flight_key, str(cabin))
        seats = frozenset(str(row["designator"]) for row in rows if row["designator"])
        return seats, len(rows) - len(seats)
