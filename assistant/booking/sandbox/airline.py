"""The sandbox airline: a seller of flights that speaks Duffel's JSON, runs in-process or on a port, and forgets nothing."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import httpx
from starlette.applications import Starlette

from ...domain.clock import Clock, system_clock
from .admin import read_journal, read_orders
from .books import Books, Terms
from .due import settle
from .events import SignedEvent, acknowledge, undelivered
from .faults import put_plan
from .http import air_app
from .store import Json, Store

DEFAULT_SEED = 7


class SandboxAirline:
    """One airline with its own SQLite file and its own clock, which is the given clock plus an offset it remembers.

    `app` is the ASGI app, to be reached through `client()` or `httpx.ASGITransport`; `run_sandbox` puts it on a port.
    `admin` adds `/_sandbox/`. Events wait in `pending_events` until someone acknowledges them.
    """

    def __init__(
        self,
        path: Path,
        *,
        seed: int = DEFAULT_SEED,
        clock: Clock = system_clock,
        terms: Terms | None = None,
        admin: bool = False,
        webhook_secret: str = "sandbox",
    ) -> None:
        self._store = Store(path)
        self._clock = clock
        self._terms = terms or Terms()
        self._secret = webhook_secret
        with self._store.transaction():
            self._store.keep("seed", self._store.fact("seed", str(seed)))
        self._admin = admin
        self.app: Starlette = air_app(self, admin=admin)

    def network_app(self) -> Starlette:
        """The app for a server on a port."""
        return air_app(self, admin=self._admin, on_a_port=True)

    def now(self) -> datetime:
        """The airline's time, aware UTC."""
        return self._clock() + timedelta(seconds=self._offset())

    def advance(self, seconds: float) -> datetime:
        """Move the airline's clock; the new time. What falls due on the way happens."""
        with self._store.transaction():
            self._store.keep("offset", self._offset() + seconds)
            settle(self.books())
        return self.now()

    def reset(self, seed: int) -> None:
        """A new airline with this seed: no orders, no faults, its clock back at the given one."""
        with self._store.transaction():
            self._store.wipe()
            self._store.keep("seed", seed)

    def books(self) -> Books:
        return Books(store=self._store, seed=int(self._store.fact("seed", "0")), terms=self._terms, now=self.now())

    def pending_events(self) -> list[SignedEvent]:
        """Signed webhook deliveries that nobody has acknowledged; an event may be in it twice."""
        with self._store.transaction():
            books = self.books()
            settle(books)
            return undelivered(books, self._secret)

    def acknowledge(self, event: SignedEvent) -> None:
        with self._store.transaction():
            acknowledge(self.books(), event.number)

    async def deliver(self, client: httpx.AsyncClient, url: str) -> int:
        """Post what is pending; how many the receiver took. The rest stays for the next time."""
        taken = 0
        for event in self.pending_events():
            try:
                answer = await client.post(url, content=event.body, headers=event.headers)
            except httpx.RequestError:
                break
            if answer.is_success:
                self.acknowledge(event)
                taken += 1
        return taken

    def journal(self) -> list[Json]:
        """Every effect as it truly happened, oldest first: `n, at, effect, order_id` and its facts."""
        return read_journal(self._current())

    def orders(self, *, live: bool = False) -> list[Json]:
        """All orders as on the wire with `flights` and `live`, also those no look-up shows yet."""
        return read_orders(self._current(), live=live)

    def put_faults(self, plan: list[Json]) -> None:
        """Replace the fault plan: `[{"match": {"op", "nth", "route"}, "fault", ...}]`."""
        with self._store.transaction():
            put_plan(self.books(), plan)

    def balance(self, currency: str) -> Decimal:
        return self.books().balance(currency)

    def _offset(self) -> float:
        # read each time: another process may have moved this airline's clock
        return float(self._store.fact("offset", "0"))

    def _current(self) -> Books:
        books = self.books()
        with self._store.transaction():
            settle(books)
        return books

    def client(self) -> httpx.AsyncClient:
        """A client that reaches the airline in-process, with the headers it asks for."""
        transport = httpx.ASGITransport(self.app)
        return httpx.AsyncClient(transport=transport, base_url="http://sandbox", headers={"Authorization": "Bearer sandbox"})

    def close(self) -> None:
        self._store.close()
