"""Hostile input at the doors of a real server, in any number: `python -m tests.properties.hostile --cases 10000`.

A case is wrong when it is answered with a 5xx, shows a stack trace, takes longer than its patience, or stores a half-made thing.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.crashes.judge import drained, unsettled
from tests.crashes.site import Json, Site, fresh_directory
from tests.properties.test_hostile_words import SHARP

PATIENCE = 30.0  # seconds for one answer, on a busy machine
UNSENT = "cannot be sent"
SKIPPED = ("/events", "/readyz")  # a stream has no end to wait for; "not ready" is an answer


@dataclass
class Doors:
    """A running server and its own description of itself."""

    url: str
    token: str
    real: dict[str, Any]  # ids of things there are, by the name of the path's parameter
    answered: Counter[str] = field(default_factory=Counter[str])
    slowest: float = 0.0
    _tries: int = 0

    @property
    def sent(self) -> int:
        """Cases that were answered at all."""
        return sum(times for what, times in self.answered.items() if what != UNSENT)

    @property
    def taken(self) -> int:
        return sum(times for what, times in self.answered.items() if what.startswith("2"))

    def try_all(self, *, cases: int) -> None:
        """Raises AssertionError with the request that broke something."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the tool's own
            schema: Any = schemathesis.openapi.from_url(f"{self.url}/api/openapi.json")
            operations = [each.ok() for each in schema.get_all_operations()]
            assert all(operations), "an operation of the description cannot be read"
            strategies = [o.as_strategy() for o in operations if not o.path.endswith(SKIPPED)]
        quick = settings(
            max_examples=cases,
            deadline=None,
            database=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        )

        with httpx.Client(timeout=PATIENCE) as client:

            @quick
            @given(st.one_of(strategies))
            def knocks(case: Any) -> None:
                self._try(client, case)

            knocks()

    def _try(self, client: httpx.Client, case: Any) -> None:
        if self._tries % 3 and case.path_parameters:  # else whatever id was drawn
            case.path_parameters.update({n: v for n, v in self.real.items() if n in case.path_parameters})
        asked = case.as_transport_kwargs(base_url=self.url)
        headers = {str(k).lower(): str(v) for k, v in asked["headers"].items()} | {"authorization": f"Bearer {self.token}"}
        if case.method != "GET" and self._tries % 4:  # else the key that was drawn, or none
            headers["idempotency-key"] = str(uuid4())
        self._tries += 1
        body = {name: asked[name] for name in ("json", "data", "params") if asked.get(name) is not None}
        if isinstance(body.get("json"), dict) and body["json"] and self._tries % 5 == 0:
            sharpened = sorted(body["json"])[self._tries % len(body["json"])]
            body["json"] = body["json"] | {sharpened: SHARP[self._tries // 5 % len(SHARP)]}
        if "data" in body:
            body["content"] = body.pop("data")
        began = time.monotonic()
        try:
            answer = client.request(asked["method"], asked["url"], headers=headers, cookies=None, **body)
        except (httpx.InvalidURL, httpx.LocalProtocolError, UnicodeEncodeError, ValueError, TypeError):
            self.answered[UNSENT] += 1
            return
        self.slowest = max(self.slowest, time.monotonic() - began)
        self.answered[str(answer.status_code)] += 1
        assert answer.status_code < 500, f"{asked['method']} {asked['url']} {body}: {answer.status_code} {answer.text[:500]}"
        assert "Traceback" not in answer.text, answer.text


async def tried(site: Site, *, cases: int, who: str = "tina") -> Doors:
    doors = Doors(await site.up(), site.tokens[who], await things(site))
    await asyncio.to_thread(doors.try_all, cases=cases)
    assert "Traceback" not in site.log(), site.log()
    await drained(site)
    half_made = await unsettled(site)
    assert half_made == [], half_made
    return doors


async def things(site: Site) -> dict[str, Any]:
    """A chat of Tina's and a trip of it that waits for a reviewer."""
    chat = (await site.post("tina", "/conversations"))[1]["conversation_id"]
    text = "From Shanghai to Tokyo on 11 December 2027"
    _, said = await site.post("tina", f"/conversations/{chat}/messages", {"text": text})
    trip = said["result"]["trips"][0]
    chosen: Json = {}
    while chosen.get("status") != "succeeded":
        _, chosen = await site.post("tina", f"/trips/{trip}/choice", {"offer": 1})
    message = (await site.get("tina", f"/conversations/{chat}"))["messages"][0]["message_id"]
    review = chosen["result"]["review_id"]
    return {"conversation_id": chat, "trip_id": trip, "review_id": review, "thread_id": trip, "message_id": message, "n": 1}


async def large(cases: int) -> int:
    async with Site(fresh_directory()) as site:
        for who in ("tina", "rita"):
            doors = await tried(site, cases=cases // 2, who=who)
            assert doors.taken, doors.answered
            print(f"{who}: {doors.sent} cases, slowest {doors.slowest:.1f} s, {dict(doors.answered)}", flush=True)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    return asyncio.run(large(parser.parse_args().cases))


if __name__ == "__main__":
    sys.exit(main())
