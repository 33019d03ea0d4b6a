"""What LangGraph does, as far as the product's safety stands on it: the good and the bad. An upgrade has to pass this file.

The graph is `plan -> approve (asks) -> book (buys)`; `Desk.calls` is what really happened.
"""

from __future__ import annotations

import operator
import sqlite3
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, TypedDict
from uuid import UUID

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import id as langgraph_ids
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.errors import InvalidUpdateError, UnknownInterruptError
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from assistant.persistence.step_ids import continue_after

THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
STRICT: RunnableConfig = {"configurable": {"thread_id": "t", "__pregel_strict_resume": True}}


class Log(TypedDict, total=False):
    log: Annotated[list[str], operator.add]
    budget: int


class Killed(BaseException):
    """The process ends here."""


class AirlineDown(Exception):
    """The effect fails."""


@dataclass
class Desk:
    calls: list[str] = field(default_factory=list)
    down: bool = False
    answered: Callable[[], object] = lambda: None  # runs inside `approve`, once the answer is there

    def plan(self, state: Log) -> Log:
        self.calls.append("plan")
        return {"log": ["planned"], "budget": 100}

    def approve(self, state: Log) -> Log:
        self.calls.append("approve")
        answer = interrupt({"kind": "review", "budget": state.get("budget")})
        self.answered()
        return {"log": [f"answer {answer}"]}

    def book(self, state: Log) -> Log:
        self.calls.append("BOOK")
        if self.down:
            raise AirlineDown
        return {"log": ["booked"]}

    def graph(self, saver: Any, *, names: tuple[str, str, str] = ("plan", "approve", "book")) -> Any:
        builder = StateGraph(Log)
        for name, node in zip(names, (self.plan, self.approve, self.book), strict=True):
            builder.add_node(name, node)
        for start, end in zip((START, *names), (*names, END), strict=True):
            builder.add_edge(start, end)
        return builder.compile(checkpointer=saver)


@pytest.fixture
def saver() -> Iterator[SqliteSaver]:
    yield from opened(SqliteSaver)


def opened(kind: type[SqliteSaver]) -> Iterator[SqliteSaver]:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    yield kind(connection)
    connection.close()


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def graph(desk: Desk, saver: SqliteSaver) -> Any:
    return desk.graph(saver)


def asked(graph: Any, desk: Desk) -> str:
    """Runs to the question; its interrupt id."""
    result = graph.invoke({"log": []}, THREAD, durability="sync")
    desk.calls.clear()
    return result["__interrupt__"][0].id


def open_ids(graph: Any, config: RunnableConfig = THREAD) -> list[str]:
    return [i.id for i in graph.get_state(config).interrupts]


def waiting_at(graph: Any, node: str) -> RunnableConfig:
    """The newest checkpoint whose next node is `node`."""
    return next(s.config for s in graph.get_state_history(THREAD) if s.next == (node,))


# Answers


def test_two_answers_at_once_to_one_question_both_run_the_effect(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    desk.answered = threading.Barrier(2, timeout=30).wait
    threads = [threading.Thread(target=graph.invoke, args=(Command(resume={question: a}), STRICT)) for a in ("yes", "no")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert desk.calls.count("BOOK") == 2


def two_questions(saver: Any) -> Any:
    def first(state: Log) -> Log:
        return {"log": [f"first {interrupt('first?')}"]}

    def second(state: Log) -> Log:
        return {"log": [f"second {interrupt('second?')}"]}

    builder = StateGraph(Log)
    builder.add_node("first", first)
    builder.add_node("second", second)
    builder.add_edge(START, "first")
    builder.add_edge("first", "second")
    return builder.compile(checkpointer=saver)


def test_a_late_scalar_answer_answers_whatever_is_open_now(saver: SqliteSaver) -> None:
    graph = two_questions(saver)
    graph.invoke({"log": []}, THREAD)
    graph.invoke(Command(resume="yes"), THREAD)
    assert graph.invoke(Command(resume="yes"), THREAD)["log"] == ["first yes", "second yes"]


def test_a_late_answer_by_id_is_ignored_silently_and_raises_under_the_strict_flag(saver: SqliteSaver) -> None:
    graph = two_questions(saver)
    first = graph.invoke({"log": []}, THREAD)["__interrupt__"][0].id
    graph.invoke(Command(resume={first: "yes"}), THREAD)
    still_open = open_ids(graph)
    assert graph.invoke(Command(resume={first: "again"}), THREAD)["log"] == ["first yes"]
    assert open_ids(graph) == still_open
    with pytest.raises(UnknownInterruptError):
        graph.invoke(Command(resume={first: "again"}), STRICT)


def test_an_answer_at_an_old_answered_checkpoint_replays_the_old_answer_and_buys_again(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    old = graph.get_state(THREAD).config
    graph.invoke(Command(resume={question: "OLD"}), STRICT)
    replayed = graph.invoke(Command(resume="NEW"), old)
    assert replayed["log"][1] == "answer OLD"
    assert desk.calls.count("BOOK") == 2


def test_continuing_an_old_asking_checkpoint_asks_again_with_a_new_id(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    old = graph.get_state(THREAD).config
    graph.invoke(Command(resume={question: "yes"}), STRICT)
    desk.calls.clear()
    again = graph.invoke(None, old)["__interrupt__"][0].id
    assert again != question
    assert desk.calls == ["approve"]
    assert graph.get_state(THREAD).parent_config["configurable"]["checkpoint_id"] == old["configurable"]["checkpoint_id"]


def test_replaying_the_checkpoint_before_the_effect_runs_it_with_no_question(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    graph.invoke(Command(resume={question: "yes"}), STRICT)
    desk.calls.clear()
    graph.invoke(None, waiting_at(graph, "book"))
    assert desk.calls == ["BOOK"]


def test_a_question_keeps_its_id_when_the_thread_is_continued_without_a_checkpoint(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    assert graph.invoke(None, THREAD)["__interrupt__"][0].id == question


def test_a_new_input_abandons_the_open_question_even_an_empty_one(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    for fresh in ({"log": ["hello"]}, {}):
        graph.invoke(fresh, THREAD)
        assert desk.calls == ["plan", "approve"]
        assert question not in open_ids(graph)
        desk.calls.clear()


def test_an_answer_on_an_unknown_thread_starts_an_empty_run_silently(graph: Any, desk: Desk) -> None:
    graph.invoke(Command(resume={"0" * 32: "yes"}), {"configurable": {"thread_id": "nobody"}})
    assert desk.calls == ["plan", "approve"]


def test_an_answered_question_is_still_listed_while_its_node_runs(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    seen: list[list[str]] = []
    desk.answered = lambda: seen.append(open_ids(graph))
    graph.invoke(Command(resume={question: "yes"}), STRICT)
    assert seen == [[question]]


def test_an_answer_re_enters_the_node_from_its_first_line(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    graph.invoke(Command(resume={question: "yes"}), STRICT)
    assert desk.calls == ["approve", "BOOK"]


def test_an_empty_answer_is_no_answer(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    graph.invoke(Command(resume={}), THREAD)
    assert open_ids(graph) == [question]
    assert "BOOK" not in desk.calls


def test_a_broad_except_around_a_question_swallows_it(saver: SqliteSaver) -> None:
    def careless(state: Log) -> Log:
        try:
            interrupt("sure?")
        except Exception:  # noqa: BLE001 the very mistake
            return {"log": ["went on"]}
        return {"log": []}

    builder = StateGraph(Log).add_node("careless", careless).add_edge(START, "careless")
    assert builder.compile(checkpointer=saver).invoke({"log": []}, THREAD) == {"log": ["went on"]}


class Answer(BaseModel):
    verdict: str


def test_a_bad_answer_is_refused_before_anything_is_stored_and_can_be_given_again(saver: SqliteSaver) -> None:
    def approve(state: Log) -> Log:
        return {"log": [Answer.model_validate(interrupt("sure?", response_schema=Answer)).verdict]}

    graph = StateGraph(Log).add_node("approve", approve).add_edge(START, "approve").compile(checkpointer=saver)
    question = graph.invoke({"log": []}, THREAD)["__interrupt__"][0].id
    with pytest.raises(ValueError, match="verdict"):
        graph.invoke(Command(resume={question: {"other": 1}}), STRICT)
    assert open_ids(graph) == [question]
    assert graph.invoke(Command(resume={question: {"verdict": "approve"}}), STRICT) == {"log": ["approve"]}


# Updates


def test_an_update_of_a_waiting_thread_loses_the_question_until_it_is_continued(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    graph.update_state(THREAD, {"budget": 50}, as_node="plan")
    assert open_ids(graph) == []
    again = graph.invoke(None, THREAD)["__interrupt__"][0]
    assert again.id != question
    assert again.value["budget"] == 50


def test_an_update_as_the_asking_node_skips_the_person(graph: Any, desk: Desk) -> None:
    asked(graph, desk)
    graph.update_state(THREAD, {"budget": 50}, as_node="approve")
    graph.invoke(None, THREAD)
    assert desk.calls == ["BOOK"]


def test_an_update_as_the_end_cancels(graph: Any, desk: Desk) -> None:
    asked(graph, desk)
    graph.update_state(THREAD, None, as_node=END)
    graph.invoke(None, THREAD)
    assert (graph.get_state(THREAD).next, desk.calls) == ((), [])


def test_an_update_with_an_unknown_key_is_accepted_silently(graph: Any, desk: Desk) -> None:
    asked(graph, desk)
    graph.update_state(THREAD, {"no_such_key": 1}, as_node="plan")
    assert "no_such_key" not in graph.get_state(THREAD).values


def test_an_update_after_a_parallel_step_must_say_as_which_node(saver: SqliteSaver) -> None:
    builder = StateGraph(Log)
    for name in ("fares", "seats"):
        builder.add_node(name, lambda state, name=name: {"log": [name]})
        builder.add_edge(START, name)
    graph = builder.compile(checkpointer=saver)
    graph.invoke({"log": []}, THREAD)
    with pytest.raises(InvalidUpdateError, match="Ambiguous"):
        graph.update_state(THREAD, {"log": ["more"]})


@pytest.mark.parametrize("leaf", ["waiting", "failed", "concluded"])
def test_an_update_as_an_earlier_node_works_from_every_leaf_and_keeps_its_metadata(graph: Any, desk: Desk, leaf: str) -> None:
    question = asked(graph, desk)
    desk.down = leaf == "failed"
    if leaf == "failed":
        with pytest.raises(AirlineDown):
            graph.invoke(Command(resume={question: "yes"}), STRICT)
    elif leaf == "concluded":
        graph.invoke(Command(resume={question: "yes"}), STRICT)
    head = graph.get_state(THREAD).config
    graph.update_state({**head, "metadata": {"entered_as": "plan"}}, {"budget": 50}, as_node="plan")
    state = graph.get_state(THREAD)
    assert state.next == ("approve",)
    assert state.metadata["entered_as"] == "plan"
    assert state.metadata["source"] == "update"


def test_an_update_checkpoint_does_not_say_as_which_node_it_was_written(graph: Any, desk: Desk) -> None:
    asked(graph, desk)
    graph.update_state(THREAD, {"budget": 50}, as_node="plan")
    assert "plan" not in str(graph.get_state(THREAD).metadata)


def test_an_update_as_the_start_needs_the_checkpoint_namespace(graph: Any, desk: Desk) -> None:
    asked(graph, desk)
    first = list(graph.get_state_history(THREAD))[-1].config["configurable"]["checkpoint_id"]
    bare = {"configurable": {"thread_id": "t", "checkpoint_id": first}}
    with pytest.raises(KeyError, match="checkpoint_ns"):
        graph.update_state(bare, {"budget": 1}, as_node=START)
    whole = {"configurable": {**bare["configurable"], "checkpoint_ns": ""}}
    graph.update_state(whole, {"budget": 1}, as_node=START)
    assert graph.get_state(THREAD).next == ("plan",)


# Failures and kills


def test_after_a_failure_behind_an_answer_the_same_leaf_replays_the_old_answer(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    asking = graph.get_state(THREAD).config
    desk.down = True
    with pytest.raises(AirlineDown):
        graph.invoke(Command(resume={question: "approve"}), STRICT)
    desk.down = False
    assert graph.invoke(Command(resume={question: "reject"}), {**asking})["log"][1] == "answer approve"
    anew = graph.invoke(None, asking)["__interrupt__"][0].id
    assert anew != question
    assert graph.invoke(Command(resume={anew: "reject"}), STRICT)["log"][1] == "answer reject"


def test_a_fork_whose_run_failed_stays_the_newest_and_the_good_question_needs_its_own_checkpoint(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    good = graph.get_state(THREAD).config
    graph.update_state(good, {"budget": 50}, as_node="approve")
    desk.down = True
    with pytest.raises(AirlineDown):
        graph.invoke(None, THREAD)
    desk.down = False
    with pytest.raises(UnknownInterruptError):
        graph.invoke(Command(resume={question: "yes"}), STRICT)
    at_good: RunnableConfig = {"configurable": {**STRICT["configurable"], **good["configurable"]}}
    assert graph.invoke(Command(resume={question: "yes"}), at_good)["log"][1] == "answer yes"


class KilledAtPut(SqliteSaver):
    """Dies when the nth checkpoint is about to be written; its writes are stored by then."""

    left = -1

    def put(self, *args: Any, **kwargs: Any) -> RunnableConfig:
        KilledAtPut.left -= 1
        if KilledAtPut.left == 0:
            raise Killed
        return super().put(*args, **kwargs)


def test_killed_between_an_answers_writes_and_its_checkpoint_the_way_on_is_to_continue(desk: Desk) -> None:
    for saver in opened(KilledAtPut):
        graph = desk.graph(saver)
        question = asked(graph, desk)
        KilledAtPut.left = 1
        with pytest.raises(Killed):
            graph.invoke(Command(resume={question: "yes"}), STRICT, durability="sync")
        state = graph.get_state(THREAD)
        assert (state.next, state.interrupts, desk.calls) == ((), (), ["approve"])
        with pytest.raises(UnknownInterruptError):
            graph.invoke(Command(resume={question: "yes"}), STRICT, durability="sync")
        assert graph.invoke(None, THREAD, durability="sync")["log"] == ["planned", "answer yes", "booked"]


def test_killed_inside_the_answered_node_the_answer_is_lost_and_the_question_open(graph: Any, desk: Desk) -> None:
    def die() -> None:
        raise Killed

    question = asked(graph, desk)
    desk.answered = die
    with pytest.raises(Killed):
        graph.invoke(Command(resume={question: "yes"}), STRICT, durability="sync")
    desk.answered = lambda: None
    assert open_ids(graph) == [question]
    assert graph.invoke(None, THREAD)["__interrupt__"][0].id == question
    assert graph.invoke(Command(resume={question: "yes"}), STRICT)["log"][-1] == "booked"


@pytest.mark.parametrize(("durability", "stored"), [("sync", 1), ("exit", 0)])
def test_only_sync_has_the_answer_on_disk_before_the_effect_runs(
    graph: Any, desk: Desk, saver: SqliteSaver, durability: str, stored: int
) -> None:
    question = asked(graph, desk)
    before = count(saver)
    seen: list[int] = []
    desk.calls = Watched(lambda: seen.append(count(saver) - before))
    graph.invoke(Command(resume={question: "yes"}), STRICT, durability=durability)
    assert seen == [stored]


class Watched(list[str]):
    def __init__(self, booked: Callable[[], None]) -> None:
        super().__init__()
        self.booked = booked

    def append(self, call: str) -> None:
        if call == "BOOK":
            self.booked()
        super().append(call)


def count(saver: SqliteSaver) -> int:
    return saver.conn.execute("SELECT count(*) FROM checkpoints").fetchone()[0]


# Graph versions, history, values


def test_a_renamed_node_loses_its_waiting_threads_silently_but_can_be_found_and_mended(desk: Desk, saver: SqliteSaver) -> None:
    question = asked(desk.graph(saver), desk)
    renamed = desk.graph(saver, names=("plan", "review", "book"))
    assert renamed.get_state(THREAD).next == ()
    renamed.invoke(Command(resume={question: "yes"}), THREAD)
    assert desk.calls == []
    stored = saver.get_tuple(THREAD)
    assert stored is not None
    assert "branch:to:approve" in stored.checkpoint["channel_values"]
    renamed.update_state(THREAD, None, as_node="plan")
    anew = renamed.invoke(None, THREAD)["__interrupt__"][0].id
    assert renamed.invoke(Command(resume={anew: "yes"}), STRICT)["log"] == ["planned", "answer yes", "booked"]


def test_the_history_mixes_branches_newest_first_and_repeats_step_numbers(graph: Any, desk: Desk) -> None:
    question = asked(graph, desk)
    asking = graph.get_state(THREAD).config
    graph.invoke(Command(resume={question: "yes"}), STRICT)
    graph.update_state(asking, {"budget": 1}, as_node="approve")
    graph.invoke(None, THREAD)
    history = list(graph.get_state_history(THREAD))
    ids = [s.config["configurable"]["checkpoint_id"] for s in history]
    steps = [s.metadata["step"] for s in history]
    parents = [s.parent_config["configurable"]["checkpoint_id"] for s in history if s.parent_config]
    assert ids == sorted(ids, reverse=True)
    assert len(steps) > len(set(steps))
    assert parents.count(asking["configurable"]["checkpoint_id"]) == 2


def test_metadata_keeps_plain_scalars_only(graph: Any, desk: Desk) -> None:
    metadata = {"command_id": "c1", "n": 1, "main": True, "nested": {"a": 1}, "none": None}
    graph.invoke({"log": []}, {**THREAD, "metadata": metadata})
    kept = graph.get_state(THREAD).metadata
    assert {k: kept.get(k) for k in metadata} == {"command_id": "c1", "n": 1, "main": True, "nested": None, "none": None}


class Colour(StrEnum):
    RED = "red"


class Anything(TypedDict):
    value: Any


def test_plain_values_survive_tuples_become_lists_and_foreign_types_do_not_come_back(
    saver: SqliteSaver, caplog: pytest.LogCaptureFixture
) -> None:
    graph = StateGraph(Anything).add_node("keep", lambda state: {}).add_edge(START, "keep").compile(checkpointer=saver)

    def kept(value: object) -> object:
        graph.invoke({"value": value}, THREAD)
        return graph.get_state(THREAD).values["value"]

    for plain in (Decimal("1.10"), datetime(2026, 1, 2, tzinfo=UTC), UUID(int=7), {"a": [1, None, True, "值"]}):
        assert kept(plain) == plain
    assert kept(("a", "b")) == ["a", "b"]
    assert caplog.text == ""
    assert not isinstance(kept(Colour.RED), Colour)
    assert "Colour" in caplog.text


def test_a_deleted_checkpoint_reads_as_an_empty_snapshot_without_metadata(graph: Any, desk: Desk, saver: SqliteSaver) -> None:
    question = asked(graph, desk)
    oldest = list(graph.get_state_history(THREAD))[-1].config
    saver.conn.execute("DELETE FROM checkpoints WHERE checkpoint_id = ?", (oldest["configurable"]["checkpoint_id"],))
    gone = graph.get_state(oldest)
    assert (gone.values, gone.metadata) == ({}, None)
    assert graph.invoke(Command(resume={question: "yes"}), STRICT)["log"][-1] == "booked"


def test_the_sqlite_saver_can_delete_a_thread_but_not_prune_one(graph: Any, desk: Desk, saver: SqliteSaver) -> None:
    asked(graph, desk)
    with pytest.raises(NotImplementedError):
        saver.prune(["t"])
    saver.delete_thread("t")
    assert graph.get_state(THREAD).metadata is None


async def test_the_async_saver_refuses_blocking_calls_from_its_own_loop(desk: Desk) -> None:
    async with AsyncSqliteSaver.from_conn_string(":memory:") as saver:
        graph = desk.graph(saver)
        await graph.ainvoke({"log": []}, THREAD)
        with pytest.raises(Exception, match="Synchronous calls to AsyncSqliteSaver"):
            graph.get_state(THREAD)


async def test_the_whole_path_runs_on_the_async_saver(desk: Desk) -> None:
    async with AsyncSqliteSaver.from_conn_string(":memory:") as saver:
        graph = desk.graph(saver)
        question = (await graph.ainvoke({"log": []}, THREAD, durability="sync"))["__interrupt__"][0].id
        with pytest.raises(UnknownInterruptError):
            await graph.ainvoke(Command(resume={"0" * 32: "yes"}), STRICT, durability="sync")
        done = await graph.ainvoke(Command(resume={question: "yes"}), STRICT, durability="sync")
        assert done["log"] == ["planned", "answer yes", "booked"]


def test_strict_msgpack_compiles_on_a_clone_of_the_saver(graph: Any, saver: SqliteSaver) -> None:
    assert graph.checkpointer is not saver
    assert isinstance(graph.checkpointer, SqliteSaver)


def test_a_loop_needs_its_own_recursion_limit(saver: SqliteSaver) -> None:
    builder = StateGraph(Log)
    builder.add_node("settle", lambda state: {"log": ["step"]})
    builder.add_edge(START, "settle")
    builder.add_conditional_edges("settle", lambda state: "settle" if len(state["log"]) < 40 else END)
    graph = builder.compile(checkpointer=saver)
    assert len(graph.invoke({"log": []}, THREAD)["log"]) == 40
    with pytest.raises(RecursionError):
        graph.invoke({"log": []}, {"configurable": {"thread_id": "limited"}, "recursion_limit": 10})


# Step ids


def of_time(ticks: int) -> str:
    """A checkpoint's id made at this time, in LangGraph's units of 100 ns."""
    return str(UUID(int=(ticks >> 12) << 80 | 6 << 76 | (ticks & 0x0FFF) << 64 | 8 << 60))


def newest_id(graph: Any) -> str:
    return graph.get_state(THREAD).config["configurable"]["checkpoint_id"]


def test_ids_go_on_from_the_last_one_told_under_a_private_name(graph: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(langgraph_ids, "_last_v6_timestamp", None)  # a new process
    question = asked(graph, desk)
    made_last = getattr(langgraph_ids, "_last_v6_timestamp")  # noqa: B009
    assert of_time(made_last)[:18] >= newest_id(graph)[:18]
    tomorrow = of_time(made_last + 24 * 3600 * 10**7)
    assert newest_id(graph) < tomorrow
    continue_after(tomorrow)
    graph.invoke(Command(resume={question: "yes"}), STRICT)
    assert newest_id(graph) > tomorrow
    continue_after(of_time(made_last))  # never back
    assert newest_id(graph) < of_time(getattr(langgraph_ids, "_last_v6_timestamp") + 1)  # noqa: B009


def test_without_that_name_nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(langgraph_ids, "_last_v6_timestamp")
    with pytest.raises(AttributeError, match="_last_v6_timestamp"):
        continue_after(of_time(1))
