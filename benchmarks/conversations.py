"""Whole conversations as the product holds them, as Markdown: `python -m benchmarks.conversations > docs/conversations.md`."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.stories.world import Chat, Person, World, opened

WHO = {"en": ("Traveller", "Layover"), "zh": ("旅客", "Layover")}


@dataclass
class Page:
    """One conversation being held and written down."""

    world: World
    person: Person
    rita: Person
    language: str
    chat: Chat
    lines: list[str] = field(default_factory=list[str])
    heard: int = 0

    async def say(self, text: str) -> None:
        body = {"text": text, "timezone": "Asia/Shanghai" if self.language == "zh" else "Europe/London"}
        await self.person.does(f"/conversations/{self.chat.conversation_id}/messages", body)
        self.lines.append(f"**{WHO[self.language][0]}:** {text}")
        await self.listen()

    async def listen(self) -> None:
        told = await self.chat.told()
        self.lines += [f"**{WHO[self.language][1]}:** " + text.replace("\n", "  \n") for text in told[self.heard :]]
        self.heard = len(told)

    def note(self, text: str) -> None:
        self.lines.append(f"*{text}*")

    async def form(self, text: str) -> None:
        """Everybody is named in the form beside the chat."""
        everybody = [await self.person.me(), await self.person.companion()]
        for trip in await self.chat.trips():
            await self.person.does(f"/trips/{trip['trip_id']}/passengers", {"passengers": everybody})
        self.note(text)

    async def reviewed(self, word: str, text: str, *, message: str | None = None) -> None:
        self.note(text)
        for review in await self.rita.inbox():
            await self.rita.decides(review["review_id"], word, message=message)
        await self.world.later(6)
        await self.listen()


async def chinese_two_people(page: Page) -> None:
    await page.say("我想坐靠窗的位置")
    await page.say("下周五从上海去东京，两个人")
    await page.form("在表单里选了两位乘机人")
    await page.say("第一个和第二个比一比")
    await page.say("第二个能退票吗？行李几件？")
    await page.say("就第二个吧")
    await page.say("好的")
    await page.say("我刚才说想坐哪里？")
    await page.say("东京那边天气怎么样？")
    await page.reviewed("reject", "审批人驳回了", message="请选便宜一点的")
    await page.say("那就最便宜的")
    await page.say("好的，提交")
    await page.reviewed("approve", "审批人通过了")
    await page.say("谢谢")


async def chinese_there_and_back(page: Page) -> None:
    await page.say("你好")
    await page.say("我以前说过想坐哪里？")
    await page.say("想去成都出差，12月10号走")
    await page.say("北京")
    await page.say("还是往返吧，12号回来")
    await page.say("哪个最早？")
    await page.say("去程改成11号")
    await page.say("选第一个")
    await page.say("可以")
    await page.say("第一个")
    await page.say("好")
    await page.say("帮我订个酒店")
    await page.reviewed("approve", "审批人通过了")
    await page.say("我订的怎么样了？")


async def english_two_people(page: Page) -> None:
    await page.say("Hi! I'd like to fly from London to New York on 11 December, there will be two of us")
    await page.form("Both passengers are chosen in the form")
    await page.say("I always like an aisle seat")
    await page.say("What else is there?")
    await page.say("How do 1 and 2 compare?")
    await page.say("Is the first one refundable, and how many bags can we take?")
    await page.say("Let's take the second one")
    await page.say("Yes please")
    await page.say("Where did I say I want to sit?")
    await page.reviewed("reject", "The approver rejects it", message="Please take the cheapest one")
    await page.say("OK, the cheapest one then")
    await page.say("yes")
    await page.reviewed("approve", "The approver says yes")
    await page.say("Great, thank you!")


async def english_there_and_back(page: Page) -> None:
    await page.say("Which seat do I prefer?")
    await page.say("I need to get to Rome next Wednesday")
    await page.say("From Paris")
    await page.say("Actually, make it a round trip, back on the 12th")
    await page.say("Yes please")
    await page.say("Which one is the earliest?")
    await page.say("I'll take the first one")
    await page.say("Sounds good")
    await page.say("the first one as well")
    await page.say("yes")
    await page.say("Can you book me a hotel there?")
    await page.reviewed("approve", "The approver says yes")
    await page.say("What's the booking reference?")


TALKS: tuple[tuple[str, str, str, Callable[[Page], Awaitable[None]]], ...] = (
    ("zh", "tina", "两个人去东京", chinese_two_people),
    ("zh", "tina", "往返成都，同一位旅客的另一段对话", chinese_there_and_back),
    ("en", "tom", "Two people to New York", english_two_people),
    ("en", "tom", "Paris to Rome and back, the same traveller another day", english_there_and_back),
)


async def held() -> str:
    """All four, one after the other, of two travellers."""
    parts = [
        "# Conversations",
        "Held by the product itself with its offline language and the sandbox airline, and printed by "
        "`python -m benchmarks.conversations`. What is in italics happens outside the chat.",
    ]
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as world:
            rita = await world.person("rita")
            for language, name, title, talk in TALKS:
                person = await world.person(name, language)
                page = Page(world, person, rita, language, await person.chat())
                await talk(page)
                parts += [f"## {title}", *page.lines]
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(asyncio.run(held()))
