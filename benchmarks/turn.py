"""A chat turn, accepted command to recorded answer, against a bare invoke of the same graph on the same saver."""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any
from uuid import uuid4

from assistant.domain.commands import Kind
from assistant.facts import ConversationFacts
from assistant.language.offline_writer import OfflineWriter
from assistant.language.rules.interpreter import RulesInterpreter
from benchmarks.product import Product, product
from graphs.context import ConversationContext

WORDS = "Which seat do I prefer?"
WARM, TURNS = 5, 60


async def main() -> None:
    async with product() as made:
        chat = (await made.does("tina", Kind.CREATE_CONVERSATION, ""))["conversation_id"]
        bare, ours = [], []
        for n in range(WARM + TURNS):
            bare.append(await _bare(made, chat))
            start = time.perf_counter()
            await made.gives("tina", Kind.SEND_MESSAGE, chat, text=WORDS)
            ours.append(time.perf_counter() - start)
            if n < WARM:
                bare.clear(), ours.clear()
    plain, whole = statistics.median(bare), statistics.median(ours)
    print(
        f"turn: {whole * 1000:.1f} ms, bare graph on the same saver {plain * 1000:.1f} ms, ratio {whole / plain:.2f} (goal 1.5)"
    )


async def _bare(made: Product, chat: str) -> float:
    """The same nodes reading the same conversation, without commands, log, versions or queue."""
    tina = made.people["tina"]
    reads = ConversationFacts(made.whole.database, chat, tina.tenant_id, tina.user_id)
    command_id = str(uuid4())
    context = ConversationContext(
        command_id=command_id, conversation_id=chat, interpreter=RULES, writer=OfflineWriter(), reads=reads
    )
    turn: dict[str, Any] = {"command_id": command_id, "message_id": command_id, "text": WORDS, "timezone": "UTC"}
    turn["at"] = made.whole.clock().isoformat()
    start = time.perf_counter()
    await made.whole.service.graphs.conversation.ainvoke(
        {"turn": turn, "event": None}, {"configurable": {"thread_id": "bare"}}, context=context, durability="sync"
    )
    return time.perf_counter() - start


RULES = RulesInterpreter()

if __name__ == "__main__":
    asyncio.run(main())
