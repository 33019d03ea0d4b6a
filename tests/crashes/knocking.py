"""A client process of its own: posts what it is told to, all at once, and says what was answered.

`python -m tests.crashes.knocking` reads `{url, token, requests: [[path, body, key]], together}` from stdin and writes
`[[status, body]]` to stdout. `together`: all at once; else what goes to one path one after the other, as a person types.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import httpx

Json = dict[str, Any]


async def knock(asked: Json) -> list[tuple[int, Json]]:
    signed = {"authorization": f"Bearer {asked['token']}"}
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(base_url=f"{asked['url']}/api/v1", headers=signed, timeout=300, limits=limits) as client:

        async def post(path: str, body: Json, key: str) -> tuple[int, Json]:
            answer = await client.post(path, json=body, headers={"idempotency-key": key})
            return answer.status_code, answer.json()

        async def in_order(requests: list[list[Any]]) -> list[tuple[int, Json]]:
            return [await post(*each) for each in requests]

        queues: dict[str, list[list[Any]]] = {}
        for n, each in enumerate(asked["requests"]):
            queues.setdefault(str(n) if asked["together"] else each[0], []).append(each)
        done = await asyncio.gather(*(in_order(queue) for queue in queues.values()))
        return [answer for answers in done for answer in answers]


if __name__ == "__main__":
    print(json.dumps(asyncio.run(knock(json.load(sys.stdin)))))
