"""What a lost answer and a broken wire look like on a real connection."""

from __future__ import annotations

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from .faults import BrokenWire, LostAnswer


def spoiled_connection(broken: LostAnswer | BrokenWire) -> Response:
    return Cut(broken) if isinstance(broken, BrokenWire) else Silence()


class Silence(Response):
    """No answer at all until the caller gives up."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass


class Cut(Response):
    """Half of the body, then the connection is closed."""

    def __init__(self, broken: BrokenWire) -> None:
        super().__init__(content=broken.body, status_code=broken.status, media_type="application/json")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": bytes(self.body)[: len(self.body) // 2], "more_body": True})
