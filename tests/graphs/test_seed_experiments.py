"""The two experiments this product grew from, on bare LangGraph: what a thread remembers, and what runs again."""

from __future__ import annotations

import operator
import sqlite3
from collections.abc import Iterator
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph


@pytest.fixture
def saver() -> Iterator[SqliteSaver]:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    yield SqliteSaver(connection)
    connection.close()


def thread(name: str) -> RunnableConfig:
    return {"configurable": {"thread_id": name}}


def reply(state: MessagesState) -> dict[str, Any]:
    """Recalls the seat from what the thread has heard, as a model with the history would."""
    heard = [str(m.content) for m in state["messages"] if isinstance(m, HumanMessage)]
    seat = next((s for text in heard for s in ("靠窗", "靠过道") if s in text), None)
    return {"messages": [AIMessage(f"你想坐{seat}的位置。" if seat else "你还没有说过。")]}


def chat(saver: SqliteSaver) -> Any:
    return StateGraph(MessagesState).add_node("reply", reply).add_edge(START, "reply").compile(checkpointer=saver)


def say(graph: Any, where: RunnableConfig, text: str, *, message_id: str | None = None, **options: Any) -> str:
    result = graph.invoke({"messages": [HumanMessage(text, id=message_id)]}, where, **options)
    return str(result["messages"][-1].content)


def test_two_turns_in_one_thread_remember(saver: SqliteSaver) -> None:
    graph = chat(saver)
    say(graph, thread("one"), "我想坐靠窗的位置")
    assert "靠窗" in say(graph, thread("one"), "我刚才说想坐哪里？")


def test_another_thread_does_not_remember(saver: SqliteSaver) -> None:
    graph = chat(saver)
    say(graph, thread("one"), "我想坐靠窗的位置")
    assert "靠窗" not in say(graph, thread("two"), "我刚才说想坐哪里？")


def test_two_turns_of_a_one_node_graph_make_six_checkpoints(saver: SqliteSaver) -> None:
    graph = chat(saver)
    say(graph, thread("one"), "我想坐靠窗的位置")
    say(graph, thread("one"), "我刚才说想坐哪里？")
    waiting_for = [state.next for state in graph.get_state_history(thread("one"))]
    assert waiting_for == [(), ("reply",), ("__start__",)] * 2


def test_with_durability_exit_two_turns_make_two_checkpoints(saver: SqliteSaver) -> None:
    graph = chat(saver)
    say(graph, thread("one"), "我想坐靠窗的位置", durability="exit")
    say(graph, thread("one"), "我刚才说想坐哪里？", durability="exit")
    assert len(list(graph.get_state_history(thread("one")))) == 2


class Found(TypedDict):
    found: Annotated[list[str], operator.add]


class AirlineDown(Exception):
    """One of the two fails."""


class Search:
    """Two look-ups side by side; hotels fail as long as `down` is set."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.down = True

    def flights(self, state: Found) -> Found:
        self.calls.append("flights")
        return {"found": ["flights"]}

    def hotels(self, state: Found) -> Found:
        self.calls.append("hotels")
        if self.down:
            raise AirlineDown
        return {"found": ["hotels"]}

    def graph(self, saver: SqliteSaver) -> Any:
        builder = StateGraph(Found)
        builder.add_node("flights", self.flights)
        builder.add_node("hotels", self.hotels)
        builder.add_node("join", lambda state: {"found": ["joined"]})
        builder.add_edge(START, "flights")
        builder.add_edge(START, "hotels")
        builder.add_edge(["flights", "hotels"], "join")
        builder.add_edge("join", END)
        return builder.compile(checkpointer=saver)


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_a_failed_parallel_sibling_re_runs_alone(saver: SqliteSaver, durability: str) -> None:
    search = Search()
    graph = search.graph(saver)
    with pytest.raises(AirlineDown):
        graph.invoke({"found": []}, thread("one"), durability=durability)
    search.calls.clear()
    search.down = False
    assert graph.invoke(None, thread("one"), durability=durability)["found"] == ["flights", "hotels", "joined"]
    assert search.calls == ["hotels"]


def test_with_the_head_checkpoint_named_every_sibling_re_runs(saver: SqliteSaver) -> None:
    search = Search()
    graph = search.graph(saver)
    with pytest.raises(AirlineDown):
        graph.invoke({"found": []}, thread("one"), durability="sync")
    search.calls.clear()
    search.down = False
    graph.invoke(None, graph.get_state(thread("one")).config, durability="sync")
    assert sorted(search.calls) == ["flights", "hotels"]


def test_the_same_message_id_sent_twice_runs_twice(saver: SqliteSaver) -> None:
    graph = chat(saver)
    for _ in range(2):
        say(graph, thread("one"), "我想坐靠窗的位置", message_id="m1")
    messages = graph.get_state(thread("one")).values["messages"]
    assert [m.type for m in messages] == ["human", "ai", "ai"]
