"""The airline on its two transports: in-process, and as a server on a port of this machine."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any, Literal

import httpx
import pytest

from assistant.booking.duffel import DuffelProvider
from assistant.booking.provider import AirlineOrder, Mode, OrderPassenger, OrderRequest, SearchRequest, SeatPurchase
from assistant.booking.sandbox import SandboxAirline
from assistant.booking.sandbox_command import sandbox_server
from assistant.domain.flights import Cabin, Offer, Seat, SeatMap
from assistant.domain.money import Money
from assistant.domain.people import Gender, PersonDetails, Title

SECRET = "a secret of the airline and us"
HEADERS = {"Authorization": "Bearer sandbox", "Duffel-Version": "v2"}


class Orders:
    """Order requests, each for passengers nobody has seen before."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def request(
        self, offer: Offer, *, kind: Literal["hold", "instant"] = "instant", seats: tuple[Seat, ...] = ()
    ) -> OrderRequest:
        """An order for new passengers, the seats going to them in turn."""
        refs = offer.passenger_refs
        services = [next(s for s in seat.services if s.passenger_ref == ref) for seat, ref in zip(seats, refs, strict=False)]
        bought = tuple(SeatPurchase(service_id=s.service_id, price=s.price) for s in services)
        total = sum((s.price for s in bought), offer.fare.total)
        n = next(self._numbers)
        return OrderRequest(
            kind=kind,
            offer_id=offer.offer_id,
            passengers=tuple(OrderPassenger(ref=ref, details=self.person(f"{n}{i}")) for i, ref in enumerate(refs)),
            seats=bought,
            total=total,
            operation_id=f"operation-{n}",
        )

    def person(self, who: str = "1") -> PersonDetails:
        letters = "".join(chr(ord("a") + int(c)) for c in who)
        return PersonDetails(
            given_name="Ada",
            family_name=f"Traveller{letters}",
            title=Title.MS,
            gender=Gender.FEMALE,
            born_on=date(1990, 5, 17),
            email="ada@example.com",
            phone="+4420794609580",
        )


@dataclass
class AirlineUnderTest:
    """One airline as a customer sees it (`provider`, `wire`) and as a test sees it (`journal`, `faults`, `advance`)."""

    name: str
    provider: DuffelProvider
    impatient: DuffelProvider
    wire: httpx.AsyncClient
    airline: SandboxAirline
    request: Callable[..., OrderRequest]

    @property
    def day(self) -> date:
        """Some weeks ahead, so that everything is on sale and can be held."""
        return (datetime.now(UTC) + timedelta(days=40)).date()

    async def search(self, route: str, *, people: int = 1, cabin: Cabin | None = None, **more: Any) -> tuple[Offer, ...]:
        origin, destination = route.split("-")
        request = SearchRequest(
            origin=origin, destination=destination, depart_on=self.day, cabin=cabin, ages=(None,) * people, **more
        )
        return await self.provider.search(request)

    async def offer(self, route: str = "PVG-NRT", *, people: int = 1, **wanted: Any) -> Offer:
        """The cheapest nonstop whose fare has these properties."""
        offers = await self.search(route, people=people, max_stops=0, cabin=Cabin.ECONOMY)
        return next(o for o in offers if all(getattr(o.fare, k) == v for k, v in wanted.items()))

    async def hold(self, *, seated: bool = False, route: str = "PVG-NRT", people: int = 1) -> AirlineOrder:
        offer = await self.offer(route, people=people, holdable=True, seats_on_hold=True)
        seats = pair(await self.provider.seat_maps(offer.offer_id))[:people] if seated else ()
        return await self.provider.create_order(self.request(offer, kind="hold", seats=seats))

    async def booked(self, **wanted: Any) -> AirlineOrder:
        return await self.provider.create_order(self.request(await self.offer(**wanted)))

    async def pay(self, order: AirlineOrder, *, amount: Money | None = None) -> AirlineOrder:
        return await self.provider.pay_order(order.order_id, amount=amount or order.total, operation_id="payment")

    async def advance(self, seconds: float) -> None:
        (await self.wire.post("/_sandbox/clock/advance", json={"seconds": seconds})).raise_for_status()

    async def spoiled(self) -> int:
        """The calls that a planned fault has truly spoiled."""
        return sum(planned["spoiled"] for planned in (await self.wire.get("/_sandbox/faults")).json())

    async def faults(self, *plan: dict[str, Any]) -> None:
        (await self.wire.put("/_sandbox/faults", json=list(plan))).raise_for_status()

    async def fault(self, op: str, fault: str, **more: Any) -> None:
        await self.faults({"match": {"op": op, "nth": 1}, "fault": fault, **more})

    async def journal(self) -> list[str]:
        return [row["effect"] for row in (await self.wire.get("/_sandbox/journal")).json()["data"]]

    async def live_orders(self) -> list[dict[str, Any]]:
        return (await self.wire.get("/_sandbox/orders", params={"live": "1"})).json()["data"]

    async def balance(self, currency: str) -> str:
        return (await self.wire.get("/_sandbox/balances")).json()["data"][currency]


def pair(maps: tuple[SeatMap, ...]) -> tuple[Seat, Seat]:
    """Two free seats side by side, one at the window."""
    rows = (row for cabin in maps[0].cabins for row in cabin.rows if row.sections and len(row.sections[0]) > 1)
    return next((row.sections[0][0], row.sections[0][1]) for row in rows if all(s.available for s in row.sections[0][:2]))


@pytest.fixture
def seats_together() -> Any:
    return pair


@pytest.fixture(scope="session")
def _airline_in_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxAirline]:
    airline = SandboxAirline(tmp_path_factory.mktemp("airline") / "airline.db", admin=True, webhook_secret=SECRET)
    yield airline
    airline.close()


@pytest.fixture(scope="session")
def _airline_on_a_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SandboxAirline, str]]:
    airline = SandboxAirline(tmp_path_factory.mktemp("airline") / "airline.db", admin=True, webhook_secret=SECRET)
    with serving(airline) as url:
        yield airline, url
    airline.close()


class serving:
    """`with serving(airline) as url:` a real server in a thread of its own."""

    def __init__(self, airline: SandboxAirline) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.server = sandbox_server(airline, self.port)
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def __enter__(self) -> str:
        self.thread.start()
        deadline = time.monotonic() + 20
        while not self.server.started and time.monotonic() < deadline:
            time.sleep(0.01)
        return f"http://127.0.0.1:{self.port}"

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(timeout=20)


@pytest.fixture(params=["in_process", "over_http"])
async def target(request: pytest.FixtureRequest) -> AsyncIterator[AirlineUnderTest]:
    """A fresh airline without orders or faults, on one of the two transports."""
    url = "http://sandbox"
    transport: httpx.AsyncBaseTransport | None = None
    if request.param == "in_process":
        airline = request.getfixturevalue("_airline_in_process")
        transport = httpx.ASGITransport(airline.app)
    else:
        airline, url = request.getfixturevalue("_airline_on_a_port")
    airline.reset(7)
    async with httpx.AsyncClient(transport=transport, base_url=url, headers=HEADERS, timeout=20) as wire:
        provider = DuffelProvider(wire, mode=Mode.SANDBOX, webhook_secret=SECRET, effect_timeout=20, read_timeout=20)
        impatient = DuffelProvider(wire, mode=Mode.SANDBOX, effect_timeout=0.4, read_timeout=0.4)
        yield AirlineUnderTest(request.param, provider, impatient, wire, airline, Orders().request)


@pytest.fixture
def order_request() -> Callable[..., OrderRequest]:
    """Makes an order request from an offer."""
    return Orders().request
