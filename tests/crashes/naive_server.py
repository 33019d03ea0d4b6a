"""A server whose desk does what many do: where no answer came it sends again. The judge must see what that buys."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

import uvicorn
from sqlalchemy import Row

from assistant import ledger
from assistant.booking.provider import Provider, WebhookEvent
from assistant.bootstrap import layover
from assistant.desk import BookingDesk
from assistant.desk.sending import Sending
from assistant.domain.errors import Unavailable
from assistant.ledger import Attempt
from assistant.serving import web_app
from assistant.settings import read_settings


class NaiveSending(Sending):
    """Takes silence for a no."""

    async def look(self, operation_id: str) -> Row[Any]:
        return await self.database.read(lambda tx: ledger.operation(tx, operation_id))

    async def _unknown(self, row: Row[Any], attempt: Attempt, hint: str) -> Any:
        await self._end(row, attempt, "unavailable")
        raise Unavailable(hint)


class Deaf:
    """The airline, without a word of what it tells by itself."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    def __getattr__(self, name: str) -> Any:
        return getattr(self._provider, name)

    def parse_webhook(self, headers: Mapping[str, str], body: bytes) -> WebhookEvent:
        event = self._provider.parse_webhook(headers, body)
        return event.model_copy(update={"operation_id": None, "offer_id": None, "order_id": None})


class NaiveDesk(BookingDesk):
    """And what it takes for a no it does not look up before it buys again."""

    def __post_init__(self) -> None:
        self.provider = cast(Provider, Deaf(self.provider))
        super().__post_init__()
        self.sending = NaiveSending(self.database, self.clock)

    async def _is_first(self, row: Row[Any]) -> None:
        return None


class Server(uvicorn.Server):
    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        port = self.servers[0].sockets[0].getsockname()[1]
        print(f"Layover is ready at http://127.0.0.1:{port}", flush=True)


async def serve() -> None:
    async with layover(read_settings(), desk=NaiveDesk) as whole:
        await Server(uvicorn.Config(web_app(whole, pages=False), port=0, log_level="warning")).serve()


if __name__ == "__main__":
    asyncio.run(serve())
