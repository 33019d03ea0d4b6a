"""Races over real HTTP; `python -m tests.crashes.races` runs them large: 500 deliveries, 200 threads x 20 commands."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any
from uuid import uuid4

from sqlalchemy import select

from assistant.invariants import Books
from assistant.persistence.tables import commands, messages, runs
from tests.crashes.disasters import submitted
from tests.crashes.judge import drained, unsettled
from tests.crashes.site import Json, Site, fresh_directory

ENDED = ("succeeded", "failed", "cancelled")


async def from_processes(site: Site, who: str, shares: list[list[list[Any]]], *, together: bool) -> list[Any]:
    """Each share from a client process of its own; every answer, in no order."""
    url = await site.up()
    asked = [{"url": url, "token": site.tokens[who], "requests": share, "together": together} for share in shares if share]
    return [each for answers in await asyncio.gather(*(_process(each) for each in asked)) for each in answers]


async def _process(asked: Json) -> list[Any]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.crashes.knocking", stdin=pipe, stdout=pipe)
    out, _ = await process.communicate(json.dumps(asked).encode())
    assert process.returncode == 0, out
    return json.loads(out)


async def one_command(site: Site, *, deliveries: int, processes: int) -> Counter[str]:
    """The same command, delivered so often at once. Counts answers and what came of them."""
    chat = (await site.post("tina", "/conversations"))[1]["conversation_id"]
    work = [[f"/conversations/{chat}/messages", {"text": "From Shanghai to Tokyo on 11 December"}, str(uuid4())]] * deliveries
    answers = await from_processes(site, "tina", [work[n::processes] for n in range(processes)], together=True)
    await quiet(site)
    async with site.database.reading() as tx:
        of_kind = [r.kind for r in (await tx.execute(select(commands).where(commands.c.thread_id == chat))).all()]
        run = len((await tx.execute(select(runs).where(runs.c.command_id == work[0][2]))).all())
        said = len(
            (await tx.execute(select(messages).where(messages.c.conversation_id == chat, messages.c.role == "user"))).all()
        )
    counted = Counter(f"answered {status}" for status, _ in answers)
    return counted + Counter(runs=run, said=said, messages=of_kind.count("send_message"), trips=len(await trips_of(site, chat)))


async def trips_of(site: Site, chat: str) -> list[Json]:
    return (await site.get("tina", f"/conversations/{chat}"))["trips"]


async def four_ways(site: Site, n: int, *, first: str | None) -> Ended:
    """A trip approved, cancelled and taken back at once, each from two client processes, and its time is up.

    All at once, or the moment that `first` is stored.
    """
    trip = await submitted(site, n, can_hold=n < 2)
    decision, page = await trip.decision(), await trip.rita.get(f"/threads/{trip.trip_id}/versions?limit=200")
    made, review_id = len(site.airline.journal()), (await trip.view())["review_id"]
    review = await trip.rita.get(f"/reviews/{review_id}")
    back = next(v["version"] for v in page["versions"] if v["step"] == "choose" and v["main"])
    rewind = {"to_version": back, "seen_version": page["newest"], "reason": "It went wrong there", "confirm": True}
    asked = {
        "decide": ("rita", trip.decision_path, decision),
        "cancel": ("tina", f"/trips/{trip.trip_id}/cancellation", {}),
        "rewind": ("rita", f"/threads/{trip.trip_id}/rewind", rewind),
    }
    keys = {name: str(uuid4()) for name in asked}
    over = (datetime.fromisoformat(review["expires_at"]) - site.airline.now()).total_seconds() + 1

    async def knocks(name: str) -> list[Any]:
        who, path, body = asked[name]
        await _stored(site, keys[first] if first and first != name else None)
        return await from_processes(site, who, [[[path, body, keys[name]]] * 3] * 2, together=True)

    async def runs_out() -> None:
        await _stored(site, keys[first] if first else None)
        site.airline.advance(over)

    answers = dict(zip(asked, (await asyncio.gather(*map(knocks, asked), runs_out()))[:3], strict=True))
    await drained(site)
    books = await site.database.read(Books.read)
    ends = {name: [c.status for c in books.commands if c.command_id == key] for name, key in keys.items()}
    ends["expire"] = [c.status for c in books.commands if c.kind == "expire" and c.payload.get("question_id") == review_id]
    effects = [entry["effect"] for entry in site.airline.journal()[made:]]
    statuses = {name: {status for status, _ in given} for name, given in answers.items()}
    return Ended(statuses, ends, effects, await unsettled(site))


@dataclass(frozen=True)
class Ended:
    """Of each of the four: what clients were answered, how its command ended if there is one; and what the airline did."""

    answers: dict[str, set[int]]
    ends: dict[str, list[str]]
    effects: list[str]
    broken: list[str]


async def _stored(site: Site, key: str | None) -> None:
    """Until this command is; at once where there is none to wait for."""
    while key is not None:
        async with site.database.reading() as tx:
            if (await tx.execute(select(commands.c.command_id).where(commands.c.command_id == key))).first() is not None:
                return
        await asyncio.sleep(0.005)


async def many_threads(site: Site, *, threads: int, each: int, processes: int) -> list[str]:
    """So many chats, so many messages in each, typed one after the other into all of them at once. What is out of order."""
    made: list[list[Any]] = [["/conversations", {}, str(uuid4())] for _ in range(threads)]
    opened = await from_processes(site, "tina", [made[n::processes] for n in range(processes)], together=True)
    refused = [answer for status, answer in opened if status != 200]
    assert not refused, refused[:3]
    chats = [answer["result"]["conversation_id"] for _, answer in opened]
    typed = {chat: [f"hello number {n}" for n in range(each)] for chat in chats}
    shares = [
        [
            [f"/conversations/{chat}/messages", {"text": text}, str(uuid4())]
            for chat in chats[n::processes]
            for text in typed[chat]
        ]
        for n in range(processes)
    ]
    answers = await from_processes(site, "tina", shares, together=False)
    await quiet(site)
    wrong = [f"answered {status}" for status, _ in answers if status not in (200, 202)]
    return wrong + await out_of_order(site, typed)


async def out_of_order(site: Site, typed: dict[str, list[str]]) -> list[str]:
    """Chats whose words are not as typed, or whose runs were not one at a time in that order."""
    async with site.database.reading() as tx:
        books = await Books.read(tx)
        rows = (await tx.execute(select(messages).where(messages.c.role == "user").order_by(messages.c.seq))).all()
    said: dict[str, list[str]] = {}
    for row in rows:
        said.setdefault(row.conversation_id, []).append(row.body["text"])
    wrong = [f"{chat}: {said.get(chat)}" for chat, words in typed.items() if said.get(chat) != words]
    seqs = {(c.tenant_id, c.command_id): c.thread_seq for c in books.commands}
    by_thread: dict[str, list[Any]] = {}
    for run in sorted(books.runs, key=lambda r: r.fence):
        by_thread.setdefault(run.thread_id, []).append(run)
    for thread_id, of_thread in by_thread.items():
        order = [seqs[r.tenant_id, r.command_id] for r in of_thread]
        overlaps = any(a.ended_at is None or a.ended_at > b.started_at for a, b in pairwise(of_thread))
        if order != sorted(order) or overlaps:
            wrong.append(f"{thread_id} ran {order}, overlapping: {overlaps}")
    return wrong


async def quiet(site: Site, *, most: float = 600) -> None:
    """Until no command is open."""
    until = time.monotonic() + most
    while time.monotonic() < until:
        async with site.database.reading() as tx:
            if (await tx.execute(select(commands.c.command_id).where(commands.c.status.not_in(ENDED)).limit(1))).first() is None:
                return
        await asyncio.sleep(0.1)
    raise AssertionError("it does not come to rest")


async def large(*, deliveries: int, threads: int, each: int, processes: int) -> int:
    async with Site(fresh_directory()) as site:
        began = time.monotonic()
        counted = await one_command(site, deliveries=deliveries, processes=processes)
        print(
            f"{deliveries} deliveries from {processes} processes in {time.monotonic() - began:.1f} s: {dict(counted)}", flush=True
        )
        began = time.monotonic()
        wrong = await many_threads(site, threads=threads, each=each, processes=processes)
        spent = time.monotonic() - began
        print(
            f"{threads} threads x {each} commands in {spent:.1f} s, {len(wrong)} out of order", *wrong[:5], sep="\n", flush=True
        )
    return int(bool(wrong) or counted["runs"] != 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deliveries", type=int, default=500)
    parser.add_argument("--threads", type=int, default=200)
    parser.add_argument("--commands", type=int, default=20)
    parser.add_argument("--processes", type=int, default=5)
    asked = parser.parse_args()
    return asyncio.run(large(deliveries=asked.deliveries, threads=asked.threads, each=asked.commands, processes=asked.processes))


if __name__ == "__main__":
    sys.exit(main())
