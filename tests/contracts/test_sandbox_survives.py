"""The sandbox airline as a process of its own: it can be killed at any moment, and posts its webhooks."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assistant.booking.duffel import DuffelProvider, duffel_client
from assistant.booking.provider import Mode, SearchRequest
from assistant.booking.sandbox import SandboxAirline, Terms
from assistant.domain.errors import OutcomeUnknown, Unavailable

PROJECT = Path(__file__).parents[2]
START = "import sys; from assistant.booking.sandbox_command import run_sandbox; sys.exit(run_sandbox(sys.argv[1:]))"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@asynccontextmanager
async def process(data: Path, *more: str) -> AsyncIterator[httpx.AsyncClient]:
    """A running airline; killed at the end, as hard as it gets."""
    port = free_port()
    arguments = [sys.executable, "-c", START, "--port", str(port), "--data", str(data), "--admin", *more]
    environment = {**os.environ, "WEBHOOK": "secret"}
    running = await asyncio.create_subprocess_exec(*arguments, cwd=PROJECT, stdout=subprocess.DEVNULL, env=environment)
    try:
        async with duffel_client(f"http://127.0.0.1:{port}", "sandbox") as client:
            await answers(client)
            yield client
    finally:
        running.kill()
        await running.wait()


async def answers(client: httpx.AsyncClient) -> None:
    async with asyncio.timeout(30):
        while True:
            try:
                await client.get("/_sandbox/clock")
            except httpx.TransportError:
                await asyncio.sleep(0.05)
            else:
                return


def wanted() -> SearchRequest:
    return SearchRequest(origin="PVG", destination="NRT", depart_on=(datetime.now(UTC) + timedelta(days=40)).date())


async def test_a_killed_airline_has_its_orders_its_clock_and_its_fault_plan_when_it_is_back(
    tmp_path: Path, order_request: Any
) -> None:
    async with process(tmp_path) as client:
        provider = DuffelProvider(client, mode=Mode.SANDBOX, effect_timeout=0.5)
        offer = next(o for o in await provider.search(wanted()) if o.fare.holdable)
        request = order_request(offer, kind="hold")
        plan = [{"match": {"op": "create"}, "fault": "timeout_after_apply"}]
        (await client.put("/_sandbox/faults", json=plan)).raise_for_status()
        await client.post("/_sandbox/clock/advance", json={"seconds": 600})
        with pytest.raises(OutcomeUnknown):
            await provider.create_order(request)
    async with process(tmp_path) as client:
        provider = DuffelProvider(client, mode=Mode.SANDBOX)
        await client.post("/_sandbox/clock/advance", json={"seconds": 5})
        (order,) = await provider.find_orders(operation_id=request.operation_id, offer_id=offer.offer_id)
        assert order.state == "held"
        assert (await client.get("/_sandbox/faults")).json()[0]["met"] == 1
        now = datetime.fromisoformat((await client.get("/_sandbox/clock")).json()["now"])
        assert now - datetime.now(UTC) > timedelta(minutes=9)


async def test_events_are_posted_to_the_address_given_signed_until_they_are_taken(tmp_path: Path, order_request: Any) -> None:
    received: Queue[tuple[dict[str, str], bytes]] = Queue()
    answers_to_give = iter([503, 204])

    async def hook(request: Request) -> Response:
        received.put((dict(request.headers), await request.body()))
        return Response(status_code=next(answers_to_give, 204))

    port = free_port()
    app = Starlette(routes=[Route("/hook", hook, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="critical", lifespan="off"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{port}/hook"
    async with process(tmp_path, "--webhook-url", url, "--webhook-secret-env", "WEBHOOK") as client:
        provider = DuffelProvider(client, mode=Mode.SANDBOX, webhook_secret="secret")
        order = await provider.create_order(order_request((await provider.search(wanted()))[0]))
        deliveries = [await asyncio.to_thread(received.get, timeout=30) for _ in range(2)]
    first, second = (provider.parse_webhook(headers, body) for headers, body in deliveries)
    assert first == second
    assert (second.kind, second.order_id) == ("order.created", order.order_id)
    server.should_exit = True
    thread.join(timeout=20)


async def test_the_same_seed_is_the_same_world(tmp_path: Path) -> None:
    async def fares(name: str, seed: int) -> list[tuple[str, str]]:
        airline = SandboxAirline(tmp_path / name, seed=seed)
        async with airline.client() as client:
            offers = await DuffelProvider(client, mode=Mode.SANDBOX).search(wanted())
        airline.close()
        return [(o.fare.segments[0].name, str(o.fare.total)) for o in offers]

    first = await fares("a.db", 7)
    assert await fares("b.db", 7) == first
    assert await fares("c.db", 8) != first


async def test_duplicates_are_sold_unless_the_airline_is_told_to_look(tmp_path: Path, order_request: Any) -> None:
    for look, outcome in ((False, None), (True, OutcomeUnknown)):
        airline = SandboxAirline(tmp_path / f"{look}.db", terms=Terms(duplicate_detection=look))
        async with airline.client() as client:
            provider = DuffelProvider(client, mode=Mode.SANDBOX)
            first, again = (await provider.search(wanted()))[0], (await provider.search(wanted()))[0]
            request = order_request(first)
            await provider.create_order(request)
            refs = (request.passengers[0].model_copy(update={"ref": again.passenger_refs[0]}),)
            second = request.model_copy(update={"offer_id": again.offer_id, "passengers": refs, "operation_id": "another"})
            if outcome:
                with pytest.raises(outcome, match="duplicate_booking"):
                    await provider.create_order(second)
            else:
                await provider.create_order(second)
        assert len(airline.orders(live=True)) == (1 if look else 2)
        airline.close()


async def test_a_test_can_move_the_clock_and_plan_faults_from_another_process(tmp_path: Path) -> None:
    """Two openers of one file, as a server with its embedded airline and a test beside it."""
    served, beside = SandboxAirline(tmp_path / "airline.db"), SandboxAirline(tmp_path / "airline.db")
    before = served.now()
    beside.advance(3600)
    beside.put_faults([{"match": {"op": "search", "nth": 1}, "fault": "503"}])
    assert served.now() - before >= timedelta(hours=1)
    async with served.client() as client:
        provider = DuffelProvider(client, mode=Mode.SANDBOX)
        with pytest.raises(Unavailable):
            await provider.search(wanted())
        assert await provider.search(wanted())
    served.close()
    beside.close()
