"""`layover sandbox`: the sandbox airline on a port of this machine."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import httpx
import uvicorn

from .sandbox import SandboxAirline

_HOST = "127.0.0.1"
_BETWEEN_DELIVERIES = 0.5  # seconds


def run_sandbox(argv: Sequence[str]) -> int:
    """Serve until interrupted; the exit status."""
    asked = _parser().parse_args(argv)
    secret = os.environ.get(asked.webhook_secret_env, "sandbox")
    airline = SandboxAirline(asked.data / "airline.db", seed=asked.seed, admin=asked.admin, webhook_secret=secret)
    print(f"The sandbox airline answers at http://{_HOST}:{asked.port}/air", flush=True)
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(airline, asked.port, asked.webhook_url))
    airline.close()
    return 0


def sandbox_server(airline: SandboxAirline, port: int) -> uvicorn.Server:
    """A server for the airline, not started. It names its own time in the Date header."""
    config = uvicorn.Config(
        airline.network_app(),
        host=_HOST,
        port=port,
        log_level="critical",
        access_log=False,
        date_header=False,
        timeout_graceful_shutdown=1,
        lifespan="off",
    )
    return uvicorn.Server(config)


async def _serve(airline: SandboxAirline, port: int, webhook_url: str | None) -> None:
    deliveries = asyncio.create_task(_deliver(airline, webhook_url)) if webhook_url else None
    await sandbox_server(airline, port).serve()
    if deliveries:
        deliveries.cancel()


async def _deliver(airline: SandboxAirline, url: str) -> None:
    async with httpx.AsyncClient(timeout=10) as client:
        while True:
            await airline.deliver(client, url)
            await asyncio.sleep(_BETWEEN_DELIVERIES)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="layover sandbox", description="The sandbox airline on a port of this machine.")
    parser.add_argument("--port", type=int, default=7870)
    parser.add_argument("--data", type=Path, required=True, help="directory of the airline's own database")
    parser.add_argument("--seed", type=int, default=7, help="which world a new airline lives in")
    parser.add_argument("--admin", action="store_true", help="answer /_sandbox/ for tests: journal, faults, clock, reset")
    parser.add_argument("--webhook-url", help="where to post events")
    parser.add_argument(
        "--webhook-secret-env",
        default="LAYOVER_DUFFEL_WEBHOOK_SECRET",
        help="environment variable with the secret that signs events",
    )
    return parser
