"""Plays whole labelled dialogues through the real product: `python -m benchmarks.dialogues PATH [--talk] [--only ID]`.

A dialogue's user says what they said, turn by turn. What our desk asks and they never say themselves is answered as they would:
a yes to what was rightly said back, one of the options, names in the form. Measured are what is known after each of their
turns against the labels, and whether every dialogue that books reaches a submitted trip. The clock is the sandbox airline's, put
to the day the dialogues were written on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

from assistant import places
from assistant.domain.understanding import Passengers, Place, Slots, Understanding, Unsure, When
from assistant.language.evaluate import differences
from tests.stories.world import Chat, Person, World, opened

Row = dict[str, Any]
TODAY = datetime(2019, 3, 1, 13, 0, tzinfo=UTC)  # morning all over the United States
ZONE = "America/New_York"
SUBMITTED = frozenset({"waiting_review", "settling", "ticketing", "booked"})
OVER = frozenset({"cancelled", "withdrawn"})
SLOTS = {
    "origin": "origin",
    "destination": "destination",
    "depart": "depart_date",
    "return": "return_date",
    "passengers": "passengers",
}
MOST_ANSWERS = 8
BOOKS = frozenset({"AFFIRM", "AFFIRM_INTENT", "SELECT"})


@dataclass
class Played:
    """How one dialogue went."""

    id: str
    turns: int = 0
    wrong: list[str] = field(default_factory=list[str])
    answers: int = 0  # said for the user, who had no turn for what was asked
    books: bool = False
    submitted: bool = False
    stuck: str = ""
    talk: list[str] = field(default_factory=list[str])


@dataclass
class Player:
    """One user in one conversation."""

    world: World
    chat: Chat
    row: Row
    played: Played
    told: dict[str, str] = field(default_factory=dict[str, str])
    heard: int = 0  # messages of the desk

    async def play(self) -> Played:
        turns = [t for t in self.row["turns"] if t["role"] == "user"]
        last = max((i for i, t in enumerate(turns) if t["intent"] == "book_flight" and BOOKS & _acts(t)), default=-1)
        self.played.books = last >= 0
        for number, turn in enumerate(turns):
            await self.say(turn["text"])
            self.told |= {act[1]: act[2][0] for act in turn["acts"] if act[0] == "INFORM" and act[2]}
            await self.judge(turn["text"])
            await self.asked_back([t["acts"] for t in turns[number + 1 :]])
            if number == last:
                await self.finish()
        return self.played

    async def say(self, text: str, *, own: bool = True) -> None:
        body = {"text": text, "timezone": ZONE}
        await self.chat.person.does(f"/conversations/{self.chat.conversation_id}/messages", body)
        told = await self.chat.told()
        self.played.talk += [f"{'U' if own else '+'}: {text}", *(f"   {said}" for said in told[self.heard :])]
        self.heard = len(told)
        await self.name_passengers()

    async def state(self) -> Row:
        graph = self.world.whole.service.graphs.conversation
        snapshot = await graph.aget_state({"configurable": {"thread_id": self.chat.conversation_id}})
        return cast(Row, snapshot.values)

    async def trips(self) -> list[Row]:
        """Those of the newest journey that are not over, with all that is known of them."""
        alive = [t for t in await self.chat.trips() if t["status"] not in OVER]
        return [t for t in alive if t["journey_id"] == alive[-1]["journey_id"]]

    async def judge(self, text: str) -> None:
        """What is known now, against what the user had said by then."""
        state = await self.state()
        known = _known(Slots.model_validate(state.get("draft") or {}), await self.trips(), self.told)
        unsure = tuple(Unsure.model_validate(u) for u in state.get("unsure") or [])
        wrong = differences(known, self.told, Understanding(language="en", unsure=unsure), TODAY.date())
        self.played.turns += 1
        if wrong:
            self.played.wrong.append(f"{text} | {'; '.join(wrong)}")
            self.played.talk.append(f"   !! {'; '.join(wrong)}")

    async def asked_back(self, coming: list[list[Any]]) -> None:
        """Answers what is asked now and is not among what the user is going to say."""
        informs = {act[1] for acts in coming for act in acts if act[0] == "INFORM"}
        for _ in range(3):
            asked = (await self.state()).get("asked")
            if asked == "search":
                await self.answer("yes")
            elif asked in SLOTS and SLOTS[asked] not in informs and SLOTS[asked] in self.told:
                await self.answer(self.told[SLOTS[asked]])
            else:
                return

    async def answer(self, text: str) -> None:
        self.played.answers += 1
        await self.say(text, own=False)

    async def finish(self) -> None:
        """What the user has agreed to is taken to a submitted trip."""
        for _ in range(MOST_ANSWERS):
            trips = await self.trips()
            if trips and all(t["status"] in SUBMITTED for t in trips):
                self.played.submitted = True
                return
            asked = (await self.state()).get("asked")
            if asked in ("proposal", "search"):
                await self.answer("yes")
            elif asked in SLOTS and SLOTS[asked] in self.told:
                await self.answer(self.told[SLOTS[asked]])
            elif any(t["status"] == "choosing" and not t["offers"] for t in trips):
                await self.answer("Any airline is fine")
            elif any(t["status"] == "choosing" for t in trips):
                await self.answer("I'll take the first one")
            else:
                break
        self.played.stuck = f"asked {asked}, trips {[t['status'] for t in trips]}"

    async def name_passengers(self) -> None:
        """The form beside the chat."""
        person = self.chat.person
        for trip in await self.trips():
            if trip["status"] != "choosing" or all(t["person_id"] for t in trip["passengers"]):
                continue
            known = [p["person_id"] for p in (await person.get("/people"))["people"]]
            while len(known) < len(trip["passengers"]):
                known.append((await person.does("/people", _somebody(len(known))))["person_id"])
            await person.does(f"/trips/{trip['trip_id']}/passengers", {"passengers": known[: len(trip["passengers"])]})


def _acts(turn: Row) -> set[str]:
    return {act[0] for act in turn["acts"]}


def _somebody(number: int) -> Row:
    letters = "ABCDEFGHI"
    return {
        "given_name": f"Guest{letters[number]}", "family_name": "Miller", "title": "ms", "gender": "f", "born_on": "1980-02-03",
        "email": f"guest{number}@example.com", "phone": f"+1202555010{number}",
    }  # fmt: skip


def _known(draft: Slots, trips: list[Row], told: dict[str, str]) -> Slots:
    """What is being put together; of the trips already looked for, what is not said anew.

    One passenger, and the cabin of the whole list, are known without being part of a request.
    """
    if not trips:
        return draft
    requests = [t["request"] for t in trips]
    cabins = {o["fare"]["cabin"] for t in trips for o in t["offers"]}
    cabin = "any" if told.get("cabin") == "dontcare" else cabins.pop() if "cabin" in told and len(cabins) == 1 else None
    there = next((r for r in requests if r["direction"] != "return"), None)
    back = next((r for r in requests if r["direction"] == "return"), None)
    first = there or back or {}
    ends = (first["origin"], first["destination"]) if there else (first["destination"], first["origin"])
    looked_for = Slots(
        origin=_place(ends[0]),
        destination=_place(ends[1]),
        depart=_day(there),
        return_=_day(back),
        cabin=first["cabin"] or cabin,
        airlines=tuple(first["airlines"]),
        passengers=Passengers(adults=first["adults"], children=len(first["ages"]))
        if first["adults"] + len(first["ages"]) > 1 or "passengers" in told
        else None,
    )
    said = {name: value for name in Slots.model_fields if (value := getattr(draft, name)) not in (None, ())}
    return looked_for.model_copy(update=said)


def _place(code: str) -> Place:
    city = places.city_of(code)
    return Place(
        text=city.name if city else code, kind="city", codes=tuple(places.codes_for(code)), city=city.name if city else None
    )


def _day(request: Row | None) -> When | None:
    if request is None:
        return None
    first = date.fromisoformat(request["depart_on"])
    last = date.fromisoformat(request["depart_until"]) if request["depart_until"] else first
    return When(text=str(first), date_from=first, date_to=last)


async def play(rows: list[Row], *, only: str | None = None) -> AsyncIterator[Played]:
    """Each dialogue is a conversation of its own, of the same traveller; as each is over."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder), log="text") as world:
            world.airline.advance((TODAY - world.airline.now()).total_seconds())
            person = await world.person("tina")
            for row in rows:
                if "turns" in row and (not only or only in row["id"]):
                    yield await _played(world, person, row)


async def _played(world: World, person: Person, row: Row) -> Played:
    answer = await person.does("/conversations", {})
    chat = Chat(person, answer["conversation_id"])
    played = Played(str(row.get("id") or uuid4()))
    world.airline.advance((TODAY - world.airline.now()).total_seconds())
    try:
        return await Player(world, chat, row, played).play()
    except AssertionError as refused:  # the product said no to what a person may do
        played.stuck = str(refused)
        return played


def report(all_played: list[Played]) -> str:
    lines = [f"{'dialogue':<22}{'turns':>6}{'wrong':>6}{'answers':>8}  outcome"]
    for each in all_played:
        outcome = ("submitted" if each.submitted else f"DEAD END: {each.stuck}") if each.books else "looks only"
        lines.append(f"{each.id:<22}{each.turns:>6}{len(each.wrong):>6}{each.answers:>8}  {outcome}")
    turns, wrong = sum(p.turns for p in all_played), sum(len(p.wrong) for p in all_played)
    books = [p for p in all_played if p.books]
    lines += [f"  {p.id}: {w}" for p in all_played for w in p.wrong]
    right = 100 * (turns - wrong) / max(turns, 1)
    lines.append(f"state right after {turns - wrong} of {turns} turns ({right:.1f} %)")
    lines.append(f"submitted: {sum(p.submitted for p in books)} of {len(books)} that book")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.dialogues", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("path", type=Path, help="dialogues, one JSON object a line")
    parser.add_argument("--talk", action="store_true", help="print every word")
    parser.add_argument("--only", help="dialogues whose id has this in it")
    asked = parser.parse_args()
    rows = [json.loads(line) for line in asked.path.read_text("utf-8").splitlines() if line.strip()]
    print(report(asyncio.run(_heard(rows, only=asked.only, talk=asked.talk))))


async def _heard(rows: list[Row], *, only: str | None, talk: bool) -> list[Played]:
    all_played: list[Played] = []
    async for played in play(rows, only=only):
        all_played.append(played)
        if talk:
            print("\n".join([f"== {played.id}", *played.talk, ""]), flush=True)
    return all_played


if __name__ == "__main__":
    main()
