"""The product at an airline elsewhere, with a traveller's patience: seconds for an answer, and a clock that is moved for it."""

from __future__ import annotations

import asyncio

import uvicorn

from assistant.booking.duffel import DuffelProvider, duffel_client, mode_of
from assistant.bootstrap import layover, webhook_secret
from assistant.desk import BookingDesk
from assistant.serving import web_app
from assistant.settings import read_settings
from tests.crashes.naive_server import Server
from tests.crashes.stepped_server import stepping

PATIENCE = 4.0  # seconds; more than two minutes in the product, as airlines take


class ImpatientDesk(BookingDesk):
    def __post_init__(self) -> None:
        settings = read_settings()
        assert settings.duffel_token is not None
        token = settings.duffel_token.get_secret_value()
        self.provider = DuffelProvider(
            duffel_client(str(settings.duffel_url).rstrip("/"), token),
            mode=mode_of(token),
            webhook_secret=webhook_secret(settings),
            clock=self.clock,
            effect_timeout=PATIENCE,
            read_timeout=PATIENCE,
        )
        super().__post_init__()


async def serve() -> None:
    settings = read_settings()
    async with layover(settings, desk=ImpatientDesk, seen_as=lambda clock: stepping(clock, settings.data_dir)) as whole:
        await Server(uvicorn.Config(web_app(whole, pages=False), port=settings.port, log_level="warning")).serve()


if __name__ == "__main__":
    asyncio.run(serve())
