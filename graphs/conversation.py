"""The conversation's graph: a message is understood, remembered, answered; what happened to a trip is told."""

from __future__ import annotations

from typing import Any, Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph  # pyright: ignore[reportMissingTypeStubs]
from langgraph.graph.state import CompiledStateGraph  # pyright: ignore[reportMissingTypeStubs]

from graphs.context import ConversationContext
from graphs.nodes.propose import propose
from graphs.nodes.remember import remember
from graphs.nodes.reply import reply
from graphs.nodes.understand import understand
from graphs.state import ConversationState

ConversationGraph = CompiledStateGraph[ConversationState, ConversationContext, ConversationState, ConversationState]


def build_conversation_graph(checkpointer: BaseCheckpointSaver[Any] | None = None) -> ConversationGraph:
    """Input of a run: `{"turn": {...}, "event": None}` or `{"turn": None, "event": {...}}`."""
    builder = StateGraph(ConversationState, ConversationContext)
    for node in (understand, remember, propose, reply):
        builder.add_node(node)  # pyright: ignore[reportUnknownMemberType]
    builder.add_conditional_edges(START, _kind, ["understand", "reply"])
    builder.add_edge("understand", "remember")
    builder.add_edge("remember", "propose")
    builder.add_edge("propose", "reply")
    builder.add_edge("reply", END)
    return builder.compile(checkpointer)  # pyright: ignore[reportUnknownMemberType]


def _kind(state: ConversationState) -> Literal["understand", "reply"]:
    return "understand" if state.get("turn") else "reply"
