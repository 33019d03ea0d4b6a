"""The trip graph: a table of contents, and where it may be entered again. The steps are in graphs/nodes, one a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph  # pyright: ignore[reportMissingTypeStubs]
from langgraph.graph.state import CompiledStateGraph  # pyright: ignore[reportMissingTypeStubs]

from graphs.context import TripContext
from graphs.nodes.agree import after_agree, agree
from graphs.nodes.await_outcome import after_await_outcome, await_outcome
from graphs.nodes.choose import after_choose, choose
from graphs.nodes.conclude import conclude
from graphs.nodes.plan import after_plan, plan
from graphs.nodes.price_offers import price_offers
from graphs.nodes.read_seat_maps import read_seat_maps
from graphs.nodes.refresh import after_refresh, refresh
from graphs.nodes.review import after_review, review
from graphs.nodes.search import search
from graphs.nodes.settle import after_settle, settle
from graphs.nodes.shortlist import shortlist
from graphs.state import TripState

ASKS = ("choose", "agree", "review", "await_outcome")

# The node that made a version -> the node a correction of it enters as. Nothing ever enters after `choose`.
ENTERS_AS: dict[str, str] = {START: START, "shortlist": "shortlist"} | dict.fromkeys(
    ("choose", "refresh", "plan", "settle", "agree", "review", "await_outcome", "conclude"), "choose"
)


@dataclass(frozen=True)
class TripGraph:
    """The compiled graph with its re-entry points."""

    graph: CompiledStateGraph[Any, Any, Any, Any]
    enters_as: dict[str, str]


def build_trip_graph(checkpointer: BaseCheckpointSaver[Any]) -> TripGraph:
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(TripState, context_schema=TripContext)
    steps = (
        search,
        price_offers,
        read_seat_maps,
        shortlist,
        choose,
        refresh,
        plan,
        settle,
        agree,
        review,
        await_outcome,
        conclude,
    )
    for node in steps:
        graph.add_node(node.__name__, node)  # pyright: ignore[reportUnknownMemberType]

    graph.add_edge(START, "search")
    graph.add_conditional_edges("search", _after_search, ["price_offers", "read_seat_maps", "choose"])
    graph.add_edge(["price_offers", "read_seat_maps"], "shortlist")
    graph.add_edge("shortlist", "choose")
    graph.add_conditional_edges("choose", after_choose, ["refresh", "shortlist", "search"])
    graph.add_conditional_edges("refresh", after_refresh, ["plan", "shortlist", "search", "choose"])
    graph.add_conditional_edges("plan", after_plan, ["settle", "choose", "await_outcome"])
    graph.add_conditional_edges(
        "settle", after_settle, ["settle", "agree", "review", "await_outcome", "refresh", "choose", "conclude"]
    )
    graph.add_conditional_edges("agree", after_agree, ["settle", "refresh", "choose"])
    graph.add_conditional_edges("review", after_review, ["refresh", "choose"])
    graph.add_conditional_edges("await_outcome", after_await_outcome, ["settle", "refresh"])
    graph.add_edge("conclude", END)
    compiled = graph.compile(checkpointer=checkpointer)  # pyright: ignore[reportUnknownMemberType]
    return TripGraph(compiled, ENTERS_AS)


def _after_search(state: TripState) -> list[str]:
    return ["price_offers", "read_seat_maps"] if state.get("searched") else ["choose"]
