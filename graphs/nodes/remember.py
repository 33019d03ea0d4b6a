"""What was understood joins what was gathered: the draft, and what is still unsure of it."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from assistant.domain.drafts import merged
from assistant.domain.understanding import Slots, Understanding, Unsure
from graphs.context import ConversationContext
from graphs.nodes.dialogue_doubts import slot_of
from graphs.state import ConversationState


async def remember(state: ConversationState, runtime: Runtime[ConversationContext]) -> ConversationState:
    heard = Understanding.model_validate(state.get("understanding"))
    before = Slots.model_validate(state.get("draft") or {})
    draft = merged(before, heard)
    open_before = tuple(Unsure.model_validate(u) for u in state.get("unsure") or [])
    return {
        "draft": draft.model_dump(mode="json"),
        "draft_before": before.model_dump(mode="json"),
        "unsure": [u.model_dump(mode="json") for u in _still_unsure(open_before, heard)],
    }


def _still_unsure(before: tuple[Unsure, ...], heard: Understanding) -> tuple[Unsure, ...]:
    """A slot said again is no longer unsure, unless it is unsure again."""
    said: dict[str, Any] = heard.slots.model_dump(exclude_defaults=True, by_alias=False)
    said_again = {name.rstrip("_") for name in said}
    kept = (u for u in before if slot_of(u) not in said_again and u.slot not in {n.slot for n in heard.unsure})
    return (*kept, *heard.unsure)
